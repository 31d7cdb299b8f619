// Kernels as chemistry, signals, finance, text, games and linear algebra have them. They only judge: no rule is made
// of them.
#include "inputs.h"

struct Body {
    float x, y, z, charge;
    int kind;
};

struct Ray {
    float ox, oy, oz, dx, dy, dz;
};

__device__ __forceinline__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ float wrap(float gap, float length) {
    if (gap > 0.5f * length) return gap - length;
    if (gap < -0.5f * length) return gap + length;
    return gap;
}

__global__ void coulombPairs(const Body* bodies, float* energy, int n, float box) {
    const int i = place();
    if (i >= n) return;
    const Body mine = bodies[i];
    float sum = 0;
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        const Body other = bodies[j];
        const float dx = wrap(mine.x - other.x, box), dy = wrap(mine.y - other.y, box),
                    dz = wrap(mine.z - other.z, box);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 0.2f && other.kind != mine.kind) sum += mine.charge * other.charge * rsqrtf(r2 + 1e-6f);
    }
    energy[i] = sum;
}

__global__ void firFilter(const float* in, float* out, const float* taps, int count, int n) {
    extern __shared__ float window[];
    const int i = place();
    for (int k = threadIdx.x; k < blockDim.x + count; k += blockDim.x) {
        const int at = blockIdx.x * blockDim.x + k - count;
        window[k] = at >= 0 && at < n ? in[at] : 0.f;
    }
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < count; ++t) sum += taps[t] * window[threadIdx.x + count - t];
    if (i < n) out[i] = sum;
}

__global__ void goertzel(const float* in, float* power, int samples, int bins) {
    const int b = place();
    if (b >= bins) return;
    const float turn = 6.2831853f * b / bins, c = 2 * cosf(turn);
    float s0 = 0, s1 = 0, s2 = 0;
    for (int k = 0; k < samples; ++k) {
        s0 = in[k] + c * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    power[b] = s1 * s1 + s2 * s2 - c * s1 * s2;
}

__global__ void impliedVolatility(const float* price, const float* strike, float* out, int n) {
    const int i = place();
    if (i >= n) return;
    float low = 0.01f, high = 3.f;
    const float want = price[i], k = strike[i];
    for (int step = 0; step < 24; ++step) {
        const float mid = 0.5f * (low + high), d1 = (logf(1.f / k) + 0.5f * mid * mid) / mid, d2 = d1 - mid;
        const float value = normcdff(d1) - k * normcdff(d2);
        if (value > want)
            high = mid;
        else
            low = mid;
    }
    out[i] = 0.5f * (low + high);
}

__global__ void tokenKinds(const unsigned char* text, unsigned char* kinds, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned char c = text[i];
    unsigned char kind;
    if (c >= '0' && c <= '9')
        kind = 1;
    else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
        kind = 2;
    else if (c == ' ' || c == '\t' || c == '\n')
        kind = 0;
    else
        switch (c) {
            case '+':
            case '-':
            case '*':
            case '/': kind = 3; break;
            case '(':
            case ')': kind = 4; break;
            case '"': kind = 5; break;
            default: kind = 6;
        }
    kinds[i] = kind;
}

__global__ void utf8Lengths(const unsigned char* text, int* lengths, int chunk, int n) {
    const int i = place();
    if (i * chunk >= n) return;
    int count = 0;
    for (int k = 0; k < chunk; ++k)
        if ((text[i * chunk + k] & 0xc0) != 0x80) ++count;
    lengths[i] = count;
}

__global__ void wordHashes(const unsigned char* text, const int* begins, unsigned* out, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned hash = 5381;
    for (int k = begins[i]; k < begins[i + 1]; ++k) hash = hash * 33 ^ text[k];
    hash ^= hash >> 15;
    out[i] = hash;
}

__global__ void minimax(const unsigned* boards, int* best, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    const unsigned x = boards[i] & 511, o = (boards[i] >> 9) & 511 & ~x;
    int score = -100, move = -1;
    for (int m = 0; m < 9; ++m) {
        if ((x | o) >> m & 1) continue;
        const unsigned next = x | 1u << m;
        int value = 0;
        for (int l = 0; l < 8; ++l) {
            if ((next & lines[l]) == lines[l]) value += 10;
            if (!(o & lines[l])) value += __popc(next & lines[l]);
        }
        if (value > score) score = value, move = m;
    }
    best[i] = move;
}

__global__ void raySphere(const Ray* rays, const float4* spheres, float* hits, int rays_count, int count) {
    __shared__ float4 some[64];
    const int i = place();
    float nearest = 1e30f;
    const Ray ray = i < rays_count ? rays[i] : Ray{};
    for (int base = 0; base < count; base += 64) {
        if (threadIdx.x < 64) some[threadIdx.x] = spheres[base + threadIdx.x];
        __syncthreads();
        for (int s = 0; s < 64; ++s) {
            const float4 ball = some[s];
            const float lx = ball.x - ray.ox, ly = ball.y - ray.oy, lz = ball.z - ray.oz;
            const float along = lx * ray.dx + ly * ray.dy + lz * ray.dz;
            const float off = lx * lx + ly * ly + lz * lz - along * along;
            if (along > 0 && off < ball.w * ball.w) {
                const float t = along - sqrtf(ball.w * ball.w - off);
                if (t < nearest) nearest = t;
            }
        }
        __syncthreads();
    }
    if (i < rays_count) hits[i] = nearest;
}

template <int tile>
__global__ void triangularSolve(const float* l, float* x, int systems) {
    const int s = place();
    if (s >= systems) return;
    float v[tile];
#pragma unroll
    for (int r = 0; r < tile; ++r) v[r] = x[r * systems + s];
#pragma unroll
    for (int r = 0; r < tile; ++r) {
#pragma unroll
        for (int c = 0; c < r; ++c) v[r] -= l[r * tile + c] * v[c];
        v[r] /= l[r * tile + r] + 2.f;
    }
#pragma unroll
    for (int r = 0; r < tile; ++r) x[r * systems + s] = v[r];
}

__global__ void gemvTransposed(const double* a, const double* x, double* y, int rows, int cols) {
    __shared__ double part[8][33];
    const int c = blockIdx.x * 32 + threadIdx.x;
    double sum = 0;
    if (c < cols)
        for (int r = threadIdx.y; r < rows; r += 8) sum += a[(size_t)r * cols + c] * x[r];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && c < cols) {
        for (int k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
        y[c] = sum;
    }
}

__global__ void syrk(const float* a, float* c, int n, int k) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j > i) return;
    float sum = 0;
    for (int p = 0; p < k; ++p) sum += a[i * k + p] * a[j * k + p];
    c[i * n + j] = 0.5f * c[i * n + j] + 2.f * sum;
}

__global__ void householder(double* a, double* tau, int rows, int cols) {
    __shared__ double parts[32];
    __shared__ double norm;
    double* m = a + (size_t)blockIdx.x * rows * cols;
    for (int c = 0; c < cols; ++c) {
        double sum = 0;
        for (int r = c + threadIdx.x; r < rows; r += blockDim.x) sum += m[r * cols + c] * m[r * cols + c];
        for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            double all = 0;
            for (int w = 0; w < blockDim.x / 32; ++w) all += parts[w];
            norm = sqrt(all);
            tau[blockIdx.x * cols + c] = norm;
        }
        __syncthreads();
        for (int r = c + threadIdx.x; r < rows; r += blockDim.x) m[r * cols + c] /= norm + 1e-9;
        __syncthreads();
    }
}

__global__ void upwind(const float* q, const float* u, float* out, int nx, int ny, float step) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= 0 || x >= nx - 1 || y >= ny) return;
    const int i = y * nx + x;
    const float v = u[i] - 0.5f;
    const float flux = v > 0 ? v * (q[i] - q[i - 1]) : v * (q[i + 1] - q[i]);
    out[i] = q[i] - step * flux;
}

__global__ void snowflakes(const unsigned char* frozen, unsigned char* next, int w, int h) {
    __shared__ unsigned char cells[18][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int dy = threadIdx.y; dy < 18; dy += 16)
        for (int dx = threadIdx.x; dx < 34; dx += 32) {
            const int xx = (blockIdx.x * 32 + dx - 1 + w) % w, yy = (blockIdx.y * 16 + dy - 1 + h) % h;
            cells[dy][dx] = frozen[yy * w + xx] & 1;
        }
    __syncthreads();
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    const int sum = cells[j][i - 1] + cells[j][i + 1] + cells[j - 1][i] + cells[j + 1][i] +
                    cells[j - 1][i + (j & 1 ? 1 : -1)] + cells[j + 1][i + (j & 1 ? 1 : -1)];
    if (x < w && y < h) next[y * w + x] = cells[j][i] || sum == 1;
}

__global__ void randomWalks(int* ends, unsigned seed, int steps, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned s = seed ^ (i * 2654435761u);
    int x = 0, y = 0;
    for (int k = 0; k < steps; ++k) {
        s = s * 1664525u + 1013904223u;
        switch (s >> 30) {
            case 0: ++x; break;
            case 1: --x; break;
            case 2: ++y; break;
            default: --y;
        }
    }
    ends[i] = x * x + y * y;
}

__global__ void xorwowPoints(unsigned* hits, int rounds) {
    unsigned x = 123456789u + place(), y = 362436069u, z = 521288629u, w = 88675123u, v = 5783321u, d = 6615241u;
    unsigned inside = 0;
    for (int k = 0; k < rounds; ++k) {
        unsigned t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437u;
        const unsigned n = d + v;
        const float a = (n & 0xffff) * (1.f / 65536), b = (n >> 16) * (1.f / 65536);
        if (a * a + b * b < 1.f) ++inside;
    }
    hits[place()] = inside;
}

__global__ void levels(const int* parents, int* depth, int n) {
    const int i = place();
    if (i >= n) return;
    int at = i, steps = 0;
    while (at != parents[at] && steps < 64) at = parents[at], ++steps;
    depth[i] = steps;
}

__global__ void maximalIndependent(const int* rows, const int* cols, const int* weight, int* state, int n) {
    const int v = place();
    if (v >= n || state[v] != 0) return;
    bool best = true;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int u = cols[e];
        if (state[u] == 1) {
            state[v] = 2;
            return;
        }
        if (weight[u] > weight[v] || (weight[u] == weight[v] && u > v)) best = false;
    }
    if (best) state[v] = 1;
}

__global__ void degreeCounts(const int* ends, int* degrees, int n) {
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&degrees[ends[i]], 1);
}

__global__ void boundingBox(const float2* points, int* box, int n) {
    __shared__ int low[2], high[2];
    if (threadIdx.x < 2) low[threadIdx.x] = 1 << 30, high[threadIdx.x] = -(1 << 30);
    __syncthreads();
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        const float2 p = points[i];
        const int x = int(p.x * 1000), y = int(p.y * 1000);
        atomicMin(&low[0], x);
        atomicMin(&low[1], y);
        atomicMax(&high[0], x);
        atomicMax(&high[1], y);
    }
    __syncthreads();
    if (threadIdx.x < 2) atomicMin(&box[threadIdx.x], low[threadIdx.x]), atomicMax(&box[2 + threadIdx.x], high[threadIdx.x]);
}

__global__ void prefixMax(const int* in, int* out, int n) {
    const int lane = threadIdx.x % 32, warp = place() / 32;
    int running = -(1 << 30);
    for (int base = warp * 256; base < warp * 256 + 256 && base < n; base += 32) {
        int v = in[base + lane];
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(~0u, v, d);
            if (lane >= d) v = max(v, other);
        }
        v = max(v, running);
        out[base + lane] = v;
        running = __shfl_sync(~0u, v, 31);
    }
}

__global__ void ballotFilter(const float* in, float* out, int* count, float limit, int n) {
    const int i = place(), lane = threadIdx.x & 31;
    const bool keep = i < n && in[i] > limit;
    const unsigned mask = __ballot_sync(~0u, keep);
    int base = 0;
    if (lane == 0 && mask) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(~0u, base, 0);
    if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void packedSix(const unsigned* in, unsigned* out, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned long long bits = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) bits |= (unsigned long long)(in[i * 8 + k] & 63) << (6 * k);
    out[i * 2] = unsigned(bits);
    out[i * 2 + 1] = unsigned(bits >> 32);
}

__global__ void teaEncrypt(uint2* blocks, uint4 key, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned v0 = blocks[i].x, v1 = blocks[i].y, sum = 0;
    for (int round = 0; round < 32; ++round) {
        sum += 0x9e3779b9u;
        v0 += ((v1 << 4) + key.x) ^ (v1 + sum) ^ ((v1 >> 5) + key.y);
        v1 += ((v0 << 4) + key.z) ^ (v0 + sum) ^ ((v0 >> 5) + key.w);
    }
    blocks[i] = make_uint2(v0, v1);
}

__global__ void dateParts(const int* days, int* out, int n) {
    const int i = place();
    if (i >= n) return;
    const int z = days[i] + 719468, era = z / 146097, doe = z - era * 146097;
    const int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    out[i] = (yoe + era * 400) * 10000 + (mp < 10 ? mp + 3 : mp - 9) * 100 + doy - (153 * mp + 2) / 5 + 1;
}

__global__ void quaternionTurn(const float4* q, const float4* v, float4* out, int n) {
    const int i = place();
    if (i >= n) return;
    const float4 a = q[i], b = v[i];
    const float tx = 2 * (a.y * b.z - a.z * b.y), ty = 2 * (a.z * b.x - a.x * b.z), tz = 2 * (a.x * b.y - a.y * b.x);
    out[i] = make_float4(b.x + a.w * tx + a.y * tz - a.z * ty, b.y + a.w * ty + a.z * tx - a.x * tz,
                         b.z + a.w * tz + a.x * ty - a.y * tx, b.w);
}

__global__ void newtonRoots(const double* guess, double* roots, int n) {
    const int i = place();
    if (i >= n) return;
    double x = guess[i];
    for (int k = 0; k < 30; ++k) {
        const double f = x * x * x - 2 * x - 5, slope = 3 * x * x - 2;
        const double step = f / slope;
        x -= step;
        if (fabs(step) < 1e-12) break;
    }
    roots[i] = x;
}

__global__ void lutInterpolate(const float* table, const float* at, float* out, int size, int n) {
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        const float p = at[i] * (size - 1);
        const int k = min(int(p), size - 2);
        const float t = p - k;
        out[i] = table[k] * (1 - t) + table[k + 1] * t;
    }
}

__global__ void decodeRuns(const int* begins, const unsigned char* values, unsigned char* out, int runs) {
    const int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= runs) return;
    const unsigned char v = values[r];
    for (int k = begins[r] + threadIdx.x % 32; k < begins[r + 1]; k += 32) out[k] = v;
}

__global__ void batchNorm(const float* in, float* out, const float* scale, const float* shift, int channels, int plane) {
    __shared__ float sums[2][8];
    const int c = blockIdx.x;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < plane; k += blockDim.x) {
        const float v = in[c * plane + k];
        sum += v, squares += v * v;
    }
    for (int d = 16; d; d /= 2) {
        sum += __shfl_xor_sync(~0u, sum, d);
        squares += __shfl_xor_sync(~0u, squares, d);
    }
    if (threadIdx.x % 32 == 0) sums[0][threadIdx.x / 32] = sum, sums[1][threadIdx.x / 32] = squares;
    __syncthreads();
    sum = squares = 0;
    for (int w = 0; w < 8; ++w) sum += sums[0][w], squares += sums[1][w];
    const float mean = sum / plane, spread = rsqrtf(squares / plane - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < plane; k += blockDim.x)
        out[c * plane + k] = (in[c * plane + k] - mean) * spread * scale[c] + shift[c];
}

__global__ void depthwise(const float* in, const float* weights, float* out, int channels, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= w || y >= h) return;
    float sum = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx) {
            const int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h)
                sum += in[(c * h + yy) * w + xx] * weights[c * 9 + (dy + 1) * 3 + dx + 1];
        }
    out[(c * h + y) * w + x] = fmaxf(sum, 0.f);
}

__global__ void lstmCell(const float* gates, float* cell, float* hidden, int n) {
    const int i = place();
    if (i >= n) return;
    const float in = 1 / (1 + expf(-gates[i])), forget = 1 / (1 + expf(-gates[n + i])),
                candidate = tanhf(gates[2 * n + i]), show = 1 / (1 + expf(-gates[3 * n + i]));
    const float c = forget * cell[i] + in * candidate;
    cell[i] = c;
    hidden[i] = show * tanhf(c);
}

__global__ void vigenere(unsigned char* text, const unsigned char* key, int length, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned char c = text[i] % 26;
    text[i] = 'a' + (c + key[i % length] % 26) % 26;
}

__global__ void longestRun(const unsigned* words, int* runs, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned x = words[i] * 2654435761u;
    int k = 0;
    while (x) {
        x &= x << 1;
        ++k;
    }
    runs[i] = k;
}

__global__ void hullSide(const float2* points, int* outside, int a, int b, int n) {
    const int i = place();
    if (i >= n) return;
    const float2 p = points[a], q = points[b], r = points[i];
    const float cross = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    outside[i] = cross > 0 ? 1 : cross < 0 ? -1 : 0;
}

int main() {
    const int n = 1 << 18, m = 1 << 20;
    float *f = reals(4 * m, 0.1, 1), *g = reals(m, 0.2, 0.9), *h = zeros<float>(4 * m);
    double *d = reals<double>(2 * m, 0.5, 2), *e = zeros<double>(m);
    int *z = zeros<int>(4 * m), *many = wholes(m, 100000);
    unsigned char *bytes = wholes<unsigned char>(4 * m, 256), *text = wholes<unsigned char>(4 * m, 128);
    std::vector<int> ptr(40001), parents(n);
    for (int i = 0; i <= 40000; ++i) ptr[i] = 9 * i + i % 7;
    for (int i = 0; i < n; ++i) parents[i] = i / 3;
    const int *rows = in_device(ptr), *up = in_device(parents), *cols = wholes(m, 40000);
    std::vector<Body> bodies(4096);
    for (int i = 0; i < 4096; ++i)
        bodies[i] = {(i % 16) / 16.f, (i / 16 % 16) / 16.f, i / 256 / 16.f, i % 2 ? 1.f : -1.f, i % 3};
    coulombPairs<<<32, 128>>>(in_device(bodies), h, 4096, 1.f);
    firFilter<<<2048, 256, (256 + 48) * 4>>>(f, h, g, 48, m / 2);
    goertzel<<<64, 128>>>(f, h, 2000, 8192);
    impliedVolatility<<<512, 256>>>(g, f, h, 131072);
    tokenKinds<<<4096, 256>>>(text, bytes + 7, m);
    utf8Lengths<<<256, 256>>>(bytes, z, 64, 4 * m);
    wordHashes<<<157, 256>>>(text, rows, (unsigned*)z, 40000);
    minimax<<<512, 256>>>((unsigned*)many, z, 131072);
    raySphere<<<512, 256>>>((Ray*)f, (float4*)g, h, 131072, 256);
    triangularSolve<8><<<512, 128>>>(g, reals(m, 0.4, 0.8), 65536);
    gemvTransposed<<<32, dim3(32, 8)>>>(d, d, e, 1024, 1024);
    syrk<<<dim3(32, 64), dim3(16, 8)>>>(f, h, 512, 96);
    householder<<<132, 128>>>(d, e, 256, 16);
    upwind<<<dim3(32, 128), dim3(32, 8)>>>(f, g, h, 1024, 1024, 0.1f);
    snowflakes<<<dim3(32, 64), dim3(32, 16)>>>(bytes, text, 1024, 1024);
    randomWalks<<<512, 128>>>(z, 77, 200, 65536);
    xorwowPoints<<<528, 256>>>((unsigned*)z, 256);
    levels<<<1024, 256>>>(up, z, n);
    maximalIndependent<<<157, 256>>>(rows, cols, many, zeros<int>(40000), 40000);
    degreeCounts<<<264, 256>>>(cols, zeros<int>(40000), m);
    boundingBox<<<132, 256>>>((float2*)f, zeros<int>(4), m);
    prefixMax<<<512, 256>>>(many, z, m);
    ballotFilter<<<2048, 256>>>(g, h, zeros<int>(1), 0.6f, m / 2);
    packedSix<<<512, 256>>>((unsigned*)many, (unsigned*)z, 131072);
    teaEncrypt<<<1024, 256>>>((uint2*)z, make_uint4(1, 22, 333, 4444), n);
    dateParts<<<1024, 256>>>(many, z, n);
    quaternionTurn<<<1024, 256>>>((float4*)f, (float4*)g, (float4*)h, n);
    newtonRoots<<<512, 256>>>(d, e, 131072);
    lutInterpolate<<<264, 256>>>(g, f, h, 65536, m);
    decodeRuns<<<5000, 256>>>(rows, bytes, text, 40000);
    batchNorm<<<256, 256>>>(f, h, g, g, 256, 4096);
    depthwise<<<dim3(4, 16, 64), dim3(32, 8)>>>(f, g, h, 64, 128, 128);
    lstmCell<<<512, 256>>>(f, g, h, 131072);
    vigenere<<<4096, 256>>>(text, bytes, 11, m);
    longestRun<<<2048, 256>>>((unsigned*)many, z, m / 2);
    hullSide<<<2048, 256>>>((float2*)f, z, 17, 4711, m / 2);
    return cudaDeviceSynchronize() != cudaSuccess;
}
