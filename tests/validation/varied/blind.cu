// Kernels as imaging, biology, graphs, databases, networks, codes, finance and physics have them. They only judge: no
// rule is made of them.
#include "inputs.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <queue>

typedef unsigned long long u64;

__constant__ float2 polygon[64];
__constant__ u64 keccakConstants[24];

__device__ __forceinline__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __forceinline__ float warpSum(float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    return v;
}

// ---- images

// one block a row of 1024 pixels: the row half of a summed-area table
__global__ void integralRows(const unsigned char* image, unsigned* sums, int width) {
    __shared__ unsigned warps[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, base = blockIdx.x * width + threadIdx.x * 4;
    const uchar4 p = *(const uchar4*)(image + base);
    const unsigned a = p.x, b = a + p.y, c = b + p.z, d = c + p.w;
    unsigned scan = d;
    for (int step = 1; step < 32; step *= 2) {
        const unsigned other = __shfl_up_sync(~0u, scan, step);
        if (lane >= step) scan += other;
    }
    if (lane == 31) warps[warp] = scan;
    __syncthreads();
    unsigned before = scan - d;
    for (int w = 0; w < warp; ++w) before += warps[w];
    *(uint4*)(sums + base) = make_uint4(before + a, before + b, before + c, before + d);
}

// Canny's thinning of edges
__global__ void nonMaximum(const float* gx, const float* gy, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[at] = 0;
        return;
    }
    const float dx = gx[at], dy = gy[at], size = fabsf(dx) + fabsf(dy);
    int step;
    if (fabsf(dy) < 0.4142f * fabsf(dx))
        step = 1;
    else if (fabsf(dy) > 2.4142f * fabsf(dx))
        step = width;
    else
        step = dx * dy > 0 ? width + 1 : width - 1;
    const float one = fabsf(gx[at + step]) + fabsf(gy[at + step]), two = fabsf(gx[at - step]) + fabsf(gy[at - step]);
    out[at] = size >= one && size >= two ? size : 0.f;
}

__global__ void unsharpMask(const float* in, float* out, int width, int height, float amount) {
    __shared__ float tile[36][37], half[36][33];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
    for (int y = ty; y < 36; y += 32)
        for (int x = tx; x < 36; x += 32) {
            const int px = min(max(x0 + x - 2, 0), width - 1), py = min(max(y0 + y - 2, 0), height - 1);
            tile[y][x] = in[py * width + px];
        }
    __syncthreads();
    for (int y = ty; y < 36; y += 32)
        half[y][tx] = 0.0625f * (tile[y][tx] + tile[y][tx + 4]) + 0.25f * (tile[y][tx + 1] + tile[y][tx + 3]) +
                      0.375f * tile[y][tx + 2];
    __syncthreads();
    const float blurred = 0.0625f * (half[ty][tx] + half[ty + 4][tx]) + 0.25f * (half[ty + 1][tx] + half[ty + 3][tx]) +
                          0.375f * half[ty + 2][tx];
    const float own = tile[ty + 2][tx + 2];
    out[(y0 + ty) * width + x0 + tx] = fminf(fmaxf(own + amount * (own - blurred), 0.f), 1.f);
}

// Otsu's threshold of a histogram of 256 bins: one block
__global__ void otsu(const int* histogram, int* threshold) {
    __shared__ float weight[256], moment[256], value[256];
    __shared__ int which[256];
    const int t = threadIdx.x;
    weight[t] = histogram[t];
    moment[t] = (float)t * histogram[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const float w = t >= step ? weight[t - step] : 0.f, m = t >= step ? moment[t - step] : 0.f;
        __syncthreads();
        weight[t] += w;
        moment[t] += m;
        __syncthreads();
    }
    const float all = weight[255], total = moment[255], low = weight[t], high = all - low;
    float between = 0;
    if (low > 0 && high > 0) {
        const float gap = moment[t] / low - (total - moment[t]) / high;
        between = low * high * gap * gap;
    }
    value[t] = between;
    which[t] = t;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step && value[t + step] > value[t]) {
            value[t] = value[t + step];
            which[t] = which[t + step];
        }
        __syncthreads();
    }
    if (t == 0) *threshold = which[0];
}

// ---- biology

__global__ void kmerCount(const unsigned char* bases, unsigned* table, int k, int n) {
    const int i = place();
    if (i + k > n) return;
    unsigned forward = 0, backward = 0;
    for (int j = 0; j < k; ++j) {
        const unsigned base = bases[i + j];
        forward = forward << 2 | base;
        backward |= (3 - base) << 2 * j;
    }
    atomicAdd(&table[min(forward, backward)], 1u);
}

// one block a sequence, one thread a state
__global__ void viterbi(const float* change, const float* emit, const unsigned char* seen, unsigned char* back,
                        float* best, int length) {
    __shared__ float from[64][65], score[2][64];
    const int s = threadIdx.x;
    for (int k = 0; k < 64; ++k) from[k][s] = change[k * 64 + s];
    const unsigned char* mine = seen + blockIdx.x * length;
    score[0][s] = emit[mine[0] * 64 + s];
    __syncthreads();
    for (int t = 1; t < length; ++t) {
        const float* last = score[(t - 1) & 1];
        float top = -1e30f;
        int which = 0;
        for (int k = 0; k < 64; ++k) {
            const float v = last[k] + from[k][s];
            if (v > top) top = v, which = k;
        }
        score[t & 1][s] = top + emit[mine[t] * 64 + s];
        back[(blockIdx.x * length + t) * 64 + s] = which;
        __syncthreads();
    }
    best[blockIdx.x * 64 + s] = score[(length - 1) & 1][s];
}

// the most base pairs of an RNA of 64 bases: one block a sequence, diagonal by diagonal
__global__ void nussinov(const unsigned char* bases, int* pairs) {
    __shared__ short best[64][66];
    __shared__ unsigned char base[64];
    const int i = threadIdx.x;
    base[i] = bases[blockIdx.x * 64 + i];
    for (int j = 0; j < 66; ++j) best[i][j] = 0;
    __syncthreads();
    for (int span = 4; span < 64; ++span) {
        const int j = i + span;
        if (j < 64) {
            int top = max((int)best[i + 1][j], (int)best[i][j - 1]);
            if (base[i] + base[j] == 3) top = max(top, best[i + 1][j - 1] + 1);
            for (int k = i + 1; k < j - 1; ++k) top = max(top, best[i][k] + best[k + 1][j]);
            best[i][j] = top;
        }
        __syncthreads();
    }
    if (i == 0) pairs[blockIdx.x] = best[0][63];
}

// ---- graphs

__global__ void kCorePeel(const int* rows, const int* cols, const int* degree, int* left, int* gone, int k, int n) {
    const int v = place();
    if (v >= n) return;
    if (degree[v] >= k || gone[v]) return;
    gone[v] = 1;
    for (int e = rows[v]; e < rows[v + 1]; ++e) atomicSub(&left[cols[e]], 1);
}

__global__ void bfsBitmap(const int* rows, const int* cols, const unsigned* frontier, const unsigned* visited,
                          unsigned* next, int n) {
    const int v = place();
    if (v >= n) return;
    if (!(frontier[v >> 5] >> (v & 31) & 1)) return;
    const int end = rows[v + 1];
    for (int e = rows[v]; e < end; ++e) {
        const int to = cols[e];
        const unsigned bit = 1u << (to & 31);
        if (!(visited[to >> 5] & bit)) atomicOr(&next[to >> 5], bit);
    }
}

// a warp a vertex
__global__ void labelPropagate(const int* rows, const int* cols, const int* labels, int* out, int* changed, int n) {
    const int v = place() >> 5, lane = threadIdx.x & 31;
    if (v >= n) return;
    const int own = labels[v], end = rows[v + 1];
    int least = own;
    for (int e = rows[v] + lane; e < end; e += 32) least = min(least, labels[cols[e]]);
    least = __reduce_min_sync(~0u, least);
    if (lane == 0) {
        out[v] = least;
        if (least != own) atomicAdd(changed, 1);
    }
}

// ---- linear algebra

__global__ void ellSpmv(const double* values, const int* cols, const double* x, double* y, int rows, int width) {
    const int r = place();
    if (r >= rows) return;
    double sum = 0;
    for (int k = 0; k < width; ++k) {
        const int c = cols[k * rows + r];
        if (c >= 0) sum += values[k * rows + r] * x[c];
    }
    y[r] = sum;
}

__global__ void gemmDouble(const double* a, const double* b, double* c, int n) {
    __shared__ double ta[16][16], tb[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    double sum = 0;
    for (int k = 0; k < n; k += 16) {
        ta[ty][tx] = a[row * n + k + tx];
        tb[ty][tx] = b[(k + ty) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += ta[ty][j] * tb[j][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void cgUpdate(double* x, double* r, const double* p, const double* q, double alpha, double* rr, int n) {
    __shared__ double part[256];
    double sum = 0;
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        x[i] += alpha * p[i];
        const double v = r[i] - alpha * q[i];
        r[i] = v;
        sum += v * v;
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(rr, part[0]);
}

// ---- databases

__device__ __forceinline__ unsigned mix(unsigned key) {
    key ^= key >> 16;
    key *= 0x7feb352du;
    key ^= key >> 15;
    key *= 0x846ca68bu;
    return key ^ key >> 16;
}

__global__ void joinBuild(const unsigned* keys, u64* table, unsigned mask, int n) {
    const int i = place();
    if (i >= n) return;
    const u64 entry = (u64)(keys[i] + 1) << 32 | (unsigned)i;
    unsigned slot = mix(keys[i]) & mask;
    while (atomicCAS(&table[slot], 0ull, entry) != 0) slot = (slot + 1) & mask;
}

__global__ void joinProbe(const unsigned* keys, const u64* table, unsigned mask, int2* out, int* count, int room, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned key = keys[i];
    for (unsigned slot = mix(key) & mask;; slot = (slot + 1) & mask) {
        const u64 entry = table[slot];
        if (entry == 0) break;
        if ((unsigned)(entry >> 32) == key + 1) {
            const int at = atomicAdd(count, 1);
            if (at < room) out[at] = make_int2(i, (int)(unsigned)entry);
        }
    }
}

__global__ void groupBySum(const unsigned char* group, const int* amount, u64* sums, unsigned* counts, int n) {
    __shared__ u64 sum[64];
    __shared__ unsigned count[64];
    if (threadIdx.x < 64) sum[threadIdx.x] = 0, count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        const int g = group[i];
        atomicAdd(&sum[g], (u64)amount[i]);
        atomicAdd(&count[g], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64 && count[threadIdx.x]) {
        atomicAdd(&sums[threadIdx.x], sum[threadIdx.x]);
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
    }
}

__global__ void filteredRevenue(const int* day, const float* discount, const float* quantity, const double* price,
                                double* revenue, int n) {
    double sum = 0;
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        const int d = day[i];
        if (d < 20000 || d >= 60000) continue;
        const float cut = discount[i];
        if (cut >= 0.25f && cut <= 0.75f && quantity[i] < 0.7f) sum += price[i] * cut;
    }
    for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(revenue, sum);
}

// codes of 12 bits, packed, into the values of a dictionary
__global__ void dictDecode(const unsigned* packed, const float* dictionary, float* out, int n) {
    const int i = place();
    if (i >= n) return;
    const unsigned bit = i * 12u, word = bit >> 5;
    const unsigned code = __funnelshift_r(packed[word], packed[word + 1], bit & 31) & 4095;
    out[i] = dictionary[code];
}

// ---- sorting, scans, histograms

// each block sorts its 256 numbers of 16 bits, bit by bit
__global__ void splitSort(const unsigned* in, unsigned* out) {
    __shared__ unsigned keys[256];
    __shared__ int zerosOf[8];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    unsigned key = in[blockIdx.x * 256 + t] & 0xffff;
    for (int bit = 0; bit < 16; ++bit) {
        const bool one = key >> bit & 1;
        const unsigned clear = __ballot_sync(~0u, !one);
        if (lane == 0) zerosOf[warp] = __popc(clear);
        __syncthreads();
        int before = __popc(clear & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += zerosOf[w];
            all += zerosOf[w];
        }
        keys[one ? all + t - before : before] = key;
        __syncthreads();
        key = keys[t];
    }
    out[blockIdx.x * 256 + t] = key;
}

// sums since the last flag, within each block
__global__ void segmentedScan(const float* in, const unsigned char* flags, float* out, int n) {
    __shared__ float tails[32];
    __shared__ int cut[32];
    const int i = place(), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float v = i < n ? in[i] : 0.f;
    int flag = i < n ? flags[i] == 0 : 1;
    for (int d = 1; d < 32; d <<= 1) {
        const float other = __shfl_up_sync(~0u, v, d);
        const int stop = __shfl_up_sync(~0u, flag, d);
        if (lane >= d) {
            if (!flag) v += other;
            flag |= stop;
        }
    }
    if (lane == 31) tails[warp] = v, cut[warp] = flag;
    __syncthreads();
    if (!flag) {
        float carry = 0;
        for (int w = warp - 1; w >= 0; --w) {
            carry += tails[w];
            if (cut[w]) break;
        }
        v += carry;
    }
    if (i < n) out[i] = v;
}

// each warp sorts 32 pairs of key and place
__global__ void warpSort(const unsigned* keys, u64* out, int n) {
    const int i = place(), lane = threadIdx.x & 31;
    u64 mine = i < n ? (u64)keys[i] << 32 | (unsigned)i : ~0ull;
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            const u64 other = __shfl_xor_sync(~0u, mine, step);
            const bool up = (lane & size) == 0, lower = (lane & step) == 0;
            const u64 small = mine < other ? mine : other, large = mine < other ? other : mine;
            mine = up == lower ? small : large;
        }
    if (i < n) out[i] = mine;
}

__global__ void matchHistogram(const unsigned char* data, unsigned* bins, int n) {
    const int lane = threadIdx.x & 31;
    for (int i = place(); i < n; i += gridDim.x * blockDim.x) {
        const int bin = data[i];
        const unsigned same = __match_any_sync(__activemask(), bin);
        if (__ffs(same) - 1 == lane) atomicAdd(&bins[bin], (unsigned)__popc(same));
    }
}

// ---- chance and finance

__device__ __forceinline__ unsigned shifted(unsigned& s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

__global__ void hestonPaths(float* payoff, int steps, float strike, int n) {
    const int i = place();
    if (i >= n) return;
    unsigned seed = mix(i + 1) | 1;
    const float dt = 1.f / steps, root = sqrtf(dt), kappa = 1.5f, theta = 0.04f, sigma = 0.3f, rho = -0.7f;
    float spot = 0, var = 0.04f;
    for (int s = 0; s < steps; ++s) {
        const float u = (shifted(seed) + 1.f) * 2.3283064e-10f, w = shifted(seed) * 2.3283064e-10f;
        const float radius = sqrtf(-2.f * logf(fminf(u, 1.f)));
        float sine, cosine;
        sincospif(2.f * w, &sine, &cosine);
        const float z1 = radius * cosine, z2 = rho * z1 + sqrtf(1 - rho * rho) * radius * sine;
        const float v = fmaxf(var, 0.f), sv = sqrtf(v);
        spot += -0.5f * v * dt + sv * root * z1;
        var += kappa * (theta - v) * dt + sigma * sv * root * z2;
    }
    payoff[i] = fmaxf(expf(spot) - strike, 0.f);
}

// the yield of a bond by Newton's method
__global__ void bondYield(const double* price, const int* periods, double* out, int n) {
    const int i = place();
    if (i >= n) return;
    const double want = price[i], coupon = 0.03;
    const int count = 4 + periods[i] % 28;
    double yield = 0.05;
    for (int round = 0; round < 20; ++round) {
        const double discount = 1 / (1 + yield);
        double factor = 1, value = 0, slope = 0;
        for (int t = 1; t <= count; ++t) {
            factor *= discount;
            const double flow = t == count ? 1 + coupon : coupon;
            value += flow * factor;
            slope -= t * flow * factor * discount;
        }
        const double change = (value - want) / slope;
        yield -= change;
        if (fabs(change) < 1e-10) break;
    }
    out[i] = yield;
}

// ---- differential equations

__device__ __forceinline__ float3 fluxX(float h, float hu, float hv) {
    const float u = hu / h;
    return make_float3(hu, hu * u + 4.905f * h * h, hv * u);
}

__device__ __forceinline__ float3 fluxY(float h, float hu, float hv) {
    const float v = hv / h;
    return make_float3(hv, hu * v, hv * v + 4.905f * h * h);
}

__global__ void shallowWater(const float* h, const float* hu, const float* hv, float* h2, float* hu2, float* hv2,
                             int width, int height, float ratio) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const int at = y * width + x, l = at - 1, r = at + 1, d = at - width, u = at + width;
    const float3 fl = fluxX(h[l], hu[l], hv[l]), fr = fluxX(h[r], hu[r], hv[r]);
    const float3 gd = fluxY(h[d], hu[d], hv[d]), gu = fluxY(h[u], hu[u], hv[u]);
    h2[at] = 0.25f * (h[l] + h[r] + h[d] + h[u]) - ratio * (fr.x - fl.x + gu.x - gd.x);
    hu2[at] = 0.25f * (hu[l] + hu[r] + hu[d] + hu[u]) - ratio * (fr.y - fl.y + gu.y - gd.y);
    hv2[at] = 0.25f * (hv[l] + hv[r] + hv[d] + hv[u]) - ratio * (fr.z - fl.z + gu.z - gd.z);
}

// waves in three dimensions, of eighth order: a tile in shared memory that moves along z
__global__ void acousticWave(const float* now, const float* speed, float* other, int nx, int ny, int nz) {
    __shared__ float tile[16][40];
    const float c0 = -2.847222f, c1 = 1.6f, c2 = -0.2f, c3 = 0.025396825f, c4 = -0.0017857143f;
    const int tx = threadIdx.x + 4, ty = threadIdx.y + 4, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
    const int plane = nx * ny;
    int at = y * nx + x;
    float column[9];
    for (int k = 1; k < 9; ++k) column[k] = now[at + (k - 1) * plane];
    at += 3 * plane;
    for (int z = 4; z < nz - 4; ++z) {
        at += plane;
#pragma unroll
        for (int k = 0; k < 8; ++k) column[k] = column[k + 1];
        column[8] = now[at + 4 * plane];
        __syncthreads();
        tile[ty][tx] = column[4];
        if (threadIdx.x < 4) {
            tile[ty][tx - 4] = now[at - 4];
            tile[ty][tx + 32] = now[at + 32];
        }
        if (threadIdx.y < 4) {
            tile[ty - 4][tx] = now[at - 4 * nx];
            tile[ty + 8][tx] = now[at + 8 * nx];
        }
        __syncthreads();
        float sum = 3 * c0 * column[4];
        sum += c1 * (column[3] + column[5] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
        sum += c2 * (column[2] + column[6] + tile[ty][tx - 2] + tile[ty][tx + 2] + tile[ty - 2][tx] + tile[ty + 2][tx]);
        sum += c3 * (column[1] + column[7] + tile[ty][tx - 3] + tile[ty][tx + 3] + tile[ty - 3][tx] + tile[ty + 3][tx]);
        sum += c4 * (column[0] + column[8] + tile[ty][tx - 4] + tile[ty][tx + 4] + tile[ty - 4][tx] + tile[ty + 4][tx]);
        other[at] = 2 * column[4] - other[at] + speed[at] * sum;
    }
}

// ---- networks

__global__ void rmsNormResidual(const float4* x, float4* residual, const float4* gain, float4* out, int quads) {
    __shared__ float parts[32];
    const float4* in = x + (size_t)blockIdx.x * quads;
    float4* kept = residual + (size_t)blockIdx.x * quads;
    float sum = 0;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        float4 a = in[i];
        const float4 b = kept[i];
        a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w;
        kept[i] = a;
        sum += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
    }
    sum = warpSum(sum);
    if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        float v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.f;
        v = warpSum(v);
        if (threadIdx.x == 0) parts[0] = rsqrtf(v / (4 * quads) + 1e-5f);
    }
    __syncthreads();
    const float scale = parts[0];
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        const float4 a = kept[i], g = gain[i];
        out[(size_t)blockIdx.x * quads + i] =
            make_float4(a.x * scale * g.x, a.y * scale * g.y, a.z * scale * g.z, a.w * scale * g.w);
    }
}

// a warp a row, greatest and sum in one pass
__global__ void onlineSoftmax(const float* in, float* out, int rows, int cols) {
    const int row = place() >> 5, lane = threadIdx.x & 31;
    if (row >= rows) return;
    const float* x = in + (size_t)row * cols;
    float top = -INFINITY, sum = 0;
    for (int c = lane; c < cols; c += 32) {
        const float v = x[c], greater = fmaxf(top, v);
        sum = sum * __expf(top - greater) + __expf(v - greater);
        top = greater;
    }
    for (int d = 16; d > 0; d >>= 1) {
        const float t = __shfl_xor_sync(~0u, top, d), s = __shfl_xor_sync(~0u, sum, d), greater = fmaxf(top, t);
        sum = sum * __expf(top - greater) + s * __expf(t - greater);
        top = greater;
    }
    const float scale = 1 / sum;
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = __expf(x[c] - top) * scale;
}

// 3 by 3, many channels in, one channel out a block, ReLU
__global__ void convTile(const float* in, const float* weights, const float* bias, float* out, int channels, int height,
                         int width) {
    __shared__ float tile[18][18], w[9];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, k = blockIdx.z;
    const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    float sum = bias[k];
    for (int c = 0; c < channels; ++c) {
        for (int i = id; i < 18 * 18; i += 256) {
            const int y = y0 + i / 18, x = x0 + i % 18;
            tile[i / 18][i % 18] =
                x >= 0 && x < width && y >= 0 && y < height ? in[(c * height + y) * width + x] : 0.f;
        }
        if (id < 9) w[id] = weights[(k * channels + c) * 9 + id];
        __syncthreads();
#pragma unroll
        for (int dy = 0; dy < 3; ++dy)
#pragma unroll
            for (int dx = 0; dx < 3; ++dx) sum += w[dy * 3 + dx] * tile[ty + dy][tx + dx];
        __syncthreads();
    }
    out[(k * height + y0 + 1 + ty) * width + x0 + 1 + tx] = fmaxf(sum, 0.f);
}

__global__ void embeddingBackward(const int* tokens, const float* gradient, float* table, int width) {
    const int row = tokens[blockIdx.x];
    for (int c = threadIdx.x; c < width; c += blockDim.x)
        atomicAdd(&table[row * width + c], gradient[blockIdx.x * width + c]);
}

__global__ void int8Gemm(const int* a, const int* b, const float* scales, float* c, int n, int words) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < words; ++k) sum = __dp4a(a[row * words + k], b[k * n + col], sum);
    c[row * n + col] = sum * scales[col];
}

__global__ void swiGlu(const half2* gate, const half2* up, half2* out, int n) {
    const int i = place();
    if (i >= n) return;
    const float2 g = __half22float2(gate[i]);
    const half2 act = __floats2half2_rn(g.x / (1 + __expf(-g.x)), g.y / (1 + __expf(-g.y)));
    out[i] = __hmul2(act, up[i]);
}

__global__ void dropoutResidual(const float* x, const float* residual, float* out, unsigned char* mask, unsigned seed,
                                float keep, int n) {
    const int i = place();
    if (i >= n) return;
    const bool kept = mix(i ^ seed) * 2.3283064e-10f < keep;
    mask[i] = kept;
    out[i] = residual[i] + (kept ? x[i] / keep : 0.f);
}

// ---- codes

// each thread decodes its own stream of bits by a table of 1024 entries: symbol and length
__global__ void huffmanDecode(const unsigned* streams, const unsigned short* table, unsigned char* out, int words,
                              int symbols) {
    __shared__ unsigned short entries[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) entries[k] = table[k];
    __syncthreads();
    const int i = place();
    const unsigned* in = streams + i * words;
    u64 buffer = 0;
    int held = 0, next = 0;
    for (int s = 0; s < symbols; ++s) {
        if (held < 10) {
            buffer = buffer << 32 | (next < words ? in[next] : 0u);
            ++next;
            held += 32;
        }
        const unsigned entry = entries[buffer >> (held - 10) & 1023];
        out[i * symbols + s] = entry >> 8;
        held -= entry & 255;
    }
}

__global__ void aesBlocks(const uint4* in, uint4* out, const unsigned* tables, const uint4* keys, int n) {
    __shared__ unsigned t0[256], t1[256], t2[256], t3[256];
    __shared__ uint4 round[11];
    const int t = threadIdx.x;
    t0[t] = tables[t], t1[t] = tables[256 + t], t2[t] = tables[512 + t], t3[t] = tables[768 + t];
    if (t < 11) round[t] = keys[t];
    __syncthreads();
    const int i = place();
    if (i >= n) return;
    uint4 s = in[i];
    s.x ^= round[0].x, s.y ^= round[0].y, s.z ^= round[0].z, s.w ^= round[0].w;
    for (int r = 1; r <= 10; ++r) {
        uint4 v;
        v.x = t0[s.x >> 24] ^ t1[s.y >> 16 & 255] ^ t2[s.z >> 8 & 255] ^ t3[s.w & 255] ^ round[r].x;
        v.y = t0[s.y >> 24] ^ t1[s.z >> 16 & 255] ^ t2[s.w >> 8 & 255] ^ t3[s.x & 255] ^ round[r].y;
        v.z = t0[s.z >> 24] ^ t1[s.w >> 16 & 255] ^ t2[s.x >> 8 & 255] ^ t3[s.y & 255] ^ round[r].z;
        v.w = t0[s.w >> 24] ^ t1[s.x >> 16 & 255] ^ t2[s.y >> 8 & 255] ^ t3[s.z & 255] ^ round[r].w;
        s = v;
    }
    out[i] = s;
}

__device__ __forceinline__ u64 turned(u64 v, int by) { return v << by | v >> (64 - by); }

__global__ void keccakHash(const u64* messages, u64* digests, int n) {
    const int i = place();
    if (i >= n) return;
    const int turns[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
    const int lanes[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
    u64 a[25], c[5];
#pragma unroll
    for (int k = 0; k < 25; ++k) a[k] = k < 8 ? messages[i * 8 + k] : 0;
    a[8] = 6;
    a[16] ^= 1ull << 63;
    for (int round = 0; round < 24; ++round) {
#pragma unroll
        for (int x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int x = 0; x < 5; ++x) {
            const u64 d = c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1);
#pragma unroll
            for (int y = 0; y < 25; y += 5) a[y + x] ^= d;
        }
        u64 moved = a[1];
#pragma unroll
        for (int k = 0; k < 24; ++k) {
            const u64 kept = a[lanes[k]];
            a[lanes[k]] = turned(moved, turns[k]);
            moved = kept;
        }
#pragma unroll
        for (int y = 0; y < 25; y += 5) {
#pragma unroll
            for (int x = 0; x < 5; ++x) c[x] = a[y + x];
#pragma unroll
            for (int x = 0; x < 5; ++x) a[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        a[0] ^= keccakConstants[round];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) digests[i * 4 + k] = a[k];
}

// one pass of a transform over the integers modulo a prime
__global__ void nttStage(unsigned* data, const unsigned* roots, int half, int n) {
    const int i = place();
    if (i >= n / 2) return;
    const unsigned prime = 998244353u;
    const int k = i % half, at = i / half * half * 2 + k;
    const unsigned u = data[at], v = (u64)data[at + half] * roots[k] % prime;
    const unsigned sum = u + v, gap = u + prime - v;
    data[at] = sum >= prime ? sum - prime : sum;
    data[at + half] = gap >= prime ? gap - prime : gap;
}

// ---- geometry

__global__ void pointInPolygon(const float2* points, unsigned char* inside, int corners, int n) {
    const int i = place();
    if (i >= n) return;
    const float2 p = points[i];
    bool in = false;
    for (int a = 0, b = corners - 1; a < corners; b = a++) {
        const float2 u = polygon[a], v = polygon[b];
        if ((u.y > p.y) != (v.y > p.y) && p.x < (v.x - u.x) * (p.y - u.y) / (v.y - u.y) + u.x) in = !in;
    }
    inside[i] = in;
}

// how many of the leaves' boxes a box touches: a full binary tree, walked with a stack
__global__ void bvhOverlaps(const float4* boxes, int leaves, const float2* centres, float reach, int* counts, int n) {
    const int i = place();
    if (i >= n) return;
    const float2 c = centres[i];
    int stack[24], top = 0, found = 0;
    stack[top++] = 1;
    while (top > 0) {
        const int node = stack[--top];
        const float4 b = boxes[node];
        if (c.x + reach < b.x || c.x - reach > b.z || c.y + reach < b.y || c.y - reach > b.w) continue;
        if (node >= leaves)
            ++found;
        else {
            stack[top++] = 2 * node + 1;
            stack[top++] = 2 * node;
        }
    }
    counts[i] = found;
}

__global__ void depthSplat(const float4* points, u64* pixels, int width, int height, int n) {
    const int i = place();
    if (i >= n) return;
    const float4 p = points[i];
    const float z = p.z + 0.5f, inverse = 1.f / z;
    const int x = (int)((p.x - 0.5f) * inverse * width + width / 2), y = (int)((p.y - 0.5f) * inverse * height + height / 2);
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    atomicMin(&pixels[y * width + x], (u64)__float_as_uint(z) << 32 | (unsigned)i);
}

// ---- text and signals

// Aho and Corasick: each thread runs the automaton over its piece of the text
__global__ void dfaScan(const unsigned char* text, const unsigned char* step, const unsigned char* accept, int* matches,
                        int piece, int n) {
    const int i = place();
    const int begin = i * piece, end = min(begin + piece + 7, n);
    if (begin >= n) return;
    int state = 0, found = 0;
    for (int k = begin; k < end; ++k) {
        state = step[state * 4 + text[k]];
        found += accept[state];
    }
    if (found) atomicAdd(matches, found);
}

// four sections in a row, one thread a channel, samples interleaved
__global__ void biquadChannels(const float* __restrict__ in, float* __restrict__ out, const float* __restrict__ parts,
                               int channels, int samples) {
    const int c = place();
    if (c >= channels) return;
    float z1[4] = {}, z2[4] = {}, p[20];
    for (int k = 0; k < 20; ++k) p[k] = parts[k];
    for (int t = 0; t < samples; ++t) {
        float v = in[t * channels + c];
#pragma unroll
        for (int s = 0; s < 4; ++s) {
            const float y = p[s * 5] * v + z1[s];
            z1[s] = p[s * 5 + 1] * v - p[s * 5 + 3] * y + z2[s];
            z2[s] = p[s * 5 + 2] * v - p[s * 5 + 4] * y;
            v = y;
        }
        out[t * channels + c] = v;
    }
}

__global__ void haarBlocks(const float* in, float* out) {
    __shared__ float line[512];
    const int t = threadIdx.x;
    const float* x = in + blockIdx.x * 512;
    float* y = out + blockIdx.x * 512;
    line[t] = x[t];
    line[t + 256] = x[t + 256];
    for (int count = 256; count > 0; count /= 2) {
        __syncthreads();
        float a = 0, b = 0;
        if (t < count) a = line[2 * t], b = line[2 * t + 1];
        __syncthreads();
        if (t < count) {
            line[t] = (a + b) * 0.70710678f;
            y[count + t] = (a - b) * 0.70710678f;
        }
    }
    if (t == 0) y[0] = line[0];
}

// ---- particles

__global__ void cicDeposit(const float4* particles, float* grid, int side, int n) {
    const int i = place();
    if (i >= n) return;
    const float4 p = particles[i];
    const float x = p.x * (side - 2), y = p.y * (side - 2), z = p.z * (side - 2);
    const int ix = (int)x, iy = (int)y, iz = (int)z;
    const float fx = x - ix, fy = y - iy, fz = z - iz;
    float* cell = grid + (iz * side + iy) * side + ix;
    atomicAdd(cell, p.w * (1 - fx) * (1 - fy) * (1 - fz));
    atomicAdd(cell + 1, p.w * fx * (1 - fy) * (1 - fz));
    atomicAdd(cell + side, p.w * (1 - fx) * fy * (1 - fz));
    atomicAdd(cell + side + 1, p.w * fx * fy * (1 - fz));
    cell += side * side;
    atomicAdd(cell, p.w * (1 - fx) * (1 - fy) * fz);
    atomicAdd(cell + 1, p.w * fx * (1 - fy) * fz);
    atomicAdd(cell + side, p.w * (1 - fx) * fy * fz);
    atomicAdd(cell + side + 1, p.w * fx * fy * fz);
}

struct Orbit {
    double x, y, vx, vy;
};

__device__ Orbit pull(const Orbit& o) {
    const double r2 = o.x * o.x + o.y * o.y + 1e-4, inverse = 1 / (r2 * sqrt(r2));
    return {o.vx, o.vy, -o.x * inverse, -o.y * inverse};
}

__device__ Orbit moved(const Orbit& o, const Orbit& d, double by) {
    return {o.x + by * d.x, o.y + by * d.y, o.vx + by * d.vx, o.vy + by * d.vy};
}

__global__ void orbitsRk4(Orbit* orbits, double dt, int steps, int n) {
    const int i = place();
    if (i >= n) return;
    Orbit o = orbits[i];
    for (int s = 0; s < steps; ++s) {
        const Orbit k1 = pull(o), k2 = pull(moved(o, k1, dt / 2)), k3 = pull(moved(o, k2, dt / 2)),
                    k4 = pull(moved(o, k3, dt));
        o = moved(o, k1, dt / 6);
        o = moved(o, k2, dt / 3);
        o = moved(o, k3, dt / 3);
        o = moved(o, k4, dt / 6);
    }
    orbits[i] = o;
}

// ---- the host

static std::vector<unsigned short> huffmanTable() {
    const int lengths[12] = {2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10};
    std::vector<unsigned short> table;
    for (int s = 0; s < 12; ++s) table.insert(table.end(), 1 << (10 - lengths[s]), (65 + s) << 8 | lengths[s]);
    return table;
}

static std::vector<float4> boxTree(int bits) {
    const int leaves = 1 << bits, side = 1 << bits / 2;
    std::vector<float4> boxes(2 * leaves);
    uint32_t state = 12345;
    for (int i = 0; i < leaves; ++i) {
        int x = 0, y = 0;
        for (int b = 0; b < bits / 2; ++b) x |= (i >> 2 * b & 1) << b, y |= (i >> (2 * b + 1) & 1) << b;
        const float w = (0.5f + next_number(state) % 100 / 100.f) / side;
        boxes[leaves + i] = make_float4((float)x / side, (float)y / side, (float)x / side + w, (float)y / side + w);
    }
    for (int i = leaves - 1; i > 0; --i) {
        const float4 a = boxes[2 * i], b = boxes[2 * i + 1];
        boxes[i] = make_float4(std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.z, b.z), std::max(a.w, b.w));
    }
    return boxes;
}

static void automaton(std::vector<unsigned char>& step, std::vector<unsigned char>& accept) {
    std::vector<std::vector<int>> next(1, std::vector<int>(4, -1));
    accept.assign(1, 0);
    uint32_t state = 777;
    for (int p = 0; p < 20; ++p) {
        int at = 0;
        for (int k = 0; k < 8; ++k) {
            const int c = next_number(state) >> 5 & 3;
            if (next[at][c] < 0) {
                next[at][c] = next.size();
                next.push_back(std::vector<int>(4, -1));
                accept.push_back(0);
            }
            at = next[at][c];
        }
        accept[at] = 1;
    }
    std::vector<int> fail(next.size(), 0);
    std::queue<int> todo;
    for (int c = 0; c < 4; ++c)
        if (next[0][c] < 0)
            next[0][c] = 0;
        else
            todo.push(next[0][c]);
    for (; !todo.empty(); todo.pop()) {
        const int s = todo.front();
        for (int c = 0; c < 4; ++c) {
            const int to = next[s][c];
            if (to < 0)
                next[s][c] = next[fail[s]][c];
            else {
                fail[to] = next[fail[s]][c];
                todo.push(to);
            }
        }
    }
    for (auto& row : next)
        for (int to : row) step.push_back(to);
}

int main() {
    const int m = 1 << 20, vertices = 40000;
    float *f = reals(4 * m, 0.1, 1), *g = reals(2 * m, -1, 1), *h = zeros<float>(4 * m), *k = zeros<float>(2 * m);
    double *d = reals<double>(m, 0.5, 1.5), *e = reals<double>(m / 2, -1, 1), *r = zeros<double>(m);
    int *z = zeros<int>(4 * m), *days = wholes(m, 100000);
    unsigned* words = wholes<unsigned>(2 * m, 0xffffffffu);
    unsigned char *bytes = wholes<unsigned char>(2 * m, 256), *bases = wholes<unsigned char>(m, 4),
                  *out = zeros<unsigned char>(2 * m);

    // a graph: most vertices have few neighbours, some have many
    std::vector<int> ptr(vertices + 1), cols, degree(vertices), labels(vertices);
    uint32_t state = 4242;
    for (int v = 0; v < vertices; ++v) {
        ptr[v] = cols.size();
        const int count = v % 97 == 5 ? 150 : 2 + next_number(state) % 14;
        for (int j = 0; j < count; ++j) cols.push_back(next_number(state) % vertices);
        std::sort(cols.begin() + ptr[v], cols.end());
        degree[v] = count;
        labels[v] = v;
    }
    ptr[vertices] = cols.size();
    std::vector<unsigned> some(vertices / 32), seen(vertices / 32);
    for (int w = 0; w < vertices / 32; ++w) {
        some[w] = next_number(state) & next_number(state);
        seen[w] = some[w] | next_number(state);
    }
    std::vector<int> ell(12 * vertices);
    for (int i = 0; i < 12 * vertices; ++i) {
        const int row = i % vertices, c = row + (i / vertices - 6) * (i / vertices % 2 ? 1 : 200);
        ell[i] = c >= 0 && c < vertices ? c : -1;
    }
    const int *rows = in_device(ptr), *to = in_device(cols), *own = in_device(labels);

    std::vector<float2> corners(64);
    for (int i = 0; i < 64; ++i) {
        const double turn = i * 6.283185307 / 64, radius = 0.25 + 0.2 * (i * 7 % 11) / 11;
        corners[i] = make_float2(0.55 + radius * cos(turn), 0.55 + radius * sin(turn));
    }
    cudaMemcpyToSymbol(polygon, corners.data(), 64 * sizeof(float2));
    u64 constants[24];
    for (u64& c : constants) c = (u64)next_number(state) << 32 | next_number(state);
    cudaMemcpyToSymbol(keccakConstants, constants, sizeof constants);

    std::vector<unsigned> residues(m), roots(1024);
    for (unsigned& v : residues) v = next_number(state) % 998244353u;
    for (unsigned& v : roots) v = next_number(state) % 998244353u;
    std::vector<half> halves(m);
    for (half& v : halves) v = __float2half(next_number(state) % 2000 / 1000.f - 1);
    half2* half2s = (half2*)in_device(halves);
    std::vector<Orbit> orbits(1024);
    for (int i = 0; i < 1024; ++i) orbits[i] = {1 + i / 1024., 0, 0.1 * (i % 5), 0.8 + i % 7 / 20.};
    std::vector<unsigned char> step, accept;
    automaton(step, accept);

    integralRows<<<512, 256>>>(bytes, (unsigned*)z, 1024);
    nonMaximum<<<dim3(64, 128), dim3(16, 16)>>>(g, g + 1000, h, 1024, 2047);
    unsharpMask<<<dim3(32, 32), dim3(32, 32)>>>(f, h, 1024, 1024, 0.8f);
    otsu<<<1, 256>>>(wholes(256, 1000), zeros<int>(1));
    kmerCount<<<2048, 256>>>(bases, zeros<unsigned>(1 << 22), 11, m / 2);
    viterbi<<<16, 64>>>(g, g + 5000, wholes<unsigned char>(16 * 64, 20), out, h, 64);
    nussinov<<<24, 64>>>(bases, z);
    kCorePeel<<<313, 128>>>(rows, to, in_device(degree), in_device(degree), zeros<int>(vertices), 6, vertices);
    bfsBitmap<<<157, 256>>>(rows, to, in_device(some), in_device(seen), zeros<unsigned>(vertices / 32), vertices);
    labelPropagate<<<5000, 256>>>(rows, to, own, z, zeros<int>(1), vertices);
    labelPropagate<<<8, 1024>>>(rows, to, own, z, zeros<int>(1), 256);
    ellSpmv<<<313, 128>>>(d, in_device(ell), d, r, vertices, 12);
    gemmDouble<<<dim3(12, 12), dim3(16, 16)>>>(d, e, r, 192);
    gemmDouble<<<dim3(4, 4), dim3(16, 16)>>>(d, e, r, 64);
    cgUpdate<<<528, 256>>>(r, reals<double>(m / 2, 0, 1), d, e, 0.01, zeros<double>(1), m / 2);

    u64* table = zeros<u64>(65536);
    unsigned* keys = wholes<unsigned>(m / 2, 65536);
    joinBuild<<<32, 1024>>>(wholes<unsigned>(32768, 65536), table, 65535, 32768);
    joinProbe<<<2048, 256>>>(keys, table, 65535, (int2*)h, zeros<int>(1), 2 * m, m / 2);
    groupBySum<<<132, 256>>>(wholes<unsigned char>(m / 2, 64), days, zeros<u64>(64), zeros<unsigned>(64), m / 2);
    filteredRevenue<<<512, 256>>>(days, f, f + m, d, zeros<double>(1), m);
    dictDecode<<<8000, 256>>>(words, f, h, 8000 * 256);
    splitSort<<<256, 256>>>(keys, (unsigned*)z);
    segmentedScan<<<4096, 256>>>(f, wholes<unsigned char>(m, 50), h, m);
    segmentedScan<<<16, 512>>>(f, bytes, h, 16 * 512 - 100);
    warpSort<<<1024, 128>>>(words, (u64*)h, 131072);
    matchHistogram<<<16, 256>>>(bytes, zeros<unsigned>(256), 65536);
    hestonPaths<<<32, 128>>>(h, 100, 1.f, 4096);
    bondYield<<<24, 128>>>(d, days, r, 3000);
    shallowWater<<<dim3(64, 64), dim3(16, 16)>>>(f, g, g + m, h, h + m, h + 2 * m, 1024, 1024, 0.01f);
    acousticWave<<<dim3(8, 16), dim3(32, 8)>>>(f, f + 2 * m, reals(264 * 136 * 40), 264, 136, 40);
    rmsNormResidual<<<2000, 128>>>((float4*)f, (float4*)k, (float4*)g, (float4*)h, 256);
    onlineSoftmax<<<1000, 128>>>(g, h, 4000, 500);
    onlineSoftmax<<<8, 256>>>(g, h, 64, 4096);
    convTile<<<dim3(4, 4, 32), dim3(16, 16)>>>(g, g + m, f, h, 8, 64, 64);
    embeddingBackward<<<2048, 128>>>(wholes(2048, 1000), g, zeros<float>(1000 * 128), 128);
    int8Gemm<<<dim3(4, 8), dim3(16, 16)>>>((int*)words, (int*)words + m, f, h, 64, 256);
    swiGlu<<<1000, 256>>>(half2s, half2s + m / 4, (half2*)h, m / 4);
    dropoutResidual<<<16000, 128>>>(g, f, h, out, 99, 0.9f, 16000 * 128);
    huffmanDecode<<<16, 128>>>(words, in_device(huffmanTable()), out, 16, 160);
    aesBlocks<<<264, 256>>>((uint4*)words, (uint4*)h, words + m, (uint4*)(words + 5 * 1024), 264 * 256);
    keccakHash<<<30, 128>>>((u64*)words, (u64*)h, 3800);
    nttStage<<<2048, 256>>>(in_device(residues), in_device(roots), 1024, m);
    pointInPolygon<<<512, 256>>>((float2*)f, out, 64, 131072);
    bvhOverlaps<<<128, 128>>>(in_device(boxTree(12)), 4096, (float2*)f, 0.03f, z, 16384);
    depthSplat<<<3000, 256>>>((float4*)f, in_device(std::vector<u64>(640 * 480, ~0ull)), 640, 480, 3000 * 256);
    dfaScan<<<32, 128>>>(bases, in_device(step), in_device(accept), zeros<int>(1), 128, 32 * 128 * 128);
    biquadChannels<<<4, 64>>>(g, h, reals(20, 0, 0.3), 256, 256);
    haarBlocks<<<1500, 256>>>(f, h);
    cicDeposit<<<512, 256>>>((float4*)f, zeros<float>(64 * 64 * 64), 64, 131072);
    Orbit* flying = in_device(orbits);
    orbitsRk4<<<16, 64>>>(flying, 0.01, 40, 1024);

    const cudaError_t error = cudaDeviceSynchronize();
    std::vector<float> floats(4096);
    cudaMemcpy(floats.data(), h, 4096 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(orbits.data(), flying, orbits.size() * sizeof(Orbit), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : floats) sum += v;
    for (const Orbit& o : orbits) sum += o.x + o.y;
    printf("%s %.4f\n", cudaGetErrorString(error), sum);
    return error != cudaSuccess;
}
