// Kernels of applications of many fields, written before the rules that they judge.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "inputs.h"

namespace cg = cooperative_groups;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

template <class T>
double sumOf(const T* memory, int count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (T value : values) sum += (double)value;
    return sum;
}

// The sums to print once all kernels have run
std::vector<std::function<double()>> sums;
template <class T>
void toSum(const T* memory, int count) {
    sums.push_back([=] { return sumOf(memory, count); });
}

int over(int count, int each) { return (count + each - 1) / each; }

float some(uint32_t& state) { return (next_number(state) >> 8) % 65536 / 65536.f; }
u32 below(uint32_t& state, u32 limit) { return (next_number(state) >> 5) % limit; }

__device__ __forceinline__ u32 scrambled(u32 n) {
    n ^= n >> 15;
    n *= 0x2c1b3c6du;
    n ^= n >> 12;
    n *= 0x297a2d39u;
    return n ^ (n >> 15);
}

// Numbers from 0 to 1, never 0
struct Lcg {
    u32 seed;
    __device__ explicit Lcg(u32 start) : seed(scrambled(start)) {}
    __device__ float next() {
        seed = seed * 1664525u + 1013904223u;
        return ((seed >> 8) + 0.5f) * (1.f / 16777216);
    }
};

template <class T>
__device__ T sumOverWarp(T value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    return value;
}

// The block's sum, for all its threads
template <class T>
__device__ T sumOverBlock(T value) {
    __shared__ T parts[32];
    __shared__ T total;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    value = sumOverWarp(value);
    if (lane == 0) parts[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < (int)(blockDim.x + 31) / 32 ? parts[lane] : T(0);
        value = sumOverWarp(value);
        if (lane == 0) total = value;
    }
    __syncthreads();
    value = total;
    __syncthreads();
    return value;
}

__device__ __forceinline__ int held(int n, int least, int most) { return min(max(n, least), most); }

// ---------------------------------------------------------------- pictures

__global__ void kuwahara(const float* in, float* out, int wide, int high) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high) return;
    float least = 1e30f, mean = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
        int left = quarter & 1 ? x : x - 2;
        int top = quarter & 2 ? y : y - 2;
        float sum = 0, squares = 0;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                float v = in[held(top + j, 0, high - 1) * wide + held(left + i, 0, wide - 1)];
                sum += v;
                squares += v * v;
            }
        float spread = squares / 9 - sum * sum / 81;
        if (spread < least) {
            least = spread;
            mean = sum / 9;
        }
    }
    out[y * wide + x] = mean;
}

__global__ void claheTables(const u8* __restrict__ image, int wide, int tile, int clip,
                            u8* __restrict__ tables) {
    __shared__ int counts[256];
    __shared__ int sums[256];
    __shared__ int extra;
    const int tid = threadIdx.x;
    const int across = wide / tile;
    const u8* corner = image + blockIdx.x / across * tile * wide + blockIdx.x % across * tile;
    counts[tid] = 0;
    if (tid == 0) extra = 0;
    __syncthreads();
    for (int i = tid; i < tile * tile; i += blockDim.x)
        atomicAdd(&counts[corner[i / tile * wide + i % tile]], 1);
    __syncthreads();
    int mine = counts[tid];
    if (mine > clip) {
        atomicAdd(&extra, mine - clip);
        mine = clip;
    }
    __syncthreads();
    sums[tid] = mine + extra / 256;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int add = tid >= step ? sums[tid - step] : 0;
        __syncthreads();
        sums[tid] += add;
        __syncthreads();
    }
    tables[blockIdx.x * 256 + tid] = (u8)min(255, sums[tid] * 255 / (tile * tile));
}

__global__ void claheApply(const u8* __restrict__ image, const u8* __restrict__ tables, u8* __restrict__ out,
                           int wide, int high, int tile) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= wide || y >= high) return;
    const int across = wide / tile, down = high / tile;
    const float u = (x + 0.5f) / tile - 0.5f, v = (y + 0.5f) / tile - 0.5f;
    const int left = (int)floorf(u), top = (int)floorf(v);
    const float a = u - left, b = v - top;
    const int x0 = max(left, 0), x1 = min(left + 1, across - 1);
    const int y0 = max(top, 0), y1 = min(top + 1, down - 1);
    const int grey = image[y * wide + x];
    const float upper =
        tables[(y0 * across + x0) * 256 + grey] * (1 - a) + tables[(y0 * across + x1) * 256 + grey] * a;
    const float lower =
        tables[(y1 * across + x0) * 256 + grey] * (1 - a) + tables[(y1 * across + x1) * 256 + grey] * a;
    out[y * wide + x] = (u8)(upper * (1 - b) + lower * b + 0.5f);
}

__device__ float labCurve(float t) { return t > 0.008856f ? cbrtf(t) : 7.787f * t + 16.f / 116; }

__global__ void labFromRgb(const uchar4* pixels, float* lab, int count) {
    __shared__ float linear[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        float c = i / 255.f;
        linear[i] = c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        uchar4 p = pixels[i];
        float r = linear[p.x], g = linear[p.y], b = linear[p.z];
        float x = labCurve((0.4124f * r + 0.3576f * g + 0.1805f * b) / 0.9505f);
        float y = labCurve(0.2126f * r + 0.7152f * g + 0.0722f * b);
        float z = labCurve((0.0193f * r + 0.1192f * g + 0.9505f * b) / 1.089f);
        lab[i * 3] = 116 * y - 16;
        lab[i * 3 + 1] = 500 * (x - y);
        lab[i * 3 + 2] = 200 * (y - z);
    }
}

__global__ void harrisCorners(const float* __restrict__ image, float* __restrict__ response, int wide,
                              int high) {
    __shared__ float tile[20][21];
    __shared__ float gradX[18][19], gradY[18][19];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    for (int i = tid; i < 400; i += 256) {
        const int x = held(blockIdx.x * 16 + i % 20 - 2, 0, wide - 1);
        const int y = held(blockIdx.y * 16 + i / 20 - 2, 0, high - 1);
        tile[i / 20][i % 20] = image[y * wide + x];
    }
    __syncthreads();
    for (int i = tid; i < 324; i += 256) {
        const int r = i / 18, c = i % 18;
        gradX[r][c] = tile[r][c + 2] + 2 * tile[r + 1][c + 2] + tile[r + 2][c + 2] - tile[r][c] -
                      2 * tile[r + 1][c] - tile[r + 2][c];
        gradY[r][c] = tile[r + 2][c] + 2 * tile[r + 2][c + 1] + tile[r + 2][c + 2] - tile[r][c] -
                      2 * tile[r][c + 1] - tile[r][c + 2];
    }
    __syncthreads();
    float xx = 0, xy = 0, yy = 0;
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            const float gx = gradX[threadIdx.y + j][threadIdx.x + i],
                        gy = gradY[threadIdx.y + j][threadIdx.x + i];
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
        }
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < wide && y < high) response[y * wide + x] = xx * yy - xy * xy - 0.04f * (xx + yy) * (xx + yy);
}

__constant__ int2 ringOffsets[16] = {{0, -3}, {1, -3},  {2, -2},  {3, -1}, {3, 0},  {3, 1},
                                     {2, 2},  {1, 3},   {0, 3},   {-1, 3}, {-2, 2}, {-3, 1},
                                     {-3, 0}, {-3, -1}, {-2, -2}, {-1, -3}};

__device__ bool nineInARow(u32 mask) {
    mask |= mask << 16;
    u32 run = mask;
    for (int k = 1; k < 9; k++) run &= mask >> k;
    return (run & 0xffff) != 0;
}

__global__ void fastCorners(const u8* image, int* scores, int wide, int high, int threshold, int* found) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= wide - 3 || y >= high - 3) return;
    int centre = image[y * wide + x];
    int north = image[(y - 3) * wide + x], south = image[(y + 3) * wide + x];
    int east = image[y * wide + x + 3], west = image[y * wide + x - 3];
    int bright = (north > centre + threshold) + (south > centre + threshold) + (east > centre + threshold) +
                 (west > centre + threshold);
    int dark = (north < centre - threshold) + (south < centre - threshold) + (east < centre - threshold) +
               (west < centre - threshold);
    if (bright < 2 && dark < 2) return;
    u32 above = 0, under = 0;
    int score = 0;
    for (int k = 0; k < 16; k++) {
        int v = image[(y + ringOffsets[k].y) * wide + x + ringOffsets[k].x];
        if (v > centre + threshold) above |= 1u << k;
        if (v < centre - threshold) under |= 1u << k;
        score += max(abs(v - centre) - threshold, 0);
    }
    if (nineInARow(above) || nineInARow(under)) {
        scores[y * wide + x] = score;
        atomicAdd(found, 1);
    }
}

__constant__ char4 briefPairs[256];

__global__ void briefBits(const u8* __restrict__ image, const short2* __restrict__ points,
                          u32* __restrict__ bits, int wide, int count) {
    const int point = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (point >= count) return;
    const short2 at = points[point];
    const u8* centre = image + at.y * wide + at.x;
    for (int word = 0; word < 8; ++word) {
        const char4 pair = briefPairs[word * 32 + lane];
        const u32 set = __ballot_sync(
            ~0u, __ldg(centre + pair.y * wide + pair.x) < __ldg(centre + pair.w * wide + pair.z));
        if (lane == word) bits[point * 8 + word] = set;
    }
}

// Sums of absolute Hadamard coefficients of 8 x 8 differences at nine displacements
__global__ void satdCosts(const u8* __restrict__ now, const u8* __restrict__ before, int wide, int across,
                          int down, int* __restrict__ costs) {
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= across * down) return;
    const int x = block % across * 8 + 8, y = block / across * 8 + 8;
    const int dx = blockIdx.y % 3 - 1, dy = (int)blockIdx.y / 3 - 1;
    int d[8][8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            d[j][i] = now[(y + j) * wide + x + i] - before[(y + j + dy) * wide + x + i + dx];
#pragma unroll
        for (int step = 1; step < 8; step *= 2)
#pragma unroll
            for (int i = 0; i < 8; ++i)
                if (!(i & step)) {
                    const int a = d[j][i], b = d[j][i + step];
                    d[j][i] = a + b;
                    d[j][i + step] = a - b;
                }
    }
    int cost = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int step = 1; step < 8; step *= 2)
#pragma unroll
            for (int j = 0; j < 8; ++j)
                if (!(j & step)) {
                    const int a = d[j][i], b = d[j + step][i];
                    d[j][i] = a + b;
                    d[j + step][i] = a - b;
                }
#pragma unroll
        for (int j = 0; j < 8; ++j) cost += abs(d[j][i]);
    }
    costs[blockIdx.y * across * down + block] = (cost + 2) >> 2;
}

__global__ void deblockEdges(u8* frame, const u8* strengths, int wide, int high, int alpha, int beta) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (edge >= wide / 8 || y >= high) return;
    const int strength = strengths[y / 4 * (wide / 8) + edge];
    if (strength == 0) return;
    u8* p = frame + y * wide + edge * 8;
    const int p0 = p[-1], p1 = p[-2], p2 = p[-3], q0 = p[0], q1 = p[1], q2 = p[2];
    if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta) return;
    const bool nearP = abs(p2 - p0) < beta, nearQ = abs(q2 - q0) < beta;
    if (strength == 4) {
        const bool small = abs(p0 - q0) < (alpha >> 2) + 2;
        if (small && nearP) {
            p[-1] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
            p[-2] = (p2 + p1 + p0 + q0 + 2) >> 2;
            p[-3] = (2 * p[-4] + 3 * p2 + p1 + p0 + q0 + 4) >> 3;
        } else {
            p[-1] = (2 * p1 + p0 + q1 + 2) >> 2;
        }
        if (small && nearQ) {
            p[0] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3;
            p[1] = (p0 + q0 + q1 + q2 + 2) >> 2;
            p[2] = (2 * p[3] + 3 * q2 + q1 + q0 + p0 + 4) >> 3;
        } else {
            p[0] = (2 * q1 + q0 + p1 + 2) >> 2;
        }
    } else {
        const int limit = strength + nearP + nearQ;
        const int delta = held(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, -limit, limit);
        p[-1] = held(p0 + delta, 0, 255);
        p[0] = held(q0 - delta, 0, 255);
        if (nearP) p[-2] = p1 + held((p2 + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1, -strength, strength);
        if (nearQ) p[1] = q1 + held((q2 + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1, -strength, strength);
    }
}

template <int Frames>
__global__ void temporalMedian(const u8* frames, u8* out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    int v[Frames];
#pragma unroll
    for (int f = 0; f < Frames; f++) v[f] = frames[f * pixels + i];
#pragma unroll
    for (int last = Frames - 1; last > 0; last--)
#pragma unroll
        for (int k = 0; k < last; k++) {
            int a = min(v[k], v[k + 1]), b = max(v[k], v[k + 1]);
            v[k] = a;
            v[k + 1] = b;
        }
    out[i] = (u8)v[Frames / 2];
}

struct Mixture {
    float* weight;
    float* mean;
    float* spread;
    int pixels;
};

__global__ void mixtureBackground(const u8* frame, Mixture model, u8* mask, float rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= model.pixels) return;
    const float grey = frame[i];
    int match = -1, faintest = 0;
    float least = 1e9f, heaviest = 0;
    for (int k = 0; k < 3; ++k) {
        const int at = k * model.pixels + i;
        const float w = model.weight[at], d = grey - model.mean[at];
        if (match < 0 && d * d < 6.25f * model.spread[at]) match = k;
        if (w < least) {
            least = w;
            faintest = k;
        }
        heaviest = fmaxf(heaviest, w);
    }
    bool foreground = true;
    if (match < 0) {
        const int at = faintest * model.pixels + i;
        model.weight[at] = 0.05f;
        model.mean[at] = grey;
        model.spread[at] = 225;
    } else {
        float total = 0;
        for (int k = 0; k < 3; ++k) {
            const int at = k * model.pixels + i;
            float w = model.weight[at] * (1 - rate);
            if (k == match) {
                w += rate;
                const float d = grey - model.mean[at], share = rate / w;
                model.mean[at] += share * d;
                model.spread[at] = fmaxf(16.f, model.spread[at] + share * (d * d - model.spread[at]));
                foreground = w < 0.5f * heaviest;
            }
            model.weight[at] = w;
            total += w;
        }
        for (int k = 0; k < 3; ++k) model.weight[k * model.pixels + i] /= total;
    }
    mask[i] = foreground ? 255 : 0;
}

__global__ void tvDual(const float* __restrict__ u, const float2* __restrict__ p, float2* __restrict__ next,
                       int wide, int high, float tau) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high) return;
    const int at = y * wide + x;
    auto balance = [&](int i, int j) {
        const int k = j * wide + i;
        float d = p[k].x + p[k].y;
        if (i > 0) d -= p[k - 1].x;
        if (j > 0) d -= p[k - wide].y;
        return d - u[k];
    };
    const float here = balance(x, y);
    const float gx = x + 1 < wide ? balance(x + 1, y) - here : 0;
    const float gy = y + 1 < high ? balance(x, y + 1) - here : 0;
    const float scale = 1 / (1 + tau * sqrtf(gx * gx + gy * gy));
    next[at] = make_float2((p[at].x + tau * gx) * scale, (p[at].y + tau * gy) * scale);
}

void runPictures(uint32_t& state) {
    float* grey = reals(300 * 204);
    float* smooth = zeros<float>(300 * 204);
    kuwahara<<<dim3(over(300, 16), over(204, 16)), dim3(16, 16)>>>(grey, smooth, 300, 204);
    toSum(smooth, 300 * 204);

    u8* photo = wholes<u8>(512 * 512, 180);
    u8* tables = zeros<u8>(64 * 256);
    u8* clear = zeros<u8>(512 * 512);
    claheTables<<<64, 256>>>(photo, 512, 64, 40, tables);
    claheApply<<<dim3(16, 64), dim3(32, 8)>>>(photo, tables, clear, 512, 512, 64);
    toSum(tables, 64 * 256);
    toSum(clear, 512 * 512);

    float* lab = zeros<float>(150000 * 3);
    labFromRgb<<<264, 192>>>((const uchar4*)wholes<u8>(600000, 256), lab, 150000);
    toSum(lab, 450000);

    float* corners = zeros<float>(500 * 330);
    harrisCorners<<<dim3(over(500, 16), over(330, 16)), dim3(16, 16)>>>(reals(500 * 330), corners, 500, 330);
    toSum(corners, 500 * 330);

    std::vector<u8> blocks(640 * 400);
    for (u8& v : blocks) v = 100 + below(state, 12);
    for (int k = 0; k < 300; ++k) {
        const int x = below(state, 610), y = below(state, 370), w = 4 + below(state, 24),
                  h = 4 + below(state, 24);
        const u8 tone = below(state, 256);
        for (int j = y; j < y + h; ++j)
            for (int i = x; i < x + w; ++i) blocks[j * 640 + i] = tone;
    }
    const u8* scene = in_device(blocks);
    int* scores = zeros<int>(640 * 400);
    int* found = zeros<int>(1);
    fastCorners<<<dim3(20, 50), dim3(32, 8)>>>(scene, scores, 640, 400, 18, found);
    toSum(scores, 640 * 400);
    toSum(found, 1);

    std::vector<char4> pairs(256);
    for (char4& p : pairs)
        for (signed char* part : {&p.w, &p.z, &p.y, &p.x}) *part = (int)below(state, 25) - 12;
    cudaMemcpyToSymbol(briefPairs, pairs.data(), 256 * sizeof(char4));
    std::vector<short2> points(6000);
    for (short2& p : points) {
        p.y = 12 + below(state, 376);
        p.x = 12 + below(state, 616);
    }
    u32* bits = zeros<u32>(48000);
    briefBits<<<750, 256>>>(scene, in_device(points), bits, 640, 6000);
    toSum(bits, 48000);

    int* costs = zeros<int>(9 * 78 * 48);
    satdCosts<<<dim3(over(78 * 48, 64), 9), 64>>>(
        scene, in_device(std::vector<u8>(blocks.rbegin(), blocks.rend())), 640, 78, 48, costs);
    toSum(costs, 9 * 78 * 48);

    std::vector<u8> coded(960 * 544);
    for (int i = 0; i < 960 * 544; ++i) coded[i] = 60 + (i / 8 % 17) * 3 + below(state, 5);
    u8* frame = in_device(coded);
    deblockEdges<<<dim3(4, 68), dim3(32, 8)>>>(frame, wholes<u8>(120 * 136, 5), 960, 544, 30, 9);
    toSum(frame, 960 * 544);

    u8* still = zeros<u8>(160000);
    temporalMedian<9><<<over(160000, 256), 256>>>(wholes<u8>(9 * 160000, 256), still, 160000);
    toSum(still, 160000);

    const int pixels = 120000;
    Mixture model{reals(3 * pixels, 0.1, 0.6), reals(3 * pixels + 1, 0, 255), reals(3 * pixels + 2, 20, 300),
                  pixels};
    u8* mask = zeros<u8>(pixels);
    mixtureBackground<<<over(pixels, 128), 128>>>(wholes<u8>(pixels, 256), model, mask, 0.02f);
    toSum(mask, pixels);
    toSum(model.mean, 3 * pixels);

    float2* dual = (float2*)zeros<float>(2 * 480 * 300);
    tvDual<<<dim3(15, over(300, 4)), dim3(32, 4)>>>(
        reals(480 * 300, 0, 8), (float2*)reals(2 * 480 * 300, -0.5, 0.5), dual, 480, 300, 0.2f);
    toSum((float*)dual, 2 * 480 * 300);
}

// ---------------------------------------------------------------- sound and signals

__global__ void melCepstrum(const float* __restrict__ spectra, const int* __restrict__ bandStarts,
                            float* cepstra, int bins, int bands, int wanted) {
    extern __shared__ float power[];
    __shared__ float logs[64];
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        const float2 c = ((const float2*)spectra)[blockIdx.x * bins + i];
        power[i] = c.x * c.x + c.y * c.y;
    }
    __syncthreads();
    if (threadIdx.x < bands) {
        const int from = bandStarts[threadIdx.x], middle = bandStarts[threadIdx.x + 1],
                  to = bandStarts[threadIdx.x + 2];
        float sum = 1e-6f;
        for (int i = from; i < middle; ++i) sum += power[i] * (i - from) / (middle - from);
        for (int i = middle; i < to; ++i) sum += power[i] * (to - i) / (to - middle);
        logs[threadIdx.x] = logf(sum);
    }
    __syncthreads();
    if (threadIdx.x < wanted) {
        float sum = 0;
        for (int b = 0; b < bands; ++b) sum += logs[b] * cosf(3.14159265f * threadIdx.x * (b + 0.5f) / bands);
        cepstra[blockIdx.x * wanted + threadIdx.x] = sum;
    }
}

__global__ void yinPitch(const float* samples, float* pitches, int hop, float rate) {
    __shared__ float frame[768];
    __shared__ float difference[256];
    const int lag = threadIdx.x;
    for (int i = threadIdx.x; i < 768; i += 256) frame[i] = samples[blockIdx.x * hop + i];
    __syncthreads();
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < 512; i++) {
        float d = frame[i] - frame[i + lag];
        sum += d * d;
    }
    difference[lag] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float running = 0, best = 1e30f;
        int chosen = 0;
        for (int t = 1; t < 256; t++) {
            running += difference[t];
            float normal = difference[t] * t / (running + 1e-9f);
            if (t > 20 && normal < best) {
                best = normal;
                chosen = t;
            } else if (best < 0.15f)
                break;
        }
        pitches[blockIdx.x] = rate / chosen;
    }
}

template <int Taps>
__global__ void polyphaseChannels(const float2* __restrict__ samples, const float* __restrict__ window,
                                  float2* __restrict__ out, int channels, int spectra) {
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (channel >= channels) return;
    float taps[Taps];
    float2 line[Taps];
#pragma unroll
    for (int t = 0; t < Taps; ++t) {
        taps[t] = window[t * channels + channel];
        line[t] = make_float2(0, 0);
    }
    const int first = blockIdx.y * spectra;
    for (int t = 1; t < Taps; ++t) {
#pragma unroll
        for (int k = 0; k < Taps - 1; ++k) line[k] = line[k + 1];
        line[Taps - 1] = samples[(first + t - 1) * channels + channel];
    }
    for (int s = 0; s < spectra; ++s) {
#pragma unroll
        for (int k = 0; k < Taps - 1; ++k) line[k] = line[k + 1];
        line[Taps - 1] = samples[(first + s + Taps - 1) * channels + channel];
        float2 sum = make_float2(0, 0);
#pragma unroll
        for (int k = 0; k < Taps; ++k) {
            sum.x += taps[k] * line[k].x;
            sum.y += taps[k] * line[k].y;
        }
        out[(first + s) * channels + channel] = sum;
    }
}

__constant__ int cordicTurns[24];

__global__ void cordicRotate(const int* angles, int2* out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int x = 652032874, y = 0, left = angles[i];
    for (int k = 0; k < 24; k++) {
        int dx = y >> k, dy = x >> k;
        if (left >= 0) {
            x -= dx;
            y += dy;
            left -= cordicTurns[k];
        } else {
            x += dx;
            y -= dy;
            left += cordicTurns[k];
        }
    }
    out[i] = make_int2(x, y);
}

__global__ void lmsChannels(const float* __restrict__ input, const float* __restrict__ desired,
                            float* __restrict__ errors, int channels, int samples, float step) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    float weights[12], line[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) weights[k] = line[k] = 0;
    for (int s = 0; s < samples; ++s) {
        float guess = 0;
#pragma unroll
        for (int k = 11; k > 0; --k) line[k] = line[k - 1];
        line[0] = input[s * channels + c];
#pragma unroll
        for (int k = 0; k < 12; ++k) guess += weights[k] * line[k];
        const float error = desired[s * channels + c] - guess;
#pragma unroll
        for (int k = 0; k < 12; ++k) weights[k] += step * error * line[k];
        errors[s * channels + c] = error;
    }
}

__global__ void lombScargle(const float* times, const float* values, float* power, int count, float lowest,
                            float spacing, int frequencies) {
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frequencies) return;
    float omega = 6.2831853f * (lowest + f * spacing);
    float s2 = 0, c2 = 0;
    for (int i = 0; i < count; i++) {
        float s, c;
        sincosf(2 * omega * times[i], &s, &c);
        s2 += s;
        c2 += c;
    }
    float shift = atan2f(s2, c2) / (2 * omega);
    float yc = 0, ys = 0, cc = 0, ss = 0;
    for (int i = 0; i < count; i++) {
        float s, c;
        sincosf(omega * (times[i] - shift), &s, &c);
        yc += values[i] * c;
        ys += values[i] * s;
        cc += c * c;
        ss += s * s;
    }
    power[f] = 0.5f * (yc * yc / cc + ys * ys / ss);
}

__global__ void __launch_bounds__(256) daubechiesRows(float* rows, int length, int levels) {
    extern __shared__ float row[];
    float* made = row + length;
    const float h0 = 0.48296291f, h1 = 0.83651630f, h2 = 0.22414387f, h3 = -0.12940952f;
    float* mine = rows + blockIdx.x * length;
    for (int i = threadIdx.x; i < length; i += blockDim.x) row[i] = mine[i];
    __syncthreads();
    int n = length;
    for (int level = 0; level < levels; ++level) {
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            const float a = row[2 * i], b = row[2 * i + 1], c = row[(2 * i + 2) % n],
                        d = row[(2 * i + 3) % n];
            made[i] = h0 * a + h1 * b + h2 * c + h3 * d;
            made[n / 2 + i] = h3 * a - h2 * b + h1 * c - h0 * d;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = made[i];
        __syncthreads();
        n /= 2;
    }
    for (int i = threadIdx.x; i < length; i += blockDim.x) mine[i] = row[i];
}

// Dynamic time warping of pairs of series, a block per pair, along the antidiagonals
__global__ void warpTime(const float* firsts, const float* seconds, float* distances, int length) {
    __shared__ float a[128], b[128];
    __shared__ float lines[3][129];
    const int i = threadIdx.x;
    a[i] = firsts[blockIdx.x * length + i];
    b[i] = seconds[blockIdx.x * length + i];
    for (int k = i; k < 3 * 129; k += blockDim.x) lines[k / 129][k % 129] = 1e30f;
    __syncthreads();
    for (int d = 0; d < 2 * length - 1; ++d) {
        float* now = lines[d % 3];
        const float* last = lines[(d + 2) % 3];
        const float* before = lines[(d + 1) % 3];
        const int j = d - i;
        if (j >= 0 && j < length) {
            const float cost = fabsf(a[i] - b[j]);
            const float least = d == 0 ? 0 : fminf(before[i], fminf(last[i], last[i + 1]));
            now[i + 1] = cost + least;
        } else {
            now[i + 1] = 1e30f;
        }
        __syncthreads();
    }
    if (i == length - 1) distances[blockIdx.x] = lines[(2 * length - 2) % 3][length];
}

void runSignals(uint32_t&) {
    std::vector<int> bands;
    for (int b = 0; b < 42; ++b) bands.push_back((int)(b * 2 + b * b * 0.095));
    float* cepstra = zeros<float>(900 * 13);
    melCepstrum<<<900, 128, 257 * sizeof(float)>>>(reals(900 * 257 * 2, -1, 1), in_device(bands), cepstra,
                                                   257, 40, 13);
    toSum(cepstra, 900 * 13);

    std::vector<float> tone(100 * 200 + 1024);
    for (int i = 0; i < (int)tone.size(); ++i)
        tone[i] = sinf(i * (0.05f + i * 2e-6f)) + 0.3f * sinf(i * 0.31f);
    float* pitches = zeros<float>(90);
    yinPitch<<<90, 256>>>(in_device(tone), pitches, 200, 16000);
    toSum(pitches, 90);

    float2* spectra = (float2*)zeros<float>(2 * 1024 * 320);
    polyphaseChannels<8><<<dim3(8, 20), 128>>>((const float2*)reals(2 * 1024 * 330, -1, 1), reals(8 * 1024),
                                               spectra, 1024, 16);
    toSum((float*)spectra, 2 * 1024 * 320);

    std::vector<int> turns(24);
    for (int k = 0; k < 24; ++k) turns[k] = (int)(atan(pow(2., -k)) * (1 << 29));
    cudaMemcpyToSymbol(cordicTurns, turns.data(), 24 * sizeof(int));
    std::vector<int> angles(200000);
    for (int i = 0; i < 200000; ++i) angles[i] = (i - 100000) * 8000;
    int2* turned = (int2*)zeros<int>(400000);
    cordicRotate<<<over(200000, 512), 512>>>(in_device(angles), turned, 200000);
    toSum((int*)turned, 400000);

    float* errors = zeros<float>(2500 * 300);
    lmsChannels<<<over(2500, 64), 64>>>(reals(2500 * 300, -1, 1), reals(2500 * 300 + 1, -1, 1), errors, 2500,
                                        300, 0.02f);
    toSum(errors, 2500 * 300);

    float* periods = zeros<float>(2000);
    lombScargle<<<over(2000, 128), 128>>>(reals(220, 0, 50), reals(221, -1, 1), periods, 220, 0.02f, 0.001f,
                                          2000);
    toSum(periods, 2000);

    float* rows = reals(300 * 1024, -1, 1);
    daubechiesRows<<<300, 256, 2048 * sizeof(float)>>>(rows, 1024, 6);
    toSum(rows, 300 * 1024);

    float* distances = zeros<float>(90);
    warpTime<<<90, 128>>>(reals(90 * 128), reals(90 * 128 + 1), distances, 128);
    toSum(distances, 90);
}

// ---------------------------------------------------------------- learning

__device__ __forceinline__ float logistic(float x) { return 1 / (1 + __expf(-x)); }

__global__ void gruCell(const float* __restrict__ input, const float* __restrict__ hidden,
                        const float* __restrict__ wi, const float* __restrict__ wh,
                        const float* __restrict__ bias, float* __restrict__ out, int inputs) {
    __shared__ float x[128], h[128];
    const int unit = threadIdx.x, units = blockDim.x;
    if (unit < inputs) x[unit] = input[blockIdx.x * inputs + unit];
    h[unit] = hidden[blockIdx.x * units + unit];
    __syncthreads();
    float update = bias[unit], reset = bias[units + unit], fresh = bias[2 * units + unit], kept = 0;
    for (int k = 0; k < inputs; ++k) {
        const float* w = wi + k * 3 * units + unit;
        update += x[k] * w[0];
        reset += x[k] * w[units];
        fresh += x[k] * w[2 * units];
    }
    for (int k = 0; k < units; ++k) {
        const float* w = wh + k * 3 * units + unit;
        update += h[k] * w[0];
        reset += h[k] * w[units];
        kept += h[k] * w[2 * units];
    }
    const float z = logistic(update), r = logistic(reset);
    const float n = tanhf(fresh + r * kept);
    out[blockIdx.x * units + unit] = (1 - z) * n + z * h[unit];
}

__global__ void dilatedConv(const float* in, const float* weights, const float* bias, float* out,
                            int channels, int outputs, int length, int dilation) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int o = blockIdx.y, item = blockIdx.z;
    if (t >= length) return;
    float sum = bias[o];
    for (int c = 0; c < channels; c++)
        for (int k = 0; k < 3; k++) {
            int at = t - k * dilation;
            if (at >= 0) sum += weights[(o * channels + c) * 3 + k] * in[(item * channels + c) * length + at];
        }
    out[(item * outputs + o) * length + t] = fmaxf(sum, 0.f);
}

// Kernel 4 x 4, stride 2, padding 1
__global__ void transposedConv(const float* __restrict__ in, const float* __restrict__ weights,
                               float* __restrict__ out, int channels, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int o = blockIdx.z;
    const int wide = side * 2;
    if (x >= wide || y >= wide) return;
    float sum = 0;
    for (int c = 0; c < channels; ++c)
        for (int ky = (y + 1) & 1; ky < 4; ky += 2) {
            const int iy = (y + 1 - ky) / 2;
            if (y + 1 < ky || iy >= side) continue;
            for (int kx = (x + 1) & 1; kx < 4; kx += 2) {
                const int ix = (x + 1 - kx) / 2;
                if (x + 1 < kx || ix >= side) continue;
                sum += __ldg(in + (c * side + iy) * side + ix) *
                       __ldg(weights + ((c * gridDim.z + o) * 4 + ky) * 4 + kx);
            }
        }
    out[(o * wide + y) * wide + x] = sum;
}

__global__ void __launch_bounds__(128)
    deformConv(const float* __restrict__ in, const float* __restrict__ offsets,
               const float* __restrict__ weights, float* __restrict__ out, int side) {
    __shared__ float w[8 * 9 * 8];
    for (int i = threadIdx.x; i < 8 * 9 * 8; i += blockDim.x) w[i] = weights[i];
    __syncthreads();
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x, pixels = side * side;
    if (pixel >= pixels) return;
    const int x = pixel % side, y = pixel / side;
    float sums[8] = {};
    for (int k = 0; k < 9; ++k) {
        const float px = x + k % 3 - 1 + offsets[2 * k * pixels + pixel];
        const float py = y + k / 3 - 1 + offsets[(2 * k + 1) * pixels + pixel];
        if (px <= -1 || py <= -1 || px >= side || py >= side) continue;
        const int x0 = (int)floorf(px), y0 = (int)floorf(py);
        const float a = px - x0, b = py - y0;
        for (int c = 0; c < 8; ++c) {
            const float* plane = in + c * pixels;
            float value = 0;
            if (y0 >= 0 && x0 >= 0) value += (1 - a) * (1 - b) * plane[y0 * side + x0];
            if (y0 >= 0 && x0 + 1 < side) value += a * (1 - b) * plane[y0 * side + x0 + 1];
            if (y0 + 1 < side && x0 >= 0) value += (1 - a) * b * plane[(y0 + 1) * side + x0];
            if (y0 + 1 < side && x0 + 1 < side) value += a * b * plane[(y0 + 1) * side + x0 + 1];
#pragma unroll
            for (int o = 0; o < 8; ++o) sums[o] += value * w[(c * 9 + k) * 8 + o];
        }
    }
#pragma unroll
    for (int o = 0; o < 8; ++o) out[o * pixels + pixel] = sums[o];
}

__device__ __forceinline__ float real(float x) { return x; }
__device__ __forceinline__ float real(__half x) { return __half2float(x); }
__device__ __forceinline__ void assign(float& to, float x) { to = x; }
__device__ __forceinline__ void assign(__half& to, float x) { to = __float2half(x); }

template <class T>
__global__ void lionStep(T* weights, const T* gradients, float* momenta, int count, float rate, float decay) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float g = real(gradients[i]), w = real(weights[i]), m = momenta[i];
        const float blend = 0.9f * m + 0.1f * g;
        const float sign = blend > 0 ? 1.f : blend < 0 ? -1.f : 0.f;
        assign(weights[i], w - rate * (sign + decay * w));
        momenta[i] = 0.99f * m + 0.01f * g;
    }
}

struct Mish {
    __device__ static float of(float x) { return x * tanhf(x > 20 ? x : log1pf(expf(x))); }
};
struct HardSwish {
    __device__ static float of(float x) { return x * __saturatef(x / 6 + 0.5f); }
};

template <class Curve>
__global__ void activate(const half2* __restrict__ in, half2* __restrict__ out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float2 v = __half22float2(in[i]);
    out[i] = __floats2half2_rn(Curve::of(v.x), Curve::of(v.y));
}

__global__ void pointwiseInt8(const int4* __restrict__ pixels, const int4* __restrict__ weights,
                              const float* __restrict__ scales, signed char* __restrict__ out, int count) {
    __shared__ int4 w[8 * 4];
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 32) w[threadIdx.x] = weights[blockIdx.y * 32 + threadIdx.x];
    __syncthreads();
    if (pixel >= count) return;
    int4 in[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) in[k] = pixels[pixel * 4 + k];
#pragma unroll
    for (int o = 0; o < 8; ++o) {
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int4 v = w[o * 4 + k];
            sum = __dp4a(in[k].x, v.x, sum);
            sum = __dp4a(in[k].y, v.y, sum);
            sum = __dp4a(in[k].z, v.z, sum);
            sum = __dp4a(in[k].w, v.w, sum);
        }
        const int scaled = __float2int_rn(sum * scales[blockIdx.y * 8 + o]);
        out[pixel * 64 + blockIdx.y * 8 + o] = (signed char)held(scaled, -128, 127);
    }
}

__global__ void gumbelPick(const float* logits, int* picks, int words, float temperature, u32 seed) {
    __shared__ float bestScores[8];
    __shared__ int bestWords[8];
    float best = -1e30f;
    int word = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        const float u = ((scrambled(seed + blockIdx.x * words + i) >> 8) + 0.5f) / 16777216.f;
        const float score = logits[blockIdx.x * words + i] / temperature - __logf(-__logf(u));
        if (score > best) {
            best = score;
            word = i;
        }
    }
    for (int step = 16; step; step >>= 1) {
        const float other = __shfl_down_sync(~0u, best, step);
        const int otherWord = __shfl_down_sync(~0u, word, step);
        if (other > best || (other == best && otherWord < word)) {
            best = other;
            word = otherWord;
        }
    }
    if (threadIdx.x % 32 == 0) {
        bestScores[threadIdx.x / 32] = best;
        bestWords[threadIdx.x / 32] = word;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < (int)blockDim.x / 32; ++k)
            if (bestScores[k] > best) {
                best = bestScores[k];
                word = bestWords[k];
            }
        picks[blockIdx.x] = word;
    }
}

struct Normals {
    float mean[8][4];
    float inverse[8][4];
    float logWeight[8];
};

__global__ void gmmExpect(const float4* points, Normals mixture, float* shares, float* likelihood,
                          int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
    if (i < count) {
        const float4 p = points[i];
        float logs[8], most = -1e30f;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float a = p.x - mixture.mean[k][0], b = p.y - mixture.mean[k][1];
            const float c = p.z - mixture.mean[k][2], d = p.w - mixture.mean[k][3];
            logs[k] =
                mixture.logWeight[k] - 0.5f * (a * a * mixture.inverse[k][0] + b * b * mixture.inverse[k][1] +
                                               c * c * mixture.inverse[k][2] + d * d * mixture.inverse[k][3]);
            most = fmaxf(most, logs[k]);
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) total += logs[k] = expf(logs[k] - most);
#pragma unroll
        for (int k = 0; k < 8; ++k) shares[k * count + i] = logs[k] / total;
        total = most + logf(total);
    }
    total = sumOverBlock(total);
    if (threadIdx.x == 0) likelihood[blockIdx.x] = total;
}

__global__ void somWinner(const float* __restrict__ inputs, const float* __restrict__ nodes, int* winners,
                          int count, int nodeCount) {
    __shared__ float mine[16];
    __shared__ u64 best;
    if (threadIdx.x < 16) mine[threadIdx.x] = inputs[blockIdx.x * 16 + threadIdx.x];
    if (threadIdx.x == 0) best = ~0ull;
    __syncthreads();
    u64 least = ~0ull;
    for (int n = threadIdx.x; n < nodeCount; n += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < 16; ++k) {
            const float d = nodes[k * nodeCount + n] - mine[k];
            sum += d * d;
        }
        least = min(least, (u64)__float_as_uint(sum) << 32 | n);
    }
    atomicMin(&best, least);
    __syncthreads();
    if (threadIdx.x == 0) winners[blockIdx.x] = (int)(best & 0xffffffff);
}

__global__ void tsneRepulse(const float2* points, float2* forces, float* totals, int count) {
    __shared__ float2 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 p = i < count ? points[i] : make_float2(0, 0);
    float fx = 0, fy = 0, z = 0;
    for (int base = 0; base < count; base += 128) {
        __syncthreads();
        if (base + threadIdx.x < count) tile[threadIdx.x] = points[base + threadIdx.x];
        __syncthreads();
        int n = min(128, count - base);
        for (int k = 0; k < n; k++) {
            float dx = p.x - tile[k].x, dy = p.y - tile[k].y;
            float q = 1 / (1 + dx * dx + dy * dy);
            z += q;
            fx += q * q * dx;
            fy += q * q * dy;
        }
    }
    if (i < count) {
        forces[i] = make_float2(fx, fy);
        totals[i] = z - 1;
    }
}

// A warp per head; lane j holds column j of the state
__global__ void linearAttention(const float* __restrict__ q, const float* __restrict__ k,
                                const float* __restrict__ v, float* __restrict__ out, int steps,
                                float decay) {
    const int lane = threadIdx.x;
    float columns[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) columns[i] = 0;
    for (int t = 0; t < steps; ++t) {
        const int at = (blockIdx.x * steps + t) * 32 + lane;
        const float key = k[at], query = q[at], value = v[at];
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            columns[i] = decay * columns[i] + __shfl_sync(~0u, key, i) * value;
            sum += __shfl_sync(~0u, query, i) * columns[i];
        }
        out[at] = sum;
    }
}

template <int K>
__global__ void knnLists(const float* xs, const float* ys, const float* zs, int* neighbours, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float x = xs[i], y = ys[i], z = zs[i];
    float distances[K];
    int which[K];
    for (int k = 0; k < K; k++) {
        distances[k] = 1e30f;
        which[k] = -1;
    }
    for (int j = 0; j < count; j++) {
        if (j == i) continue;
        float dx = xs[j] - x, dy = ys[j] - y, dz = zs[j] - z;
        float d = dx * dx + dy * dy + dz * dz;
        if (d >= distances[K - 1]) continue;
        int k = K - 1;
        while (k > 0 && distances[k - 1] > d) {
            distances[k] = distances[k - 1];
            which[k] = which[k - 1];
            k--;
        }
        distances[k] = d;
        which[k] = j;
    }
    for (int k = 0; k < K; k++) neighbours[k * count + i] = which[k];
}

void runLearning(uint32_t& state) {
    float* hidden = zeros<float>(96 * 128);
    gruCell<<<96, 128>>>(reals(96 * 64, -1, 1), reals(96 * 128, -1, 1), reals(64 * 384, -0.1, 0.1),
                         reals(128 * 384, -0.1, 0.1), reals(384, -0.1, 0.1), hidden, 64);
    toSum(hidden, 96 * 128);

    float* wave = zeros<float>(4 * 24 * 1000);
    dilatedConv<<<dim3(over(1000, 256), 24, 4), 256>>>(reals(4 * 32 * 1000, -1, 1), reals(24 * 96, -1, 1),
                                                       reals(24), wave, 32, 24, 1000, 8);
    toSum(wave, 4 * 24 * 1000);

    float* larger = zeros<float>(8 * 80 * 80);
    transposedConv<<<dim3(5, 5, 8), dim3(16, 16)>>>(reals(24 * 1600, -1, 1), reals(24 * 8 * 16, -1, 1),
                                                    larger, 24, 40);
    toSum(larger, 8 * 80 * 80);

    float* deformed = zeros<float>(8 * 72 * 72);
    deformConv<<<over(72 * 72, 128), 128>>>(reals(8 * 72 * 72, -1, 1), reals(18 * 72 * 72, -2, 2),
                                            reals(576, -1, 1), deformed, 72);
    toSum(deformed, 8 * 72 * 72);

    float* weights = reals(1200000, -1, 1);
    lionStep<<<1056, 256>>>(weights, reals(1200001, -1, 1), reals(1200002, -1, 1), 1200000, 0.01f, 0.1f);
    toSum(weights, 1200000);
    std::vector<__half> halves(400000);
    for (__half& h : halves) h = __float2half(some(state) * 8 - 4);
    __half* fewer = in_device(halves);
    lionStep<<<264, 512>>>(fewer, in_device(halves), reals(400000, -1, 1), 400000, 0.01f, 0.1f);
    half2* curved = (half2*)in_device(halves);
    half2* bent = (half2*)in_device(halves);
    activate<Mish><<<over(200000, 256), 256>>>((const half2*)fewer, curved, 200000);
    activate<HardSwish><<<over(200000, 1024), 1024>>>((const half2*)fewer, bent, 200000);
    for (half2* made : {curved, bent})
        sums.push_back([=] {
            std::vector<__half> values(400000);
            cudaMemcpy(values.data(), made, 800000, cudaMemcpyDeviceToHost);
            double sum = 0;
            for (__half h : values) sum += __half2float(h);
            return sum;
        });

    signed char* mixed = zeros<signed char>(12000 * 64);
    pointwiseInt8<<<dim3(over(12000, 128), 8), 128>>>((const int4*)wholes<u8>(12000 * 64, 256),
                                                      (const int4*)wholes<u8>(64 * 64, 256),
                                                      reals(64, 0.0005, 0.002), mixed, 12000);
    toSum(mixed, 12000 * 64);

    int* picks = zeros<int>(80);
    gumbelPick<<<80, 256>>>(reals(80 * 9000, -5, 5), picks, 9000, 0.8f, 77);
    toSum(picks, 80);

    Normals mixture;
    for (int k = 0; k < 8; ++k) {
        mixture.logWeight[k] = -2.f - 0.1f * k;
        for (int d = 0; d < 4; ++d) {
            mixture.mean[k][d] = some(state) * 4 - 2;
            mixture.inverse[k][d] = 0.5f + some(state) * 3;
        }
    }
    float* shares = zeros<float>(8 * 60000);
    float* likelihood = zeros<float>(235);
    gmmExpect<<<over(60000, 256), 256>>>((const float4*)reals(240000, -3, 3), mixture, shares, likelihood,
                                         60000);
    toSum(shares, 480000);
    toSum(likelihood, 235);

    int* winners = zeros<int>(400);
    somWinner<<<400, 256>>>(reals(400 * 16), reals(16 * 1100), winners, 400, 1100);
    toSum(winners, 400);

    float* totals = zeros<float>(1900);
    float2* repulsion = (float2*)zeros<float>(3800);
    tsneRepulse<<<over(1900, 128), 128>>>((const float2*)reals(3800, -20, 20), repulsion, totals, 1900);
    toSum(totals, 1900);
    toSum((float*)repulsion, 3800);

    float* attended = zeros<float>(40 * 160 * 32);
    linearAttention<<<40, 32>>>(reals(40 * 160 * 32, -1, 1), reals(40 * 160 * 32 + 1, -1, 1),
                                reals(40 * 160 * 32 + 2, -1, 1), attended, 160, 0.97f);
    toSum(attended, 40 * 160 * 32);

    int* neighbours = zeros<int>(8 * 1700);
    knnLists<8><<<over(1700, 64), 64>>>(reals(1700), reals(1701), reals(1702), neighbours, 1700);
    toSum(neighbours, 8 * 1700);
}

// ---------------------------------------------------------------- matrices

// C = alpha A^T B + beta C, A is k x n and B is k x m
template <class T>
__global__ void gemmTransA(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n, int m,
                           int depth, T alpha, T beta) {
    __shared__ T tileA[16][16], tileB[16][16];
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    const int colA = blockIdx.y * 16 + threadIdx.x;
    T sum = 0;
    for (int base = 0; base < depth; base += 16) {
        const int k = base + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = k < depth && colA < n ? a[k * n + colA] : T(0);
        tileB[threadIdx.y][threadIdx.x] = k < depth && col < m ? b[k * m + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) sum += tileA[i][threadIdx.y] * tileB[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < m) c[row * m + col] = alpha * sum + beta * c[row * m + col];
}

__global__ void gesummv(float* A, float* B, float* x, float* y, int n, float alpha, float beta) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float first = 0, second = 0;
        for (int j = 0; j < n; j++) {
            first += A[i * n + j] * x[j];
            second += B[i * n + j] * x[j];
        }
        y[i] = alpha * first + beta * second;
    }
}

__global__ void doitgen(const double* A, const double* C4, double* sum, int nr, int nq, int np) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int q = blockIdx.y * blockDim.y + threadIdx.y;
    int r = blockIdx.z;
    if (p >= np || q >= nq || r >= nr) return;
    double total = 0;
    for (int s = 0; s < np; s++) total += A[(r * nq + q) * np + s] * C4[s * np + p];
    sum[(r * nq + q) * np + p] = total;
}

__global__ void ldlBatched(const double* __restrict__ systems, double* __restrict__ solutions, int count) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;
    double a[6][6], x[6];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
#pragma unroll
        for (int j = 0; j <= i; ++j) a[i][j] = systems[(i * (i + 1) / 2 + j) * count + s];
        a[i][i] += 6;
        x[i] = i + 1;
    }
#pragma unroll
    for (int j = 0; j < 6; ++j) {
#pragma unroll
        for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k] * a[k][k];
        const double inverse = 1 / a[j][j];
#pragma unroll
        for (int i = j + 1; i < 6; ++i) {
#pragma unroll
            for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k] * a[k][k];
            a[i][j] *= inverse;
        }
    }
#pragma unroll
    for (int i = 0; i < 6; ++i)
#pragma unroll
        for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
#pragma unroll
    for (int i = 0; i < 6; ++i) x[i] /= a[i][i];
#pragma unroll
    for (int i = 5; i >= 0; --i)
#pragma unroll
        for (int k = i + 1; k < 6; ++k) x[i] -= a[k][i] * x[k];
#pragma unroll
    for (int i = 0; i < 6; ++i) solutions[i * count + s] = x[i];
}

// A warp turns a 20 x 32 matrix into a triangle, lane = column
__global__ void givensWarp(float* matrices, int count) {
    __shared__ float all[4][20][33];
    const int warp = threadIdx.y, lane = threadIdx.x, which = blockIdx.x * 4 + warp;
    if (which >= count) return;
    float(*m)[33] = all[warp];
    for (int r = 0; r < 20; ++r) m[r][lane] = matrices[(which * 20 + r) * 32 + lane];
    __syncwarp();
    for (int c = 0; c < 19; ++c)
        for (int r = 19; r > c; --r) {
            const float a = m[r - 1][c], b = m[r][c];
            __syncwarp();
            if (fabsf(b) > 1e-12f) {
                const float scale = rsqrtf(a * a + b * b), cosine = a * scale, sine = b * scale;
                if (lane >= c) {
                    const float upper = m[r - 1][lane], lower = m[r][lane];
                    m[r - 1][lane] = cosine * upper + sine * lower;
                    m[r][lane] = cosine * lower - sine * upper;
                }
            }
            __syncwarp();
        }
    for (int r = 0; r < 20; ++r) matrices[(which * 20 + r) * 32 + lane] = m[r][lane];
}

__constant__ int diagonalOffsets[9];

__global__ void diaSpmv(const float* __restrict__ diagonals, const float* __restrict__ x,
                        float* __restrict__ y, int rows, int diagonalCount) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int d = 0; d < diagonalCount; ++d) {
        const int col = row + diagonalOffsets[d];
        if (col >= 0 && col < rows) sum += diagonals[d * rows + row] * x[col];
    }
    y[row] = sum;
}

__global__ void sddmm(const int2* __restrict__ places, const float* __restrict__ left,
                      const float* __restrict__ right, const float* __restrict__ values,
                      float* __restrict__ out, int count) {
    const auto group = cg::tiled_partition<8>(cg::this_thread_block());
    const int entry = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (entry >= count) return;
    const int2 at = places[entry];
    const float4* a = (const float4*)(left + at.x * 64);
    const float4* b = (const float4*)(right + at.y * 64);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const float4 u = a[k * 8 + group.thread_rank()], v = b[k * 8 + group.thread_rank()];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    sum = cg::reduce(group, sum, cg::plus<float>());
    if (group.thread_rank() == 0) out[entry] = sum * values[entry];
}

struct Matrix4 {
    float m[16];
};

__global__ void inverse4(const Matrix4* in, Matrix4* out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Matrix4 a = in[i], r;
    for (int k = 0; k < 4; k++) a.m[k * 5] += 3;
    float s0 = a.m[0] * a.m[5] - a.m[4] * a.m[1], s1 = a.m[0] * a.m[6] - a.m[4] * a.m[2];
    float s2 = a.m[0] * a.m[7] - a.m[4] * a.m[3], s3 = a.m[1] * a.m[6] - a.m[5] * a.m[2];
    float s4 = a.m[1] * a.m[7] - a.m[5] * a.m[3], s5 = a.m[2] * a.m[7] - a.m[6] * a.m[3];
    float c5 = a.m[10] * a.m[15] - a.m[14] * a.m[11], c4 = a.m[9] * a.m[15] - a.m[13] * a.m[11];
    float c3 = a.m[9] * a.m[14] - a.m[13] * a.m[10], c2 = a.m[8] * a.m[15] - a.m[12] * a.m[11];
    float c1 = a.m[8] * a.m[14] - a.m[12] * a.m[10], c0 = a.m[8] * a.m[13] - a.m[12] * a.m[9];
    float d = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
    r.m[0] = (a.m[5] * c5 - a.m[6] * c4 + a.m[7] * c3) * d;
    r.m[1] = (-a.m[1] * c5 + a.m[2] * c4 - a.m[3] * c3) * d;
    r.m[2] = (a.m[13] * s5 - a.m[14] * s4 + a.m[15] * s3) * d;
    r.m[3] = (-a.m[9] * s5 + a.m[10] * s4 - a.m[11] * s3) * d;
    r.m[4] = (-a.m[4] * c5 + a.m[6] * c2 - a.m[7] * c1) * d;
    r.m[5] = (a.m[0] * c5 - a.m[2] * c2 + a.m[3] * c1) * d;
    r.m[6] = (-a.m[12] * s5 + a.m[14] * s2 - a.m[15] * s1) * d;
    r.m[7] = (a.m[8] * s5 - a.m[10] * s2 + a.m[11] * s1) * d;
    r.m[8] = (a.m[4] * c4 - a.m[5] * c2 + a.m[7] * c0) * d;
    r.m[9] = (-a.m[0] * c4 + a.m[1] * c2 - a.m[3] * c0) * d;
    r.m[10] = (a.m[12] * s4 - a.m[13] * s2 + a.m[15] * s0) * d;
    r.m[11] = (-a.m[8] * s4 + a.m[9] * s2 - a.m[11] * s0) * d;
    r.m[12] = (-a.m[4] * c3 + a.m[5] * c1 - a.m[6] * c0) * d;
    r.m[13] = (a.m[0] * c3 - a.m[1] * c1 + a.m[2] * c0) * d;
    r.m[14] = (-a.m[12] * s3 + a.m[13] * s1 - a.m[14] * s0) * d;
    r.m[15] = (a.m[8] * s3 - a.m[9] * s1 + a.m[10] * s0) * d;
    out[i] = r;
}

// Columns of a tall matrix made orthonormal by one block
__global__ void gramSchmidtBlock(float* q, float* r, int rows, int columns) {
    for (int k = 0; k < columns; ++k) {
        float sum = 0;
        for (int i = threadIdx.x; i < rows; i += blockDim.x) sum += q[k * rows + i] * q[k * rows + i];
        const float length = sqrtf(sumOverBlock(sum));
        for (int i = threadIdx.x; i < rows; i += blockDim.x) q[k * rows + i] /= length;
        if (threadIdx.x == 0) r[k * columns + k] = length;
        for (int j = k + 1; j < columns; ++j) {
            float dot = 0;
            for (int i = threadIdx.x; i < rows; i += blockDim.x) dot += q[k * rows + i] * q[j * rows + i];
            dot = sumOverBlock(dot);
            for (int i = threadIdx.x; i < rows; i += blockDim.x) q[j * rows + i] -= dot * q[k * rows + i];
            if (threadIdx.x == 0) r[k * columns + j] = dot;
        }
    }
}

void runMatrices(uint32_t& state) {
    float* product = reals(232 * 220, -1, 1);
    gemmTransA<<<dim3(over(220, 16), over(232, 16)), dim3(16, 16)>>>(
        reals(200 * 232, -1, 1), reals(200 * 220, -1, 1), product, 232, 220, 200, 1.5f, 0.5f);
    toSum(product, 232 * 220);
    double* finer = reals<double>(168 * 160, -1, 1);
    gemmTransA<<<dim3(over(160, 16), over(168, 16)), dim3(16, 16)>>>(
        reals<double>(180 * 168, -1, 1), reals<double>(180 * 160, -1, 1), finer, 168, 160, 180, 1.5, 0.5);
    toSum(finer, 168 * 160);

    float* y = zeros<float>(1000);
    gesummv<<<over(1000, 256), 256>>>(reals(1000000, -1, 1), reals(1000001, -1, 1), reals(1000), y, 1000,
                                      1.2f, 0.7f);
    toSum(y, 1000);

    double* tensor = zeros<double>(30 * 34 * 48);
    doitgen<<<dim3(over(48, 32), over(34, 8), 30), dim3(32, 8)>>>(reals<double>(30 * 34 * 48),
                                                                  reals<double>(48 * 48), tensor, 30, 34, 48);
    toSum(tensor, 30 * 34 * 48);

    double* solutions = zeros<double>(6 * 24000);
    ldlBatched<<<over(24000, 128), 128>>>(reals<double>(21 * 24000, -1, 1), solutions, 24000);
    toSum(solutions, 6 * 24000);

    float* turned = reals(300 * 640, -1, 1);
    givensWarp<<<75, dim3(32, 4)>>>(turned, 300);
    toSum(turned, 300 * 640);

    const int offsets[9] = {-4000, -64, -2, -1, 0, 1, 2, 64, 4000};
    cudaMemcpyToSymbol(diagonalOffsets, offsets, sizeof offsets);
    float* result = zeros<float>(250000);
    diaSpmv<<<over(250000, 192), 192>>>(reals(9 * 250000, -1, 1), reals(250000, -1, 1), result, 250000, 9);
    toSum(result, 250000);

    std::vector<int2> places(60000);
    for (int2& p : places) {
        p.y = below(state, 5000);
        p.x = below(state, 3000);
    }
    std::sort(places.begin(), places.end(),
              [](int2 a, int2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    float* sampled = zeros<float>(60000);
    sddmm<<<over(60000 * 8, 256), 256>>>(in_device(places), reals(3000 * 64, -1, 1), reals(5000 * 64, -1, 1),
                                         reals(60000), sampled, 60000);
    toSum(sampled, 60000);

    float* inverses = zeros<float>(16 * 70000);
    inverse4<<<over(70000, 256), 256>>>((const Matrix4*)reals(16 * 70000, -1, 1), (Matrix4*)inverses, 70000);
    toSum(inverses, 16 * 70000);

    float* columns = reals(900 * 18, -1, 1);
    float* upper = zeros<float>(18 * 18);
    gramSchmidtBlock<<<1, 512>>>(columns, upper, 900, 18);
    toSum(columns, 900 * 18);
    toSum(upper, 18 * 18);
}

// ---------------------------------------------------------------- graphs

struct Graph {
    const int* starts;
    const int* targets;
    int vertices;
};

__device__ bool hasEdge(const Graph& graph, int from, int to) {
    int low = graph.starts[from], high = graph.starts[from + 1];
    while (low < high) {
        const int middle = (low + high) / 2;
        const int at = graph.targets[middle];
        if (at == to) return true;
        if (at < to)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

__global__ void trussSupport(Graph graph, const int2* edges, int* support, int count) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    int u = edges[e].x, v = edges[e].y;
    if (graph.starts[u + 1] - graph.starts[u] > graph.starts[v + 1] - graph.starts[v]) {
        int t = u;
        u = v;
        v = t;
    }
    int common = 0;
    for (int i = graph.starts[u]; i < graph.starts[u + 1]; i++)
        if (hasEdge(graph, v, graph.targets[i])) common++;
    support[e] = common;
}

__global__ void aliasWalks(const int* __restrict__ starts, const int* __restrict__ targets,
                           const float* __restrict__ chances, const int* __restrict__ aliases,
                           int* __restrict__ visits, int walkers, int vertices, int steps) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= walkers) return;
    Lcg draws(w * 17 + 3);
    int at = w % vertices;
    for (int s = 0; s < steps; ++s) {
        const int first = __ldg(starts + at), degree = __ldg(starts + at + 1) - first;
        if (degree == 0) break;
        int k = min((int)(draws.next() * degree), degree - 1);
        if (draws.next() > __ldg(chances + first + k)) k = __ldg(aliases + first + k);
        at = __ldg(targets + first + k);
        atomicAdd(&visits[at], 1);
    }
}

// Distances to the end of a list, one block
__global__ void __launch_bounds__(1024) pointerJump(const int* next, int* ranks, int count) {
    __shared__ int hops[2048];
    __shared__ short following[2048];
    for (int i = threadIdx.x; i < count; i += 1024) {
        following[i] = next[i];
        hops[i] = next[i] != i;
    }
    __syncthreads();
    for (int round = 1; round < count; round *= 2) {
        int more[2];
        short beyond[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int i = threadIdx.x + k * 1024;
            if (i < count) {
                more[k] = hops[following[i]];
                beyond[k] = following[following[i]];
            }
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int i = threadIdx.x + k * 1024;
            if (i < count) {
                hops[i] += more[k];
                following[i] = beyond[k];
            }
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < count; i += 1024) ranks[i] = hops[i];
}

__global__ void hitsPush(Graph graph, const float* hubs, float* authorities) {
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
    if (v >= graph.vertices) return;
    const float mine = hubs[v];
    for (int i = graph.starts[v] + threadIdx.x % 4; i < graph.starts[v + 1]; i += 4)
        atomicAdd(&authorities[graph.targets[i]], mine);
}

void runGraphs(uint32_t& state) {
    const int vertices = 5000;
    std::vector<std::vector<int>> lists(vertices);
    for (int v = 0; v < vertices; ++v) {
        const int degree = 2 + below(state, 10) + (v % 50 == 0 ? 60 : 0);
        for (int k = 0; k < degree; ++k) {
            const int to = below(state, 3) ? (v + 1 + below(state, 60)) % vertices : below(state, vertices);
            if (to == v) continue;
            lists[v].push_back(to);
            lists[to].push_back(v);
        }
    }
    std::vector<int> starts(1, 0), targets, aliases;
    std::vector<float> chances;
    std::vector<int2> edges;
    for (int v = 0; v < vertices; ++v) {
        std::sort(lists[v].begin(), lists[v].end());
        lists[v].erase(std::unique(lists[v].begin(), lists[v].end()), lists[v].end());
        for (int to : lists[v]) {
            targets.push_back(to);
            chances.push_back(0.4f + 0.6f * some(state));
            aliases.push_back(below(state, lists[v].size()));
            if (v < to) edges.push_back(make_int2(v, to));
        }
        starts.push_back(targets.size());
    }
    const Graph graph{in_device(starts), in_device(targets), vertices};
    const int edgeCount = edges.size();
    const int2* pairs = in_device(edges);

    int* support = zeros<int>(edgeCount);
    trussSupport<<<over(edgeCount, 256), 256>>>(graph, pairs, support, edgeCount);
    toSum(support, edgeCount);

    int* visits = zeros<int>(vertices);
    aliasWalks<<<over(12000, 128), 128>>>(graph.starts, graph.targets, in_device(chances), in_device(aliases),
                                          visits, 12000, vertices, 50);
    toSum(visits, vertices);

    std::vector<int> order(1900), next(1900);
    for (int i = 0; i < 1900; ++i) order[i] = i;
    for (int i = 1899; i > 0; --i) std::swap(order[i], order[below(state, i + 1)]);
    for (int i = 0; i < 1900; ++i) next[order[i]] = order[i < 1899 ? i + 1 : i];
    int* ranks = zeros<int>(1900);
    pointerJump<<<1, 1024>>>(in_device(next), ranks, 1900);
    toSum(ranks, 1900);

    float* authorities = zeros<float>(vertices);
    hitsPush<<<over(vertices * 4, 128), 128>>>(graph, reals(vertices), authorities);
    toSum(authorities, vertices);
}

// ---------------------------------------------------------------- sorting, scanning, counting

__global__ void rankSort(const int* keys, int* sorted, int count) {
    __shared__ int tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < count ? keys[i] : 0;
    int rank = 0;
    for (int base = 0; base < count; base += 256) {
        if (base + threadIdx.x < count) tile[threadIdx.x] = keys[base + threadIdx.x];
        __syncthreads();
        int n = min(256, count - base);
        for (int k = 0; k < n; k++) rank += tile[k] < mine || (tile[k] == mine && base + k < i);
        __syncthreads();
    }
    if (i < count) sorted[rank] = mine;
}

__global__ void combSortLocal(const float* in, float* out, int groups) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    float v[40];
    for (int k = 0; k < 40; k++) v[k] = in[k * groups + g];
    int gap = 40;
    bool swapped = true;
    while (gap > 1 || swapped) {
        gap = max(1, gap * 10 / 13);
        swapped = false;
        for (int k = 0; k + gap < 40; k++)
            if (v[k] > v[k + gap]) {
                float t = v[k];
                v[k] = v[k + gap];
                v[k + gap] = t;
                swapped = true;
            }
    }
    for (int k = 0; k < 40; k++) out[k * groups + g] = v[k];
}

__global__ void radixSelect(const u32* __restrict__ keys, u32* __restrict__ chosen, int length, int wanted) {
    __shared__ int counts[256];
    __shared__ u32 prefix;
    __shared__ int left;
    const u32* row = keys + blockIdx.x * length;
    if (threadIdx.x == 0) {
        prefix = 0;
        left = wanted;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
        __syncthreads();
        const u32 known = prefix;
        for (int i = threadIdx.x; i < length; i += blockDim.x) {
            const u32 key = row[i];
            if (shift == 24 || key >> (shift + 8) == known >> (shift + 8))
                atomicAdd(&counts[key >> shift & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            int mine[8], sum = 0;
            for (int k = 0; k < 8; ++k) sum += mine[k] = counts[threadIdx.x * 8 + k];
            int upTo = sum;
            for (int step = 1; step < 32; step *= 2) {
                const int other = __shfl_up_sync(~0u, upTo, step);
                if ((int)threadIdx.x >= step) upTo += other;
            }
            int rank = left - (upTo - sum);
            __syncwarp();
            if (rank >= 0 && rank < sum) {
                int k = 0;
                while (rank >= mine[k]) rank -= mine[k++];
                prefix = known | (threadIdx.x * 8 + k) << shift;
                left = rank;
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) chosen[blockIdx.x] = prefix;
}

// Work-efficient exclusive scan, padded against bank conflicts
__global__ void blellochScan(const int* in, int* out, int* totals, int n) {
    extern __shared__ int cells[];
    auto place = [](int i) { return i + (i >> 5); };
    const int t = threadIdx.x, base = blockIdx.x * n;
    cells[place(t)] = in[base + t];
    cells[place(t + n / 2)] = in[base + t + n / 2];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) cells[place(offset * (2 * t + 2) - 1)] += cells[place(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) {
        totals[blockIdx.x] = cells[place(n - 1)];
        cells[place(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = place(offset * (2 * t + 1) - 1), b = place(offset * (2 * t + 2) - 1);
            const int v = cells[a];
            cells[a] = cells[b];
            cells[b] += v;
        }
    }
    __syncthreads();
    out[base + t] = cells[place(t)];
    out[base + t + n / 2] = cells[place(t + n / 2)];
}

// 64 bins, a byte counter per thread and bin
__global__ void byteCounters(const u32* __restrict__ words, int* __restrict__ counts, int each) {
    __shared__ u8 bins[64 * 64];
    const int t = threadIdx.x;
    u32* clear = (u32*)bins;
    for (int i = t; i < 1024; i += 64) clear[i] = 0;
    __syncthreads();
    const int column = (t & ~15) | (t & 3) << 2 | (t >> 2 & 3);
    for (int i = 0; i < each; ++i) {
        const u32 word = words[(blockIdx.x * each + i) * 64 + t];
        bins[(word >> 2 & 63) * 64 + column]++;
        bins[(word >> 10 & 63) * 64 + column]++;
        bins[(word >> 18 & 63) * 64 + column]++;
        bins[(word >> 26 & 63) * 64 + column]++;
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += bins[t * 64 + ((k + t) & 63)];
    atomicAdd(&counts[t], sum);
}

void runSorting(uint32_t&) {
    int* sorted = zeros<int>(3200);
    rankSort<<<over(3200, 256), 256>>>(wholes(3200, 2000), sorted, 3200);
    toSum(sorted, 3200);

    float* combed = zeros<float>(40 * 6000);
    combSortLocal<<<over(6000, 64), 64>>>(reals(40 * 6000), combed, 6000);
    toSum(combed, 40 * 6000);

    u32* chosen = zeros<u32>(120);
    radixSelect<<<120, 256>>>(wholes<u32>(120 * 6000, 4000000000u), chosen, 6000, 1234);
    toSum(chosen, 120);

    int* scanned = zeros<int>(500 * 1024);
    int* totals = zeros<int>(500);
    blellochScan<<<500, 512, (1024 + 32) * sizeof(int)>>>(wholes(500 * 1024, 100), scanned, totals, 1024);
    toSum(scanned, 500 * 1024);
    toSum(totals, 500);

    int* counts = zeros<int>(64);
    byteCounters<<<280, 64>>>(wholes<u32>(280 * 64 * 48, 0xffffffffu), counts, 48);
    toSum(counts, 64);
}

// ---------------------------------------------------------------- codes

// Bit planes of groups of 32 words
__global__ void bitShuffle(const u32* __restrict__ in, u32* __restrict__ out, int groups) {
    const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (group >= groups) return;
    const u32 previous = lane == 0 ? 0 : in[group * 32 + lane - 1];
    const u32 word = in[group * 32 + lane] ^ previous;
    u32 mine = 0;
#pragma unroll
    for (int bit = 0; bit < 32; ++bit) {
        const u32 plane = __ballot_sync(~0u, word >> bit & 1);
        if (bit == lane) mine = plane;
    }
    out[lane * groups + group] = mine;
}

__global__ void fpcPredict(const u64* values, u8* sizes, u64* checks, int chunks, int length) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= chunks) return;
    u64 table[32];
    for (int k = 0; k < 32; k++) table[k] = 0;
    u64 last = 0, check = 0;
    u32 hash = 0;
    int bytes = 0;
    for (int i = 0; i < length; i++) {
        u64 value = values[i * chunks + c];
        u64 fcm = value ^ table[hash], same = value ^ last;
        u64 residual = fcm < same ? fcm : same;
        table[hash] = value;
        hash = (hash << 2 ^ (u32)(value >> 50)) & 31;
        last = value;
        int zeroBytes = residual ? __clzll(residual) / 8 : 8;
        if (zeroBytes == 4) zeroBytes = 3;
        bytes += 8 - zeroBytes;
        check = check * 31 + residual;
    }
    sizes[c] = (u8)min(255, bytes / 4);
    checks[c] = check >> 20;
}

__constant__ u64 roundNumbers[80];

__device__ __forceinline__ u64 turned(u64 x, int by) { return x >> by | x << (64 - by); }

__global__ void __launch_bounds__(128)
    sha512Blocks(const u64* __restrict__ messages, u64* __restrict__ digests, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 w[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) w[k] = messages[k * count + i];
    const u64 start[8] = {0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull,
                          0xa54ff53a5f1d36f1ull, 0x510e527fade682d1ull, 0x9b05688c2b3e6c1full,
                          0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull};
    u64 a = start[0], b = start[1], c = start[2], d = start[3], e = start[4], f = start[5], g = start[6],
        h = start[7];
#pragma unroll 1
    for (int base = 0; base < 80; base += 16)
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const u64 t1 = h + (turned(e, 14) ^ turned(e, 18) ^ turned(e, 41)) + ((e & f) ^ (~e & g)) +
                           roundNumbers[base + k] + w[k];
            const u64 t2 = (turned(a, 28) ^ turned(a, 34) ^ turned(a, 39)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
            const u64 s = w[(k + 1) & 15], t = w[(k + 14) & 15];
            w[k] += (turned(s, 1) ^ turned(s, 8) ^ s >> 7) + w[(k + 9) & 15] +
                    (turned(t, 19) ^ turned(t, 61) ^ t >> 6);
        }
    const u64 end[8] = {a, b, c, d, e, f, g, h};
#pragma unroll
    for (int k = 0; k < 8; ++k) digests[k * count + i] = start[k] + end[k];
}

__device__ __forceinline__ u64 folded(u64 a, u64 b) { return a * b ^ __umul64hi(a, b); }

__global__ void wyhashKeys(const u8* text, const int* starts, u64* hashes, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int at = starts[i], end = starts[i + 1];
    u64 seed = 0xa0761d6478bd642full ^ (u64)(end - at);
    while (at < end) {
        u64 a = 0, b = 0;
        for (int k = 0; k < 8 && at < end; k++) a |= (u64)text[at++] << (8 * k);
        for (int k = 0; k < 8 && at < end; k++) b |= (u64)text[at++] << (8 * k);
        seed = folded(a ^ 0xe7037ed1a0b428dbull, b ^ seed);
    }
    hashes[i] = folded(seed, 0x8ebc6af09c88c6e3ull) >> 12;
}

// GHASH over eight blocks of 128 bits, bit after bit
__global__ void ghash(const ulonglong2* __restrict__ blocks, ulonglong2* __restrict__ tags, ulonglong2 key,
                      int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 high = 0, low = 0;
    for (int b = 0; b < 8; ++b) {
        const ulonglong2 block = blocks[b * count + i];
        high ^= block.x;
        low ^= block.y;
        u64 vHigh = key.x, vLow = key.y, zHigh = 0, zLow = 0;
        for (int bit = 127; bit >= 0; --bit) {
            const u64 use = 0 - ((bit >= 64 ? high >> (bit - 64) : low >> bit) & 1);
            zHigh ^= vHigh & use;
            zLow ^= vLow & use;
            const u64 carry = 0 - (vLow & 1);
            vLow = vLow >> 1 | vHigh << 63;
            vHigh = vHigh >> 1 ^ (carry & 0xe100000000000000ull);
        }
        high = zHigh;
        low = zLow;
    }
    tags[i] = make_ulonglong2(high, low);
}

struct Modulus {
    u64 n, inverse, one;
    __device__ explicit Modulus(u64 odd) : n(odd), inverse(odd) {
        for (int k = 0; k < 5; k++) inverse *= 2 - n * inverse;
        one = (0 - n) % n;
    }
    __device__ u64 times(u64 a, u64 b) const {
        u64 high = __umul64hi(a, b), m = a * b * inverse;
        u64 back = __umul64hi(m, n);
        return high >= back ? high - back : high - back + n;
    }
};

__global__ void millerRabin(const u64* numbers, u8* isPrime, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 n = numbers[i];
    const int small[5] = {3, 5, 7, 11, 13};
    for (int k = 0; k < 5; k++)
        if (n % small[k] == 0) return;
    Modulus m(n);
    int twos = __ffsll(n - 1) - 1;
    u64 odd = (n - 1) >> twos, minusOne = n - m.one;
    u64 base = m.one;
    for (int witness = 0; witness < 4; witness++) {
        base += m.one;
        if (base >= n) base -= n;
        u64 x = m.one, square = base;
        for (u64 e = odd; e; e >>= 1) {
            if (e & 1) x = m.times(x, square);
            square = m.times(square, square);
        }
        if (x == m.one || x == minusOne) continue;
        bool passes = false;
        for (int k = 1; k < twos && !passes; k++) {
            x = m.times(x, x);
            passes = x == minusOne;
        }
        if (!passes) return;
    }
    isPrime[i] = 1;
}

// Trivium, 64 steps at a time; bit 0 of each register is its newest bit
struct Register {
    u64 low, high;
    __device__ u64 from(int newest) const {
        const int by = newest - 64;
        return by >= 0 ? high >> by : low >> newest | (newest ? high << (64 - newest) : 0);
    }
    __device__ void push(u64 bits) {
        high = low;
        low = bits;
    }
};

__global__ void triviumSlices(const u64* __restrict__ keys, const u64* __restrict__ nonces,
                              u64* __restrict__ stream, int count, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Register a{keys[i], keys[i] >> 40}, b{nonces[i], nonces[i] & 0xffff}, c{0, 7ull << 44};
    for (int w = -18; w < words; ++w) {
        u64 x = a.from(2) ^ a.from(29), y = b.from(5) ^ b.from(20), z = c.from(1) ^ c.from(46);
        if (w >= 0) stream[w * count + i] = x ^ y ^ z;
        x ^= (a.from(27) & a.from(28)) ^ b.from(14);
        y ^= (b.from(18) & b.from(19)) ^ c.from(23);
        z ^= (c.from(44) & c.from(45)) ^ a.from(4);
        a.push(z);
        b.push(x);
        c.push(y);
    }
}

void runCodes(uint32_t& state) {
    u32* planes = zeros<u32>(700000);
    bitShuffle<<<over(700000, 256), 256>>>(wholes<u32>(700000, 1 << 20), planes, 700000 / 32);
    toSum(planes, 700000);

    std::vector<u64> steady(5000 * 64);
    for (int i = 0; i < 5000 * 64; ++i) {
        const double v = 20 + i / 5000 * 0.25 + below(state, 4) * (below(state, 5) ? 0.5 : 0.013);
        memcpy(&steady[i], &v, 8);
    }
    u8* sizes = zeros<u8>(5000);
    u64* checks = zeros<u64>(5000);
    fpcPredict<<<over(5000, 64), 64>>>(in_device(steady), sizes, checks, 5000, 64);
    toSum(sizes, 5000);
    toSum(checks, 5000);

    std::vector<u64> rounds(80), messages(16 * 5000);
    for (u64& r : rounds) r = (u64)next_number(state) << 32 | next_number(state);
    for (u64& m : messages) m = (u64)next_number(state) << 32 | next_number(state);
    cudaMemcpyToSymbol(roundNumbers, rounds.data(), 640);
    u64* digests = zeros<u64>(8 * 5000);
    sha512Blocks<<<over(5000, 128), 128>>>(in_device(messages), digests, 5000);
    toSum(digests, 8 * 5000);

    std::vector<int> starts(1, 0);
    for (int i = 0; i < 20000; ++i) starts.push_back(starts.back() + 4 + below(state, 60));
    u64* hashes = zeros<u64>(20000);
    wyhashKeys<<<over(20000, 256), 256>>>(wholes<u8>(starts.back(), 256), in_device(starts), hashes, 20000);
    toSum(hashes, 20000);

    u64* tags = zeros<u64>(2 * 3000);
    ghash<<<over(3000, 64), 64>>>(
        (const ulonglong2*)in_device(std::vector<u64>(messages.begin(), messages.begin() + 48000)),
        (ulonglong2*)tags, make_ulonglong2(0x66e94bd4ef8a2c3bull, 0x884cfa59ca342b2eull), 3000);
    toSum(tags, 6000);

    std::vector<u64> candidates(20000);
    for (u64& n : candidates) n = ((u64)next_number(state) << 24 | next_number(state)) | 1 | 1ull << 50;
    u8* isPrime = zeros<u8>(20000);
    millerRabin<<<over(20000, 128), 128>>>(in_device(candidates), isPrime, 20000);
    toSum(isPrime, 20000);

    u64* stream = zeros<u64>(10000 * 40);
    triviumSlices<<<over(10000, 96), 96>>>(
        in_device(std::vector<u64>(messages.begin(), messages.begin() + 10000)),
        in_device(std::vector<u64>(messages.begin() + 20000, messages.begin() + 30000)), stream, 10000, 40);
    toSum(stream, 10000 * 40);
}

// ---------------------------------------------------------------- markets and chance

struct Contract {
    float spot, strike, years, rate, swing;
};

__global__ void trinomialPut(const Contract* contracts, float* prices, int steps) {
    __shared__ float values[2][256];
    const Contract c = contracts[blockIdx.x];
    const float dt = c.years / steps, up = expf(c.swing * sqrtf(3 * dt));
    const float drift = (c.rate - 0.5f * c.swing * c.swing) * sqrtf(dt / (12 * c.swing * c.swing));
    const float discount = expf(-c.rate * dt);
    const float pu = discount * (1.f / 6 + drift), pm = discount * 2 / 3, pd = discount * (1.f / 6 - drift);
    const int node = threadIdx.x;
    const float price = c.spot * powf(up, (float)(node - steps));
    const float exercise = fmaxf(0.f, c.strike - price);
    float* now = values[0];
    float* next = values[1];
    now[node] = exercise;
    __syncthreads();
    for (int t = steps - 1; t >= 0; --t) {
        if (node >= steps - t && node <= steps + t)
            next[node] = fmaxf(exercise, pu * now[node + 1] + pm * now[node] + pd * now[node - 1]);
        __syncthreads();
        float* swap = now;
        now = next;
        next = swap;
    }
    if (node == steps) prices[blockIdx.x] = now[node];
}

__global__ void mertonJumps(Contract c, float intensity, float jumpMean, float jumpSwing, float* sums,
                            int steps) {
    Lcg draws(blockIdx.x * blockDim.x + threadIdx.x + 99);
    const float dt = c.years / steps, calm = expf(-intensity * dt);
    const float shift = (c.rate - 0.5f * c.swing * c.swing -
                         intensity * (expf(jumpMean + 0.5f * jumpSwing * jumpSwing) - 1)) *
                        dt;
    float logPrice = logf(c.spot);
    for (int s = 0; s < steps; ++s) {
        const float radius = sqrtf(-2 * __logf(draws.next()));
        float sine, cosine;
        __sincosf(6.2831853f * draws.next(), &sine, &cosine);
        logPrice += shift + c.swing * sqrtf(dt) * radius * cosine;
        int jumps = 0;
        for (float chance = draws.next(); chance > calm; chance *= draws.next()) ++jumps;
        if (jumps) logPrice += jumps * jumpMean + sqrtf((float)jumps) * jumpSwing * radius * sine;
    }
    const float payoff = expf(-c.rate * c.years) * fmaxf(0.f, expf(logPrice) - c.strike);
    const float total = sumOverBlock(payoff);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void creditSwaps(const double* maturities, const double* spreads, double* legs, int count,
                            double rate, double recovery) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    double hazard = spreads[i] / (1 - recovery), premium = 0, protection = 0, survived = 1, time = 0;
    while (time < maturities[i]) {
        double next = fmin(time + 0.25, maturities[i]);
        double alive = exp(-hazard * next), discount = exp(-rate * next);
        premium += spreads[i] * (next - time) * discount * alive;
        premium += 0.5 * spreads[i] * (next - time) * discount * (survived - alive);
        protection += (1 - recovery) * exp(-rate * 0.5 * (time + next)) * (survived - alive);
        survived = alive;
        time = next;
    }
    legs[2 * i] = premium;
    legs[2 * i + 1] = protection;
}

template <int Base>
__device__ float inverted(u32 n) {
    float result = 0, part = 1.f / Base;
    while (n) {
        result += n % Base * part;
        n /= Base;
        part *= 1.f / Base;
    }
    return result;
}

__global__ void haltonVolume(int* inside, int points) {
    const int stride = gridDim.x * blockDim.x;
    int hits = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += stride) {
        const float a = 2 * inverted<2>(i + 20) - 1, b = 2 * inverted<3>(i + 20) - 1,
                    c = 2 * inverted<5>(i + 20) - 1;
        const float d = 2 * inverted<7>(i + 20) - 1;
        if (a * a + b * b + c * c + d * d < 1 && a + b > c * d) ++hits;
    }
    hits = sumOverBlock(hits);
    if (threadIdx.x == 0) atomicAdd(inside, hits);
}

__global__ void slabNeutrons(float thickness, float scatterShare, int* fates, int each) {
    __shared__ int counts[4];
    if (threadIdx.x < 4) counts[threadIdx.x] = 0;
    __syncthreads();
    Lcg draws(blockIdx.x * blockDim.x + threadIdx.x);
    for (int n = 0; n < each; ++n) {
        float depth = 0, direction = 1, energy = 1;
        int fate = 3;
        while (energy > 0.01f) {
            depth -= direction * __logf(draws.next()) / (0.7f + 0.3f * rsqrtf(energy));
            if (depth < 0) {
                fate = 0;
                break;
            }
            if (depth > thickness) {
                fate = 1;
                break;
            }
            if (draws.next() > scatterShare) {
                fate = 2;
                break;
            }
            direction = 2 * draws.next() - 1;
            energy *= 0.3f + 0.7f * draws.next();
        }
        atomicAdd(&counts[fate], 1);
    }
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(&fates[threadIdx.x], counts[threadIdx.x]);
}

void runMarkets(uint32_t& state) {
    std::vector<Contract> contracts(90);
    for (Contract& c : contracts)
        c = {80 + 40 * some(state), 80 + 40 * some(state), 0.3f + some(state), 0.01f + 0.05f * some(state),
             0.15f + 0.3f * some(state)};
    float* puts = zeros<float>(90);
    trinomialPut<<<90, 256>>>(in_device(contracts), puts, 120);
    toSum(puts, 90);

    float* payoffs = zeros<float>(140);
    mertonJumps<<<140, 128>>>(Contract{100, 105, 1, 0.03f, 0.2f}, 1.5f, -0.1f, 0.15f, payoffs, 24);
    toSum(payoffs, 140);

    double* legs = zeros<double>(2 * 9000);
    creditSwaps<<<over(9000, 64), 64>>>(reals<double>(9000, 0.5, 9), reals<double>(9001, 0.002, 0.04), legs,
                                        9000, 0.03, 0.4);
    toSum(legs, 18000);

    int* inside = zeros<int>(1);
    haltonVolume<<<132, 256>>>(inside, 110000);
    toSum(inside, 1);

    int* fates = zeros<int>(4);
    slabNeutrons<<<264, 128>>>(3, 0.8f, fates, 10);
    sums.push_back([=] { return sumOf(fates, 4) + 1000 * sumOf(fates + 1, 1); });
}

// ---------------------------------------------------------------- physics

struct Cells {
    int side;
    float width;
    const int* starts;
};

__global__ void verletLists(const float4* __restrict__ atoms, Cells cells, int* __restrict__ lists,
                            int* __restrict__ lengths, int count, float reach) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 p = atoms[i];
    const int cx = (int)(p.x / cells.width), cy = (int)(p.y / cells.width), cz = (int)(p.z / cells.width);
    int length = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int x = cx + dx, y = cy + dy, z = cz + dz;
                if (x < 0 || y < 0 || z < 0 || x >= cells.side || y >= cells.side || z >= cells.side)
                    continue;
                const int cell = (z * cells.side + y) * cells.side + x;
                for (int j = cells.starts[cell]; j < cells.starts[cell + 1]; ++j) {
                    const float4 q = atoms[j];
                    const float a = q.x - p.x, b = q.y - p.y, c = q.z - p.z;
                    if (j != i && a * a + b * b + c * c < reach * reach && length < 64)
                        lists[length++ * count + i] = j;
                }
            }
    lengths[i] = length;
}

struct Vector4 {
    double x, y, z, w;
};

__global__ void hermiteForces(const Vector4* __restrict__ places, const Vector4* __restrict__ speeds,
                              Vector4* __restrict__ pulls, Vector4* __restrict__ jerks, int count) {
    __shared__ Vector4 place[64], speed[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const Vector4 p = places[min(i, count - 1)], v = speeds[min(i, count - 1)];
    double ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
    for (int base = 0; base < count; base += 64) {
        __syncthreads();
        if (base + threadIdx.x < count) {
            place[threadIdx.x] = places[base + threadIdx.x];
            speed[threadIdx.x] = speeds[base + threadIdx.x];
        }
        __syncthreads();
        const int n = min(64, count - base);
        for (int k = 0; k < n; ++k) {
            const double dx = place[k].x - p.x, dy = place[k].y - p.y, dz = place[k].z - p.z;
            const double ux = speed[k].x - v.x, uy = speed[k].y - v.y, uz = speed[k].z - v.z;
            const double r2 = dx * dx + dy * dy + dz * dz + 1e-4;
            const double inverse = rsqrt(r2), m3 = place[k].w * inverse * inverse * inverse;
            const double turn = 3 * (dx * ux + dy * uy + dz * uz) * inverse * inverse;
            ax += m3 * dx;
            ay += m3 * dy;
            az += m3 * dz;
            jx += m3 * (ux - turn * dx);
            jy += m3 * (uy - turn * dy);
            jz += m3 * (uz - turn * dz);
        }
    }
    if (i < count) {
        pulls[i] = {ax, ay, az, 0};
        jerks[i] = {jx, jy, jz, 0};
    }
}

// Stiff kinetics of three species: implicit Euler with Newton steps
__global__ void robertson(double* species, int* tries, int cells, double dt, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    double a = species[i], b = species[cells + i] * 1e-4, c = species[2 * cells + i];
    int work = 0;
    for (int s = 0; s < steps; s++) {
        double x = a, y = b, z = c;
        for (int k = 0; k < 8; k++) {
            double slow = 0.04 * x, fast = 1e4 * y * z, pair = 3e7 * y * y;
            double f0 = x - a - dt * (fast - slow), f1 = y - b - dt * (slow - fast - pair),
                   f2 = z - c - dt * pair;
            double m00 = 1 + 0.04 * dt, m01 = -1e4 * dt * z, m02 = -1e4 * dt * y;
            double m10 = -0.04 * dt, m11 = 1 + dt * (1e4 * z + 6e7 * y), m12 = 1e4 * dt * y;
            double m21 = -6e7 * dt * y;
            double q = m10 / m00;
            m11 -= q * m01;
            m12 -= q * m02;
            f1 -= q * f0;
            q = m21 / m11;
            double dz = (f2 - q * f1) / (1 - q * m12);
            double dy = (f1 - m12 * dz) / m11;
            double dx = (f0 - m01 * dy - m02 * dz) / m00;
            x -= dx;
            y -= dy;
            z -= dz;
            work++;
            if (fabs(dx) + fabs(dz) + 1e3 * fabs(dy) < 1e-9) break;
        }
        a = x;
        b = y;
        c = z;
    }
    species[i] = a;
    species[cells + i] = b;
    species[2 * cells + i] = c;
    tries[i] = work;
}

// Stiffness of a spectral element of 8 x 8 x 8 points, one layer of threads
__global__ void spectralElement(const float* __restrict__ u, const float* __restrict__ derivative,
                                const float* __restrict__ metric, float* __restrict__ out, int elements) {
    __shared__ float d[8][9], layer[8][9], fluxR[8][9], fluxS[8][9];
    const int i = threadIdx.x, j = threadIdx.y, e = blockIdx.x;
    float column[8], sums[8];
    d[j][i] = derivative[j * 8 + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        column[k] = u[((e * 8 + k) * 8 + j) * 8 + i];
        sums[k] = 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        layer[j][i] = column[k];
        __syncthreads();
        float r = 0, s = 0, t = 0;
#pragma unroll
        for (int m = 0; m < 8; ++m) {
            r += d[i][m] * layer[j][m];
            s += d[j][m] * layer[m][i];
            t += d[k][m] * column[m];
        }
        const float g = metric[((e * 8 + k) * 8 + j) * 8 + i];
        fluxR[j][i] = g * r;
        fluxS[j][i] = g * s;
        __syncthreads();
#pragma unroll
        for (int m = 0; m < 8; ++m) {
            sums[k] += d[m][i] * fluxR[j][m] + d[m][j] * fluxS[m][i];
            sums[m] += d[k][m] * g * t;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) out[((e * 8 + k) * 8 + j) * 8 + i] = sums[k];
}

__device__ float minmod(float a, float b) { return a * b <= 0 ? 0.f : fabsf(a) < fabsf(b) ? a : b; }

struct Gas {
    float density, momentum, energy;
};

__device__ Gas face(const Gas& left, const Gas& mid, const Gas& right, float side) {
    return {mid.density + side * 0.5f * minmod(mid.density - left.density, right.density - mid.density),
            mid.momentum + side * 0.5f * minmod(mid.momentum - left.momentum, right.momentum - mid.momentum),
            mid.energy + side * 0.5f * minmod(mid.energy - left.energy, right.energy - mid.energy)};
}

__device__ Gas rusanov(const Gas& l, const Gas& r) {
    const float ul = l.momentum / l.density, ur = r.momentum / r.density;
    const float pl = 0.4f * (l.energy - 0.5f * l.momentum * ul),
                pr = 0.4f * (r.energy - 0.5f * r.momentum * ur);
    const float speed =
        fmaxf(fabsf(ul) + sqrtf(1.4f * pl / l.density), fabsf(ur) + sqrtf(1.4f * pr / r.density));
    return {0.5f * (l.momentum + r.momentum - speed * (r.density - l.density)),
            0.5f * (l.momentum * ul + pl + r.momentum * ur + pr - speed * (r.momentum - l.momentum)),
            0.5f * ((l.energy + pl) * ul + (r.energy + pr) * ur - speed * (r.energy - l.energy))};
}

__global__ void muscl(const Gas* in, Gas* out, int cells, float ratio) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    Gas s[5];
    for (int k = 0; k < 5; k++) s[k] = in[min(max(i + k - 2, 0), cells - 1)];
    Gas a = rusanov(face(s[0], s[1], s[2], 1), face(s[1], s[2], s[3], -1));
    Gas b = rusanov(face(s[1], s[2], s[3], 1), face(s[2], s[3], s[4], -1));
    out[i] = {s[2].density - ratio * (b.density - a.density),
              s[2].momentum - ratio * (b.momentum - a.momentum), s[2].energy - ratio * (b.energy - a.energy)};
}

__global__ void __launch_bounds__(256)
    cahnHilliard(const float* __restrict__ c, float* __restrict__ next, int side, float dt) {
    __shared__ float tile[20][20], potential[18][18];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int x0 = blockIdx.x * 16 + side - 2, y0 = blockIdx.y * 16 + side - 2;
    for (int i = tid; i < 400; i += 256)
        tile[i / 20][i % 20] = c[(y0 + i / 20) % side * side + (x0 + i % 20) % side];
    __syncthreads();
    for (int i = tid; i < 324; i += 256) {
        const int y = i / 18 + 1, x = i % 18 + 1;
        const float v = tile[y][x];
        potential[y - 1][x - 1] =
            v * v * v - v -
            0.5f * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1] - 4 * v);
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const float spread = potential[y - 1][x] + potential[y + 1][x] + potential[y][x - 1] +
                         potential[y][x + 1] - 4 * potential[y][x];
    next[(blockIdx.y * 16 + threadIdx.y) * side + blockIdx.x * 16 + threadIdx.x] =
        tile[y + 1][x + 1] + dt * spread;
}

__global__ void ewaldStructure(const float4* __restrict__ charges, const float4* __restrict__ waves,
                               float* __restrict__ energy, int count) {
    const float4 k = waves[blockIdx.x];
    float real = 0, imaginary = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const float4 q = __ldg(charges + i);
        float s, c;
        sincosf(k.x * q.x + k.y * q.y + k.z * q.z, &s, &c);
        real += q.w * c;
        imaginary += q.w * s;
    }
    real = sumOverBlock(real);
    imaginary = sumOverBlock(imaginary);
    if (threadIdx.x == 0) energy[blockIdx.x] = k.w * (real * real + imaginary * imaginary);
}

__global__ void tracer3d(const float* q, float* next, const float* u, const float* v, const float* w, int nx,
                         int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int i = (z * ny + y) * nx + x;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
        next[i] = q[i];
        return;
    }
    float change = u[i] > 0 ? u[i] * (q[i] - q[i - 1]) : u[i] * (q[i + 1] - q[i]);
    change += v[i] > 0 ? v[i] * (q[i] - q[i - nx]) : v[i] * (q[i + nx] - q[i]);
    change += w[i] > 0 ? w[i] * (q[i] - q[i - nx * ny]) : w[i] * (q[i + nx * ny] - q[i]);
    next[i] = q[i] - 0.2f * change;
}

__global__ void springAngles(const float4* __restrict__ atoms, const int4* __restrict__ bonds,
                             int* __restrict__ forces, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int4 bond = bonds[i];
    const float4 a = atoms[bond.x], b = atoms[bond.y], c = atoms[bond.z];
    const float ux = a.x - b.x, uy = a.y - b.y, uz = a.z - b.z, vx = c.x - b.x, vy = c.y - b.y,
                vz = c.z - b.z;
    const float lu = rsqrtf(ux * ux + uy * uy + uz * uz + 1e-6f),
                lv = rsqrtf(vx * vx + vy * vy + vz * vz + 1e-6f);
    const float cosine = fminf(1.f, fmaxf(-1.f, (ux * vx + uy * vy + uz * vz) * lu * lv));
    const float bend = acosf(cosine) - 1.9f - 0.01f * bond.w;
    const float scale = 2 * bend * rsqrtf(fmaxf(1e-4f, 1 - cosine * cosine));
    const float fa[3] = {scale * lu * (vx * lv - cosine * ux * lu), scale * lu * (vy * lv - cosine * uy * lu),
                         scale * lu * (vz * lv - cosine * uz * lu)};
    const float fc[3] = {scale * lv * (ux * lu - cosine * vx * lv), scale * lv * (uy * lu - cosine * vy * lv),
                         scale * lv * (uz * lu - cosine * vz * lv)};
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const int pa = __float2int_rn(fa[d] * 4096), pc = __float2int_rn(fc[d] * 4096);
        atomicAdd(&forces[bond.x * 3 + d], pa);
        atomicAdd(&forces[bond.z * 3 + d], pc);
        atomicAdd(&forces[bond.y * 3 + d], -pa - pc);
    }
}

void runPhysics(uint32_t& state) {
    const int atomCount = 9000, side = 12;
    std::vector<float4> atoms(atomCount);
    for (float4& a : atoms) {
        a.w = some(state) - 0.5f;
        for (float* place : {&a.z, &a.y, &a.x}) *place = some(state) * 11.99f;
    }
    auto cellOf = [](const float4& a) { return ((int)a.z * 12 + (int)a.y) * 12 + (int)a.x; };
    std::stable_sort(atoms.begin(), atoms.end(),
                     [&](const float4& a, const float4& b) { return cellOf(a) < cellOf(b); });
    std::vector<int> starts(side * side * side + 1);
    for (const float4& a : atoms) ++starts[cellOf(a) + 1];
    for (int i = 1; i <= side * side * side; ++i) starts[i] += starts[i - 1];
    const float4* points = in_device(atoms);
    int* lists = zeros<int>(64 * atomCount);
    int* lengths = zeros<int>(atomCount);
    verletLists<<<over(atomCount, 128), 128>>>(points, Cells{side, 1, in_device(starts)}, lists, lengths,
                                               atomCount, 0.9f);
    toSum(lists, 64 * atomCount);
    toSum(lengths, atomCount);

    double* pulls = zeros<double>(4 * 900);
    double* jerks = zeros<double>(4 * 900);
    hermiteForces<<<over(900, 64), 64>>>((const Vector4*)reals<double>(3600),
                                         (const Vector4*)reals<double>(3601, -1, 1), (Vector4*)pulls,
                                         (Vector4*)jerks, 900);
    toSum(pulls, 3600);
    toSum(jerks, 3600);

    double* species = reals<double>(3 * 2500, 0.1, 1);
    int* tries = zeros<int>(2500);
    robertson<<<over(2500, 32), 32>>>(species, tries, 2500, 0.05, 12);
    toSum(species, 7500);
    toSum(tries, 2500);

    float* stiff = zeros<float>(400 * 512);
    spectralElement<<<400, dim3(8, 8)>>>(reals(400 * 512, -1, 1), reals(64, -1, 1),
                                         reals(400 * 512 + 1, 0.5, 1), stiff, 400);
    toSum(stiff, 400 * 512);

    std::vector<float> tube(3 * 150000);
    for (int i = 0; i < 150000; ++i) {
        tube[3 * i] = 0.5f + 0.4f * sinf(i * 0.01f) * sinf(i * 0.003f) + (i > 70000);
        tube[3 * i + 1] = 0.1f * cosf(i * 0.02f);
        tube[3 * i + 2] = 2 + (i < 50000);
    }
    float* later = zeros<float>(3 * 150000);
    muscl<<<over(150000, 128), 128>>>((const Gas*)in_device(tube), (Gas*)later, 150000, 0.1f);
    toSum(later, 3 * 150000);

    float* mixed = zeros<float>(384 * 384);
    cahnHilliard<<<dim3(24, 24), dim3(16, 16)>>>(reals(384 * 384, -0.5, 0.5), mixed, 384, 0.01f);
    toSum(mixed, 384 * 384);

    float* energy = zeros<float>(300);
    ewaldStructure<<<300, 256>>>(points, (const float4*)reals(1200, 0.1, 3), energy, 3000);
    toSum(energy, 300);

    const int volume = 100 * 90 * 66;
    float* moved = zeros<float>(volume);
    tracer3d<<<dim3(over(100, 8), over(90, 8), over(66, 4)), dim3(8, 8, 4)>>>(
        reals(volume), moved, reals(volume + 1, -1, 1), reals(volume + 2, -1, 1), reals(volume + 3, -1, 1),
        100, 90, 66);
    toSum(moved, volume);

    std::vector<int4> bonds(40000);
    for (int4& b : bonds) {
        b.x = below(state, atomCount - 60);
        b.y = b.x + 1 + below(state, 25);
        b.z = b.y + 1 + below(state, 25);
        b.w = below(state, 10);
    }
    int* bends = zeros<int>(3 * atomCount);
    springAngles<<<over(40000, 256), 256>>>(points, in_device(bonds), bends, 40000);
    sums.push_back([=] {
        std::vector<int> values(3 * atomCount);
        cudaMemcpy(values.data(), bends, values.size() * 4, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int v : values) sum += std::abs(v);
        return sum;
    });
}

// ---------------------------------------------------------------- cells and life

__global__ void wireworld(const u8* in, u8* out, int wide, int high) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high) return;
    u8 next = 0;
    switch (in[y * wide + x]) {
        case 1: next = 2; break;
        case 2: next = 3; break;
        case 3: {
            int heads = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    int u = x + i, v = y + j;
                    if (u >= 0 && v >= 0 && u < wide && v < high) heads += in[v * wide + u] == 1;
                }
            next = heads == 1 || heads == 2 ? 1 : 3;
            break;
        }
        default: break;
    }
    out[y * wide + x] = next;
}

__constant__ u8 margolusRule[16] = {0, 8, 4, 3, 2, 5, 9, 7, 1, 6, 10, 11, 12, 13, 14, 15};

// Several steps of a block automaton on a tile in shared memory; each tile is its own torus
__global__ void margolusGas(u8* cells, int wide, int steps) {
    __shared__ u8 tile[64 * 64];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    u8* corner = cells + blockIdx.y * 64 * wide + blockIdx.x * 64;
    for (int i = tid; i < 4096; i += 1024) tile[i] = corner[(i >> 6) * wide + (i & 63)];
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        const int odd = s & 1;
        const int x0 = 2 * threadIdx.x + odd, y0 = 2 * threadIdx.y + odd;
        const int x1 = (x0 + 1) & 63, y1 = (y0 + 1) & 63;
        u8 *a = tile + y0 * 64 + x0, *b = tile + y0 * 64 + x1, *c = tile + y1 * 64 + x0,
           *d = tile + y1 * 64 + x1;
        const int made = margolusRule[*a | *b << 1 | *c << 2 | *d << 3];
        *a = made & 1;
        *b = made >> 1 & 1;
        *c = made >> 2 & 1;
        *d = made >> 3;
        __syncthreads();
    }
    for (int i = tid; i < 4096; i += 1024) corner[(i >> 6) * wide + (i & 63)] = tile[i];
}

__constant__ float motif[12][4];

__global__ void pwmScan(const u32* __restrict__ packed, int* __restrict__ hits, float* __restrict__ best,
                        int positions, float threshold) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -1e30f;
    bool hit = false;
    if (i < positions) {
        const int word = i >> 4, shift = (i & 15) * 2;
        const u64 both = (u64)packed[word + 1] << 32 | packed[word];
        u32 bases = (u32)(both >> shift);
        u32 turned = ~bases;
        float forward = 0, backward = 0;
#pragma unroll
        for (int k = 0; k < 12; ++k) {
            forward += motif[k][bases & 3];
            backward += motif[11 - k][turned & 3];
            bases >>= 2;
            turned >>= 2;
        }
        most = fmaxf(forward, backward);
        hit = most > threshold;
    }
    const u32 votes = __ballot_sync(~0u, hit);
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(hits, __popc(votes));
    if (i < positions) best[i] = most;
}

// Length of the longest common subsequence, the pattern's letters as bits
__global__ void lcsBits(const char* patterns, const char* texts, int* lengths, int pairs, int textLength) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    u64 a = 0, c = 0, g = 0, t = 0;
    for (int k = 0; k < 64; k++) {
        char letter = patterns[i * 64 + k];
        u64 bit = 1ull << k;
        if (letter == 'A')
            a |= bit;
        else if (letter == 'C')
            c |= bit;
        else if (letter == 'G')
            g |= bit;
        else
            t |= bit;
    }
    u64 state = ~0ull;
    for (int k = 0; k < textLength; k++) {
        char letter = texts[i * textLength + k];
        u64 mask = letter == 'A' ? a : letter == 'C' ? c : letter == 'G' ? g : t;
        u64 match = state & mask;
        state = (state + match) | (state - match);
    }
    lengths[i] = __popcll(~state);
}

// Sixteen hidden states, half a warp per sequence
__global__ void hmmForward(const u8* __restrict__ symbols, const float* __restrict__ moves,
                           const float* __restrict__ emits, float* __restrict__ logs, int sequences,
                           int length) {
    __shared__ float emit[16 * 20];
    for (int i = threadIdx.x; i < 320; i += blockDim.x) emit[i] = emits[i];
    __syncthreads();
    const auto group = cg::tiled_partition<16>(cg::this_thread_block());
    const int sequence = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
    if (sequence >= sequences) return;
    const int state = group.thread_rank();
    float from[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) from[k] = moves[k * 16 + state];
    float chance = emit[symbols[sequence * length] * 16 + state] / 16, log = 0;
    for (int t = 1; t < length; ++t) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 16; ++k) sum += group.shfl(chance, k) * from[k];
        chance = sum * emit[symbols[sequence * length + t] * 16 + state];
        if (t % 8 == 0) {
            const float total = cg::reduce(group, chance, cg::plus<float>());
            chance /= total;
            log += logf(total);
        }
    }
    const float total = cg::reduce(group, chance, cg::plus<float>());
    if (state == 0) logs[sequence] = log + logf(total);
}

// Jukes-Cantor distances of sequences packed two bits per base
__global__ void jukesCantor(const u64* sequences, float* distances, int count, int words) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || j >= count) return;
    int unlike = 0;
    for (int w = 0; w < words; w++) {
        u64 x = sequences[i * words + w] ^ sequences[j * words + w];
        unlike += __popcll((x | x >> 1) & 0x5555555555555555ull);
    }
    float share = (float)unlike / (words * 32);
    distances[i * count + j] = share < 0.74f ? -0.75f * logf(1 - share * 4 / 3) : 5.f;
}

void runLife(uint32_t& state) {
    u8* wires = zeros<u8>(700 * 400);
    wireworld<<<dim3(over(700, 32), over(400, 8)), dim3(32, 8)>>>(wholes<u8>(700 * 400, 4), wires, 700, 400);
    toSum(wires, 700 * 400);

    u8* gas = wholes<u8>(640 * 512, 2);
    margolusGas<<<dim3(10, 8), dim3(32, 32)>>>(gas, 640, 10);
    std::vector<float> scores(48);
    for (float& s : scores) s = 3 * some(state) - 2;
    cudaMemcpyToSymbol(motif, scores.data(), 48 * sizeof(float));
    sums.push_back([=] {
        std::vector<u8> values(640 * 512);
        cudaMemcpy(values.data(), gas, values.size(), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int i = 0; i < 640 * 512; ++i) sum += values[i] * (i % 1000);
        return sum;
    });

    int* hits = zeros<int>(1);
    float* best = zeros<float>(300000);
    pwmScan<<<over(300000, 256), 256>>>(wholes<u32>(300000 / 16 + 2, 0xffffffffu), hits, best, 300000, 4);
    toSum(hits, 1);
    toSum(best, 300000);

    std::vector<char> letters(7000 * 150);
    for (char& c : letters) c = "ACGT"[below(state, 4)];
    const char* texts = in_device(letters);
    int* lengths = zeros<int>(7000);
    lcsBits<<<over(7000, 128), 128>>>(texts + 3, texts, lengths, 7000, 150);
    toSum(lengths, 7000);

    float* logs = zeros<float>(500);
    hmmForward<<<over(500, 8), 128>>>(wholes<u8>(500 * 120, 20), reals(256, 0.01, 0.12),
                                      reals(320, 0.01, 0.1), logs, 500, 120);
    toSum(logs, 500);

    std::vector<u64> genomes(350 * 12);
    for (int w = 0; w < 12; ++w) {
        const u64 common = (u64)next_number(state) << 32 | next_number(state);
        for (int s = 0; s < 350; ++s) {
            u64 mine = common;
            for (int k = below(state, 20); k > 0; --k) mine ^= 1ull << below(state, 64);
            genomes[s * 12 + w] = mine;
        }
    }
    float* distances = zeros<float>(350 * 350);
    jukesCantor<<<dim3(over(350, 16), over(350, 16)), dim3(16, 16)>>>(in_device(genomes), distances, 350, 12);
    toSum(distances, 350 * 350);
}

// ---------------------------------------------------------------- tables and text

struct LineItem {
    int quantity, price;
    short discount, tax;
    short shipped;
    u8 flag, status;
};

__global__ void pricingSummary(const LineItem* __restrict__ items, u64* __restrict__ groups, int count,
                               int lastDay) {
    __shared__ u64 totals[8][5];
    for (int i = threadIdx.x; i < 40; i += blockDim.x) totals[i / 5][i % 5] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const LineItem item = items[i];
        if (item.shipped > lastDay) continue;
        const int group = item.flag * 2 + item.status;
        const u64 reduced = (u64)item.price * (100 - item.discount);
        atomicAdd(&totals[group][0], (u64)item.quantity);
        atomicAdd(&totals[group][1], (u64)item.price);
        atomicAdd(&totals[group][2], reduced);
        atomicAdd(&totals[group][3], reduced * (100 + item.tax));
        atomicAdd(&totals[group][4], 1ull);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 40; i += blockDim.x)
        if (totals[i / 5][i % 5]) atomicAdd(&groups[i], totals[i / 5][i % 5]);
}

__global__ void jaroWinkler(const char* first, const char* second, float* likeness, int pairs) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    const char *a = first + p * 16, *b = second + p * 16;
    int lengthA = 0, lengthB = 0;
    while (lengthA < 16 && a[lengthA]) lengthA++;
    while (lengthB < 16 && b[lengthB]) lengthB++;
    int reach = max(0, max(lengthA, lengthB) / 2 - 1);
    u32 usedA = 0, usedB = 0;
    int matches = 0;
    for (int i = 0; i < lengthA; i++) {
        int last = min(i + reach, lengthB - 1);
        for (int j = max(0, i - reach); j <= last; j++)
            if (!(usedB >> j & 1) && a[i] == b[j]) {
                usedA |= 1u << i;
                usedB |= 1u << j;
                matches++;
                break;
            }
    }
    if (matches == 0) {
        likeness[p] = 0;
        return;
    }
    int moved = 0, j = 0;
    for (int i = 0; i < lengthA; i++) {
        if (!(usedA >> i & 1)) continue;
        while (!(usedB >> j & 1)) j++;
        if (a[i] != b[j]) moved++;
        j++;
    }
    float m = matches;
    float jaro = (m / lengthA + m / lengthB + (m - moved / 2) / m) / 3;
    int prefix = 0;
    while (prefix < min(4, min(lengthA, lengthB)) && a[prefix] == b[prefix]) prefix++;
    likeness[p] = jaro + 0.1f * prefix * (1 - jaro);
}

__global__ void csvFields(const char* __restrict__ text, const int* __restrict__ lines,
                          int* __restrict__ fields, double* __restrict__ totals, int count) {
    const int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= count) return;
    enum { Start, Number, Fraction, Quoted, Other } mode = Start;
    int found = 0;
    double total = 0, value = 0, scale = 1;
    bool minus = false;
    for (int i = lines[line]; i < lines[line + 1]; ++i) {
        const char c = text[i];
        if (mode == Quoted) {
            if (c == '"') mode = Other;
            continue;
        }
        switch (c) {
            case ',':
            case '\n':
                if (mode == Number || mode == Fraction) total += minus ? -value : value;
                ++found;
                mode = Start;
                value = 0;
                scale = 1;
                minus = false;
                break;
            case '"': mode = Quoted; break;
            case '-': minus = mode == Start; break;
            case '.': mode = mode == Number ? Fraction : Other; break;
            default:
                if (c >= '0' && c <= '9' && mode != Other) {
                    if (mode == Fraction) {
                        scale *= 0.1;
                        value += (c - '0') * scale;
                    } else {
                        value = value * 10 + (c - '0');
                        mode = Number;
                    }
                } else {
                    mode = Other;
                }
        }
    }
    fields[line] = found;
    totals[line] = total;
}

void runTables(uint32_t& state) {
    std::vector<LineItem> items(400000);
    for (LineItem& item : items)
        item = {(int)below(state, 50) + 1, (int)below(state, 100000),
                (short)below(state, 11),   (short)below(state, 9),
                (short)below(state, 2500), (u8)(below(state, 10) < 5 ? 0 : 1 + below(state, 2)),
                (u8)below(state, 2)};
    u64* groups = zeros<u64>(40);
    pricingSummary<<<264, 256>>>(in_device(items), groups, 400000, 2400);
    toSum(groups, 40);

    std::vector<char> first(16 * 30000), second(16 * 30000);
    for (int p = 0; p < 30000; ++p) {
        const int length = 4 + below(state, 13);
        for (int k = 0; k < length; ++k) first[16 * p + k] = "etaoinshrdlu"[below(state, 12)];
        for (int k = 0; k < length; ++k)
            second[16 * p + k] = below(state, 5) ? first[16 * p + k] : 'a' + below(state, 26);
        if (below(state, 2)) std::swap(second[16 * p + 1], second[16 * p + 2]);
    }
    float* likeness = zeros<float>(30000);
    jaroWinkler<<<over(30000, 128), 128>>>(in_device(first), in_device(second), likeness, 30000);
    toSum(likeness, 30000);

    std::string csv;
    std::vector<int> lines(1, 0);
    for (int l = 0; l < 8000; ++l) {
        for (int f = 2 + below(state, 8); f >= 0; --f) {
            switch (below(state, 4)) {
                case 0: csv += std::to_string((int)below(state, 100000) - 50000); break;
                case 1: {
                    const u32 part = below(state, 1000);
                    csv += std::to_string(below(state, 900)) + "." + std::to_string(part);
                    break;
                }
                case 2: csv += "\"smith, " + std::string(below(state, 12), 'x') + "\""; break;
                default: csv += "id" + std::to_string(below(state, 100));
            }
            csv += f ? ',' : '\n';
        }
        lines.push_back(csv.size());
    }
    int* fields = zeros<int>(8000);
    double* totals = zeros<double>(8000);
    csvFields<<<over(8000, 64), 64>>>(in_device(std::vector<char>(csv.begin(), csv.end())), in_device(lines),
                                      fields, totals, 8000);
    toSum(fields, 8000);
    toSum(totals, 8000);
}

// ---------------------------------------------------------------- shapes

__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

struct Triangle {
    float3 corners[3];
};

__device__ bool apart(const Triangle& a, const Triangle& b, float3 axis) {
    float a0 = dot(axis, a.corners[0]), a1 = dot(axis, a.corners[1]), a2 = dot(axis, a.corners[2]);
    float b0 = dot(axis, b.corners[0]), b1 = dot(axis, b.corners[1]), b2 = dot(axis, b.corners[2]);
    return fmaxf(a0, fmaxf(a1, a2)) < fminf(b0, fminf(b1, b2)) ||
           fmaxf(b0, fmaxf(b1, b2)) < fminf(a0, fminf(a1, a2));
}

__device__ bool overlap(const Triangle& a, const Triangle& b) {
    float3 edgesA[3], edgesB[3];
    for (int k = 0; k < 3; k++) {
        edgesA[k] = a.corners[(k + 1) % 3] - a.corners[k];
        edgesB[k] = b.corners[(k + 1) % 3] - b.corners[k];
    }
    if (apart(a, b, cross(edgesA[0], edgesA[1])) || apart(a, b, cross(edgesB[0], edgesB[1]))) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (apart(a, b, cross(edgesA[i], edgesB[j]))) return false;
    return true;
}

__global__ void triangleOverlap(const Triangle* triangles, const int2* pairs, u8* touch, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    touch[i] = overlap(triangles[pairs[i].x], triangles[pairs[i].y]);
}

// Cubes that a level surface crosses: their number by crossed corners, and the faces they need
__global__ void marchingCount(const float* __restrict__ field, int side, float level, int* __restrict__ cases,
                              int* __restrict__ crossings) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y,
              z = blockIdx.z * 4 + threadIdx.z;
    if (x >= side - 1 || y >= side - 1 || z >= side - 1) return;
    const float* at = field + (z * side + y) * side + x;
    u32 cube = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (at[(k >> 2) * side * side + (k >> 1 & 1) * side + (k & 1)] > level) cube |= 1u << k;
    if (cube == 0 || cube == 255) return;
    const int edges = __popc((cube ^ cube >> 1) & 0x55) + __popc((cube ^ cube >> 2) & 0x33) +
                      __popc((cube ^ cube >> 4) & 0x0f);
    atomicAdd(&cases[cube], 1);
    atomicAdd(crossings, edges);
}

struct Bone {
    float4 rows[3];
};

__global__ void skinVertices(const float4* __restrict__ vertices, const uchar4* __restrict__ joints,
                             const float4* __restrict__ weights, const Bone* __restrict__ bones,
                             float4* __restrict__ out, int count) {
    __shared__ Bone pose[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) pose[i] = bones[i];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float4 v = vertices[i], w = weights[i];
        const uchar4 j = joints[i];
        const int which[4] = {j.x, j.y, j.z, j.w};
        const float share[4] = {w.x, w.y, w.z, w.w};
        float made[3] = {};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const Bone& bone = pose[which[k]];
#pragma unroll
            for (int r = 0; r < 3; ++r)
                made[r] += share[k] * (bone.rows[r].x * v.x + bone.rows[r].y * v.y + bone.rows[r].z * v.z +
                                       bone.rows[r].w);
        }
        const float total = share[0] + share[1] + share[2] + share[3] + 1e-6f;
        out[i] = make_float4(made[0] / total, made[1] / total, made[2] / total, v.w);
    }
}

__global__ void heightRays(const float* ground, int side, float4* hits, int wide, int high, float3 eye) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= wide || py >= high) return;
    float dx = (px - wide * 0.5f) / wide, dy = -0.1f - 0.6f * py / high, dz = 1;
    float scale = rsqrtf(dx * dx + dy * dy + dz * dz);
    dx *= scale;
    dy *= scale;
    dz *= scale;
    auto above = [&](float t) {
        float x = fminf(fmaxf(eye.x + t * dx, 0.f), side - 1.001f),
              z = fminf(fmaxf(eye.z + t * dz, 0.f), side - 1.001f);
        int i = (int)x, j = (int)z;
        float a = x - i, b = z - j;
        const float* g = ground + j * side + i;
        float h = (g[0] * (1 - a) + g[1] * a) * (1 - b) + (g[side] * (1 - a) + g[side + 1] * a) * b;
        return eye.y + t * dy - h;
    };
    float t = 0, step = 0.5f, last = 0;
    int turns = 0;
    bool hit = false;
    while (t < 120 && turns < 100) {
        float gap = above(t);
        if (gap < 0) {
            hit = true;
            break;
        }
        last = t;
        step = fmaxf(0.5f, 0.4f * gap);
        t += step;
        turns++;
    }
    if (hit)
        for (int k = 0; k < 8; k++) {
            float middle = 0.5f * (last + t);
            if (above(middle) < 0)
                t = middle;
            else
                last = middle;
        }
    hits[py * wide + px] = make_float4(eye.x + t * dx, eye.y + t * dy, eye.z + t * dz, hit ? turns : -1);
}

__device__ void cubicWeights(float t, float* w) {
    const float s = 1 - t;
    w[0] = s * s * s / 6;
    w[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    w[2] = (3 * s * s * s - 6 * s * s + 4) / 6;
    w[3] = t * t * t / 6;
}

__global__ void splineSurface(const float4* __restrict__ control, float4* __restrict__ surface, int controls,
                              int points) {
    extern __shared__ float4 net[];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = tid; i < controls * controls; i += blockDim.x * blockDim.y) net[i] = control[i];
    __syncthreads();
    const int u = blockIdx.x * blockDim.x + threadIdx.x, v = blockIdx.y * blockDim.y + threadIdx.y;
    if (u >= points || v >= points) return;
    const float s = (float)u * (controls - 3) / points, t = (float)v * (controls - 3) / points;
    const int i = (int)s, j = (int)t;
    float a[4], b[4];
    cubicWeights(s - i, a);
    cubicWeights(t - j, b);
    float x = 0, y = 0, z = 0, w = 0;
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const float4 p = net[(j + m) * controls + i + n];
            const float share = b[m] * a[n] * p.w;
            x += share * p.x;
            y += share * p.y;
            z += share * p.z;
            w += share;
        }
    surface[v * points + u] = make_float4(x / w, y / w, z / w, w);
}

__device__ int outside(float x, float y, float4 window) {
    return (x < window.x ? 1 : x > window.z ? 2 : 0) | (y < window.y ? 4 : y > window.w ? 8 : 0);
}

// Cohen and Sutherland
__global__ void clipLines(const float4* __restrict__ lines, float4* __restrict__ clipped,
                          int* __restrict__ seen, int count, float4 window) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float4 l = lines[i];
    int a = outside(l.x, l.y, window), b = outside(l.z, l.w, window);
    while ((a | b) && !(a & b)) {
        const int code = a ? a : b;
        float x, y;
        if (code & 12) {
            y = code & 8 ? window.w : window.y;
            x = l.x + (l.z - l.x) * (y - l.y) / (l.w - l.y);
        } else {
            x = code & 2 ? window.z : window.x;
            y = l.y + (l.w - l.y) * (x - l.x) / (l.z - l.x);
        }
        if (code == a) {
            l.x = x;
            l.y = y;
            a = outside(x, y, window);
        } else {
            l.z = x;
            l.w = y;
            b = outside(x, y, window);
        }
    }
    const bool kept = !(a & b);
    seen[i] = kept;
    clipped[i] = kept ? l : make_float4(0, 0, 0, 0);
}

void runShapes(uint32_t& state) {
    std::vector<float> corners(9 * 4000);
    for (int t = 0; t < 4000; ++t) {
        const float x = some(state) * 4, y = some(state) * 4, z = some(state) * 4;
        for (int k = 0; k < 3; ++k) {
            corners[9 * t + 3 * k] = x + some(state);
            corners[9 * t + 3 * k + 1] = y + some(state);
            corners[9 * t + 3 * k + 2] = z + some(state);
        }
    }
    std::vector<int2> pairs(60000);
    for (int2& p : pairs) {
        p.y = below(state, 4000);
        p.x = below(state, 4000);
    }
    u8* touch = zeros<u8>(60000);
    triangleOverlap<<<over(60000, 128), 128>>>((const Triangle*)in_device(corners), in_device(pairs), touch,
                                               60000);
    toSum(touch, 60000);

    std::vector<float> field(68 * 68 * 68);
    for (int i = 0; i < (int)field.size(); ++i) {
        const float x = i % 68 - 33.3f, y = i / 68 % 68 - 34.1f, z = i / 4624 - 32.7f;
        field[i] = sinf(x * 0.21f) * cosf(y * 0.19f) + sinf(y * 0.23f) * cosf(z * 0.2f) +
                   sinf(z * 0.18f) * cosf(x * 0.22f);
    }
    int* cases = zeros<int>(256);
    int* crossings = zeros<int>(1);
    marchingCount<<<dim3(9, 9, 17), dim3(8, 8, 4)>>>(in_device(field), 68, 0.3f, cases, crossings);
    sums.push_back([=] {
        double sum = 0;
        for (int k = 0; k < 256; ++k) sum += k * sumOf(cases + k, 1);
        return sum;
    });
    toSum(crossings, 1);

    float* skin = zeros<float>(4 * 160000);
    skinVertices<<<264, 128>>>((const float4*)reals(640000, -1, 1), (const uchar4*)wholes<u8>(640000, 64),
                               (const float4*)reals(640001), (const Bone*)reals(64 * 12, -1, 1),
                               (float4*)skin, 160000);
    toSum(skin, 640000);

    std::vector<float> hills(256 * 256);
    for (int i = 0; i < 65536; ++i)
        hills[i] =
            6 * sinf(i % 256 * 0.07f) * cosf(i / 256 * 0.05f) + 2 * sinf(i % 256 * 0.31f + i / 256 * 0.27f);
    float* hitPoints = zeros<float>(4 * 320 * 200);
    heightRays<<<dim3(20, 25), dim3(16, 8)>>>(in_device(hills), 256, (float4*)hitPoints, 320, 200,
                                              make_float3(128, 14, 20));
    toSum(hitPoints, 4 * 320 * 200);

    float* surface = zeros<float>(4 * 400 * 400);
    splineSurface<<<dim3(over(400, 32), over(400, 8)), dim3(32, 8), 20 * 20 * sizeof(float4)>>>(
        (const float4*)reals(1600, 0.2, 2), (float4*)surface, 20, 400);
    toSum(surface, 4 * 400 * 400);

    float* clipped = zeros<float>(800000);
    int* seen = zeros<int>(200000);
    clipLines<<<over(200000, 256), 256>>>((const float4*)reals(800000, -10, 10), (float4*)clipped, seen,
                                          200000, make_float4(-4, -3, 5, 6));
    toSum(clipped, 800000);
    toSum(seen, 200000);
}

int main() {
    uint32_t state = 521288629;
    runPictures(state);
    runSignals(state);
    runLearning(state);
    runMatrices(state);
    runGraphs(state);
    runSorting(state);
    runCodes(state);
    runMarkets(state);
    runPhysics(state);
    runLife(state);
    runTables(state);
    runShapes(state);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    for (const auto& sum : sums) printf(" %.6g", sum());
    printf("\n");
    return error != cudaSuccess;
}
