// Kernels as video, vision, genomics, graphs, sparse matrices, sorting, ciphers, codecs, learning, random
// numbers, transport, physics, rendering, games and finance have them. They only judge: no rule is made of
// them.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "inputs.h"

typedef unsigned long long u64;

__constant__ unsigned shaRounds[64];
__constant__ int stepSizes[89];
__constant__ signed char indexSteps[16];
__constant__ unsigned sobolDirections[8][32];
__constant__ float4 transferFunction[64];
__constant__ unsigned textMasks[128];
__constant__ unsigned firstOf[5];
__constant__ unsigned fieldModulus[8];

__device__ __forceinline__ unsigned mix(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__device__ __forceinline__ float uniform(unsigned& state) {
    state = state * 747796405u + 2891336453u;
    unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    word = (word >> 22) ^ word;
    return (word >> 8) * (1.f / 16777216.f) + 2.9802322e-8f;
}

template <class T>
__device__ __forceinline__ T sumOfWarp(T value) {
#pragma unroll
    for (int offset = 16; offset; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

// what the threads before this one in its block have together; `total` is of all
__device__ int blockExclusive(int value, int* warps, int& total) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, count = (blockDim.x + 31) / 32;
    int scan = value;
    for (int step = 1; step < 32; step <<= 1) {
        const int left = __shfl_up_sync(0xffffffffu, scan, step);
        if (lane >= step) scan += left;
    }
    if (lane == 31) warps[warp] = scan;
    __syncthreads();
    if (warp == 0) {
        int part = lane < count ? warps[lane] : 0;
        for (int step = 1; step < 32; step <<= 1) {
            const int left = __shfl_up_sync(0xffffffffu, part, step);
            if (lane >= step) part += left;
        }
        if (lane < count) warps[lane] = part;
    }
    __syncthreads();
    total = warps[count - 1];
    return scan - value + (warp ? warps[warp - 1] : 0);
}

// ---- vision and video

// stereo: the disparity of a pixel, from census codes of a row, to a fraction
__global__ void hammingDisparity(const unsigned* __restrict__ left, const unsigned* __restrict__ right,
                                 float* disparity, int width, int range) {
    __shared__ unsigned l[132], r[132 + 64];
    const int first = blockIdx.x * 128, row = blockIdx.y * width;
    for (int i = threadIdx.x; i < 132; i += blockDim.x)
        l[i] = left[row + min(max(first + i - 2, 0), width - 1)];
    for (int i = threadIdx.x; i < 132 + range; i += blockDim.x)
        r[i] = right[row + min(max(first + i - 2 - range, 0), width - 1)];
    __syncthreads();

    int best = 1 << 20, bestAt = 0, before = 0, after = 0, last = 0;
    bool justFound = false;
    for (int d = 0; d < range; d++) {
        int cost = 0;
#pragma unroll
        for (int k = 0; k < 5; k++) cost += __popc(l[threadIdx.x + k] ^ r[threadIdx.x + k + range - d]);
        if (justFound) after = cost;
        justFound = false;
        if (cost < best) {
            best = cost;
            bestAt = d;
            before = last;
            justFound = true;
        }
        last = cost;
    }
    const int x = first + threadIdx.x;
    if (x >= width) return;
    float fine = bestAt;
    if (bestAt > 0 && bestAt < range - 1) {
        const int bend = before - 2 * best + after;
        if (bend > 0) fine += 0.5f * (before - after) / bend;
    }
    disparity[row + x] = fine;
}

__device__ float pixelAt(const float* image, int x, int y, int w, int h) {
    x = x < 0 ? 0 : (x >= w ? w - 1 : x);
    y = y < 0 ? 0 : (y >= h ? h - 1 : y);
    return image[y * w + x];
}

__global__ void lucasKanade(const float* first, const float* second, float2* flow, int w, int h) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= w || y >= h) return;
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            float ix =
                0.5f * (pixelAt(first, x + i + 1, y + j, w, h) - pixelAt(first, x + i - 1, y + j, w, h));
            float iy =
                0.5f * (pixelAt(first, x + i, y + j + 1, w, h) - pixelAt(first, x + i, y + j - 1, w, h));
            float it = pixelAt(second, x + i, y + j, w, h) - pixelAt(first, x + i, y + j, w, h);
            xx += ix * ix;
            xy += ix * iy;
            yy += iy * iy;
            xt += ix * it;
            yt += iy * it;
        }
    }
    float det = xx * yy - xy * xy;
    float2 v = make_float2(0.f, 0.f);
    if (fabsf(det) > 1e-6f) {
        v.x = (xy * yt - yy * xt) / det;
        v.y = (xy * xt - xx * yt) / det;
    }
    flow[y * w + x] = v;
}

// a camera's mosaic RGGB to colours
__global__ void demosaic(const unsigned char* raw, uchar4* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1) return;
    const unsigned char* p = raw + y * width + x;
    const int own = p[0], cross = (p[-1] + p[1] + p[-width] + p[width] + 2) >> 2;
    const int corners = (p[-width - 1] + p[-width + 1] + p[width - 1] + p[width + 1] + 2) >> 2;
    const int beside = (p[-1] + p[1] + 1) >> 1, above = (p[-width] + p[width] + 1) >> 1;
    uchar4 colour;
    switch ((y & 1) * 2 + (x & 1)) {
        case 0: colour = make_uchar4(own, cross, corners, 255); break;
        case 1: colour = make_uchar4(beside, own, above, 255); break;
        case 2: colour = make_uchar4(above, own, beside, 255); break;
        default: colour = make_uchar4(corners, cross, own, 255);
    }
    out[y * width + x] = colour;
}

#define NLM_TILE 16
#define NLM_REACH 3
__global__ void nonLocalMeans(const float* src, float* dst, int width, int height, float invH2) {
    const int side = NLM_TILE + 2 * (NLM_REACH + 1);
    __shared__ float s[side][side + 1];
    const int ox = blockIdx.x * NLM_TILE - NLM_REACH - 1, oy = blockIdx.y * NLM_TILE - NLM_REACH - 1;
    for (int k = threadIdx.y * NLM_TILE + threadIdx.x; k < side * side; k += NLM_TILE * NLM_TILE) {
        const int sx = min(max(ox + k % side, 0), width - 1), sy = min(max(oy + k / side, 0), height - 1);
        s[k / side][k % side] = src[sy * width + sx];
    }
    __syncthreads();
    const int cx = threadIdx.x + NLM_REACH + 1, cy = threadIdx.y + NLM_REACH + 1;
    float sum = 0.0f, weights = 0.0f;
    for (int dy = -NLM_REACH; dy <= NLM_REACH; ++dy)
        for (int dx = -NLM_REACH; dx <= NLM_REACH; ++dx) {
            float distance = 0.0f;
#pragma unroll
            for (int py = -1; py <= 1; ++py)
#pragma unroll
                for (int px = -1; px <= 1; ++px) {
                    const float d = s[cy + py][cx + px] - s[cy + dy + py][cx + dx + px];
                    distance += d * d;
                }
            const float weight = __expf(-distance * invH2);
            sum += weight * s[cy + dy][cx + dx];
            weights += weight;
        }
    dst[(blockIdx.y * NLM_TILE + threadIdx.y) * width + blockIdx.x * NLM_TILE + threadIdx.x] = sum / weights;
}

// a step of the jump flooding algorithm: the nearest seed of each pixel
__global__ void jumpFlood(const short2* in, short2* out, int size, int step) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    short2 best = make_short2(-1, -1);
    int bestDistance = 0x7fffffff;
    for (int dy = -1; dy <= 1; dy++) {
        const int ny = y + dy * step;
        if (ny < 0 || ny >= size) continue;
        for (int dx = -1; dx <= 1; dx++) {
            const int nx = x + dx * step;
            if (nx < 0 || nx >= size) continue;
            const short2 seed = in[ny * size + nx];
            if (seed.x < 0) continue;
            const int a = seed.x - x, b = seed.y - y, distance = a * a + b * b;
            if (distance < bestDistance) {
                bestDistance = distance;
                best = seed;
            }
        }
    }
    out[y * size + x] = best;
}

__device__ inline unsigned short to565(int r, int g, int b) {
    return (unsigned short)((r >> 3) << 11 | (g >> 2) << 5 | b >> 3);
}

// a thread a tile of 4 x 4 pixels: two colours and two bits for each pixel (BC1)
__global__ void bc1Encode(const uchar4* image, uint2* blocks, int width, int tiles) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= tiles) return;
    const int perRow = width / 4;
    const uchar4* corner = image + (id / perRow) * 4 * width + (id % perRow) * 4;
    uchar4 pixels[16];
    int lowR = 255, lowG = 255, lowB = 255, highR = 0, highG = 0, highB = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        pixels[i] = corner[(i / 4) * width + i % 4];
        lowR = min(lowR, (int)pixels[i].x);
        highR = max(highR, (int)pixels[i].x);
        lowG = min(lowG, (int)pixels[i].y);
        highG = max(highG, (int)pixels[i].y);
        lowB = min(lowB, (int)pixels[i].z);
        highB = max(highB, (int)pixels[i].z);
    }
    const int dr = highR - lowR, dg = highG - lowG, db = highB - lowB,
              length = max(dr * dr + dg * dg + db * db, 1);
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const int along = (pixels[i].x - lowR) * dr + (pixels[i].y - lowG) * dg + (pixels[i].z - lowB) * db;
        const int level = (along * 6 + length) / (2 * length);  // 0 to 3
        const unsigned code = level == 0 ? 1 : level == 3 ? 0 : level == 1 ? 3 : 2;
        bits |= code << (2 * i);
    }
    blocks[id] = make_uint2(to565(highR, highG, highB) | (unsigned)to565(lowR, lowG, lowB) << 16, bits);
}

// a block a macroblock of 16 x 16, a thread a motion vector
__global__ void motionSearch(const unsigned char* current, const unsigned char* reference, int* vectors,
                             int stride) {
    __shared__ unsigned now[16][4], window[32][9];
    __shared__ unsigned best;
    const int t = threadIdx.y * 16 + threadIdx.x, mx = blockIdx.x * 16 + 8, my = blockIdx.y * 16 + 8;
    if (t < 64) now[t / 4][t % 4] = *(const unsigned*)(current + (my + t / 4) * stride + mx + t % 4 * 4);
    window[t / 8][t % 8] = *(const unsigned*)(reference + (my - 8 + t / 8) * stride + mx - 8 + t % 8 * 4);
    if (t == 0) best = ~0u;
    __syncthreads();
    const unsigned shift = (threadIdx.x & 3) * 8;
    const int word = threadIdx.x >> 2;
    unsigned sad = 0;
    for (int row = 0; row < 16; row++) {
        const unsigned* w = &window[threadIdx.y + row][word];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const unsigned there = __funnelshift_r(w[k], w[k + 1], shift);
            sad += __vsadu4(now[row][k], there);
        }
    }
    atomicMin(&best, sad << 8 | t);
    __syncthreads();
    if (t == 0) vectors[blockIdx.y * gridDim.x + blockIdx.x] = best & 255;
}

// ---- genomics

// the forward sum of a pair HMM: a warp a pair, a lane a base of the read, the haplotype in diagonals
__global__ void pairHmm(const unsigned char* reads, const unsigned char* quality,
                        const unsigned char* haplotypes, float* likelihood, int hapLength, int pairs) {
    const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (pair >= pairs) return;
    const unsigned char base = reads[pair * 32 + lane];
    const float error = exp10f(-0.1f * (10 + quality[pair * 32 + lane] % 30));
    const float open = 0.001f, extend = 0.1f, stay = 1 - 2 * open, close = 1 - extend;
    const unsigned char* hap = haplotypes + (pair % 97) * hapLength;
    const float start = 1.f / hapLength;

    float m = 0, ins = 0, del = 0;                         // of this lane's row, at its last column
    float diagM = 0, diagI = 0, diagD = lane ? 0 : start;  // of the row above, one column before
    float sum = 0;
    for (int s = 0; s < hapLength + 31; ++s) {
        float upM = __shfl_up_sync(~0u, m, 1), upI = __shfl_up_sync(~0u, ins, 1),
              upD = __shfl_up_sync(~0u, del, 1);
        if (lane == 0) {
            upM = upI = 0;
            upD = start;
        }
        const int column = s - lane;
        if (column >= 0 && column < hapLength) {
            const float prior = hap[column] == base ? 1 - error : error * (1.f / 3);
            const float newM = prior * (stay * diagM + close * (diagI + diagD));
            const float newI = open * upM + extend * upI;
            del = open * m + extend * del;
            m = newM;
            ins = newI;
            sum += m + ins;
        }
        diagM = upM;
        diagI = upI;
        diagD = upD;
    }
    if (lane == 31) likelihood[pair] = log10f(fmaxf(sum, 1e-37f));
}

struct OccBlock {
    unsigned count[4];
    u64 low, high;
};

__device__ unsigned rankOf(const OccBlock* index, int c, unsigned at) {
    const OccBlock* block = index + (at >> 6);
    u64 bits = (c & 1 ? block->low : ~block->low) & (c & 2 ? block->high : ~block->high);
    bits &= (1ull << (at & 63)) - 1;
    return block->count[c] + __popcll(bits);
}

// exact matches by backward search in a compressed index
__global__ void fmSearch(const OccBlock* index, const unsigned* patterns, int length, unsigned text,
                         uint2* ranges, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned letters = patterns[i];
    unsigned low = 0, high = text;
    for (int k = 0; k < length && low < high; ++k) {
        const int c = letters & 3;
        letters >>= 2;
        low = firstOf[c] + rankOf(index, c, low);
        high = firstOf[c] + rankOf(index, c, high);
    }
    ranges[i] = make_uint2(low, high);
}

// ---- graphs and sparse matrices

__global__ void boruvkaMinEdge(const int* offsets, const int* targets, const unsigned* weights,
                               const int* component, u64* cheapest, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int mine = component[v];
    u64 best = ~0ull;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        int u = targets[e];
        if (component[u] == mine) continue;
        u64 key = (u64)weights[e] << 32 | (unsigned)e;
        if (key < best) best = key;
    }
    if (best != ~0ull) atomicMin(&cheapest[mine], best);
}

// attention over a graph's edges: a warp a vertex, a lane a feature
__global__ void gatAggregate(const int* __restrict__ offsets, const int* __restrict__ targets,
                             const float* __restrict__ source, const float* __restrict__ target,
                             const float* __restrict__ features, float* __restrict__ out, int n) {
    const int v = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (v >= n) return;
    const int begin = offsets[v], end = offsets[v + 1];
    const float own = source[v];
    float peak = -INFINITY;
    for (int e = begin + lane; e < end; e += 32) {
        float score = own + target[targets[e]];
        score = score > 0 ? score : 0.2f * score;
        peak = fmaxf(peak, score);
    }
    for (int d = 16; d; d >>= 1) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, d));
    float total = 0, result = 0;
    for (int base = begin; base < end; base += 32) {
        const int e = base + lane;
        int u = 0;
        float weight = 0;
        if (e < end) {
            u = targets[e];
            float score = own + target[u];
            score = score > 0 ? score : 0.2f * score;
            weight = __expf(score - peak);
        }
        total += weight;
        const int count = min(32, end - base);
        for (int k = 0; k < count; ++k) {
            const int other = __shfl_sync(~0u, u, k);
            result += __shfl_sync(~0u, weight, k) * features[other * 32 + lane];
        }
    }
    total = sumOfWarp(total);
    out[v * 32 + lane] = total > 0 ? result / total : 0.f;
}

// a thread an entry; entries of a row that lie in one warp are added before they go to memory
__global__ void cooSpmv(const int* rows, const int* cols, const float* values, const float* x, float* y,
                        int entries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int row = i < entries ? rows[i] : -1;
    float sum = i < entries ? values[i] * x[cols[i]] : 0.f;
    for (int d = 1; d < 32; d *= 2) {
        const int otherRow = __shfl_up_sync(~0u, row, d);
        const float other = __shfl_up_sync(~0u, sum, d);
        if (lane >= d && otherRow == row) sum += other;
    }
    const int next = __shfl_down_sync(~0u, row, 1);
    if (row >= 0 && (lane == 31 || next != row)) atomicAdd(&y[row], sum);
}

// a matrix of dense blocks of B x B: a thread a row
template <int B>
__global__ void bsrSpmv(const int* offsets, const int* columns, const double* blocks, const double* x,
                        double* y, int blockRows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, blockRow = row / B, inner = row % B;
    if (blockRow >= blockRows) return;
    double sum = 0;
    for (int k = offsets[blockRow]; k < offsets[blockRow + 1]; k++) {
        const double* part = blocks + (size_t)k * B * B + inner * B;
        const double* from = x + columns[k] * B;
#pragma unroll
        for (int j = 0; j < B; j++) sum += part[j] * from[j];
    }
    y[row] = sum;
}

// how many entries each row of A * A has: a block a row, a warp an entry of A, a table in shared memory
__global__ void spgemmCount(const int* offsets, const int* columns, int* counts) {
    __shared__ int table[512];
    __shared__ int found;
    const int row = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 512; i += blockDim.x) table[i] = -1;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    int mine = 0;
    for (int a = offsets[row] + warp; a < offsets[row + 1]; a += blockDim.x / 32) {
        const int middle = columns[a];
        for (int b = offsets[middle] + lane; b < offsets[middle + 1]; b += 32) {
            const int column = columns[b];
            unsigned slot = column * 107u & 511u;
            while (true) {
                const int old = atomicCAS(&table[slot], -1, column);
                if (old == -1) ++mine;
                if (old == -1 || old == column) break;
                slot = (slot + 1) & 511u;
            }
        }
    }
    atomicAdd(&found, mine);
    __syncthreads();
    if (threadIdx.x == 0) counts[row] = found;
}

// ---- sorts, scans and partitions

// a pass of a radix sort by 4 bits: 256 threads with 4 keys each; `starts` says where a block's digits go
__global__ void radixScatter(const unsigned* keys, unsigned* sorted, const int* starts, int shift) {
    __shared__ unsigned short counters[16 * 256];
    __shared__ int warps[8], digitStart[16];
    const int t = threadIdx.x;
    const uint4 four = reinterpret_cast<const uint4*>(keys)[blockIdx.x * 256 + t];
    const unsigned key[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int d = 0; d < 16; d++) counters[d * 256 + t] = 0;
    int rank[4];
#pragma unroll
    for (int i = 0; i < 4; i++) rank[i] = counters[(key[i] >> shift & 15) * 256 + t]++;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += counters[t * 16 + i];
    int total;
    int before = blockExclusive(sum, warps, total);
    for (int i = 0; i < 16; i++) {
        const int count = counters[t * 16 + i];
        counters[t * 16 + i] = before;
        before += count;
    }
    __syncthreads();
    if (t < 16) digitStart[t] = starts[t * gridDim.x + blockIdx.x] - counters[t * 256];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int digit = key[i] >> shift & 15;
        sorted[digitStart[digit] + counters[digit * 256 + t] + rank[i]] = key[i];
    }
}

// a scan in one pass: blocks look back at what those before them have said
__global__ void chainedScan(const int* in, int* out, u64* states, int* ticket, int n) {
    __shared__ int warps[32], tile, carry;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
    __syncthreads();
    const int base = (tile * blockDim.x + threadIdx.x) * 4;
    int4 v = make_int4(0, 0, 0, 0);
    if (base < n) v = *(const int4*)(in + base);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int total;
    const int before = blockExclusive(v.w, warps, total);
    if (threadIdx.x == 0) {
        int sum = 0;
        if (tile > 0) {
            atomicExch(&states[tile], 1ull << 32 | (unsigned)total);
            for (int p = tile - 1; p >= 0;) {
                const u64 state = atomicAdd(&states[p], 0ull);
                const unsigned flag = state >> 32;
                if (flag == 0) continue;
                sum += (int)(unsigned)state;
                if (flag == 2) break;
                --p;
            }
        }
        atomicExch(&states[tile], 2ull << 32 | (unsigned)(sum + total));
        carry = sum;
    }
    __syncthreads();
    if (base < n) {
        const int add = before + carry;
        *(int4*)(out + base) = make_int4(v.x + add, v.y + add, v.z + add, v.w + add);
    }
}

// rows to 32 partitions, by the hash of their key; a block takes room for all of its rows at once
__global__ void hashPartition(const unsigned* keys, const float* payload, uint2* out, int* cursors,
                              int capacity, int n) {
    __shared__ int counts[32], places[32];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    if (t < 32) counts[t] = 0;
    __syncthreads();
    int where[4], rank[4];
    for (int k = 0; k < 4; ++k) {
        const int i = first + k * 256 + t;
        where[k] = -1;
        if (i < n) {
            where[k] = mix(keys[i]) >> 27;
            rank[k] = atomicAdd(&counts[where[k]], 1);
        }
    }
    __syncthreads();
    if (t < 32) places[t] = atomicAdd(&cursors[t], counts[t]);
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        if (where[k] < 0) continue;
        const int i = first + k * 256 + t, at = places[where[k]] + rank[k];
        if (at < capacity) out[where[k] * capacity + at] = make_uint2(keys[i], __float_as_uint(payload[i]));
    }
}

__device__ inline u64 splitmix(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// how many different values there are, about
__global__ void hyperLogLog(const u64* values, unsigned* registers, size_t n) {
    __shared__ unsigned local[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        const u64 h = splitmix(values[i]);
        const unsigned rank = __clzll(h << 10 | 512) + 1;
        atomicMax(&local[h >> 54], rank);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        if (local[i]) atomicMax(&registers[i], local[i]);
}

// ---- ciphers

__device__ __forceinline__ unsigned ror(unsigned x, int n) { return __funnelshift_r(x, x, n); }

__global__ void sha256Nonces(const unsigned* midstate, unsigned tail, unsigned firstNonce, unsigned* winner,
                             unsigned* hashes) {
    const unsigned nonce = firstNonce + blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16] = {tail, nonce, ror(tail, 3), 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 640};
    unsigned a = midstate[0], b = midstate[1], c = midstate[2], d = midstate[3];
    unsigned e = midstate[4], f = midstate[5], g = midstate[6], h = midstate[7];
    for (int round = 0; round < 64; round += 16) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            if (round > 0) {
                const unsigned p = w[(i + 1) & 15], q = w[(i + 14) & 15];
                w[i] +=
                    (ror(p, 7) ^ ror(p, 18) ^ p >> 3) + w[(i + 9) & 15] + (ror(q, 17) ^ ror(q, 19) ^ q >> 10);
            }
            const unsigned t1 = h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) +
                                shaRounds[round + i] + w[i];
            const unsigned t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
    }
    a += midstate[0];
    if (__clz(a) >= 10) atomicMin(winner, nonce);
    hashes[nonce - firstNonce] = a ^ (h + midstate[7]);
}

// a stream a thread; its permutation of 256 bytes lies in shared memory
__global__ void rc4Streams(const unsigned char* keys, unsigned char* out, int length) {
    extern __shared__ unsigned char boxes[];
    unsigned char* s = boxes + threadIdx.x * 260;
    const int stream = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 256; i++) s[i] = i;
    unsigned char key[8];
    for (int i = 0; i < 8; i++) key[i] = keys[stream * 8 + i];
    int j = 0;
    for (int i = 0; i < 256; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const unsigned char old = s[i + k];
            j = (j + old + key[k]) & 255;
            s[i + k] = s[j];
            s[j] = old;
        }
    }
    int i = 0;
    j = 0;
    for (int n = 0; n < length; n++) {
        i = (i + 1) & 255;
        const unsigned char a = s[i];
        j = (j + a) & 255;
        const unsigned char b = s[j];
        s[i] = b;
        s[j] = a;
        out[stream * length + n] = s[(a + b) & 255];
    }
}

struct Field {
    unsigned limb[8];
};

// Montgomery's product of two numbers of 256 bits
__device__ Field montgomery(const Field& x, const Field& y, unsigned inverse) {
    unsigned t[10] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        u64 carry = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            carry += (u64)x.limb[i] * y.limb[j] + t[j];
            t[j] = (unsigned)carry;
            carry >>= 32;
        }
        carry += t[8];
        t[8] = (unsigned)carry;
        t[9] = (unsigned)(carry >> 32);
        const unsigned m = t[0] * inverse;
        carry = ((u64)m * fieldModulus[0] + t[0]) >> 32;
#pragma unroll
        for (int j = 1; j < 8; ++j) {
            carry += (u64)m * fieldModulus[j] + t[j];
            t[j - 1] = (unsigned)carry;
            carry >>= 32;
        }
        carry += t[8];
        t[7] = (unsigned)carry;
        t[8] = t[9] + (unsigned)(carry >> 32);
    }
    Field reduced;
    long long borrow = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        borrow += (long long)t[j] - fieldModulus[j];
        reduced.limb[j] = (unsigned)borrow;
        borrow >>= 32;
    }
    if (t[8] + borrow < 0)  // less than the modulus already
        for (int j = 0; j < 8; ++j) reduced.limb[j] = t[j];
    return reduced;
}

__global__ void fieldPower(const Field* in, Field* out, unsigned exponent, unsigned inverse, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Field x = in[i];
    Field power = x;
    for (int bit = 30 - __clz(exponent); bit >= 0; --bit) {
        power = montgomery(power, power, inverse);
        if (exponent >> bit & 1) power = montgomery(power, x, inverse);
    }
    out[i] = power;
}

// ---- codecs

// a thread a packet of sound, 4 bits a sample
__global__ void imaAdpcm(const unsigned* packets, short* samples, int words, int n) {
    const int packet = blockIdx.x * blockDim.x + threadIdx.x;
    if (packet >= n) return;
    const unsigned* in = packets + packet * (words + 1);
    short* out = samples + packet * words * 8;
    int predicted = (short)(in[0] & 0xffff), index = min((int)(in[0] >> 16 & 127), 88);
    for (int w = 1; w <= words; w++) {
        unsigned bits = in[w];
        for (int k = 0; k < 8; k++, bits >>= 4) {
            const int code = bits & 15, step = stepSizes[index];
            int change = step >> 3;
            if (code & 1) change += step >> 2;
            if (code & 2) change += step >> 1;
            if (code & 4) change += step;
            predicted += code & 8 ? -change : change;
            predicted = max(-32768, min(32767, predicted));
            index = max(0, min(88, index + indexSteps[code]));
            *out++ = (short)predicted;
        }
    }
}

// RS(255, 223): a warp a codeword, a lane one of its 32 check bytes
__global__ void reedSolomon(const unsigned char* data, const unsigned char* generator, unsigned char* check,
                            int words) {
    __shared__ unsigned char logs[256], exps[512];
    if (threadIdx.x == 0) {
        int x = 1;
        for (int i = 0; i < 255; i++) {
            exps[i] = x;
            exps[i + 255] = x;
            logs[x] = i;
            x <<= 1;
            if (x & 256) x ^= 0x11d;
        }
        exps[510] = exps[511] = 1;
        logs[0] = 0;
    }
    __syncthreads();
    const int word = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (word >= words) return;
    const int factor = generator[lane];  // a logarithm
    int parity = 0;
    for (int i = 0; i < 223; i++) {
        const int feedback = data[word * 223 + i] ^ __shfl_sync(0xffffffff, parity, 31);
        int shifted = __shfl_up_sync(0xffffffff, parity, 1);
        if (lane == 0) shifted = 0;
        parity = shifted;
        if (feedback) parity ^= exps[logs[feedback] + factor];
    }
    check[word * 32 + 31 - lane] = parity;
}

// a warp a chunk of what an LZ77 coder left: literals, then a match, until the chunk ends
__global__ void lzDecode(const unsigned char* stream, const int* chunkStarts, unsigned char* out,
                         int chunkRoom, int chunks) {
    const int chunk = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (chunk >= chunks) return;
    int at = chunkStarts[chunk];
    const int end = chunkStarts[chunk + 1];
    unsigned char* to = out + chunk * chunkRoom;
    int filled = 0;
    while (at < end) {
        const int token = stream[at++];
        int literals = token >> 4, length = token & 15;
        if (literals == 15) {
            int more;
            do {
                more = stream[at++];
                literals += more;
            } while (more == 255);
        }
        for (int i = lane; i < literals; i += 32) to[filled + i] = stream[at + i];
        at += literals;
        filled += literals;
        if (at >= end) break;
        const int offset = stream[at] | stream[at + 1] << 8;
        at += 2;
        if (length == 15) {
            int more;
            do {
                more = stream[at++];
                length += more;
            } while (more == 255);
        }
        length += 4;
        __syncwarp();
        const unsigned char* from = to + filled - offset;
        for (int i = lane; i < length; i += 32) to[filled + i] = from[i % offset];
        filled += length;
        __syncwarp();
    }
}

// differences as variable numbers of bytes
__global__ void varintEncode(const int* values, unsigned char* out, int* sizes, int n) {
    __shared__ unsigned char staged[256 * 5];
    __shared__ int warps[8];
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned code = 0;
    int length = 0;
    if (i < n) {
        const int delta = values[i] - (i > 0 ? values[i - 1] : 0);
        code = (unsigned)(delta << 1) ^ (unsigned)(delta >> 31);
        length = code < 1u << 7 ? 1 : code < 1u << 14 ? 2 : code < 1u << 21 ? 3 : code < 1u << 28 ? 4 : 5;
    }
    int total;
    int at = blockExclusive(length, warps, total);
    for (int k = 0; k < length; k++) {
        staged[at++] = (code & 127) | (k + 1 < length ? 128 : 0);
        code >>= 7;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < total; k += 256) out[blockIdx.x * 1280 + k] = staged[k];
    if (threadIdx.x == 0) sizes[blockIdx.x] = total;
}

// ---- learning

// weights of 4 bits in groups of 64 with a scale and a zero: a warp a row
__global__ void gemvInt4(const unsigned* __restrict__ weights, const half2* __restrict__ scales,
                         const half* __restrict__ x, half* __restrict__ y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    const int words = columns / 8, groups = columns / 64;
    float sum = 0.f;
    for (int w = lane; w < words; w += 32) {
        const unsigned packed = __ldg(weights + (size_t)row * words + w);
        const float2 scale = __half22float2(scales[row * groups + w / 8]);
        const uint4 eight = *reinterpret_cast<const uint4*>(x + w * 8);
        const half2* pairs = reinterpret_cast<const half2*>(&eight);
        float part = 0.f, all = 0.f;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float2 v = __half22float2(pairs[k]);
            part += v.x * (float)(packed >> (8 * k) & 15) + v.y * (float)(packed >> (8 * k + 4) & 15);
            all += v.x + v.y;
        }
        sum += scale.x * part - scale.y * all;
    }
    sum = sumOfWarp(sum);
    if (lane == 0) y[row] = __float2half(sum);
}

__device__ float bilinear(const float* plane, int height, int width, float y, float x) {
    if (y < -1.f || y > height || x < -1.f || x > width) return 0.f;
    y = fmaxf(y, 0.f);
    x = fmaxf(x, 0.f);
    int y0 = (int)y, x0 = (int)x, y1, x1;
    if (y0 >= height - 1) {
        y0 = y1 = height - 1;
        y = (float)y0;
    } else
        y1 = y0 + 1;
    if (x0 >= width - 1) {
        x0 = x1 = width - 1;
        x = (float)x0;
    } else
        x1 = x0 + 1;
    const float ly = y - y0, lx = x - x0, hy = 1.f - ly, hx = 1.f - lx;
    return hy * hx * plane[y0 * width + x0] + hy * lx * plane[y0 * width + x1] +
           ly * hx * plane[y1 * width + x0] + ly * lx * plane[y1 * width + x1];
}

#define GRID_STRIDE(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void roiAlign(const int nthreads, const float* features, const float* rois, float* output,
                         int channels, int height, int width, int pooled, float scale) {
    GRID_STRIDE(index, nthreads) {
        const int pw = index % pooled, ph = index / pooled % pooled, c = index / pooled / pooled % channels;
        const int n = index / pooled / pooled / channels;
        const float* roi = rois + n * 4;
        const float startX = roi[0] * scale, startY = roi[1] * scale;
        const float w = fmaxf(roi[2] * scale * 0.5f, 1.f), h = fmaxf(roi[3] * scale * 0.5f, 1.f);
        const float binH = h / pooled, binW = w / pooled;
        const int samplesY = (int)ceilf(h / pooled), samplesX = (int)ceilf(w / pooled);
        const float* plane = features + c * height * width;
        float sum = 0.f;
        for (int iy = 0; iy < samplesY; iy++) {
            const float y = startY + ph * binH + (iy + 0.5f) * binH / samplesY;
            for (int ix = 0; ix < samplesX; ix++) {
                const float x = startX + pw * binW + (ix + 0.5f) * binW / samplesX;
                sum += bilinear(plane, height, width, y, x);
            }
        }
        output[index] = sum / (samplesY * samplesX);
    }
}

// which boxes overlap: 64 x 64 pairs a block, a bit a pair
__global__ void nmsMask(const float4* boxes, u64* mask, int n, float threshold) {
    const int rowStart = blockIdx.y, colStart = blockIdx.x;
    if (rowStart > colStart) return;
    const int rowSize = min(n - rowStart * 64, 64), colSize = min(n - colStart * 64, 64);
    __shared__ float4 column[64];
    if (threadIdx.x < colSize) column[threadIdx.x] = boxes[colStart * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < rowSize) {
        const int current = rowStart * 64 + threadIdx.x;
        const float4 own = boxes[current];
        u64 bits = 0;
        int start = 0;
        if (rowStart == colStart) start = threadIdx.x + 1;
        for (int i = start; i < colSize; i++) {
            const float4 other = column[i];
            const float left = fmaxf(own.x, other.x), right = fminf(own.x + own.z, other.x + other.z);
            const float top = fmaxf(own.y, other.y), bottom = fminf(own.y + own.w, other.y + other.w);
            const float both = fmaxf(right - left, 0.f) * fmaxf(bottom - top, 0.f);
            if (both / (own.z * own.w + other.z * other.w - both) > threshold) bits |= 1ULL << i;
        }
        mask[current * gridDim.x + colStart] = bits;
    }
}

__device__ __forceinline__ float logAdd(float a, float b) {
    const float high = fmaxf(a, b), low = fminf(a, b);
    return high == -INFINITY ? -INFINITY : high + log1pf(expf(low - high));
}

// the forward variables of connectionist temporal classification: a block a sequence
__global__ void ctcAlpha(const float* logits, const int* labels, float* losses, int steps, int alphabet,
                         int length) {
    extern __shared__ float alpha[];
    const int states = 2 * length + 1, s = threadIdx.x;
    const float* rows = logits + blockIdx.x * steps * alphabet;
    const int* own = labels + blockIdx.x * length;
    int label = 0;
    bool skips = false;
    if (s < states && (s & 1)) {
        label = 1 + own[s / 2];
        skips = s > 1 && own[s / 2] != own[s / 2 - 1];
    }
    float* now = alpha;
    float* then = alpha + states;
    if (s < states) now[s] = s < 2 ? rows[label] : -INFINITY;
    __syncthreads();
    for (int t = 1; t < steps; t++) {
        if (s < states) {
            float sum = now[s];
            if (s > 0) sum = logAdd(sum, now[s - 1]);
            if (skips) sum = logAdd(sum, now[s - 2]);
            then[s] = sum + rows[t * alphabet + label];
        }
        __syncthreads();
        float* swap = now;
        now = then;
        then = swap;
    }
    if (s == 0) losses[blockIdx.x] = -logAdd(now[states - 1], now[states - 2]);
}

// a state space model: a thread a channel, with its state in registers
template <int STATES>
__global__ void selectiveScan(const float* __restrict__ x, const float* __restrict__ delta,
                              const float* __restrict__ a, const float* __restrict__ b,
                              const float* __restrict__ c, float* __restrict__ y, int steps, int channels) {
    const int channel = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
    if (channel >= channels) return;
    float rate[STATES], state[STATES];
    for (int k = 0; k < STATES; k++) {
        rate[k] = -a[channel * STATES + k];
        state[k] = 0.f;
    }
    for (int t = 0; t < steps; t++) {
        const size_t at = ((size_t)batch * steps + t) * channels + channel;
        float dt = delta[at];
        dt = dt > 20.f ? dt : log1pf(__expf(dt));
        const float in = dt * x[at];
        const float* bt = b + (batch * steps + t) * STATES;
        const float* ct = c + (batch * steps + t) * STATES;
        float sum = 0.f;
#pragma unroll
        for (int k = 0; k < STATES; k++) {
            state[k] = __expf(dt * rate[k]) * state[k] + in * bt[k];
            sum += state[k] * ct[k];
        }
        y[at] = sum;
    }
}

struct TreeNode {
    int feature;  // -1: a leaf
    float threshold;
    int left, right;
};

__global__ void forestInfer(const TreeNode* nodes, const int* roots, int trees, const float* samples,
                            int features, float* scores, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* sample = samples + i * features;
    float score = 0;
    for (int t = 0; t < trees; t++) {
        const TreeNode* node = nodes + roots[t];
        while (node->feature >= 0) {
            int next = sample[node->feature] < node->threshold ? node->left : node->right;
            node = nodes + next;
        }
        score += node->threshold;
    }
    scores[i] = 1 / (1 + expf(-score));
}

// gradients of a layer normalisation: a warp a row, and what all rows give for the gain
template <int COLUMNS>
__global__ void layerNormBackward(const float4* x, const float4* dy, const float4* gain,
                                  const float2* statistics, float4* dx, float* dgain, int rows) {
    constexpr int PER = COLUMNS / 128;
    __shared__ float partial[COLUMNS];
    for (int i = threadIdx.x; i < COLUMNS; i += blockDim.x) partial[i] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
    float4 gains[PER], sums[PER];
#pragma unroll
    for (int k = 0; k < PER; k++) {
        gains[k] = gain[k * 32 + lane];
        sums[k] = make_float4(0, 0, 0, 0);
    }
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        const float mean = statistics[row].x, scale = rsqrtf(statistics[row].y + 1e-5f);
        float4 normal[PER], weighted[PER];
        float first = 0, second = 0;
#pragma unroll
        for (int k = 0; k < PER; k++) {
            const float4 v = x[row * (COLUMNS / 4) + k * 32 + lane],
                         d = dy[row * (COLUMNS / 4) + k * 32 + lane];
            const float4 n = make_float4((v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                                         (v.w - mean) * scale);
            const float4 w =
                make_float4(d.x * gains[k].x, d.y * gains[k].y, d.z * gains[k].z, d.w * gains[k].w);
            sums[k].x += d.x * n.x;
            sums[k].y += d.y * n.y;
            sums[k].z += d.z * n.z;
            sums[k].w += d.w * n.w;
            first += w.x + w.y + w.z + w.w;
            second += w.x * n.x + w.y * n.y + w.z * n.z + w.w * n.w;
            normal[k] = n;
            weighted[k] = w;
        }
        first = sumOfWarp(first) / COLUMNS;
        second = sumOfWarp(second) / COLUMNS;
#pragma unroll
        for (int k = 0; k < PER; k++) {
            const float4 n = normal[k], w = weighted[k];
            dx[row * (COLUMNS / 4) + k * 32 + lane] =
                make_float4(scale * (w.x - first - n.x * second), scale * (w.y - first - n.y * second),
                            scale * (w.z - first - n.z * second), scale * (w.w - first - n.w * second));
        }
    }
#pragma unroll
    for (int k = 0; k < PER; k++) {
        float* at = partial + (k * 32 + lane) * 4;
        atomicAdd(at, sums[k].x);
        atomicAdd(at + 1, sums[k].y);
        atomicAdd(at + 2, sums[k].z);
        atomicAdd(at + 3, sums[k].w);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < COLUMNS; i += blockDim.x) atomicAdd(dgain + i, partial[i]);
}

// ---- random numbers and transport

__device__ __forceinline__ unsigned twist(unsigned a, unsigned b, unsigned far) {
    const unsigned y = (a & 0x80000000u) | (b & 0x7fffffffu);
    return far ^ (y >> 1) ^ (b & 1 ? 0x9908b0dfu : 0u);
}

// MT19937: a block a generator
__global__ void mersenneBlock(unsigned* states, float* out, int rounds) {
    __shared__ unsigned mt[624];
    const int t = threadIdx.x;
    unsigned* state = states + blockIdx.x * 624;
    for (int i = t; i < 624; i += blockDim.x) mt[i] = state[i];
    __syncthreads();
    float* to = out + blockIdx.x * rounds * 624;
    for (int round = 0; round < rounds; round++) {
        for (int base = 0; base < 624; base += 227) {
            const int i = base + t;
            const bool mine = t < 227 && i < 624;
            unsigned next = 0;
            if (mine) next = twist(mt[i], mt[(i + 1) % 624], mt[(i + 397) % 624]);
            __syncthreads();
            if (mine) mt[i] = next;
            __syncthreads();
            if (mine) {
                next ^= next >> 11;
                next ^= next << 7 & 0x9d2c5680u;
                next ^= next << 15 & 0xefc60000u;
                next ^= next >> 18;
                to[round * 624 + i] = next * 2.3283064e-10f;
            }
        }
    }
    for (int i = t; i < 624; i += blockDim.x) state[i] = mt[i];
}

// an integral over eight dimensions at Sobol's points
__global__ void sobolIntegral(double* integral, int n) {
    __shared__ float warps[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned gray = i ^ i >> 1, point[8] = {};
        while (gray) {
            const int bit = __ffs(gray) - 1;
            gray &= gray - 1;
#pragma unroll
            for (int d = 0; d < 8; d++) point[d] ^= sobolDirections[d][bit];
        }
        float product = 1;
#pragma unroll
        for (int d = 0; d < 8; d++) {
            const float x = point[d] * 2.3283064e-10f;
            product *= (fabsf(4 * x - 2) + d) / (1.f + d);
        }
        sum += product;
    }
    sum = sumOfWarp(sum);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = sumOfWarp(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.f);
        if (threadIdx.x == 0) atomicAdd(integral, (double)sum / n);
    }
}

// numbers of a gamma distribution, by rejection
__global__ void gammaSampler(const float* shapes, float* out, int each, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = mix(i + 12345u);
    const float shape = shapes[i] * 3;
    const float d = (shape < 1 ? shape + 1 : shape) - 1.f / 3, c = 1 / sqrtf(9 * d);
    for (int k = 0; k < each; k++) {
        float result;
        for (;;) {
            float x, v;
            do {
                const float u1 = uniform(state), u2 = uniform(state);
                x = sqrtf(-2 * logf(u1)) * cospif(2 * u2);
                v = 1 + c * x;
            } while (v <= 0);
            v = v * v * v;
            const float u = uniform(state);
            if (u < 1 - 0.0331f * x * x * x * x || logf(u) < 0.5f * x * x + d * (1 - v + logf(v))) {
                result = d * v;
                break;
            }
        }
        if (shape < 1) result *= powf(uniform(state), 1 / shape);
        out[k * n + i] = result;
    }
}

// light in tissue: photons are scattered and absorbed until none is left
__global__ void photons(float* absorbed, float muA, float muS, float g, float depth, int n) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    unsigned seed = mix(id * 7919u + 17u);
    float x = 0, y = 0, z = 0, ux = 0, uy = 0, uz = 1, weight = 1;
    const float muT = muA + muS;
    for (int step = 0; step < 500; ++step) {
        const float s = -__logf(uniform(seed)) / muT;
        x += s * ux;
        y += s * uy;
        z += s * uz;
        if (z < 0 || z > depth) break;
        const float lost = weight * muA / muT;
        weight -= lost;
        const int ir = min((int)(sqrtf(x * x + y * y) * 32), 63), iz = min((int)(z / depth * 64), 63);
        atomicAdd(&absorbed[iz * 64 + ir], lost);
        if (weight < 0.01f) {
            if (uniform(seed) > 0.1f) break;
            weight *= 10;
        }
        float cosine;
        const float r = uniform(seed);
        if (g == 0)
            cosine = 2 * r - 1;
        else {
            const float q = (1 - g * g) / (1 - g + 2 * g * r);
            cosine = (1 + g * g - q * q) / (2 * g);
        }
        const float sine = sqrtf(fmaxf(0.f, 1 - cosine * cosine));
        float sinPhi, cosPhi;
        sincospif(2 * uniform(seed), &sinPhi, &cosPhi);
        if (fabsf(uz) > 0.99999f) {
            ux = sine * cosPhi;
            uy = sine * sinPhi;
            uz = copysignf(cosine, uz * cosine);
        } else {
            const float root = sqrtf(1 - uz * uz);
            const float nx = sine * (ux * uz * cosPhi - uy * sinPhi) / root + ux * cosine;
            const float ny = sine * (uy * uz * cosPhi + ux * sinPhi) / root + uy * cosine;
            uz = -sine * cosPhi * root + uz * cosine;
            ux = nx;
            uy = ny;
        }
    }
}

struct CrossSection {
    double energy, total, elastic, absorption, fission, nuFission;
};

// neutrons: cross sections of a material at an energy
__global__ void xsLookup(const double* unionGrid, const int* unionIndex, const CrossSection* nuclides,
                         int gridPoints, int perNuclide, int nuclideCount, double* results, int lookups) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    const u64 random = splitmix(i);
    const double energy = (random >> 11) * (1.0 / 9007199254740992.0);
    const int kind = random & 7;
    int count;
    switch (kind) {
        case 0: count = 12; break;
        case 1:
        case 2: count = 4; break;
        case 3: count = 9; break;
        default: count = 2;
    }
    int low = 0, high = gridPoints - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (unionGrid[middle] > energy)
            high = middle;
        else
            low = middle;
    }
    double macro[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        const int nuclide = (kind * 5 + k * 3) % nuclideCount;
        const double concentration = 1.0 / (1 + k);
        const int at = min(unionIndex[low * nuclideCount + nuclide], perNuclide - 2);
        const CrossSection* left = nuclides + nuclide * perNuclide + at;
        const CrossSection* right = left + 1;
        const double f = (right->energy - energy) / (right->energy - left->energy);
        macro[0] += concentration * (right->total - f * (right->total - left->total));
        macro[1] += concentration * (right->elastic - f * (right->elastic - left->elastic));
        macro[2] += concentration * (right->absorption - f * (right->absorption - left->absorption));
        macro[3] += concentration * (right->fission - f * (right->fission - left->fission));
        macro[4] += concentration * (right->nuFission - f * (right->nuFission - left->nuFission));
    }
    double most = macro[0];
    for (int k = 1; k < 5; k++) most = fmax(most, macro[k]);
    results[i] = most;
}

// ---- physics

// two substances that react and spread; tiles of any shape
__global__ void grayScott(const float* u, const float* v, float* uNext, float* vNext, int size, float feed,
                          float kill) {
    extern __shared__ float tile[];
    const int w = blockDim.x + 2, h = blockDim.y + 2;
    float* su = tile;
    float* sv = tile + w * h;
    for (int y = threadIdx.y; y < h; y += blockDim.y)
        for (int x = threadIdx.x; x < w; x += blockDim.x) {
            const int gx = (blockIdx.x * blockDim.x + x - 1 + size) % size;
            const int gy = (blockIdx.y * blockDim.y + y - 1 + size) % size;
            su[y * w + x] = u[gy * size + gx];
            sv[y * w + x] = v[gy * size + gx];
        }
    __syncthreads();
    const int at = (threadIdx.y + 1) * w + threadIdx.x + 1;
    const float a = su[at], b = sv[at];
    const float lu = su[at - 1] + su[at + 1] + su[at - w] + su[at + w] - 4 * a;
    const float lv = sv[at - 1] + sv[at + 1] + sv[at - w] + sv[at + w] - 4 * b;
    const float react = a * b * b;
    const int out = (blockIdx.y * blockDim.y + threadIdx.y) * size + blockIdx.x * blockDim.x + threadIdx.x;
    uNext[out] = a + 0.16f * lu - react + feed * (1 - a);
    vNext[out] = b + 0.08f * lv + react - (feed + kill) * b;
}

// multigrid: a grid to one of half its width
__global__ void restrict3d(const double* fine, double* coarse, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    const int half = n / 2;
    if (i >= half || j >= half || k >= half) return;
    double sum = 0.0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int x = 2 * i + dx, y = 2 * j + dy, z = 2 * k + dz;
                if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n) continue;
                const double weight = 1.0 / (8 << (abs(dx) + abs(dy) + abs(dz)));
                sum += weight * fine[((size_t)z * n + y) * n + x];
            }
    coarse[((size_t)k * half + j) * half + i] = sum;
}

struct Torsion {
    int a, b, c, d;
    float strength, phase;
    int multiplicity;
};

struct Vec3 {
    float x, y, z;
};
__device__ inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ inline Vec3 load3(const float4* p, int i) {
    const float4 v = p[i];
    return {v.x, v.y, v.z};
}
__device__ inline void add3(float* forces, int atom, Vec3 f) {
    atomicAdd(forces + 3 * atom, f.x);
    atomicAdd(forces + 3 * atom + 1, f.y);
    atomicAdd(forces + 3 * atom + 2, f.z);
}

__global__ void torsionForces(const Torsion* torsions, const float4* positions, float* forces,
                              float* energies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Torsion t = torsions[i];
    const Vec3 b1 = load3(positions, t.b) - load3(positions, t.a);
    const Vec3 b2 = load3(positions, t.c) - load3(positions, t.b);
    const Vec3 b3 = load3(positions, t.d) - load3(positions, t.c);
    const Vec3 m = cross(b1, b2), n2 = cross(b2, b3);
    const float length = sqrtf(dot(b2, b2)) + 1e-6f;
    const float angle = atan2f(dot(b1, n2) * length, dot(m, n2));
    const float argument = t.multiplicity * angle - t.phase;
    energies[i] = t.strength * (1 + cosf(argument));
    const float slope = t.multiplicity * t.strength * sinf(argument);
    const float mm = dot(m, m) + 1e-6f, nn = dot(n2, n2) + 1e-6f;
    const Vec3 fa = (-slope * length / mm) * m, fd = (slope * length / nn) * n2;
    const float p = dot(b1, b2) / (length * length), q = dot(b3, b2) / (length * length);
    const Vec3 middle = p * fa - q * fd;
    add3(forces, t.a, fa);
    add3(forces, t.b, middle - fa);
    add3(forces, t.c, -1.f * (middle + fd));
    add3(forces, t.d, fd);
}

__device__ double wenoFace(double a, double b, double c, double d, double e) {
    const double eps = 1e-6;
    const double s0 =
        13.0 / 12.0 * (a - 2 * b + c) * (a - 2 * b + c) + 0.25 * (a - 4 * b + 3 * c) * (a - 4 * b + 3 * c);
    const double s1 = 13.0 / 12.0 * (b - 2 * c + d) * (b - 2 * c + d) + 0.25 * (b - d) * (b - d);
    const double s2 =
        13.0 / 12.0 * (c - 2 * d + e) * (c - 2 * d + e) + 0.25 * (3 * c - 4 * d + e) * (3 * c - 4 * d + e);
    const double w0 = 0.1 / ((eps + s0) * (eps + s0)), w1 = 0.6 / ((eps + s1) * (eps + s1));
    const double w2 = 0.3 / ((eps + s2) * (eps + s2));
    const double p0 = (2 * a - 7 * b + 11 * c) / 6, p1 = (-b + 5 * c + 2 * d) / 6,
                 p2 = (2 * c + 5 * d - e) / 6;
    return (w0 * p0 + w1 * p1 + w2 * p2) / (w0 + w1 + w2);
}

// advection of fifth order along x; lines of `nx` cells that close to rings
__global__ void weno5(const double* u, double* next, int nx, double courant) {
    extern __shared__ double line[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const double* row = u + (size_t)blockIdx.y * nx;
    for (int i = threadIdx.x; i < blockDim.x + 6; i += blockDim.x) {
        int from = blockIdx.x * blockDim.x + i - 3;
        if (from < 0) from += nx;
        if (from >= nx) from -= nx;
        line[i] = row[from];
    }
    __syncthreads();
    const double* c = line + threadIdx.x + 3;
    const double right = wenoFace(c[-2], c[-1], c[0], c[1], c[2]),
                 left = wenoFace(c[-3], c[-2], c[-1], c[0], c[1]);
    next[(size_t)blockIdx.y * nx + x] = c[0] - courant * (right - left);
}

// ---- rendering and geometry

__device__ float densityAt(const unsigned char* volume, int n, float x, float y, float z) {
    x = fminf(fmaxf(x, 0.f), n - 1.001f);
    y = fminf(fmaxf(y, 0.f), n - 1.001f);
    z = fminf(fmaxf(z, 0.f), n - 1.001f);
    const int ix = (int)x, iy = (int)y, iz = (int)z;
    const float fx = x - ix, fy = y - iy, fz = z - iz;
    const unsigned char* p = volume + (iz * n + iy) * n + ix;
    const float a = p[0] + fx * (p[1] - p[0]), b = p[n] + fx * (p[n + 1] - p[n]);
    p += n * n;
    const float c = p[0] + fx * (p[1] - p[0]), d = p[n] + fx * (p[n + 1] - p[n]);
    const float front = a + fy * (b - a), back = c + fy * (d - c);
    return front + fz * (back - front);
}

// a ray a pixel through a cube of bytes, until nothing shines through
__global__ void volumeRender(const unsigned char* volume, int n, uchar4* image, int width, int height,
                             float angle) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float s, c;
    sincosf(angle, &s, &c);
    const float sx = 2.f * px / width - 1, sy = 2.f * py / height - 1;
    const Vec3 origin = {-2.5f * s, 0.f, -2.5f * c};
    Vec3 ray = {1.8f * s + 0.8f * sx * c, 0.8f * sy, 1.8f * c - 0.8f * sx * s};
    ray = rsqrtf(dot(ray, ray)) * ray;
    float near = 0, far = 1e9f;
    const float o[3] = {origin.x, origin.y, origin.z}, r[3] = {ray.x, ray.y, ray.z};
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const float inverse = 1 / r[k], t0 = (-1 - o[k]) * inverse, t1 = (1 - o[k]) * inverse;
        near = fmaxf(near, fminf(t0, t1));
        far = fminf(far, fmaxf(t0, t1));
    }
    float4 sum = make_float4(0, 0, 0, 0);
    if (near < far) {
        const float half = 0.5f * (n - 1);
        for (float t = near; t < far; t += 0.04f) {
            const Vec3 p = origin + t * ray;
            const float value = densityAt(volume, n, (p.x + 1) * half, (p.y + 1) * half, (p.z + 1) * half);
            const float4 colour = transferFunction[(int)(value * 0.25f)];
            const float weight = colour.w * (1 - sum.w);
            sum.x += weight * colour.x;
            sum.y += weight * colour.y;
            sum.z += weight * colour.z;
            sum.w += weight;
            if (sum.w > 0.95f) break;
        }
    }
    image[py * width + px] = make_uchar4(255 * __saturatef(sum.x), 255 * __saturatef(sum.y),
                                         255 * __saturatef(sum.z), 255 * __saturatef(sum.w));
}

// the nearest point, from a tree that halves space by x, y and z in turns (node i has children 2i + 1 and 2i
// + 2)
__global__ void kdNearest(const float4* tree, int nodes, const float3* queries, int* nearest, int n) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    const float3 q = queries[id];
    int stack[20];
    float bound[20];
    int top = 0, best = -1;
    float bestDistance = 1e30f;
    stack[top] = 0;
    bound[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        if (bound[top] >= bestDistance) continue;
        while (node < nodes) {
            const float4 p = tree[node];
            const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z,
                        distance = dx * dx + dy * dy + dz * dz;
            if (distance < bestDistance) {
                bestDistance = distance;
                best = node;
            }
            const int axis = (31 - __clz(node + 1)) % 3;
            const float apart = axis == 0 ? dx : axis == 1 ? dy : dz;
            const int close = 2 * node + (apart < 0 ? 1 : 2), away = 2 * node + (apart < 0 ? 2 : 1);
            if (apart * apart < bestDistance && away < nodes) {
                stack[top] = away;
                bound[top++] = apart * apart;
            }
            node = close;
        }
    }
    nearest[id] = best;
}

// ---- linear algebra and transforms

// tridiagonal systems by parallel cyclic reduction: a block a system, a thread a row
__global__ void pcrSolve(const float* lower, const float* diagonal, const float* upper, const float* right,
                         float* x) {
    extern __shared__ float shared[];
    const int n = blockDim.x, i = threadIdx.x, at = blockIdx.x * n + i;
    float *a = shared, *b = a + n, *c = b + n, *d = c + n;
    a[i] = i ? lower[at] : 0.f;
    b[i] = diagonal[at] + 4.f;
    c[i] = i < n - 1 ? upper[at] : 0.f;
    d[i] = right[at];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        float na = 0.f, nb = b[i], nc = 0.f, nd = d[i];
        if (i >= step) {
            const float k = a[i] / b[i - step];
            na = -k * a[i - step];
            nb -= k * c[i - step];
            nd -= k * d[i - step];
        }
        if (i + step < n) {
            const float k = c[i] / b[i + step];
            nc = -k * c[i + step];
            nb -= k * a[i + step];
            nd -= k * d[i + step];
        }
        __syncthreads();
        a[i] = na;
        b[i] = nb;
        c[i] = nc;
        d[i] = nd;
        __syncthreads();
    }
    x[at] = d[i] / b[i];
}

// eigenvalues of symmetric matrices of 3 x 3 by Jacobi's turns
__global__ void jacobiEigen3(const double* packed, double* values, int* sweeps, int n) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= n) return;
    double a[3][3];
    a[0][0] = packed[m];
    a[1][1] = packed[n + m];
    a[2][2] = packed[2 * n + m];
    a[0][1] = a[1][0] = packed[3 * n + m];
    a[0][2] = a[2][0] = packed[4 * n + m];
    a[1][2] = a[2][1] = packed[5 * n + m];
    int sweep = 0;
    for (; sweep < 12; ++sweep) {
        const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
        if (off < 1e-20) break;
#pragma unroll
        for (int pair = 0; pair < 3; ++pair) {
            const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2, r = 3 - p - q;
            if (fabs(a[p][q]) < 1e-14) continue;
            const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
            const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1));
            const double c = 1 / sqrt(t * t + 1), s = t * c;
            const double arp = a[r][p], arq = a[r][q];
            a[p][p] -= t * a[p][q];
            a[q][q] += t * a[p][q];
            a[p][q] = a[q][p] = 0;
            a[r][p] = a[p][r] = c * arp - s * arq;
            a[r][q] = a[q][r] = s * arp + c * arq;
        }
    }
    const double low = fmin(a[0][0], fmin(a[1][1], a[2][2])), high = fmax(a[0][0], fmax(a[1][1], a[2][2]));
    values[m] = low;
    values[n + m] = a[0][0] + a[1][1] + a[2][2] - low - high;
    values[2 * n + m] = high;
    sweeps[m] = sweep;
}

// Walsh and Hadamard's transform of 128 * PER numbers a block: in registers, across a warp, across the block
template <int PER>
__global__ void walshHadamard(const float* in, float* out) {
    __shared__ float exchange[PER * 128];
    const int t = threadIdx.x, base = blockIdx.x * PER * 128;
    float v[PER];
#pragma unroll
    for (int k = 0; k < PER; ++k) v[k] = in[base + k * 128 + t];
#pragma unroll
    for (int step = 1; step < PER; step *= 2)
#pragma unroll
        for (int k = 0; k < PER; ++k)
            if (!(k & step)) {
                const float a = v[k], b = v[k | step];
                v[k] = a + b;
                v[k | step] = a - b;
            }
#pragma unroll
    for (int step = 1; step < 32; step *= 2)
#pragma unroll
        for (int k = 0; k < PER; ++k) {
            const float other = __shfl_xor_sync(~0u, v[k], step);
            v[k] = t & step ? other - v[k] : v[k] + other;
        }
    for (int step = 32; step < 128; step *= 2) {
#pragma unroll
        for (int k = 0; k < PER; ++k) exchange[k * 128 + t] = v[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < PER; ++k) {
            const float other = exchange[k * 128 + (t ^ step)];
            v[k] = t & step ? other - v[k] : v[k] + other;
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < PER; ++k) out[base + k * 128 + t] = v[k] * 0.03125f;
}

// ---- texts and games

// where a pattern is found with up to two errors; a bit a letter of the pattern
__global__ void fuzzyFind(const unsigned char* text, int n, int each, int length, int* counts, int* total) {
    const int start = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    if (start >= n) return;
    const int end = min(start + each + length + 2, n);
    const unsigned last = 1u << (length - 1);
    unsigned exact = 0, one = 1, two = 3;
    int found = 0;
    for (int i = start; i < end; i++) {
        const unsigned mask = textMasks[text[i] & 127];
        const unsigned oldExact = exact, oldOne = one;
        exact = (exact << 1 | 1) & mask;
        one = ((one << 1 | 1) & mask) | oldExact | (oldExact | exact) << 1 | 1;
        two = ((two << 1 | 1) & mask) | oldOne | (oldOne | one) << 1 | 1;
        if (two & last && i >= start + length - 2) ++found;
    }
    counts[start / each] = found;
    if (found) atomicAdd(total, found);
}

__device__ __forceinline__ u64 shiftBoard(u64 b, int direction) {
    switch (direction) {
        case 0: return b << 8;
        case 1: return b >> 8;
        case 2: return b << 1 & 0xfefefefefefefefeull;
        case 3: return b >> 1 & 0x7f7f7f7f7f7f7f7full;
        case 4: return b << 9 & 0xfefefefefefefefeull;
        case 5: return b >> 9 & 0x7f7f7f7f7f7f7f7full;
        case 6: return b << 7 & 0x7f7f7f7f7f7f7f7full;
        default: return b >> 7 & 0xfefefefefefefefeull;
    }
}

__device__ u64 legalMoves(u64 own, u64 other) {
    u64 moves = 0;
#pragma unroll
    for (int d = 0; d < 8; d++) {
        u64 run = shiftBoard(own, d) & other;
        for (int k = 0; k < 5; k++) run |= shiftBoard(run, d) & other;
        moves |= shiftBoard(run, d);
    }
    return moves & ~(own | other);
}

// reversi, played at random to the end: a thread a game
__global__ void reversiPlayouts(u64 black, u64 white, int* wins, int* differences, int games) {
    const int game = blockIdx.x * blockDim.x + threadIdx.x;
    if (game >= games) return;
    unsigned state = mix(game + 99u);
    u64 own = black, other = white;
    int passes = 0, turn = 0;
    while (passes < 2) {
        u64 moves = legalMoves(own, other);
        if (moves) {
            passes = 0;
            int skip = (int)(uniform(state) * __popcll(moves)) % __popcll(moves);
            while (skip--) moves &= moves - 1;
            const u64 move = moves & (~moves + 1);
            u64 turned = 0;
#pragma unroll
            for (int d = 0; d < 8; d++) {
                u64 line = 0, at = shiftBoard(move, d);
                while (at & other) {
                    line |= at;
                    at = shiftBoard(at, d);
                }
                if (at & own) turned |= line;
            }
            own |= move | turned;
            other &= ~turned;
        } else
            ++passes;
        const u64 swap = own;
        own = other;
        other = swap;
        turn ^= 1;
    }
    const int difference = (__popcll(own) - __popcll(other)) * (turn ? -1 : 1);
    differences[game] = difference;
    const unsigned active = __activemask(), won = __ballot_sync(active, difference > 0);
    if ((threadIdx.x & 31) == __ffs(active) - 1) atomicAdd(wins, __popc(won));
}

// ---- finance

// implied volatilities of Hagan's SABR model
__global__ void sabrVolatility(const double* forwards, const double* strikes, double expiry, double alpha,
                               double beta, double rho, double nu, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double f = forwards[i], k = strikes[i], oneBeta = 1 - beta;
    const double middle = pow(f * k, 0.5 * oneBeta);
    const double correction =
        1 + (oneBeta * oneBeta / 24 * alpha * alpha / (middle * middle) +
             0.25 * rho * beta * nu * alpha / middle + (2 - 3 * rho * rho) / 24 * nu * nu) *
                expiry;
    if (fabs(f - k) < 1e-7) {
        out[i] = alpha / middle * correction;
        return;
    }
    const double ratio = log(f / k), square = oneBeta * oneBeta * ratio * ratio;
    const double z = nu / alpha * middle * ratio;
    const double chi = log((sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho));
    out[i] = alpha / (middle * (1 + square / 24 + square * square / 1920)) *
             (fabs(chi) < 1e-12 ? 1.0 : z / chi) * correction;
}

// sums for a regression of later values on prices, over the paths that are in the money (Longstaff and
// Schwartz); the block that comes last solves it
__global__ void lsmRegression(const float* prices, const float* later, float strike, double* sums,
                              unsigned* done, double* coefficients, int paths) {
    __shared__ double shared[8][8];
    __shared__ bool last;
    double local[8] = {};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < paths; i += gridDim.x * blockDim.x) {
        const double s = prices[i] / strike;
        if (s >= 1) continue;
        const double y = later[i], s2 = s * s;
        local[0] += 1;
        local[1] += s;
        local[2] += s2;
        local[3] += s2 * s;
        local[4] += s2 * s2;
        local[5] += y;
        local[6] += y * s;
        local[7] += y * s2;
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const double sum = sumOfWarp(local[k]);
        if (lane == 0) shared[warp][k] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 8) {
        double sum = 0;
        for (int w = 0; w < blockDim.x / 32; w++) sum += shared[w][threadIdx.x];
        atomicAdd(&sums[threadIdx.x], sum);
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        const volatile double* all = sums;
        double m[3][4] = {{all[0], all[1], all[2], all[5]},
                          {all[1], all[2], all[3], all[6]},
                          {all[2], all[3], all[4], all[7]}};
        for (int p = 0; p < 3; p++)
            for (int r = p + 1; r < 3; r++) {
                const double factor = m[r][p] / m[p][p];
                for (int c = p; c < 4; c++) m[r][c] -= factor * m[p][c];
            }
        for (int r = 2; r >= 0; r--) {
            double value = m[r][3];
            for (int c = r + 1; c < 3; c++) value -= m[r][c] * coefficients[c];
            coefficients[r] = value / m[r][r];
        }
    }
}

// ---- inputs

struct Csr {
    std::vector<int> offsets, columns;
};

Csr someGraph(int vertices, int least, int most, int hubEvery, int hubDegree, uint32_t& state) {
    Csr graph;
    for (int v = 0; v < vertices; ++v) {
        graph.offsets.push_back(graph.columns.size());
        const int degree =
            hubEvery && v % hubEvery == 3 ? hubDegree : least + next_number(state) % (most - least + 1);
        for (int k = 0; k < degree; ++k) graph.columns.push_back(next_number(state) % vertices);
        std::sort(graph.columns.begin() + graph.offsets.back(), graph.columns.end());
    }
    graph.offsets.push_back(graph.columns.size());
    return graph;
}

// letters 0 to 3 as an index with ranks; `first` becomes where each letter's range begins
std::vector<OccBlock> rankIndex(int letters, unsigned first[5], uint32_t& state) {
    std::vector<OccBlock> index(letters / 64 + 1);
    unsigned count[4] = {};
    for (int i = 0; i <= letters; ++i) {
        if (i % 64 == 0) index[i / 64] = {{count[0], count[1], count[2], count[3]}, 0, 0};
        if (i == letters) break;
        const unsigned c = next_number(state) >> 7 & 3;
        ++count[c];
        index[i / 64].low |= (u64)(c & 1) << i % 64;
        index[i / 64].high |= (u64)(c >> 1) << i % 64;
    }
    first[0] = 0;
    for (int c = 0; c < 4; ++c) first[c + 1] = first[c] + count[c];
    return index;
}

// where the blocks of a radix sort put their digits
std::vector<int> digitStarts(int keys, int perBlock, int shift) {
    const int blocks = keys / perBlock;
    std::vector<int> counts(16 * blocks);
    uint32_t state = 88675123u + keys;  // as wholes() has it
    for (int i = 0; i < keys; ++i)
        ++counts[(next_number(state) % 0xffffffffu >> shift & 15) * blocks + i / perBlock];
    int sum = 0;
    for (int& count : counts) {
        const int here = count;
        count = sum;
        sum += here;
    }
    return counts;
}

void lzStream(int chunks, std::vector<unsigned char>& stream, std::vector<int>& starts, uint32_t& state) {
    const auto put = [&](int length) {
        for (length -= 15; length >= 255; length -= 255) stream.push_back(255);
        stream.push_back(length);
    };
    for (int chunk = 0; chunk < chunks; ++chunk) {
        starts.push_back(stream.size());
        for (int filled = 0; filled < 1600;) {
            const int literals = 1 + next_number(state) % (next_number(state) % 8 ? 12 : 60);
            const int length = next_number(state) % (next_number(state) % 10 ? 14 : 300);
            stream.push_back(std::min(literals, 15) << 4 | std::min(length, 15));
            if (literals >= 15) put(literals);
            for (int i = 0; i < literals; ++i) stream.push_back(next_number(state));
            filled += literals;
            const int offset = 1 + next_number(state) % filled;
            stream.push_back(offset & 255);
            stream.push_back(offset >> 8);
            if (length >= 15) put(length);
            filled += length + 4;
        }
    }
    starts.push_back(stream.size());
}

int growTree(std::vector<TreeNode>& nodes, int depth, int features, uint32_t& state) {
    const int at = nodes.size();
    nodes.push_back({-1, next_number(state) % 2000 / 1000.f - 1, 0, 0});
    if (depth > 0 && next_number(state) % 8) {
        const int left = growTree(nodes, depth - 1, features, state),
                  right = growTree(nodes, depth - 1, features, state);
        nodes[at] = {(int)(next_number(state) % features), 0.1f + 0.9f * (next_number(state) % 1000) / 1000,
                     left, right};
    }
    return at;
}

void growKdTree(std::vector<float4>& points, int begin, int end, int depth, int node,
                std::vector<float4>& tree) {
    if (begin >= end) return;
    const int middle = (begin + end) / 2, axis = depth % 3;
    std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                     [=](const float4& a, const float4& b) {
                         return axis == 0 ? a.x < b.x : axis == 1 ? a.y < b.y : a.z < b.z;
                     });
    tree[node] = points[middle];
    growKdTree(points, begin, middle, depth + 1, 2 * node + 1, tree);
    growKdTree(points, middle + 1, end, depth + 1, 2 * node + 2, tree);
}

void constants(uint32_t& state) {
    unsigned rounds[64], directions[8][32], modulus[8], masks[128] = {};
    int steps[89];
    for (unsigned& word : rounds) word = next_number(state);
    cudaMemcpyToSymbol(shaRounds, rounds, sizeof rounds);
    double step = 7;
    for (int& value : steps) {
        value = (int)step;
        step *= 1.1;
    }
    cudaMemcpyToSymbol(stepSizes, steps, sizeof steps);
    const signed char changes[16] = {-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8};
    cudaMemcpyToSymbol(indexSteps, changes, sizeof changes);
    for (auto& dimension : directions)
        for (int bit = 0; bit < 32; ++bit)
            dimension[bit] = 1u << (31 - bit) | (bit ? next_number(state) << (32 - bit) : 0);
    cudaMemcpyToSymbol(sobolDirections, directions, sizeof directions);
    for (unsigned& limb : modulus) limb = next_number(state);
    modulus[7] |= 0x80000000u;
    modulus[0] = 0xffffffffu;  // so that its negative inverse is 1
    cudaMemcpyToSymbol(fieldModulus, modulus, sizeof modulus);
    for (int i = 0; i < 12; ++i) masks[next_number(state) >> 9 & 3] |= 1u << i;
    cudaMemcpyToSymbol(textMasks, masks, sizeof masks);
    float4 colours[64];
    for (int i = 0; i < 64; ++i)
        colours[i] = make_float4(i / 64.f, 1 - i / 64.f, i % 16 / 16.f, i < 20 ? 0 : (i - 20) / 300.f);
    cudaMemcpyToSymbol(transferFunction, colours, sizeof colours);
}

template <class T>
double sumOf(const T* device, int count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (const T& value : values) sum += value;
    return sum;
}

int main() {
    const int m = 1 << 20;
    uint32_t state = 20231;
    constants(state);
    float *f = reals(2 * m, 0.1, 1), *g = reals(2 * m + 7, -1, 1), *h = zeros<float>(4 * m),
          *k = zeros<float>(2 * m);
    double *d = reals<double>(m, 0.5, 1.5), *r = zeros<double>(m);
    int *z = zeros<int>(4 * m), *numbers = wholes(m, 100000);
    unsigned* words = wholes<unsigned>(2 * m, 0xffffffffu);
    unsigned char *bytes = wholes<unsigned char>(2 * m, 256), *bases = wholes<unsigned char>(m, 4),
                  *out = zeros<unsigned char>(8 * m);

    hammingDisparity<<<dim3(4, 120), 128>>>(words, words + 9, h, 450, 40);
    lucasKanade<<<dim3(20, 30), dim3(16, 8)>>>(f, f + 311, (float2*)h, 320, 240);
    demosaic<<<dim3(40, 90), dim3(32, 8)>>>(bytes, (uchar4*)h, 1280, 720);
    nonLocalMeans<<<dim3(10, 8), dim3(16, 16)>>>(f, h, 160, 128, 6.f);
    std::vector<short2> seeds(512 * 512, make_short2(-1, -1));
    for (int i = 0; i < 600; ++i) {
        const short x = next_number(state) % 512, y = next_number(state) % 512;
        seeds[y * 512 + x] = make_short2(x, y);
    }
    jumpFlood<<<dim3(32, 32), dim3(16, 16)>>>(in_device(seeds), (short2*)h, 512, 128);
    jumpFlood<<<dim3(16, 64), dim3(32, 8)>>>((short2*)h, (short2*)k, 512, 8);
    bc1Encode<<<256, 64>>>((uchar4*)words, (uint2*)h, 512, 16384);
    motionSearch<<<dim3(18, 12), dim3(16, 16)>>>(bytes, bytes + 4096, z, 304);

    pairHmm<<<75, 256>>>(bases, bytes, bases + 77777, h, 90, 600);
    unsigned first[5];
    const OccBlock* index = in_device(rankIndex(1 << 18, first, state));
    cudaMemcpyToSymbol(firstOf, first, sizeof first);
    fmSearch<<<313, 256>>>(index, words, 16, 1 << 18, (uint2*)h, 80000);

    const int vertices = 24000;
    const Csr graph = someGraph(vertices, 2, 13, 111, 180, state),
              sparse = someGraph(6000, 3, 12, 0, 0, state);
    std::vector<int> component(vertices), rowOf;
    for (int v = 0; v < vertices; ++v) {
        component[v] = next_number(state) % 3 ? v : v / 50 * 50;
        rowOf.insert(rowOf.end(), graph.offsets[v + 1] - graph.offsets[v], v);
    }
    const int edges = graph.columns.size();
    const int *offsets = in_device(graph.offsets), *columns = in_device(graph.columns);
    const int *sparseRows = in_device(sparse.offsets), *sparseColumns = in_device(sparse.columns);
    boruvkaMinEdge<<<188, 128>>>(offsets, columns, words, in_device(component),
                                 in_device(std::vector<u64>(vertices, ~0ull)), vertices);
    gatAggregate<<<1500, 128>>>(offsets, columns, g, g + 30000, f, h, 12000);
    cooSpmv<<<(edges + 255) / 256, 256>>>(in_device(rowOf), columns, f, g, zeros<float>(vertices), edges);
    bsrSpmv<3><<<141, 128>>>(sparseRows, sparseColumns, d, d + 1000, r, 6000);
    bsrSpmv<4><<<250, 96>>>(sparseRows, sparseColumns, d, d + 1000, r, 6000);
    spgemmCount<<<3000, 64>>>(sparseRows, sparseColumns, z);

    radixScatter<<<512, 256>>>(wholes<unsigned>(m / 2, 0xffffffffu), (unsigned*)z,
                               in_device(digitStarts(m / 2, 1024, 8)), 8);
    chainedScan<<<1024, 256>>>(numbers, z, zeros<u64>(1024), zeros<int>(1), m);
    chainedScan<<<49, 512>>>(numbers, z, zeros<u64>(49), zeros<int>(1), 100000);
    hashPartition<<<300, 256>>>(words, f, (uint2*)h, zeros<int>(32), 16384, 300 * 1024 - 77);
    hyperLogLog<<<264, 256>>>((u64*)words, zeros<unsigned>(1024), m);
    hyperLogLog<<<20, 1024>>>((u64*)words, zeros<unsigned>(1024), 200000);

    sha256Nonces<<<128, 256>>>(words, 0x1234567u, 1000, in_device(std::vector<unsigned>(1, ~0u)),
                               (unsigned*)z);
    rc4Streams<<<66, 64, 64 * 260>>>(bytes, out, 256);
    fieldPower<<<96, 64>>>((Field*)words, (Field*)h, 65537, 1, 6000);

    imaAdpcm<<<64, 128>>>(words, (short*)h, 32, 8000);
    std::vector<unsigned char> generator(32), stream;
    for (unsigned char& factor : generator) factor = next_number(state) % 255;
    reedSolomon<<<100, 256>>>(bytes, in_device(generator), out, 790);
    std::vector<int> starts;
    lzStream(800, stream, starts, state);
    lzDecode<<<200, 128>>>(in_device(stream), in_device(starts), out, 2048, 800);
    varintEncode<<<1600, 256>>>(numbers, out, z, 1600 * 256 - 100);

    std::vector<half> halves(m / 2);
    for (half& value : halves) value = __float2half(next_number(state) % 2000 / 1000.f - 1);
    half* reduced = in_device(halves);
    gemvInt4<<<1024, dim3(32, 4)>>>(words, (half2*)reduced, reduced + 300000, (half*)h, 4096, 2048);
    gemvInt4<<<96, dim3(32, 8)>>>(words, (half2*)reduced, reduced + 300000, (half*)h, 768, 4096);
    roiAlign<<<264, 256>>>(120 * 16 * 49, g, f, h, 16, 50, 64, 7, 50.f);
    nmsMask<<<dim3(28, 28), 64>>>((float4*)f, zeros<u64>(1750 * 28), 1750, 0.5f);
    ctcAlpha<<<40, 128, 101 * 2 * sizeof(float)>>>(g, wholes(40 * 50, 30), h, 80, 32, 50);
    selectiveScan<8><<<dim3(6, 4), 128>>>(g, g + 400000, f, f + 10000, f + 20000, h, 96, 768);
    selectiveScan<16><<<dim3(2, 8), 64>>>(g, g + 400000, f, f + 10000, f + 30000, h, 50, 128);
    std::vector<TreeNode> nodes;
    std::vector<int> roots;
    for (int tree = 0; tree < 40; ++tree) roots.push_back(growTree(nodes, 9, 20, state));
    const TreeNode* forest = in_device(nodes);
    const int* planted = in_device(roots);
    forestInfer<<<79, 128>>>(forest, planted, 40, f, 20, h, 10000);
    forestInfer<<<200, 256>>>(forest, planted, 8, f, 20, h, 51200);
    layerNormBackward<512>
        <<<132, 256>>>((float4*)g, (float4*)f, (float4*)f, (float2*)f, (float4*)h, zeros<float>(512), 2000);
    layerNormBackward<256>
        <<<264, 128>>>((float4*)g, (float4*)f, (float4*)f, (float2*)f, (float4*)h, zeros<float>(256), 4000);

    mersenneBlock<<<132, 256>>>(words, h, 12);
    double* integral = zeros<double>(1);
    sobolIntegral<<<132, 256>>>(integral, 132 * 1024);
    gammaSampler<<<196, 128>>>(f, h, 6, 25000);
    float* absorbed = zeros<float>(64 * 64);
    photons<<<72, 128>>>(absorbed, 1.f, 9.f, 0.7f, 2.f, 9000);
    const int nuclides = 16, each = 256, grid = nuclides * each;
    std::vector<CrossSection> sections;
    std::vector<std::pair<double, int>> all;
    for (int i = 0; i < grid; ++i) {
        const auto real = [&] { return next_number(state) % 10000 / 10000.; };
        const double energy = (i % each + 0.01 + 0.9 * real()) / each;
        sections.push_back({energy, real(), real(), real(), real(), real()});
        all.push_back({energy, i / each});
    }
    std::sort(all.begin(), all.end());
    std::vector<double> unionGrid;
    std::vector<int> unionIndex, current(nuclides, 0);
    for (const auto& [energy, nuclide] : all) {
        unionGrid.push_back(energy);
        if (energy > sections[nuclide * each].energy) ++current[nuclide];
        unionIndex.insert(unionIndex.end(), current.begin(), current.end());
    }
    xsLookup<<<118, 256>>>(in_device(unionGrid), in_device(unionIndex), in_device(sections), grid, each,
                           nuclides, r, 30000);

    grayScott<<<dim3(16, 64), dim3(32, 8), 2 * 34 * 10 * sizeof(float)>>>(f, f + m, h, h + m, 512, 0.04f,
                                                                          0.06f);
    grayScott<<<dim3(3, 96), dim3(128, 4), 2 * 130 * 6 * sizeof(float)>>>(f, f + m, h, h + m, 384, 0.04f,
                                                                          0.06f);
    restrict3d<<<dim3(2, 12, 12), dim3(32, 4, 4)>>>(d, r, 96);
    std::vector<Torsion> torsions(20000);
    for (Torsion& t : torsions) {
        const int atom = next_number(state) % 7990;
        const int turn = next_number(state) % 3;
        t = {atom, atom + 1, atom + 2 + turn, atom + 5, 0.5f + turn, 0.3f * turn, 1 + turn};
    }
    torsionForces<<<157, 128>>>(in_device(torsions), (float4*)g, zeros<float>(3 * 8000), h, 20000);
    weno5<<<dim3(4, 200), 128, 134 * sizeof(double)>>>(d, r, 512, 0.4);

    std::vector<unsigned char> cube(64 * 64 * 64);
    for (int i = 0; i < 64 * 64 * 64; ++i) {
        const double x = i % 64 / 32. - 1, y = i / 64 % 64 / 32. - 1, z2 = i / 4096 / 32. - 1;
        cube[i] = 127 * (1 + sin(5 * x + 2 * y) * cos(4 * z2 - 3 * y));
    }
    volumeRender<<<dim3(10, 15), dim3(16, 8)>>>(in_device(cube), 64, (uchar4*)h, 160, 120, 0.6f);
    std::vector<float4> points(8191), tree(8191);
    for (float4& p : points)
        p = make_float4(next_number(state) % 9999 / 9999.f, next_number(state) % 9999 / 9999.f,
                        next_number(state) % 9999 / 9999.f, 0);
    growKdTree(points, 0, 8191, 0, 0, tree);
    kdNearest<<<94, 128>>>(in_device(tree), 8191, (float3*)f, z, 12000);

    pcrSolve<<<400, 256, 4 * 256 * sizeof(float)>>>(g, f, g + m, f + m, h);
    pcrSolve<<<90, 1024, 4 * 1024 * sizeof(float)>>>(g, f, g + m, f + m, h);
    jacobiEigen3<<<80, 128>>>(d, r, z, 10000);
    walshHadamard<4><<<1000, 128>>>(g, h);
    walshHadamard<16><<<150, 128>>>(g, h);

    fuzzyFind<<<100, 64>>>(bases, 6400 * 150, 150, 12, z, zeros<int>(1));
    int* wins = zeros<int>(1);
    reversiPlayouts<<<32, 64>>>(0x0000000810000000ull, 0x0000001008000000ull, wins, z, 2000);
    sabrVolatility<<<200, 256>>>(d, d + 500001, 2.0, 0.3, 0.6, -0.2, 0.5, r, 51000);
    double* coefficients = zeros<double>(3);
    lsmRegression<<<96, 256>>>(f, f + m, 0.7f, zeros<double>(8), zeros<unsigned>(1), coefficients, 250000);

    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s %.4f %.3f %.2f %.0f %.0f %.4f\n", cudaGetErrorString(error), sumOf(integral, 1),
           sumOf(absorbed, 64 * 64), sumOf(h, 4096), sumOf(wins, 1), sumOf(z, 2000), sumOf(coefficients, 3));
    return error != cudaSuccess;
}
