// Small kernels as people write them, complete, each at two sizes.
#include "probe.h"

KERNEL_ODD(float, saxpy) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * 40) out[i] = 2.0f * in[i] + out[i];
}
KERNEL_ODD(float, stencil) {
    __shared__ float s[256 + 6];
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 3, t = threadIdx.x + 3;
    s[t] = in[i];
    if (threadIdx.x < 3) {
        s[t - 3] = in[i - 3];
        s[t + blockDim.x] = in[i + blockDim.x];
    }
    __syncthreads();
    float sum = 0;
    for (int k = -3; k <= 3; ++k) sum += s[t + k];
    out[i] = sum / 7;
}
KERNEL_ODD(float, stencil_global) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < gridDim.x * blockDim.x - 1)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
KERNEL_AT(float, stencil_2d, dim3(2, 4), dim3(32, 8), 64) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < 31)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                 in[(y + 1) * n + x]);
}

// Transposition, n x n.
KERNEL_AT(float, transpose_naive, dim3(2, 2), dim3(32, 8), 64) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}
KERNEL_AT(float, transpose_tiled, dim3(2, 2), dim3(32, 8), 64) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
KERNEL_AT(float, transpose_padded, dim3(2, 2), dim3(32, 8), 64) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Histograms of 64 bins.
KERNEL_ODD(int, histogram_global) {
    for (int i = GID; i < n * 100; i += gridDim.x * blockDim.x) atomicAdd(out + in[i] % 64, 1);
}
KERNEL_ODD(int, histogram_shared) {
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = GID; i < n * 100; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(out + threadIdx.x, bins[threadIdx.x]);
}

KERNEL_AT(float, dot_product, 4, 128, 2000) {
    __shared__ float parts[4];
    float sum = 0;
    for (int i = GID; i < n; i += gridDim.x * blockDim.x) sum += in[i] * in[i + 4096];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}
KERNEL_AT(float, matmul_naive, dim3(4, 4), dim3(16, 16), 64) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += in[row * n + k] * in[4096 + k * n + column];
        out[row * n + column] = sum;
    }
}
KERNEL_AT(float, matmul_tiled, dim3(2, 2), dim3(32, 32), 64) {
    __shared__ float a[32][32], b[32][32];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += 32) {
        a[y][x] = in[row * n + tile + x];
        b[y][x] = in[4096 + (tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}
KERNEL_AT(float, matmul_checked, dim3(3, 3), dim3(16, 16), 40) {
    __shared__ float a[16][16], b[16][16];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int tile = 0; tile < (n + 15) / 16; ++tile) {
        a[y][x] = row < n && tile * 16 + x < n ? in[row * n + tile * 16 + x] : 0.0f;
        b[y][x] = column < n && tile * 16 + y < n ? in[4096 + (tile * 16 + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < n && column < n) out[row * n + column] = sum;
}

// Scans of a block.
KERNEL_ODD(int, scan_hillis_steele) {
    __shared__ int s[2][128];
    const int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[GID];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        s[1 - from][t] = t >= k ? s[from][t] + s[from][t - k] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[GID] = s[from][t];
}
KERNEL(int, scan_blelloch) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    int offset = 1;
    s[2 * t] = in[2 * GID];
    s[2 * t + 1] = in[2 * GID + 1];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1, kept = s[low];
            s[low] = s[high];
            s[high] += kept;
        }
    }
    __syncthreads();
    out[2 * GID] = s[2 * t];
    out[2 * GID + 1] = s[2 * t + 1];
}
KERNEL(int, bitonic_sort) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = in[GID];
    for (int size = 2; size <= blockDim.x; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const int other = t ^ stride;
            if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                const int kept = s[t];
                s[t] = s[other];
                s[other] = kept;
            }
        }
    __syncthreads();
    out[GID] = s[t];
}
KERNEL(int, bitonic_step) {
    const int i = GID, other = i ^ n;
    if (other > i) {
        const int a = in[i], b = in[other];
        const bool swap = (a > b) == ((i & 64) == 0);
        out[i] = swap ? b : a;
        out[other] = swap ? a : b;
    }
}

KERNEL_AT(int, mandelbrot, dim3(2, 4), dim3(16, 8), 32) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = px * 3.0f / n - 2, cy = py * 2.4f / n - 1.2f;
    float x = 0, y = 0;
    int k = 0;
    while (x * x + y * y < 4 && k < 100) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++k;
    }
    out[py * n + px] = k;
}
KERNEL_AT(float4, nbody, 2, 64, 128) {
    __shared__ float4 tile[64];
    const float4 me = reinterpret_cast<const float4*>(in)[GID];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = in[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) {
            const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = tile[j].w * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    out[GID] = make_float4(ax, ay, az, 0);
}
KERNEL_ODD(float, black_scholes) {
    const float price = 50 + 50 * in[GID], strike = 50 + 50 * in[GID + 512], years = 0.25f + in[GID + 1024];
    const float root = sqrtf(years);
    const float d1 = (logf(price / strike) + (0.02f + 0.5f * 0.3f * 0.3f) * years) / (0.3f * root),
                d2 = d1 - 0.3f * root;
    auto normal = [](float d) {
        const float k = 1 / (1 + 0.2316419f * fabsf(d));
        const float tail =
            0.39894228f * expf(-0.5f * d * d) * k *
            (0.31938153f + k * (-0.35656378f + k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
        return d > 0 ? 1 - tail : tail;
    };
    const float discounted = strike * expf(-0.02f * years), n1 = normal(d1), n2 = normal(d2);
    out[GID] = price * n1 - discounted * n2;
    out[GID + 1024] = discounted * (1 - n2) - price * (1 - n1);
}
KERNEL_AT(int, game_of_life, dim3(2, 4), dim3(32, 8), 64) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) neighbours += in[(y + dy + n) % n * n + (x + dx + n) % n] & 1;
    out[y * n + x] = neighbours == 3 || (neighbours == 2 && (in[y * n + x] & 1));
}
KERNEL_AT(float, softmax_row, 4, 64, 200) {
    __shared__ float s[64];
    const float* row = in + blockIdx.x * n;
    float top = row[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) top = fmaxf(top, row[i]);
    s[threadIdx.x] = top;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(row[i] - top);
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = expf(row[i] - top) / s[0];
}
KERNEL_AT(unsigned, primes, 4, 128, 7) {
    const unsigned number = GID * 2 + 3;
    bool prime = true;
    for (unsigned d = 3; d * d <= number; d += 2)
        if (number % d == 0) {
            prime = false;
            break;
        }
    out[GID] = prime;
}
KERNEL_AT(int, binary_search, 4, 128, 1000) {
    const int key = in[GID];  // in the sorted sequence 0, 3, 6, ...
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (middle * 3 < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[GID] = low;
}
KERNEL_AT(float, row_sums, 4, 64, 50) {
    const int row = GID;
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[row * n + i];
    out[row] = sum;
}
KERNEL_AT(float, monte_carlo_pi, 4, 128, 100) {
    unsigned state = GID * 747796405u + 1;
    int inside = 0;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        const float x = (state >> 8) * (1.0f / 16777216);
        state = state * 1664525u + 1013904223u;
        const float y = (state >> 8) * (1.0f / 16777216);
        if (x * x + y * y < 1) ++inside;
    }
    out[GID] = 4.0f * inside / n;
}

int main() {
    for (auto& probe : probes()) probe();
}
