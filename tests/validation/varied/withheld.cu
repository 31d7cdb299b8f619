// Kernels withheld until a judgement: training, Rodinia-like, sparse, database, genomics, ciphers, rendering,
// graphs, Monte Carlo, quantised inference, radar, molecules, codecs, games, networks, robots.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inputs.h"

namespace cg = cooperative_groups;
typedef unsigned long long u64;
typedef long long i64;

#define FULL 0xffffffffu

__constant__ float rayBalls[12][8];          // centre, radius, colour, what it is of
__constant__ unsigned char opcodes[16][48];  // programs of a stack machine
__constant__ float opvalues[16][48];
__constant__ double transition[12][16];
__constant__ char likePattern[16];

static __device__ __forceinline__ unsigned lcgNext(unsigned& s) {
    s = s * 1664525u + 1013904223u;
    unsigned r = s ^ (s >> 16);
    r *= 0x45d9f3bu;
    return r ^ (r >> 15);
}

static __device__ __forceinline__ float unit(unsigned& s) { return (lcgNext(s) >> 8) * 5.9604645e-8f; }

static __device__ __forceinline__ float warpMax(float v) {
    for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, o));
    return v;
}

static __device__ __forceinline__ float warpAdd(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(FULL, v, o);
    return v;
}

// ======== training and inference of language models

// attention of one new token over pages of keys and values
template <int HEAD, int PAGE>
__global__ void pagedDecode(half* __restrict__ out, const half* __restrict__ q,
                            const half* __restrict__ keyCache, const half* __restrict__ valueCache,
                            const int* __restrict__ tables, const int* __restrict__ lengths, int tableWidth,
                            float scale) {
    extern __shared__ float logits[];
    __shared__ float red[8];
    __shared__ half2 query[HEAD / 2];
    __shared__ float partial[2][HEAD];
    const int head = blockIdx.x, heads = gridDim.x, seq = blockIdx.y;
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
    const int len = lengths[seq] + 1;
    const int* table = tables + seq * tableWidth;

    if (tid < HEAD / 2) query[tid] = ((const half2*)(q + (seq * heads + head) * HEAD))[tid];
    __syncthreads();

    float peak = -1e30f;
    for (int t = warp; t < len; t += warps) {
        const int page = table[t / PAGE];
        const half2* key =
            (const half2*)(keyCache + ((size_t)(page * heads + head) * PAGE + t % PAGE) * HEAD);
        float dot = 0.f;
#pragma unroll
        for (int k = 0; k < HEAD / 64; ++k) {
            const float2 a = __half22float2(query[lane + 32 * k]), b = __half22float2(key[lane + 32 * k]);
            dot += a.x * b.x + a.y * b.y;
        }
        for (int o = 16; o > 0; o >>= 1) dot += __shfl_xor_sync(FULL, dot, o);
        dot *= scale;
        if (lane == 0) logits[t] = dot;
        peak = fmaxf(peak, dot);
    }
    if (lane == 0) red[warp] = peak;
    __syncthreads();
    peak = red[0];
    for (int w = 1; w < warps; ++w) peak = fmaxf(peak, red[w]);
    __syncthreads();

    float sum = 0.f;
    for (int t = tid; t < len; t += blockDim.x) {
        const float e = __expf(logits[t] - peak);
        logits[t] = e;
        sum += e;
    }
    sum = warpAdd(sum);
    if (lane == 0) red[warp] = sum;
    __syncthreads();
    sum = 0.f;
    for (int w = 0; w < warps; ++w) sum += red[w];

    const int dim = tid % HEAD, part = tid / HEAD, parts = blockDim.x / HEAD;
    float acc = 0.f;
    for (int t = part; t < len; t += parts) {
        const int page = table[t / PAGE];
        acc += logits[t] *
               __half2float(valueCache[((size_t)(page * heads + head) * PAGE + t % PAGE) * HEAD + dim]);
    }
    partial[part][dim] = acc;
    __syncthreads();
    if (part == 0) out[(seq * heads + head) * HEAD + dim] = __float2half((acc + partial[1][dim]) / sum);
}

// a step of momentum, its state kept in eight bits with a scale for every 1024
__global__ void __launch_bounds__(256)
    eightBitMomentum(float4* params, const float4* grads, char4* state, float* scales, float lr, float beta) {
    __shared__ float tops[8];
    const int at = blockIdx.x * 256 + threadIdx.x;
    const float old = scales[blockIdx.x] * (1.f / 127.f);
    const char4 q = state[at];
    const float4 g = grads[at];
    float4 m;
    m.x = beta * (q.x * old) + (1.f - beta) * g.x;
    m.y = beta * (q.y * old) + (1.f - beta) * g.y;
    m.z = beta * (q.z * old) + (1.f - beta) * g.z;
    m.w = beta * (q.w * old) + (1.f - beta) * g.w;
    float4 p = params[at];
    p.x -= lr * m.x;
    p.y -= lr * m.y;
    p.z -= lr * m.z;
    p.w -= lr * m.w;
    params[at] = p;
    float top = warpMax(fmaxf(fmaxf(fabsf(m.x), fabsf(m.y)), fmaxf(fabsf(m.z), fabsf(m.w))));
    if ((threadIdx.x & 31) == 0) tops[threadIdx.x >> 5] = top;
    __syncthreads();
    top = tops[0];
#pragma unroll
    for (int w = 1; w < 8; ++w) top = fmaxf(top, tops[w]);
    const float by = top > 0.f ? 127.f / top : 0.f;
    state[at] = make_char4(__float2int_rn(m.x * by), __float2int_rn(m.y * by), __float2int_rn(m.z * by),
                           __float2int_rn(m.w * by));
    if (threadIdx.x == 0) scales[blockIdx.x] = top;
}

// activations to eight bits, a scale a row
template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    rowAmaxQuantise(const uint4* __restrict__ in, uint2* __restrict__ out, float* __restrict__ scale,
                    int packs) {
    __shared__ float most[THREADS / 32];
    const uint4* row = in + (size_t)blockIdx.x * packs;
    half2 top = __float2half2_rn(0.f);
    for (int i = threadIdx.x; i < packs; i += THREADS) {
        const uint4 v = row[i];
        const half2* h = (const half2*)&v;
#pragma unroll
        for (int k = 0; k < 4; ++k) top = __hmax2(top, __habs2(h[k]));
    }
    float peak = warpMax(fmaxf(__low2float(top), __high2float(top)));
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = peak;
    __syncthreads();
    if (threadIdx.x < 32) {
        peak = threadIdx.x < THREADS / 32 ? most[threadIdx.x] : 0.f;
        peak = warpMax(peak);
        if (threadIdx.x == 0) {
            most[0] = peak;
            scale[blockIdx.x] = peak / 127.f;
        }
    }
    __syncthreads();
    const float by = 127.f / fmaxf(most[0], 1e-8f);
    for (int i = threadIdx.x; i < packs; i += THREADS) {
        const uint4 v = row[i];
        const half* h = (const half*)&v;
        unsigned lo = 0, hi = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            lo |= (__float2int_rn(__half2float(h[k]) * by) & 255) << 8 * k;
            hi |= (__float2int_rn(__half2float(h[k + 4]) * by) & 255) << 8 * k;
        }
        out[(size_t)blockIdx.x * packs + i] = make_uint2(lo, hi);
    }
}

// the two best of 64 experts for each token, and a place in their queues
__global__ void moeTopTwo(const float* gates, int2* chosen, float2* weights, int2* slots, int* queued,
                          int tokens) {
    const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (token >= tokens) return;
    float a = gates[token * 64 + lane], b = gates[token * 64 + 32 + lane];
    int best[2];
    float value[2];
    for (int pick = 0; pick < 2; pick++) {
        float v = a;
        int who = lane;
        if (b > v) {
            v = b;
            who = lane + 32;
        }
        for (int o = 16; o; o /= 2) {
            const float otherV = __shfl_xor_sync(FULL, v, o);
            const int other = __shfl_xor_sync(FULL, who, o);
            if (otherV > v || (otherV == v && other < who)) {
                v = otherV;
                who = other;
            }
        }
        best[pick] = who;
        value[pick] = v;
        if (who == lane) a = -1e30f;
        if (who == lane + 32) b = -1e30f;
    }
    if (lane == 0) {
        const float e = expf(value[1] - value[0]);
        chosen[token] = make_int2(best[0], best[1]);
        weights[token] = make_float2(1.f / (1.f + e), e / (1.f + e));
    }
    int slot = 0;
    if (lane < 2) slot = atomicAdd(queued + best[lane & 1], 1);
    const int second = __shfl_sync(FULL, slot, 1);
    if (lane == 0) slots[token] = make_int2(slot, second);
}

struct TensorList {
    float* data[20];
    int size[20];
    unsigned char tensor[110];
    short chunk[110];
};

// the squares of many tensors' numbers, each block a chunk of one of them
__global__ void multiTensorNorm(const TensorList list, double* total, int chunkSize) {
    __shared__ double sums[16];
    const int tensor = list.tensor[blockIdx.x];
    const int begin = list.chunk[blockIdx.x] * chunkSize, end = min(begin + chunkSize, list.size[tensor]);
    const float* data = list.data[tensor];
    float part[4] = {0.f, 0.f, 0.f, 0.f};
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x * 4) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int j = i + k * blockDim.x;
            const float v = j < end ? data[j] : 0.f;
            part[k] += v * v;
        }
    }
    double sum = (double)part[0] + part[1] + part[2] + part[3];
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) sum += sums[w];
        atomicAdd(total, sum);
    }
}

__global__ void multiTensorScale(const TensorList list, const double* total, float limit, int chunkSize) {
    const float norm = (float)sqrt(*total);
    if (norm <= limit) return;
    const float by = limit / (norm + 1e-6f);
    const int tensor = list.tensor[blockIdx.x];
    const int begin = list.chunk[blockIdx.x] * chunkSize, end = min(begin + chunkSize, list.size[tensor]);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) list.data[tensor][i] *= by;
}

// tensor cores: a block of four warps makes 64 by 64
__global__ void halfTensorGemm(const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c,
                               int n, int depth) {
    using namespace nvcuda;
    __shared__ __align__(32) half as[64][24];
    __shared__ __align__(32) half bs[16][72];
    const int warp = threadIdx.x / 32, wr = warp / 2 * 32, wc = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.f);
    for (int k = 0; k < depth; k += 16) {
        const int r = threadIdx.x / 2, half8 = threadIdx.x % 2 * 8;
        *(uint4*)&as[r][half8] = *(const uint4*)(a + (size_t)(blockIdx.y * 64 + r) * depth + k + half8);
        const int r2 = threadIdx.x / 8, col = threadIdx.x % 8 * 8;
        *(uint4*)&bs[r2][col] = *(const uint4*)(b + (size_t)(k + r2) * n + blockIdx.x * 64 + col);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], &as[wr + 16 * i][0], 24);
            wmma::load_matrix_sync(fb[i], &bs[0][wc + 16 * i], 72);
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(
                c + (size_t)(blockIdx.y * 64 + wr + 16 * i) * n + blockIdx.x * 64 + wc + 16 * j, acc[i][j], n,
                wmma::mem_row_major);
}

// ======== quantised inference

static __device__ __forceinline__ int roundedHigh(int a, int multiplier, int shift) {
    const i64 product = (i64)a * multiplier + (1ll << 30);
    const int high = (int)(product >> 31);
    const int mask = (1 << shift) - 1, rest = high & mask, threshold = (mask >> 1) + (high < 0);
    return (high >> shift) + (rest > threshold);
}

// a depthwise convolution 3 by 3 of bytes, four channels a thread, and its result to bytes again
__global__ void requantDepthwise(const char4* __restrict__ in, const char4* __restrict__ taps,
                                 const int4* __restrict__ multipliers, char4* __restrict__ out, int width,
                                 int height, int quads, int zero) {
    const int c = threadIdx.x, x = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y;
    if (x >= width || c >= quads) return;
    int sx = 0, sy = 0, sz = 0, sw = 0;
    for (int dy = -1; dy <= 1; dy++) {
        if ((unsigned)(y + dy) >= (unsigned)height) continue;
        for (int dx = -1; dx <= 1; dx++) {
            if ((unsigned)(x + dx) >= (unsigned)width) continue;
            const char4 v = __ldg(in + ((y + dy) * width + x + dx) * quads + c);
            const char4 t = __ldg(taps + ((dy + 1) * 3 + dx + 1) * quads + c);
            sx += (v.x - zero) * t.x;
            sy += (v.y - zero) * t.y;
            sz += (v.z - zero) * t.z;
            sw += (v.w - zero) * t.w;
        }
    }
    const int4 m = multipliers[c];
    char4 result;
    result.x = min(127, max(-128, roundedHigh(sx, m.x | 1 << 30, 6) + zero));
    result.y = min(127, max(-128, roundedHigh(sy, m.y | 1 << 30, 7) + zero));
    result.z = min(127, max(-128, roundedHigh(sz, m.z | 1 << 30, 6) + zero));
    result.w = min(127, max(-128, roundedHigh(sw, m.w | 1 << 30, 5) + zero));
    out[(y * width + x) * quads + c] = result;
}

// Winograd's transform of tiles 4 by 4, a thread a tile of a channel
__global__ void winogradInput(const float* __restrict__ in, float* __restrict__ out, int size, int channels) {
    const int tiles = size / 2 - 1;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int tx = blockIdx.y % tiles, ty = blockIdx.y / tiles;
    if (c >= channels) return;
    float d[4][4], t[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) d[i][j] = in[((2 * ty + i) * size + 2 * tx + j) * channels + c];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        t[0][j] = d[0][j] - d[2][j];
        t[1][j] = d[1][j] + d[2][j];
        t[2][j] = d[2][j] - d[1][j];
        t[3][j] = d[1][j] - d[3][j];
    }
    const int stride = tiles * tiles * channels, at = blockIdx.y * channels + c;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        out[(4 * i) * stride + at] = t[i][0] - t[i][2];
        out[(4 * i + 1) * stride + at] = t[i][1] + t[i][2];
        out[(4 * i + 2) * stride + at] = t[i][2] - t[i][1];
        out[(4 * i + 3) * stride + at] = t[i][1] - t[i][3];
    }
}

// ======== as the suites have them

// speckle reducing diffusion: a pixel's coefficient from its neighbours
__global__ void sradDiffuse(const float* J, float* c, float* dN, float* dW, int cols, int rows, float q0sqr) {
    __shared__ float temp[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    const int index = y * cols + x;
    temp[ty + 1][tx + 1] = J[index];
    if (ty == 0) temp[0][tx + 1] = J[y == 0 ? index : index - cols];
    if (ty == 15) temp[17][tx + 1] = J[y == rows - 1 ? index : index + cols];
    if (tx == 0) temp[ty + 1][0] = J[x == 0 ? index : index - 1];
    if (tx == 15) temp[ty + 1][17] = J[x == cols - 1 ? index : index + 1];
    __syncthreads();
    const float jc = temp[ty + 1][tx + 1];
    const float n = temp[ty][tx + 1] - jc, s = temp[ty + 2][tx + 1] - jc;
    const float w = temp[ty + 1][tx] - jc, e = temp[ty + 1][tx + 2] - jc;
    const float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
    const float l = (n + s + w + e) / jc;
    const float num = (0.5f * g2) - ((1.0f / 16.0f) * (l * l));
    float den = 1 + (.25f * l);
    const float qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    const float coefficient = 1.0f / (1.0f + den);
    c[index] = coefficient < 0 ? 0 : coefficient > 1 ? 1 : coefficient;
    dN[index] = n;
    dW[index] = w;
}

// a particle filter's new particles: where each drawn number falls in the weights' sums
template <bool LINEAR>
__global__ void resampleParticles(const float* xs, const float* ys, const float* cdf, const float* u,
                                  float* xNew, float* yNew, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float draw = u[i];
    int index = -1;
    if (LINEAR) {
        for (int k = 0; k < n; k++)
            if (cdf[k] >= draw) {
                index = k;
                break;
            }
    } else {
        int low = 0, high = n;
        while (low < high) {
            const int mid = (low + high) >> 1;
            if (cdf[mid] < draw)
                low = mid + 1;
            else
                high = mid;
        }
        index = low;
    }
    if (index < 0 || index >= n) index = n - 1;
    xNew[i] = xs[index];
    yNew[i] = ys[index];
}

// the 9/7 wavelet of a row, by lifting
__global__ void lifting97(const float* in, float* out, int n) {
    extern __shared__ float s[];
    const float steps[4] = {-1.586134342f, -0.05298011854f, 0.8829110762f, 0.4435068522f};
    const float* src = in + (size_t)blockIdx.x * n;
    float* dst = out + (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = src[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        for (int i = 2 * threadIdx.x + 1 - (k & 1); i < n; i += 2 * blockDim.x) {
            const float left = s[i > 0 ? i - 1 : 1], right = s[i < n - 1 ? i + 1 : n - 2];
            s[i] += steps[k] * (left + right);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dst[i / 2 + (i & 1) * (n / 2)] = i & 1 ? s[i] * 0.8128930661f : s[i] * 1.230174105f;
}

// PolyBench's covariance: a thread a column, down the rows for every column after it
__global__ void covarianceColumns(const float* data, float* symmat, int m, int n) {
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 >= m) return;
    for (int j2 = j1; j2 < m; j2++) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++) sum += data[i * m + j1] * data[i * m + j2];
        symmat[j1 * m + j2] = sum;
        symmat[j2 * m + j1] = sum;
    }
}

// alternating directions: a thread solves a line, either along rows or along columns
template <bool ROWS>
__global__ void adiSweep(const double* u, double* v, double* p, double* q, int n, double a, double b) {
    const int line = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (line >= n - 1) return;
    const int step = ROWS ? 1 : n, start = ROWS ? line * n : line, across = ROWS ? n : 1;
    double lastP = 0, lastQ = 1;
    p[start] = 0;
    q[start] = 1;
    for (int k = 1; k < n - 1; k++) {
        const int at = start + k * step;
        const double under = 1.0 / (a * lastP + b);
        lastQ = (0.3 * u[at - across] + (1 - 0.6) * u[at] + 0.3 * u[at + across] - a * lastQ) * under;
        lastP = -a * under;
        p[at] = lastP;
        q[at] = lastQ;
    }
    double value = 1.0;
    for (int k = n - 2; k > 0; k--) {
        const int at = start + k * step;
        value = p[at] * value + q[at];
        v[at] = value;
    }
}

// how alike the grey levels of two pictures go together
__global__ void jointHistogram(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b,
                               unsigned* __restrict__ joint, int words) {
    __shared__ unsigned local[64 * 64];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) local[i] = 0;
    __syncthreads();
    const uchar4 *a4 = (const uchar4*)a, *b4 = (const uchar4*)b;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        const uchar4 p = a4[i], q = b4[i];
        atomicAdd(&local[(p.x >> 2) * 64 + (q.x >> 2)], 1u);
        atomicAdd(&local[(p.y >> 2) * 64 + (q.y >> 2)], 1u);
        atomicAdd(&local[(p.z >> 2) * 64 + (q.z >> 2)], 1u);
        atomicAdd(&local[(p.w >> 2) * 64 + (q.w >> 2)], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        if (local[i]) atomicAdd(&joint[i], local[i]);
}

// ======== sparse solvers

template <int C>
__global__ void sellSlices(const int* __restrict__ sliceStart, const int* __restrict__ cols,
                           const float* __restrict__ vals, const float* __restrict__ x, float* __restrict__ y,
                           const int* __restrict__ order, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const int slice = row / C, r = row % C;
    const int begin = sliceStart[slice], width = (sliceStart[slice + 1] - begin) / C;
    float sum = 0;
    for (int j = 0; j < width; ++j) {
        const int at = begin + j * C + r;
        const int c = cols[at];
        if (c >= 0) sum = fmaf(vals[at], __ldg(x + c), sum);
    }
    y[order[row]] = sum;
}

// a lower triangle, solved level by level in a block
__global__ void __launch_bounds__(1024)
    levelForward(const int* ptr, const int* cols, const double* vals, const int* levelPtr,
                 const int* levelRows, const double* b, double* x, int levels) {
    for (int level = 0; level < levels; level++) {
        const int end = levelPtr[level + 1];
        for (int k = levelPtr[level] + threadIdx.x; k < end; k += blockDim.x) {
            const int row = levelRows[k];
            double sum = b[row];
            for (int j = ptr[row]; j < ptr[row + 1]; j++) sum -= vals[j] * x[cols[j]];
            x[row] = sum / (2.0 + vals[row]);
        }
        __syncthreads();
    }
}

__global__ void cscScatter(const int* rowOf, const int* cols, const float* vals, int* cursor, int* rowOut,
                           float* valOut, int nnz) {
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < nnz; e += gridDim.x * blockDim.x) {
        const int at = atomicAdd(cursor + cols[e], 1);
        rowOut[at] = rowOf[e];
        valOut[at] = vals[e];
    }
}

// ======== sorts and databases

// samplesort's first stage: to which of 256 buckets each key goes
__global__ void bucketSplitters(const unsigned* __restrict__ keys, const unsigned* __restrict__ splitters,
                                unsigned char* __restrict__ bucket, unsigned* __restrict__ sizes, int each) {
    __shared__ unsigned tree[256];
    __shared__ unsigned count[256];
    tree[threadIdx.x] = splitters[threadIdx.x];
    count[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * each;
    for (int i = threadIdx.x; i < each; i += 256) {
        const unsigned key = keys[base + i];
        int node = 1;
#pragma unroll
        for (int level = 0; level < 8; level++) node = 2 * node + (key > tree[node]);
        const int b = node - 256;
        bucket[base + i] = b;
        atomicInc(&count[b], 0xffffffffu);
    }
    __syncthreads();
    if (count[threadIdx.x]) atomicAdd(sizes + threadIdx.x, count[threadIdx.x]);
}

static __device__ __forceinline__ unsigned cuckooHash(unsigned key, int which) {
    const unsigned m = which == 0   ? 2654435769u
                       : which == 1 ? 0x85ebca6bu
                       : which == 2 ? 0xc2b2ae35u
                                    : 0x27d4eb2fu;
    key ^= key >> 15;
    key *= m;
    return key ^ key >> 13;
}

// each key to one of four places; who is thrown out goes to its next one
__global__ void cuckooInsert(const unsigned* keys, u64* table, unsigned buckets, int* failed, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 entry = (u64)(keys[i] | 1u) << 32 | (unsigned)i;
    unsigned place = cuckooHash(entry >> 32, 0) % buckets;
    for (int tries = 0; tries < 100; ++tries) {
        entry = atomicExch(table + place, entry);
        if (entry == 0) return;
        const unsigned key = entry >> 32;
        unsigned next[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) next[k] = cuckooHash(key, k) % buckets;
        if (place == next[0])
            place = next[1];
        else if (place == next[1])
            place = next[2];
        else if (place == next[2])
            place = next[3];
        else
            place = next[0];
    }
    atomicAdd(failed, 1);
}

// sums of products of decimals, in 128 bits, of 8 groups
__global__ void decimalSum(const i64* __restrict__ price, const int* __restrict__ quantity,
                           const unsigned char* __restrict__ group, u64* sums, int n) {
    __shared__ u64 low[8], high[8];
    if (threadIdx.x < 8) low[threadIdx.x] = high[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const __int128 product = (__int128)price[i] * (1000000007ll * quantity[i]);
        const u64 lo = (u64)product;
        u64 hi = (u64)(product >> 64);
        const int g = group[i] & 7;
        const u64 old = atomicAdd(&low[g], lo);
        hi += old + lo < old;
        if (hi) atomicAdd(&high[g], hi);
    }
    __syncthreads();
    if (threadIdx.x < 8) {
        const u64 lo = low[threadIdx.x], old = atomicAdd(&sums[2 * threadIdx.x], lo);
        atomicAdd(&sums[2 * threadIdx.x + 1], high[threadIdx.x] + (old + lo < old));
    }
}

// rows whose column, kept a bit a plane, is between two numbers
__global__ void bitSlicedFilter(const unsigned* __restrict__ planes, unsigned* __restrict__ found, int stride,
                                int bits, unsigned least, unsigned most, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    unsigned less = 0, same = ~0u, more = 0, sameMost = ~0u;
    for (int b = bits - 1; b >= 0; b--) {
        const unsigned plane = planes[(bits - 1 - b) * stride + i];
        const unsigned l = (unsigned)-(int)(least >> b & 1), m = (unsigned)-(int)(most >> b & 1);
        less |= same & l & ~plane;
        same &= ~(l ^ plane);
        more |= sameMost & ~m & plane;
        sameMost &= ~(m ^ plane);
        if (!(same | sameMost)) break;
    }
    found[i] = ~(less | more);
}

// strings that are LIKE a pattern with % and _, going back to the last % where it fails
__global__ void likeScan(const char* __restrict__ chars, const int* __restrict__ starts,
                         unsigned* __restrict__ matches, int strings) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    bool matched = false;
    if (s < strings) {
        int at = starts[s], p = 0, retry = -1, retryAt = 0;
        const int end = starts[s + 1];
        matched = true;
        while (at < end) {
            const char c = likePattern[p];
            if (c == '%') {
                retry = ++p;
                retryAt = at;
            } else if (c == '_' || c == chars[at]) {
                ++p;
                ++at;
            } else if (retry >= 0) {
                p = retry;
                at = ++retryAt;
            } else {
                matched = false;
                break;
            }
        }
        while (likePattern[p] == '%') ++p;
        if (likePattern[p]) matched = false;
    }
    const unsigned vote = __ballot_sync(FULL, matched);
    if (threadIdx.x % 32 == 0 && s < strings) matches[s / 32] = vote;
}

// packed differences to numbers: a warp 128 of them, each group with its own count of bits
__global__ void deltaDecode(const unsigned* __restrict__ packed, const int* __restrict__ offsets,
                            const unsigned char* __restrict__ widths, const int* __restrict__ bases,
                            int4* out, int groups) {
    const int group = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (group >= groups) return;
    const int width = widths[group];
    const unsigned* in = packed + offsets[group];
    int v[4], sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int bit = (4 * lane + k) * width, word = bit >> 5, shift = bit & 31;
        const unsigned value = __funnelshift_r(in[word], in[word + 1], shift) & ((1u << width) - 1);
        sum += (int)(value >> 1) ^ -(int)(value & 1);
        v[k] = sum;
    }
    int scan = sum;
    for (int o = 1; o < 32; o *= 2) {
        const int other = __shfl_up_sync(FULL, scan, o);
        if (lane >= o) scan += other;
    }
    const int base = bases[group] + scan - sum;
    out[group * 32 + lane] = make_int4(base + v[0], base + v[1], base + v[2], base + v[3]);
}

// ======== genomes

// an alignment with gaps of two costs, in a band of 32 diagonals, a warp a pair
__global__ void bandedGotoh(const unsigned char* reads, const unsigned char* reference, const int* where,
                            int* scores, int length, int pairs) {
    const int pair = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (pair >= pairs) return;
    const unsigned char* read = reads + pair * length;
    const unsigned char* ref = reference + where[pair];
    const int open = 6, extend = 1;
    int h = lane <= 16 ? 0 : -open - extend * (lane - 16), e = -1000, best = 0;
    for (int i = 0; i < length; ++i) {
        const int j = i + lane;
        const int match = read[i] == ref[j] ? 2 : -3;
        const int aboveH = __shfl_down_sync(FULL, h, 1), aboveE = __shfl_down_sync(FULL, e, 1);
        e = lane == 31 ? -1000 : max(aboveH - open, aboveE) - extend;
        int now = max(max(h + match, e), 0);
        int f = now + extend * lane;
        for (int o = 1; o < 32; o <<= 1) {
            const int other = __shfl_up_sync(FULL, f, o);
            if (lane >= o) f = max(f, other);
        }
        int before = __shfl_up_sync(FULL, f, 1);
        before = lane ? before - open - extend * lane : -1000;
        h = max(now, before);
        best = max(best, h);
    }
    best = __reduce_max_sync(FULL, best);
    if (lane == 0) scores[pair] = best;
}

#define MIN_K 15
#define MIN_W 10
__global__ void minimizers(const unsigned char* __restrict__ bases, int* positions, int* count, int n) {
    __shared__ unsigned char letters[256 + MIN_K + MIN_W];
    __shared__ unsigned hash[256 + MIN_W];
    const int first = blockIdx.x * 256;
    for (int i = threadIdx.x; i < 256 + MIN_K + MIN_W; i += 256)
        letters[i] = first + i < n ? bases[first + i] : 0;
    __syncthreads();
    for (int i = threadIdx.x; i < 256 + MIN_W; i += 256) {
        unsigned forward = 0, reverse = 0;
        for (int k = 0; k < MIN_K; k++) {
            forward = forward << 2 | letters[i + k];
            reverse = reverse >> 2 | (3u - letters[i + k]) << 2 * (MIN_K - 1);
        }
        unsigned x = min(forward, reverse);
        x = (x ^ x >> 16) * 0x45d9f3bu;
        hash[i] = x ^ x >> 13;
    }
    __syncthreads();
    int at = threadIdx.x, previous = -1;
    unsigned least = hash[at];
    for (int k = 1; k < MIN_W; k++)
        if (hash[threadIdx.x + k] < least) {
            least = hash[threadIdx.x + k];
            at = threadIdx.x + k;
        }
    previous = __shfl_up_sync(FULL, at, 1);
    const bool isNew = (threadIdx.x % 32 == 0 || previous != at) && first + threadIdx.x + MIN_K + MIN_W <= n;
    const unsigned vote = __ballot_sync(FULL, isNew);
    int base = 0;
    if (threadIdx.x % 32 == 0 && vote) base = atomicAdd(count, __popc(vote));
    base = __shfl_sync(FULL, base, 0);
    if (isNew) positions[base + __popc(vote & ((1u << threadIdx.x % 32) - 1))] = first + at;
}

// the likelihood of a tree at each site: leaves are pushed, the two on top become their parent
__global__ void felsenstein(const unsigned char* __restrict__ states, const signed char* __restrict__ walk,
                            int length, double* __restrict__ logs, int sites) {
    const int site = blockIdx.x * blockDim.x + threadIdx.x;
    if (site >= sites) return;
    double stack[6][4];
    int top = 0;
    double scale = 0;
    for (int i = 0; i < length; i++) {
        const int op = walk[i];
        if (op >= 0) {
            const int state = states[op * sites + site];
            for (int a = 0; a < 4; a++) stack[top][a] = transition[op % 12][a * 4 + state];
            top++;
        } else {
            const double* p = transition[-op % 12];
            double both[4], most = 0;
            top -= 2;
            for (int a = 0; a < 4; a++) both[a] = stack[top][a] * stack[top + 1][a];
            for (int a = 0; a < 4; a++) {
                double sum = 0;
#pragma unroll
                for (int b = 0; b < 4; b++) sum += p[a * 4 + b] * both[b];
                stack[top][a] = sum;
                most = fmax(most, sum);
            }
            if (most < 1e-3) {
                for (int a = 0; a < 4; a++) stack[top][a] /= most;
                scale += log(most);
            }
            top++;
        }
    }
    logs[site] = log(0.25 * (stack[0][0] + stack[0][1] + stack[0][2] + stack[0][3])) + scale;
}

// pairs of markers with a disease: tables of 9 by 2 from bits, the best score of all
__global__ void epistasisPairs(const unsigned* __restrict__ planes, u64* best, int markers, int words,
                               int caseWords) {
    __shared__ unsigned row[16][3][9], col[16][3][9];
    const int tx = threadIdx.x, ty = threadIdx.y, a = blockIdx.y * 16 + ty, b = blockIdx.x * 16 + tx;
    if (blockIdx.x < blockIdx.y) return;
    unsigned count[2][9] = {};
    for (int w0 = 0; w0 < words; w0 += 8) {
        for (int k = ty * 16 + tx; k < 16 * 8; k += 256) {
            const int m = k / 8, w = k % 8;
            const unsigned p = planes[((blockIdx.y * 16 + m) * 2) * words + w0 + w],
                           q = planes[((blockIdx.y * 16 + m) * 2 + 1) * words + w0 + w] & ~p;
            row[m][0][w] = p, row[m][1][w] = q, row[m][2][w] = ~(p | q);
            const unsigned r = planes[((blockIdx.x * 16 + m) * 2) * words + w0 + w],
                           s = planes[((blockIdx.x * 16 + m) * 2 + 1) * words + w0 + w] & ~r;
            col[m][0][w] = r, col[m][1][w] = s, col[m][2][w] = ~(r | s);
        }
        __syncthreads();
        const int which = w0 >= caseWords;
        unsigned now[9] = {};
        for (int w = 0; w < 8; w++)
#pragma unroll
            for (int i = 0; i < 3; i++)
#pragma unroll
                for (int j = 0; j < 3; j++) now[3 * i + j] += __popc(row[ty][i][w] & col[tx][j][w]);
#pragma unroll
        for (int k = 0; k < 9; k++) {
            count[0][k] += which ? 0 : now[k];
            count[1][k] += which ? now[k] : 0;
        }
        __syncthreads();
    }
    float score = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        const float x = count[0][k], y = count[1][k], total = x + y;
        if (total > 0) score += x * __log2f((x + 0.5f) / total) + y * __log2f((y + 0.5f) / total);
    }
    u64 key = a < b && b < markers ? (u64)__float_as_uint(score + 1e6f) << 32 | a << 16 | b : 0;
    for (int o = 16; o; o >>= 1) {
        const u64 other = __shfl_xor_sync(FULL, key, o);
        key = other > key ? other : key;
    }
    if ((ty * 16 + tx) % 32 == 0 && key) atomicMax(best, key);
}

// ======== ciphers

struct Limbs51 {
    u64 v[5];
};

static __device__ __noinline__ Limbs51 timesField(const Limbs51& a, const Limbs51& b) {
    typedef unsigned __int128 u128;
    const u64 mask = (1ull << 51) - 1;
    u128 t[5];
#pragma unroll
    for (int i = 0; i < 5; i++) {
        t[i] = 0;
#pragma unroll
        for (int j = 0; j < 5; j++) {
            const int k = i - j;
            t[i] += k >= 0 ? (u128)a.v[j] * b.v[k] : (u128)a.v[j] * (19 * b.v[k + 5]);
        }
    }
    Limbs51 r;
    u64 carry = 0;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        t[i] += carry;
        r.v[i] = (u64)t[i] & mask;
        carry = (u64)(t[i] >> 51);
    }
    r.v[0] += carry * 19;
    r.v[1] += r.v[0] >> 51;
    r.v[0] &= mask;
    return r;
}

static __device__ __forceinline__ Limbs51 plusField(const Limbs51& a, const Limbs51& b) {
    Limbs51 r;
#pragma unroll
    for (int i = 0; i < 5; i++) r.v[i] = a.v[i] + b.v[i];
    return r;
}

static __device__ __forceinline__ Limbs51 minusField(const Limbs51& a, const Limbs51& b) {
    const u64 two = 0xffffffffffffeull;
    Limbs51 r;
#pragma unroll
    for (int i = 0; i < 5; i++) r.v[i] = a.v[i] + (i ? two : two - 36) - b.v[i];
    return r;
}

// Montgomery's ladder on a curve, some of its bits
__global__ void curveLadder(const u64* points, const unsigned* scalars, u64* out, int bits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Limbs51 x1, x2 = {{1, 0, 0, 0, 0}}, z2 = {{0, 0, 0, 0, 0}}, z3 = {{1, 0, 0, 0, 0}};
    for (int k = 0; k < 5; k++) x1.v[k] = points[5 * i + k] & ((1ull << 51) - 1);
    Limbs51 x3 = x1;
    unsigned swap = 0;
    const unsigned scalar = scalars[i];
    for (int b = bits - 1; b >= 0; b--) {
        const unsigned bit = scalar >> b & 1;
        const u64 flip = 0ull - (u64)(swap ^ bit);
        swap = bit;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const u64 dx = flip & (x2.v[k] ^ x3.v[k]), dz = flip & (z2.v[k] ^ z3.v[k]);
            x2.v[k] ^= dx, x3.v[k] ^= dx;
            z2.v[k] ^= dz, z3.v[k] ^= dz;
        }
        const Limbs51 a = plusField(x2, z2), s = minusField(x2, z2);
        const Limbs51 da = timesField(minusField(x3, z3), a), cb = timesField(plusField(x3, z3), s);
        const Limbs51 aa = timesField(a, a), bb = timesField(s, s), e = minusField(aa, bb);
        const Limbs51 sum = plusField(da, cb), difference = minusField(da, cb);
        x3 = timesField(sum, sum);
        z3 = timesField(x1, timesField(difference, difference));
        x2 = timesField(aa, bb);
        const Limbs51 small = {{121665, 0, 0, 0, 0}};
        z2 = timesField(e, plusField(aa, timesField(small, e)));
    }
    for (int k = 0; k < 5; k++) out[5 * i + k] = x2.v[k] ^ z2.v[k];
}

// Poly1305: a thread a message, in limbs of 26 bits
__global__ void polyMac(const uint4* __restrict__ messages, const unsigned* __restrict__ keys, uint4* tags,
                        int blocks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r[5], s[5], h[5] = {0, 0, 0, 0, 0};
    const unsigned k0 = keys[4 * i], k1 = keys[4 * i + 1], k2 = keys[4 * i + 2], k3 = keys[4 * i + 3];
    r[0] = k0 & 0x3ffffff;
    r[1] = (k0 >> 26 | k1 << 6) & 0x3ffff03;
    r[2] = (k1 >> 20 | k2 << 12) & 0x3ffc0ff;
    r[3] = (k2 >> 14 | k3 << 18) & 0x3f03fff;
    r[4] = k3 >> 8 & 0x00fffff;
    for (int k = 0; k < 5; k++) s[k] = r[k] * 5;
    const uint4* message = messages + (size_t)i * blocks;
    for (int b = 0; b < blocks; b++) {
        const uint4 m = message[b];
        h[0] += m.x & 0x3ffffff;
        h[1] += __funnelshift_r(m.x, m.y, 26) & 0x3ffffff;
        h[2] += __funnelshift_r(m.y, m.z, 20) & 0x3ffffff;
        h[3] += __funnelshift_r(m.z, m.w, 14) & 0x3ffffff;
        h[4] += m.w >> 8 | 1 << 24;
        u64 d[5];
#pragma unroll
        for (int k = 0; k < 5; k++) {
            d[k] = 0;
#pragma unroll
            for (int j = 0; j < 5; j++) d[k] += (u64)h[j] * (k >= j ? r[k - j] : s[k - j + 5]);
        }
        u64 carry = 0;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            d[k] += carry;
            h[k] = (unsigned)d[k] & 0x3ffffff;
            carry = d[k] >> 26;
        }
        h[0] += (unsigned)carry * 5;
        h[1] += h[0] >> 26;
        h[0] &= 0x3ffffff;
    }
    tags[i] = make_uint4(h[0] | h[1] << 26, h[1] >> 6 | h[2] << 20, h[2] >> 12 | h[3] << 14,
                         h[3] >> 18 | h[4] << 8);
}

#define SALSA(a, b, c, d)                   \
    b ^= __funnelshift_l(a + d, a + d, 7);  \
    c ^= __funnelshift_l(b + a, b + a, 9);  \
    d ^= __funnelshift_l(c + b, c + b, 13); \
    a ^= __funnelshift_l(d + c, d + c, 18);

static __device__ void salsaMix(unsigned* x, const unsigned* y) {
    unsigned w[16];
#pragma unroll
    for (int k = 0; k < 16; k++) w[k] = x[k] ^= y[k];
    for (int round = 0; round < 4; round++) {
        SALSA(w[0], w[4], w[8], w[12])
        SALSA(w[5], w[9], w[13], w[1])
        SALSA(w[10], w[14], w[2], w[6])
        SALSA(w[15], w[3], w[7], w[11])
        SALSA(w[0], w[1], w[2], w[3])
        SALSA(w[5], w[6], w[7], w[4])
        SALSA(w[10], w[11], w[8], w[9])
        SALSA(w[15], w[12], w[13], w[14])
    }
#pragma unroll
    for (int k = 0; k < 16; k++) x[k] += w[k];
}

// hashing that needs memory: fills a table, then reads it where its own state says
__global__ void __launch_bounds__(64)
    memoryHardMix(const uint4* seeds, uint4* scratch, uint4* out, int entries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x[32];
    uint4* x4 = (uint4*)x;
#pragma unroll
    for (int k = 0; k < 8; k++) x4[k] = seeds[i * 8 + k];
    uint4* mine = scratch + (size_t)i * entries * 8;
    for (int n = 0; n < entries; n++) {
#pragma unroll
        for (int k = 0; k < 8; k++) mine[n * 8 + k] = x4[k];
        salsaMix(x, x + 16);
        salsaMix(x + 16, x);
    }
    for (int n = 0; n < entries; n++) {
        const uint4* from = mine + (x[16] & (entries - 1)) * 8;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const uint4 v = from[k];
            x4[k].x ^= v.x, x4[k].y ^= v.y, x4[k].z ^= v.z, x4[k].w ^= v.w;
        }
        salsaMix(x, x + 16);
        salsaMix(x + 16, x);
    }
#pragma unroll
    for (int k = 0; k < 8; k++) out[i * 8 + k] = x4[k];
}

// ======== codes and codecs

// LDPC: the checks' messages, by the two least of those that come in
template <int DEGREE>
__global__ void ldpcMinSum(const float* __restrict__ beliefs, float* __restrict__ messages,
                           const int* __restrict__ neighbours, int checks) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= checks) return;
    float in[DEGREE], least = 1e30f, second = 1e30f;
    int at = 0;
    unsigned sign = 0;
#pragma unroll
    for (int k = 0; k < DEGREE; k++) {
        in[k] = beliefs[neighbours[k * checks + c]] - messages[k * checks + c];
        const float size = fabsf(in[k]);
        sign ^= __float_as_uint(in[k]) & 0x80000000u;
        if (size < least) {
            second = least;
            least = size;
            at = k;
        } else if (size < second)
            second = size;
    }
#pragma unroll
    for (int k = 0; k < DEGREE; k++) {
        const float size = 0.75f * (k == at ? second : least);
        messages[k * checks + c] =
            __uint_as_float(__float_as_uint(size) ^ (sign ^ (__float_as_uint(in[k]) & 0x80000000u)));
    }
}

// range coded bytes: 32 lanes with states of their own read from one stream
__global__ void ransDecode(const unsigned short* __restrict__ streams, const unsigned* __restrict__ slots,
                           unsigned char* __restrict__ out, int each, int room) {
    __shared__ unsigned table[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) table[i] = slots[i];
    __syncthreads();
    const int stream = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned short* in = streams + (size_t)stream * room;
    unsigned state = 65536u + in[lane] * 977u;
    int at = 32;
    for (int n = 0; n < each; n++) {
        const unsigned slot = table[state & 4095];  // symbol, frequency, offset in its range
        state = (slot >> 8 & 0xfff) * (state >> 12) + (slot >> 20);
        const bool needs = state < 65536u;
        const unsigned vote = __ballot_sync(FULL, needs);
        if (needs) state = state << 16 | in[min(at + __popc(vote & ((1u << lane) - 1)), room - 1)];
        at += __popc(vote);
        out[((size_t)stream * each + n) * 32 + lane] = slot & 255;
    }
}

// PNG's filters of lines undone, a thread a small picture
__global__ void paethUnfilter(const unsigned char* in, unsigned char* out, int width, int height,
                              int pictures) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pictures) return;
    const unsigned char* src = in + i * (width + 1) * height;
    unsigned char* dst = out + i * width * height;
    for (int y = 0; y < height; y++) {
        const int filter = *src++ % 5;
        const unsigned char* up = dst - width;
        for (int x = 0; x < width; x++) {
            const int a = x >= 4 ? dst[x - 4] : 0, b = y ? up[x] : 0, c = x >= 4 && y ? up[x - 4] : 0;
            int predicted = 0;
            switch (filter) {
                case 1: predicted = a; break;
                case 2: predicted = b; break;
                case 3: predicted = (a + b) >> 1; break;
                case 4: {
                    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
                    predicted = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
                }
            }
            dst[x] = src[x] + predicted;
        }
        src += width;
        dst += width;
    }
}

__global__ void moveToFront(const unsigned char* ranks, unsigned char* out, int each) {
    unsigned char letters[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 64; k++) letters[k] = k;
    for (int n = 0; n < each; n++) {
        const unsigned char r = ranks[i * each + n];
        const int rank = (r & 63) >> (r >> 6);
        const unsigned char letter = letters[rank];
        for (int k = rank; k > 0; k--) letters[k] = letters[k - 1];
        letters[0] = letter;
        out[i * each + n] = letter;
    }
}

// ======== rendering

// splats from near to far, in tiles
__global__ void __launch_bounds__(256)
    splatBlend(const float2* __restrict__ centres, const float4* __restrict__ conics,
               const float4* __restrict__ colours, const int2* __restrict__ ranges,
               const int* __restrict__ order, float4* image, int width) {
    __shared__ float2 xy[256];
    __shared__ float4 shape[256], colour[256];
    const int tile = blockIdx.y * gridDim.x + blockIdx.x, rank = threadIdx.y * 16 + threadIdx.x;
    const int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    const int2 range = ranges[tile];
    bool done = false;
    float through = 1.f;
    float3 sum = make_float3(0.f, 0.f, 0.f);
    for (int first = range.x; first < range.y; first += 256) {
        if (__syncthreads_count(done) == 256) break;
        if (first + rank < range.y) {
            const int id = order[first + rank];
            xy[rank] = centres[id];
            shape[rank] = conics[id];
            colour[rank] = colours[id];
        }
        __syncthreads();
        const int count = min(256, range.y - first);
        for (int j = 0; !done && j < count; j++) {
            const float2 c = xy[j];
            const float4 s = shape[j];
            const float dx = c.x * width - px, dy = c.y * width - py;
            const float power = -0.5f * (s.x * dx * dx + s.z * dy * dy) * 0.02f - 0.008f * s.y * dx * dy;
            if (power > 0.f) continue;
            const float alpha = fminf(0.99f, s.w * __expf(power));
            if (alpha < 1.f / 255.f) continue;
            const float next = through * (1.f - alpha);
            if (next < 0.0001f) {
                done = true;
                continue;
            }
            const float4 k = colour[j];
            sum.x += k.x * alpha * through;
            sum.y += k.y * alpha * through;
            sum.z += k.z * alpha * through;
            through = next;
        }
    }
    image[py * width + px] = make_float4(sum.x, sum.y, sum.z, through);
}

static __device__ int hitBall(float3 o, float3 d, float& nearest) {
    int which = -1;
    for (int k = 0; k < 12; k++) {
        const float x = rayBalls[k][0] - o.x, y = rayBalls[k][1] - o.y, z = rayBalls[k][2] - o.z;
        const float b = x * d.x + y * d.y + z * d.z;
        const float det = b * b - (x * x + y * y + z * z) + rayBalls[k][3] * rayBalls[k][3];
        if (det < 0) continue;
        const float root = sqrtf(det);
        const float t = b - root > 1e-3f ? b - root : b + root;
        if (t > 1e-3f && t < nearest) {
            nearest = t;
            which = k;
        }
    }
    return which;
}

// paths of light among balls that are dull, mirrors, glass or lamps
__global__ void pathBounces(float4* image, int width, int height, int samples) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned seed = (y * width + x) * 9781u + 77u;
    float3 total = make_float3(0, 0, 0);
    for (int s = 0; s < samples; s++) {
        float3 o = make_float3(0, 0, -4), weight = make_float3(1, 1, 1);
        float3 d = make_float3((x + unit(seed)) / width - 0.5f, (y + unit(seed)) / height - 0.5f, 1.f);
        float inv = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
        d = make_float3(d.x * inv, d.y * inv, d.z * inv);
        for (int bounce = 0; bounce < 6; bounce++) {
            float t = 1e20f;
            const int k = hitBall(o, d, t);
            if (k < 0) {
                const float sky = 0.3f + 0.3f * d.y;
                total.x += weight.x * sky, total.y += weight.y * sky, total.z += weight.z * sky;
                break;
            }
            o = make_float3(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z);
            const float by = 1.f / rayBalls[k][3];
            float3 n = make_float3((o.x - rayBalls[k][0]) * by, (o.y - rayBalls[k][1]) * by,
                                   (o.z - rayBalls[k][2]) * by);
            const float facing = n.x * d.x + n.y * d.y + n.z * d.z;
            const int matter = (int)rayBalls[k][7];
            if (matter == 3) {
                total.x += weight.x * 4.f, total.y += weight.y * 4.f, total.z += weight.z * 3.f;
                break;
            }
            weight.x *= rayBalls[k][4], weight.y *= rayBalls[k][5], weight.z *= rayBalls[k][6];
            switch (matter) {
                case 0: {
                    const float phi = 6.2831853f * unit(seed), cosine = 1.f - 2.f * unit(seed);
                    const float sine = sqrtf(fmaxf(0.f, 1.f - cosine * cosine)),
                                out = facing < 0 ? 1.f : -1.f;
                    d = make_float3(out * n.x + sine * cosf(phi), out * n.y + sine * sinf(phi),
                                    out * n.z + cosine);
                    break;
                }
                case 1:
                    d = make_float3(d.x - 2 * facing * n.x, d.y - 2 * facing * n.y, d.z - 2 * facing * n.z);
                    break;
                default: {
                    const bool into = facing < 0;
                    const float eta = into ? 0.66666667f : 1.5f, c = fabsf(facing);
                    const float k2 = 1.f - eta * eta * (1.f - c * c);
                    const float fresnel = 0.04f + 0.96f * powf(1.f - c, 5.f);
                    if (k2 < 0 || unit(seed) < fresnel)
                        d = make_float3(d.x - 2 * facing * n.x, d.y - 2 * facing * n.y,
                                        d.z - 2 * facing * n.z);
                    else {
                        const float m = (into ? 1.f : -1.f) * (eta * c - sqrtf(k2));
                        d = make_float3(eta * d.x + m * n.x, eta * d.y + m * n.y, eta * d.z + m * n.z);
                    }
                }
            }
            inv = rsqrtf(fmaxf(1e-12f, d.x * d.x + d.y * d.y + d.z * d.z));
            d = make_float3(d.x * inv, d.y * inv, d.z * inv);
            if (bounce > 2) {
                const float keep = fmaxf(weight.x, fmaxf(weight.y, weight.z));
                if (unit(seed) > keep) break;
                weight.x /= keep, weight.y /= keep, weight.z /= keep;
            }
        }
    }
    image[y * width + x] = make_float4(total.x / samples, total.y / samples, total.z / samples, 1);
}

// ======== graphs

// betweenness: what the deeper vertices have goes to those one level above, an edge a thread
__global__ void brandesBackward(const int2* __restrict__ edges, const int* __restrict__ depth,
                                const float* __restrict__ sigma, double* delta, int level, int count) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    const int2 edge = edges[e];
    if (depth[edge.x] != level || depth[edge.y] != level + 1) return;
    atomicAdd(delta + edge.x, (double)(sigma[edge.x] / sigma[edge.y]) * (1.0 + delta[edge.y]));
}

// searches from 64 sources at once, a bit each
__global__ void multiSourceBfs(const int* __restrict__ offsets, const int* __restrict__ targets,
                               const u64* __restrict__ frontier, const u64* __restrict__ seen, u64* next,
                               int* changed, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const u64 mask = frontier[v];
    if (!mask) return;
    bool any = false;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        const int to = targets[e];
        const u64 fresh = mask & ~seen[to];
        if (fresh) {
            const u64 old = atomicOr(next + to, fresh);
            any |= (fresh & ~old) != 0;
        }
    }
    if (any) atomicMax(changed, 1);
}

// Louvain: the community that a vertex would best go to; sixteen threads a vertex, a hash table each
__global__ void louvainGain(const int* __restrict__ offsets, const int* __restrict__ targets,
                            const int* __restrict__ community, const int* __restrict__ weights,
                            const int* __restrict__ totals, int* __restrict__ choice, int vertices,
                            int whole) {
    __shared__ int keys[8][128], links[8][128];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int slot = threadIdx.x / 16, lane = tile.thread_rank(), v = blockIdx.x * 8 + slot;
    if (v >= vertices) return;
    for (int k = lane; k < 128; k += 16) {
        keys[slot][k] = -1;
        links[slot][k] = 0;
    }
    tile.sync();
    const int begin = offsets[v], end = offsets[v + 1];
    for (int e = begin + lane; e < end; e += 16) {
        const int to = community[targets[e]];
        unsigned at = to * 2654435761u >> 25;
        for (int probe = 0; probe < 128; probe++) {
            const int old = atomicCAS(&keys[slot][at], -1, to);
            if (old == -1 || old == to) {
                atomicAdd(&links[slot][at], weights[e] % 100);
                break;
            }
            at = (at + 1) & 127;
        }
    }
    tile.sync();
    i64 best = -(1ll << 60);
    for (int k = lane; k < 128; k += 16) {
        const int c = keys[slot][k];
        if (c < 0) continue;
        const i64 gain = (i64)links[slot][k] * whole - (i64)totals[c] * (end - begin) / 2;
        const i64 packed = gain * 65536 + (c & 65535);
        best = packed > best ? packed : best;
    }
    best = cg::reduce(tile, best, cg::greater<i64>());
    if (lane == 0) choice[v] = best == -(1ll << 60) ? community[v] : (int)(best & 65535);
}

// ======== Monte Carlo

// chemical reactions at random times
__global__ void gillespie(int* counts, float* ends, float k1, float k2, float k3, int most, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned seed = i * 747796405u + 1u;
    int prey = 60 + i % 17, hunters = 40, born = 0;
    float t = 0;
    for (int s = 0; s < most && t < 12.f; s++) {
        const float a1 = k1 * prey, a2 = k2 * prey * hunters, a3 = k3 * hunters, a = a1 + a2 + a3;
        if (a <= 0) break;
        t -= logf(unit(seed) + 1e-7f) / a;
        const float pick = unit(seed) * a;
        if (pick < a1) {
            prey++;
            born++;
        } else if (pick < a1 + a2) {
            prey--;
            hunters++;
        } else
            hunters--;
    }
    counts[3 * i] = prey;
    counts[3 * i + 1] = hunters;
    counts[3 * i + 2] = born;
    ends[i] = t;
}

// forward rates, all evolved along a path: swaptions' values
template <int RATES>
__global__ void liborPaths(const float* __restrict__ normals, const float* __restrict__ vols, float* values,
                           int maturity, int paths) {
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= paths) return;
    float rate[RATES];
    const float delta = 0.25f;
    for (int k = 0; k < RATES; k++) rate[k] = 0.05f;
    for (int n = 0; n < maturity; n++) {
        const float z = sqrtf(delta) * normals[n * paths + path];
        float drift = 0;
        for (int k = n + 1; k < RATES; k++) {
            const float sigma = vols[k - n - 1] * 0.2f, part = delta * sigma;
            drift += __fdividef(part * rate[k], 1.f + delta * rate[k]);
            rate[k] *= __expf(part * drift + sigma * (z - 0.5f * part));
        }
    }
    float discount = 1, swap = 0, value = 0;
    for (int k = maturity; k < RATES; k++) {
        discount /= 1.f + delta * rate[k];
        swap += delta * discount;
        if ((k - maturity) % 5 == 4) value += fmaxf(0.f, 100.f * (1.f - discount - 0.045f * swap));
    }
    for (int k = 0; k < maturity; k++) value /= 1.f + delta * rate[k];
    values[path] = value;
}

struct Su3 {
    double2 m[3][3];
};

static __device__ Su3 linkTimes(const Su3& a, const Su3& b, bool adjoint) {
    Su3 r;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            double x = 0, y = 0;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                const double2 p = a.m[i][k];
                double2 q = adjoint ? b.m[j][k] : b.m[k][j];
                if (adjoint) q.y = -q.y;
                x += p.x * q.x - p.y * q.y;
                y += p.x * q.y + p.y * q.x;
            }
            r.m[i][j] = make_double2(x, y);
        }
    return r;
}

// lattice gauge theory: traces around the squares at each site
__global__ void su3Plaquette(const Su3* __restrict__ links, double* action, int side) {
    const int site = blockIdx.x * blockDim.x + threadIdx.x, volume = side * side * side * side;
    double sum = 0;
    if (site < volume) {
        int at[4], stride[4] = {1, side, side * side, side * side * side};
        for (int k = 0, rest = site; k < 4; k++, rest /= side) at[k] = rest % side;
        for (int mu = 0; mu < 3; mu++)
            for (int nu = mu + 1; nu < 4; nu++) {
                const int ahead = site + (at[mu] == side - 1 ? 1 - side : 1) * stride[mu];
                const int up = site + (at[nu] == side - 1 ? 1 - side : 1) * stride[nu];
                const Su3 corner = linkTimes(links[mu * volume + site], links[nu * volume + ahead], false);
                const Su3 back = linkTimes(links[nu * volume + site], links[mu * volume + up], false);
                const Su3 loop = linkTimes(corner, back, true);
                sum += loop.m[0][0].x + loop.m[1][1].x + loop.m[2][2].x;
            }
    }
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
    if (threadIdx.x % 32 == 0) atomicAdd(action, sum);
}

// ======== radar, ultrasound, telescopes

// targets that are above what is around them
__global__ void cfarDetect(const float* __restrict__ power, int2* detections, unsigned* count, int range,
                           float factor) {
    extern __shared__ float line[];
    const float* row = power + (size_t)blockIdx.x * range;
    for (int i = threadIdx.x; i < range; i += blockDim.x) line[i] = row[i];
    __syncthreads();
    const int guard = 3, train = 12;
    for (int i = threadIdx.x; i < range; i += blockDim.x) {
        float left = 0, right = 0;
        int nl = 0, nr = 0;
        for (int k = guard + 1; k <= guard + train; k++) {
            if (i - k >= 0) left += line[i - k], nl++;
            if (i + k < range) right += line[i + k], nr++;
        }
        const float noise = fmaxf(nl ? left / nl : 0.f, nr ? right / nr : 0.f);
        if (line[i] > factor * noise) {
            const auto active = cg::coalesced_threads();
            unsigned base = 0;
            if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
            base = active.shfl(base, 0) + active.thread_rank();
            detections[base] = make_int2(blockIdx.x, i);
        }
    }
}

// ultrasound: each point of the picture hears every element at its own delay
__global__ void delaySum(const float* __restrict__ echoes, float* __restrict__ image, int elements,
                         int samples, int width, float pitch, float cell, float perMetre) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, pz = blockIdx.y * blockDim.y + threadIdx.y;
    const float x = (px - width / 2) * cell, z = (pz + 20) * cell;
    float sum = 0, norm = 0;
    for (int e = 0; e < elements; e++) {
        const float dx = x - (e - elements / 2) * pitch;
        const float apart = fabsf(dx) * 1.5f / z;
        if (apart > 1.f) continue;
        const float window = 0.5f + 0.5f * __cosf(3.14159265f * apart);
        const float delay = (z + sqrtf(dx * dx + z * z)) * perMetre;
        const int at = (int)delay;
        if (at + 1 >= samples) continue;
        const float part = delay - at;
        const float* trace = echoes + e * samples + at;
        sum += window * (trace[0] * (1.f - part) + trace[1] * part);
        norm += window;
    }
    image[pz * gridDim.x * blockDim.x + px] = norm > 0 ? sum / norm : 0.f;
}

// a pulsar's signal for many dispersions at once
template <int PER>
__global__ void dedisperse(const unsigned char* __restrict__ spectra, const float* __restrict__ shifts,
                           float* __restrict__ out, int channels, int samples, int outSamples) {
    const int t = blockIdx.x * (blockDim.x * PER) + threadIdx.x;
    const int trial = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned sum[PER];
#pragma unroll
    for (int k = 0; k < PER; k++) sum[k] = 0;
    for (int c = 0; c < channels; c++) {
        const int shift = (int)(shifts[c] * trial);
        const unsigned char* from = spectra + c * samples + t + shift;
#pragma unroll
        for (int k = 0; k < PER; k++) sum[k] += from[k * blockDim.x];
    }
#pragma unroll
    for (int k = 0; k < PER; k++) out[trial * outSamples + t + k * blockDim.x] = sum[k] * (1.f / 128.f);
}

// ======== fluids, cloth, molecules, integrals

// smoke carried along by the air
__global__ void advectSmoke(const float* __restrict__ smoke, const float4* __restrict__ wind,
                            float* __restrict__ out, int n, float dt) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z * blockDim.z + threadIdx.z;
    const int at = (z * n + y) * n + x;
    const float4 w = wind[at];
    const float fx = fminf(fmaxf(x - dt * w.x, 0.f), n - 1.001f),
                fy = fminf(fmaxf(y - dt * w.y, 0.f), n - 1.001f),
                fz = fminf(fmaxf(z - dt * w.z, 0.f), n - 1.001f);
    const int ix = (int)fx, iy = (int)fy, iz = (int)fz;
    const float a = fx - ix, b = fy - iy, c = fz - iz;
    const float* s = smoke + (iz * n + iy) * n + ix;
    const float v00 = s[0] + a * (s[1] - s[0]), v01 = s[n] + a * (s[n + 1] - s[n]);
    s += n * n;
    const float v10 = s[0] + a * (s[1] - s[0]), v11 = s[n] + a * (s[n + 1] - s[n]);
    const float low = v00 + b * (v01 - v00), high = v10 + b * (v11 - v10);
    out[at] = (low + c * (high - low)) * 0.995f;
}

// cloth: the threads between points of one colour, none of which share a point
__global__ void clothLinks(float4* points, const int2* links, const float* rest, int begin, int end,
                           float stiffness) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= end) return;
    const int2 l = links[i];
    float4 p = points[l.x], q = points[l.y];
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, w = p.w + q.w;
    const float length = sqrtf(dx * dx + dy * dy + dz * dz);
    if (w == 0.f || length < 1e-6f) return;
    const float by = stiffness * (length - rest[i]) / (length * w);
    p.x += p.w * by * dx, p.y += p.w * by * dy, p.z += p.w * by * dz;
    q.x -= q.w * by * dx, q.y -= q.w * by * dy, q.z -= q.w * by * dz;
    points[l.x] = p;
    points[l.y] = q;
}

// water kept stiff: its three distances are put right in turn until they are right
__global__ void shakeWater(double* atoms, const double* before, int* rounds, double tolerance, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double r[9], old[9];
    for (int k = 0; k < 9; k++) {
        r[k] = atoms[9 * i + k];
        old[k] = before[9 * i + k];
    }
    const double length2[3] = {1.0, 1.0, 2.6666}, inverse[3] = {0.0625, 1.0, 1.0};
    int round = 0;
    for (bool right = false; !right && round < 40; round++) {
        right = true;
#pragma unroll
        for (int c = 0; c < 3; c++) {
            const int a = c == 2 ? 1 : 0, b = c == 0 ? 1 : 2;
            const double x = r[3 * a] - r[3 * b], y = r[3 * a + 1] - r[3 * b + 1],
                         z = r[3 * a + 2] - r[3 * b + 2];
            const double off = x * x + y * y + z * z - length2[c];
            if (fabs(off) < tolerance) continue;
            right = false;
            const double ox = old[3 * a] - old[3 * b], oy = old[3 * a + 1] - old[3 * b + 1],
                         oz = old[3 * a + 2] - old[3 * b + 2];
            double along = x * ox + y * oy + z * oz;
            if (fabs(along) < 0.1) along = 0.1;
            const double g = off / (2 * along * (inverse[a] + inverse[b]));
            r[3 * a] -= g * inverse[a] * ox, r[3 * a + 1] -= g * inverse[a] * oy,
                r[3 * a + 2] -= g * inverse[a] * oz;
            r[3 * b] += g * inverse[b] * ox, r[3 * b + 1] += g * inverse[b] * oy,
                r[3 * b + 2] += g * inverse[b] * oz;
        }
    }
    for (int k = 0; k < 9; k++) atoms[9 * i + k] = r[k];
    rounds[i] = round;
}

// material points onto a grid
__global__ void mpmScatter(const float2* position, const float2* velocity, const float4* deformation,
                           float* grid, int side, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 x = position[i], v = velocity[i];
    const float4 f = deformation[i];  // rows of a matrix
    const float a = 1.f + 0.2f * f.x, b = 0.2f * f.y, c = 0.2f * f.z, d = 1.f + 0.2f * f.w;
    const float angle = atan2f(c - b, a + d);
    float sine, cosine;
    sincosf(angle, &sine, &cosine);
    const float J = a * d - b * c, mu = 40.f, lambda = 60.f * (J - 1.f) * J;
    const float ea = a - cosine, eb = b + sine, ec = c - sine, ed = d - cosine;
    const float s00 = -dt * (2 * mu * (ea * a + eb * b) + lambda), s01 = -dt * 2 * mu * (ea * c + eb * d);
    const float s10 = -dt * 2 * mu * (ec * a + ed * b), s11 = -dt * (2 * mu * (ec * c + ed * d) + lambda);
    const float gx = x.x * (side - 4) + 1.f, gy = x.y * (side - 4) + 1.f;
    const int bx = (int)(gx - 0.5f), by = (int)(gy - 0.5f);
    const float fx = gx - bx, fy = gy - by;
    const float wx[3] = {0.5f * (1.5f - fx) * (1.5f - fx), 0.75f - (fx - 1.f) * (fx - 1.f),
                         0.5f * (fx - 0.5f) * (fx - 0.5f)};
    const float wy[3] = {0.5f * (1.5f - fy) * (1.5f - fy), 0.75f - (fy - 1.f) * (fy - 1.f),
                         0.5f * (fy - 0.5f) * (fy - 0.5f)};
#pragma unroll
    for (int p = 0; p < 3; p++)
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const float w = wx[p] * wy[q], dx = p - fx, dy = q - fy;
            float* cell = grid + 3 * ((by + q) * side + bx + p);
            atomicAdd(cell, w * (v.x + s00 * dx + s01 * dy));
            atomicAdd(cell + 1, w * (v.y + s10 * dx + s11 * dy));
            atomicAdd(cell + 2, w);
        }
}

// Boys' function, as the integrals of chemistry need it: by what the argument is
__global__ void boysIntegrals(const double* ts, double* out, int most, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double t = ts[i] * (i % 5 == 0 ? 40 : i % 3 == 0 ? 12 : 0.8);
    if (t > 30) {
        double value = 0.5 * sqrt(3.14159265358979323846 / t);
        out[i] = value;
        for (int m = 1; m <= most; m++) {
            value *= (2 * m - 1) / (2 * t);
            out[m * n + i] = value;
        }
    } else {
        const double e = exp(-t);
        double term = 1.0 / (2 * most + 1), sum = term;
        for (int k = 1; k < 120 && term > 1e-15 * sum; k++) {
            term *= 2 * t / (2 * (most + k) + 1);
            sum += term;
        }
        double value = e * sum;
        out[most * n + i] = value;
        for (int m = most - 1; m >= 0; m--) {
            value = (2 * t * value + e) / (2 * m + 1);
            out[m * n + i] = value;
        }
    }
}

// ======== programs, puzzles, tours

// formulas worked out on a stack: the same one for a block, or each thread its own
template <bool OWN>
__global__ void exprMachine(const float* __restrict__ xs, float* __restrict__ fitness, int length, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int program = OWN ? (i * 7 + i / 32) & 15 : blockIdx.x & 15;
    float stack[12];
    int top = 0;
    const float x = xs[i], y = xs[n + i];
    for (int pc = 0; pc < length; pc++) {
        switch (opcodes[program][pc]) {
            case 0: stack[top++] = opvalues[program][pc]; break;
            case 1: stack[top++] = x; break;
            case 2: stack[top++] = y; break;
            case 3: top--, stack[top - 1] += stack[top]; break;
            case 4: top--, stack[top - 1] -= stack[top]; break;
            case 5: top--, stack[top - 1] *= stack[top]; break;
            case 6: {
                const float under = stack[--top];
                stack[top - 1] = fabsf(under) < 1e-3f ? 1.f : stack[top - 1] / under;
                break;
            }
            case 7: stack[top - 1] = sinf(stack[top - 1]); break;
            case 8: stack[top - 1] = expf(fminf(stack[top - 1], 10.f)); break;
            default: stack[top - 1] = sqrtf(fabsf(stack[top - 1]));
        }
    }
    fitness[i] = stack[0];
}

// sudokus, by trying: a thread a puzzle, going back by itself
__global__ void sudokuSearch(const unsigned char* puzzles, unsigned char* solved, int* steps, int most,
                             int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned char cells[81], open[64];
    unsigned short row[9] = {}, col[9] = {}, box[9] = {};
    int blanks = 0;
    for (int k = 0; k < 81; k++) {
        cells[k] = puzzles[i * 81 + k];
        if (!cells[k]) {
            if (blanks < 64) open[blanks++] = k;
            continue;
        }
        const unsigned short bit = 1u << cells[k];
        row[k / 9] |= bit, col[k % 9] |= bit, box[k / 27 * 3 + k % 9 / 3] |= bit;
    }
    int at = 0, count = 0;
    while (at >= 0 && at < blanks && count < most) {
        count++;
        const int k = open[at], r = k / 9, c = k % 9, b = r / 3 * 3 + c / 3, now = cells[k];
        if (now) {
            const unsigned short bit = ~(1u << now);
            row[r] &= bit, col[c] &= bit, box[b] &= bit;
        }
        const unsigned allowed = ~(row[r] | col[c] | box[b]) & 0x3fe & ~((2u << now) - 1);
        if (!allowed) {
            cells[k] = 0;
            at--;
            continue;
        }
        const int digit = __ffs(allowed) - 1;
        cells[k] = digit;
        row[r] |= 1u << digit, col[c] |= 1u << digit, box[b] |= 1u << digit;
        at++;
    }
    steps[i] = count;
    for (int k = 0; k < 81; k++) solved[i * 81 + k] = cells[k];
}

// the best exchange of two edges of a tour
__global__ void tspTwoOpt(const float2* __restrict__ cities, u64* best, int n) {
    extern __shared__ float2 tour[];
    __shared__ u64 least[32];
    for (int i = threadIdx.x; i < n; i += blockDim.x) tour[i] = cities[i];
    __syncthreads();
    u64 mine = ~0ull;
    const int pairs = n * (n - 1) / 2;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pairs; p += gridDim.x * blockDim.x) {
        int j = (int)((1.f + sqrtf(1.f + 8.f * p)) * 0.5f);
        while (j * (j - 1) / 2 > p) j--;
        while (j * (j + 1) / 2 <= p) j++;
        const int i = p - j * (j - 1) / 2;
        if (j - i < 2 || (i == 0 && j == n - 1)) continue;
        const float2 a = tour[i], b = tour[i + 1], c = tour[j], d = tour[j == n - 1 ? 0 : j + 1];
        const float change = hypotf(a.x - c.x, a.y - c.y) + hypotf(b.x - d.x, b.y - d.y) -
                             hypotf(a.x - b.x, a.y - b.y) - hypotf(c.x - d.x, c.y - d.y);
        const u64 key = (u64)__float_as_uint(change + 8.f) << 32 | i << 16 | j;
        mine = key < mine ? key : mine;
    }
    for (int o = 16; o; o >>= 1) {
        const u64 other = __shfl_down_sync(FULL, mine, o);
        mine = other < mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0) least[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) mine = least[w] < mine ? least[w] : mine;
        atomicMin(best, mine);
    }
}

// ======== networks and robots

// routes of addresses: a trie of 8 bits at a time
__global__ void routeLookup(const unsigned* __restrict__ addresses, const int* __restrict__ trie,
                            int* __restrict__ hops, unsigned* perHop, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned address = addresses[i];
    int node = 0, hop = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        const int entry = __ldg(trie + node * 256 + (address >> shift & 255));
        if (entry & 0xff) hop = entry & 0xff;
        node = entry >> 8;
        if (!node) break;
    }
    hops[i] = hop;
    if (hop) atomicAdd(perHop + (hop & 15), 1u);
}

// a cloud's points gathered in cells, in a table of hashes
__global__ void voxelGather(const float4* __restrict__ points, unsigned* keys, float* sums, int* counts,
                            unsigned mask, float cells, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = points[i];
    const unsigned x = p.x * cells, y = p.y * cells, z = p.z * cells, key = (z << 10 | y) << 10 | x;
    unsigned at = (x * 73856093u ^ y * 19349663u ^ z * 83492791u) & mask;
    while (true) {
        const unsigned old = atomicCAS(keys + at, 0xffffffffu, key);
        if (old == 0xffffffffu || old == key) break;
        at = (at + 1) & mask;
    }
    atomicAdd(sums + 3 * at, p.x);
    atomicAdd(sums + 3 * at + 1, p.y);
    atomicAdd(sums + 3 * at + 2, p.z);
    atomicAdd(counts + at, 1);
}

// the 27 sums of a step of registration, point to plane
__global__ void __launch_bounds__(128, 4)
    icpSystem(const float4* __restrict__ source, const float4* __restrict__ target,
              const float4* __restrict__ normals, float* system, float limit, int n) {
    __shared__ float parts[4][27];
    float sum[27];
#pragma unroll
    for (int k = 0; k < 27; k++) sum[k] = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float4 s = source[i], t = target[i], m = normals[i];
        const float dx = t.x - s.x, dy = t.y - s.y, dz = t.z - s.z;
        if (dx * dx + dy * dy + dz * dz > limit) continue;
        const float j[7] = {
            s.y * m.z - s.z * m.y,         s.z * m.x - s.x * m.z, s.x * m.y - s.y * m.x, m.x, m.y, m.z,
            dx * m.x + dy * m.y + dz * m.z};
        int at = 0;
#pragma unroll
        for (int a = 0; a < 6; a++)
#pragma unroll
            for (int b = a; b < 7; b++) sum[at++] += j[a] * j[b];
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 27; k++) {
        const float whole = warpAdd(sum[k]);
        if (lane == 0) parts[warp][k] = whole;
    }
    __syncthreads();
    if (threadIdx.x < 27)
        atomicAdd(system + threadIdx.x, parts[0][threadIdx.x] + parts[1][threadIdx.x] +
                                            parts[2][threadIdx.x] + parts[3][threadIdx.x]);
}

// the nearest depth of laser points at each pixel, floats taken as they are by a loop of swaps
__global__ void lidarDepth(const float4* __restrict__ points, float* depth, int width, int height, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = points[i];
    const float z = p.z + 0.2f;
    const int u = (int)((p.x - 0.5f) / z * width * 0.3f + width * 0.5f),
              v = (int)((p.y - 0.5f) / z * height * 0.3f + height * 0.5f);
    if (u < 0 || v < 0 || u >= width || v >= height) return;
    int* cell = (int*)(depth + v * width + u);
    int seen = *(volatile int*)cell;
    while (__int_as_float(seen) > z) {
        const int old = atomicCAS(cell, seen, __float_as_int(z));
        if (old == seen) break;
        seen = old;
    }
}

// ======== inputs

struct Net {
    std::vector<int> offsets, targets, sources;
};

static Net madeNet(int vertices, int least, int spread, int hubEvery, int hub, uint32_t& state) {
    Net net;
    for (int v = 0; v < vertices; ++v) {
        net.offsets.push_back(net.targets.size());
        const int degree = v % hubEvery == 7 ? hub : least + next_number(state) % spread;
        for (int k = 0; k < degree; ++k) {
            net.targets.push_back(next_number(state) % vertices);
            net.sources.push_back(v);
        }
    }
    net.offsets.push_back(net.targets.size());
    return net;
}

struct Sliced {
    std::vector<int> starts, columns, order;
};

static Sliced madeSlices(int rows, int height, uint32_t& state) {
    Sliced s;
    s.starts.push_back(0);
    for (int first = 0; first < rows; first += height) {
        const int width = 3 + next_number(state) % 16;
        for (int j = 0; j < width; ++j)
            for (int r = 0; r < height; ++r)
                s.columns.push_back(
                    j > width / 2 && next_number(state) % 4 == 0 ? -1 : (int)(next_number(state) % rows));
        s.starts.push_back(s.columns.size());
    }
    for (int r = 0; r < rows; ++r) s.order.push_back(r);
    for (int r = rows - 1; r > 0; --r) std::swap(s.order[r], s.order[next_number(state) % (r + 1)]);
    return s;
}

static void walkTree(int first, int leaves, std::vector<signed char>& walk) {
    if (leaves == 1) {
        walk.push_back(first);
        return;
    }
    walkTree(first, leaves - leaves / 2, walk);
    walkTree(first + leaves - leaves / 2, leaves / 2, walk);
    walk.push_back(-first - leaves / 2 - 1);
}

static void makeConstants(uint32_t& state) {
    float balls[12][8];
    for (int k = 0; k < 12; ++k) {
        const float ball[8] = {k % 4 * 1.1f - 1.6f,
                               k / 4 * 1.1f - 1.1f,
                               (k * 5 % 7) * 0.4f,
                               0.3f + k % 5 * 0.07f,
                               0.5f + k % 3 * 0.2f,
                               0.9f - k % 4 * 0.1f,
                               0.6f,
                               (float)(k % 3)};
        std::copy(ball, ball + 8, balls[k]);
    }
    const float ground[8] = {0, -101.5f, 0, 100, 0.7f, 0.7f, 0.6f, 0}, lamp[8] = {1, 5, -2, 2, 1, 1, 1, 3};
    std::copy(ground, ground + 8, balls[10]);
    std::copy(lamp, lamp + 8, balls[11]);
    cudaMemcpyToSymbol(rayBalls, balls, sizeof balls);

    unsigned char codes[16][48] = {};
    float values[16][48] = {};
    for (int p = 0; p < 16; ++p)
        for (int pc = 0, depth = 0; pc < 48; ++pc) {
            int code = next_number(state) >> 6 & 15;
            if (code > 9) code = 1 + code % 5;
            if (depth > 10 && code < 3) code = 3 + code % 2;
            if (depth < 2 && code >= 3 && code <= 6) code = 1 + code % 2;
            if (depth < 1 && code > 6) code = 1;
            depth += code < 3 ? 1 : code < 7 ? -1 : 0;
            codes[p][pc] = code;
            values[p][pc] = next_number(state) % 1000 / 250.f - 2;
        }
    cudaMemcpyToSymbol(opcodes, codes, sizeof codes);
    cudaMemcpyToSymbol(opvalues, values, sizeof values);

    double change[12][16];
    for (int k = 0; k < 12; ++k)
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b) change[k][4 * a + b] = a == b ? 1 - 0.03 * (k + 1) : 0.01 * (k + 1);
    cudaMemcpyToSymbol(transition, change, sizeof change);
    const char pattern[16] = "%ab_c%da%";
    cudaMemcpyToSymbol(likePattern, pattern, sizeof pattern);
}

template <class T>
static double sumOf(const T* device, int count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (const T& value : values) sum += value;
    return sum;
}

static unsigned char* someSudokus(int puzzles, int blanks, uint32_t& state) {
    std::vector<unsigned char> cells(puzzles * 81);
    for (int i = 0; i < puzzles; ++i) {
        const int turn = next_number(state) % 9;
        for (int k = 0; k < 81; ++k) {
            const int r = k / 9, c = k % 9;
            cells[i * 81 + k] = (r * 3 + r / 3 + c + turn) % 9 + 1;
        }
        for (int b = 0; b < blanks; ++b) cells[i * 81 + next_number(state) % 81] = 0;
    }
    return in_device(cells);
}

int main() {
    const int m = 1 << 20;
    uint32_t state = 777001;
    makeConstants(state);
    float *f = reals(2 * m, 0.1, 1), *g = reals(2 * m + 3, -1, 1), *h = zeros<float>(4 * m),
          *k = zeros<float>(2 * m);
    double *d = reals<double>(m, 0.5, 1.5), *e = reals<double>(m / 2, -1, 1), *r = zeros<double>(m);
    int *z = zeros<int>(4 * m), *numbers = wholes(m, 1u << 30);
    unsigned* words = wholes<unsigned>(2 * m, 0xffffffffu);
    unsigned char *bytes = wholes<unsigned char>(2 * m, 256), *few = wholes<unsigned char>(m / 4, 24),
                  *bases = wholes<unsigned char>(m, 4), *out = zeros<unsigned char>(4 * m);
    std::vector<half> halves(2 * m);
    for (half& v : halves) v = __float2half(next_number(state) % 4000 / 2000.f - 1);
    half* halfs = in_device(halves);

    pagedDecode<64, 16><<<dim3(8, 24), 128, 512 * sizeof(float)>>>(
        (half*)h, halfs + 777 * 16, halfs, halfs + m, wholes(24 * 32, 128), wholes(24, 480), 32, 0.125f);
    pagedDecode<128, 32><<<dim3(4, 40), 256, 512 * sizeof(float)>>>(
        (half*)h, halfs + 555 * 32, halfs, halfs + m, wholes(40 * 16, 64), wholes(40, 500), 16, 0.088f);
    eightBitMomentum<<<1000, 256>>>((float4*)reals(m), (float4*)g, (char4*)wholes<unsigned char>(m, 250),
                                    reals(1000), 0.01f, 0.9f);
    rowAmaxQuantise<128><<<2000, 128>>>((uint4*)halfs, (uint2*)h, k, 128);
    rowAmaxQuantise<1024><<<200, 1024>>>((uint4*)halfs, (uint2*)h, k, 1280);
    moeTopTwo<<<2000, 128>>>(g, (int2*)h, (float2*)k, (int2*)z, zeros<int>(64), 8000);

    TensorList list;
    int chunks = 0;
    float* tensors = reals(20 * 40000, -1, 1);
    for (int t = 0; t < 20; ++t) {
        list.data[t] = tensors + t * 40000;
        list.size[t] = t % 3 ? 39000 + t * 11 : 700 + t * 13;
        for (int c = 0; c * 8192 < list.size[t]; ++c) {
            list.tensor[chunks] = t;
            list.chunk[chunks++] = c;
        }
    }
    double* norm = zeros<double>(1);
    multiTensorNorm<<<chunks, 512>>>(list, norm, 8192);
    multiTensorScale<<<chunks, 256>>>(list, norm, 1.f, 8192);
    halfTensorGemm<<<dim3(8, 8), 128>>>(halfs, halfs + m, h, 512, 256);
    halfTensorGemm<<<dim3(16, 2), 128>>>(halfs, halfs + m, h + m, 1024, 768);

    requantDepthwise<<<dim3(28, 112), dim3(32, 4)>>>((char4*)bytes, (char4*)bytes + 500000, (int4*)numbers,
                                                     (char4*)out, 112, 112, 32, 3);
    requantDepthwise<<<dim3(7, 64), dim3(16, 16)>>>((char4*)bytes, (char4*)bytes + 400000, (int4*)numbers,
                                                    (char4*)out, 112, 64, 16, -4);
    winogradInput<<<dim3(1, 784), 64>>>(g, h, 58, 64);
    winogradInput<<<dim3(4, 49), 128>>>(g, h, 16, 512);

    sradDiffuse<<<dim3(64, 64), dim3(16, 16)>>>(f, h, h + m, k, 1024, 1024, 0.05f);
    std::vector<float> sums[2];
    for (int which = 0; which < 2; ++which) {
        const int n = which ? 2000 : 150000;
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sums[which].push_back(sum += (1 + next_number(state) % 1000) / (500.5 * n));
    }
    resampleParticles<false><<<293, 512>>>(f, g, in_device(sums[0]), f + m, h, k, 150000);
    resampleParticles<true><<<16, 128>>>(f, g, in_device(sums[1]), f + m, h, k, 2000);
    lifting97<<<300, 256, 2048 * sizeof(float)>>>(f, h, 2048);
    lifting97<<<2000, 64, 512 * sizeof(float)>>>(f, h, 512);
    covarianceColumns<<<4, 16>>>(g, h, 64, 64);
    adiSweep<true><<<8, 32>>>(d, r, r + 65536, r + 131072, 256, -0.4, 1.8);
    adiSweep<false><<<4, 64>>>(d, r + 200000, r + 265536, r + 331072, 256, -0.4, 1.8);
    unsigned* joint = zeros<unsigned>(4096);
    jointHistogram<<<132, 256>>>(bytes, bytes + m, joint, m / 4);
    jointHistogram<<<16, 1024>>>(few, few + 40000, joint, 40000);

    const Sliced thin = madeSlices(30000 / 32 * 32, 32, state), low = madeSlices(20000, 8, state);
    sellSlices<32><<<118, 256>>>(in_device(thin.starts), in_device(thin.columns), f, g, h,
                                 in_device(thin.order), 30000 / 32 * 32);
    sellSlices<8>
        <<<313, 64>>>(in_device(low.starts), in_device(low.columns), f, g, h, in_device(low.order), 20000);
    std::vector<int> ptr, cols, level(6000), levelPtr, levelRows;
    int levels = 0;
    for (int row = 0; row < 6000; ++row) {
        ptr.push_back(cols.size());
        for (int j = next_number(state) % 7; j > 0 && row > 0; --j) {
            cols.push_back(row - 1 - next_number(state) % std::min(row, 1500));
            level[row] = std::max(level[row], level[cols.back()] + 1);
        }
        levels = std::max(levels, level[row] + 1);
    }
    ptr.push_back(cols.size());
    for (int l = 0; l < levels; ++l) {
        levelPtr.push_back(levelRows.size());
        for (int row = 0; row < 6000; ++row)
            if (level[row] == l) levelRows.push_back(row);
    }
    levelPtr.push_back(6000);
    double* solved = zeros<double>(6000);
    levelForward<<<1, 1024>>>(in_device(ptr), in_device(cols), e, in_device(levelPtr), in_device(levelRows),
                              d, solved, levels);

    const int vertices = 30000;
    const Net net = madeNet(vertices, 2, 11, 101, 90, state);
    const int edges = net.targets.size();
    const int *offsets = in_device(net.offsets), *targets = in_device(net.targets),
              *sources = in_device(net.sources);
    std::vector<int> cursor(vertices + 1);
    for (int to : net.targets) ++cursor[to + 1];
    for (int v = 0; v < vertices; ++v) cursor[v + 1] += cursor[v];
    cscScatter<<<132, 512>>>(sources, targets, f, in_device(cursor), z, h, edges);

    std::vector<unsigned> splitters(256, 0), sorted(255);
    for (unsigned& v : sorted) v = next_number(state);
    std::sort(sorted.begin(), sorted.end());
    for (int node = 1; node < 256; ++node) {
        int depth = 0;
        while (node >> (depth + 1)) ++depth;
        splitters[node] = sorted[((node - (1 << depth)) * 2 + 1) * (128 >> depth) - 1];
    }
    unsigned* sizes = zeros<unsigned>(256);
    bucketSplitters<<<256, 256>>>(words, in_device(splitters), out, sizes, 4000);
    cuckooInsert<<<235, 256>>>(words, zeros<u64>(100003), 100003, zeros<int>(1), 60000);
    cuckooInsert<<<8, 1024>>>(words + 99, zeros<u64>(9973), 9973, zeros<int>(1), 8192);
    u64* decimals = zeros<u64>(16);
    decimalSum<<<264, 256>>>((i64*)words, numbers, bytes, decimals, 400000);
    decimalSum<<<33, 128>>>((i64*)words, numbers, bases, decimals, 50000);
    bitSlicedFilter<<<20000, 64>>>(words, (unsigned*)z, 60000, 12, 300, 2900, 1280000 - 40);
    bitSlicedFilter<<<500, 128>>>(words, (unsigned*)z, 64000, 30, 5, 6000000, 64000);
    std::vector<int> starts;
    std::vector<char> letters;
    for (int s = 0; s < 30000; ++s) {
        starts.push_back(letters.size());
        for (int length = 8 + next_number(state) % 40; length > 0; --length)
            letters.push_back("abcd"[next_number(state) >> 8 & 3]);
    }
    starts.push_back(letters.size());
    likeScan<<<235, 128>>>(in_device(letters), in_device(starts), (unsigned*)z, 30000);
    std::vector<int> places;
    std::vector<unsigned char> widths;
    for (int group = 0, at = 0; group < 4000; ++group) {
        widths.push_back(1 + next_number(state) % 20);
        places.push_back(at);
        at += widths.back() * 4;
    }
    deltaDecode<<<1000, 128>>>(words, in_device(places), in_device(widths), numbers, (int4*)z, 4000);

    bandedGotoh<<<512, dim3(32, 4)>>>(bases, bases, wholes(2048, 900000), z, 100, 2048);
    bandedGotoh<<<40, dim3(32, 8)>>>(bases, bases + 5, wholes(320, 800000), z, 300, 320);
    int* minimal = zeros<int>(1);
    minimizers<<<1000, 256>>>(bases, z, minimal, 256000 - 50);
    std::vector<signed char> walk;
    walkTree(0, 12, walk);
    felsenstein<<<200, 128>>>(bases, in_device(walk), walk.size(), r, 25600);
    u64* best = zeros<u64>(1);
    epistasisPairs<<<dim3(12, 12), dim3(16, 16)>>>(words, best, 190, 32, 16);

    curveLadder<<<32, 64>>>((u64*)words, words + m, (u64*)h, 8);
    polyMac<<<40, 128>>>((uint4*)words, words + m, (uint4*)h, 24);
    memoryHardMix<<<16, 64>>>((uint4*)words, (uint4*)h, (uint4*)k, 32);

    float* messages = reals(60000, -0.5, 0.5);
    ldpcMinSum<6><<<79, 128>>>(g, messages, wholes(60000, 20000), 10000);
    ldpcMinSum<20><<<47, 64>>>(g, messages, wholes(60001, 45000), 3000);
    std::vector<unsigned> slots;
    for (int symbol = 0; symbol < 64; ++symbol) {
        const int frequency = symbol < 63 ? 1 + 900 / (symbol + 2) : 4096 - (int)slots.size();
        for (int i = 0; i < frequency; ++i) slots.push_back(symbol | frequency << 8 | (unsigned)i << 20);
    }
    ransDecode<<<100, 128>>>((unsigned short*)words, in_device(slots), out, 100, 6000);
    paethUnfilter<<<20, 48>>>(bytes, out, 64, 8, 950);
    moveToFront<<<16, 32>>>(bytes, out, 64);

    const int splats = 6000;
    std::vector<float2> centres(splats);
    for (float2& c : centres)
        c = make_float2(next_number(state) % 9973 / 9973.f, next_number(state) % 9973 / 13000.f);
    std::vector<int2> ranges;
    std::vector<int> order;
    for (int tile = 0; tile < 20 * 15; ++tile) {
        const float x = tile % 20 * 16 + 8, y = tile / 20 * 16 + 8;
        const int begin = order.size();
        for (int i = 0; i < splats; ++i)
            if (std::fabs(centres[i].x * 320 - x) < 30 && std::fabs(centres[i].y * 320 - y) < 30)
                order.push_back(i);
        ranges.push_back(make_int2(begin, order.size()));
    }
    splatBlend<<<dim3(20, 15), dim3(16, 16)>>>(in_device(centres), (float4*)f, (float4*)f + 10000,
                                               in_device(ranges), in_device(order), (float4*)h, 320);
    pathBounces<<<dim3(40, 30), dim3(8, 8)>>>((float4*)k, 320, 240, 2);
    pathBounces<<<dim3(4, 16), dim3(16, 4)>>>((float4*)k, 60, 64, 5);

    std::vector<int> depth(vertices, -1), queue(1, 0);
    std::vector<float> paths(vertices, 0);
    depth[0] = 0;
    paths[0] = 1;
    for (size_t at = 0; at < queue.size(); ++at) {
        const int v = queue[at];
        for (int j = net.offsets[v]; j < net.offsets[v + 1]; ++j) {
            const int to = net.targets[j];
            if (depth[to] < 0) {
                depth[to] = depth[v] + 1;
                queue.push_back(to);
            }
            if (depth[to] == depth[v] + 1) paths[to] += paths[v];
        }
    }
    std::vector<int2> pairs;
    for (int j = 0; j < edges; ++j) pairs.push_back(make_int2(net.sources[j], net.targets[j]));
    const int2* edgeList = in_device(pairs);
    const int* depths = in_device(depth);
    const float* counted = in_device(paths);
    double* delta = zeros<double>(vertices);
    brandesBackward<<<(edges + 255) / 256, 256>>>(edgeList, depths, counted, delta, 4, edges);
    brandesBackward<<<(edges + 1023) / 1024, 1024>>>(edgeList, depths, counted, delta, 3, edges);
    std::vector<u64> frontier(vertices), seen(vertices);
    for (int v = 0; v < vertices; ++v) {
        if (next_number(state) % 4 == 0)
            frontier[v] = (u64)next_number(state) << 32 & next_number(state) * 77777777777ull;
        seen[v] = frontier[v] | 1ull << next_number(state) % 64;
    }
    u64* following = zeros<u64>(vertices);
    multiSourceBfs<<<235, 128>>>(offsets, targets, in_device(frontier), in_device(seen), following,
                                 zeros<int>(1), vertices);
    std::vector<int> community(vertices), totals(vertices);
    for (int v = 0; v < vertices; ++v)
        community[v] = next_number(state) % (next_number(state) % 3 ? 40 : vertices);
    for (int v = 0; v < vertices; ++v) totals[community[v]] += net.offsets[v + 1] - net.offsets[v];
    louvainGain<<<2500, 128>>>(offsets, targets, in_device(community), numbers, in_device(totals), z, 20000,
                               edges);

    gillespie<<<47, 96>>>(z, h, 1.f, 0.01f, 1.f, 400, 4500);
    liborPaths<40><<<63, 64>>>(g, f, h, 20, 4000);
    liborPaths<20><<<16, 256>>>(g, f, h, 8, 4096);
    double* action = zeros<double>(1);
    su3Plaquette<<<64, 64>>>((Su3*)e, action, 8);

    cfarDetect<<<256, 256, 1024 * sizeof(float)>>>(f, (int2*)h, zeros<unsigned>(1), 1024, 1.3f);
    cfarDetect<<<64, 128, 2000 * sizeof(float)>>>(f, (int2*)h, zeros<unsigned>(1), 2000, 1.6f);
    delaySum<<<dim3(8, 8), dim3(16, 16)>>>(f, h, 64, 2048, 128, 0.0003f, 0.0003f, 22000.f);
    float* shifts = reals(64, 0, 20);
    dedisperse<4><<<dim3(32, 8), dim3(32, 8)>>>(bytes, shifts, h, 64, 8192, 4096);
    dedisperse<1><<<dim3(16, 16), dim3(256, 2)>>>(bytes, shifts, h, 64, 8192, 4096);

    float4* wind = (float4*)reals(4 * 96 * 96 * 96, -3, 3);
    advectSmoke<<<dim3(8, 8, 8), dim3(8, 8, 8)>>>(f, wind, h, 64, 0.9f);
    advectSmoke<<<dim3(3, 24, 48), dim3(32, 4, 2)>>>(f, wind, h, 96, 0.7f);
    std::vector<int2> links;
    std::vector<int> colours(1, 0);
    for (int colour = 0; colour < 4; ++colour) {
        for (int y = 0; y < 200; ++y)
            for (int x = colour & 1; x < 199; x += 2)
                links.push_back(colour < 2 ? make_int2(y * 200 + x, y * 200 + x + 1)
                                           : make_int2(x * 200 + y, (x + 1) * 200 + y));
        colours.push_back(links.size());
    }
    const int2* cloth = in_device(links);
    float4* knots = (float4*)reals(4 * 200 * 200, 0.2, 1);
    clothLinks<<<157, 128>>>(knots, cloth, f, colours[0], colours[1], 0.8f);
    clothLinks<<<79, 256>>>(knots, cloth, f, colours[3], colours[4], 0.8f);
    std::vector<double> water, earlier;
    for (int i = 0; i < 10000; ++i) {
        const double rest[9] = {0, 0, 0, 1, 0, 0, -1 / 3., 0.942809, 0};
        for (double at : rest) {
            earlier.push_back(at + i);
            water.push_back(at + i + (next_number(state) % 1000 - 500.) * (i % 9) / 30000);
        }
    }
    shakeWater<<<79, 128>>>(in_device(water), in_device(earlier), z, 1e-9, 10000);
    float* matter = zeros<float>(3 * 128 * 128);
    mpmScatter<<<1563, 128>>>((float2*)f, (float2*)g, (float4*)g, matter, 128, 0.001f, 200000);
    boysIntegrals<<<79, 256>>>(d, r, 8, 20000);

    exprMachine<false><<<500, 256>>>(f, h, 40, 127900);
    exprMachine<true><<<100, 128>>>(f, h, 44, 12700);
    sudokuSearch<<<16, 16>>>(someSudokus(256, 60, state), out, z, 500, 256);
    sudokuSearch<<<60, 32>>>(someSudokus(1900, 35, state), out, z, 400, 1900);
    u64* change = in_device(std::vector<u64>(1, ~0ull));
    tspTwoOpt<<<66, 512, 1000 * sizeof(float2)>>>((float2*)f, change, 1000);
    tspTwoOpt<<<8, 1024, 400 * sizeof(float2)>>>((float2*)f, change, 400);

    std::vector<int> trie(400 * 256);
    for (int i = 0; i < 400 * 256; ++i)
        trie[i] = (next_number(state) % 3 ? 0 : next_number(state) % 200) |
                  (next_number(state) & 16 ? 0 : (int)(next_number(state) % 400) << 8);
    routeLookup<<<800, 256>>>(words, in_device(trie), z, zeros<unsigned>(16), 204000);
    int* voxels = zeros<int>(65536);
    voxelGather<<<391, 256>>>((float4*)f, in_device(std::vector<unsigned>(65536, ~0u)), h, voxels, 65535,
                              32.f, 100000);
    voxelGather<<<500, 64>>>((float4*)f, in_device(std::vector<unsigned>(4096, ~0u)), h, voxels, 4095, 6.f,
                             32000);
    float* system = zeros<float>(27);
    icpSystem<<<132, 128>>>((float4*)f, (float4*)f + 100001, (float4*)g, system, 0.3f, 400000);
    float* nearest = in_device(std::vector<float>(320 * 240, 1e9f));
    lidarDepth<<<782, 256>>>((float4*)f, nearest, 320, 240, 200000);

    const cudaError_t error = cudaDeviceSynchronize();
    std::vector<float> near(320 * 240);
    cudaMemcpy(near.data(), nearest, near.size() * sizeof(float), cudaMemcpyDeviceToHost);
    double nearSum = 0;
    for (float v : near) nearSum += v < 1e8f ? v : 0;
    printf("%s %.2f %.4f %.4f %.0f %.0f %.0f %.4f %.4f %.3f %.3f %.0f %.3f\n", cudaGetErrorString(error),
           sumOf(norm, 1), sumOf(solved, 6000), sumOf(delta, vertices), sumOf(joint, 4096), sumOf(sizes, 256),
           sumOf(minimal, 1), sumOf(action, 1), sumOf(matter, 3 * 128 * 128), sumOf(system, 27), nearSum,
           sumOf(voxels, 65536), sumOf(k, 4 * 3000));
    return error != cudaSuccess;
}
