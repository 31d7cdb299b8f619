// Kernels of applications of many fields, a set kept apart while the simulator was made.
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

__device__ __forceinline__ u32 mixed(u32 n) {
    n = (n ^ (n >> 16)) * 0x7feb352du;
    n = (n ^ (n >> 15)) * 0x846ca68bu;
    return n ^ (n >> 16);
}

__device__ __forceinline__ u32 nextDraw(u32& seed) {
    seed = seed * 1664525u + 1013904223u;
    return mixed(seed);
}

__device__ __forceinline__ float unitDraw(u32& seed) { return (nextDraw(seed) >> 8) * 5.9604645e-8f; }

template <class T>
__device__ __forceinline__ T warpSum(T value) {
#pragma unroll
    for (int step = 16; step; step >>= 1) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// The sum over the block, known to all of its threads; `parts` has room for 33
template <class T>
__device__ T blockSum(T value, T* parts) {
    const int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    value = warpSum(value);
    __syncthreads();
    if (tid % 32 == 0) parts[tid / 32] = value;
    __syncthreads();
    if (tid < 32) {
        value = warpSum(tid < warps ? parts[tid] : T(0));
        if (tid == 0) parts[32] = value;
    }
    __syncthreads();
    return parts[32];
}

// ---------------------------------------------------------------- images

// Corners: slopes of a tile, their products over a window, the response, and how many exceed a limit
__global__ void __launch_bounds__(256)
    cornerStrength(const u8* __restrict__ in, float* __restrict__ out, int* found, int width, int height,
                   float limit) {
    __shared__ float tile[20][21];
    __shared__ float2 slopes[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int i = tid; i < 400; i += 256) {
        const int x = min(max(left + i % 20, 0), width - 1), y = min(max(top + i / 20, 0), height - 1);
        tile[i / 20][i % 20] = in[y * width + x];
    }
    __syncthreads();
    for (int i = tid; i < 324; i += 256) {
        const int x = i % 18, y = i / 18;
        const float gx = tile[y][x + 2] - tile[y][x] + 2 * (tile[y + 1][x + 2] - tile[y + 1][x]) +
                         tile[y + 2][x + 2] - tile[y + 2][x];
        const float gy = tile[y + 2][x] - tile[y][x] + 2 * (tile[y + 2][x + 1] - tile[y][x + 1]) +
                         tile[y + 2][x + 2] - tile[y][x + 2];
        slopes[y][x] = make_float2(gx / 1020, gy / 1020);
    }
    __syncthreads();
    float a = 0, b = 0, c = 0;
#pragma unroll
    for (int dy = 0; dy < 3; ++dy)
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) {
            const float2 s = slopes[ty + dy][tx + dx];
            a += s.x * s.x;
            b += s.y * s.y;
            c += s.x * s.y;
        }
    const float response = a * b - c * c - 0.04f * (a + b) * (a + b);
    const int x = left + 2 + tx, y = top + 2 + ty;
    const bool inside = x < width && y < height;
    if (inside) out[y * width + x] = response;
    const int strong = __syncthreads_count(inside && response > limit);
    if (tid == 0 && strong) atomicAdd(found, strong);
}

// Distance to the nearest set pixel of the same column, squared: down, then up
__global__ void nearestInColumn(const u8* __restrict__ in, float* __restrict__ away, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    in += blockIdx.y * width * height;
    away += blockIdx.y * width * height;
    float steps = 1000;
    for (int y = 0; y < height; ++y) {
        steps = in[y * width + x] ? 0 : fminf(steps + 1, 1000.f);
        away[y * width + x] = steps;
    }
    for (int y = height - 1; y >= 0; --y) {
        const float above = away[y * width + x];
        steps = above == 0 ? 0 : fminf(steps + 1, 1000.f);
        const float least = fminf(above, steps);
        away[y * width + x] = least * least;
    }
}

// The same distance transform's second half: the lower envelope of a row's parabolas, a row a thread
template <int WIDTH>
__global__ void parabolaEnvelope(const float* __restrict__ away, float* __restrict__ out, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = away + row * WIDTH;
    short place[WIDTH];
    float start[WIDTH + 1];
    int top = 0;
    place[0] = 0;
    start[0] = -1e30f;
    start[1] = 1e30f;
    for (int q = 1; q < WIDTH; ++q) {
        const float height = from[q] + q * q;
        float cut;
        while (true) {
            const int v = place[top];
            cut = (height - from[v] - v * v) / (2 * (q - v));
            if (cut > start[top]) break;
            --top;
        }
        ++top;
        place[top] = q;
        start[top] = cut;
        start[top + 1] = 1e30f;
    }
    top = 0;
    for (int q = 0; q < WIDTH; ++q) {
        while (start[top + 1] < q) ++top;
        const int v = place[top];
        out[row * WIDTH + q] = sqrtf((q - v) * (q - v) + from[v]);
    }
}

__device__ int rootOf(const volatile int* parents, int i) {
    while (parents[i] != i) i = parents[i];
    return i;
}

__device__ void unite(int* parents, int a, int b) {
    while (true) {
        a = rootOf(parents, a);
        b = rootOf(parents, b);
        if (a == b) return;
        if (a < b) {
            const int swap = a;
            a = b;
            b = swap;
        }
        const int before = atomicMin(&parents[a], b);
        if (before == a) return;
        a = before;
    }
}

// Connected components: union and find within a tile of 32x8 first
__global__ void labelTiles(const u8* __restrict__ in, int* __restrict__ labels, int width) {
    __shared__ int parents[256];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 32 + tx;
    const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
    const u8 mine = in[y * width + x];
    parents[tid] = tid;
    __syncthreads();
    if (mine) {
        if (tx && in[y * width + x - 1] == mine) unite(parents, tid, tid - 1);
        if (ty && in[(y - 1) * width + x] == mine) unite(parents, tid, tid - 32);
    }
    __syncthreads();
    const int root = rootOf(parents, tid);
    const int at = (blockIdx.y * 8 + root / 32) * width + blockIdx.x * 32 + root % 32;
    labels[y * width + x] = mine ? at : -1;
}

// then across the tiles' seams
__global__ void labelSeams(const u8* __restrict__ in, int* labels, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const u8 mine = in[y * width + x];
    if (!mine) return;
    if (x && x % 32 == 0 && in[y * width + x - 1] == mine) unite(labels, y * width + x, y * width + x - 1);
    if (y && y % 8 == 0 && in[(y - 1) * width + x] == mine) unite(labels, y * width + x, (y - 1) * width + x);
}

// and at last every pixel's root, with the components' sizes
__global__ void labelSizes(const int* __restrict__ labels, int* __restrict__ out, int* sizes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int root = labels[i];
    if (root >= 0) {
        while (labels[root] != root) root = labels[root];
        const u32 same = __match_any_sync(__activemask(), root);
        if (__ffs(same) - 1 == (threadIdx.x & 31)) atomicAdd(&sizes[root], __popc(same));
    }
    out[i] = root;
}

__device__ __forceinline__ float between(const float* __restrict__ image, float x, float y, int width,
                                         int height) {
    x = fminf(fmaxf(x, 0.f), width - 1.01f);
    y = fminf(fmaxf(y, 0.f), height - 1.01f);
    const int x0 = (int)x, y0 = (int)y;
    const float ax = x - x0, ay = y - y0;
    const float* at = image + y0 * width + x0;
    return (1 - ay) * ((1 - ax) * at[0] + ax * at[1]) + ay * ((1 - ax) * at[width] + ax * at[width + 1]);
}

// Points followed from one frame to the next by the slopes of a window of 15x15, a warp a point
__global__ void trackPoints(const float* __restrict__ before, const float* __restrict__ after,
                            const float2* __restrict__ points, float2* __restrict__ moves, int width, int height,
                            int count) {
    const int point = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (point >= count) return;
    const float2 p = points[point];
    float patch[8], gx[8], gy[8], a = 0, b = 0, c = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const int i = lane + 32 * k;
        const float x = p.x + i % 15 - 7, y = p.y + i / 15 - 7;
        patch[k] = gx[k] = gy[k] = 0;
        if (i < 225) {
            patch[k] = between(before, x, y, width, height);
            gx[k] = 0.5f * (between(before, x + 1, y, width, height) - between(before, x - 1, y, width, height));
            gy[k] = 0.5f * (between(before, x, y + 1, width, height) - between(before, x, y - 1, width, height));
        }
        a += gx[k] * gx[k];
        b += gx[k] * gy[k];
        c += gy[k] * gy[k];
    }
    a = warpSum(a), b = warpSum(b), c = warpSum(c);
    const float det = a * c - b * b;
    float2 move = make_float2(0, 0);
    if (det > 1e-6f) {
        for (int turn = 0; turn < 12; ++turn) {
            float ex = 0, ey = 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                const int i = lane + 32 * k;
                if (i >= 225) continue;
                const float there = between(after, p.x + move.x + i % 15 - 7, p.y + move.y + i / 15 - 7, width, height);
                ex += (patch[k] - there) * gx[k];
                ey += (patch[k] - there) * gy[k];
            }
            ex = warpSum(ex), ey = warpSum(ey);
            const float sx = (c * ex - b * ey) / det, sy = (a * ey - b * ex) / det;
            move.x += sx, move.y += sy;
            if (sx * sx + sy * sy < 1e-3f) break;
        }
    }
    if (lane == 0) moves[point] = move;
}

__constant__ char4 pairPattern[256];

// Words of 256 bits for points of interest, the pairs turned to the patch's direction, a warp a point
__global__ void __launch_bounds__(128)
    steeredWords(const u8* __restrict__ image, const int2* __restrict__ points, u32* __restrict__ words, int width,
                 int count) {
    const int point = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (point >= count) return;
    const u8* centre = image + points[point].y * width + points[point].x;
    int mx = 0, my = 0;
    const int dx = lane - 15;
    if (lane < 31) {
        const int reach = (int)sqrtf(225.f - dx * dx);
        for (int dy = -reach; dy <= reach; ++dy) {
            const int value = centre[dy * width + dx];
            mx += dx * value;
            my += dy * value;
        }
    }
    mx = warpSum(mx), my = warpSum(my);
    float s, c;
    sincosf(atan2f((float)my, (float)mx), &s, &c);
    u32 bits = 0;
    for (int k = 0; k < 8; ++k) {
        const char4 pair = pairPattern[lane * 8 + k];
        const int ax = __float2int_rn(pair.x * c - pair.y * s), ay = __float2int_rn(pair.x * s + pair.y * c);
        const int bx = __float2int_rn(pair.z * c - pair.w * s), by = __float2int_rn(pair.z * s + pair.w * c);
        bits |= (u32)(centre[ay * width + ax] < centre[by * width + bx]) << k;
    }
    bits |= __shfl_down_sync(~0u, bits, 1) << 8;
    bits |= __shfl_down_sync(~0u, bits, 2) << 16;
    if (lane % 4 == 0) words[point * 8 + lane / 4] = bits;
}

// The nearest and second nearest word of another picture; kept where the first is clearly nearer
__global__ void __launch_bounds__(64)
    matchWords(const u32* __restrict__ mine, const u32* __restrict__ others, int* __restrict__ matches, int count,
               int against) {
    __shared__ u32 held[64][8];
    const int i = blockIdx.x * 64 + threadIdx.x;
    u32 word[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) word[k] = i < count ? mine[i * 8 + k] : 0;
    int first = 999, second = 999, who = -1;
    for (int from = 0; from < against; from += 64) {
        const int here = min(64, against - from);
        __syncthreads();
        for (int k = threadIdx.x; k < here * 8; k += 64) held[k / 8][k % 8] = others[from * 8 + k];
        __syncthreads();
        for (int j = 0; j < here; ++j) {
            int apart = 0;
#pragma unroll
            for (int k = 0; k < 8; ++k) apart += __popc(word[k] ^ held[j][k]);
            if (apart < first) {
                second = first;
                first = apart;
                who = from + j;
            } else if (apart < second) {
                second = apart;
            }
        }
    }
    if (i < count) matches[i] = first * 10 < second * 8 ? who : -1;
}

// Sums of a picture along rays, each cell weighed with the ray's length within it
__global__ void rayTotals(const float* __restrict__ image, float* __restrict__ out, int side, int detectors,
                          int angles) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x, turn = blockIdx.y;
    if (d >= detectors) return;
    float s, c;
    sincospif((turn + 0.25f) / angles, &s, &c);
    const float offset = d - 0.5f * detectors + 0.5f;
    const float px = offset * c + 0.5f * side, py = offset * s + 0.5f * side, dx = -s, dy = c;
    const float tx0 = -px / dx, tx1 = (side - px) / dx, ty0 = -py / dy, ty1 = (side - py) / dy;
    float t = fmaxf(fminf(tx0, tx1), fminf(ty0, ty1));
    const float end = fminf(fmaxf(tx0, tx1), fmaxf(ty0, ty1));
    float sum = 0;
    if (t < end) {
        int x = min(max((int)floorf(px + t * dx + 1e-4f * dx), 0), side - 1);
        int y = min(max((int)floorf(py + t * dy + 1e-4f * dy), 0), side - 1);
        const int stepX = dx > 0 ? 1 : -1, stepY = dy > 0 ? 1 : -1;
        const float eachX = fabsf(1 / dx), eachY = fabsf(1 / dy);
        float nextX = (x + (dx > 0) - px) / dx, nextY = (y + (dy > 0) - py) / dy;
        while (t < end && x >= 0 && y >= 0 && x < side && y < side) {
            const float until = fminf(fminf(nextX, nextY), end);
            sum += (until - t) * image[y * side + x];
            t = until;
            if (nextX < nextY) {
                x += stepX;
                nextX += eachX;
            } else {
                y += stepY;
                nextY += eachY;
            }
        }
    }
    out[turn * detectors + d] = sum;
}

// A lens' bending undone, the source position by a polynomial, four bytes a pixel
__global__ void straightenLens(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height,
                               float focal, float k1, float k2, float p1, float p2) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = (x - 0.5f * width) / focal, v = (y - 0.5f * height) / focal, r = u * u + v * v;
    const float bend = 1 + r * (k1 + r * k2);
    const float sx = focal * (u * bend + 2 * p1 * u * v + p2 * (r + 2 * u * u)) + 0.5f * width;
    const float sy = focal * (v * bend + p1 * (r + 2 * v * v) + 2 * p2 * u * v) + 0.5f * height;
    uchar4 result = make_uchar4(0, 0, 0, 255);
    if (sx >= 0 && sy >= 0 && sx < width - 1 && sy < height - 1) {
        const int x0 = (int)sx, y0 = (int)sy, ax = (int)((sx - x0) * 256), ay = (int)((sy - y0) * 256);
        const uchar4 a = in[y0 * width + x0], b = in[y0 * width + x0 + 1];
        const uchar4 c = in[(y0 + 1) * width + x0], d = in[(y0 + 1) * width + x0 + 1];
        const int wa = (256 - ax) * (256 - ay), wb = ax * (256 - ay), wc = (256 - ax) * ay, wd = ax * ay;
        result.x = (wa * a.x + wb * b.x + wc * c.x + wd * d.x + 32768) >> 16;
        result.y = (wa * a.y + wb * b.y + wc * c.y + wd * d.y + 32768) >> 16;
        result.z = (wa * a.z + wb * b.z + wc * c.z + wd * d.z + 32768) >> 16;
    }
    out[y * width + x] = result;
}

struct Patch {
    float x, y, r, g, b;
};

// Pixels to the nearest of nine patches around, by place and colour, and the patches' new sums
__global__ void assignPatches(const uchar4* __restrict__ image, const Patch* __restrict__ patches, int* labels,
                              int* totals, int width, int height, int cell, float weight) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int across = width / cell, down = height / cell;
    const uchar4 c = image[y * width + x];
    float least = 1e30f;
    int who = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int px = x / cell + dx, py = y / cell + dy;
            if (px < 0 || py < 0 || px >= across || py >= down) continue;
            const Patch p = patches[py * across + px];
            const float colour = (p.r - c.x) * (p.r - c.x) + (p.g - c.y) * (p.g - c.y) + (p.b - c.z) * (p.b - c.z);
            const float away = colour + weight * ((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y));
            if (away < least) {
                least = away;
                who = py * across + px;
            }
        }
    labels[y * width + x] = who;
    int* total = totals + who * 6;
    atomicAdd(&total[0], x);
    atomicAdd(&total[1], y);
    atomicAdd(&total[2], c.x);
    atomicAdd(&total[3], c.y);
    atomicAdd(&total[4], c.z);
    atomicAdd(&total[5], 1);
}

void runPictures(uint32_t& state) {
    const int width = 640, height = 400;
    std::vector<u8> grey(width * height), blobs(width * height);
    std::vector<float> first(width * height), second(width * height);
    auto wave = [](float x, float y) {
        return 128 + 40 * std::sin(0.11f * x + 0.03f * y) + 40 * std::sin(0.13f * y - 0.04f * x) +
               20 * std::sin(0.05f * (x + y));
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            first[i] = wave(x, y);
            second[i] = wave(x - 1.3f, y + 0.8f);
            grey[i] = (u8)(first[i] + 20 * some(state));
            blobs[i] = first[i] + 30 * some(state) > 140;
        }
    u8 *image = in_device(grey), *shapes = in_device(blobs);
    float* strength = zeros<float>(width * height);
    int* found = zeros<int>(1);
    cornerStrength<<<dim3(over(width, 16), over(height, 16)), dim3(16, 16)>>>(image, strength, found, width, height,
                                                                             1e-4f);
    toSum(strength, width * height);
    toSum(found, 1);

    std::vector<u8> dots(24 * 128 * 128);
    for (u8& dot : dots) dot = below(state, 400) == 0;
    float *away = zeros<float>(24 * 128 * 128), *exact = zeros<float>(24 * 128 * 128);
    nearestInColumn<<<dim3(2, 24), 64>>>(in_device(dots), away, 128, 128);
    parabolaEnvelope<128><<<24 * 128 / 32, 32>>>(away, exact, 24 * 128);
    toSum(exact, 24 * 128 * 128);

    int *labels = zeros<int>(width * height), *roots = zeros<int>(width * height), *sizes = zeros<int>(width * height);
    labelTiles<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(shapes, labels, width);
    labelSeams<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(shapes, labels, width, height);
    labelSizes<<<over(width * height, 512), 512>>>(labels, roots, sizes, width * height);
    toSum(roots, width * height);
    toSum(sizes, width * height);

    std::vector<float2> points(640);
    std::vector<int2> interest(3000);
    for (float2& p : points) p = make_float2(12 + 610 * some(state), 12 + 370 * some(state));
    for (int2& p : interest) p = make_int2(24 + below(state, 590), 24 + below(state, 350));
    float2* moves = zeros<float2>(640);
    trackPoints<<<over(640, 8), 256>>>(in_device(first), in_device(second), in_device(points), moves, width, height,
                                       640);
    toSum((float*)moves, 1280);

    std::vector<char4> pattern(256);
    for (char4& p : pattern) {
        signed char* at = (signed char*)&p;
        for (int k = 0; k < 4; ++k) at[k] = (int)below(state, 25) - 12;
    }
    cudaMemcpyToSymbol(pairPattern, pattern.data(), 1024);
    u32* words = zeros<u32>(3000 * 8);
    steeredWords<<<over(3000, 4), 128>>>(image, in_device(interest), words, width, 3000);
    toSum(words, 3000 * 8);
    int* matches = zeros<int>(2000);
    matchWords<<<over(2000, 64), 64>>>(words, words + 2000 * 8, matches, 2000, 500);
    toSum(matches, 2000);

    float* totals = zeros<float>(90 * 160);
    rayTotals<<<dim3(3, 90), 64>>>(reals(128 * 128), totals, 128, 160, 90);
    toSum(totals, 90 * 160);

    uchar4 *colours = (uchar4*)wholes<u8>(4 * 1024 * 768, 256), *straight = zeros<uchar4>(1024 * 768);
    straightenLens<<<dim3(32, 192), dim3(32, 4)>>>(colours, straight, 1024, 768, 700, -0.2f, 0.05f, 1e-3f, -5e-4f);
    toSum((u8*)straight, 4 * 1024 * 768);

    std::vector<Patch> patches(16 * 12);
    for (int i = 0; i < 16 * 12; ++i)
        patches[i] = {i % 16 * 20 + 10.f, i / 16 * 20 + 10.f, 255 * some(state), 255 * some(state), 255 * some(state)};
    int *owners = zeros<int>(320 * 240), *patchSums = zeros<int>(16 * 12 * 6);
    assignPatches<<<dim3(10, 30), dim3(32, 8)>>>(colours, in_device(patches), owners, patchSums, 320, 240, 20, 3.f);
    toSum(owners, 320 * 240);
    toSum(patchSums, 16 * 12 * 6);
}

// ---------------------------------------------------------------- neural networks and retrieval

// Normalisation over groups of channels with the swish behind it, two halves at a time, a group a block
__global__ void __launch_bounds__(256)
    groupNormSwish(const __half2* __restrict__ in, const float2* __restrict__ affine, __half2* __restrict__ out,
                   int groups, int channelsEach, int areaPairs) {
    __shared__ float parts[33];
    const int pairs = channelsEach * areaPairs, group = blockIdx.x % groups;
    in += (size_t)blockIdx.x * pairs;
    out += (size_t)blockIdx.x * pairs;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < pairs; i += 256) {
        const float2 v = __half22float2(in[i]);
        sum += v.x + v.y;
        squares += v.x * v.x + v.y * v.y;
    }
    sum = blockSum(sum, parts);
    squares = blockSum(squares, parts);
    const float mean = sum / (2 * pairs), scale = rsqrtf(squares / (2 * pairs) - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < pairs; i += 256) {
        const float2 a = affine[group * channelsEach + i / areaPairs], v = __half22float2(in[i]);
        const float x = (v.x - mean) * scale * a.x + a.y, y = (v.y - mean) * scale * a.x + a.y;
        out[i] = __floats2half2_rn(x / (1 + __expf(-x)), y / (1 + __expf(-y)));
    }
}

// Cross entropy over a large vocabulary: largest and sum in one pass, the slope written in the second
__global__ void __launch_bounds__(512)
    entropySlope(const __half* __restrict__ logits, const int* __restrict__ targets, __half* __restrict__ slopes,
                 float* __restrict__ losses, int vocabulary, float scale) {
    __shared__ float2 parts[16];
    const __half* row = logits + (size_t)blockIdx.x * vocabulary;
    const int lane = threadIdx.x % 32;
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x * 8; i < vocabulary; i += 4096) {
        const uint4 raw = *(const uint4*)(row + i);
        const __half2* pairs = (const __half2*)&raw;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float2 v = __half22float2(pairs[k]);
            const float high = fmaxf(v.x, v.y);
            if (high > most) {
                sum *= __expf(most - high);
                most = high;
            }
            sum += __expf(v.x - most) + __expf(v.y - most);
        }
    }
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const float high = __shfl_xor_sync(~0u, most, step), other = __shfl_xor_sync(~0u, sum, step);
        const float larger = fmaxf(most, high);
        sum = sum * __expf(most - larger) + other * __expf(high - larger);
        most = larger;
    }
    if (lane == 0) parts[threadIdx.x / 32] = make_float2(most, sum);
    __syncthreads();
    float all = -1e30f, total = 0;
    for (int w = 0; w < 16; ++w) all = fmaxf(all, parts[w].x);
    for (int w = 0; w < 16; ++w) total += parts[w].y * __expf(parts[w].x - all);
    const int target = targets[blockIdx.x];
    if (threadIdx.x == 0) losses[blockIdx.x] = logf(total) + all - __half2float(row[target]);
    for (int i = threadIdx.x * 2; i < vocabulary; i += 1024) {
        const float2 v = __half22float2(*(const __half2*)(row + i));
        const float x = __expf(v.x - all) / total - (i == target), y = __expf(v.y - all) / total - (i + 1 == target);
        *(__half2*)(slopes + (size_t)blockIdx.x * vocabulary + i) = __floats2half2_rn(x * scale, y * scale);
    }
}

// Positions turned into the queries' and keys' heads, the two halves of a head as one plane each
__global__ void turnHeads(__half* queries, __half* keys, const int* __restrict__ positions, int heads, int keyHeads) {
    const int token = blockIdx.x, pair = threadIdx.x;
    const float angle = positions[token] * exp2f(-13.2877124f * pair / 32);
    float s, c;
    sincosf(angle, &s, &c);
    for (int head = threadIdx.y; head < heads + keyHeads; head += blockDim.y) {
        __half* at = head < heads ? queries + ((size_t)token * heads + head) * 64
                                  : keys + ((size_t)token * keyHeads + head - heads) * 64;
        const float x = __half2float(at[pair]), y = __half2float(at[pair + 32]);
        at[pair] = __float2half(x * c - y * s);
        at[pair + 32] = __float2half(x * s + y * c);
    }
}

// Each channel convolved on its own, channels last, a pair of them a thread
template <int STRIDE>
__global__ void depthwiseThree(const __half2* __restrict__ in, const __half2* __restrict__ weights,
                               __half2* __restrict__ out, int side, int pairs) {
    const int c = threadIdx.x, x = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y;
    const int outSide = side / STRIDE;
    if (x >= outSide) return;
    in += (size_t)blockIdx.z * side * side * pairs;
    float2 sum = make_float2(0, 0);
#pragma unroll
    for (int dy = 0; dy < 3; ++dy) {
        const int sy = y * STRIDE + dy - 1;
        if (sy < 0 || sy >= side) continue;
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) {
            const int sx = x * STRIDE + dx - 1;
            if (sx < 0 || sx >= side) continue;
            const float2 v = __half22float2(in[(sy * side + sx) * pairs + c]);
            const float2 w = __half22float2(weights[(dy * 3 + dx) * pairs + c]);
            sum.x += v.x * w.x;
            sum.y += v.y * w.y;
        }
    }
    sum.x = fminf(fmaxf(sum.x, 0.f), 6.f);
    sum.y = fminf(fmaxf(sum.y, 0.f), 6.f);
    out[((blockIdx.z * outSide + y) * outSide + x) * pairs + c] = __float22half2_rn(sum);
}

// A product of bytes by four-way dot products, tiles of 64x64, scaled back to bytes column by column
__global__ void __launch_bounds__(256)
    byteProduct(const int* __restrict__ a, const int* __restrict__ b, const float* __restrict__ scales,
                signed char* __restrict__ c, int columns, int depthWords) {
    __shared__ int rows[8][65], cols[8][65];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    int sums[4][4] = {};
    for (int from = 0; from < depthWords; from += 8) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            rows[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * depthWords + from + i % 8];
            cols[i % 8][i / 8] = b[(blockIdx.x * 64 + i / 8) * depthWords + from + i % 8];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            int left[4], right[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                left[i] = rows[k][ty * 4 + i];
                right[i] = cols[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] = __dp4a(left[i], right[j], sums[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int column = blockIdx.x * 64 + tx + 16 * j;
        const float scale = scales[column];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int value = __float2int_rn(sums[i][j] * scale);
            c[(blockIdx.y * 64 + ty * 4 + i) * columns + column] = (signed char)min(max(value, -128), 127);
        }
    }
}

// Attention along a graph's edges: four heads of sixteen features, a node a warp, softmax as it goes
__global__ void edgeAttention(const int* __restrict__ starts, const int* __restrict__ ends,
                              const float2* __restrict__ features, const float* __restrict__ toScore,
                              const float* __restrict__ fromScore, float2* __restrict__ out, int nodes) {
    const int node = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x, head = lane / 8;
    if (node >= nodes) return;
    const float mine = toScore[node * 4 + head];
    float most = -1e30f, weights = 0;
    float2 sum = make_float2(0, 0);
    for (int e = starts[node]; e < starts[node + 1]; ++e) {
        const int other = ends[e];
        float score = mine + fromScore[other * 4 + head];
        score = score > 0 ? score : 0.2f * score;
        if (score > most) {
            const float shrink = __expf(most - score);
            weights *= shrink;
            sum.x *= shrink;
            sum.y *= shrink;
            most = score;
        }
        const float w = __expf(score - most);
        const float2 f = features[other * 32 + lane];
        weights += w;
        sum.x += w * f.x;
        sum.y += w * f.y;
    }
    const float each = weights > 0 ? 1 / weights : 0.f;
    out[node * 32 + lane] = make_float2(fmaxf(sum.x * each, 0.f), fmaxf(sum.y * each, 0.f));
}

// A token drawn from the fewest likeliest ones that make up a given share; the share's limit by halving
template <int VOCABULARY>
__global__ void __launch_bounds__(256)
    drawNucleus(const float* __restrict__ logits, int* __restrict__ drawn, float heat, float share) {
    __shared__ float held[VOCABULARY], parts[33], ahead[8];
    __shared__ int chosen;
    const int t = threadIdx.x, lane = t % 32;
    const float* row = logits + blockIdx.x * VOCABULARY;
    float most = -1e30f;
    for (int i = t; i < VOCABULARY; i += 256) {
        held[i] = row[i] / heat;
        most = fmaxf(most, held[i]);
    }
    for (int step = 16; step; step >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    if (lane == 0) ahead[t / 32] = most;
    __syncthreads();
    for (int w = 0; w < 8; ++w) most = fmaxf(most, ahead[w]);
    float sum = 0;
    for (int i = t; i < VOCABULARY; i += 256) {
        held[i] = __expf(held[i] - most);
        sum += held[i];
    }
    sum = blockSum(sum, parts);
    float low = 0, high = 1;
    for (int turn = 0; turn < 16; ++turn) {
        const float limit = 0.5f * (low + high);
        float above = 0;
        for (int i = t; i < VOCABULARY; i += 256)
            if (held[i] >= limit) above += held[i];
        if (blockSum(above, parts) >= share * sum)
            low = limit;
        else
            high = limit;
    }
    constexpr int EACH = VOCABULARY / 256;
    float mine = 0;
    for (int i = 0; i < EACH; ++i)
        if (held[t * EACH + i] >= low) mine += held[t * EACH + i];
    float upTo = mine;
#pragma unroll
    for (int step = 1; step < 32; step <<= 1) {
        const float before = __shfl_up_sync(~0u, upTo, step);
        if (lane >= step) upTo += before;
    }
    if (lane == 31) ahead[t / 32] = upTo;
    if (t == 0) chosen = 0;
    __syncthreads();
    float base = 0, all = 0;
    for (int w = 0; w < 8; ++w) {
        if (w < t / 32) base += ahead[w];
        all += ahead[w];
    }
    u32 seed = blockIdx.x * 7919 + 1;
    const float goal = unitDraw(seed) * all;
    float reached = base + upTo - mine;
    if (goal >= reached && goal < base + upTo)
        for (int i = 0; i < EACH; ++i) {
            const float p = held[t * EACH + i];
            if (p < low) continue;
            reached += p;
            if (goal < reached) {
                atomicMax(&chosen, t * EACH + i);
                break;
            }
        }
    __syncthreads();
    if (t == 0) drawn[blockIdx.x] = chosen;
}

__device__ uint4 tenRounds(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const u32 high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
        const u32 high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

// Some of the values dropped by a counter-based generator, the rest with the bypass added
__global__ void dropAndAdd(const float4* __restrict__ in, const float4* __restrict__ bypass, float4* __restrict__ out,
                           u8* __restrict__ kept, int quads, float keep, u64 key) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        const uint4 r = tenRounds(make_uint4(i, 0, 7, 0), make_uint2((u32)key, (u32)(key >> 32)));
        const float4 v = in[i], b = bypass[i];
        const u32 limit = (u32)(keep * 4294967295.f);
        const float scale = 1 / keep;
        float4 o = b;
        u8 mask = 0;
        if (r.x <= limit) o.x += v.x * scale, mask |= 1;
        if (r.y <= limit) o.y += v.y * scale, mask |= 2;
        if (r.z <= limit) o.z += v.z * scale, mask |= 4;
        if (r.w <= limit) o.w += v.w * scale, mask |= 8;
        out[i] = o;
        kept[i] = mask;
    }
}

// The best place to split a tree's leaf: sums scanned over a feature's 256 bins, the gain on either side
__global__ void __launch_bounds__(256)
    bestSplits(const float2* __restrict__ bins, u64* __restrict__ best, int features, float damp, float leastWeight) {
    __shared__ float2 ahead[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int leaf = blockIdx.y, feature = blockIdx.x;
    float2 sum = bins[(leaf * features + feature) * 256 + t];
#pragma unroll
    for (int step = 1; step < 32; step <<= 1) {
        const float x = __shfl_up_sync(~0u, sum.x, step), y = __shfl_up_sync(~0u, sum.y, step);
        if (lane >= step) sum.x += x, sum.y += y;
    }
    if (lane == 31) ahead[warp] = sum;
    __syncthreads();
    float2 all = make_float2(0, 0);
    for (int w = 0; w < 8; ++w) {
        if (w < warp) sum.x += ahead[w].x, sum.y += ahead[w].y;
        all.x += ahead[w].x, all.y += ahead[w].y;
    }
    const float2 rest = make_float2(all.x - sum.x, all.y - sum.y);
    float gain = 0;
    if (t < 255 && sum.y >= leastWeight && rest.y >= leastWeight)
        gain = sum.x * sum.x / (sum.y + damp) + rest.x * rest.x / (rest.y + damp) - all.x * all.x / (all.y + damp);
    u64 key = (u64)__float_as_uint(fmaxf(gain, 0.f)) << 32 | (feature << 8) | t;
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const u64 other = __shfl_down_sync(~0u, key, step);
        if (other > key) key = other;
    }
    if (lane == 0) atomicMax(&best[leaf], key);
}

// Nearest vectors by walking a graph of neighbours, the 32 nearest so far sorted over a warp's lanes
__global__ void __launch_bounds__(128)
    walkToNearest(const float* __restrict__ vectors, const int* __restrict__ links, const float* __restrict__ queries,
                  int* __restrict__ nearest, float* __restrict__ distances, int vectorsInAll, int count, int turns) {
    __shared__ u32 seen[4][128];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, query = blockIdx.x * 4 + warp;
    if (query >= count) return;
    for (int i = lane; i < 128; i += 32) seen[warp][i] = 0;
    __syncwarp();
    const float goal = queries[query * 32 + lane];
    const int entry = query * 37 % vectorsInAll;
    float apart = vectors[entry * 32 + lane] - goal;
    apart = warpSum(apart * apart);
    float away = lane == 0 ? apart : 1e30f;
    int id = lane == 0 ? entry : -1;
    bool open = lane == 0;
    if (lane == 0) seen[warp][entry >> 5] |= 1u << (entry & 31);
    __syncwarp();
    for (int turn = 0; turn < turns; ++turn) {
        const u32 left = __ballot_sync(~0u, open);
        if (!left) break;
        const int who = __ffs(left) - 1;
        const int from = __shfl_sync(~0u, id, who);
        if (lane == who) open = false;
        const int mine = lane < 16 ? links[from * 16 + lane] : -1;
        bool fresh = false;
        if (mine >= 0) fresh = !(atomicOr(&seen[warp][mine >> 5], 1u << (mine & 31)) >> (mine & 31) & 1);
        u32 todo = __ballot_sync(~0u, fresh);
        while (todo) {
            const int next = __shfl_sync(~0u, mine, __ffs(todo) - 1);
            todo &= todo - 1;
            float far = vectors[next * 32 + lane] - goal;
            far = warpSum(far * far);
            if (far >= __shfl_sync(~0u, away, 31)) continue;
            const int place = __popc(__ballot_sync(~0u, away <= far));
            const float awayBefore = __shfl_up_sync(~0u, away, 1);
            const int idBefore = __shfl_up_sync(~0u, id, 1);
            const bool openBefore = __shfl_up_sync(~0u, (int)open, 1);
            if (lane > place) {
                away = awayBefore;
                id = idBefore;
                open = openBefore;
            } else if (lane == place) {
                away = far;
                id = next;
                open = true;
            }
        }
    }
    if (lane < 8) {
        nearest[query * 8 + lane] = id;
        distances[query * 8 + lane] = away;
    }
}

// Codes of eight bytes scanned against a query: a table of partial distances first, the least kept in one word
__global__ void __launch_bounds__(256)
    scanCodes(const float4* __restrict__ books, const float4* __restrict__ queries, const uint2* __restrict__ codes,
              u64* __restrict__ best, int count) {
    __shared__ float table[8][256];
    for (int i = threadIdx.x; i < 2048; i += 256) {
        const float4 b = books[i], q = queries[blockIdx.y * 8 + i / 256];
        table[i / 256][i % 256] = (b.x - q.x) * (b.x - q.x) + (b.y - q.y) * (b.y - q.y) +
                                  (b.z - q.z) * (b.z - q.z) + (b.w - q.w) * (b.w - q.w);
    }
    __syncthreads();
    u64 least = ~0ull;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
        const uint2 code = codes[i];
        float away = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k)
            away += table[k][code.x >> 8 * k & 255] + table[k + 4][code.y >> 8 * k & 255];
        const u64 key = (u64)__float_as_uint(away) << 32 | (u32)i;
        if (key < least) least = key;
    }
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const u64 other = __shfl_down_sync(~0u, least, step);
        if (other < least) least = other;
    }
    if (threadIdx.x % 32 == 0) atomicMin(&best[blockIdx.y], least);
}

template <class T>
void toSumHalf(const T* memory, int count) {
    sums.push_back([=] {
        std::vector<__half> values(count);
        cudaMemcpy(values.data(), memory, count * 2, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (__half value : values) sum += __half2float(value);
        return sum;
    });
}

// A graph of `nodes` with from `least` to `most` links a node, some nodes far busier than others
struct Links {
    std::vector<int> starts, ends;
};
Links someLinks(uint32_t& state, int nodes, int least, int most) {
    Links links;
    links.starts.push_back(0);
    for (int n = 0; n < nodes; ++n) {
        const float u = some(state);
        const int number = least + (int)((most - least) * u * u * u);
        for (int k = 0; k < number; ++k) {
            const float v = some(state);
            links.ends.push_back(std::min((int)(nodes * (k % 2 ? v : v * v)), nodes - 1));
        }
        std::sort(links.ends.end() - number, links.ends.end());
        links.starts.push_back(links.ends.size());
    }
    return links;
}

void runNetworks(uint32_t& state) {
    const int norm = 8 * 32 * 8 * 512;
    __half* mapped = zeros<__half>(norm * 2);
    groupNormSwish<<<8 * 32, 256>>>((__half2*)reals<__half>(norm * 2, -2, 2), (float2*)reals(512, 0.5, 1.5),
                                    (__half2*)mapped, 32, 8, 512);
    toSumHalf(mapped, norm * 2);

    const int vocabulary = 16384;
    __half* slopes = zeros<__half>(132 * vocabulary);
    float* losses = zeros<float>(132);
    entropySlope<<<132, 512>>>(reals<__half>(132 * vocabulary, -4, 4), wholes(132, vocabulary), slopes, losses,
                               vocabulary, 64.f);
    toSum(losses, 132);

    __half *queries = reals<__half>(600 * 16 * 64, -1, 1), *keys = reals<__half>(600 * 4 * 64, -1, 1);
    turnHeads<<<600, dim3(32, 8)>>>(queries, keys, wholes(600, 2048), 16, 4);
    toSumHalf(queries, 600 * 16 * 64);
    toSumHalf(keys, 600 * 4 * 64);

    __half2* maps = (__half2*)reals<__half>(2 * 56 * 56 * 128, -1, 1);
    __half2* taps = (__half2*)reals<__half>(9 * 128, -0.5, 1);
    __half2* filtered = zeros<__half2>(2 * 56 * 56 * 64);
    depthwiseThree<1><<<dim3(14, 56, 2), dim3(64, 4)>>>(maps, taps, filtered, 56, 64);
    toSumHalf(filtered, 2 * 56 * 56 * 128);
    __half2* halved = zeros<__half2>(2 * 28 * 28 * 64);
    depthwiseThree<2><<<dim3(14, 28, 2), dim3(64, 2)>>>(maps, taps, halved, 56, 64);
    toSumHalf(halved, 2 * 28 * 28 * 128);

    signed char* product = zeros<signed char>(512 * 768);
    byteProduct<<<dim3(12, 8), 256>>>((int*)wholes<u8>(512 * 256, 256), (int*)wholes<u8>(768 * 256, 256),
                                      reals(768, 1e-4, 3e-3), product, 768, 64);
    toSum(product, 512 * 768);

    const int nodes = 3000;
    const Links links = someLinks(state, nodes, 2, 90);
    float2* gathered = zeros<float2>(nodes * 32);
    edgeAttention<<<over(nodes, 4), dim3(32, 4)>>>(in_device(links.starts), in_device(links.ends),
                                                   (float2*)reals(nodes * 64, -1, 1), reals(nodes * 4, -2, 2),
                                                   reals(nodes * 4, -1, 2), gathered, nodes);
    toSum((float*)gathered, nodes * 64);

    int* drawn = zeros<int>(96);
    drawNucleus<4096><<<96, 256>>>(reals(96 * 4096, -5, 5), drawn, 0.8f, 0.9f);
    toSum(drawn, 96);

    const int quads = 250000;
    float4* dropped = zeros<float4>(quads);
    u8* kept = zeros<u8>(quads);
    dropAndAdd<<<264, 256>>>((float4*)reals(quads * 4, -1, 1), (float4*)reals(quads * 4 + 4, 0, 1), dropped, kept,
                             quads, 0.85f, 0x123456789abcdefull);
    toSum(kept, quads);
    toSum((float*)dropped, quads * 4);

    u64* splits = zeros<u64>(16);
    bestSplits<<<dim3(50, 16), 256>>>((float2*)reals(16 * 50 * 512, 0, 1), splits, 50, 1.f, 5.f);
    toSum(splits, 16);

    std::vector<int> neighbours(4096 * 16);
    for (int i = 0; i < 4096 * 16; ++i)
        neighbours[i] = i % 16 < 4 ? (i / 16 + i % 16 + 1) % 4096 : (int)below(state, 4096);
    int* nearest = zeros<int>(200 * 8);
    float* distances = zeros<float>(200 * 8);
    walkToNearest<<<50, 128>>>(reals(4096 * 32), in_device(neighbours), reals(200 * 32), nearest, distances, 4096, 200,
                               16);
    toSum(nearest, 200 * 8);
    toSum(distances, 200 * 8);

    u64* best = in_device(std::vector<u64>(12, ~0ull));
    scanCodes<<<dim3(24, 12), 256>>>((float4*)reals(8192), (float4*)reals(12 * 32), (uint2*)wholes<u8>(8 * 60000, 256),
                                     best, 60000);
    toSum(best, 12);
}

// ---------------------------------------------------------------- ciphers, hashes and numbers

__constant__ u64 spongeRounds[24];

__device__ void permuteSponge(u64 (&a)[25]) {
    constexpr int turns[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                               27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    constexpr int places[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    for (int round = 0; round < 24; ++round) {
        u64 column[5];
#pragma unroll
        for (int x = 0; x < 5; ++x) column[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
        for (int x = 0; x < 5; ++x) {
            const u64 next = column[(x + 1) % 5], mix = column[(x + 4) % 5] ^ (next << 1 | next >> 63);
#pragma unroll
            for (int y = 0; y < 25; y += 5) a[x + y] ^= mix;
        }
        u64 moved = a[1];
#pragma unroll
        for (int i = 0; i < 24; ++i) {
            const u64 held = a[places[i]];
            a[places[i]] = moved << turns[i] | moved >> (64 - turns[i]);
            moved = held;
        }
#pragma unroll
        for (int y = 0; y < 25; y += 5) {
            u64 row[5];
#pragma unroll
            for (int x = 0; x < 5; ++x) row[x] = a[y + x];
#pragma unroll
            for (int x = 0; x < 5; ++x) a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
        a[0] ^= spongeRounds[round];
    }
}

// A sponge's digests of messages of several lengths in words of eight bytes, a message a thread
__global__ void __launch_bounds__(128)
    spongeDigests(const u64* __restrict__ messages, const int* __restrict__ lengths, u64* __restrict__ digests,
                  int stride, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 a[25];
#pragma unroll
    for (int k = 0; k < 25; ++k) a[k] = 0;
    const u64* at = messages + (size_t)i * stride;
    int left = lengths[i];
    for (; left >= 17; left -= 17, at += 17) {
#pragma unroll
        for (int k = 0; k < 17; ++k) a[k] ^= at[k];
        permuteSponge(a);
    }
#pragma unroll
    for (int k = 0; k < 17; ++k) {
        if (k < left) a[k] ^= at[k];
        if (k == left) a[k] ^= 6;
    }
    a[16] ^= 1ull << 63;
    permuteSponge(a);
#pragma unroll
    for (int k = 0; k < 4; ++k) digests[i * 4 + k] = a[k];
}

__constant__ u32 sineWords[64];

// Words of six letters tried one after the other against a list of digests of four words
__global__ void __launch_bounds__(256)
    guessWords(const uint4* __restrict__ wanted, int* __restrict__ hits, u32* __restrict__ checks, int wantedCount,
               u32 first, int each) {
    constexpr int turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 check = 0;
    for (int k = 0; k < each; ++k) {
        u32 number = first + thread * each + k;
        u32 words[16] = {};
#pragma unroll
        for (int letter = 0; letter < 6; ++letter) {
            words[letter / 4] |= ('a' + number % 26) << letter % 4 * 8;
            number /= 26;
        }
        words[1] |= 0x80u << 16;
        words[14] = 48;
        u32 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            u32 f;
            int g;
            if (i < 16)
                f = (b & c) | (~b & d), g = i;
            else if (i < 32)
                f = (d & b) | (~d & c), g = (5 * i + 1) % 16;
            else if (i < 48)
                f = b ^ c ^ d, g = (3 * i + 5) % 16;
            else
                f = c ^ (b | ~d), g = 7 * i % 16;
            f += a + sineWords[i] + words[g];
            a = d;
            d = c;
            c = b;
            b += __funnelshift_l(f, f, turns[i / 16 * 4 + i % 4]);
        }
        a += 0x67452301u, b += 0xefcdab89u, c += 0x98badcfeu, d += 0x10325476u;
        check ^= a + d;
        for (int w = 0; w < wantedCount; ++w) {
            const uint4 want = wanted[w];
            if (a == want.x && b == want.y && c == want.z && d == want.w) hits[w] = first + thread * each + k + 1;
        }
    }
    checks[thread] = check;
}

__device__ void mixSixteen(u32 (&b)[16]) {
    u32 x[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) x[i] = b[i];
    auto quarter = [&x](int p, int q, int r, int s) {
        u32 t = x[p] + x[s];
        x[q] ^= __funnelshift_l(t, t, 7);
        t = x[q] + x[p];
        x[r] ^= __funnelshift_l(t, t, 9);
        t = x[r] + x[q];
        x[s] ^= __funnelshift_l(t, t, 13);
        t = x[s] + x[r];
        x[p] ^= __funnelshift_l(t, t, 18);
    };
#pragma unroll
    for (int round = 0; round < 4; ++round) {
        quarter(0, 4, 8, 12), quarter(5, 9, 13, 1), quarter(10, 14, 2, 6), quarter(15, 3, 7, 11);
        quarter(0, 1, 2, 3), quarter(5, 6, 7, 4), quarter(10, 11, 8, 9), quarter(15, 12, 13, 14);
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) b[i] += x[i];
}

// Keys made costly by memory: a table of blocks filled, then read where the data itself says
__global__ void __launch_bounds__(32)
    costlyKeys(u32* __restrict__ state, u32* __restrict__ table, int cost, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u32 low[16], high[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        low[k] = state[k * count + i];
        high[k] = state[(k + 16) * count + i];
    }
    for (int turn = 0; turn < 2 * cost; ++turn) {
        u32* at;
        if (turn < cost) {
            at = table + (size_t)turn * 32 * count + i;
#pragma unroll
            for (int k = 0; k < 16; ++k) {
                at[k * count] = low[k];
                at[(k + 16) * count] = high[k];
            }
        } else {
            at = table + (size_t)(high[0] % cost) * 32 * count + i;
#pragma unroll
            for (int k = 0; k < 16; ++k) {
                low[k] ^= at[k * count];
                high[k] ^= at[(k + 16) * count];
            }
        }
#pragma unroll
        for (int k = 0; k < 16; ++k) low[k] ^= high[k];
        mixSixteen(low);
#pragma unroll
        for (int k = 0; k < 16; ++k) high[k] ^= low[k];
        mixSixteen(high);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        state[k * count + i] = low[k];
        state[(k + 16) * count + i] = high[k];
    }
}

constexpr u64 GOLD = 0xffffffff00000001ull;

__device__ __forceinline__ u64 goldProduct(u64 a, u64 b) {
    const u64 low = a * b, high = __umul64hi(a, b), top = high >> 32;
    u64 t = low - top;
    if (low < top) t -= 0xffffffffull;
    const u64 middle = (high & 0xffffffffull) * 0xffffffffull;
    u64 sum = t + middle;
    if (sum < middle) sum += 0xffffffffull;
    return sum >= GOLD ? sum - GOLD : sum;
}
__device__ __forceinline__ u64 goldSum(u64 a, u64 b) {
    u64 sum = a + b;
    if (sum < a) sum += 0xffffffffull;
    return sum >= GOLD ? sum - GOLD : sum;
}
__device__ __forceinline__ u64 goldDifference(u64 a, u64 b) { return a >= b ? a - b : a + (GOLD - b); }

// Polynomials of 1024 coefficients squared, around the end, by transforms over a prime of 64 bits
__global__ void __launch_bounds__(256)
    squarePolynomials(u64* __restrict__ data, const u64* __restrict__ roots, const u64* __restrict__ inverses,
                      u64 scale) {
    __shared__ u64 held[1024];
    u64* mine = data + blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 256) held[i] = mine[i];
    __syncthreads();
    for (int half = 512; half; half >>= 1) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            const int k = i & (half - 1), at = 2 * i - k;
            const u64 a = held[at], b = held[at + half];
            held[at] = goldSum(a, b);
            held[at + half] = goldProduct(goldDifference(a, b), roots[k * (512 / half)]);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 256) held[i] = goldProduct(held[i], held[i]);
    __syncthreads();
    for (int half = 1; half < 1024; half <<= 1) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            const int k = i & (half - 1), at = 2 * i - k;
            const u64 a = held[at], b = goldProduct(held[at + half], inverses[k * (512 / half)]);
            held[at] = goldSum(a, b);
            held[at + half] = goldDifference(a, b);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 256) mine[i] = goldProduct(held[i], scale);
}

__constant__ short latticeRoots[128];

__device__ __forceinline__ short reducedProduct(short a, short b) {
    const int product = a * b;
    const short t = (short)((u32)product * 62209u);
    return (short)((product - t * 3329) >> 16);
}

// The number transform of lattice ciphers: seven layers over 256 short coefficients, four polynomials a block
__global__ void __launch_bounds__(256) latticeTransform(short* __restrict__ data, int polynomials) {
    __shared__ short held[4][256];
    const int which = threadIdx.x / 64, t = threadIdx.x % 64, polynomial = blockIdx.x * 4 + which;
    const bool real = polynomial < polynomials;
    if (real)
        for (int i = 0; i < 4; ++i) held[which][t + 64 * i] = data[polynomial * 256 + t + 64 * i];
    __syncthreads();
    for (int layer = 0, half = 128; half >= 2; ++layer, half >>= 1) {
        if (real)
            for (int i = t; i < 128; i += 64) {
                const int group = i / half, at = group * 2 * half + i % half;
                const short b = reducedProduct(latticeRoots[(1 << layer) + group], held[which][at + half]);
                const short a = held[which][at];
                held[which][at + half] = a - b;
                held[which][at] = a + b;
            }
        __syncthreads();
    }
    if (!real) return;
    for (int i = 0; i < 4; ++i) {
        const short v = held[which][t + 64 * i];
        const short quotient = (short)((20159 * v + (1 << 25)) >> 26);
        data[polynomial * 256 + t + 64 * i] = v - quotient * 3329;
    }
}

// A stream cipher of swapped bytes: each thread's permutation lies in shared memory
__global__ void __launch_bounds__(64)
    swappedBytes(const u32* __restrict__ keys, u32* __restrict__ stream, int keyBytes, int words, int count) {
    __shared__ u8 boxes[256][64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i >= count) return;
    const u8* key = (const u8*)keys + i * keyBytes;
    for (int k = 0; k < 256; ++k) boxes[k][t] = k;
    u8 j = 0;
    for (int k = 0; k < 256; ++k) {
        const u8 mine = boxes[k][t];
        j += mine + key[k % keyBytes];
        boxes[k][t] = boxes[j][t];
        boxes[j][t] = mine;
    }
    u8 x = 0, y = 0;
    for (int w = 0; w < words; ++w) {
        u32 word = 0;
        for (int b = 0; b < 4; ++b) {
            const u8 p = boxes[++x][t];
            y += p;
            const u8 q = boxes[y][t];
            boxes[x][t] = q;
            boxes[y][t] = p;
            word |= (u32)boxes[(u8)(p + q)][t] << 8 * b;
        }
        stream[w * count + i] = word;
    }
}

__device__ __forceinline__ u64 turnedProduct(u64 a, u64 b, u64 n, u64 inverse) {
    const u64 low = a * b, high = __umul64hi(a, b), back = __umul64hi(low * inverse, n);
    return high >= back ? high - back : high + n - back;
}

__device__ u64 greatestCommon(u64 a, u64 b) {
    if (a == 0 || b == 0) return a | b;
    const int shift = __ffsll(a | b) - 1;
    a >>= __ffsll(a) - 1;
    while (b) {
        b >>= __ffsll(b) - 1;
        if (a > b) {
            const u64 swap = a;
            a = b;
            b = swap;
        }
        b -= a;
    }
    return a << shift;
}

// A factor of each number by a walk that comes back to itself, its steps' differences multiplied in lots of 32
__global__ void walkFactors(const u64* __restrict__ numbers, u64* __restrict__ factors, int* __restrict__ steps,
                            int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const u64 n = numbers[i];
    u64 inverse = n;
    for (int k = 0; k < 5; ++k) inverse *= 2 - n * inverse;
    u64 found = 1;
    int made = 0;
    for (u64 c = 1; c < 6 && found == 1; ++c) {
        u64 y = 2, x = y, saved = y, product = 1;
        for (int lap = 1; found == 1 && lap < 8192; lap *= 2) {
            x = y;
            for (int k = 0; k < lap; ++k) {
                y = turnedProduct(y, y, n, inverse) + c;
                if (y >= n) y -= n;
            }
            made += lap;
            for (int done = 0; done < lap && found == 1; done += 32) {
                saved = y;
                const int lot = min(32, lap - done);
                for (int k = 0; k < lot; ++k) {
                    y = turnedProduct(y, y, n, inverse) + c;
                    if (y >= n) y -= n;
                    product = turnedProduct(product, x > y ? x - y : y - x, n, inverse);
                }
                made += lot;
                found = greatestCommon(product, n);
            }
        }
        if (found == n) {
            found = 1;
            for (int k = 0; k < 64 && found == 1; ++k) {
                saved = turnedProduct(saved, saved, n, inverse) + c;
                if (saved >= n) saved -= n;
                found = greatestCommon(x > saved ? x - saved : saved - x, n);
            }
            if (found == n) found = 1;
        }
    }
    factors[i] = found;
    steps[i] = made;
}

u64 goldHost(u64 a, u64 b) { return (u64)((unsigned __int128)a * b % GOLD); }
u64 goldPower(u64 base, u64 exponent) {
    u64 result = 1;
    for (; exponent; exponent >>= 1, base = goldHost(base, base))
        if (exponent & 1) result = goldHost(result, base);
    return result;
}

void runSecrets(uint32_t& state) {
    u64 rounds[24] = {};
    u8 feedback = 1;
    for (u64& round : rounds)
        for (int bit = 0; bit < 7; ++bit) {
            if (feedback & 1) round |= 1ull << ((1 << bit) - 1);
            feedback = feedback << 1 ^ (feedback >> 7 ? 0x71 : 0);
        }
    cudaMemcpyToSymbol(spongeRounds, rounds, sizeof rounds);
    std::vector<int> lengths(4000);
    for (int& length : lengths) length = 4 + below(state, 36);
    u64* digests = zeros<u64>(4 * 4000);
    spongeDigests<<<over(4000, 128), 128>>>((u64*)wholes<u32>(2 * 40 * 4000, ~0u), in_device(lengths), digests, 40,
                                            4000);
    toSum(digests, 4 * 4000);

    u32 sines[64];
    for (int i = 0; i < 64; ++i) sines[i] = (u32)(4294967296.0 * std::fabs(std::sin(i + 1.0)));
    cudaMemcpyToSymbol(sineWords, sines, sizeof sines);
    std::vector<uint4> wanted(3, make_uint4(1, 2, 3, 4));
    wanted[1] = make_uint4(0x41ba14aau, 0x7617e0edu, 0x4ca23df8u, 0xe04f4ac9u);
    int* hits = zeros<int>(3);
    u32* checks = zeros<u32>(132 * 256);
    guessWords<<<132, 256>>>(in_device(wanted), hits, checks, 3, 1000, 2);
    toSum(hits, 3);
    toSum(checks, 132 * 256);

    u32 *keys = wholes<u32>(32 * 1024, ~0u), *table = zeros<u32>(16 * 32 * 1024);
    costlyKeys<<<32, 32>>>(keys, table, 16, 1024);
    toSum(keys, 32 * 1024);

    const u64 root = goldPower(7, (GOLD - 1) / 1024), back = goldPower(root, GOLD - 2);
    std::vector<u64> roots(512, 1), inverses(512, 1), coefficients(150 * 1024);
    for (int i = 1; i < 512; ++i) {
        roots[i] = goldHost(roots[i - 1], root);
        inverses[i] = goldHost(inverses[i - 1], back);
    }
    for (u64& c : coefficients) c = below(state, 1 << 20);
    u64* polynomials = in_device(coefficients);
    squarePolynomials<<<150, 256>>>(polynomials, in_device(roots), in_device(inverses), goldPower(1024, GOLD - 2));
    toSum(polynomials, 150 * 1024);

    short powers[128], latticed[128];
    powers[0] = 1;
    for (int i = 1; i < 128; ++i) powers[i] = powers[i - 1] * 17 % 3329;
    for (int i = 0; i < 128; ++i) {
        int turned = 0;
        for (int bit = 0; bit < 7; ++bit) turned |= (i >> bit & 1) << (6 - bit);
        const int value = powers[turned] * 65536 % 3329;
        latticed[i] = value > 1664 ? value - 3329 : value;
    }
    cudaMemcpyToSymbol(latticeRoots, latticed, sizeof latticed);
    short* lattice = wholes<short>(256 * 2000, 3329);
    latticeTransform<<<over(2000, 4), 256>>>(lattice, 2000);
    toSum(lattice, 256 * 2000);

    u32* stream = zeros<u32>(16 * 4500);
    swappedBytes<<<over(4500, 64), 64>>>(wholes<u32>(4500 * 2, ~0u), stream, 8, 16, 4500);
    toSum(stream, 16 * 4500);

    std::vector<int> primes;
    for (int p = 20011; primes.size() < 800; p += 2) {
        bool prime = true;
        for (int q = 3; q * q <= p && prime; q += 2) prime = p % q != 0;
        if (prime) primes.push_back(p);
    }
    std::vector<u64> numbers(3000);
    for (u64& number : numbers) number = (u64)primes[below(state, 800)] * primes[below(state, 800)];
    u64* factors = zeros<u64>(3000);
    int* steps = zeros<int>(3000);
    walkFactors<<<over(3000, 64), 64>>>(in_device(numbers), factors, steps, 3000);
    toSum(factors, 3000);
    toSum(steps, 3000);
}

// ---------------------------------------------------------------- databases

// A filter of blocks of 256 bits: the build side's keys set a bit in each of a block's eight words
__global__ void fillSieve(const u32* __restrict__ keys, u32* sieve, u32 blocks, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const u32 key = keys[i], hash = mixed(key);
        u32* block = sieve + (size_t)__umulhi(hash, blocks) * 8;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const u32 bit = 1u << (key * (0x47b6137bu + 0x44974d91u * 2 * k) >> 27);
            if (!(*(volatile u32*)&block[k] & bit)) atomicOr(&block[k], bit);
        }
    }
}

// the probe side's rows that may have a partner, packed one after the other within each block's part
__global__ void __launch_bounds__(256)
    sieveRows(const u32* __restrict__ keys, const uint4* __restrict__ sieve, int* __restrict__ rows,
              int* __restrict__ kept, u32 blocks, int count) {
    __shared__ int ahead[9];
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool may = i < count;
    if (may) {
        const u32 key = keys[i];
        const u32 at = __umulhi(mixed(key), blocks) * 2;
        const uint4 a = sieve[at], b = sieve[at + 1];
        const u32 words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
        for (int k = 0; k < 8; ++k)
            may = may && (words[k] >> (key * (0x47b6137bu + 0x44974d91u * 2 * k) >> 27) & 1);
    }
    const u32 votes = __ballot_sync(~0u, may);
    if (lane == 0) ahead[warp + 1] = __popc(votes);
    if (threadIdx.x == 0) ahead[0] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 0; w < 8; ++w) ahead[w + 1] += ahead[w];
    __syncthreads();
    if (may) rows[blockIdx.x * 256 + ahead[warp] + __popc(votes & ((1u << lane) - 1))] = i;
    if (threadIdx.x == 0) kept[blockIdx.x] = ahead[8];
}

struct Group {
    u32 key;
    int count;
    u64 total;
};

// Sums of groups: a small table in shared memory first, poured into the large one; what does not fit goes there at once
__global__ void __launch_bounds__(256)
    groupTotals(const u32* __restrict__ keys, const int* __restrict__ values, Group* groups, u32 capacity, int rows) {
    __shared__ u32 held[512];
    __shared__ int counts[512];
    __shared__ u64 totals[512];
    for (int i = threadIdx.x; i < 512; i += 256) {
        held[i] = ~0u;
        counts[i] = 0;
        totals[i] = 0;
    }
    __syncthreads();
    auto addTo = [groups, capacity](u32 key, int count, u64 total) {
        u32 at = mixed(key) % capacity;
        while (true) {
            const u32 before = atomicCAS(&groups[at].key, ~0u, key);
            if (before == ~0u || before == key) break;
            at = at + 1 == capacity ? 0 : at + 1;
        }
        atomicAdd(&groups[at].count, count);
        atomicAdd(&groups[at].total, total);
    };
    for (int i = blockIdx.x * 256 + threadIdx.x; i < rows; i += gridDim.x * 256) {
        const u32 key = keys[i];
        const int value = values[i];
        u32 at = mixed(key) >> 23;
        bool placed = false;
        for (int trial = 0; trial < 4 && !placed; ++trial) {
            const u32 before = atomicCAS(&held[at], ~0u, key);
            placed = before == ~0u || before == key;
            if (!placed) at = (at + 1) & 511;
        }
        if (placed) {
            atomicAdd(&counts[at], 1);
            atomicAdd(&totals[at], (u64)value);
        } else {
            addTo(key, 1, value);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += 256)
        if (held[i] != ~0u) addTo(held[i], counts[i], totals[i]);
}

// Ranges counted in a tree of nodes of sixteen keys, sixteen threads a query
template <int LEVELS>
__global__ void countRanges(const int* __restrict__ tree, const int2* __restrict__ ranges, int* __restrict__ counts,
                            int queries) {
    auto team = cg::tiled_partition<16>(cg::this_thread_block());
    const int query = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    if (query >= queries) return;
    const int2 range = ranges[query];
    int ends[2];
    for (int side = 0; side < 2; ++side) {
        const int wanted = side ? range.y : range.x;
        int node = 0, base = 0, width = 1;
        for (int level = 0; level < LEVELS; ++level) {
            const int key = tree[(base + node) * 16 + team.thread_rank()];
            const u32 less = team.ballot(key < wanted);
            const int child = level + 1 < LEVELS ? max(__popc(less) - 1, 0) : __popc(less);
            base += width;
            width *= 16;
            node = node * 16 + child;
        }
        ends[side] = node;
    }
    if (team.thread_rank() == 0) counts[query] = ends[1] - ends[0];
}

// Days since 1970 taken apart into year, month and day; sales counted by month and weekday
__global__ void salesByMonth(const int* __restrict__ days, const int* __restrict__ cents, u32* __restrict__ dates,
                             u64* months, u32* weekdays, int firstYear, int count) {
    __shared__ u32 perDay[7];
    if (threadIdx.x < 7) perDay[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        const int day = days[i], z = day + 719468;
        const int era = (z >= 0 ? z : z - 146096) / 146097;
        const u32 ofEra = z - era * 146097;
        const u32 yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146096) / 365;
        const u32 ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        const u32 mp = (5 * ofYear + 2) / 153, date = ofYear - (153 * mp + 2) / 5 + 1;
        const u32 month = mp < 10 ? mp + 3 : mp - 9, year = yearOfEra + era * 400 + (month <= 2);
        dates[i] = year << 9 | month << 5 | date;
        atomicAdd(&months[(year - firstYear) * 12 + month - 1], (u64)cents[i]);
        atomicAdd(&perDay[((day + 4) % 7 + 7) % 7], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 7 && perDay[threadIdx.x]) atomicAdd(&weekdays[threadIdx.x], perDay[threadIdx.x]);
}

// How many different keys there are, about: the longest run of leading noughts for each of 1024 registers
__global__ void __launch_bounds__(256) sketchDistinct(const u64* __restrict__ keys, int* registers, int count) {
    __shared__ int held[1024];
    for (int i = threadIdx.x; i < 1024; i += 256) held[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
        u64 h = keys[i];
        h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
        h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
        h ^= h >> 33;
        const int rank = __clzll(h << 10 | 1) + 1, at = h >> 54;
        if (*(volatile int*)&held[at] < rank) atomicMax(&held[at], rank);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256)
        if (held[i]) atomicMax(&registers[i], held[i]);
}

// The least of the last `window` values along each partition by a queue that only ever rises
template <int RING>
__global__ void slidingLeast(const int* __restrict__ values, const int* __restrict__ starts, int* __restrict__ least,
                             int window, int partitions) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= partitions) return;
    int held[RING];
    short when[RING];
    int head = 0, tail = 0;
    const int from = starts[p], to = starts[p + 1];
    for (int i = from; i < to; ++i) {
        const int value = values[i], now = i - from;
        while (tail > head && held[(tail - 1) % RING] >= value) --tail;
        held[tail % RING] = value;
        when[tail % RING] = now;
        ++tail;
        if (when[head % RING] + window <= now) ++head;
        least[i] = held[head % RING];
    }
}

// Lines that fit a pattern with marks for one letter and for any number of them
__global__ void likeLines(const char* __restrict__ text, const int* __restrict__ starts,
                          const char* __restrict__ pattern, int patternLength, u32* __restrict__ fits, int lines) {
    extern __shared__ char marks[];
    for (int i = threadIdx.x; i < patternLength; i += blockDim.x) marks[i] = pattern[i];
    __syncthreads();
    const int line = blockIdx.x * blockDim.x + threadIdx.x;
    bool fit = false;
    if (line < lines) {
        int at = starts[line], p = 0, star = -1, again = 0;
        const int end = starts[line + 1];
        fit = true;
        while (at < end) {
            const char c = text[at];
            if (p < patternLength && marks[p] == '%') {
                star = ++p;
                again = at;
            } else if (p < patternLength && (marks[p] == '_' || marks[p] == c)) {
                ++p;
                ++at;
            } else if (star >= 0) {
                p = star;
                at = ++again;
            } else {
                fit = false;
                break;
            }
        }
        while (fit && p < patternLength && marks[p] == '%') ++p;
        fit = fit && p == patternLength;
    }
    const u32 votes = __ballot_sync(~0u, fit);
    if (threadIdx.x % 32 == 0 && line < lines) fits[line / 32] = votes;
}

void runTables(uint32_t& state) {
    const int probes = 400000;
    u32 *keys = wholes<u32>(40000, 300000), *asked = wholes<u32>(probes, 300000), *sieve = zeros<u32>(8 * 2048);
    int *rows = zeros<int>(over(probes, 256) * 256), *kept = zeros<int>(over(probes, 256));
    fillSieve<<<80, 256>>>(keys, sieve, 2048, 40000);
    sieveRows<<<over(probes, 256), 256>>>(asked, (uint4*)sieve, rows, kept, 2048, probes);
    toSum(rows, probes);
    toSum(kept, over(probes, 256));

    std::vector<u32> cities(300000);
    std::vector<Group> empty(8192, Group{~0u, 0, 0});
    for (u32& city : cities) {
        const float u = some(state);
        city = (u32)(u * u * u * 5000);
    }
    Group* groups = in_device(empty);
    groupTotals<<<132, 256>>>(in_device(cities), wholes(300000, 1000), groups, 8192, 300000);
    sums.push_back([=] {
        std::vector<Group> all(8192);
        cudaMemcpy(all.data(), groups, 8192 * sizeof(Group), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (const Group& group : all) sum += (double)group.total * (group.key % 7 + 1) + group.count;
        return sum;
    });

    // four levels: the last holds 65536 keys in order, each above the first key of every node below
    std::vector<int> leaves(65536), tree;
    int key = 0;
    for (int& leaf : leaves) leaf = key += 1 + below(state, 20);
    for (int width = 1; width <= 4096; width *= 16)
        for (int i = 0; i < width * 16; ++i) tree.push_back(leaves[i * (65536 / (width * 16))]);
    std::vector<int2> ranges(10000);
    for (int2& range : ranges) {
        range.x = below(state, key);
        range.y = range.x + below(state, 5000);
    }
    int* counts = zeros<int>(10000);
    countRanges<4><<<over(10000 * 16, 128), 128>>>(in_device(tree), in_device(ranges), counts, 10000);
    toSum(counts, 10000);

    u32 *dates = zeros<u32>(200000), *weekdays = zeros<u32>(7);
    u64* months = zeros<u64>(12 * 60);
    salesByMonth<<<over(200000, 192), 192>>>(wholes(200000, 20000), wholes(200000, 10000), dates, months,
                                             weekdays, 1970, 200000);
    toSum(dates, 200000);
    toSum(months, 12 * 60);
    toSum(weekdays, 7);

    int* registers = zeros<int>(1024);
    sketchDistinct<<<264, 256>>>((u64*)wholes<u32>(2 * 500000, 3000), registers, 500000);
    toSum(registers, 1024);

    std::vector<int> starts(1, 0);
    for (int p = 0; p < 4000; ++p) starts.push_back(starts.back() + 20 + below(state, 120));
    int* least = zeros<int>(starts.back());
    slidingLeast<32><<<over(4000, 64), 64>>>(wholes(starts.back(), 1000000), in_device(starts), least, 30, 4000);
    toSum(least, starts.back());

    std::string text;
    std::vector<int> lineStarts(1, 0);
    for (int line = 0; line < 30000; ++line) {
        const int length = 15 + below(state, 50);
        for (int k = 0; k < length; ++k) text += "etaoinshrd ul"[below(state, 13)];
        lineStarts.push_back(text.size());
    }
    const std::string pattern = "%the%s_n%a%";
    u32* fits = zeros<u32>(over(30000, 32));
    likeLines<<<over(30000, 128), 128, 64>>>(in_device(std::vector<char>(text.begin(), text.end())),
                                             in_device(lineStarts),
                                             in_device(std::vector<char>(pattern.begin(), pattern.end())),
                                             pattern.size(), fits, 30000);
    toSum(fits, over(30000, 32));
}

// ---------------------------------------------------------------- biology

// The most pairs a strand can fold into: all stretches by length, a strand a block
template <int LENGTH>
__global__ void __launch_bounds__(LENGTH)
    foldStrands(const char* __restrict__ strands, int* __restrict__ pairs, int gap) {
    __shared__ u8 most[LENGTH][LENGTH + 4];
    __shared__ char strand[LENGTH];
    const int t = threadIdx.x;
    strand[t] = strands[blockIdx.x * LENGTH + t];
    for (int i = 0; i < LENGTH; ++i) most[i][t] = 0;
    __syncthreads();
    for (int apart = gap + 1; apart < LENGTH; ++apart) {
        const int i = t, j = t + apart;
        if (j < LENGTH) {
            int best = max(most[i + 1][j], most[i][j - 1]);
            const int sum = strand[i] + strand[j];
            const bool fits = sum == 3 || (sum == 5 && strand[i] != 0 && strand[j] != 0);
            if (fits) best = max(best, most[i + 1][j - 1] + 1);
            for (int k = i + gap + 1; k < j - gap; ++k) best = max(best, most[i][k] + most[k + 1][j]);
            most[i][j] = best;
        }
        __syncthreads();
    }
    if (t == 0) pairs[blockIdx.x] = most[0][LENGTH - 1];
}

// Words of 21 letters, or their mirror, counted in a table of 64-bit keys
__global__ void countWords(const u8* __restrict__ reads, u64* keys, u32* counts, u32* longest, u32 mask, int readLength,
                           int number) {
    const int read = blockIdx.x * blockDim.x + threadIdx.x;
    if (read >= number) return;
    const u64 full = (1ull << 42) - 1;
    u64 ahead = 0, mirror = 0;
    int good = 0;
    u32 farthest = 0;
    for (int i = 0; i < readLength; ++i) {
        const u8 letter = reads[i * number + read];
        if (letter > 3) {
            good = 0;
            continue;
        }
        ahead = (ahead << 2 | letter) & full;
        mirror = mirror >> 2 | (u64)(3 - letter) << 40;
        if (++good < 21) continue;
        const u64 word = ahead < mirror ? ahead : mirror;
        u64 h = word * 0x9e3779b97f4a7c15ull;
        u32 at = (u32)(h >> 40) & mask, tries = 0;
        while (true) {
            u64 there = *(volatile u64*)&keys[at];
            if (there == ~0ull) there = atomicCAS(&keys[at], ~0ull, word);
            if (there == ~0ull || there == word) {
                atomicAdd(&counts[at], 1u);
                break;
            }
            at = (at + 1) & mask;
            ++tries;
        }
        farthest = max(farthest, tries);
    }
    if (farthest > 20) atomicMax(longest, farthest);
}

// The best place of a weighed pattern on either strand of each stretch, the weights in shared memory
__global__ void __launch_bounds__(128)
    bestMotif(const u8* __restrict__ letters, const float* __restrict__ weights, float2* __restrict__ best, int motif,
              int stretch, int motifs) {
    extern __shared__ float held[];
    __shared__ float scores[4];
    __shared__ int places[4];
    const float* mine = weights + blockIdx.y * motif * 4;
    for (int i = threadIdx.x; i < motif * 4; i += 128) held[i] = mine[i];
    u8* local = (u8*)(held + motif * 4);
    for (int i = threadIdx.x; i < stretch; i += 128) local[i] = letters[blockIdx.x * stretch + i];
    __syncthreads();
    float most = -1e30f;
    int place = 0;
    for (int i = threadIdx.x; i + motif <= stretch; i += 128) {
        float ahead = 0, back = 0;
        for (int k = 0; k < motif; ++k) {
            const int letter = local[i + k];
            ahead += held[k * 4 + letter];
            back += held[(motif - 1 - k) * 4 + 3 - letter];
        }
        if (ahead > most) most = ahead, place = i + 1;
        if (back > most) most = back, place = -i - 1;
    }
    for (int step = 16; step; step >>= 1) {
        const float score = __shfl_down_sync(~0u, most, step);
        const int other = __shfl_down_sync(~0u, place, step);
        if (score > most || (score == most && other > place)) most = score, place = other;
    }
    if (threadIdx.x % 32 == 0) scores[threadIdx.x / 32] = most, places[threadIdx.x / 32] = place;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 4; ++w)
            if (scores[w] > most) most = scores[w], place = places[w];
        best[blockIdx.x * motifs + blockIdx.y] = make_float2(most, (float)place);
    }
}

// How alike people's genes are, two bits a place, one tile of 16x16 pairs a block
__global__ void __launch_bounds__(256)
    alikeGenes(const u64* __restrict__ genes, float* __restrict__ alike, int people, int words) {
    __shared__ u64 rows[16][17], cols[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (blockIdx.x < blockIdx.y) return;
    const u64 evens = 0x5555555555555555ull;
    int same = 0, half = 0, known = 0;
    for (int from = 0; from < words; from += 16) {
        rows[ty][tx] = genes[(blockIdx.y * 16 + ty) * words + from + tx];
        cols[ty][tx] = genes[(blockIdx.x * 16 + ty) * words + from + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const u64 a = rows[ty][k], b = cols[tx][k];
            const u64 missing = (a & ~(a >> 1) & evens) | (b & ~(b >> 1) & evens);
            const u64 differ = a ^ b, any = (differ | differ >> 1) & evens & ~missing;
            const u64 far = differ & (differ >> 1) & evens & ~missing;
            known += 32 - __popcll(missing);
            half += __popcll(any & ~far);
            same += 32 - __popcll(missing) - __popcll(any);
        }
        __syncthreads();
    }
    const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    const float share = known ? (same + 0.5f * half) / known : 0.f;
    alike[i * people + j] = share;
    if (blockIdx.x != blockIdx.y) alike[j * people + i] = share;
}

__constant__ float residueMasses[20];

// Scores of peptides against a spectrum: the masses of both kinds of fragments looked for among the peaks
__global__ void __launch_bounds__(128)
    peptideFits(const float2* __restrict__ peaks, const int* __restrict__ peakStarts, const u8* __restrict__ peptides,
                const int* __restrict__ starts, float* __restrict__ fits, int count, float width) {
    extern __shared__ float2 spectrum[];
    const int from = peakStarts[blockIdx.y], number = peakStarts[blockIdx.y + 1] - from;
    for (int i = threadIdx.x; i < number; i += 128) spectrum[i] = peaks[from + i];
    __syncthreads();
    const int p = blockIdx.x * 128 + threadIdx.x;
    if (p >= count) return;
    const int first = starts[p], last = starts[p + 1];
    float whole = 18.0106f, b = 1.00728f, sum = 0;
    for (int i = first; i < last; ++i) whole += residueMasses[peptides[i]];
    int found = 0;
    double lnFactorial = 0;
    for (int i = first; i + 1 < last; ++i) {
        b += residueMasses[peptides[i]];
        const float y = whole + 2 * 1.00728f - b;
        for (int kind = 0; kind < 2; ++kind) {
            const float wanted = kind ? y : b;
            int low = 0, high = number;
            while (low < high) {
                const int middle = (low + high) / 2;
                if (spectrum[middle].x < wanted - width)
                    low = middle + 1;
                else
                    high = middle;
            }
            float most = 0;
            for (; low < number && spectrum[low].x <= wanted + width; ++low) most = fmaxf(most, spectrum[low].y);
            if (most > 0) {
                ++found;
                sum += most;
                lnFactorial += log((double)found);
            }
        }
    }
    fits[blockIdx.y * count + p] = found ? logf(sum) + (float)lnFactorial : 0.f;
}

void runCells(uint32_t& state) {
    int* pairs = zeros<int>(200);
    foldStrands<64><<<150, 64>>>(wholes<char>(64 * 150, 4), pairs, 3);
    toSum(pairs, 150);
    pairs = zeros<int>(10);
    foldStrands<128><<<10, 128>>>(wholes<char>(128 * 10, 4), pairs, 4);
    toSum(pairs, 10);

    // reads of a genome, so that words come again
    const int reads = 8000, length = 60;
    std::vector<u8> genome(12000), letters(reads * length);
    for (u8& letter : genome) letter = below(state, 4);
    for (int r = 0; r < reads; ++r) {
        const int from = below(state, 12000 - length);
        const bool mirrored = below(state, 2);
        for (int i = 0; i < length; ++i) {
            u8 letter = mirrored ? 3 - genome[from + length - 1 - i] : genome[from + i];
            if (below(state, 150) == 0) letter = below(state, 5);
            letters[i * reads + r] = letter;
        }
    }
    u64* keys = in_device(std::vector<u64>(1 << 18, ~0ull));
    u32 *counts = zeros<u32>(1 << 18), *longest = zeros<u32>(1);
    countWords<<<over(reads, 64), 64>>>(in_device(letters), keys, counts, longest, (1 << 18) - 1, length, reads);
    toSum(counts, 1 << 18);
    sums.push_back([=] {
        std::vector<u64> all(1 << 18);
        cudaMemcpy(all.data(), keys, 8 << 18, cudaMemcpyDeviceToHost);
        double words = 0;
        for (u64 word : all) words += word != ~0ull;
        return words;
    });

    float2* best = zeros<float2>(60 * 8);
    u8* stretches = wholes<u8>(60 * 1000, 4);
    bestMotif<<<dim3(60, 8), 128, 12 * 16 + 1000>>>(stretches, reals(8 * 48, -3, 1.5), best, 12, 1000, 8);
    toSum((float*)best, 60 * 8 * 2);

    float* alike = zeros<float>(320 * 320);
    alikeGenes<<<dim3(20, 20), dim3(16, 16)>>>((u64*)wholes<u32>(320 * 32 * 2, ~0u), alike, 320, 32);
    toSum(alike, 320 * 320);

    const float masses[20] = {57.02146f,  71.03711f,  87.03203f,  97.05276f,  99.06841f,  101.04768f, 103.00919f,
                              113.08406f, 114.04293f, 115.02694f, 128.05858f, 128.09496f, 129.04259f, 131.04049f,
                              137.05891f, 147.06841f, 156.10111f, 163.06333f, 186.07931f, 113.08406f};
    cudaMemcpyToSymbol(residueMasses, masses, sizeof masses);
    std::vector<float2> peaks;
    std::vector<int> peakStarts(1, 0), starts(1, 0);
    for (int s = 0; s < 16; ++s) {
        std::vector<float> at(150 + below(state, 250));
        for (float& mass : at) mass = 100 + 1800 * some(state);
        std::sort(at.begin(), at.end());
        for (float mass : at) peaks.push_back(make_float2(mass, 1 + 50 * some(state)));
        peakStarts.push_back(peaks.size());
    }
    for (int p = 0; p < 1000; ++p) starts.push_back(starts.back() + 7 + below(state, 18));
    float* fits = zeros<float>(16 * 1000);
    peptideFits<<<dim3(over(1000, 128), 16), 128, 400 * 8>>>(in_device(peaks), in_device(peakStarts),
                                                            wholes<u8>(starts.back(), 20), in_device(starts), fits,
                                                            1000, 0.5f);
    toSum(fits, 16 * 1000);
}

// ---------------------------------------------------------------- graphs

// One turn of ranks pulled along incoming links, a few lanes a page
template <int LANES>
__global__ void pullRanks(const int* __restrict__ starts, const int* __restrict__ sources,
                          const double* __restrict__ ranks, const int* __restrict__ outLinks, double* __restrict__ next,
                          double* change, int pages) {
    const auto team = cg::tiled_partition<LANES>(cg::this_thread_block());
    const int page = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    double moved = 0;
    if (page < pages) {
        double sum = 0;
        for (int e = starts[page] + team.thread_rank(); e < starts[page + 1]; e += LANES) {
            const int from = sources[e];
            sum += ranks[from] / max(outLinks[from], 1);
        }
        sum = cg::reduce(team, sum, cg::plus<double>());
        if (team.thread_rank() == 0) {
            const double rank = 0.15 / pages + 0.85 * sum;
            next[page] = rank;
            moved = fabs(rank - ranks[page]);
        }
    }
    moved = warpSum(moved);
    if (threadIdx.x % 32 == 0) atomicAdd(change, moved);
}

// All shortest ways, tile by tile: the tile on the diagonal, those in line with it, then the rest
__device__ __forceinline__ void shorten(int (*c)[33], const int (*a)[33], const int (*b)[33], int x, int y) {
    for (int k = 0; k < 32; ++k) {
        const int way = a[y][k] + b[k][x];
        if (way < c[y][x]) c[y][x] = way;
        __syncthreads();
    }
}

__global__ void __launch_bounds__(1024) shortenPivot(int* ways, int side, int round) {
    __shared__ int tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    int* at = ways + (round * 32 + y) * side + round * 32 + x;
    tile[y][x] = *at;
    __syncthreads();
    shorten(tile, tile, tile, x, y);
    *at = tile[y][x];
}

__global__ void __launch_bounds__(1024) shortenCross(int* ways, int side, int round) {
    __shared__ int pivot[32][33], tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    if (blockIdx.x == round) return;
    const bool row = blockIdx.y == 0;
    int* at = row ? ways + (round * 32 + y) * side + blockIdx.x * 32 + x
                  : ways + (blockIdx.x * 32 + y) * side + round * 32 + x;
    pivot[y][x] = ways[(round * 32 + y) * side + round * 32 + x];
    tile[y][x] = *at;
    __syncthreads();
    if (row)
        shorten(tile, pivot, tile, x, y);
    else
        shorten(tile, tile, pivot, x, y);
    *at = tile[y][x];
}

__global__ void __launch_bounds__(256) shortenRest(int* ways, int side, int round) {
    __shared__ int left[32][33], above[32][33];
    if (blockIdx.x == round || blockIdx.y == round) return;
    const int x = threadIdx.x, y = threadIdx.y;
    for (int r = y; r < 32; r += 8) {
        left[r][x] = ways[(blockIdx.y * 32 + r) * side + round * 32 + x];
        above[r][x] = ways[(round * 32 + r) * side + blockIdx.x * 32 + x];
    }
    __syncthreads();
    int* at = ways + (blockIdx.y * 32 + y) * side + blockIdx.x * 32 + x;
    int mine[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) mine[r] = at[r * 8 * side];
#pragma unroll 8
    for (int k = 0; k < 32; ++k)
#pragma unroll
        for (int r = 0; r < 4; ++r) mine[r] = min(mine[r], left[y + r * 8][k] + above[k][x]);
#pragma unroll
    for (int r = 0; r < 4; ++r) at[r * 8 * side] = mine[r];
}

// Walks that remember where they came from: a neighbour taken by chance, kept or thrown back by its distance from there
__global__ void rememberingWalks(const int* __restrict__ starts, const int* __restrict__ ends, int* __restrict__ walks,
                                 float back, float far, int steps, int nodes, int count) {
    const int walk = blockIdx.x * blockDim.x + threadIdx.x;
    if (walk >= count) return;
    u32 seed = mixed(walk + 11);
    int before = -1, at = walk % nodes;
    const float most = fmaxf(1.f, fmaxf(1 / back, 1 / far));
    for (int step = 0; step < steps; ++step) {
        walks[step * count + walk] = at;
        const int first = starts[at], degree = starts[at + 1] - first;
        if (degree == 0) {
            at = walk % nodes;
            before = -1;
            continue;
        }
        int next;
        while (true) {
            next = ends[first + nextDraw(seed) % degree];
            if (before < 0) break;
            float weight = 1 / far;
            if (next == before) {
                weight = 1 / back;
            } else {
                int low = starts[before], high = starts[before + 1];
                while (low < high) {
                    const int middle = (low + high) >> 1;
                    if (ends[middle] < next)
                        low = middle + 1;
                    else
                        high = middle;
                }
                if (low < starts[before + 1] && ends[low] == next) weight = 1;
            }
            if (unitDraw(seed) * most <= weight) break;
        }
        before = at;
        at = next;
    }
}

// Cores of a graph peeled level by level by the whole grid in step
__global__ void __launch_bounds__(256)
    peelCores(const int* __restrict__ starts, const int* __restrict__ ends, int* degrees, int* cores, int* left,
              int* queue, int* sizes, int levels, int nodes) {
    auto grid = cg::this_grid();
    for (int level = 0; level < levels; ++level) {
        for (int i = grid.thread_rank(); i < nodes; i += grid.size())
            if (cores[i] < 0 && degrees[i] <= level) {
                cores[i] = level;
                queue[atomicAdd(&sizes[level], 1)] = i;
            }
        grid.sync();
        for (int done = 0;;) {
            const int until = *(volatile int*)&sizes[level];
            grid.sync();
            if (done == until) break;
            for (int q = done + grid.thread_rank() / 32; q < until; q += grid.size() / 32) {
                const int node = *(volatile int*)&queue[q];
                for (int e = starts[node] + threadIdx.x % 32; e < starts[node + 1]; e += 32) {
                    const int other = ends[e];
                    if (*(volatile int*)&cores[other] >= 0) continue;
                    if (atomicSub(&degrees[other], 1) == level + 1) {
                        cores[other] = level;
                        queue[atomicAdd(&sizes[level], 1)] = other;
                    }
                }
            }
            done = until;
            grid.sync();
        }
        if (grid.thread_rank() == 0) *left -= sizes[level];
        grid.sync();
        if (*(volatile int*)left == 0) break;
    }
}

// To which neighbouring community each node would best move: weights gathered in a small table of the warp
__global__ void __launch_bounds__(128)
    betterCommunity(const int* __restrict__ starts, const int* __restrict__ ends, const int* __restrict__ community,
                    const int* __restrict__ volumes, int* __restrict__ best, float total, int nodes) {
    __shared__ int names[4][128], weights[4][128];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, node = blockIdx.x * 4 + warp;
    if (node >= nodes) return;
    const int from = starts[node], degree = starts[node + 1] - from;
    for (int i = lane; i < 128; i += 32) {
        names[warp][i] = -1;
        weights[warp][i] = 0;
    }
    __syncwarp();
    for (int e = lane; e < degree; e += 32) {
        const int other = ends[from + e];
        if (other == node) continue;
        const int name = community[other];
        u32 at = mixed(name) & 127;
        while (true) {
            const int there = atomicCAS(&names[warp][at], -1, name);
            if (there == -1 || there == name) break;
            at = (at + 1) & 127;
        }
        atomicAdd(&weights[warp][at], 1);
    }
    __syncwarp();
    const int mine = community[node];
    float most = -1e30f;
    int who = mine;
    for (int i = lane; i < 128; i += 32) {
        const int name = names[warp][i];
        if (name < 0) continue;
        const int volume = volumes[name] - (name == mine ? degree : 0);
        const float gain = weights[warp][i] - (float)volume * degree / total;
        if (gain > most || (gain == most && name < who)) most = gain, who = name;
    }
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const float gain = __shfl_xor_sync(~0u, most, step);
        const int name = __shfl_xor_sync(~0u, who, step);
        if (gain > most || (gain == most && name < who)) most = gain, who = name;
    }
    if (lane == 0) best[node] = who;
}

// One turn of choosing nodes none of which touch: a node joins if its number is the least around
__global__ void chooseApart(const int* __restrict__ starts, const int* __restrict__ ends, const u8* __restrict__ before,
                            u8* __restrict__ after, int* joined, u32 salt, int nodes) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    bool joins = false;
    if (node < nodes) {
        u8 now = before[node];
        if (now == 0) {
            const u32 mine = mixed(node ^ salt);
            joins = true;
            for (int e = starts[node]; e < starts[node + 1]; ++e) {
                const int other = ends[e];
                if (other == node) continue;
                if (before[other] == 1) {
                    now = 2;
                    joins = false;
                    break;
                }
                if (before[other] == 0) {
                    const u32 theirs = mixed(other ^ salt);
                    if (theirs < mine || (theirs == mine && other < node)) joins = false;
                }
            }
            if (joins) now = 1;
        }
        after[node] = now;
    }
    const int number = __syncthreads_count(joins);
    if (threadIdx.x == 0 && number) atomicAdd(joined, number);
}

// Links both ways, without repeats
Links bothWays(const Links& one) {
    const int nodes = one.starts.size() - 1;
    std::vector<u64> pairs;
    for (int n = 0; n < nodes; ++n)
        for (int e = one.starts[n]; e < one.starts[n + 1]; ++e) {
            const int m = one.ends[e];
            if (m == n) continue;
            pairs.push_back((u64)n << 32 | m);
            pairs.push_back((u64)m << 32 | n);
        }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    Links both;
    both.starts.assign(nodes + 1, 0);
    for (u64 pair : pairs) {
        ++both.starts[(pair >> 32) + 1];
        both.ends.push_back((int)(u32)pair);
    }
    for (int n = 0; n < nodes; ++n) both.starts[n + 1] += both.starts[n];
    return both;
}

void runGraphs(uint32_t& state) {
    const int pages = 20000;
    const Links web = someLinks(state, pages, 1, 60);
    std::vector<int> outLinks(pages);
    for (int source : web.ends) ++outLinks[source];
    int *webStarts = in_device(web.starts), *webEnds = in_device(web.ends), *out = in_device(outLinks);
    double *ranks = in_device(std::vector<double>(pages, 1.0 / pages)), *next = zeros<double>(pages);
    double* change = zeros<double>(1);
    pullRanks<4><<<over(pages * 4, 256), 256>>>(webStarts, webEnds, ranks, out, next, change, pages);
    toSum(next, pages);
    double* later = zeros<double>(pages);
    pullRanks<32><<<over(pages * 32, 128), 128>>>(webStarts, webEnds, next, out, later, change, pages);
    toSum(later, pages);
    toSum(change, 1);

    const int side = 384;
    std::vector<int> roads(side * side);
    for (int i = 0; i < side * side; ++i)
        roads[i] = i / side == i % side ? 0 : below(state, 12) ? 1000000 : 1 + below(state, 500);
    int* ways = in_device(roads);
    shortenPivot<<<1, dim3(32, 32)>>>(ways, side, 0);
    shortenCross<<<dim3(12, 2), dim3(32, 32)>>>(ways, side, 0);
    shortenRest<<<dim3(12, 12), dim3(32, 8)>>>(ways, side, 0);
    toSum(ways, side * side);

    const int nodes = 8000;
    const Links both = bothWays(someLinks(state, nodes, 1, 24));
    int *starts = in_device(both.starts), *ends = in_device(both.ends);
    int* walks = zeros<int>(12 * 16000);
    rememberingWalks<<<over(16000, 128), 128>>>(starts, ends, walks, 0.5f, 2.f, 12, nodes, 16000);
    toSum(walks, 12 * 16000);

    std::vector<int> degrees(nodes), volumes(400), communities(nodes);
    for (int n = 0; n < nodes; ++n) {
        degrees[n] = both.starts[n + 1] - both.starts[n];
        communities[n] = n % 97 * 4 + below(state, 4);
        volumes[communities[n]] += degrees[n];
    }
    int *remaining = in_device(degrees), *cores = in_device(std::vector<int>(nodes, -1));
    int *left = in_device(std::vector<int>(1, nodes)), *queue = zeros<int>(nodes + 1), *sizes = zeros<int>(5);
    int levels = 5, nodeCount = nodes;
    // each level's queue starts anew, so that the levels' sizes stay apart
    void* arguments[] = {&starts, &ends, &remaining, &cores, &left, &queue, &sizes, &levels, &nodeCount};
    cudaLaunchCooperativeKernel((const void*)peelCores, dim3(32), dim3(256), arguments, 0, 0);
    toSum(cores, nodes);
    toSum(left, 1);

    // nodes of at most 100 neighbours, for the warp's table to hold them all
    const Links sparse = bothWays(someLinks(state, 6000, 1, 6));
    std::vector<int> starts2(1, 0), ends2;
    for (int n = 0; n < 6000; ++n) {
        for (int e = sparse.starts[n]; e < std::min(sparse.starts[n + 1], sparse.starts[n] + 100); ++e)
            ends2.push_back(sparse.ends[e]);
        starts2.push_back(ends2.size());
    }
    int* better = zeros<int>(6000);
    betterCommunity<<<over(6000, 4), 128>>>(in_device(starts2), in_device(ends2), in_device(communities),
                                            in_device(volumes), better, (float)both.ends.size(), 6000);
    toSum(better, 6000);

    u8 *chosen = zeros<u8>(nodes), *then = zeros<u8>(nodes);
    int* joined = zeros<int>(1);
    chooseApart<<<over(nodes, 64), 64>>>(starts, ends, chosen, then, joined, 99, nodes);
    chooseApart<<<over(nodes, 64), 64>>>(starts, ends, then, chosen, joined, 177, nodes);
    toSum(chosen, nodes);
    toSum(joined, 1);
}

// ---------------------------------------------------------------- markets and statistics

struct Quote {
    double spot, strike, years, rate, price;
};

__device__ double callPrice(const Quote& q, double swing, double& slope) {
    const double root = sqrt(q.years), width = swing * root;
    const double d1 = (log(q.spot / q.strike) + (q.rate + 0.5 * swing * swing) * q.years) / width;
    slope = q.spot * root * 0.3989422804014327 * exp(-0.5 * d1 * d1);
    return q.spot * normcdf(d1) - q.strike * exp(-q.rate * q.years) * normcdf(d1 - width);
}

// The swing that a price implies: steps along the slope where they help, halving where they do not
__global__ void impliedSwings(const Quote* __restrict__ quotes, double* __restrict__ swings, int* __restrict__ turns,
                              int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Quote q = quotes[i];
    double low = 1e-4, high = 4, swing = 0.3;
    int turn = 0;
    for (; turn < 40; ++turn) {
        double slope;
        const double off = callPrice(q, swing, slope) - q.price;
        if (fabs(off) < 1e-10 * q.spot) break;
        if (off > 0)
            high = swing;
        else
            low = swing;
        const double next = swing - off / slope;
        swing = slope > 1e-8 && next > low && next < high ? next : 0.5 * (low + high);
    }
    swings[i] = swing;
    turns[i] = turn;
}

// Paths whose swing itself swings, both signs of each draw at once; a barrier may knock the option out
template <bool BARRIER>
__global__ void __launch_bounds__(128)
    swingingPaths(double* sum, int* alive, float strike, float barrier, int steps, int each) {
    __shared__ float parts[33];
    u32 seed = mixed(blockIdx.x * 128 + threadIdx.x + 1);
    const float dt = 1.f / steps, root = sqrtf(dt), kappa = 1.5f, mean = 0.04f, vol = 0.5f, rho = -0.7f;
    float paid = 0;
    int left = 0;
    for (int path = 0; path < each; ++path) {
        float x[2] = {0, 0}, v[2] = {0.04f, 0.04f};
        bool out[2] = {false, false};
        for (int step = 0; step < steps; ++step) {
            const float radius = sqrtf(-2 * __logf(unitDraw(seed) + 1e-7f));
            float s, c;
            __sincosf(6.2831853f * unitDraw(seed), &s, &c);
            const float first = radius * c, second = rho * first + sqrtf(1 - rho * rho) * radius * s;
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const float sign = k ? -1 : 1, positive = fmaxf(v[k], 0.f), swing = sqrtf(positive);
                x[k] += (0.02f - 0.5f * positive) * dt + swing * root * sign * first;
                v[k] += kappa * (mean - positive) * dt + vol * swing * root * sign * second;
                if (BARRIER && x[k] > barrier) out[k] = true;
            }
            if (BARRIER && out[0] && out[1]) break;
        }
#pragma unroll
        for (int k = 0; k < 2; ++k)
            if (!out[k]) {
                paid += fmaxf(__expf(x[k]) - strike, 0.f);
                ++left;
            }
    }
    paid = blockSum(paid, parts);
    if (threadIdx.x == 0) atomicAdd(sum, (double)paid);
    left = __reduce_add_sync(~0u, left);
    if (threadIdx.x % 32 == 0) atomicAdd(alive, left);
}

// The best of many settings for returns whose spread follows itself, the returns staged in shared memory
__global__ void __launch_bounds__(128)
    fitSpreads(const float* __restrict__ returns, float4* __restrict__ best, int days, int settings) {
    extern __shared__ float squares[];
    __shared__ float fits[4];
    __shared__ int which[4];
    const float* mine = returns + blockIdx.x * days;
    float spread = 0;
    for (int i = threadIdx.x; i < days; i += 128) squares[i] = mine[i] * mine[i];
    __syncthreads();
    for (int i = 0; i < days; ++i) spread += squares[i];
    spread /= days;
    float most = -1e30f;
    int who = 0;
    for (int s = threadIdx.x; s < settings; s += 128) {
        const float alpha = 0.01f + 0.3f * (s % 16) / 16, part = (float)(s / 16) / (settings / 16);
        const float beta = (0.999f - alpha) * (0.3f + 0.7f * part);
        const float base = spread * (1 - alpha - beta);
        float h = spread, fit = 0;
        for (int i = 0; i < days; ++i) {
            fit -= __logf(h) + squares[i] / h;
            h = base + alpha * squares[i] + beta * h;
        }
        if (fit > most) most = fit, who = s;
    }
    for (int step = 16; step; step >>= 1) {
        const float fit = __shfl_down_sync(~0u, most, step);
        const int other = __shfl_down_sync(~0u, who, step);
        if (fit > most) most = fit, who = other;
    }
    if (threadIdx.x % 32 == 0) fits[threadIdx.x / 32] = most, which[threadIdx.x / 32] = who;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 4; ++w)
            if (fits[w] > most) most = fits[w], who = which[w];
        const float alpha = 0.01f + 0.3f * (who % 16) / 16;
        best[blockIdx.x] = make_float4(alpha, (float)who, most, spread);
    }
}

// Means of samples drawn again from the same data, a resample a warp
__global__ void __launch_bounds__(256)
    drawnAgain(const float* __restrict__ data, float2* __restrict__ results, int size, int resamples) {
    extern __shared__ float held[];
    for (int i = threadIdx.x; i < size; i += 256) held[i] = data[i];
    __syncthreads();
    const int warps = gridDim.x * 8, lane = threadIdx.x % 32;
    for (int r = blockIdx.x * 8 + threadIdx.x / 32; r < resamples; r += warps) {
        u32 seed = mixed(r * 32 + lane + 77);
        float sum = 0, squares = 0;
        for (int i = lane; i < size; i += 32) {
            const float v = held[__umulhi(nextDraw(seed), size)];
            sum += v;
            squares += v * v;
        }
        sum = warpSum(sum), squares = warpSum(squares);
        if (lane == 0) {
            const float mean = sum / size;
            results[r] = make_float2(mean, squares / size - mean * mean);
        }
    }
}

// One turn of fitting a mixture of bells in four dimensions: shares of each point, then the moments' sums
template <int KINDS>
__global__ void __launch_bounds__(128)
    mixtureMoments(const float4* __restrict__ points, const float4* __restrict__ means,
                   const float4* __restrict__ spreads, const float* __restrict__ logWeights, float* moments,
                   double* fit, int count) {
    __shared__ float4 mean[KINDS], sharp[KINDS];
    __shared__ float offset[KINDS], sums[KINDS][9], parts[33];
    if (threadIdx.x < KINDS) {
        const float4 s = spreads[threadIdx.x];
        mean[threadIdx.x] = means[threadIdx.x];
        sharp[threadIdx.x] = make_float4(0.5f / s.x, 0.5f / s.y, 0.5f / s.z, 0.5f / s.w);
        offset[threadIdx.x] = logWeights[threadIdx.x] - 0.5f * (logf(s.x) + logf(s.y) + logf(s.z) + logf(s.w));
    }
    for (int i = threadIdx.x; i < KINDS * 9; i += 128) sums[i / 9][i % 9] = 0;
    __syncthreads();
    float likelihood = 0;
    for (int base = blockIdx.x * 128; base < count; base += gridDim.x * 128) {
        const int i = base + threadIdx.x;
        const bool real = i < count;
        const float4 p = real ? points[i] : make_float4(0, 0, 0, 0);
        float logs[KINDS], most = -1e30f, total = 0;
#pragma unroll
        for (int k = 0; k < KINDS; ++k) {
            const float4 m = mean[k], s = sharp[k];
            logs[k] = offset[k] - (p.x - m.x) * (p.x - m.x) * s.x - (p.y - m.y) * (p.y - m.y) * s.y -
                      (p.z - m.z) * (p.z - m.z) * s.z - (p.w - m.w) * (p.w - m.w) * s.w;
            most = fmaxf(most, logs[k]);
        }
#pragma unroll
        for (int k = 0; k < KINDS; ++k) {
            logs[k] = __expf(logs[k] - most);
            total += logs[k];
        }
        if (real) likelihood += most + __logf(total);
#pragma unroll
        for (int k = 0; k < KINDS; ++k) {
            const float share = real ? logs[k] / total : 0.f;
            float value[9] = {share,           share * p.x,       share * p.y,       share * p.z,      share * p.w,
                              share * p.x * p.x, share * p.y * p.y, share * p.z * p.z, share * p.w * p.w};
#pragma unroll
            for (int m = 0; m < 9; ++m) {
                value[m] = warpSum(value[m]);
                if (threadIdx.x % 32 == m) atomicAdd(&sums[k][m], value[m]);
            }
        }
    }
    likelihood = blockSum(likelihood, parts);
    if (threadIdx.x == 0) atomicAdd(fit, (double)likelihood);
    for (int i = threadIdx.x; i < KINDS * 9; i += 128) atomicAdd(&moments[i], sums[i / 9][i % 9]);
}

// What pairs of columns tell of each other: their joint counts, then the sum over cells
__global__ void __launch_bounds__(256)
    sharedTelling(const u8* __restrict__ columns, float* __restrict__ telling, int rows, int columnCount) {
    __shared__ int joint[24][24], across[24], down[24];
    __shared__ float parts[33];
    if (blockIdx.x >= blockIdx.y) return;
    for (int i = threadIdx.x; i < 576; i += 256) joint[i / 24][i % 24] = 0;
    if (threadIdx.x < 24) across[threadIdx.x] = down[threadIdx.x] = 0;
    __syncthreads();
    const uchar4* a = (const uchar4*)(columns + blockIdx.x * rows);
    const uchar4* b = (const uchar4*)(columns + blockIdx.y * rows);
    for (int i = threadIdx.x; i < rows / 4; i += 256) {
        const uchar4 p = a[i], q = b[i];
        atomicAdd(&joint[p.x][q.x], 1);
        atomicAdd(&joint[p.y][q.y], 1);
        atomicAdd(&joint[p.z][q.z], 1);
        atomicAdd(&joint[p.w][q.w], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 576; i += 256) {
        const int number = joint[i / 24][i % 24];
        if (number) {
            atomicAdd(&down[i / 24], number);
            atomicAdd(&across[i % 24], number);
        }
    }
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < 576; i += 256) {
        const float number = joint[i / 24][i % 24];
        if (number > 0) sum += number / rows * log2f(number * rows / ((float)down[i / 24] * across[i % 24]));
    }
    sum = blockSum(sum, parts);
    if (threadIdx.x == 0) telling[blockIdx.x * columnCount + blockIdx.y] = sum;
}

// Particles chosen anew after their weights, evenly spaced along the running sum; a filter a block
__global__ void __launch_bounds__(512)
    chooseParticles(const float* __restrict__ weights, const float2* __restrict__ particles,
                    float2* __restrict__ chosen, float* __restrict__ worth) {
    __shared__ float running[1024], parts[33];
    const int t = threadIdx.x;
    const float* mine = weights + blockIdx.x * 1024;
    const float a = mine[2 * t], b = mine[2 * t + 1];
    const float squares = blockSum(a * a + b * b, parts);
    running[2 * t] = a;
    running[2 * t + 1] = b;
    int offset = 1;
    for (int d = 512; d > 0; d >>= 1, offset <<= 1) {
        __syncthreads();
        if (t < d) running[offset * (2 * t + 2) - 1] += running[offset * (2 * t + 1) - 1];
    }
    __syncthreads();
    const float total = running[1023];
    __syncthreads();
    if (t == 0) {
        running[1023] = 0;
        worth[blockIdx.x] = total * total / squares;
    }
    for (int d = 1; d < 1024; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
            const float held = running[low];
            running[low] = running[high];
            running[high] += held;
        }
    }
    __syncthreads();
    u32 seed = blockIdx.x + 5;
    const float shift = unitDraw(seed);
    for (int i = t; i < 1024; i += 512) {
        const float wanted = (i + shift) / 1024 * total;
        int low = 0, high = 1023;
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            if (running[middle] <= wanted)
                low = middle;
            else
                high = middle - 1;
        }
        float2 p = particles[blockIdx.x * 1024 + low];
        u32 own = mixed(blockIdx.x * 1024 + i);
        p.x += 0.01f * (unitDraw(own) - 0.5f);
        p.y += 0.01f * (unitDraw(own) - 0.5f);
        chosen[blockIdx.x * 1024 + i] = p;
    }
}

void runMarkets(uint32_t& state) {
    std::vector<Quote> quotes(6000);
    for (Quote& q : quotes) {
        q = {100, 70.0 + 60 * some(state), 0.1 + 2 * some(state), 0.03, 0};
        const double swing = 0.1 + 0.6 * some(state), width = swing * std::sqrt(q.years);
        const double d1 = (std::log(q.spot / q.strike) + (q.rate + swing * swing / 2) * q.years) / width;
        auto bell = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
        q.price = q.spot * bell(d1) - q.strike * std::exp(-q.rate * q.years) * bell(d1 - width);
    }
    double* swings = zeros<double>(6000);
    int* turns = zeros<int>(6000);
    impliedSwings<<<over(6000, 64), 64>>>(in_device(quotes), swings, turns, 6000);
    toSum(swings, 6000);

    double* paid = zeros<double>(2);
    int* alive = zeros<int>(2);
    swingingPaths<false><<<100, 128>>>(paid, alive, 1, 0, 50, 1);
    swingingPaths<true><<<132, 128>>>(paid + 1, alive + 1, 1, 0.2f, 40, 1);
    toSum(paid, 2);

    float4* best = zeros<float4>(120);
    fitSpreads<<<120, 128, 160 * 4>>>(reals(120 * 160, -0.03, 0.03), best, 160, 128);
    sums.push_back([=] {
        std::vector<float4> all(120);
        cudaMemcpy(all.data(), best, 120 * 16, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (const float4& b : all) sum += b.z;
        return sum;
    });

    float2* results = zeros<float2>(2000);
    drawnAgain<<<125, 256, 4000>>>(reals(1000, 10, 30), results, 1000, 2000);
    toSum((float*)results, 4000);

    float* moments = zeros<float>(9 * 6);
    double* fit = zeros<double>(1);
    mixtureMoments<6><<<100, 128>>>((float4*)reals(4 * 20000, -2, 2), (float4*)reals(24, -1.5, 1.5),
                                    (float4*)reals(28, 0.3, 1), reals(6, -3, -1), moments, fit, 20000);
    toSum(fit, 1);

    float* telling = zeros<float>(24 * 24);
    sharedTelling<<<dim3(24, 24), 256>>>(wholes<u8>(24 * 4000, 24), telling, 4000, 24);
    toSum(telling, 24 * 24);

    float2* chosen = zeros<float2>(160 * 1024);
    float* worth = zeros<float>(160);
    chooseParticles<<<160, 512>>>(reals(160 * 1024), (float2*)reals(2 * 160 * 1024, -5, 5), chosen, worth);
    toSum((float*)chosen, 2 * 160 * 1024);
    toSum(worth, 160);
}

// ---------------------------------------------------------------- physics and linear algebra

// A magnet's spins, one colour of the board at a time, chances looked up by the neighbours' sum
__global__ void __launch_bounds__(256)
    turnSpins(signed char* __restrict__ mine, const signed char* __restrict__ others, int* magnet, float coupling,
              float field, int colour, int side, u32 turn) {
    __shared__ float chances[10];
    if (threadIdx.x < 10) {
        const int spin = threadIdx.x / 5 * 2 - 1, around = (threadIdx.x % 5) * 2 - 4;
        chances[threadIdx.x] = expf(-2 * spin * (coupling * around + field));
    }
    __syncthreads();
    const int half = side / 2, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int change = 0;
    if (x < half) {
        const int above = (y + side - 1) % side, under = (y + 1) % side;
        const int beside = (y + colour) % 2 ? (x + 1 == half ? 0 : x + 1) : (x == 0 ? half - 1 : x - 1);
        const int around = others[y * half + x] + others[y * half + beside] + others[above * half + x] +
                           others[under * half + x];
        const int spin = mine[y * half + x];
        u32 seed = mixed(turn * 0x9e3779b9u + y * half + x);
        if (unitDraw(seed) < chances[(spin + 1) / 2 * 5 + (around + 4) / 2]) {
            mine[y * half + x] = -spin;
            change = -2 * spin;
        }
    }
    change = __reduce_add_sync(~0u, change);
    if (threadIdx.x % 32 == 0 && change) atomicAdd(magnet, change);
}

template <class T>
struct Gas {
    T density, mx, my, energy;
};

template <class T>
__device__ __forceinline__ T limited(T a, T b) {
    return a * b <= 0 ? T(0) : fabs(a) < fabs(b) ? a : b;
}

// The flow through a face after the three-wave solver, x being the way across
template <class T>
__device__ Gas<T> faceFlow(const Gas<T>& l, const Gas<T>& r) {
    const T gamma = T(1.4);
    const T ul = l.mx / l.density, vl = l.my / l.density, ur = r.mx / r.density, vr = r.my / r.density;
    const T pl = fmax((gamma - 1) * (l.energy - T(0.5) * l.density * (ul * ul + vl * vl)), T(1e-6));
    const T pr = fmax((gamma - 1) * (r.energy - T(0.5) * r.density * (ur * ur + vr * vr)), T(1e-6));
    const T cl = sqrt(gamma * pl / l.density), cr = sqrt(gamma * pr / r.density);
    const T sl = fmin(ul - cl, ur - cr), sr = fmax(ul + cl, ur + cr);
    if (sl >= 0) return {l.mx, l.mx * ul + pl, l.my * ul, (l.energy + pl) * ul};
    if (sr <= 0) return {r.mx, r.mx * ur + pr, r.my * ur, (r.energy + pr) * ur};
    const T sm = (pr - pl + l.mx * (sl - ul) - r.mx * (sr - ur)) / (l.density * (sl - ul) - r.density * (sr - ur));
    const bool left = sm >= 0;
    const Gas<T>& g = left ? l : r;
    const T u = left ? ul : ur, v = left ? vl : vr, p = left ? pl : pr, s = left ? sl : sr;
    const T density = g.density * (s - u) / (s - sm);
    const T energy = density * (g.energy / g.density + (sm - u) * (sm + p / (g.density * (s - u))));
    return {g.mx + s * (density - g.density), g.mx * u + p + s * (density * sm - g.mx),
            g.my * u + s * (density * v - g.my), (g.energy + p) * u + s * (energy - g.energy)};
}

template <class T>
__device__ Gas<T> leaning(const Gas<T>& a, const Gas<T>& b, const Gas<T>& c, T side) {
    return {b.density + side * limited(b.density - a.density, c.density - b.density),
            b.mx + side * limited(b.mx - a.mx, c.mx - b.mx), b.my + side * limited(b.my - a.my, c.my - b.my),
            b.energy + side * limited(b.energy - a.energy, c.energy - b.energy)};
}

// A step of a gas in two dimensions: sloped cells of a tile, flows through its faces, the balance
template <class T>
__global__ void __launch_bounds__(256)
    gasStep(const Gas<T>* __restrict__ in, Gas<T>* __restrict__ out, int side, T step) {
    __shared__ Gas<T> tile[20][20];
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int i = ty * 16 + tx; i < 400; i += 256) {
        const int x = (blockIdx.x * 16 + i % 20 + side - 2) % side, y = (blockIdx.y * 16 + i / 20 + side - 2) % side;
        tile[i / 20][i % 20] = in[y * side + x];
    }
    __syncthreads();
    const int x = tx + 2, y = ty + 2;
    const T half = T(0.5);
    const Gas<T> me = tile[y][x];
    Gas<T> net = {0, 0, 0, 0};
#pragma unroll
    for (int face = 0; face < 2; ++face) {
        const Gas<T> l = leaning(tile[y][x + face - 2], tile[y][x + face - 1], tile[y][x + face], half);
        const Gas<T> r = leaning(tile[y][x + face - 1], tile[y][x + face], tile[y][x + face + 1], -half);
        const Gas<T> f = faceFlow(l, r);
        const T sign = face ? -1 : 1;
        net.density += sign * f.density, net.mx += sign * f.mx, net.my += sign * f.my, net.energy += sign * f.energy;
    }
    auto turned = [](const Gas<T>& g) { return Gas<T>{g.density, g.my, g.mx, g.energy}; };
#pragma unroll
    for (int face = 0; face < 2; ++face) {
        const Gas<T> l = leaning(tile[y + face - 2][x], tile[y + face - 1][x], tile[y + face][x], half);
        const Gas<T> r = leaning(tile[y + face - 1][x], tile[y + face][x], tile[y + face + 1][x], -half);
        const Gas<T> f = faceFlow(turned(l), turned(r));
        const T sign = face ? -1 : 1;
        net.density += sign * f.density, net.mx += sign * f.my, net.my += sign * f.mx, net.energy += sign * f.energy;
    }
    out[(blockIdx.y * 16 + ty) * side + blockIdx.x * 16 + tx] = {me.density + step * net.density, me.mx + step * net.mx,
                                                                 me.my + step * net.my, me.energy + step * net.energy};
}

// Gravity by a tree of eight children a node, far nodes taken whole; a stack of nodes still to see in local memory
template <int LEVELS>
__global__ void treeGravity(const float4* __restrict__ nodes, const float4* __restrict__ bodies,
                            const int* __restrict__ cellStarts, float4* __restrict__ pulls, float theta, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 me = bodies[i];
    float3 pull = make_float3(0, 0, 0);
    int stack[8 * LEVELS], top = 0, met = 0;
    stack[top++] = 0;
    while (top) {
        const int entry = stack[--top], level = entry >> 24, cell = entry & 0xffffff;
        const int base = ((1 << 3 * level) - 1) / 7;
        const float4 node = nodes[base + cell];
        if (node.w == 0) continue;
        const float dx = node.x - me.x, dy = node.y - me.y, dz = node.z - me.z;
        const float away = dx * dx + dy * dy + dz * dz + 1e-4f, size = 1.f / (1 << level);
        if (size * size < theta * theta * away) {
            const float each = rsqrtf(away), weight = node.w * each * each * each;
            pull.x += weight * dx, pull.y += weight * dy, pull.z += weight * dz;
            ++met;
        } else if (level + 1 < LEVELS) {
            for (int child = 0; child < 8; ++child) stack[top++] = (level + 1) << 24 | (cell * 8 + child);
        } else {
            for (int b = cellStarts[cell]; b < cellStarts[cell + 1]; ++b) {
                const float4 other = bodies[b];
                const float ox = other.x - me.x, oy = other.y - me.y, oz = other.z - me.z;
                const float each = rsqrtf(ox * ox + oy * oy + oz * oz + 1e-4f), weight = other.w * each * each * each;
                pull.x += weight * ox, pull.y += weight * oy, pull.z += weight * oz;
                ++met;
            }
        }
    }
    pulls[i] = make_float4(pull.x, pull.y, pull.z, (float)met);
}

// Water molecules after a free step: the three lengths set right again, turn after turn
__global__ void rigidWater(const float3* __restrict__ before, float3* __restrict__ after, int* __restrict__ turns,
                           float side, float base, int molecules) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= molecules) return;
    const float inverse[3] = {1 / 15.999f, 1 / 1.008f, 1 / 1.008f};
    float3 old[3], now[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        old[k] = before[m * 3 + k];
        now[k] = after[m * 3 + k];
    }
    int turn = 0;
    for (bool off = true; off && turn < 50; ++turn) {
        off = false;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            const int a = k == 2 ? 1 : 0, b = k == 0 ? 1 : 2;
            const float wanted = k == 2 ? base : side;
            const float3 r = make_float3(now[a].x - now[b].x, now[a].y - now[b].y, now[a].z - now[b].z);
            const float error = wanted * wanted - (r.x * r.x + r.y * r.y + r.z * r.z);
            if (fabsf(error) < 2e-5f * wanted * wanted) continue;
            off = true;
            const float3 o = make_float3(old[a].x - old[b].x, old[a].y - old[b].y, old[a].z - old[b].z);
            const float along = r.x * o.x + r.y * o.y + r.z * o.z;
            const float g = error / (2 * along * (inverse[a] + inverse[b]));
            now[a].x += g * inverse[a] * o.x, now[a].y += g * inverse[a] * o.y, now[a].z += g * inverse[a] * o.z;
            now[b].x -= g * inverse[b] * o.x, now[b].y -= g * inverse[b] * o.y, now[b].z -= g * inverse[b] * o.z;
        }
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) after[m * 3 + k] = now[k];
    turns[m] = turn;
}

__device__ __forceinline__ float2 times(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// A gate on one bit of a quantum state, perhaps only where another bit is set
template <bool CONTROLLED>
__global__ void turnBit(float2* amplitudes, int target, int control, float2 a, float2 b, float2 c, float2 d,
                        u32 pairs) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const u32 low = i & ((1u << target) - 1), zero = (i ^ low) << 1 | low, one = zero | 1u << target;
    if (CONTROLLED && !(zero >> control & 1)) return;
    const float2 x = amplitudes[zero], y = amplitudes[one];
    const float2 ax = times(a, x), by = times(b, y), cx = times(c, x), dy = times(d, y);
    amplitudes[zero] = make_float2(ax.x + by.x, ax.y + by.y);
    amplitudes[one] = make_float2(cx.x + dy.x, cx.y + dy.y);
}

// What is still wrong on a fine grid of three dimensions, gathered for the coarse one by 27 weights
__global__ void coarserResidual(const double* __restrict__ u, const double* __restrict__ f, double* __restrict__ coarse,
                                int side) {
    const int half = side / 2;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= half || y >= half) return;
    double sum = 0;
    if (x > 0 && y > 0 && z > 0) {
        const int plane = side * side;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int px = 2 * x + dx, py = 2 * y + dy, pz = 2 * z + dz;
                    if (px >= side - 1 || py >= side - 1 || pz >= side - 1 || px < 1 || py < 1 || pz < 1) continue;
                    const int at = pz * plane + py * side + px;
                    const double residual = f[at] - 6 * u[at] + u[at - 1] + u[at + 1] + u[at - side] + u[at + side] +
                                            u[at - plane] + u[at + plane];
                    sum += residual / (1 << (abs(dx) + abs(dy) + abs(dz)));
                }
    }
    coarse[(z * half + y) * half + x] = sum / 8;
}

// Thin gas: within each cell pairs by chance, those fast enough against each other struck into a new direction
__global__ void strikePairs(const int* __restrict__ starts, float3* velocities, int* __restrict__ strikes, float most,
                            float perCell, int cells) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells) return;
    const int first = starts[cell], number = starts[cell + 1] - first;
    u32 seed = mixed(cell + 3);
    int struck = 0;
    if (number > 1) {
        const int trials = (int)(0.5f * number * (number - 1) * perCell + unitDraw(seed));
        for (int trial = 0; trial < trials; ++trial) {
            const int a = __umulhi(nextDraw(seed), number);
            int b = __umulhi(nextDraw(seed), number - 1);
            if (b >= a) ++b;
            const float3 v = velocities[first + a], w = velocities[first + b];
            const float3 r = make_float3(v.x - w.x, v.y - w.y, v.z - w.z);
            const float speed = sqrtf(r.x * r.x + r.y * r.y + r.z * r.z);
            if (unitDraw(seed) * most >= speed) continue;
            float px, py, square;
            do {
                px = 2 * unitDraw(seed) - 1;
                py = 2 * unitDraw(seed) - 1;
                square = px * px + py * py;
            } while (square >= 1);
            const float scale = 2 * sqrtf(1 - square) * speed;
            const float3 n = make_float3(px * scale, py * scale, (1 - 2 * square) * speed);
            const float3 m = make_float3(0.5f * (v.x + w.x), 0.5f * (v.y + w.y), 0.5f * (v.z + w.z));
            velocities[first + a] = make_float3(m.x + 0.5f * n.x, m.y + 0.5f * n.y, m.z + 0.5f * n.z);
            velocities[first + b] = make_float3(m.x - 0.5f * n.x, m.y - 0.5f * n.y, m.z - 0.5f * n.z);
            ++struck;
        }
    }
    strikes[cell] = struck;
}

// Where planets stand: the mean angle to the true one by steps along the slope, then turned into space
__global__ void planetPlaces(const double* __restrict__ elements, double3* __restrict__ places, double day, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const double axis = 0.3 + 5 * elements[i], e = 0.95 * elements[count + i], tilt = 0.5 * elements[2 * count + i];
    const double node = 6.283185307179586 * elements[3 * count + i], near = 6.283185307179586 * elements[4 * count + i];
    const double mean = fmod(6.283185307179586 * elements[5 * count + i] + 0.01720209895 * day / (axis * sqrt(axis)),
                             6.283185307179586);
    double angle = e < 0.8 ? mean : 3.141592653589793;
    for (int turn = 0; turn < 30; ++turn) {
        double s, c;
        sincos(angle, &s, &c);
        const double step = (angle - e * s - mean) / (1 - e * c);
        angle -= step;
        if (fabs(step) < 1e-12) break;
    }
    double s, c;
    sincos(angle, &s, &c);
    const double px = axis * (c - e), py = axis * sqrt(1 - e * e) * s;
    double sn, cn, sw, cw, st, ct;
    sincos(node, &sn, &cn);
    sincos(near, &sw, &cw);
    sincos(tilt, &st, &ct);
    places[i] = make_double3((cn * cw - sn * sw * ct) * px - (cn * sw + sn * cw * ct) * py,
                             (sn * cw + cn * sw * ct) * px - (sn * sw - cn * cw * ct) * py,
                             sw * st * px + cw * st * py);
}

// Small positive matrices taken apart into a triangle times itself, and a system solved, a matrix a block
template <class T, int SIZE>
__global__ void __launch_bounds__(128)
    rootMatrices(const T* __restrict__ matrices, const T* __restrict__ rights, T* __restrict__ solutions) {
    __shared__ T a[SIZE][SIZE + 1], x[SIZE];
    const T* mine = matrices + blockIdx.x * SIZE * SIZE;
    for (int i = threadIdx.x; i < SIZE * SIZE; i += 128) {
        const int r = i / SIZE, c = i % SIZE;
        T value = mine[i] + mine[c * SIZE + r];
        if (r == c) value += 2 * SIZE;
        a[r][c] = value;
    }
    if (threadIdx.x < SIZE) x[threadIdx.x] = rights[blockIdx.x * SIZE + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < SIZE; ++k) {
        if (threadIdx.x == 0) a[k][k] = sqrt(a[k][k]);
        __syncthreads();
        for (int r = k + 1 + threadIdx.x; r < SIZE; r += 128) a[r][k] /= a[k][k];
        __syncthreads();
        const int left = SIZE - k - 1;
        for (int i = threadIdx.x; i < left * left; i += 128) {
            const int r = k + 1 + i / left, c = k + 1 + i % left;
            if (c <= r) a[r][c] -= a[r][k] * a[c][k];
        }
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        for (int k = 0; k < SIZE; ++k) {
            if (threadIdx.x == 0) x[k] /= a[k][k];
            __syncwarp();
            for (int r = k + 1 + threadIdx.x; r < SIZE; r += 32) x[r] -= a[r][k] * x[k];
            __syncwarp();
        }
        for (int k = SIZE - 1; k >= 0; --k) {
            if (threadIdx.x == 0) x[k] /= a[k][k];
            __syncwarp();
            for (int r = threadIdx.x; r < k; r += 32) x[r] -= a[k][r] * x[k];
            __syncwarp();
        }
        for (int r = threadIdx.x; r < SIZE; r += 32) solutions[blockIdx.x * SIZE + r] = x[r];
    }
}

// Plates' heat by conjugate directions, each plate of 24x24 on a block of its own until it is good enough
__global__ void __launch_bounds__(576)
    settlePlates(const float* __restrict__ loads, const float* __restrict__ stiffness, float* __restrict__ heats,
                 int* __restrict__ turns, float enough) {
    __shared__ float along[26][26], parts[33];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1, at = (blockIdx.x * 24 + threadIdx.y) * 24 + threadIdx.x;
    for (int i = threadIdx.y * 24 + threadIdx.x; i < 676; i += 576) along[i / 26][i % 26] = 0;
    const float extra = stiffness[at];
    float heat = 0, rest = loads[at], direction = rest;
    float size = blockSum(rest * rest, parts);
    const float goal = size * enough;
    int turn = 0;
    for (; turn < 60 && size > goal; ++turn) {
        along[y][x] = direction;
        __syncthreads();
        const float image = (4 + extra) * direction - along[y][x - 1] - along[y][x + 1] - along[y - 1][x] -
                            along[y + 1][x];
        const float alpha = size / blockSum(direction * image, parts);
        heat += alpha * direction;
        rest -= alpha * image;
        const float next = blockSum(rest * rest, parts);
        direction = rest + next / size * direction;
        size = next;
    }
    heats[at] = heat;
    if (threadIdx.x == 0 && threadIdx.y == 0) turns[blockIdx.x] = turn;
}

// A tall matrix turned over times a vector: columns' sums by strips of rows, joined by atomic additions
__global__ void __launch_bounds__(256)
    tallTurned(const float4* __restrict__ matrix, const float* __restrict__ vector, float* result, int rows, int quads,
               int strip) {
    __shared__ float4 held[8][32];
    const int quad = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * strip;
    float4 sum = make_float4(0, 0, 0, 0);
    if (quad < quads)
        for (int r = first + threadIdx.y; r < min(first + strip, rows); r += 8) {
            const float4 m = matrix[(size_t)r * quads + quad];
            const float v = vector[r];
            sum.x += m.x * v, sum.y += m.y * v, sum.z += m.z * v, sum.w += m.w * v;
        }
    held[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && quad < quads) {
        for (int w = 1; w < 8; ++w) {
            const float4 other = held[w][threadIdx.x];
            sum.x += other.x, sum.y += other.y, sum.z += other.z, sum.w += other.w;
        }
        atomicAdd(&result[quad * 4], sum.x);
        atomicAdd(&result[quad * 4 + 1], sum.y);
        atomicAdd(&result[quad * 4 + 2], sum.z);
        atomicAdd(&result[quad * 4 + 3], sum.w);
    }
}

template <class T>
void runGas(uint32_t& state, int side) {
    std::vector<Gas<T>> gas(side * side);
    for (int i = 0; i < side * side; ++i) {
        const int x = i % side - side / 2, y = i / side - side / 2;
        const bool inside = x * x + y * y < side * side / 16;
        const T density = (inside ? 2 : 1) + T(0.1) * some(state), u = T(0.3) * some(state), v = T(-0.2) * some(state);
        gas[i] = {density, density * u, density * v, (inside ? T(5) : T(1)) / T(0.4) + density * (u * u + v * v) / 2};
    }
    Gas<T>* out = zeros<Gas<T>>(side * side);
    gasStep<T><<<dim3(side / 16, side / 16), dim3(16, 16)>>>(in_device(gas), out, side, T(0.1));
    toSum((T*)out, side * side * 4);
}

void runBodies(uint32_t& state) {
    std::vector<signed char> black(512 * 256), white(512 * 256);
    for (auto& spin : black) spin = below(state, 3) ? 1 : -1;
    for (auto& spin : white) spin = below(state, 2) ? 1 : -1;
    signed char *blacks = in_device(black), *whites = in_device(white);
    int* magnet = zeros<int>(1);
    turnSpins<<<dim3(1, 512), 256>>>(blacks, whites, magnet, 0.42f, 0.01f, 0, 512, 1);
    turnSpins<<<dim3(1, 512), 256>>>(whites, blacks, magnet, 0.42f, 0.01f, 1, 512, 2);
    toSum(magnet, 1);
    runGas<float>(state, 192);
    runGas<double>(state, 128);

    // bodies sorted by the cell of the finest level, clustered towards the middle
    const int bodies = 4000, levels = 5, finest = 1 << 3 * (levels - 1);
    std::vector<std::pair<int, float4>> placed(bodies);
    for (auto& [cell, body] : placed) {
        auto near = [&] { return 0.5f + (some(state) - 0.5f) * some(state); };
        const float x = near(), y = near(), z = near();
        body = make_float4(x, y, z, 0.5f + some(state));
        cell = 0;
        for (int bit = levels - 2; bit >= 0; --bit)
            cell = cell * 8 + ((int)(x * 16) >> bit & 1) * 4 + ((int)(y * 16) >> bit & 1) * 2 +
                   ((int)(z * 16) >> bit & 1);
    }
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<float4> nodes((finest * 8 - 1) / 7), sorted;
    std::vector<int> cellStarts(finest + 1);
    for (const auto& [cell, body] : placed) {
        sorted.push_back(body);
        ++cellStarts[cell + 1];
        for (int level = 0; level < levels; ++level) {
            float4& node = nodes[((1 << 3 * level) - 1) / 7 + (cell >> 3 * (levels - 1 - level))];
            node.x += body.x * body.w, node.y += body.y * body.w, node.z += body.z * body.w, node.w += body.w;
        }
    }
    for (int c = 0; c < finest; ++c) cellStarts[c + 1] += cellStarts[c];
    for (float4& node : nodes)
        if (node.w > 0) node.x /= node.w, node.y /= node.w, node.z /= node.w;
    float4* pulls = zeros<float4>(bodies);
    treeGravity<5><<<over(bodies, 64), 64>>>(in_device(nodes), in_device(sorted), in_device(cellStarts), pulls, 0.7f,
                                             bodies);
    toSum((float*)pulls, bodies * 4);

    const int molecules = 25000;
    std::vector<float3> before, after;
    for (int m = 0; m < molecules; ++m) {
        const float x = 20 * some(state), y = 20 * some(state), z = 20 * some(state);
        const float3 atoms[3] = {{x, y, z}, {x + 0.81649f, y + 0.57736f, z}, {x - 0.81649f, y + 0.57736f, z}};
        for (const float3& atom : atoms) {
            before.push_back(atom);
            after.push_back({atom.x + 0.1f * (some(state) - 0.5f), atom.y + 0.1f * (some(state) - 0.5f),
                             atom.z + 0.1f * (some(state) - 0.5f)});
        }
    }
    float3* water = in_device(after);
    int* turns = zeros<int>(molecules);
    rigidWater<<<over(molecules, 128), 128>>>(in_device(before), water, turns, 1.f, 1.63298f, molecules);
    toSum((float*)water, molecules * 3);
    toSum(turns, molecules);

    float2* amplitudes = (float2*)reals(2 << 20, -1e-3, 1e-3);
    const float2 h = make_float2(0.70710678f, 0), minus = make_float2(-0.70710678f, 0), one = make_float2(1, 0);
    turnBit<false><<<(1 << 19) / 256, 256>>>(amplitudes, 11, 0, h, h, h, minus, 1 << 19);
    turnBit<true><<<(1 << 19) / 256, 256>>>(amplitudes, 2, 15, one, make_float2(0, 0), make_float2(0, 0),
                                            make_float2(0.6f, 0.8f), 1 << 19);
    toSum((float*)amplitudes, 2 << 20);

    double* coarse = zeros<double>(40 * 40 * 40);
    coarserResidual<<<dim3(3, 5, 40), dim3(16, 8)>>>(reals<double>(80 * 80 * 80, -1, 1),
                                                     reals<double>(80 * 80 * 80 + 1, -0.1, 0.1), coarse, 80);
    toSum(coarse, 40 * 40 * 40);

    std::vector<int> starts(1, 0);
    for (int c = 0; c < 12000; ++c) starts.push_back(starts.back() + below(state, 25));
    float3* velocities = (float3*)reals(3 * starts.back(), -400, 400);
    int* strikes = zeros<int>(12000);
    strikePairs<<<over(12000, 96), 96>>>(in_device(starts), velocities, strikes, 1400, 0.1f, 12000);
    toSum((float*)velocities, 3 * starts.back());
    toSum(strikes, 12000);

    double3* places = zeros<double3>(20000);
    planetPlaces<<<over(20000, 128), 128>>>(reals<double>(6 * 20000), places, 1234.5, 20000);
    toSum((double*)places, 60000);

    double* solutions = zeros<double>(200 * 32);
    rootMatrices<double, 32><<<200, 128>>>(reals<double>(200 * 1024, -1, 1), reals<double>(200 * 32), solutions);
    toSum(solutions, 200 * 32);
    float* larger = zeros<float>(40 * 56);
    rootMatrices<float, 56><<<40, 128>>>(reals(40 * 56 * 56, -1, 1), reals(40 * 56), larger);
    toSum(larger, 40 * 56);

    float* heats = zeros<float>(48 * 576);
    int* settled = zeros<int>(48);
    settlePlates<<<48, dim3(24, 24)>>>(reals(48 * 576, -1, 1), reals(48 * 576 + 1, 0, 0.3), heats, settled, 1e-4f);
    toSum(heats, 48 * 576);

    float* tall = zeros<float>(1000);
    tallTurned<<<dim3(8, 40), dim3(32, 8)>>>((float4*)reals(1000 * 4000, -1, 1), reals(4000), tall, 4000, 250, 100);
    toSum(tall, 1000);
}

// ---------------------------------------------------------------- signals

// A transform of 1024 samples by steps of four, in shared memory, its power averaged over overlapping frames
__global__ void __launch_bounds__(256)
    framePower(const float* __restrict__ samples, float* __restrict__ power, int hop, int frames) {
    __shared__ float2 a[1024], b[1024];
    const int t = threadIdx.x;
    float sums[2] = {0, 0};
    for (int frame = blockIdx.x; frame < frames; frame += gridDim.x) {
        for (int i = t; i < 1024; i += 256)
            a[i] = make_float2(samples[frame * hop + i] * (0.5f - 0.5f * cospif(2 * i / 1024.f)), 0);
        float2 *from = a, *to = b;
        for (int done = 1; done < 1024; done *= 4) {
            __syncthreads();
            const int k = t & (done - 1);
            float2 v[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const float2 x = from[t + 256 * j];
                float s, c;
                sincospif(-0.5f * j * k / done, &s, &c);
                v[j] = make_float2(x.x * c - x.y * s, x.x * s + x.y * c);
            }
            const float2 p = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
            const float2 q = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
            const float2 r = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
            const float2 s = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
            const int at = (t - k) * 4 + k;
            to[at] = make_float2(p.x + r.x, p.y + r.y);
            to[at + done] = make_float2(q.x + s.x, q.y + s.y);
            to[at + 2 * done] = make_float2(p.x - r.x, p.y - r.y);
            to[at + 3 * done] = make_float2(q.x - s.x, q.y - s.y);
            float2* swap = from;
            from = to;
            to = swap;
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const float2 x = from[t + 256 * j];
            sums[j] += x.x * x.x + x.y * x.y;
        }
        __syncthreads();
    }
    for (int j = 0; j < 2; ++j) atomicAdd(&power[t + 256 * j], sums[j] / frames);
}

// The likeliest bits of a code of 64 states, two states a lane; every step's choices kept to walk back by
template <int STEPS>
__global__ void __launch_bounds__(64)
    likeliestBits(const char2* __restrict__ received, u32* __restrict__ bits, int* __restrict__ costs, int packets) {
    __shared__ uint2 choices[2][STEPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, packet = blockIdx.x * 2 + warp;
    if (packet >= packets) return;
    // state s came from (s >> 1) or (s >> 1) + 32 by the bit s & 1; lane l holds states 2l and 2l + 1
    int metric0 = lane == 0 ? 0 : 10000, metric1 = 10000;
    for (int step = 0; step < STEPS; ++step) {
        const char2 r = received[packet * STEPS + step];
        const int low0 = __shfl_sync(~0u, metric0, lane / 2), low1 = __shfl_sync(~0u, metric1, lane / 2);
        const int high0 = __shfl_sync(~0u, metric0, 16 + lane / 2), high1 = __shfl_sync(~0u, metric1, 16 + lane / 2);
        const int low = lane & 1 ? low1 : low0, high = lane & 1 ? high1 : high0;
        int chosen[2], next[2];
#pragma unroll
        for (int bit = 0; bit < 2; ++bit) {
            int cost[2];
#pragma unroll
            for (int from = 0; from < 2; ++from) {
                const int word = (lane | from << 5) << 1 | bit;
                const int first = __popc(word & 0171) & 1, second = __popc(word & 0133) & 1;
                cost[from] = (from ? high : low) + abs(r.x - (first ? 30 : -30)) + abs(r.y - (second ? 30 : -30));
            }
            chosen[bit] = cost[1] < cost[0];
            next[bit] = min(cost[0], cost[1]);
        }
        metric0 = next[0], metric1 = next[1];
        const u32 even = __ballot_sync(~0u, chosen[0]), odd = __ballot_sync(~0u, chosen[1]);
        if (lane == 0) choices[warp][step] = make_uint2(even, odd);
    }
    __syncwarp();
    int least = min(metric0, metric1), state = metric1 < metric0 ? 2 * lane + 1 : 2 * lane;
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        const int other = __shfl_xor_sync(~0u, least, step), who = __shfl_xor_sync(~0u, state, step);
        if (other < least || (other == least && who < state)) least = other, state = who;
    }
    if (lane == 0) {
        costs[packet] = least;
        u32 word = 0;
        for (int step = STEPS - 1; step >= 0; --step) {
            word |= (u32)(state & 1) << step % 32;
            if (step % 32 == 0) {
                bits[packet * (STEPS / 32) + step / 32] = word;
                word = 0;
            }
            const uint2 choice = choices[warp][step];
            state = state >> 1 | ((state & 1 ? choice.y : choice.x) >> (state >> 1) & 1) << 5;
        }
    }
}

// Radio channels summed along the delays that a pulse would have had, many trials side by side
__global__ void undoDispersion(const u8* __restrict__ channels, const float* __restrict__ delays,
                               float* __restrict__ out, int channelCount, int samples, int kept, float trialStep) {
    extern __shared__ int shifts[];
    const float trial = blockIdx.y * trialStep;
    for (int c = threadIdx.x; c < channelCount; c += blockDim.x) shifts[c] = __float2int_rn(delays[c] * trial);
    __syncthreads();
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (t >= kept) return;
    int first = 0, second = 0;
#pragma unroll 4
    for (int c = 0; c < channelCount; ++c) {
        const u8* at = channels + c * samples + t + shifts[c];
        first += at[0];
        second += at[1];
    }
    out[blockIdx.y * kept + t] = first * (1.f / channelCount);
    if (t + 1 < kept) out[blockIdx.y * kept + t + 1] = second * (1.f / channelCount);
}

// How strongly uneven samples swing at each of many frequencies
__global__ void __launch_bounds__(64)
    unevenPeriods(const float2* __restrict__ samples, float* __restrict__ power, float first, float step, int count,
                  int frequencies) {
    __shared__ float2 held[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float turn = 6.2831853f * (first + step * i);
    float yc = 0, ys = 0, c2 = 0, s2 = 0, cs = 0;
    for (int from = 0; from < count; from += 64) {
        __syncthreads();
        if (from + threadIdx.x < count) held[threadIdx.x] = samples[from + threadIdx.x];
        __syncthreads();
        const int here = min(64, count - from);
        for (int k = 0; k < here; ++k) {
            float s, c;
            sincosf(turn * held[k].x, &s, &c);
            const float y = held[k].y;
            yc += y * c, ys += y * s, c2 += c * c, s2 += s * s, cs += c * s;
        }
    }
    if (i >= frequencies) return;
    const float tau = 0.5f * atan2f(2 * cs, c2 - s2);
    float st, ct;
    sincosf(tau, &st, &ct);
    const float a = ct * yc + st * ys, b = ct * ys - st * yc;
    const float cc = ct * ct * c2 + 2 * ct * st * cs + st * st * s2;
    const float ss = ct * ct * s2 - 2 * ct * st * cs + st * st * c2;
    power[i] = 0.5f * (a * a / cc + b * b / fmaxf(ss, 1e-6f));
}

// Things followed by a filter that weighs guess and sight; four numbers and their spread a thread
__global__ void __launch_bounds__(64)
    followThings(const float2* __restrict__ sights, const u8* __restrict__ seen, float4* __restrict__ last,
                 float* __restrict__ doubts, int steps, float jitter, float noise, int things) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= things) return;
    float x[4] = {sights[i].x, sights[i].y, 0, 0}, p[4][4], q[4][4];
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) p[r][c] = r == c ? (r < 2 ? noise : 10.f) : 0.f;
    for (int step = 1; step < steps; ++step) {
        x[0] += x[2], x[1] += x[3];
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int c = 0; c < 4; ++c) q[r][c] = p[r][c] + (r < 2 ? p[r + 2][c] : 0.f);
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int c = 0; c < 4; ++c)
                p[r][c] = q[r][c] + (c < 2 ? q[r][c + 2] : 0.f) + (r == c ? (r < 2 ? 0.25f : 1.f) * jitter : 0.f);
        if (!seen[step * things + i]) continue;
        const float2 z = sights[step * things + i];
        const float a = p[0][0] + noise, b = p[0][1], c = p[1][0], d = p[1][1] + noise, det = 1 / (a * d - b * c);
        const float dx = z.x - x[0], dy = z.y - x[1];
        const float far = (d * dx * dx - (b + c) * dx * dy + a * dy * dy) * det;
        if (far > 25) continue;
        float gain[4][2];
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            gain[r][0] = (p[r][0] * d - p[r][1] * c) * det;
            gain[r][1] = (p[r][1] * a - p[r][0] * b) * det;
        }
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            x[r] += gain[r][0] * dx + gain[r][1] * dy;
#pragma unroll
            for (int k = 0; k < 4; ++k) q[r][k] = p[r][k] - gain[r][0] * p[0][k] - gain[r][1] * p[1][k];
        }
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int k = 0; k < 4; ++k) p[r][k] = q[r][k];
    }
    last[i] = make_float4(x[0], x[1], x[2], x[3]);
    doubts[i] = p[0][0] + p[1][1] + p[2][2] + p[3][3];
}

// A voice's pitch: differences at each lag, made relative to their running mean, the first clear dip taken
__global__ void __launch_bounds__(128)
    pitchOfFrames(const short* __restrict__ voice, float* __restrict__ pitches, int hop, float threshold, float rate) {
    constexpr int WINDOW = 256, LAGS = 192;
    __shared__ float frame[WINDOW + LAGS], differences[LAGS];
    __shared__ int dip;
    for (int i = threadIdx.x; i < WINDOW + LAGS; i += 128) frame[i] = voice[blockIdx.x * hop + i] / 32768.f;
    if (threadIdx.x == 0) dip = LAGS;
    __syncthreads();
    for (int lag = threadIdx.x; lag < LAGS; lag += 128) {
        float sum = 0;
        for (int i = 0; i < WINDOW; ++i) {
            const float d = frame[i] - frame[i + lag];
            sum += d * d;
        }
        differences[lag] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float running = 0;
        for (int lag = 1; lag < LAGS; ++lag) {
            running += differences[lag];
            differences[lag] *= lag / fmaxf(running, 1e-9f);
        }
        differences[0] = 1;
    }
    __syncthreads();
    for (int lag = 2 + threadIdx.x; lag < LAGS - 1; lag += 128)
        if (differences[lag] < threshold && differences[lag] <= differences[lag + 1]) atomicMin(&dip, lag);
    __syncthreads();
    if (threadIdx.x == 0) {
        float pitch = 0;
        if (dip < LAGS) {
            const float a = differences[dip - 1], b = differences[dip], c = differences[dip + 1];
            const float bend = a - 2 * b + c;
            pitch = rate / (dip + (bend > 1e-9f ? 0.5f * (a - c) / bend : 0.f));
        }
        pitches[blockIdx.x] = pitch;
    }
}

// ---------------------------------------------------------------- sorting and searching

// The value of a given rank in each row, eight bits at a time from the highest
__global__ void __launch_bounds__(256)
    rankedValues(const float* __restrict__ rows, float* __restrict__ ranked, int width, int rank) {
    __shared__ int bins[256], ahead[8];
    __shared__ u32 prefix;
    __shared__ int left;
    const float* row = rows + blockIdx.x * width;
    const int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        prefix = 0;
        left = rank;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        bins[t] = 0;
        __syncthreads();
        const u32 wanted = prefix, mask = shift == 24 ? 0 : ~0u << (shift + 8);
        for (int i = t; i < width; i += 256) {
            const u32 raw = __float_as_uint(row[i]), key = raw ^ ((int)raw >> 31 | 0x80000000u);
            if ((key & mask) == wanted) atomicAdd(&bins[key >> shift & 255], 1);
        }
        __syncthreads();
        const int mine = bins[t], goal = left;
        int upTo = mine;
#pragma unroll
        for (int step = 1; step < 32; step <<= 1) {
            const int before = __shfl_up_sync(~0u, upTo, step);
            if (lane >= step) upTo += before;
        }
        if (lane == 31) ahead[t / 32] = upTo;
        __syncthreads();
        for (int w = 0; w < t / 32; ++w) upTo += ahead[w];
        if (goal < upTo && goal >= upTo - mine) {
            prefix = wanted | (u32)t << shift;
            left = goal - (upTo - mine);
        }
        __syncthreads();
    }
    if (t == 0) {
        const u32 key = prefix;
        ranked[blockIdx.x] = __uint_as_float(key & 0x80000000u ? key ^ 0x80000000u : ~key);
    }
}

// Places in a long sorted list guessed from the values at the ends of what is left
__global__ void guessPlaces(const u64* __restrict__ sorted, const u64* __restrict__ wanted, int* __restrict__ places,
                            int* __restrict__ looks, int count, int queries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= queries) return;
    const u64 goal = wanted[i];
    int low = 0, high = count - 1, look = 0;
    u64 least = sorted[low], most = sorted[high];
    int place = goal <= least ? 0 : goal > most ? count : -1;
    while (place < 0) {
        // sorted[low] < goal <= sorted[high]
        if (high - low == 1) {
            place = high;
            break;
        }
        int at = low + (look % 4 == 3 ? (high - low) / 2
                                      : (int)((double)(goal - least) / (double)(most - least) * (high - low)));
        at = min(max(at, low + 1), high - 1);
        const u64 there = sorted[at];
        ++look;
        if (there < goal)
            low = at, least = there;
        else
            high = at, most = there;
    }
    places[i] = place;
    looks[i] = look;
}

// Numbers thrown into 64 buckets between splitters, each block's share kept in order of bucket
__global__ void __launch_bounds__(256)
    throwInBuckets(const u32* __restrict__ in, const u32* __restrict__ splitters, u32* __restrict__ out,
                   int* __restrict__ starts, int count) {
    __shared__ u32 limits[63];
    __shared__ int sizes[64], places[64];
    if (threadIdx.x < 63) limits[threadIdx.x] = splitters[threadIdx.x];
    if (threadIdx.x < 64) sizes[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * 2048;
    u32 keys[8];
    int where[8], rank[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const int i = base + k * 256 + threadIdx.x;
        where[k] = -1;
        if (i >= count) continue;
        keys[k] = in[i];
        int bucket = 0;
#pragma unroll
        for (int step = 32; step; step >>= 1)
            if (limits[bucket + step - 1] <= keys[k]) bucket += step;
        where[k] = bucket;
        rank[k] = atomicAdd(&sizes[bucket], 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        const int lane = threadIdx.x, a = sizes[2 * lane], b = sizes[2 * lane + 1];
        int upTo = a + b;
#pragma unroll
        for (int step = 1; step < 32; step <<= 1) {
            const int before = __shfl_up_sync(~0u, upTo, step);
            if (lane >= step) upTo += before;
        }
        places[2 * lane] = upTo - a - b;
        places[2 * lane + 1] = upTo - b;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (where[k] >= 0) out[base + places[where[k]] + rank[k]] = keys[k];
    if (threadIdx.x < 64) starts[blockIdx.x * 64 + threadIdx.x] = base + places[threadIdx.x];
}

void runSignals(uint32_t& state) {
    std::vector<float> samples(300 * 512 + 1024);
    for (size_t i = 0; i < samples.size(); ++i)
        samples[i] = std::sin(0.3f * i) + 0.5f * std::sin(1.1f * i) + some(state) - 0.5f;
    float* power = zeros<float>(512);
    framePower<<<100, 256>>>(in_device(samples), power, 512, 300);
    toSum(power, 512);

    constexpr int steps = 128;
    const int packets = 700;
    std::vector<char2> received(packets * steps);
    for (int p = 0; p < packets; ++p)
        for (int s = 0, history = 0; s < steps; ++s) {
            history = (history << 1 | below(state, 2)) & 127;
            int bits[2] = {__builtin_popcount(history & 0171) & 1, __builtin_popcount(history & 0133) & 1};
            for (int& bit : bits) bit = (bit ? 30 : -30) + (int)below(state, 50) - 25;
            received[p * steps + s] = make_char2(bits[0], bits[1]);
        }
    u32* decoded = zeros<u32>(packets * steps / 32);
    int* costs = zeros<int>(packets);
    likeliestBits<steps><<<over(packets, 2), 64>>>(in_device(received), decoded, costs, packets);
    toSum(decoded, packets * steps / 32);
    toSum(costs, packets);

    std::vector<float> delays(96);
    for (int c = 0; c < 96; ++c) delays[c] = 4.15f * (1 / ((1.2f + 0.003f * c) * (1.2f + 0.003f * c)) - 0.45f);
    float* cleared = zeros<float>(40 * 3000);
    undoDispersion<<<dim3(over(1500, 128), 40), 128, 96 * 4>>>(wholes<u8>(96 * 4096, 256), in_device(delays), cleared,
                                                              96, 4096, 3000, 8.f);
    toSum(cleared, 40 * 3000);

    std::vector<float2> uneven(200);
    float when = 0;
    for (float2& s : uneven) {
        when += some(state) * 0.4f;
        s = make_float2(when, std::sin(1.9f * when) + 0.3f * (some(state) - 0.5f));
    }
    float* swings = zeros<float>(6400);
    unevenPeriods<<<100, 64>>>(in_device(uneven), swings, 0.02f, 2e-4f, 200, 6400);
    toSum(swings, 6400);

    const int things = 6000;
    std::vector<float2> sights(24 * things);
    std::vector<u8> seen(24 * things);
    for (int i = 0; i < things; ++i) {
        const float x = 100 * some(state), y = 100 * some(state), vx = 3 * some(state), vy = 2 * some(state);
        for (int s = 0; s < 24; ++s) {
            sights[s * things + i] = make_float2(x + s * vx + some(state), y + s * vy + some(state));
            seen[s * things + i] = below(state, 6) != 0;
        }
    }
    float4* last = zeros<float4>(things);
    float* doubts = zeros<float>(things);
    followThings<<<over(things, 64), 64>>>(in_device(sights), in_device(seen), last, doubts, 24, 0.05f, 0.3f, things);
    toSum((float*)last, 4 * things);
    toSum(doubts, things);

    std::vector<short> voice(150 * 128 + 448);
    for (size_t i = 0; i < voice.size(); ++i) {
        const float phase = 0.06f * i + 8 * std::sin(0.0008f * i);
        voice[i] = (short)(6000 * std::sin(phase) + 3000 * std::sin(2 * phase) + 900 * (some(state) - 0.5f));
    }
    float* pitches = zeros<float>(150);
    pitchOfFrames<<<150, 128>>>(in_device(voice), pitches, 128, 0.15f, 8000);
    toSum(pitches, 150);

    float* ranked = zeros<float>(264);
    rankedValues<<<264, 256>>>(reals(264 * 2500, -100, 200), ranked, 2500, 1250);
    toSum(ranked, 264);

    std::vector<u64> sorted(1 << 20), wanted(50000);
    u64 next = 0;
    for (u64& value : sorted) value = next += 1 + below(state, 1000) * (below(state, 9) == 0 ? 40 : 1);
    for (u64& value : wanted) value = (u64)(some(state) * (double)next) + below(state, 5000);
    int *places = zeros<int>(50000), *looks = zeros<int>(50000);
    guessPlaces<<<over(50000, 128), 128>>>(in_device(sorted), in_device(wanted), places, looks, 1 << 20, 50000);
    toSum(places, 50000);
    toSum(looks, 50000);

    std::vector<u32> splitters(63);
    for (int i = 0; i < 63; ++i) splitters[i] = (i + 1) * 15000 + below(state, 9000);
    u32* thrown = zeros<u32>(300000);
    int* starts = zeros<int>(64 * over(300000, 2048));
    u32* thrownIn = wholes<u32>(300000, 1000000);
    throwInBuckets<<<over(300000, 2048), 256>>>(thrownIn, in_device(splitters), thrown, starts, 300000);
    toSum(thrown, 300000);
    toSum(starts, 64 * over(300000, 2048));
}

// ---------------------------------------------------------------- games, shapes and crowds

__device__ __forceinline__ u64 moved(u64 board, int way) {
    constexpr u64 notLeft = 0xfefefefefefefefeull, notRight = 0x7f7f7f7f7f7f7f7full;
    switch (way) {
        case 0: return board << 1 & notLeft;
        case 1: return board >> 1 & notRight;
        case 2: return board << 8;
        case 3: return board >> 8;
        case 4: return board << 9 & notLeft;
        case 5: return board >> 9 & notRight;
        case 6: return board << 7 & notRight;
        default: return board >> 7 & notLeft;
    }
}

__device__ u64 placesToPlay(u64 mine, u64 theirs) {
    u64 places = 0;
#pragma unroll
    for (int way = 0; way < 8; ++way) {
        u64 line = moved(mine, way) & theirs;
#pragma unroll
        for (int k = 0; k < 5; ++k) line |= moved(line, way) & theirs;
        places |= moved(line, way);
    }
    return places & ~(mine | theirs);
}

// Games of turning stones played to their end by chance from a given board
__global__ void __launch_bounds__(128)
    stoneGames(const ulonglong2* __restrict__ boards, int* wins, int* __restrict__ margins, int each) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 mine = boards[i / each].x, theirs = boards[i / each].y;
    u32 seed = mixed(i + 9);
    bool swapped = false;
    int passes = 0;
    while (passes < 2) {
        u64 places = placesToPlay(mine, theirs);
        if (places) {
            passes = 0;
            for (int skip = __umulhi(nextDraw(seed), __popcll(places)); skip; --skip) places &= places - 1;
            const u64 stone = places & (~places + 1);
            u64 turned = 0;
#pragma unroll
            for (int way = 0; way < 8; ++way) {
                u64 line = 0, at = moved(stone, way);
                while (at & theirs) {
                    line |= at;
                    at = moved(at, way);
                }
                if (at & mine) turned |= line;
            }
            mine |= turned | stone;
            theirs &= ~turned;
        } else {
            ++passes;
        }
        const u64 swap = mine;
        mine = theirs;
        theirs = swap;
        swapped = !swapped;
    }
    const int margin = (__popcll(mine) - __popcll(theirs)) * (swapped ? -1 : 1);
    margins[i] = margin;
    const u32 won = __ballot_sync(~0u, margin > 0);
    if (threadIdx.x % 32 == 0) atomicAdd(&wins[i / each], __popc(won));
}

__device__ __forceinline__ int tilesAway(u64 board) {
    int away = 0;
    for (int place = 0; place < 9; ++place) {
        const int tile = board >> 4 * place & 15;
        if (tile) away += abs(place / 3 - (tile - 1) / 3) + abs(place % 3 - (tile - 1) % 3);
    }
    return away;
}

// Fewest moves that solve a sliding puzzle: ever deeper searches, the way back kept on a stack
__global__ void __launch_bounds__(32)
    slidingMoves(const u64* __restrict__ boards, int* __restrict__ moves, u32* __restrict__ looked, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 board = boards[i];
    int hole = 0, away = tilesAway(board);
    for (int place = 0; place < 9; ++place)
        if (!(board >> 4 * place & 15)) hole = place;
    signed char steps[32];
    u32 nodes = 0;
    int limit = away, answer = -1;
    while (answer < 0 && limit <= 30) {
        int depth = 0, next = 0;
        while (true) {
            if (away == 0) {
                answer = depth;
                break;
            }
            bool deeper = false;
            for (; next < 4; ++next) {
                if (depth && next == (steps[depth - 1] ^ 1)) continue;
                const int x = hole % 3 + (next == 0) - (next == 1), y = hole / 3 + (next == 2) - (next == 3);
                if (x < 0 || y < 0 || x > 2 || y > 2) continue;
                const int to = y * 3 + x, tile = board >> 4 * to & 15;
                const int goalX = (tile - 1) % 3, goalY = (tile - 1) / 3;
                const int change = abs(hole / 3 - goalY) + abs(hole % 3 - goalX) - abs(y - goalY) - abs(x - goalX);
                if (depth + 1 + away + change > limit) continue;
                board += ((u64)tile << 4 * hole) - ((u64)tile << 4 * to);
                hole = to;
                away += change;
                steps[depth++] = next;
                ++nodes;
                deeper = true;
                break;
            }
            if (deeper) {
                next = 0;
                continue;
            }
            if (depth == 0) break;
            const int back = steps[--depth];
            const int to = hole - (back == 0) + (back == 1) - 3 * (back == 2) + 3 * (back == 3);
            const int tile = board >> 4 * to & 15, goalX = (tile - 1) % 3, goalY = (tile - 1) / 3;
            away += abs(hole / 3 - goalY) + abs(hole % 3 - goalX) - abs(to / 3 - goalY) - abs(to % 3 - goalX);
            board += ((u64)tile << 4 * hole) - ((u64)tile << 4 * to);
            hole = to;
            next = back + 1;
        }
        limit += 2;
    }
    moves[i] = answer;
    looked[i] = nodes;
}

// The worth of the best five of seven cards, drawn for two hands many times
__device__ u32 handWorth(u64 cards) {
    // four suits of sixteen bits each, the ranks from bit 0
    u32 suits[4], any = 0, flush = 0;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        suits[s] = (u32)(cards >> 16 * s) & 0x1fff;
        any |= suits[s];
        if (__popc(suits[s]) >= 5) flush = suits[s];
    }
    auto straight = [](u32 ranks) {
        const u32 wheel = ranks << 1 | (ranks >> 12 & 1);
        const u32 run = wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4;
        return run ? 32 - __clz(run) : 0;
    };
    auto top = [](u32 ranks, int number) {
        while (__popc(ranks) > number) ranks &= ranks - 1;
        return ranks;
    };
    if (flush) {
        const int run = straight(flush);
        if (run) return 8u << 26 | run;
    }
    const u32 four = suits[0] & suits[1] & suits[2] & suits[3];
    const u32 odd = suits[0] ^ suits[1] ^ suits[2] ^ suits[3];
    const u32 across = (suits[0] | suits[1]) & (suits[2] | suits[3]);
    const u32 twoOrMore = (suits[0] & suits[1]) | (suits[2] & suits[3]) | across;
    const u32 three = twoOrMore & odd, pairs = twoOrMore & ~odd & ~four;
    if (four) return 7u << 26 | four << 13 | top(any & ~four, 1);
    if (three && (pairs || __popc(three) > 1)) {
        const u32 high = top(three, 1);
        return 6u << 26 | high << 13 | top((three | pairs) & ~high, 1);
    }
    if (flush) return 5u << 26 | top(flush, 5);
    const int run = straight(any);
    if (run) return 4u << 26 | run;
    if (three) return 3u << 26 | three << 13 | top(any & ~three, 2);
    if (__popc(pairs) > 1) {
        const u32 both = top(pairs, 2);
        return 2u << 26 | both << 13 | top(any & ~both, 1);
    }
    if (pairs) return 1u << 26 | pairs << 13 | top(any & ~pairs, 3);
    return top(any, 5);
}

__global__ void __launch_bounds__(256) cardOdds(const u64* __restrict__ hands, int* outcomes, int each) {
    u32 seed = mixed(blockIdx.x * 256 + threadIdx.x + 31);
    const u64 mine = hands[blockIdx.x * 2], theirs = hands[blockIdx.x * 2 + 1];
    int won = 0, shared = 0;
    for (int game = 0; game < each; ++game) {
        u64 taken = mine | theirs, table = 0;
        for (int k = 0; k < 5;) {
            const u32 draw = __umulhi(nextDraw(seed), 52);
            const u64 card = 1ull << (draw / 13 * 16 + draw % 13);
            if (taken & card) continue;
            taken |= card;
            table |= card;
            ++k;
        }
        const u32 a = handWorth(mine | table), b = handWorth(theirs | table);
        won += a > b;
        shared += a == b;
    }
    won = __reduce_add_sync(~0u, won);
    shared = __reduce_add_sync(~0u, shared);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&outcomes[blockIdx.x * 2], won);
        atomicAdd(&outcomes[blockIdx.x * 2 + 1], shared);
    }
}

// The hull of each small set of points and its area: sorted by place, then the lower and the upper chain
template <int MOST>
__global__ void hullAreas(const float2* __restrict__ sets, float* __restrict__ areas, int* __restrict__ corners,
                          int points, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float2 p[MOST], hull[2 * MOST];
    for (int k = 0; k < points; ++k) {
        const float2 mine = sets[i * points + k];
        int at = k;
        for (; at && (p[at - 1].x > mine.x || (p[at - 1].x == mine.x && p[at - 1].y > mine.y)); --at) p[at] = p[at - 1];
        p[at] = mine;
    }
    auto turn = [](float2 a, float2 b, float2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
    int size = 0;
    for (int k = 0; k < points; ++k) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], p[k]) <= 0) --size;
        hull[size++] = p[k];
    }
    const int lower = size + 1;
    for (int k = points - 2; k >= 0; --k) {
        while (size >= lower && turn(hull[size - 2], hull[size - 1], p[k]) <= 0) --size;
        hull[size++] = p[k];
    }
    float area = 0;
    for (int k = 0; k + 1 < size; ++k) area += hull[k].x * hull[k + 1].y - hull[k].y * hull[k + 1].x;
    areas[i] = 0.5f * area;
    corners[i] = size - 1;
}

struct Crate {
    float3 centre, half;
    float axes[3][3];
};

// Whether two turned crates touch: fifteen ways to look for a gap, the first one ends it
__global__ void cratesTouch(const Crate* __restrict__ crates, const int2* __restrict__ pairs, u8* __restrict__ touch,
                            int* touching, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool gap = true;
    if (i < count) {
        const Crate a = crates[pairs[i].x], b = crates[pairs[i].y];
        const float d[3] = {b.centre.x - a.centre.x, b.centre.y - a.centre.y, b.centre.z - a.centre.z};
        const float ea[3] = {a.half.x, a.half.y, a.half.z}, eb[3] = {b.half.x, b.half.y, b.half.z};
        float r[3][3], size[3][3], t[3];
#pragma unroll
        for (int u = 0; u < 3; ++u) {
            t[u] = d[0] * a.axes[u][0] + d[1] * a.axes[u][1] + d[2] * a.axes[u][2];
#pragma unroll
            for (int v = 0; v < 3; ++v) {
                r[u][v] = a.axes[u][0] * b.axes[v][0] + a.axes[u][1] * b.axes[v][1] + a.axes[u][2] * b.axes[v][2];
                size[u][v] = fabsf(r[u][v]) + 1e-6f;
            }
        }
        gap = false;
#pragma unroll
        for (int u = 0; u < 3; ++u)
            gap = gap || fabsf(t[u]) > ea[u] + eb[0] * size[u][0] + eb[1] * size[u][1] + eb[2] * size[u][2];
        if (!gap) {
#pragma unroll
            for (int v = 0; v < 3; ++v) {
                const float along = t[0] * r[0][v] + t[1] * r[1][v] + t[2] * r[2][v];
                gap = gap || fabsf(along) > eb[v] + ea[0] * size[0][v] + ea[1] * size[1][v] + ea[2] * size[2][v];
            }
        }
        if (!gap) {
#pragma unroll
            for (int u = 0; u < 3; ++u)
#pragma unroll
                for (int v = 0; v < 3; ++v) {
                    const int u1 = (u + 1) % 3, u2 = (u + 2) % 3, v1 = (v + 1) % 3, v2 = (v + 2) % 3;
                    const float reach = ea[u1] * size[u2][v] + ea[u2] * size[u1][v] + eb[v1] * size[u][v2] +
                                        eb[v2] * size[u][v1];
                    gap = gap || fabsf(t[u2] * r[u1][v] - t[u1] * r[u2][v]) > reach;
                }
        }
        touch[i] = !gap;
    }
    const int number = __syncthreads_count(!gap);
    if (threadIdx.x == 0 && number) atomicAdd(touching, number);
}

// Cars on ring roads: faster by one, no closer than the gap, slower by chance; a road a block, many steps in one launch
__global__ void __launch_bounds__(256)
    ringRoads(signed char* __restrict__ roads, int* __restrict__ flows, int cells, int steps, float dawdle) {
    extern __shared__ signed char lanes[];
    signed char *now = lanes, *then = lanes + cells;
    for (int i = threadIdx.x; i < cells; i += 256) now[i] = roads[blockIdx.x * cells + i];
    int passed = 0;
    for (int step = 0; step < steps; ++step) {
        for (int i = threadIdx.x; i < cells; i += 256) then[i] = -1;
        __syncthreads();
        for (int i = threadIdx.x; i < cells; i += 256) {
            int speed = now[i];
            if (speed < 0) continue;
            speed = min(speed + 1, 5);
            for (int gap = 1; gap <= speed; ++gap)
                if (now[i + gap < cells ? i + gap : i + gap - cells] >= 0) {
                    speed = gap - 1;
                    break;
                }
            u32 seed = mixed((blockIdx.x * steps + step) * cells + i);
            if (speed && unitDraw(seed) < dawdle) --speed;
            const int to = i + speed;
            if (to >= cells) ++passed;
            then[to < cells ? to : to - cells] = speed;
        }
        __syncthreads();
        signed char* swap = now;
        now = then;
        then = swap;
    }
    for (int i = threadIdx.x; i < cells; i += 256) roads[blockIdx.x * cells + i] = now[i];
    passed = __reduce_add_sync(~0u, passed);
    if (threadIdx.x % 32 == 0 && passed) atomicAdd(&flows[blockIdx.x], passed);
}

// A day at a counter: people come, queue and are served by several hands, the next event always off a heap
template <int HANDS>
__global__ void counterDays(const float2* __restrict__ settings, float4* __restrict__ results, int people, int days) {
    const int day = blockIdx.x * blockDim.x + threadIdx.x;
    if (day >= days) return;
    const float2 setting = settings[day % 64];
    float busyUntil[HANDS];
    for (int h = 0; h < HANDS; ++h) busyUntil[h] = 0;
    u32 seed = mixed(day + 123);
    float clock = 0, waited = 0, longest = 0, worked = 0;
    int gone = 0;
    for (int person = 0; person < people; ++person) {
        clock -= setting.x * __logf(unitDraw(seed) + 1e-7f);
        const float wait = fmaxf(busyUntil[0] - clock, 0.f);
        if (wait > 20 && unitDraw(seed) < 0.5f) {
            ++gone;
            continue;
        }
        float work = 0;
        for (int part = 0; part < 2; ++part) work -= setting.y * __logf(unitDraw(seed) + 1e-7f);
        waited += wait;
        longest = fmaxf(longest, wait);
        worked += work;
        // the hand at the heap's head takes the person and sinks to its new place
        const float until = clock + wait + work;
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= HANDS) break;
            if (child + 1 < HANDS && busyUntil[child + 1] < busyUntil[child]) ++child;
            if (busyUntil[child] >= until) break;
            busyUntil[at] = busyUntil[child];
            at = child;
        }
        busyUntil[at] = until;
    }
    results[day] = make_float4(waited / people, longest, worked / (clock * HANDS), (float)gone);
}

void runGames(uint32_t& state) {
    std::vector<ulonglong2> boards(40, make_ulonglong2(0x0000000810000000ull, 0x0000001008000000ull));
    for (int i = 1; i < 40; ++i) {
        boards[i].x |= 1ull << (2 + below(state, 4));
        boards[i].y |= 1ull << (58 + below(state, 4));
    }
    int *wins = zeros<int>(40), *margins = zeros<int>(40 * 32);
    stoneGames<<<40 * 32 / 64, 64>>>(in_device(boards), wins, margins, 32);
    toSum(wins, 40);
    toSum(margins, 40 * 32);

    std::vector<u64> puzzles(800);
    for (u64& board : puzzles) {
        board = 0x087654321ull;
        int hole = 8;
        for (int k = 0; k < 34; ++k) {
            const int way = below(state, 4);
            const int x = hole % 3 + (way == 0) - (way == 1), y = hole / 3 + (way == 2) - (way == 3);
            if (x < 0 || y < 0 || x > 2 || y > 2) continue;
            const int to = y * 3 + x;
            const u64 tile = board >> 4 * to & 15;
            board += (tile << 4 * hole) - (tile << 4 * to);
            hole = to;
        }
    }
    int* moves = zeros<int>(800);
    u32* looked = zeros<u32>(800);
    slidingMoves<<<over(800, 32), 32>>>(in_device(puzzles), moves, looked, 800);
    toSum(moves, 800);
    toSum(looked, 800);

    std::vector<u64> hands(2 * 80);
    for (int h = 0; h < 80; ++h) {
        u64 taken = 0;
        for (int k = 0; k < 4;) {
            const u32 draw = below(state, 52);
            const u64 card = 1ull << (draw / 13 * 16 + draw % 13);
            if (taken & card) continue;
            taken |= card;
            hands[h * 2 + k++ / 2] |= card;
        }
    }
    int* outcomes = zeros<int>(2 * 80);
    cardOdds<<<80, 256>>>(in_device(hands), outcomes, 4);
    toSum(outcomes, 2 * 80);

    float* areas = zeros<float>(6400);
    int* corners = zeros<int>(6400);
    hullAreas<24><<<over(6400, 64), 64>>>((float2*)reals(6400 * 40), areas, corners, 20, 6400);
    toSum(areas, 6400);
    toSum(corners, 6400);

    std::vector<Crate> crates(2000);
    for (Crate& crate : crates) {
        crate.centre = {10 * some(state), 10 * some(state), 10 * some(state)};
        crate.half = {0.5f + 2 * some(state), 0.5f + 2 * some(state), 0.5f + 2 * some(state)};
        const float a = 6.2831853f * some(state), b = 6.2831853f * some(state);
        const float ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
        const float axes[3][3] = {{ca, sa, 0}, {-sa * cb, ca * cb, sb}, {sa * sb, -ca * sb, cb}};
        memcpy(crate.axes, axes, sizeof axes);
    }
    std::vector<int2> pairs(100000);
    for (int2& pair : pairs) {
        pair.x = below(state, 2000);
        pair.y = below(state, 2000);
    }
    u8* touch = zeros<u8>(100000);
    int* touching = zeros<int>(1);
    cratesTouch<<<over(100000, 160), 160>>>(in_device(crates), in_device(pairs), touch, touching, 100000);
    toSum(touch, 100000);
    toSum(touching, 1);

    std::vector<signed char> cars(132 * 2000);
    for (auto& car : cars) car = below(state, 5) ? -1 : (int)below(state, 6);
    signed char* roads = in_device(cars);
    int* flows = zeros<int>(132);
    ringRoads<<<132, 256, 4000>>>(roads, flows, 2000, 20, 0.2f);
    toSum(roads, 132 * 2000);
    toSum(flows, 132);

    float4* results = zeros<float4>(8000);
    counterDays<8><<<over(8000, 64), 64>>>((float2*)reals(128, 1, 1.6), results, 60, 8000);
    toSum((float*)results, 4 * 8000);
}

// ---------------------------------------------------------------- texts and packed data

// Numbers as people write them, with sign, point and exponent, into doubles; a field a thread
__global__ void readNumbers(const char* __restrict__ text, const int* __restrict__ starts, double* __restrict__ numbers,
                            int* wrong, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int at = starts[i];
    const int end = starts[i + 1] - 1;
    bool minus = false, good = at < end;
    if (at < end && (text[at] == '-' || text[at] == '+')) minus = text[at++] == '-';
    u64 digits = 0;
    int scale = 0, seen = 0;
    bool point = false;
    for (; at < end; ++at) {
        const char c = text[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            if (digits < 100000000000000000ull) {
                digits = digits * 10 + (c - '0');
                scale -= point;
            } else {
                scale += !point;
            }
            ++seen;
        } else {
            break;
        }
    }
    if (at < end && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        bool down = false;
        if (at < end && (text[at] == '-' || text[at] == '+')) down = text[at++] == '-';
        int power = 0;
        for (; at < end && text[at] >= '0' && text[at] <= '9'; ++at) power = min(power * 10 + text[at] - '0', 400);
        scale += down ? -power : power;
    }
    good = good && seen && at == end;
    double value = digits, base = 10;
    for (int left = abs(scale); left; left >>= 1, base *= base)
        if (left & 1) value = scale < 0 ? value / base : value * base;
    if (!good) atomicAdd(wrong, 1);
    numbers[i] = good ? minus ? -value : value : 0.0;
}

// Text of one to four bytes a letter into sixteen-bit units: what each byte starts is counted, scanned, written
__global__ void __launch_bounds__(256)
    widenText(const u8* __restrict__ text, u16* __restrict__ out, int* __restrict__ lengths, int count) {
    __shared__ int ahead[8];
    const int from = blockIdx.x * 1024, t = threadIdx.x, lane = t % 32;
    auto byte = [text, count](int i) { return i < count ? (u32)text[i] : 0u; };
    u32 letters[4];
    int units[4], mine = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int i = from + t * 4 + k;
        const u32 b = byte(i);
        letters[k] = 0;
        units[k] = 0;
        if (i >= count || (b & 0xc0) == 0x80) continue;
        units[k] = 1;
        if (b < 0x80) {
            letters[k] = b;
        } else if (b < 0xe0) {
            letters[k] = (b & 31) << 6 | (byte(i + 1) & 63);
        } else if (b < 0xf0) {
            letters[k] = (b & 15) << 12 | (byte(i + 1) & 63) << 6 | (byte(i + 2) & 63);
        } else {
            letters[k] = (b & 7) << 18 | (byte(i + 1) & 63) << 12 | (byte(i + 2) & 63) << 6 | (byte(i + 3) & 63);
            units[k] = 2;
        }
        mine += units[k];
    }
    int upTo = mine;
#pragma unroll
    for (int step = 1; step < 32; step <<= 1) {
        const int before = __shfl_up_sync(~0u, upTo, step);
        if (lane >= step) upTo += before;
    }
    if (lane == 31) ahead[t / 32] = upTo;
    __syncthreads();
    int at = upTo - mine;
    for (int w = 0; w < t / 32; ++w) at += ahead[w];
    if (t == 255) lengths[blockIdx.x] = at + mine;
    u16* to = out + from + at;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (units[k] == 1) {
            *to++ = (u16)letters[k];
        } else if (units[k] == 2) {
            *to++ = (u16)(0xd800 + ((letters[k] - 0x10000) >> 10));
            *to++ = (u16)(0xdc00 + (letters[k] & 1023));
        }
    }
}

// Words into tokens: of all neighbouring pairs the one learnt first is joined, again and again
__global__ void joinPairs(const char* __restrict__ text, const int* __restrict__ starts, const u64* __restrict__ table,
                          u32 mask, u16* __restrict__ tokens, int* __restrict__ lengths, int words) {
    constexpr int LONGEST = 24;
    const int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= words) return;
    u16 parts[LONGEST], ranks[LONGEST];
    int size = min(starts[word + 1] - starts[word], LONGEST);
    for (int k = 0; k < size; ++k) parts[k] = text[starts[word] + k];
    // an entry: the pair above, its rank below; all ones where empty
    auto rankOf = [table, mask](u32 left, u32 right) {
        const u32 pair = left << 16 | right;
        for (u32 at = mixed(pair) & mask;; at = (at + 1) & mask) {
            const u64 entry = table[at];
            if (entry == ~0ull) return (u16)0xffff;
            if ((u32)(entry >> 32) == pair) return (u16)entry;
        }
    };
    for (int k = 0; k + 1 < size; ++k) ranks[k] = rankOf(parts[k], parts[k + 1]);
    while (size > 1) {
        int best = 0;
        for (int k = 1; k + 1 < size; ++k)
            if (ranks[k] < ranks[best]) best = k;
        if (ranks[best] == 0xffff) break;
        parts[best] = 256 + ranks[best];
        --size;
        for (int k = best + 1; k < size; ++k) parts[k] = parts[k + 1];
        for (int k = best + 1; k + 1 < size; ++k) ranks[k] = ranks[k + 1];
        if (best) ranks[best - 1] = rankOf(parts[best - 1], parts[best]);
        if (best + 1 < size) ranks[best] = rankOf(parts[best], parts[best + 1]);
    }
    lengths[word] = size;
    for (int k = 0; k < size; ++k) tokens[word * LONGEST + k] = parts[k];
}

// Chunks of letters and copies unpacked, a warp a chunk: the tokens read by all lanes, the bytes moved side by side
__global__ void __launch_bounds__(64)
    unpackCopies(const u8* __restrict__ packed, const int* __restrict__ starts, u8* out, int* __restrict__ sizes,
                 int chunkSize, int chunks) {
    const int chunk = (blockIdx.x * 64 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (chunk >= chunks) return;
    const u8* from = packed + starts[chunk];
    const u8* end = packed + starts[chunk + 1];
    volatile u8* to = out + chunk * chunkSize;
    int done = 0;
    while (from < end) {
        const int token = *from++;
        int letters = token >> 4;
        if (letters == 15)
            while (true) {
                const int more = *from++;
                letters += more;
                if (more < 255) break;
            }
        for (int i = lane; i < letters; i += 32) to[done + i] = from[i];
        from += letters;
        done += letters;
        __syncwarp();
        if (from >= end) break;
        const int back = from[0] | from[1] << 8;
        from += 2;
        int length = (token & 15) + 4;
        if ((token & 15) == 15)
            while (true) {
                const int more = *from++;
                length += more;
                if (more < 255) break;
            }
        if (back >= 32) {
            for (int i = 0; i < length; i += 32) {
                if (i + lane < length) to[done + i + lane] = to[done + i + lane - back];
                __syncwarp();
            }
        } else {
            for (int i = lane; i < length; i += 32) to[done + i] = to[done - back + i % back];
            __syncwarp();
        }
        done += length;
    }
    if (lane == 0) sizes[chunk] = done;
}

// Bytes packed by a table of codes: lengths scanned over the block, the bits joined in shared memory
__global__ void __launch_bounds__(256)
    packCodes(const u8* __restrict__ in, const u32* __restrict__ codes, u32* __restrict__ out,
              int* __restrict__ bitCounts) {
    __shared__ u32 table[256], words[768];
    __shared__ int ahead[8];
    const int t = threadIdx.x, lane = t % 32;
    table[t] = codes[t];
    for (int i = t; i < 768; i += 256) words[i] = 0;
    const uint2 raw = ((const uint2*)in)[blockIdx.x * 256 + t];
    __syncthreads();
    u32 entries[8];
    int mine = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        entries[k] = table[(k < 4 ? raw.x >> 8 * k : raw.y >> 8 * (k - 4)) & 255];
        mine += entries[k] >> 24;
    }
    int upTo = mine;
#pragma unroll
    for (int step = 1; step < 32; step <<= 1) {
        const int before = __shfl_up_sync(~0u, upTo, step);
        if (lane >= step) upTo += before;
    }
    if (lane == 31) ahead[t / 32] = upTo;
    __syncthreads();
    int bit = upTo - mine;
    for (int w = 0; w < t / 32; ++w) bit += ahead[w];
    if (t == 255) bitCounts[blockIdx.x] = bit + mine;
    u64 held = 0;
    int filled = bit % 32, word = bit / 32;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        held |= (u64)(entries[k] & 0xffffff) << filled;
        filled += entries[k] >> 24;
        if (filled >= 32) {
            atomicOr(&words[word++], (u32)held);
            held >>= 32;
            filled -= 32;
        }
    }
    if (filled) atomicOr(&words[word], (u32)held);
    __syncthreads();
    for (int i = t; i < 768; i += 256) out[blockIdx.x * 768 + i] = words[i];
}

// A greedy packing into letters and copies, for unpackCopies
std::vector<u8> packedCopies(const std::vector<u8>& in) {
    std::vector<u8> out;
    std::vector<int> last(4096, -1);
    auto count = [&out](int number) {
        for (; number >= 255; number -= 255) out.push_back(255);
        out.push_back(number);
    };
    int at = 0, from = 0;
    const int size = in.size();
    auto letters = [&](int length) {
        const int number = at - from;
        out.push_back(std::min(number, 15) << 4 | (length ? std::min(length - 4, 15) : 0));
        if (number >= 15) count(number - 15);
        out.insert(out.end(), in.begin() + from, in.begin() + at);
    };
    while (at + 4 <= size) {
        const u32 four = in[at] | in[at + 1] << 8 | in[at + 2] << 16 | (u32)in[at + 3] << 24;
        int& entry = last[four * 2654435761u >> 20];
        const int before = entry;
        entry = at;
        int length = 0;
        if (before >= 0)
            while (at + length < size && in[before + length] == in[at + length]) ++length;
        if (length < 4) {
            ++at;
            continue;
        }
        letters(length);
        out.push_back((at - before) & 255);
        out.push_back((at - before) >> 8);
        if (length - 4 >= 15) count(length - 4 - 15);
        at += length;
        from = at;
    }
    at = size;
    letters(0);
    return out;
}

void runTexts(uint32_t& state) {
    std::string text;
    std::vector<int> starts(1, 0);
    for (int i = 0; i < 40000; ++i) {
        char field[64];
        const double value = (some(state) - 0.4) * 2000;
        switch (below(state, 5)) {
            case 0: snprintf(field, sizeof field, "%.3f", value); break;
            case 1: snprintf(field, sizeof field, "%d", (int)value); break;
            case 2: snprintf(field, sizeof field, "%.8e", value * 1e-3); break;
            case 3: snprintf(field, sizeof field, "%.12f", value / 7); break;
            default: snprintf(field, sizeof field, i % 50 ? "+%.2f" : "n/a%.1f", std::fabs(value)); break;
        }
        text += field;
        text += ',';
        starts.push_back(text.size());
    }
    double* numbers = zeros<double>(40000);
    int* wrong = zeros<int>(1);
    readNumbers<<<over(40000, 128), 128>>>(in_device(std::vector<char>(text.begin(), text.end())), in_device(starts),
                                           numbers, wrong, 40000);
    toSum(numbers, 40000);
    toSum(wrong, 1);

    std::vector<u8> letters;
    while (letters.size() < 600000) {
        const u32 kind = below(state, 20);
        if (kind < 14) {
            letters.push_back('a' + below(state, 26));
        } else if (kind < 17) {
            letters.push_back(0xc3 + below(state, 20));
            letters.push_back(0x80 + below(state, 64));
        } else {
            const bool four = kind == 19;
            letters.push_back(four ? 0xf0 : 0xe3);
            letters.push_back(0x90 + below(state, 40));
            letters.push_back(0x80 + below(state, 64));
            if (four) letters.push_back(0x80 + below(state, 64));
        }
    }
    const int bytes = letters.size();
    u16* wide = zeros<u16>(over(bytes, 1024) * 1024 + 4);
    int* units = zeros<int>(over(bytes, 1024));
    widenText<<<over(bytes, 1024), 256>>>(in_device(letters), wide, units, bytes);
    toSum(wide, over(bytes, 1024) * 1024);
    toSum(units, over(bytes, 1024));

    // pairs of letters first, then pairs of what was joined before
    std::vector<u64> table(8192, ~0ull);
    auto mix = [](u32 n) {
        n = (n ^ (n >> 16)) * 0x7feb352du;
        n = (n ^ (n >> 15)) * 0x846ca68bu;
        return n ^ (n >> 16);
    };
    for (int rank = 0; rank < 2500;) {
        auto part = [&](int joined) {
            return rank > 100 && (int)below(state, 10) < joined ? 256 + below(state, rank)
                                                               : (u32) "etaoinshrdlu"[below(state, 12)];
        };
        const u32 left = part(5), pair = left << 16 | part(3);
        u32 at = mix(pair) & 8191;
        while (table[at] != ~0ull && table[at] >> 32 != pair) at = (at + 1) & 8191;
        if (table[at] == ~0ull) table[at] = (u64)pair << 32 | rank++;
    }
    std::string wordText;
    std::vector<int> wordStarts(1, 0);
    for (int w = 0; w < 12000; ++w) {
        const int length = 3 + below(state, 14);
        for (int k = 0; k < length; ++k) wordText += "etaoinshrdlu"[below(state, 12)];
        wordStarts.push_back(wordText.size());
    }
    u16* tokens = zeros<u16>(12000 * 24);
    int* lengths = zeros<int>(12000);
    joinPairs<<<over(12000, 96), 96>>>(in_device(std::vector<char>(wordText.begin(), wordText.end())),
                                       in_device(wordStarts), in_device(table), 8191, tokens, lengths, 12000);
    toSum(tokens, 12000 * 24);
    toSum(lengths, 12000);

    const int chunks = 264, chunkSize = 4096;
    std::vector<u8> packed, plain(chunks * chunkSize);
    std::vector<int> chunkStarts(1, 0);
    double wanted = 0;
    for (int c = 0; c < chunks; ++c) {
        std::vector<u8> chunk;
        while (chunk.size() < chunkSize) {
            const int repeat = chunk.size() > 50 && below(state, 3) ? 4 + below(state, 60) : 0;
            const int back = 1 + below(state, std::min((int)chunk.size(), 2000) + 1);
            if (repeat && back <= (int)chunk.size())
                for (int k = 0; k < repeat; ++k) chunk.push_back(chunk[chunk.size() - back]);
            else
                for (int k = below(state, 20); k >= 0; --k) chunk.push_back("etaoin shrdlu"[below(state, 13)]);
        }
        chunk.resize(chunkSize);
        for (u8 letter : chunk) wanted += letter;
        const std::vector<u8> made = packedCopies(chunk);
        packed.insert(packed.end(), made.begin(), made.end());
        chunkStarts.push_back(packed.size());
    }
    u8* unpacked = zeros<u8>(chunks * chunkSize);
    int* sizes = zeros<int>(chunks);
    unpackCopies<<<chunks / 2, 64>>>(in_device(packed), in_device(chunkStarts), unpacked, sizes, chunkSize, chunks);
    sums.push_back([=] { return sumOf(unpacked, chunks * chunkSize) - wanted; });
    toSum(sizes, chunks);

    // codes of 3 to 12 bits, the rarer bytes the longer ones; they need not be read back here
    std::vector<u32> codes(256);
    for (int i = 0; i < 256; ++i) {
        const u32 length = std::min(3 + i / 16, 12);
        codes[i] = length << 24 | (i * 2654435761u >> (32 - length));
    }
    std::vector<u8> source(2048 * 250);
    for (u8& byte : source) {
        const float u = some(state);
        byte = (u8)(255 * u * u * u);
    }
    u32* bits = zeros<u32>(768 * 250);
    int* bitCounts = zeros<int>(250);
    packCodes<<<250, 256>>>(in_device(source), in_device(codes), bits, bitCounts);
    toSum(bits, 768 * 250);
    toSum(bitCounts, 250);
}

int main() {
    uint32_t state = 67867967;
    runPictures(state);
    runNetworks(state);
    runSecrets(state);
    runTables(state);
    runCells(state);
    runGraphs(state);
    runMarkets(state);
    runBodies(state);
    runSignals(state);
    runGames(state);
    runTexts(state);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    for (const auto& sum : sums) printf(" %.6g", sum());
    printf("\n");
    return error != cudaSuccess;
}
