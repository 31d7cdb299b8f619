// Kernels of many kinds, written when the rules stood that they judge.
#include "inputs.h"

__device__ __forceinline__ unsigned rotl(unsigned x, int r) { return (x << r) | (x >> (32 - r)); }
__device__ __forceinline__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void xxh32(const unsigned* rows, unsigned* out, int words, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned* p = rows + i * words;
    unsigned a = 0x24234428u, b = 0x85ebca77u, c = 0, d = 0x61c8864fu;
    for (int k = 0; k + 4 <= words; k += 4) {
        a = rotl(a + p[k] * 2246822519u, 13) * 2654435761u;
        b = rotl(b + p[k + 1] * 2246822519u, 13) * 2654435761u;
        c = rotl(c + p[k + 2] * 2246822519u, 13) * 2654435761u;
        d = rotl(d + p[k + 3] * 2246822519u, 13) * 2654435761u;
    }
    unsigned h = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18) + words * 4;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    out[i] = h ^ (h >> 16);
}

__global__ void sip(const unsigned long long* keys, unsigned long long* out, int n, int blocks) {
    const int i = place();
    if (i >= n) return;
    unsigned long long v0 = 0x736f6d6570736575ull ^ i, v1 = 0x646f72616e646f6dull, v2 = 0x6c7967656e657261ull,
                       v3 = 0x7465646279746573ull;
    const auto round = [&] {
        v0 += v1, v1 = (v1 << 13) | (v1 >> 51), v1 ^= v0, v0 = (v0 << 32) | (v0 >> 32);
        v2 += v3, v3 = (v3 << 16) | (v3 >> 48), v3 ^= v2;
        v0 += v3, v3 = (v3 << 21) | (v3 >> 43), v3 ^= v0;
        v2 += v1, v1 = (v1 << 17) | (v1 >> 47), v1 ^= v2, v2 = (v2 << 32) | (v2 >> 32);
    };
    for (int b = 0; b < blocks; ++b) {
        const unsigned long long m = keys[b * n + i];
        v3 ^= m;
        round(), round();
        v0 ^= m;
    }
    v2 ^= 255;
    round(), round(), round(), round();
    out[i] = v0 ^ v1 ^ v2 ^ v3;
}

__global__ void sha1Block(const unsigned* messages, unsigned* digests, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned w[16], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
#pragma unroll
    for (int k = 0; k < 16; ++k) w[k] = __byte_perm(messages[k * n + i], 0, 0x0123);
#pragma unroll
    for (int k = 0; k < 80; ++k) {
        if (k >= 16) w[k & 15] = rotl(w[(k + 13) & 15] ^ w[(k + 8) & 15] ^ w[(k + 2) & 15] ^ w[k & 15], 1);
        const unsigned f = k < 20   ? (b & c) | (~b & d)
                           : k < 40 ? b ^ c ^ d
                           : k < 60 ? (b & c) | (b & d) | (c & d)
                                    : b ^ c ^ d;
        const unsigned t = rotl(a, 5) + f + e + w[k & 15] +
                           (k < 20   ? 0x5a827999u
                            : k < 40 ? 0x6ed9eba1u
                            : k < 60 ? 0x8f1bbcdcu
                                     : 0xca62c1d6u);
        e = d, d = c, c = rotl(b, 30), b = a, a = t;
    }
    digests[i] = a + b + c + d + e;
}

__global__ void adler(const unsigned char* text, unsigned* sums, int length, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned a = 1, b = 0;
    for (int k = 0; k < length; ++k) {
        a = (a + text[i * length + k]) % 65521;
        b = (b + a) % 65521;
    }
    sums[i] = b << 16 | a;
}

__global__ void xnorProduct(const unsigned* a, const unsigned* b, int* c, int m, int n, int words) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    int sum = 0;
    for (int k = 0; k < words; ++k) sum += __popc(~(a[row * words + k] ^ b[col * words + k]));
    c[row * n + col] = 2 * sum - 32 * words;
}

__global__ void addLimbs(const unsigned* a, const unsigned* b, unsigned* sum, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned long long carry = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const unsigned long long s = (unsigned long long)a[k * n + i] + b[k * n + i] + carry;
        sum[k * n + i] = (unsigned)s;
        carry = s >> 32;
    }
    sum[8 * n + i] = (unsigned)carry;
}

__global__ void mulLimbs(const unsigned long long* a, const unsigned long long* b, unsigned long long* out,
                         int n) {
    const int i = place();
    if (i >= n) return;
    unsigned long long r[8] = {};
    for (int x = 0; x < 4; ++x) {
        unsigned long long carry = 0;
        for (int y = 0; y < 4; ++y) {
            const unsigned long long p = a[x * n + i], q = b[y * n + i];
            unsigned long long lo = p * q, hi = __umul64hi(p, q);
            lo += carry;
            hi += lo < carry;
            lo += r[x + y];
            hi += lo < r[x + y];
            r[x + y] = lo;
            carry = hi;
        }
        r[x + 4] = carry;
    }
    for (int k = 0; k < 8; ++k) out[k * n + i] = r[k];
}

__global__ void binaryGcd(const unsigned* a, const unsigned* b, unsigned* out, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned u = a[i] + 1, v = b[i] + 1;
    const int shift = __ffs(u | v) - 1;
    u >>= __ffs(u) - 1;
    while (v) {
        v >>= __ffs(v) - 1;
        if (u > v) {
            const unsigned t = u;
            u = v;
            v = t;
        }
        v -= u;
    }
    out[i] = u << shift;
}

__global__ void longestCollatz(int* best, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned long long x = i + 1;
    int steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        ++steps;
    }
    atomicMax(best, steps);
}

__global__ void pcg(unsigned* out, int n, int draws) {
    const int i = place();
    if (i >= n) return;
    unsigned long long state = i * 6364136223846793005ull + 1442695040888963407ull;
    unsigned sum = 0;
    for (int k = 0; k < draws; ++k) {
        const unsigned long long old = state;
        state = old * 6364136223846793005ull + 1442695040888963407ull;
        const unsigned x = ((old >> 18) ^ old) >> 27;
        const int r = old >> 59;
        sum += (x >> r) | (x << (-r & 31));
    }
    out[i] = sum;
}

__global__ void jacobiDouble(const double* in, double* out, int nx, int ny) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    const int i = y * nx + x;
    out[i] = 0.25 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
}

__global__ void stridedSaxpy(const float* x, float* y, float a, int stride, int n) {
    const int i = place() * stride;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void gather(const float* values, const int* index, float* out, int n) {
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) out[i] = values[index[i]];
}

__global__ void sharedHistogram(const unsigned* data, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[data[i] & 255], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

__global__ void globalHistogram(const unsigned* data, unsigned* bins, int n, int mask) {
    const int i = place();
    if (i < n) atomicAdd(&bins[data[i] & mask], 1u);
}

__device__ void atomicMaxFloat(float* address, float value) {
    int old = *(int*)address, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value) break;
        old = atomicCAS((int*)address, assumed, __float_as_int(value));
    } while (assumed != old);
}
__global__ void largest(const float* in, float* out, int n) {
    const int i = place();
    if (i < n) atomicMaxFloat(out + (i & 7), in[i]);
}

__global__ void doubleSumCas(const double* in, unsigned long long* sum, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned long long old = sum[i & 63], assumed;
    do {
        assumed = old;
        old = atomicCAS(sum + (i & 63), assumed, __double_as_longlong(in[i] + __longlong_as_double(assumed)));
    } while (assumed != old);
}

__global__ void dotDouble(const double* a, const double* b, double* out, int n) {
    double sum = 0;
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void hillisSteele(const int* in, int* out) {
    __shared__ int t[2][512];
    const int i = threadIdx.x;
    int from = 0;
    t[0][i] = in[blockIdx.x * 512 + i];
    __syncthreads();
    for (int d = 1; d < 512; d <<= 1) {
        t[1 - from][i] = i >= d ? t[from][i] + t[from][i - d] : t[from][i];
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + i] = t[from][i];
}

__global__ void spmvRows(const int* ptr, const int* col, const double* val, const double* x, double* y,
                         int n) {
    const int row = place();
    if (row >= n) return;
    double sum = 0;
    for (int k = ptr[row]; k < ptr[row + 1]; ++k) sum += val[k] * x[col[k]];
    y[row] = sum;
}

__global__ void spmvWarps(const int* ptr, const int* col, const float* val, const float* x, float* y, int n) {
    const int row = place() / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float sum = 0;
    for (int k = ptr[row] + lane; k < ptr[row + 1]; k += 32) sum += val[k] * x[col[k]];
#pragma unroll
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

__global__ void transposeNaive(const float* in, float* out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

struct Particle {
    float x, y, z, vx, vy, vz;
    int kind;
};
__global__ void splitParticles(const Particle* list, float* speed, int* kinds, int n) {
    const int i = place();
    if (i >= n) return;
    const Particle p = list[i];
    speed[i] = sqrtf(p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
    kinds[i] = p.kind;
}
__global__ void pushParticles(Particle* list, float dt, int n) {
    const int i = place();
    if (i >= n) return;
    Particle p = list[i];
    p.x += dt * p.vx, p.y += dt * p.vy, p.z += dt * p.vz;
    if (p.x < 0 || p.x > 1) p.vx = -p.vx;
    if (p.y < 0 || p.y > 1) p.vy = -p.vy;
    list[i] = p;
}

__global__ void matVec(const float* m, const float* x, float* y, int rows, int cols) {
    const int row = place();
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < cols; ++k) sum += m[row * cols + k] * x[k];
    y[row] = sum;
}

__constant__ float taps[17];
__global__ void convolveRows(const float* in, float* out, int w) {
    __shared__ float tile[4][128 + 16];
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x + 8] = in[y * w + x];
    if (threadIdx.x < 8) {
        tile[threadIdx.y][threadIdx.x] = x >= 8 ? in[y * w + x - 8] : 0;
        tile[threadIdx.y][threadIdx.x + 136] = x + 128 < w ? in[y * w + x + 128] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 17; ++k) sum += taps[k] * tile[threadIdx.y][threadIdx.x + k];
    out[y * w + x] = sum;
}

__global__ void assignCentres(const float* points, const float* centres, int* nearest, int n, int k,
                              int dims) {
    const int i = place();
    if (i >= n) return;
    float best = 1e30f;
    int at = 0;
    for (int c = 0; c < k; ++c) {
        float distance = 0;
        for (int d = 0; d < dims; ++d) {
            const float difference = points[d * n + i] - centres[c * dims + d];
            distance += difference * difference;
        }
        if (distance < best) best = distance, at = c;
    }
    nearest[i] = at;
}
__global__ void addToCentres(const float* points, const int* nearest, float* sums, int* counts, int n,
                             int dims) {
    const int i = place();
    if (i >= n) return;
    const int c = nearest[i];
    atomicAdd(counts + c, 1);
    for (int d = 0; d < dims; ++d) atomicAdd(sums + c * dims + d, points[d * n + i]);
}

__global__ void expandFrontier(const int* ptr, const int* col, const int* frontier, int size, int* level,
                               int depth, int* next, int* count) {
    const int i = place();
    if (i >= size) return;
    const int v = frontier[i];
    for (int k = ptr[v]; k < ptr[v + 1]; ++k) {
        const int w = col[k];
        if (atomicCAS(level + w, -1, depth) == -1) next[atomicAdd(count, 1)] = w;
    }
}

__device__ float normal(float d) {
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float c = 0.39894228f * expf(-0.5f * d * d) *
                    (k * (0.31938153f +
                          k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - c : c;
}
__global__ void blackScholes(const float* s, const float* x, const float* t, float* call, float* put, int n) {
    const int i = place();
    if (i >= n) return;
    const float root = sqrtf(t[i]), d1 = (logf(s[i] / x[i]) + (0.02f + 0.045f) * t[i]) / (0.3f * root),
                d2 = d1 - 0.3f * root, discount = expf(-0.02f * t[i]);
    call[i] = s[i] * normal(d1) - x[i] * discount * normal(d2);
    put[i] = x[i] * discount * (1 - normal(d2)) - s[i] * (1 - normal(d1));
}

__global__ void barrierOption(float* payoff, int paths, int steps, float drift, float vol, float barrier) {
    const int i = place();
    if (i >= paths) return;
    unsigned state = 747796405u * (i + 1) + 2891336453u;
    float price = 100;
    bool alive = true;
    for (int k = 0; k < steps && alive; ++k) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float u1 = (state >> 8) * 5.9604645e-8f + 1e-7f;
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float u2 = (state >> 8) * 5.9604645e-8f;
        price *= __expf(drift + vol * sqrtf(-2 * __logf(u1)) * __cosf(6.2831853f * u2));
        alive = price < barrier;
    }
    payoff[i] = alive ? fmaxf(price - 100, 0.0f) : 0;
}

__global__ void mandelDouble(unsigned char* out, int w, int h, int most) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const double cr = -2.0 + 3.0 * x / w, ci = -1.5 + 3.0 * y / h;
    double zr = 0, zi = 0;
    int k = 0;
    for (; k < most && zr * zr + zi * zi < 4; ++k) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    out[y * w + x] = k;
}

__global__ void editDistance(const char* a, const char* b, int* out, int n) {
    const int i = place();
    if (i >= n) return;
    int row[17];
    for (int k = 0; k <= 16; ++k) row[k] = k;
    for (int r = 1; r <= 16; ++r) {
        int diagonal = row[0];
        row[0] = r;
        for (int k = 1; k <= 16; ++k) {
            const int cost = diagonal + (a[i * 16 + r - 1] != b[i * 16 + k - 1]);
            diagonal = row[k];
            row[k] = min(cost, min(row[k], row[k - 1]) + 1);
        }
    }
    out[i] = row[16];
}

__global__ void softmaxRows(const float* in, float* out, int cols) {
    __shared__ float parts[32];
    const float* row = in + blockIdx.x * cols;
    float most = -1e30f;
    for (int k = threadIdx.x; k < cols; k += blockDim.x) most = fmaxf(most, row[k]);
    for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = most;
    __syncthreads();
    most = parts[0];
    for (int k = 1; k < blockDim.x / 32; ++k) most = fmaxf(most, parts[k]);
    __syncthreads();
    float sum = 0;
    for (int k = threadIdx.x; k < cols; k += blockDim.x) sum += expf(row[k] - most);
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) sum += parts[k];
    for (int k = threadIdx.x; k < cols; k += blockDim.x)
        out[blockIdx.x * cols + k] = expf(row[k] - most) / sum;
}

__global__ void gemm64(const float* a, const float* b, float* c, int n) {
    __shared__ float at[16][64], bt[16][64];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            at[i / 64][i % 64] = a[(blockIdx.y * 64 + i % 64) * n + k0 + i / 64];
            bt[i / 64][i % 64] = b[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
#pragma unroll
            for (int y = 0; y < 4; ++y)
#pragma unroll
                for (int x = 0; x < 4; ++x) sum[y][x] += at[k][ty * 4 + y] * bt[k][tx * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            c[(blockIdx.y * 64 + ty * 4 + y) * n + blockIdx.x * 64 + tx * 4 + x] = sum[y][x];
}

__global__ void radix4(float2* data, int n, int stride) {
    const int i = place();
    if (i >= n / 4) return;
    const int k = i % stride, at = (i / stride) * stride * 4 + k;
    float s, c;
    sincospif(-0.5f * k / stride, &s, &c);
    const auto turn = [](float2 v, float x, float y) {
        return make_float2(v.x * x - v.y * y, v.x * y + v.y * x);
    };
    const float2 a = data[at], b = turn(data[at + stride], c, s),
                 d = turn(data[at + 2 * stride], c * c - s * s, 2 * c * s),
                 e = turn(data[at + 3 * stride], c * (c * c - 3 * s * s), s * (3 * c * c - s * s));
    const float2 p = make_float2(a.x + d.x, a.y + d.y), q = make_float2(a.x - d.x, a.y - d.y),
                 r = make_float2(b.x + e.x, b.y + e.y), t = make_float2(b.y - e.y, e.x - b.x);
    data[at] = make_float2(p.x + r.x, p.y + r.y);
    data[at + stride] = make_float2(q.x + t.x, q.y + t.y);
    data[at + 2 * stride] = make_float2(p.x - r.x, p.y - r.y);
    data[at + 3 * stride] = make_float2(q.x - t.x, q.y - t.y);
}

__global__ void grey(const uchar3* in, unsigned char* out, int n) {
    const int i = place();
    if (i < n) out[i] = (unsigned char)(0.299f * in[i].x + 0.587f * in[i].y + 0.114f * in[i].z);
}
__global__ void lookUp(const unsigned char* in, const unsigned char* table, unsigned char* out, int n) {
    __shared__ unsigned char mine[256];
    mine[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) out[i] = mine[in[i]];
}

__global__ void fromHost(const float* mapped, float* out, int n) {
    const int i = place();
    if (i < n) out[i] = 2 * mapped[i];
}

__global__ void pathRows(const int* wall, const int* from, int* to, int cols, int rows) {
    __shared__ int line[256], next[256];
    const int x = blockIdx.x * 216 + threadIdx.x - 20, t = threadIdx.x;
    line[t] = x >= 0 && x < cols ? from[x] : 1 << 28;
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
        if (t > r && t < 255 - r && x >= 0 && x < cols) {
            int best = line[t];
            if (x > 0) best = min(best, line[t - 1]);
            if (x < cols - 1) best = min(best, line[t + 1]);
            next[t] = best + wall[r * cols + x];
        }
        __syncthreads();
        line[t] = next[t];
        __syncthreads();
    }
    if (t >= 20 && t < 236 && x < cols) to[x] = line[t];
}

__global__ void compactPositive(const int* in, int* out, int* count, int n) {
    const int i = place();
    const bool keep = i < n && in[i] > 50;
    const unsigned ballot = __ballot_sync(~0u, keep);
    int base = 0;
    if (threadIdx.x % 32 == 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(~0u, base, 0);
    if (keep) out[base + __popc(ballot & ((1u << (threadIdx.x % 32)) - 1))] = in[i];
}

__global__ void kmp(const char* text, const int* failure, const char* pattern, int m, int* hits, int chunk,
                    int n) {
    const int i = place();
    const int begin = i * chunk, end = min(n, begin + chunk + m - 1);
    int q = 0, found = 0;
    for (int k = begin; k < end; ++k) {
        while (q > 0 && pattern[q] != text[k]) q = failure[q - 1];
        if (pattern[q] == text[k]) ++q;
        if (q == m) ++found, q = failure[q - 1];
    }
    hits[i] = found;
}

__global__ void interpolate(const float* table, const float* x, float* y, int n, int size) {
    extern __shared__ float mine[];
    for (int k = threadIdx.x; k < size; k += blockDim.x) mine[k] = table[k];
    __syncthreads();
    const int i = place();
    if (i >= n) return;
    const float at = x[i] * (size - 2);
    const int k = (int)at;
    y[i] = mine[k] + (at - k) * (mine[k + 1] - mine[k]);
}

__global__ void followLists(const int* next, int* out, int n, int steps) {
    const int i = place();
    if (i >= n) return;
    int at = i;
    for (int k = 0; k < steps; ++k) at = next[at];
    out[i] = at;
}

__global__ void powers(const double* x, double* y, int n) {
    const int i = place();
    if (i < n) y[i] = pow(x[i], 1.7) + cbrt(x[i]);
}

__global__ void ising(signed char* spins, const float* random, float beta, int w, int h, int colour) {
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ((blockIdx.y + colour) & 1), y = blockIdx.y;
    if (x >= w) return;
    const int sum = spins[y * w + (x + 1) % w] + spins[y * w + (x + w - 1) % w] + spins[(y + 1) % h * w + x] +
                    spins[(y + h - 1) % h * w + x];
    const int change = 2 * spins[y * w + x] * sum;
    if (change <= 0 || random[y * w + x] < expf(-beta * change)) spins[y * w + x] = -spins[y * w + x];
}

__global__ void reversedBits(const unsigned* in, unsigned* out, int bits, int n) {
    const int i = place();
    if (i < n) out[__brev(i) >> (32 - bits)] = in[i];
}

int main() {
    const int n = 1 << 18, m = 1 << 20;
    unsigned* w = (unsigned*)wholes(16 * n, 1u << 31);
    unsigned* u = (unsigned*)zeros<int>(16 * n);
    float *f = reals(m, 0.1, 1), *g = reals(m, 0.2, 0.9), *h = zeros<float>(m);
    double *d = reals<double>(m, 0.1, 1), *e = zeros<double>(m);
    int *z = zeros<int>(m), *many = wholes(m, 100);
    xxh32<<<256, 256>>>(w, u, 64, 65536);
    sip<<<256, 128>>>((unsigned long long*)w, (unsigned long long*)u, 32768, 8);
    sha1Block<<<512, 128>>>(w, u, 65536);
    adler<<<128, 128>>>((unsigned char*)w, u, 100, 16384);
    xnorProduct<<<dim3(32, 32), dim3(16, 16)>>>(w, w + 99, z, 512, 500, 32);
    addLimbs<<<512, 256>>>(w, w + 8 * n, u, 131072);
    mulLimbs<<<256, 128>>>((unsigned long long*)w, (unsigned long long*)(w + 8 * n), (unsigned long long*)u,
                           32768);
    binaryGcd<<<256, 256>>>(w, w + n, u, 65536);
    longestCollatz<<<256, 256>>>(zeros<int>(1), 60000);
    pcg<<<128, 256>>>(u, 32768, 64);
    jacobiDouble<<<dim3(32, 128), dim3(32, 8)>>>(d, e, 1024, 1024);
    stridedSaxpy<<<128, 256>>>(f, h, 2, 8, m);
    gather<<<264, 256>>>(f, wholes(m, m), h, m);
    sharedHistogram<<<264, 256>>>(w, (unsigned*)zeros<int>(256), m);
    globalHistogram<<<1024, 256>>>(w, (unsigned*)zeros<int>(4096), n, 4095);
    globalHistogram<<<256, 256>>>(w, (unsigned*)zeros<int>(16), 65536, 15);
    largest<<<256, 256>>>(f, zeros<float>(8), 65536);
    doubleSumCas<<<32, 128>>>(d, (unsigned long long*)zeros<double>(64), 4096);
    dotDouble<<<132, 256>>>(d, d, zeros<double>(1), m);
    hillisSteele<<<512, 512>>>(many, z);
    std::vector<int> ptr(20001);
    for (int i = 0; i <= 20000; ++i) ptr[i] = 20 * i + i % 7;
    const int* rows = in_device(ptr);
    const int* cols = wholes(m, 20000);
    spmvRows<<<157, 128>>>(rows, cols, d, d, e, 20000);
    spmvWarps<<<2500, 256>>>(rows, cols, f, g, h, 20000);
    transposeNaive<<<dim3(32, 128), dim3(32, 8)>>>(f, h, 1024, 1024);
    Particle* list = (Particle*)reals(7 << 17, -0.5, 1.5);
    splitParticles<<<512, 256>>>(list, h, z, 131072);
    pushParticles<<<512, 256>>>(list, 0.1f, 131072);
    matVec<<<16, 128>>>(f, g, h, 2048, 512);
    convolveRows<<<dim3(8, 256), dim3(128, 4)>>>(f, h, 1024);
    assignCentres<<<256, 256>>>(f, g, z, 65536, 16, 8);
    addToCentres<<<64, 256>>>(f, wholes(65536, 16), zeros<float>(256), zeros<int>(16), 16384, 8);
    std::vector<int> unseen(20000, -1);
    expandFrontier<<<40, 256>>>(rows, cols, wholes(10000, 20000), 10000, in_device(unseen), 3,
                                zeros<int>(1 << 19), zeros<int>(1));
    blackScholes<<<1024, 256>>>(f, g, f, h, (float*)u, n);
    barrierOption<<<128, 128>>>(h, 16384, 100, 0.0001f, 0.02f, 130);
    mandelDouble<<<dim3(16, 32), dim3(32, 16)>>>((unsigned char*)u, 512, 512, 200);
    editDistance<<<128, 128>>>((char*)wholes<unsigned char>(n, 4), (char*)wholes<unsigned char>(n, 3), z,
                               16384);
    softmaxRows<<<1024, 256>>>(f, h, 1000);
    gemm64<<<dim3(8, 8), 256>>>(f, g, h, 512);
    radix4<<<512, 256>>>((float2*)h, 1 << 19, 64);
    grey<<<1024, 256>>>((uchar3*)w, (unsigned char*)u, n);
    lookUp<<<264, 256>>>((unsigned char*)w, (unsigned char*)w, (unsigned char*)u, 1 << 22);
    float* mapped = nullptr;
    cudaHostAlloc(&mapped, 4 * n, cudaHostAllocMapped);
    for (int i = 0; i < n; ++i) mapped[i] = i;
    fromHost<<<1024, 256>>>(mapped, h, n);
    pathRows<<<486, 256>>>(many, many, z, 100000, 10);
    compactPositive<<<1024, 256>>>(many, z, zeros<int>(1), n);
    kmp<<<64, 128>>>((char*)wholes<unsigned char>(m, 2), zeros<int>(8), (char*)wholes<unsigned char>(8, 2), 6,
                     z, 64, 524288);
    interpolate<<<512, 256, 4096>>>(f, f, h, 131072, 1024);
    followLists<<<32, 64>>>(wholes(m, m), z, 2048, 50);
    powers<<<256, 256>>>(d, e, 65536);
    ising<<<dim3(4, 512), 128>>>(in_device(std::vector<signed char>(1 << 19, 1)), f, 0.4f, 1024, 512, 0);
    reversedBits<<<1024, 256>>>(w, u, 18, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
