// Kernels as simulations, image programs, graphs and statistics have them. They only judge: no rule is made
// of them.
#include "inputs.h"

__device__ __forceinline__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void allPairsDistance(const float* points, float* out, int n, int dims) {
    const int i = blockIdx.x, j = blockIdx.y * blockDim.x + threadIdx.x;
    if (j >= n) return;
    float sum = 0;
    for (int d = 0; d < dims; ++d) {
        const float gap = points[i * dims + d] - points[j * dims + d];
        sum += gap * gap;
    }
    out[i * n + j] = sqrtf(sum);
}

__global__ void rowEntropy(const unsigned char* image, float* out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int counts[8];
    for (int k = 0; k < 8; ++k) counts[k] = 0;
    int total = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const int xx = x + dx, yy = y + dy;
            if (xx < 0 || xx >= w || yy < 0 || yy >= h) continue;
            ++counts[image[yy * w + xx] >> 5];
            ++total;
        }
    float entropy = 0;
    for (int k = 0; k < 8; ++k) {
        const float p = float(counts[k]) / total;
        if (p > 0) entropy -= p * __log2f(p);
    }
    out[y * w + x] = entropy;
}

__global__ void gammaCorrect(uchar4* pixels, float gamma, int n) {
    const int i = place();
    if (i >= n) return;
    uchar4 p = pixels[i];
    p.x = powf(p.x / 255.f, gamma) * 255.f;
    p.y = powf(p.y / 255.f, gamma) * 255.f;
    p.z = powf(p.z / 255.f, gamma) * 255.f;
    pixels[i] = p;
}

__global__ void burgers(const double* u, const double* v, double* un, double* vn, int w, int h, double nu) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    const int i = y * w + x;
    const double c = u[i], d = v[i];
    un[i] = c - 0.01 * c * (c - u[i - 1]) - 0.01 * d * (c - u[i - w]) + nu * (u[i + 1] - 2 * c + u[i - 1]) +
            nu * (u[i + w] - 2 * c + u[i - w]);
    vn[i] = d - 0.01 * c * (d - v[i - 1]) - 0.01 * d * (d - v[i - w]) + nu * (v[i + 1] - 2 * d + v[i - 1]) +
            nu * (v[i + w] - 2 * d + v[i - w]);
}

template <int radius>
__global__ void fdtd3d(float* out, const float* in, const float* weights, int nx, int ny, int nz) {
    __shared__ float tile[8 + 2 * radius][32 + 2 * radius];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int tx = threadIdx.x + radius, ty = threadIdx.y + radius;
    const int plane = nx * ny;
    int i = y * nx + x;
    float front[radius], behind[radius], current;
    for (int k = radius - 2; k >= 0; --k) behind[k] = in[i], i += plane;
    current = in[i];
    const int first = i;
    i += plane;
    for (int k = 0; k < radius; ++k) front[k] = in[i], i += plane;
    i = first;
    for (int z = 0; z < nz - 2 * radius; ++z) {
        for (int k = radius - 1; k > 0; --k) behind[k] = behind[k - 1];
        behind[0] = current;
        current = front[0];
        for (int k = 0; k < radius - 1; ++k) front[k] = front[k + 1];
        front[radius - 1] = in[i + (radius + 1) * plane];
        i += plane;
        __syncthreads();
        tile[ty][tx] = current;
        if (threadIdx.y < radius) {
            tile[threadIdx.y][tx] = y >= radius ? in[i - radius * nx] : 0;
            tile[threadIdx.y + 8 + radius][tx] = y + 8 < ny ? in[i + 8 * nx] : 0;
        }
        if (threadIdx.x < radius) {
            tile[ty][threadIdx.x] = x >= radius ? in[i - radius] : 0;
            tile[ty][threadIdx.x + 32 + radius] = x + 32 < nx ? in[i + 32] : 0;
        }
        __syncthreads();
        float value = weights[0] * current;
        for (int k = 1; k <= radius; ++k)
            value += weights[k] * (front[k - 1] + behind[k - 1] + tile[ty - k][tx] + tile[ty + k][tx] +
                                   tile[ty][tx - k] + tile[ty][tx + k]);
        out[i] = value;
    }
}

__global__ void bezier(const float3* control, float3* out, int side) {
    const int u = blockIdx.x * blockDim.x + threadIdx.x, v = blockIdx.y * blockDim.y + threadIdx.y;
    if (u >= side || v >= side) return;
    const float s = float(u) / (side - 1), t = float(v) / (side - 1);
    const auto blend = [](int k, float x) {
        float value = k == 1 || k == 2 ? 3.f : 1.f;
        for (int j = 0; j < k; ++j) value *= x;
        for (int j = k; j < 3; ++j) value *= 1 - x;
        return value;
    };
    float3 sum = {0, 0, 0};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const float w = blend(i, s) * blend(j, t);
            const float3 p = control[i * 4 + j];
            sum.x += w * p.x, sum.y += w * p.y, sum.z += w * p.z;
        }
    out[v * side + u] = sum;
}

__global__ void weightedMean(const float* values, const float* weights, float* means, int cols) {
    __shared__ float sums[32], mass[32];
    float s = 0, m = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const float w = weights[c];
        s += w * values[blockIdx.x * cols + c];
        m += w;
    }
    for (int offset = 16; offset; offset >>= 1) {
        s += __shfl_down_sync(~0u, s, offset);
        m += __shfl_down_sync(~0u, m, offset);
    }
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = s, mass[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x / 32; ++k) s += sums[k], m += mass[k];
        means[blockIdx.x] = s / m;
    }
}

__global__ void csrTimesDense(const int* ptr, const int* col, const float* val, const float* dense,
                              float* out, int rows, int width) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        float sum = 0;
        for (int k = ptr[row]; k < ptr[row + 1]; ++k) sum += val[k] * dense[col[k] * width + c];
        out[row * width + c] = sum;
    }
}

__global__ void relaxEdges(const int* from, const int* to, const int* weight, int* distance, int* changed,
                           int m) {
    const int e = place();
    if (e >= m) return;
    const int d = distance[from[e]];
    if (d == 0x3fffffff) return;
    const int candidate = d + weight[e];
    if (candidate < distance[to[e]]) {
        atomicMin(&distance[to[e]], candidate);
        *changed = 1;
    }
}

__global__ void countLabels(const int* labels, const int* predictions, int* confusion, int classes, int n) {
    extern __shared__ int local[];
    for (int k = threadIdx.x; k < classes * classes; k += blockDim.x) local[k] = 0;
    __syncthreads();
    for (int i = place(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[labels[i] * classes + predictions[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < classes * classes; k += blockDim.x)
        if (local[k]) atomicAdd(&confusion[k], local[k]);
}

__global__ void gradientStep(const float* x, const float* y, const float* w, float* gradient, int n,
                             int features) {
    const int i = place();
    if (i >= n) return;
    float dot = 0;
    for (int f = 0; f < features; ++f) dot += w[f] * x[i * features + f];
    const float error = 1.f / (1.f + expf(-dot)) - y[i];
    for (int f = 0; f < features; ++f) atomicAdd(&gradient[f], error * x[i * features + f]);
}

__global__ void hodgkinHuxley(float* state, int n, int steps) {
    const int i = place();
    if (i >= n) return;
    float v = state[4 * i], m = state[4 * i + 1], h = state[4 * i + 2], k = state[4 * i + 3];
    for (int s = 0; s < steps; ++s) {
        const float am = 0.1f * (v + 40) / (1 - expf(-(v + 40) / 10)), bm = 4 * expf(-(v + 65) / 18);
        const float ah = 0.07f * expf(-(v + 65) / 20), bh = 1 / (1 + expf(-(v + 35) / 10));
        const float an = 0.01f * (v + 55) / (1 - expf(-(v + 55) / 10)), bn = 0.125f * expf(-(v + 65) / 80);
        m += 0.01f * (am * (1 - m) - bm * m);
        h += 0.01f * (ah * (1 - h) - bh * h);
        k += 0.01f * (an * (1 - k) - bn * k);
        v += 0.01f *
             (10 - 120 * m * m * m * h * (v - 50) - 36 * k * k * k * k * (v + 77) - 0.3f * (v + 54.4f));
    }
    state[4 * i] = v, state[4 * i + 1] = m, state[4 * i + 2] = h, state[4 * i + 3] = k;
}

__global__ void sortedInsert(const unsigned long long* sorted, const unsigned long long* keys, int* position,
                             int n, int m) {
    const int i = place();
    if (i >= m) return;
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle] < keys[i])
            low = middle + 1;
        else
            high = middle;
    }
    position[i] = low;
}

__global__ void matchTemplate(const unsigned char* image, const unsigned char* pattern, int* score, int w,
                              int h, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x + side > w || y + side > h) return;
    int sum = 0;
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) sum += abs(image[(y + j) * w + x + i] - pattern[j * side + i]);
    score[y * w + x] = sum;
}

__global__ void bilinearResize(const float* in, float* out, int w, int h, int ow, int oh) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    const float sx = (x + 0.5f) * w / ow - 0.5f, sy = (y + 0.5f) * h / oh - 0.5f;
    const int x0 = max(0, (int)floorf(sx)), y0 = max(0, (int)floorf(sy));
    const int x1 = min(w - 1, x0 + 1), y1 = min(h - 1, y0 + 1);
    const float fx = sx - x0, fy = sy - y0;
    out[y * ow + x] = (1 - fy) * ((1 - fx) * in[y0 * w + x0] + fx * in[y0 * w + x1]) +
                      fy * ((1 - fx) * in[y1 * w + x0] + fx * in[y1 * w + x1]);
}

__global__ void permuteTensor(const float* in, float* out, int a, int b, int c) {
    const int i = place();
    if (i >= a * b * c) return;
    const int z = i % c, y = i / c % b, x = i / (c * b);
    out[(z * b + y) * a + x] = in[i];
}

__global__ void dslashLike(const float2* links, const float2* psi, float2* out, int volume, int side) {
    const int i = place();
    if (i >= volume) return;
    float2 sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int mu = 0; mu < 4; ++mu) {
        const int step = mu == 0 ? 1 : mu == 1 ? side : mu == 2 ? side * side : side * side * side;
        const int j = (i + step) % volume;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                const float2 u = links[((mu * 3 + r) * 3 + c) * volume + i], p = psi[c * volume + j];
                sum[r].x += u.x * p.x - u.y * p.y;
                sum[r].y += u.x * p.y + u.y * p.x;
            }
    }
    for (int r = 0; r < 3; ++r) out[r * volume + i] = sum[r];
}

__global__ void elementStiffness(const double* nodes, const int* elements, double* out, int n) {
    const int e = place();
    if (e >= n) return;
    double x[4][3];
    for (int k = 0; k < 4; ++k)
        for (int d = 0; d < 3; ++d) x[k][d] = nodes[3 * elements[4 * e + k] + d];
    double j[3][3];
    for (int r = 0; r < 3; ++r)
        for (int d = 0; d < 3; ++d) j[r][d] = x[r + 1][d] - x[0][d];
    const double det = j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
                       j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
                       j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
    const double volume = det / 6, inverse = 1 / (det + 1e-9);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double sum = 0;
            for (int k = 0; k < 3; ++k) sum += j[r][k] * j[c][k];
            out[(r * 3 + c) * n + e] = volume * inverse * sum;
        }
}

__global__ void perlin(float* out, const int* table, int w, int h, int octaves) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float value = 0, amplitude = 1, px = x / 64.f, py = y / 64.f;
    for (int o = 0; o < octaves; ++o) {
        const int ix = floorf(px), iy = floorf(py);
        const float fx = px - ix, fy = py - iy;
        const float u = fx * fx * fx * (fx * (fx * 6 - 15) + 10),
                    v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
        const auto corner = [&](int cx, int cy, float dx, float dy) {
            const int hash = table[(table[(ix + cx) & 255] + iy + cy) & 255];
            const float a = hash & 1 ? dx : dy, b = hash & 1 ? dy : dx;
            return (hash & 2 ? -a : a) + (hash & 4 ? -2 * b : 2 * b);
        };
        const float top = corner(0, 0, fx, fy) + u * (corner(1, 0, fx - 1, fy) - corner(0, 0, fx, fy));
        const float low =
            corner(0, 1, fx, fy - 1) + u * (corner(1, 1, fx - 1, fy - 1) - corner(0, 1, fx, fy - 1));
        value += amplitude * (top + v * (low - top));
        amplitude *= 0.5f, px *= 2, py *= 2;
    }
    out[y * w + x] = value;
}

__global__ void segmentedSum(const int* keys, const float* values, float* sums, int n) {
    const int i = place(), lane = threadIdx.x % 32;
    const int key = i < n ? keys[i] : -1;
    float value = i < n ? values[i] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
        const float other = __shfl_up_sync(~0u, value, offset);
        const int other_key = __shfl_up_sync(~0u, key, offset);
        if (lane >= offset && other_key == key) value += other;
    }
    const int next = __shfl_down_sync(~0u, key, 1);
    if (i < n && (lane == 31 || next != key)) atomicAdd(&sums[key], value);
}

__global__ void luPanel(float* a, int n, int k) {
    __shared__ float row[64];
    const int r = k + 1 + blockIdx.x * blockDim.y + threadIdx.y, c = k + 1 + threadIdx.x;
    if (threadIdx.y == 0) row[threadIdx.x] = c < n ? a[k * n + c] : 0;
    __syncthreads();
    if (r >= n) return;
    const float factor = a[r * n + k] / a[k * n + k];
    for (int cc = c; cc < n; cc += 64) {
        const float upper = cc < k + 65 ? row[cc - k - 1] : a[k * n + cc];
        a[r * n + cc] -= factor * upper;
    }
}

__global__ void twoBranches(const float* in, float* out, const unsigned char* kind, int n) {
    const int i = place();
    if (i >= n) return;
    float x = in[i];
    switch (kind[i] & 3) {
        case 0: x = sinf(x) * cosf(x); break;
        case 1: x = sqrtf(x) + 1 / x; break;
        case 2:
            for (int k = 0; k < 10; ++k) x = x * x - 0.5f;
            break;
        default: x = -x;
    }
    out[i] = x;
}

__global__ void ringBuffer(const int* in, int* out, int n, int window) {
    extern __shared__ int recent[];
    const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    for (int k = t; k < blockDim.x + window; k += blockDim.x)
        recent[k] = first + k - window >= 0 && first + k - window < n ? in[first + k - window] : 0;
    __syncthreads();
    int best = recent[t];
    for (int k = 1; k <= window; ++k) best = max(best, recent[t + k]);
    if (first + t < n) out[first + t] = best;
}

__global__ void quantise(const float* in, signed char* out, float* scales, int cols) {
    __shared__ float most[8];
    const float* row = in + blockIdx.x * cols;
    float m = 0;
    for (int c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, fabsf(row[c]));
    for (int offset = 16; offset; offset /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, offset));
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = m;
    __syncthreads();
    m = most[0];
    for (int k = 1; k < 8; ++k) m = fmaxf(m, most[k]);
    const float scale = m / 127;
    for (int c = threadIdx.x; c < cols; c += 256) out[blockIdx.x * cols + c] = __float2int_rn(row[c] / scale);
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}

__global__ void rotary(float* q, const float* cosine, const float* sine, int heads, int half) {
    const int token = blockIdx.x;
    for (int k = threadIdx.x; k < heads * half; k += blockDim.x) {
        const int head = k / half, d = k % half;
        float* p = q + (token * heads + head) * 2 * half;
        const float c = cosine[token * half + d], s = sine[token * half + d], a = p[d], b = p[d + half];
        p[d] = a * c - b * s;
        p[d + half] = a * s + b * c;
    }
}

__global__ void mergePath(const int* a, const int* b, int* out, int n, int each) {
    const int begin = place() * each;
    if (begin >= 2 * n) return;
    int low = max(0, begin - n), high = min(begin, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[begin - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = begin - low;
    for (int k = 0; k < each && begin + k < 2 * n; ++k)
        out[begin + k] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

__global__ void cellForces(const float4* atoms, const int* cells, float4* force, int per_cell, int count) {
    __shared__ float4 near[64];
    const int cell = blockIdx.x;
    const float4 self = atoms[cell * per_cell + threadIdx.x];
    float4 f = {0, 0, 0, 0};
    for (int k = 0; k < count; ++k) {
        __syncthreads();
        near[threadIdx.x] = atoms[cells[cell * count + k] * per_cell + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < per_cell; ++j) {
            const float dx = self.x - near[j].x, dy = self.y - near[j].y, dz = self.z - near[j].z;
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 0.25f && r2 > 1e-6f) {
                const float i2 = 1 / r2, i6 = i2 * i2 * i2, s = i6 * (i6 - 0.5f) * i2;
                f.x += dx * s, f.y += dy * s, f.z += dz * s, f.w += i6;
            }
        }
    }
    force[cell * per_cell + threadIdx.x] = f;
}

__global__ void runningPolynomial(const float* x, float* out, int n, int degree) {
    const int i = place();
    if (i >= n) return;
    const float v = x[i];
    float before = 1, now = v, sum = 1 + v;
    for (int k = 2; k <= degree; ++k) {
        const float next = ((2 * k - 1) * v * now - (k - 1) * before) / k;
        before = now, now = next;
        sum += next;
    }
    out[i] = sum;
}

__global__ void modulo(const int* in, int* out, int divisor, int n) {
    const int i = place();
    if (i < n) out[i] = in[i] / divisor + in[i] % divisor;
}

__global__ void columnSums(const float* m, float* sums, int rows, int cols) {
    const int c = place();
    if (c >= cols) return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) sum += m[r * cols + c];
    sums[c] = sum;
}

__global__ void pairwiseMax(const double* a, const double* b, double* out, int n) {
    for (int i = place(); i < n; i += gridDim.x * blockDim.x)
        out[i] = fmax(a[i], b[i]) + fmin(a[i], b[i]) * 0.5;
}

int main() {
    const int n = 1 << 18, m = 1 << 20;
    float *f = reals(4 * m, 0.1, 1), *g = reals(m, 0.2, 0.9), *h = zeros<float>(4 * m);
    double *d = reals<double>(m, 0.1, 1), *e = zeros<double>(4 * m), *d2 = reals<double>(m, 0.3, 2);
    int *z = zeros<int>(4 * m), *many = wholes(m, 100);
    unsigned char* bytes = wholes<unsigned char>(4 * m, 256);
    std::vector<int> ptr(20001), climbing(m), groups(m);
    for (int i = 0; i <= 20000; ++i) ptr[i] = 16 * i + i % 5;
    for (int i = 0; i < m; ++i) climbing[i] = 3 * i, groups[i] = i / 11;
    const int *rows = in_device(ptr), *sorted = in_device(climbing), *keys = in_device(groups);
    const int *cols = wholes(m, 20000), *places = wholes(m, 4096);
    allPairsDistance<<<dim3(1024, 4), 256>>>(f, h, 1024, 16);
    rowEntropy<<<dim3(32, 64), dim3(16, 16)>>>(bytes, h, 512, 1024);
    gammaCorrect<<<1024, 256>>>((uchar4*)bytes, 2.2f, n);
    burgers<<<dim3(32, 64), dim3(32, 16)>>>(d, d2, e, e + m, 1024, 1024, 0.05);
    fdtd3d<4><<<dim3(8, 32), dim3(32, 8)>>>(h, f, g, 256, 256, 40);
    bezier<<<dim3(32, 32), dim3(16, 16)>>>((float3*)f, (float3*)h, 512);
    weightedMean<<<2048, 128>>>(f, g, h, 1000);
    csrTimesDense<<<2500, dim3(32, 8)>>>(rows, cols, f, f, h, 20000, 64);
    relaxEdges<<<1024, 256>>>(cols, cols + 300000, many, wholes(20000, 1000), z, n);
    countLabels<<<264, 256, 10 * 10 * 4>>>(wholes(m, 10), wholes(m - 1, 10), zeros<int>(100), 10, m - 1);
    gradientStep<<<64, 256>>>(f, g, g, zeros<float>(16), 16384, 16);
    hodgkinHuxley<<<128, 128>>>(reals(65536, 0.1, 0.5), 16384, 20);
    sortedInsert<<<512, 256>>>((unsigned long long*)sorted, (unsigned long long*)many, z, m / 2, 131072);
    matchTemplate<<<dim3(32, 64), dim3(16, 8)>>>(bytes, bytes + 99, z, 512, 512, 12);
    bilinearResize<<<dim3(48, 96), dim3(32, 16)>>>(f, h, 1024, 1024, 1536, 1536);
    permuteTensor<<<4096, 256>>>(f, h, 64, 128, 128);
    dslashLike<<<256, 128>>>((float2*)f, (float2*)g, (float2*)h, 32768, 13);
    elementStiffness<<<512, 128>>>(d, wholes(4 * 65536, 100000), e, 65536);
    perlin<<<dim3(32, 128), dim3(32, 8)>>>(h, many, 1024, 1024, 4);
    segmentedSum<<<2048, 256>>>(keys, f, zeros<float>(m), m / 2);
    luPanel<<<64, dim3(64, 8)>>>(f, 512, 3);
    twoBranches<<<1024, 256>>>(f, h, bytes, n);
    ringBuffer<<<2048, 256, (256 + 32) * 4>>>(many, z, m / 2, 32);
    quantise<<<1024, 256>>>(f, (signed char*)z, h, 1536);
    rotary<<<512, 256>>>(h, f, g, 16, 32);
    mergePath<<<512, 128>>>(sorted, sorted + 1, z, 262144, 8);
    cellForces<<<1024, 64>>>((float4*)f, places, (float4*)h, 64, 14);
    runningPolynomial<<<1024, 256>>>(f, h, n, 12);
    modulo<<<2048, 256>>>(many, z, 7, m / 2);
    columnSums<<<32, 128>>>(f, h, 512, 4096);
    pairwiseMax<<<264, 512>>>(d, d2, e, m);
    return cudaDeviceSynchronize() != cudaSuccess;
}
