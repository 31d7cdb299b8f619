// Kernels of applications of many fields, a further set to judge the simulator by.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

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

u64 longNumber(uint32_t& state) {
    const u64 high = next_number(state);
    return high << 32 | next_number(state);
}

// ---------------------------------------------------------------- images and video

// Colours turned around the wheel: to hue and back
__global__ void turnHue(const uchar4* __restrict__ in, uchar4* __restrict__ out, float turn, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const uchar4 c = in[i];
    const float r = c.x / 255.f, g = c.y / 255.f, b = c.z / 255.f;
    const float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), chroma = most - least;
    float hue = 0;
    if (chroma > 0) {
        if (most == r)
            hue = (g - b) / chroma;
        else if (most == g)
            hue = 2 + (b - r) / chroma;
        else
            hue = 4 + (r - g) / chroma;
    }
    hue += turn;
    hue -= 6 * floorf(hue / 6);
    const int sector = (int)hue;
    const float part = hue - sector, falling = most - chroma * part, rising = least + chroma * part;
    float3 o;
    switch (sector) {
        case 0: o = make_float3(most, rising, least); break;
        case 1: o = make_float3(falling, most, least); break;
        case 2: o = make_float3(least, most, rising); break;
        case 3: o = make_float3(least, falling, most); break;
        case 4: o = make_float3(rising, least, most); break;
        default: o = make_float3(most, least, falling); break;
    }
    out[i] = make_uchar4((u8)(o.x * 255 + 0.5f), (u8)(o.y * 255 + 0.5f), (u8)(o.z * 255 + 0.5f), c.w);
}

// Contrast-limited equalisation: the look-up table of each tile of 64x64
__global__ void __launch_bounds__(256)
    tileTables(const u8* __restrict__ in, u8* __restrict__ tables, int width, int limit) {
    __shared__ int bins[256];
    __shared__ int excess;
    const int t = threadIdx.x;
    bins[t] = 0;
    if (t == 0) excess = 0;
    __syncthreads();
    const u8* tile = in + blockIdx.y * 64 * width + blockIdx.x * 64;
    for (int i = t; i < 1024; i += 256) {
        const uchar4 four = *(const uchar4*)(tile + (i >> 4) * width + (i & 15) * 4);
        atomicAdd(&bins[four.x], 1);
        atomicAdd(&bins[four.y], 1);
        atomicAdd(&bins[four.z], 1);
        atomicAdd(&bins[four.w], 1);
    }
    __syncthreads();
    int mine = bins[t];
    if (mine > limit) {
        atomicAdd(&excess, mine - limit);
        mine = limit;
    }
    __syncthreads();
    bins[t] = mine + excess / 256;
    __syncthreads();
    for (int step = 1; step < 256; step <<= 1) {
        const int before = t >= step ? bins[t - step] : 0;
        __syncthreads();
        bins[t] += before;
        __syncthreads();
    }
    tables[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + t] = (u8)min(bins[t] * 255 / 4096, 255);
}

// The same method's second half: each pixel through the four nearest tables, blended
__global__ void blendTables(const u8* __restrict__ in, const u8* __restrict__ tables, u8* __restrict__ out,
                            int width, int height, int tilesX, int tilesY) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float fx = (x + 0.5f) / 64 - 0.5f, fy = (y + 0.5f) / 64 - 0.5f;
    const int left = (int)floorf(fx), top = (int)floorf(fy);
    const float ax = fx - left, ay = fy - top;
    const int x0 = max(left, 0), x1 = min(left + 1, tilesX - 1);
    const int y0 = max(top, 0), y1 = min(top + 1, tilesY - 1);
    const int value = in[y * width + x];
    const float a = tables[(y0 * tilesX + x0) * 256 + value], b = tables[(y0 * tilesX + x1) * 256 + value];
    const float c = tables[(y1 * tilesX + x0) * 256 + value], d = tables[(y1 * tilesX + x1) * 256 + value];
    out[y * width + x] = (u8)((1 - ay) * ((1 - ax) * a + ax * b) + ay * ((1 - ax) * c + ax * d) + 0.5f);
}

__constant__ u8 zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                              12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                              35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                              58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// Bits that the runs and sizes of a quantised block need, a block of 64 coefficients a thread
__global__ void entropyBits(const short* __restrict__ coefficients, const u8* __restrict__ codeLengths,
                            int* __restrict__ bits, int blocks) {
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    const short* from = coefficients + block * 64;
    int total = 33 - __clz(abs(from[0])), run = 0;
    for (int i = 1; i < 64; ++i) {
        const int value = from[zigzag[i]];
        if (value == 0) {
            ++run;
            continue;
        }
        while (run > 15) {
            total += 11;
            run -= 16;
        }
        const int size = 32 - __clz(abs(value));
        total += codeLengths[run * 16 + size] + size;
        run = 0;
    }
    if (run) total += 4;
    bits[block] = total;
}

__device__ __forceinline__ void inverseEight(int& a0, int& a1, int& a2, int& a3, int& a4, int& a5, int& a6,
                                             int& a7, int shift) {
    const int half = 1 << (shift - 1);
    const int s = (a0 + a4) * 2896 + half, d = (a0 - a4) * 2896 + half;
    const int m = a2 * 1567 - a6 * 3784, n = a2 * 3784 + a6 * 1567;
    const int e0 = s + n, e3 = s - n, e1 = d + m, e2 = d - m;
    const int o0 = a1 * 4017 + a3 * 3406 + a5 * 2276 + a7 * 799;
    const int o1 = a1 * 3406 - a3 * 799 - a5 * 4017 - a7 * 2276;
    const int o2 = a1 * 2276 - a3 * 4017 + a5 * 799 + a7 * 3406;
    const int o3 = a1 * 799 - a3 * 2276 + a5 * 3406 - a7 * 4017;
    a0 = (e0 + o0) >> shift, a7 = (e0 - o0) >> shift;
    a1 = (e1 + o1) >> shift, a6 = (e1 - o1) >> shift;
    a2 = (e2 + o2) >> shift, a5 = (e2 - o2) >> shift;
    a3 = (e3 + o3) >> shift, a4 = (e3 - o3) >> shift;
}

// Dequantise and inverse cosine transform in whole numbers, eight threads a block
__global__ void __launch_bounds__(128)
    inverseCosine(const short* __restrict__ in, const u16* __restrict__ scales, u8* __restrict__ out) {
    __shared__ int held[16][8][9];
    const int which = threadIdx.x >> 3, line = threadIdx.x & 7;
    const int block = blockIdx.x * 16 + which;
    const int4 packed = ((const int4*)in)[block * 8 + line];
    const short* eight = (const short*)&packed;
    int v[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = eight[i] * scales[line * 8 + i];
    inverseEight(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 11);
#pragma unroll
    for (int i = 0; i < 8; ++i) held[which][line][i] = v[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = held[which][i][line];
    inverseEight(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 14);
#pragma unroll
    for (int i = 0; i < 8; ++i) out[block * 64 + i * 8 + line] = (u8)min(max(v[i] + 128, 0), 255);
}

// Smoothing across the upright edges of coded blocks, where the step is small enough to be an artefact
__global__ void smoothEdges(u8* picture, const u8* __restrict__ strengths, int width, int height, int alpha,
                            int beta) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (edge * 8 >= width || y >= height) return;
    const int strength = strengths[(y >> 2) * (width / 8) + edge];
    if (strength == 0) return;
    u8* at = picture + y * width + edge * 8;
    const int p0 = at[-1], p1 = at[-2], q0 = at[0], q1 = at[1];
    if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta) return;
    const int p2 = at[-3], q2 = at[2];
    if (strength == 4) {
        const bool close = abs(p0 - q0) < (alpha >> 2) + 2;
        if (close && abs(p2 - p0) < beta) {
            at[-1] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
            at[-2] = (p2 + p1 + p0 + q0 + 2) >> 2;
            at[-3] = (2 * at[-4] + 3 * p2 + p1 + p0 + q0 + 4) >> 3;
        } else {
            at[-1] = (2 * p1 + p0 + q1 + 2) >> 2;
        }
        if (close && abs(q2 - q0) < beta) {
            at[0] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3;
            at[1] = (p0 + q0 + q1 + q2 + 2) >> 2;
            at[2] = (2 * at[3] + 3 * q2 + q1 + q0 + p0 + 4) >> 3;
        } else {
            at[0] = (2 * q1 + q0 + p1 + 2) >> 2;
        }
    } else {
        const int most = strength + (abs(p2 - p0) < beta) + (abs(q2 - q0) < beta);
        const int delta = min(max(((q0 - p0) * 4 + p1 - q1 + 4) >> 3, -most), most);
        at[-1] = min(max(p0 + delta, 0), 255);
        at[0] = min(max(q0 - delta, 0), 255);
    }
}

// Half-pixel positions of a video frame by six taps both ways, a tile of 16x16
__global__ void halfPixels(const u8* __restrict__ in, u8* __restrict__ out, int width, int height) {
    __shared__ u8 tile[21][24];
    __shared__ short across[21][16];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int i = tid; i < 21 * 21; i += 256) {
        const int x = min(max(left + i % 21, 0), width - 1), y = min(max(top + i / 21, 0), height - 1);
        tile[i / 21][i % 21] = in[y * width + x];
    }
    __syncthreads();
    for (int y = ty; y < 21; y += 16) {
        const u8* r = &tile[y][tx];
        across[y][tx] = r[0] - 5 * r[1] + 20 * r[2] + 20 * r[3] - 5 * r[4] + r[5];
    }
    __syncthreads();
    const int sum = across[ty][tx] - 5 * across[ty + 1][tx] + 20 * across[ty + 2][tx] +
                    20 * across[ty + 3][tx] - 5 * across[ty + 4][tx] + across[ty + 5][tx];
    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < width && y < height) out[y * width + x] = min(max((sum + 512) >> 10, 0), 255);
}

// Seam carving: the cheapest paths down an image, a block an image and a thread a column
__global__ void seamCosts(const u8* __restrict__ energies, int* __restrict__ cheapest, u8* __restrict__ steps,
                          int height) {
    extern __shared__ int lines[];
    const int width = blockDim.x, x = threadIdx.x;
    const u8* energy = energies + blockIdx.x * width * height;
    u8* step = steps + blockIdx.x * width * height;
    int* now = lines;
    int* next = lines + width;
    now[x] = energy[x];
    step[x] = 0;
    __syncthreads();
    for (int y = 1; y < height; ++y) {
        int best = now[x], from = 1;
        if (x > 0 && now[x - 1] < best) best = now[x - 1], from = 0;
        if (x + 1 < width && now[x + 1] < best) best = now[x + 1], from = 2;
        next[x] = best + energy[y * width + x];
        step[y * width + x] = from;
        __syncthreads();
        int* swap = now;
        now = next;
        next = swap;
    }
    cheapest[blockIdx.x * width + x] = now[x];
}

// Hough's vote for lines: a block an angle, distances counted in shared memory
__global__ void lineVotes(const short2* __restrict__ edges, int count, int* __restrict__ votes,
                          int distances) {
    extern __shared__ int counted[];
    for (int i = threadIdx.x; i < distances; i += blockDim.x) counted[i] = 0;
    __syncthreads();
    float s, c;
    sincosf(blockIdx.x * 3.14159265f / gridDim.x, &s, &c);
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const short2 e = edges[i];
        const int r = __float2int_rn(e.x * c + e.y * s) + distances / 2;
        if (r >= 0 && r < distances) atomicAdd(&counted[r], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < distances; i += blockDim.x) votes[blockIdx.x * distances + i] = counted[i];
}

__constant__ float2 scanAngles[96];

// Tomography: the filtered projections smeared back over the slice
__global__ void backProject(const float* __restrict__ projections, float* __restrict__ slice, int size,
                            int detectors, int angles) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float px = x - size * 0.5f, py = y - size * 0.5f;
    if (px * px + py * py > size * size * 0.25f) return;
    float sum = 0;
    for (int a = 0; a < angles; ++a) {
        const float at = px * scanAngles[a].x + py * scanAngles[a].y + detectors * 0.5f;
        const int low = (int)at;
        if (low < 0 || low + 1 >= detectors) continue;
        const float* row = projections + a * detectors + low;
        sum += row[0] + (at - low) * (row[1] - row[0]);
    }
    slice[y * size + x] = sum * 3.14159265f / angles;
}

// Ordered dithering to the nearest colour of a palette
__global__ void ditherPalette(const uchar4* __restrict__ in, const uchar4* __restrict__ palette,
                              u8* __restrict__ out, int width, int height, int colours) {
    __shared__ int3 table[64];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    if (tid < colours) {
        const uchar4 p = palette[tid];
        table[tid] = make_int3(p.x, p.y, p.z);
    }
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int threshold = 0;
    for (int bit = 0; bit < 3; ++bit) {
        const int bx = x >> bit & 1, by = y >> bit & 1;
        threshold |= ((bx ^ by) << 1 | by) << (4 - 2 * bit);
    }
    const uchar4 c = in[y * width + x];
    const int r = c.x + threshold - 32, g = c.y + threshold - 32, b = c.z + threshold - 32;
    int best = 0, least = 1 << 30;
    for (int i = 0; i < colours; ++i) {
        const int dr = r - table[i].x, dg = g - table[i].y, db = b - table[i].z;
        const int apart = 3 * dr * dr + 6 * dg * dg + db * db;
        if (apart < least) least = apart, best = i;
    }
    out[y * width + x] = best;
}

// Census of each pixel's 9x7 surroundings, darker or not, in a word of 64 bits
__global__ void censusWords(const u8* __restrict__ in, u64* __restrict__ out, int width, int height) {
    __shared__ u8 tile[22][40];
    const int tid = threadIdx.y * 32 + threadIdx.x;
    for (int i = tid; i < 22 * 40; i += 512) {
        const int x = min(max((int)(blockIdx.x * 32) + i % 40 - 4, 0), width - 1);
        const int y = min(max((int)(blockIdx.y * 16) + i / 40 - 3, 0), height - 1);
        tile[i / 40][i % 40] = in[y * width + x];
    }
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const u8 centre = tile[threadIdx.y + 3][threadIdx.x + 4];
    u64 word = 0;
#pragma unroll
    for (int dy = 0; dy < 7; ++dy)
#pragma unroll
        for (int dx = 0; dx < 9; ++dx) word = word << 1 | (tile[threadIdx.y + dy][threadIdx.x + dx] < centre);
    out[y * width + x] = word;
}

// Semi-global matching along the rows: a warp a row, two disparities a lane
__global__ void matchAlongRows(const uchar2* __restrict__ costs, ushort2* __restrict__ sums, int width,
                               int rows, int small, int large) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const uchar2* cost = costs + row * width * 32 + lane;
    ushort2* sum = sums + row * width * 32 + lane;
    int a = 0, b = 0, least = 0;
    for (int x = 0; x < width; ++x) {
        const uchar2 c = cost[x * 32];
        int below = __shfl_up_sync(~0u, b, 1), above = __shfl_down_sync(~0u, a, 1);
        if (lane == 0) below = 1 << 20;
        if (lane == 31) above = 1 << 20;
        const int jump = least + large;
        const int na = c.x + min(min(a, jump), min(below, b) + small) - least;
        const int nb = c.y + min(min(b, jump), min(a, above) + small) - least;
        a = na, b = nb;
        least = __reduce_min_sync(~0u, min(a, b));
        sum[x * 32] = make_ushort2(a, b);
    }
}

void runImages(uint32_t& state) {
    const int pixels = 700000;
    uchar4* picture = (uchar4*)wholes<u32>(pixels, ~0u);
    uchar4* turned = zeros<uchar4>(pixels);
    turnHue<<<over(pixels, 256), 256>>>(picture, turned, 1.7f, pixels);
    toSum((u8*)turned, 4 * pixels);

    const int width = 1280, height = 704;
    std::vector<u8> smooth(width * height);
    for (int i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width;
        smooth[i] = (u8)(120 + 70 * std::sin(x * 0.013 + y * 0.007) + next_number(state) % 40);
    }
    u8* grey = in_device(smooth);
    u8 *tables = zeros<u8>(20 * 11 * 256), *equalised = zeros<u8>(width * height);
    tileTables<<<dim3(20, 11), 256>>>(grey, tables, width, 40);
    toSum(tables, 20 * 11 * 256);
    blendTables<<<dim3(40, 88), dim3(32, 8)>>>(grey, tables, equalised, width, height, 20, 11);
    toSum(equalised, width * height);

    const int coded = 14080;
    std::vector<short> coefficients(coded * 64);
    for (int i = 0; i < coded * 64; ++i) {
        const int k = i % 64, far = k / 8 + k % 8;
        const u32 drawn = next_number(state) >> 5;
        if (drawn % (1 + far * far / 3) == 0)
            coefficients[i] = (int)(drawn >> 8) % (1 + 200 / (1 + far)) - 100 / (1 + far);
    }
    short* quantised = in_device(coefficients);
    int* bits = zeros<int>(coded);
    std::vector<u8> lengths(256);
    for (int i = 0; i < 256; ++i) lengths[i] = (u8)std::min(16, 2 + i / 16 + i % 16);
    entropyBits<<<over(coded, 64), 64>>>(quantised, in_device(lengths), bits, coded);
    toSum(bits, coded);
    std::vector<u16> scales(64);
    for (int i = 0; i < 64; ++i) scales[i] = 8 + i / 8 + i % 8;
    u8* decoded = zeros<u8>(coded * 64);
    inverseCosine<<<coded / 16, 128>>>(quantised, in_device(scales), decoded);
    toSum(decoded, coded * 64);

    std::vector<u8> strengths(width / 8 * (height / 4));
    for (u8& strength : strengths) {
        const u32 drawn = (next_number(state) >> 7) % 8;
        strength = drawn > 5 ? 4 : drawn > 3 ? 0 : drawn;
    }
    u8* filtered = in_device(smooth);
    smoothEdges<<<dim3(5, 88), dim3(32, 8)>>>(filtered, in_device(strengths), width, height, 60, 30);
    toSum(filtered, width * height);
    u8* halves = zeros<u8>(width * height);
    halfPixels<<<dim3(80, 44), dim3(16, 16)>>>(grey, halves, width, height);
    toSum(halves, width * height);

    int* cheapest = zeros<int>(40 * 512);
    u8* steps = zeros<u8>(40 * 512 * 100);
    seamCosts<<<40, 512, 2 * 512 * 4>>>(wholes<u8>(40 * 512 * 100, 256), cheapest, steps, 100);
    toSum(cheapest, 40 * 512);
    toSum(steps, 40 * 512 * 100);

    const int points = 12000;
    std::vector<short2> edges(points);
    for (int i = 0; i < points; ++i) {
        const int x = (next_number(state) >> 4) % 1000;
        const int y = i % 3 ? 100 + x / 2 : (next_number(state) >> 4) % 700;
        edges[i] = make_short2(x, y);
    }
    int* votes = zeros<int>(180 * 2600);
    lineVotes<<<180, 512, 2600 * 4>>>(in_device(edges), points, votes, 2600);
    toSum(votes, 180 * 2600);

    std::vector<float2> angles(96);
    for (int a = 0; a < 96; ++a) angles[a] = make_float2(std::cos(a * M_PI / 96), std::sin(a * M_PI / 96));
    cudaMemcpyToSymbol(scanAngles, angles.data(), 96 * sizeof(float2));
    float* slice = zeros<float>(256 * 256);
    backProject<<<dim3(16, 16), dim3(16, 16)>>>(reals(96 * 384, -1, 2), slice, 256, 384, 96);
    toSum(slice, 256 * 256);
    float* coarse = zeros<float>(128 * 128);
    backProject<<<dim3(4, 32), dim3(32, 4)>>>(reals(40 * 200, -1, 2), coarse, 128, 200, 40);
    toSum(coarse, 128 * 128);

    u8* dithered = zeros<u8>(400 * 300);
    ditherPalette<<<dim3(25, 38), dim3(16, 8)>>>(picture, (uchar4*)wholes<u32>(64, ~0u), dithered, 400, 300,
                                                 64);
    toSum(dithered, 400 * 300);
    u64* census = zeros<u64>(640 * 400);
    censusWords<<<dim3(20, 25), dim3(32, 16)>>>(grey, census, 640, 400);
    toSum(census, 640 * 400);
    u16* matched = zeros<u16>(600 * 160 * 64);
    matchAlongRows<<<150, 128>>>((uchar2*)wholes<u8>(600 * 160 * 64, 64), (ushort2*)matched, 160, 600, 8, 32);
    toSum(matched, 600 * 160 * 64);
}

// ---------------------------------------------------------------- sound

struct Band {
    int first, peak, last;
};

// Loudness in the bands of the ear's scale: a warp a frame and band, logarithm of triangle-weighted power
__global__ void earBands(const float2* __restrict__ spectrum, const Band* __restrict__ bands,
                         float* __restrict__ out, int bins, int count) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int frame = blockIdx.x;
    for (int b = warp.meta_group_rank(); b < count; b += warp.meta_group_size()) {
        const Band band = bands[b];
        float sum = 0;
        for (int k = band.first + warp.thread_rank(); k < band.last; k += 32) {
            const float2 v = spectrum[frame * bins + k];
            const float weight = k < band.peak ? (k - band.first + 1.f) / (band.peak - band.first + 1)
                                               : (float)(band.last - k) / (band.last - band.peak);
            sum += weight * (v.x * v.x + v.y * v.y);
        }
        sum = cg::reduce(warp, sum, cg::plus<float>());
        if (warp.thread_rank() == 0) out[frame * count + b] = logf(fmaxf(sum, 1e-10f));
    }
}

// Linear prediction of a frame of speech: windowed autocorrelation, then Levinson and Durbin
template <int Order>
__global__ void predictFrames(const short* __restrict__ samples, float* __restrict__ coefficients, int length,
                              int hop) {
    extern __shared__ float windowed[];
    __shared__ float lags[Order + 1];
    const short* from = samples + blockIdx.x * hop;
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        windowed[i] = from[i] / 32768.f * (0.54f - 0.46f * cosf(6.2831853f * i / (length - 1)));
    __syncthreads();
    const int lane = threadIdx.x & 31;
    for (int lag = threadIdx.x >> 5; lag <= Order; lag += blockDim.x >> 5) {
        float sum = 0;
        for (int i = lag + lane; i < length; i += 32) sum += windowed[i] * windowed[i - lag];
        for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
        if (lane == 0) lags[lag] = sum;
    }
    __syncthreads();
    if (threadIdx.x) return;
    float a[Order + 1], error = lags[0] + 1e-6f;
    a[0] = 1;
#pragma unroll
    for (int i = 1; i <= Order; ++i) {
        float sum = lags[i];
#pragma unroll
        for (int j = 1; j < i; ++j) sum += a[j] * lags[i - j];
        const float reflect = -sum / error;
        a[i] = reflect;
#pragma unroll
        for (int j = 1; j <= i / 2; ++j) {
            const float low = a[j], high = a[i - j];
            a[j] = low + reflect * high;
            if (j != i - j) a[i - j] = high + reflect * low;
        }
        error *= 1 - reflect * reflect;
    }
#pragma unroll
    for (int i = 0; i <= Order; ++i) coefficients[blockIdx.x * (Order + 1) + i] = a[i];
}

// Lossless sound: for each partition of residuals, the Rice parameter that needs the fewest bits
__global__ void riceParameters(const int* __restrict__ residuals, int2* __restrict__ chosen, int each,
                               int partitions) {
    const int p = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
    if (p >= partitions) return;
    u32 bits[15] = {};
    for (int i = lane; i < each; i += 32) {
        const int r = residuals[p * each + i];
        const u32 folded = (u32)(r << 1 ^ r >> 31);
#pragma unroll
        for (int k = 0; k < 15; ++k) bits[k] += (folded >> k) + 1 + k;
    }
    u32 least = ~0u;
    int best = 0;
#pragma unroll
    for (int k = 0; k < 15; ++k) {
        const u32 total = __reduce_add_sync(~0u, bits[k]);
        if (total < least) least = total, best = k;
    }
    if (lane == 0) chosen[p] = make_int2(best, least);
}

// Phase vocoder: each bin's true frequency from its change of phase, and a new phase run up, frame after
// frame
__global__ void stretchPhases(const float2* __restrict__ in, float2* __restrict__ out, int bins, int frames,
                              float stretch) {
    const int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= bins) return;
    const float expected = 6.2831853f * 0.25f * bin;
    float last = 0, run = 0;
    for (int f = 0; f < frames; ++f) {
        const float2 v = in[f * bins + bin];
        const float phase = atan2f(v.y, v.x), size = hypotf(v.x, v.y);
        float change = phase - last - expected;
        last = phase;
        change -= 6.2831853f * rintf(change * 0.15915494f);
        run = fmodf(run + (expected + change) * stretch, 6.2831853f);
        float s, c;
        sincosf(run, &s, &c);
        out[f * bins + bin] = make_float2(size * c, size * s);
    }
}

// A room's echo: parallel combs with damping and allpasses after, delay lines in shared memory, a voice a
// thread
__global__ void roomEcho(const float* __restrict__ in, float* __restrict__ out, int voices, int samples) {
    __shared__ float comb[4][23][32];
    __shared__ float pass[11][32];
    const int t = threadIdx.x, voice = blockIdx.x * 32 + t;
    const int delays[4] = {23, 21, 19, 17};
#pragma unroll
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 23; ++i) comb[k][i][t] = 0;
    for (int i = 0; i < 11; ++i) pass[i][t] = 0;
    if (voice >= voices) return;
    int at[5] = {};
    float kept[4] = {};
    for (int s = 0; s < samples; ++s) {
        const float dry = in[s * voices + voice];
        float wet = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float heard = comb[k][at[k]][t];
            kept[k] = heard * 0.8f + kept[k] * 0.2f;
            comb[k][at[k]][t] = dry + kept[k] * 0.7f;
            if (++at[k] == delays[k]) at[k] = 0;
            wet += heard;
        }
        const float old = pass[at[4]][t];
        pass[at[4]][t] = wet + old * 0.5f;
        at[4] = at[4] == 10 ? 0 : at[4] + 1;
        out[s * voices + voice] = 0.6f * dry + 0.1f * (old - wet * 0.5f);
    }
}

void runSound(uint32_t& state) {
    std::vector<Band> bands;
    for (int b = 0; b < 40; ++b) {
        auto bin = [](int k) { return (int)(4 * (std::exp(k * 0.11) - 1) * 1.2 + k); };
        const int first = bin(b);
        bands.push_back({first, std::max(first + 1, bin(b + 1)), std::max(first + 2, bin(b + 2))});
    }
    const int bins = std::max(513, bands.back().last);
    float* loud = zeros<float>(600 * 40);
    earBands<<<600, 256>>>((float2*)reals(2 * 600 * bins, -1, 1), in_device(bands), loud, bins, 40);
    toSum(loud, 600 * 40);

    std::vector<short> speech(800 * 160 + 480);
    for (size_t i = 0; i < speech.size(); ++i)
        speech[i] =
            (short)(9000 * std::sin(i * 0.07) + 5000 * std::sin(i * 0.21 + 1) + next_number(state) % 4000);
    short* spoken = in_device(speech);
    float* predicted = zeros<float>(800 * 17);
    predictFrames<16><<<800, 128, 480 * 4>>>(spoken, predicted, 480, 160);
    toSum(predicted, 800 * 17);
    predictFrames<10><<<400, 64, 240 * 4>>>(spoken, predicted, 240, 160);
    toSum(predicted, 400 * 11);

    const int partitions = 2500, each = 256;
    std::vector<int> residuals(partitions * each);
    for (int i = 0; i < partitions * each; ++i)
        residuals[i] = (int)((next_number(state) >> 6) % (16u << i / each % 9)) - (8 << i / each % 9);
    int2* chosen = zeros<int2>(partitions);
    riceParameters<<<over(partitions, 6), 192>>>(in_device(residuals), chosen, each, partitions);
    toSum((int*)chosen, 2 * partitions);

    float2* stretched = zeros<float2>(2049 * 60);
    stretchPhases<<<over(2049, 32), 32>>>((float2*)reals(2 * 2049 * 60, -1, 1), stretched, 2049, 60, 1.3f);
    toSum((float*)stretched, 2 * 2049 * 60);
    float* echoed = zeros<float>(4000 * 120);
    roomEcho<<<125, 32>>>(reals(4000 * 120, -1, 1), echoed, 4000, 120);
    toSum(echoed, 4000 * 120);
}

// ---------------------------------------------------------------- ciphers, codes

__constant__ u8 blakeOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                      {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                      {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                      {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                      {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                      {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

__device__ __forceinline__ void blakeMix(u32& a, u32& b, u32& c, u32& d, u32 x, u32 y) {
    a += b + x, d = __funnelshift_r(d ^ a, d ^ a, 16);
    c += d, b = __funnelshift_r(b ^ c, b ^ c, 12);
    a += b + y, d = __funnelshift_r(d ^ a, d ^ a, 8);
    c += d, b = __funnelshift_r(b ^ c, b ^ c, 7);
}

// BLAKE2s of the leaves of a hash tree, rounds in a loop that picks the words of the message by a table
__global__ void blakeLeaves(const u32* __restrict__ messages, u32* __restrict__ hashes, int blocks,
                            int leaves) {
    const int leaf = blockIdx.x * blockDim.x + threadIdx.x;
    if (leaf >= leaves) return;
    const u32 start[8] = {0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au,
                          0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u};
    u32 h[8], m[16];
#pragma unroll
    for (int i = 0; i < 8; ++i) h[i] = start[i];
    h[0] ^= 0x01010020u;
    for (int b = 0; b < blocks; ++b) {
#pragma unroll
        for (int i = 0; i < 16; ++i) m[i] = messages[(b * 16 + i) * leaves + leaf];
        u32 v[16];
#pragma unroll
        for (int i = 0; i < 8; ++i) v[i] = h[i], v[i + 8] = start[i];
        v[12] ^= (b + 1) * 64;
        if (b == blocks - 1) v[14] = ~v[14];
#pragma unroll 1
        for (int r = 0; r < 10; ++r) {
            const u8* o = blakeOrder[r];
            blakeMix(v[0], v[4], v[8], v[12], m[o[0]], m[o[1]]);
            blakeMix(v[1], v[5], v[9], v[13], m[o[2]], m[o[3]]);
            blakeMix(v[2], v[6], v[10], v[14], m[o[4]], m[o[5]]);
            blakeMix(v[3], v[7], v[11], v[15], m[o[6]], m[o[7]]);
            blakeMix(v[0], v[5], v[10], v[15], m[o[8]], m[o[9]]);
            blakeMix(v[1], v[6], v[11], v[12], m[o[10]], m[o[11]]);
            blakeMix(v[2], v[7], v[8], v[13], m[o[12]], m[o[13]]);
            blakeMix(v[3], v[4], v[9], v[14], m[o[14]], m[o[15]]);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) h[i] ^= v[i] ^ v[i + 8];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) hashes[i * leaves + leaf] = h[i];
}

// Poly1305 tags of many packets, in limbs of 26 bits
__global__ void packetTags(const uint4* __restrict__ packets, const uint4* __restrict__ keys,
                           uint4* __restrict__ tags, int words, int count) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= count) return;
    const uint4 k = keys[p];
    const u32 r0 = k.x & 0x3ffffff, r1 = (k.x >> 26 | k.y << 6) & 0x3ffff03,
              r2 = (k.y >> 20 | k.z << 12) & 0x3ffc0ff;
    const u32 r3 = (k.z >> 14 | k.w << 18) & 0x3f03fff, r4 = k.w >> 8 & 0x00fffff;
    const u32 s1 = r1 * 5, s2 = r2 * 5, s3 = r3 * 5, s4 = r4 * 5;
    u32 h0 = 0, h1 = 0, h2 = 0, h3 = 0, h4 = 0;
    for (int w = 0; w < words; ++w) {
        const uint4 m = packets[(size_t)p * words + w];
        h0 += m.x & 0x3ffffff;
        h1 += (m.x >> 26 | m.y << 6) & 0x3ffffff;
        h2 += (m.y >> 20 | m.z << 12) & 0x3ffffff;
        h3 += (m.z >> 14 | m.w << 18) & 0x3ffffff;
        h4 += m.w >> 8 | 1u << 24;
        u64 d0 = (u64)h0 * r0 + (u64)h1 * s4 + (u64)h2 * s3 + (u64)h3 * s2 + (u64)h4 * s1;
        u64 d1 = (u64)h0 * r1 + (u64)h1 * r0 + (u64)h2 * s4 + (u64)h3 * s3 + (u64)h4 * s2;
        u64 d2 = (u64)h0 * r2 + (u64)h1 * r1 + (u64)h2 * r0 + (u64)h3 * s4 + (u64)h4 * s3;
        u64 d3 = (u64)h0 * r3 + (u64)h1 * r2 + (u64)h2 * r1 + (u64)h3 * r0 + (u64)h4 * s4;
        u64 d4 = (u64)h0 * r4 + (u64)h1 * r3 + (u64)h2 * r2 + (u64)h3 * r1 + (u64)h4 * r0;
        d1 += d0 >> 26, h0 = (u32)d0 & 0x3ffffff;
        d2 += d1 >> 26, h1 = (u32)d1 & 0x3ffffff;
        d3 += d2 >> 26, h2 = (u32)d2 & 0x3ffffff;
        d4 += d3 >> 26, h3 = (u32)d3 & 0x3ffffff;
        h0 += (u32)(d4 >> 26) * 5, h4 = (u32)d4 & 0x3ffffff;
        h1 += h0 >> 26, h0 &= 0x3ffffff;
    }
    tags[p] = make_uint4(h0 | h1 << 26, h1 >> 6 | h2 << 20, h2 >> 12 | h3 << 14, h3 >> 18 | h4 << 8);
}

constexpr u64 fieldPrime = 0xFFFFFFFF00000001ull;

__device__ __forceinline__ u64 fieldAdd(u64 a, u64 b) {
    const u64 sum = a + b;
    return sum < a || sum >= fieldPrime ? sum - fieldPrime : sum;
}

__device__ __noinline__ u64 fieldTimes(u64 a, u64 b) {
    const u64 low = a * b, high = __umul64hi(a, b);
    const u64 top = high >> 32, middle = high & 0xffffffffu;
    u64 t = low - top;
    if (low < top) t -= 0xffffffffu;
    const u64 added = (middle << 32) - middle;
    u64 sum = t + added;
    if (sum < t) sum += 0xffffffffu;
    return sum >= fieldPrime ? sum - fieldPrime : sum;
}

// A hash for proofs: seventh powers in a field of 64 bits, mixed by a small matrix
template <int Width>
__global__ void sevenfoldMix(u64* states, const u64* __restrict__ constants, int fullRounds, int partRounds,
                             int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 s[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) s[k] = states[(size_t)k * count + i] % fieldPrime;
    for (int r = 0; r < fullRounds + partRounds; ++r) {
        const bool full = r < fullRounds / 2 || r >= fullRounds / 2 + partRounds;
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            s[k] = fieldAdd(s[k], constants[r * Width + k]);
            if (k == 0 || full) {
                const u64 two = fieldTimes(s[k], s[k]), three = fieldTimes(two, s[k]);
                s[k] = fieldTimes(fieldTimes(three, three), s[k]);
            }
        }
        u64 sum = 0;
#pragma unroll
        for (int k = 0; k < Width; ++k) sum = fieldAdd(sum, s[k]);
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            u64 scaled = s[k];
            for (int d = 0; d <= k; ++d) scaled = fieldAdd(scaled, scaled);
            s[k] = fieldAdd(scaled, sum);
        }
    }
#pragma unroll
    for (int k = 0; k < Width; ++k) states[(size_t)k * count + i] = s[k];
}

// A secret split into shares: polynomials over bytes, by tables of logarithms in shared memory
__global__ void splitSecret(const u8* __restrict__ secret, const u8* __restrict__ random,
                            u8* __restrict__ shares, int threshold, int holders, int count) {
    __shared__ u8 logs[256], powers[512];
    if (threadIdx.x == 0) {
        int x = 1;
        logs[0] = 0;
        for (int i = 0; i < 255; ++i) {
            powers[i] = powers[i + 255] = x;
            logs[x] = i;
            x ^= x << 1 ^ (x & 0x80 ? 0x11b : 0);
            x &= 0xff;
        }
        powers[510] = powers[511] = 1;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        for (int h = 1; h <= holders; ++h) {
            const int turn = logs[h];
            u32 value = 0;
            for (int k = threshold - 1; k > 0; --k) {
                value ^= random[(k - 1) * count + i];
                if (value) value = powers[logs[value] + turn];
            }
            shares[(h - 1) * count + i] = value ^ secret[i];
        }
}

// Undoing the block-sorting transform: chases through the permutation, a thread a stretch of text
__global__ void unsortText(const u32* __restrict__ links, const u32* __restrict__ starts,
                           u8* __restrict__ text, int each, int stretches) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= stretches) return;
    u32 at = starts[s];
    u32 four = 0;
    for (int i = 0; i < each; ++i) {
        const u32 link = links[at];
        four = four >> 8 | link << 24;
        at = link >> 8;
        if ((i & 3) == 3) ((u32*)text)[(s * each + i) >> 2] = four;
    }
}

// Adaptive binary range decoder: bytes bit by bit through a tree of chances that learn, a stream a thread
__global__ void rangeDecode(const u8* __restrict__ streams, u8* __restrict__ out, int length, int bytes,
                            int count) {
    __shared__ u16 chances[256][32];
    const int t = threadIdx.x, s = blockIdx.x * 32 + t;
    for (int i = 0; i < 256; ++i) chances[i][t] = 1024;
    if (s >= count) return;
    const u8* in = streams + s * length;
    u32 range = ~0u, code = 0;
    int at = 0;
    for (; at < 4; ++at) code = code << 8 | in[at];
    for (int b = 0; b < bytes; ++b) {
        int node = 1;
        while (node < 256) {
            const u32 chance = chances[node][t], bound = (range >> 11) * chance;
            if (code < bound) {
                range = bound;
                chances[node][t] = chance + ((2048 - chance) >> 5);
                node = node * 2;
            } else {
                range -= bound, code -= bound;
                chances[node][t] = chance - (chance >> 5);
                node = node * 2 + 1;
            }
            while (range < 1u << 24) {
                range <<= 8;
                code = code << 8 | (at < length ? in[at] : 0);
                ++at;
            }
        }
        out[b * count + s] = (u8)node;
    }
}

// Planes of bits: each warp turns 32 words by votes
__global__ void bitPlanes(const u32* __restrict__ in, u32* __restrict__ out, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int first = i - lane;
    if (first >= words) return;
    const u32 word = in[i] ^ (i ? in[i - 1] : 0);
    u32 mine = 0;
#pragma unroll
    for (int bit = 0; bit < 32; ++bit) {
        const u32 plane = __ballot_sync(~0u, word >> bit & 1);
        if (lane == bit) mine = plane;
    }
    out[lane * (words / 32) + first / 32] = mine;
}

// Whole numbers packed into words of 64 bits with a selector of four: a word a thread
__global__ void unpackSelected(const u64* __restrict__ words, const int* __restrict__ offsets,
                               u32* __restrict__ out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 word = words[i];
    u32* to = out + offsets[i];
    const int selector = (int)(word & 15);
    word >>= 4;
    int number, width;
    switch (selector) {
        case 0: number = 60, width = 1; break;
        case 1: number = 30, width = 2; break;
        case 2: number = 20, width = 3; break;
        case 3: number = 15, width = 4; break;
        case 4: number = 12, width = 5; break;
        case 5: number = 10, width = 6; break;
        case 6: number = 8, width = 7; break;
        case 7: number = 7, width = 8; break;
        case 8: number = 6, width = 10; break;
        case 9: number = 5, width = 12; break;
        case 10: number = 4, width = 15; break;
        case 11: number = 3, width = 20; break;
        default: number = 2, width = 30; break;
    }
    const u32 mask = (1u << width) - 1;
    for (int k = 0; k < number; ++k) {
        to[k] = (u32)word & mask;
        word >>= width;
    }
}

void runCodes(uint32_t& state) {
    const int leaves = 24000;
    u32* hashes = zeros<u32>(8 * leaves);
    blakeLeaves<<<over(leaves, 128), 128>>>(wholes<u32>(leaves * 16 * 3, ~0u), hashes, 3, leaves);
    toSum(hashes, 8 * leaves);
    uint4* tags = zeros<uint4>(20000);
    packetTags<<<over(20000, 96), 96>>>((uint4*)wholes<u32>(20000 * 12 * 4, ~0u),
                                        (uint4*)wholes<u32>(80000, ~0u), tags, 12, 20000);
    toSum((u32*)tags, 80000);
    std::vector<u64> mixed(8 * 4000), constants(8 * 30);
    for (u64& m : mixed) m = longNumber(state);
    for (u64& c : constants) c = longNumber(state) % fieldPrime;
    u64 *states = in_device(mixed), *roundConstants = in_device(constants);
    sevenfoldMix<8><<<over(4000, 64), 64>>>(states, roundConstants, 8, 22, 4000);
    toSum(states, 8 * 4000);
    u64* fewer = in_device(mixed);
    sevenfoldMix<3><<<over(10000, 256), 256>>>(fewer, roundConstants, 8, 14, 10000);
    toSum(fewer, 3 * 10000);

    const int secrets = 300000;
    u8* shares = zeros<u8>(6 * secrets);
    splitSecret<<<264, 256>>>(wholes<u8>(secrets, 256), wholes<u8>(3 * secrets, 256), shares, 4, 6, secrets);
    toSum(shares, 6 * secrets);

    const int letters = 1 << 20, stretches = 8192;
    std::vector<u32> order(letters), links(letters), starts(stretches);
    for (int i = 0; i < letters; ++i) order[i] = i;
    for (int i = letters - 1; i > 0; --i) std::swap(order[i], order[next_number(state) % (i + 1)]);
    for (int i = 0; i < letters; ++i) links[order[i]] = order[(i + 1) % letters] << 8 | (97 + i * 7 % 26);
    for (int s = 0; s < stretches; ++s) starts[s] = order[s * (letters / stretches)];
    u8* text = zeros<u8>(letters);
    unsortText<<<over(stretches, 64), 64>>>(in_device(links), in_device(starts), text, letters / stretches,
                                            stretches);
    toSum(text, letters);

    u8* decoded = zeros<u8>(2000 * 60);
    rangeDecode<<<over(2000, 32), 32>>>(wholes<u8>(2000 * 80, 256), decoded, 80, 60, 2000);
    toSum(decoded, 2000 * 60);
    const int words = 1 << 19;
    u32* planes = zeros<u32>(words);
    bitPlanes<<<words / 512, 512>>>(wholes<u32>(words, 5000), planes, words);
    toSum(planes, words);

    const int held[16] = {60, 30, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 2, 2, 2};
    const int packed = 80000;
    std::vector<u64> selected(packed);
    std::vector<int> offsets(packed);
    int total = 0;
    for (int i = 0; i < packed; ++i) {
        const u64 drawn = longNumber(state);
        selected[i] = (drawn & ~15ull) | (4 + (drawn >> 20) % (i % 7 == 0 ? 12 : 3));
        offsets[i] = total;
        total += held[selected[i] & 15];
    }
    u32* unpacked = zeros<u32>(total);
    unpackSelected<<<over(packed, 128), 128>>>(in_device(selected), in_device(offsets), unpacked, packed);
    toSum(unpacked, total);
}

// ---------------------------------------------------------------- sequences, texts, tables

struct Seed {
    int query, target;
};

// Seeds extended both ways without gaps until the score falls too far below its best
__global__ void extendSeeds(const u8* __restrict__ query, const u8* __restrict__ target,
                            const Seed* __restrict__ seeds, int4* __restrict__ hits, int queryLength,
                            int targetLength, int drop, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Seed seed = seeds[i];
    int score = 0, best = 0, right = 0;
    for (int k = 0; seed.query + k < queryLength && seed.target + k < targetLength; ++k) {
        score += query[seed.query + k] == target[seed.target + k] ? 5 : -4;
        if (score > best) best = score, right = k + 1;
        if (score < best - drop) break;
    }
    int left = 0;
    score = best;
    for (int k = 1; k <= seed.query && k <= seed.target; ++k) {
        score += query[seed.query - k] == target[seed.target - k] ? 5 : -4;
        if (score > best) best = score, left = k;
        if (score < best - drop) break;
    }
    hits[i] = make_int4(seed.query - left, seed.target - left, left + right, best);
}

// Edit distance by Myers' bit vectors: patterns of 64 letters, packed two bits a letter
__global__ void bitVectorDistance(const uint4* __restrict__ patterns, const u32* __restrict__ texts,
                                  int* __restrict__ distances, int words, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const uint4 packed = patterns[i];
    u64 peq[4] = {};
#pragma unroll
    for (int k = 0; k < 64; ++k) {
        const u32 word = k < 16 ? packed.x : k < 32 ? packed.y : k < 48 ? packed.z : packed.w;
        const u32 letter = word >> (2 * (k & 15)) & 3;
#pragma unroll
        for (u32 c = 0; c < 4; ++c) peq[c] |= (u64)(letter == c) << k;
    }
    u64 pv = ~0ull, mv = 0;
    int score = 64, least = 64;
    for (int w = 0; w < words; ++w) {
        u32 text = texts[w * count + i];
        for (int k = 0; k < 16; ++k, text >>= 2) {
            const u64 low = text & 1 ? peq[1] : peq[0], high = text & 1 ? peq[3] : peq[2];
            const u64 eq = text & 2 ? high : low;
            const u64 xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
            u64 ph = mv | ~(xh | pv), mh = pv & xh;
            score += (int)(ph >> 63) - (int)(mh >> 63);
            least = min(least, score);
            ph <<= 1, mh <<= 1;
            pv = mh | ~(xv | ph), mv = ph & xv;
        }
    }
    distances[i] = least;
}

// Protein family filter: scores of a profile in saturating bytes, four a word, a warp a sequence
__global__ void profileFilter(const u8* __restrict__ residues, const int* __restrict__ starts,
                              const u32* __restrict__ costs, int* __restrict__ scores, int sequences) {
    __shared__ u32 table[20 * 64];
    for (int i = threadIdx.x; i < 20 * 64; i += blockDim.x) table[i] = costs[i];
    __syncthreads();
    const int warps = gridDim.x * (blockDim.x >> 5), lane = threadIdx.x & 31;
    for (int s = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); s < sequences; s += warps) {
        u32 first = 0, second = 0, most = 0;
        for (int i = starts[s]; i < starts[s + 1]; ++i) {
            const u32* row = table + residues[i] * 64;
            u32 from = __shfl_up_sync(~0u, second, 1);
            if (lane == 0) from = 0;
            const u32 shifted = __byte_perm(first, from, 0x2107), after = __byte_perm(second, first, 0x2107);
            first = __vsubus4(__vaddus4(__vmaxu4(shifted, 0x0a0a0a0au), 0x06060606u), row[lane]);
            second = __vsubus4(__vaddus4(__vmaxu4(after, 0x0a0a0a0au), 0x06060606u), row[lane + 32]);
            most = __vmaxu4(most, __vmaxu4(first, second));
        }
        most = __vmaxu4(most, most >> 16);
        most = __reduce_max_sync(~0u, max(most & 255, most >> 8 & 255));
        if (lane == 0) scores[s] = most;
    }
}

// Chains of matching places in long reads: a warp a read, each place against the 64 before it
__global__ void chainPlaces(const int2* __restrict__ places, const int* __restrict__ starts,
                            int* __restrict__ best, int reads) {
    extern __shared__ int held[];
    const int read = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
    int* ring = held + threadIdx.x / 32 * 64;
    if (read >= reads) return;
    const int first = starts[read], last = starts[read + 1];
    int top = 0;
    for (int i = first; i < last; ++i) {
        const int2 here = places[i];
        int score = 15;
        for (int j = i - 1 - lane; j >= max(first, i - 64); j -= 32) {
            const int2 there = places[j];
            const int dx = here.x - there.x, dy = here.y - there.y;
            if (dx <= 0 || dy <= 0 || dx > 5000) continue;
            const int gap = abs(dx - dy);
            if (gap > 500) continue;
            const int cost = gap ? (int)(0.15f * gap + 0.5f * __log2f((float)gap)) : 0;
            score = max(score, ring[j & 63] + min(min(dx, dy), 15) - cost);
        }
        score = __reduce_max_sync(~0u, score);
        __syncwarp();
        if (lane == 0) ring[i & 63] = score;
        __syncwarp();
        top = max(top, score);
    }
    if (lane == 0) best[read] = top;
}

// Linkage of pairs of genetic sites from rows of bits, a tile of 16x16 pairs
__global__ void siteLinkage(const u32* __restrict__ rows, float* __restrict__ linkage, int words, int sites,
                            float people) {
    __shared__ u32 a[16][17], b[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (blockIdx.x < blockIdx.y) return;
    const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    int both = 0, left = 0, right = 0;
    for (int w = 0; w < words; w += 16) {
        a[ty][tx] = rows[(blockIdx.y * 16 + ty) * words + w + tx];
        b[ty][tx] = rows[(blockIdx.x * 16 + ty) * words + w + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const u32 x = a[ty][k], y = b[tx][k];
            both += __popc(x & y), left += __popc(x), right += __popc(y);
        }
        __syncthreads();
    }
    const float pa = left / people, pb = right / people, d = both / people - pa * pb;
    const float spread = pa * (1 - pa) * pb * (1 - pb);
    linkage[i * sites + j] = spread > 0 ? d * d / spread : 0.f;
}

// Separated values: commas and line ends outside quotes, by votes and the parity of quotes before, a warp a
// row
__global__ void countFields(const u8* __restrict__ text, int* __restrict__ fields, int length, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const u8* line = text + row * length;
    int count = 1;
    u32 inside = 0;
    for (int base = 0; base < length; base += 32) {
        const u8 c = base + lane < length ? line[base + lane] : ' ';
        const u32 quotes = __ballot_sync(~0u, c == '"'), commas = __ballot_sync(~0u, c == ',');
        const u32 ends = __ballot_sync(~0u, c == '\n');
        u32 parity = quotes;
        parity ^= parity << 1, parity ^= parity << 2, parity ^= parity << 4, parity ^= parity << 8;
        parity ^= parity << 16;
        parity ^= inside;
        inside = (int)parity < 0 ? ~0u : 0;
        count += __popc(commas & ~parity);
        const u32 end = ends & ~parity;
        if (end) {
            count -= __popc(commas & ~parity & ~((end & -end) - 1));
            break;
        }
    }
    if (lane == 0) fields[row] = count;
}

// Expressions matched by a set of states in a word, the states that follow joined bit by bit
__global__ void matchStates(const u8* __restrict__ texts, const u32* __restrict__ letters,
                            const u32* __restrict__ follow, int* __restrict__ ends, int length, u32 final,
                            int count) {
    __shared__ u32 masks[128], next[32];
    for (int i = threadIdx.x; i < 128; i += blockDim.x) masks[i] = letters[i];
    if (threadIdx.x < 32) next[threadIdx.x] = follow[threadIdx.x];
    __syncthreads();
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;
    u32 active = 1;
    int end = -1;
    for (int i = 0; i < length; ++i) {
        const u32 letter = masks[texts[i * count + s] & 127];
        u32 reached = 1;
        while (active) {
            const int at = __ffs(active) - 1;
            active &= active - 1;
            reached |= next[at];
        }
        active = reached & (letter | 1);
        if (active & final) {
            end = i;
            break;
        }
    }
    ends[s] = end;
}

// How alike names are, after Jaro: letters in common near each other and those out of order
__global__ void likeNames(const char* __restrict__ names, const int2* __restrict__ pairs,
                          float* __restrict__ alike, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int2 pair = pairs[i];
    const char *a = names + pair.x * 16, *b = names + pair.y * 16;
    int la = 0, lb = 0;
    while (la < 16 && a[la]) ++la;
    while (lb < 16 && b[lb]) ++lb;
    const int reach = max(max(la, lb) / 2 - 1, 0);
    char common[16];
    u32 taken = 0;
    int found = 0;
    for (int k = 0; k < la; ++k)
        for (int j = max(0, k - reach); j < min(lb, k + reach + 1); ++j)
            if (!(taken >> j & 1) && a[k] == b[j]) {
                taken |= 1u << j;
                common[found++] = a[k];
                break;
            }
    float result = 0;
    if (found) {
        int turned = 0, at = 0;
        for (int j = 0; j < lb; ++j)
            if (taken >> j & 1) turned += b[j] != common[at++];
        const float m = found;
        result = (m / la + m / lb + (m - turned / 2) / m) / 3;
        int prefix = 0;
        while (prefix < 4 && prefix < la && prefix < lb && a[prefix] == b[prefix]) ++prefix;
        result += 0.1f * prefix * (1 - result);
    }
    alike[i] = result;
}

// Searching texts: the postings of a query's words scored into shared memory, the best of the block given
// back
__global__ void __launch_bounds__(512)
    scoreTexts(const int* __restrict__ postingStarts, const u32* __restrict__ postings,
               const u8* __restrict__ lengths, const int* __restrict__ queries, float2* __restrict__ best,
               int texts, int terms) {
    extern __shared__ float scores[];
    __shared__ float tops[16];
    __shared__ int where[16];
    for (int i = threadIdx.x; i < texts; i += blockDim.x) scores[i] = 0;
    __syncthreads();
    for (int q = 0; q < terms; ++q) {
        const int term = queries[blockIdx.x * terms + q];
        const int first = postingStarts[term], last = postingStarts[term + 1];
        const float rarity = logf((texts - (last - first) + 0.5f) / (last - first + 0.5f) + 1);
        for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
            const u32 posting = postings[i];
            const float often = posting & 15, length = lengths[posting >> 4];
            scores[posting >> 4] += rarity * often * 2.2f / (often + 1.2f * (0.25f + 0.0075f * length));
        }
        __syncthreads();
    }
    float top = -1;
    int at = 0;
    for (int i = threadIdx.x; i < texts; i += blockDim.x)
        if (scores[i] > top) top = scores[i], at = i;
    for (int step = 16; step; step >>= 1) {
        const float otherTop = __shfl_down_sync(~0u, top, step);
        const int otherAt = __shfl_down_sync(~0u, at, step);
        if (otherTop > top || (otherTop == top && otherAt < at)) top = otherTop, at = otherAt;
    }
    if (threadIdx.x % 32 == 0) tops[threadIdx.x / 32] = top, where[threadIdx.x / 32] = at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; ++w)
            if (tops[w] > top || (tops[w] == top && where[w] < at)) top = tops[w], at = where[w];
        best[blockIdx.x] = make_float2(top, at);
    }
}

// Fingerprints of texts: a warp a text, two bits' counters a lane
__global__ void fingerprints(const u32* __restrict__ words, const int* __restrict__ starts,
                             u64* __restrict__ prints, int texts) {
    const int text = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (text >= texts) return;
    int low = 0, high = 0;
    const int first = starts[text], last = starts[text + 1];
    for (int base = first; base < last; base += 32) {
        u64 hash = 0;
        if (base + lane < last) {
            hash = words[base + lane] * 0x9E3779B97F4A7C15ull;
            hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9ull;
            hash ^= hash >> 32;
        }
        const int here = min(32, last - base);
        for (int k = 0; k < here; ++k) {
            const u64 h = __shfl_sync(~0u, hash, k);
            low += (h >> lane & 1) ? 1 : -1;
            high += (h >> (lane + 32) & 1) ? 1 : -1;
        }
    }
    const u32 lower = __ballot_sync(~0u, low > 0), upper = __ballot_sync(~0u, high > 0);
    if (lane == 0) prints[text] = (u64)upper << 32 | lower;
}

// Skyline: rows that no other row beats in all four columns, through tiles of shared memory
__global__ void undominated(const float4* __restrict__ rows, int* __restrict__ kept, int* __restrict__ total,
                            int count) {
    __shared__ float4 tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 mine = i < count ? rows[i] : make_float4(0, 0, 0, 0);
    bool alive = i < count;
    for (int base = 0; base < count; base += 128) {
        if (!__syncthreads_or(alive)) break;
        if (base + threadIdx.x < count) tile[threadIdx.x] = rows[base + threadIdx.x];
        __syncthreads();
        const int here = min(128, count - base);
        for (int k = 0; alive && k < here; ++k) {
            const float4 o = tile[k];
            if (o.x <= mine.x && o.y <= mine.y && o.z <= mine.z && o.w <= mine.w &&
                (o.x < mine.x || o.y < mine.y || o.z < mine.z || o.w < mine.w))
                alive = false;
        }
    }
    if (i < count) kept[i] = alive;
    const int number = __syncthreads_count(alive);
    if (threadIdx.x == 0 && number) atomicAdd(total, number);
}

// Sound codes of names: letters to digits, repeats left out
__global__ void soundCodes(const char* __restrict__ names, u32* __restrict__ codes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int4 packed = ((const int4*)names)[i];
    const u32 words[4] = {(u32)packed.x, (u32)packed.y, (u32)packed.z, (u32)packed.w};
    u32 code = 0, last = 7;
    int digits = 0;
    for (int k = 0; k < 16 && digits < 4; ++k) {
        const u32 word = k < 4 ? words[0] : k < 8 ? words[1] : k < 12 ? words[2] : words[3];
        const char c = (char)(word >> (k & 3) * 8);
        if (c == 0) break;
        u32 digit;
        switch (c) {
            case 'b':
            case 'f':
            case 'p':
            case 'v': digit = 1; break;
            case 'c':
            case 'g':
            case 'j':
            case 'k':
            case 'q':
            case 's':
            case 'x':
            case 'z': digit = 2; break;
            case 'd':
            case 't': digit = 3; break;
            case 'l': digit = 4; break;
            case 'm':
            case 'n': digit = 5; break;
            case 'r': digit = 6; break;
            case 'h':
            case 'w': continue;
            default: digit = 0; break;
        }
        if (k == 0)
            code = c, digits = 1;
        else if (digit && digit != last)
            code = code << 8 | (48 + digit), ++digits;
        last = digit;
    }
    for (; digits < 4; ++digits) code = code << 8 | 48;
    codes[i] = code;
}

void runTexts(uint32_t& state) {
    const int genome = 500000, queries = 100000, seeds = 40000;
    std::vector<u8> target(genome), query(queries);
    for (u8& letter : target) letter = next_number(state) >> 9 & 3;
    for (int i = 0; i < queries; ++i)
        query[i] = (next_number(state) >> 9) % 12 ? target[i * 4 / 400 * 400 + i % 100]
                                                  : next_number(state) >> 9 & 3;
    std::vector<Seed> places(seeds);
    for (Seed& seed : places) {
        seed.query = (next_number(state) >> 3) % queries;
        seed.target = (next_number(state) >> 3) % 4 ? seed.query * 4 / 400 * 400 + seed.query % 100
                                                    : (int)((next_number(state) >> 3) % genome);
    }
    int4* hits = zeros<int4>(seeds);
    extendSeeds<<<over(seeds, 256), 256>>>(in_device(query), in_device(target), in_device(places), hits,
                                           queries, genome, 20, seeds);
    toSum((int*)hits, 4 * seeds);
    int* distances = zeros<int>(15000);
    bitVectorDistance<<<over(15000, 128), 128>>>((uint4*)wholes<u32>(60000, ~0u),
                                                 wholes<u32>(15000 * 10, ~0u), distances, 10, 15000);
    toSum(distances, 15000);

    std::vector<int> starts(1, 0);
    for (int s = 0; s < 2000; ++s) starts.push_back(starts.back() + 40 + (next_number(state) >> 4) % 200);
    std::vector<u32> costs(20 * 64);
    for (u32& cost : costs) cost = next_number(state) & 0x0f0f0f0fu;
    int* scores = zeros<int>(2000);
    profileFilter<<<132, 256>>>(wholes<u8>(starts.back(), 20), in_device(starts), in_device(costs), scores,
                                2000);
    toSum(scores, 2000);

    std::vector<int2> matches;
    std::vector<int> reads(1, 0);
    for (int r = 0; r < 1500; ++r) {
        const int number = 60 + (next_number(state) >> 5) % 120;
        for (int k = 0, x = 0, y = 0; k < number; ++k) {
            x += (next_number(state) >> 5) % 60;
            y = (next_number(state) >> 5) % 4 ? x + (int)((next_number(state) >> 5) % 20)
                                              : (next_number(state) >> 5) % 4000;
            matches.push_back(make_int2(x, y));
        }
        reads.push_back(matches.size());
    }
    int* chains = zeros<int>(1500);
    chainPlaces<<<over(1500, 4), 128, 4 * 64 * 4>>>(in_device(matches), in_device(reads), chains, 1500);
    toSum(chains, 1500);
    float* linkage = zeros<float>(512 * 512);
    siteLinkage<<<dim3(32, 32), dim3(16, 16)>>>(wholes<u32>(512 * 64, ~0u), linkage, 64, 512, 2048);
    toSum(linkage, 512 * 512);

    const char kinds[] = "ab,cd e\"f,gh";
    std::vector<u8> lines(3000 * 400);
    for (size_t i = 0; i < lines.size(); ++i) {
        lines[i] = kinds[(next_number(state) >> 5) % 12];
        if ((next_number(state) >> 5) % 300 == 0) lines[i] = '\n';
    }
    int* fields = zeros<int>(3000);
    countFields<<<over(3000 * 32, 192), 192>>>(in_device(lines), fields, 400, 3000);
    toSum(fields, 3000);
    std::vector<u32> letters(128), follow(32);
    for (int i = 0; i < 128; ++i) letters[i] = next_number(state) & next_number(state) & 0xfffffffeu;
    for (int i = 0; i < 32; ++i) follow[i] = 1u << (i + 1) % 32 | 1u << (next_number(state) >> 5) % 32;
    int* ends = zeros<int>(30000);
    matchStates<<<over(30000, 128), 128>>>(wholes<u8>(30000 * 60, 128), in_device(letters), in_device(follow),
                                           ends, 60, 0xc0000000u, 30000);
    toSum(ends, 30000);

    std::vector<char> names(20000 * 16);
    for (int i = 0; i < 20000; ++i) {
        const int length = 4 + (next_number(state) >> 5) % 11;
        for (int k = 0; k < length; ++k)
            names[i * 16 + k] = "etaoinshrdlucmfwypvbgkjqxz"[(next_number(state) >> 5) % 26];
    }
    char* named = in_device(names);
    float* alike = zeros<float>(60000);
    likeNames<<<over(60000, 192), 192>>>(named, (int2*)wholes(120000, 20000), alike, 60000);
    toSum(alike, 60000);
    u32* codes = zeros<u32>(20000);
    soundCodes<<<over(20000, 64), 64>>>(named, codes, 20000);
    toSum(codes, 20000);

    const int texts = 4096, vocabulary = 500;
    std::vector<int> postingStarts(1, 0);
    std::vector<u32> postings;
    for (int v = 0; v < vocabulary; ++v) {
        const int stride = 2 + v % 40;
        for (int t = (next_number(state) >> 5) % stride; t < texts;
             t += 1 + (next_number(state) >> 5) % (2 * stride))
            postings.push_back(t << 4 | (1 + (next_number(state) >> 5) % 9));
        postingStarts.push_back(postings.size());
    }
    float2* found = zeros<float2>(300);
    scoreTexts<<<300, 512, texts * 4>>>(in_device(postingStarts), in_device(postings), wholes<u8>(texts, 200),
                                        wholes(300 * 5, vocabulary), found, texts, 5);
    toSum((float*)found, 600);
    std::vector<int> textStarts(1, 0);
    for (int t = 0; t < 3000; ++t)
        textStarts.push_back(textStarts.back() + 20 + (next_number(state) >> 5) % 150);
    u64* prints = zeros<u64>(3000);
    fingerprints<<<over(3000, 8), dim3(32, 8)>>>(wholes<u32>(textStarts.back(), 50000), in_device(textStarts),
                                                 prints, 3000);
    toSum(prints, 3000);
    int *kept = zeros<int>(12000), *total = zeros<int>(1);
    undominated<<<over(12000, 128), 128>>>((float4*)reals(48000), kept, total, 12000);
    toSum(kept, 12000);
    toSum(total, 1);
}

// ---------------------------------------------------------------- graphs, sparse and small matrices

// Likeness of linked vertices by shared neighbours: a warp a link, the shorter list sought in the longer
__global__ void sharedNeighbours(const int* __restrict__ offsets, const int* __restrict__ targets,
                                 const int2* __restrict__ links, float* __restrict__ alike, int count) {
    const int link = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (link >= count) return;
    int a = links[link].x, b = links[link].y;
    if (offsets[a + 1] - offsets[a] > offsets[b + 1] - offsets[b]) {
        const int swap = a;
        a = b, b = swap;
    }
    const int first = offsets[a], shorter = offsets[a + 1] - first;
    const int start = offsets[b], longer = offsets[b + 1] - start;
    int common = 0;
    for (int i = lane; i < shorter; i += 32) {
        const int sought = targets[first + i];
        int low = 0, high = longer;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (targets[start + middle] < sought)
                low = middle + 1;
            else
                high = middle;
        }
        common += low < longer && targets[start + low] == sought;
    }
    common = __reduce_add_sync(~0u, common);
    if (lane == 0) alike[link] = (float)common / max(shorter + longer - common, 1);
}

// Sparse product by merging rows' ends with values: each thread walks an equal share of both
__global__ void mergedProduct(const int* __restrict__ ends, const int* __restrict__ columns,
                              const float* __restrict__ values, const float* __restrict__ x, float* y,
                              int rows, int nonzeros, int each) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int diagonal = min(t * each, rows + nonzeros), until = min(diagonal + each, rows + nonzeros);
    if (diagonal >= until) return;
    int low = max(diagonal - nonzeros, 0), high = min(diagonal, rows);
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (ends[middle] <= diagonal - middle - 1)
            low = middle + 1;
        else
            high = middle;
    }
    int row = low, at = diagonal - low;
    float sum = 0;
    for (int i = diagonal; i < until; ++i) {
        if (row < rows && ends[row] <= at) {
            atomicAdd(&y[row], sum);
            sum = 0;
            ++row;
        } else {
            sum += values[at] * x[columns[at]];
            ++at;
        }
    }
    if (row < rows && sum != 0) atomicAdd(&y[row], sum);
}

// Product with a matrix held by its diagonals
template <class T>
__global__ void diagonalProduct(const T* __restrict__ diagonals, const int* __restrict__ shifts,
                                const T* __restrict__ x, T* __restrict__ y, int number, int rows) {
    __shared__ int held[32];
    if (threadIdx.x < number) held[threadIdx.x] = shifts[threadIdx.x];
    __syncthreads();
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
    for (int d = 0; d < number; ++d) {
        const int column = row + held[d];
        if (column >= 0 && column < rows) sum += diagonals[(size_t)d * rows + row] * x[column];
    }
    y[row] = sum;
}

// Small dense blocks on the diagonal solved by elimination with pivots, a thread a block
template <int N>
__global__ void solveBlocks(const float* __restrict__ blocks, const float* __restrict__ right,
                            float* __restrict__ out, int count) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= count) return;
    float m[N][N + 1];
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) m[i][j] = blocks[(i * N + j) * count + b] + (i == j ? 1.f : 0.f);
        m[i][N] = right[i * count + b];
    }
    for (int k = 0; k < N; ++k) {
        int pivot = k;
        for (int i = k + 1; i < N; ++i)
            if (fabsf(m[i][k]) > fabsf(m[pivot][k])) pivot = i;
        if (pivot != k)
            for (int j = k; j <= N; ++j) {
                const float swap = m[k][j];
                m[k][j] = m[pivot][j], m[pivot][j] = swap;
            }
        const float inverse = fabsf(m[k][k]) > 1e-4f ? 1 / m[k][k] : 1.f;
        for (int i = k + 1; i < N; ++i) {
            const float factor = m[i][k] * inverse;
            for (int j = k + 1; j <= N; ++j) m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = N - 1; i >= 0; --i) {
        float sum = m[i][N];
        for (int j = i + 1; j < N; ++j) sum -= m[i][j] * m[j][N];
        m[i][N] = fabsf(m[i][i]) > 1e-4f ? sum / m[i][i] : sum;
        out[i * count + b] = m[i][N];
    }
}

__device__ float blockSum(float value, float* held) {
    for (int step = 16; step; step >>= 1) value += __shfl_xor_sync(~0u, value, step);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) held[threadIdx.x >> 5] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? held[threadIdx.x % 32] : 0.f;
    for (int step = 16; step; step >>= 1) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// Vectors made orthogonal and of length one, a block a set
__global__ void __launch_bounds__(1024) orthogonalise(float* sets, int length, int vectors) {
    __shared__ float held[32];
    float* v = sets + (size_t)blockIdx.x * length * vectors;
    for (int k = 0; k < vectors; ++k) {
        for (int j = 0; j < k; ++j) {
            float dot = 0;
            for (int i = threadIdx.x; i < length; i += blockDim.x)
                dot += v[k * length + i] * v[j * length + i];
            dot = blockSum(dot, held);
            for (int i = threadIdx.x; i < length; i += blockDim.x)
                v[k * length + i] -= dot * v[j * length + i];
        }
        float size = 0;
        for (int i = threadIdx.x; i < length; i += blockDim.x) size += v[k * length + i] * v[k * length + i];
        size = rsqrtf(blockSum(size, held) + 1e-20f);
        for (int i = threadIdx.x; i < length; i += blockDim.x) v[k * length + i] *= size;
    }
}

struct Matrix3 {
    float e[9];
};

__device__ Matrix3 cofactors(const Matrix3& m) {
    Matrix3 c;
    c.e[0] = m.e[4] * m.e[8] - m.e[5] * m.e[7], c.e[1] = m.e[5] * m.e[6] - m.e[3] * m.e[8];
    c.e[2] = m.e[3] * m.e[7] - m.e[4] * m.e[6], c.e[3] = m.e[2] * m.e[7] - m.e[1] * m.e[8];
    c.e[4] = m.e[0] * m.e[8] - m.e[2] * m.e[6], c.e[5] = m.e[1] * m.e[6] - m.e[0] * m.e[7];
    c.e[6] = m.e[1] * m.e[5] - m.e[2] * m.e[4], c.e[7] = m.e[2] * m.e[3] - m.e[0] * m.e[5];
    c.e[8] = m.e[0] * m.e[4] - m.e[1] * m.e[3];
    return c;
}

// The rotation in a deformation, by Newton's iteration until it settles
__global__ void deformationTurns(const Matrix3* __restrict__ deformations, Matrix3* __restrict__ turns,
                                 int* __restrict__ steps, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Matrix3 m = deformations[i];
    m.e[0] += 1, m.e[4] += 1, m.e[8] += 1;
    int step = 0;
    for (; step < 20; ++step) {
        const Matrix3 c = cofactors(m);
        const float det = m.e[0] * c.e[0] + m.e[1] * c.e[1] + m.e[2] * c.e[2];
        const float inverse = 1 / (fabsf(det) > 1e-3f ? det : 1e-3f);
        float change = 0;
#pragma unroll
        for (int k = 0; k < 9; ++k) {
            const float next = 0.5f * (m.e[k] + c.e[k] * inverse);
            change = fmaxf(change, fabsf(next - m.e[k]));
            m.e[k] = next;
        }
        if (change < 1e-5f) break;
    }
    turns[i] = m;
    steps[i] = step;
}

void runMatrices(uint32_t& state) {
    const int vertices = 6000, linked = 12000;
    std::vector<int> offsets(1, 0), targets;
    for (int v = 0; v < vertices; ++v) {
        const int degree = v % 50 == 3 ? 600 : 6 + (next_number(state) >> 4) % 40;
        std::vector<int> own(degree);
        for (int& target : own) target = (next_number(state) >> 4) % vertices;
        std::sort(own.begin(), own.end());
        targets.insert(targets.end(), own.begin(), own.end());
        offsets.push_back(targets.size());
    }
    std::vector<int2> links(linked);
    for (int2& link : links) {
        link.x = (next_number(state) >> 4) % vertices;
        link.y = targets[offsets[link.x]];
    }
    int *starts = in_device(offsets), *columns = in_device(targets);
    float* alike = zeros<float>(linked);
    sharedNeighbours<<<over(linked * 32, 256), 256>>>(starts, columns, in_device(links), alike, linked);
    toSum(alike, linked);
    const int nonzeros = targets.size(), shares = over(vertices + nonzeros, 9);
    float* product = zeros<float>(vertices);
    mergedProduct<<<over(shares, 128), 128>>>(starts + 1, columns, reals(nonzeros), reals(vertices), product,
                                              vertices, nonzeros, 9);
    toSum(product, vertices);
    std::vector<int> shifts = {-4096, -64, -63, -1, 0, 1, 63, 64, 4096, 500, -500};
    const int rows = 200000;
    double* banded = zeros<double>(60000);
    float* bandedFloat = zeros<float>(rows);
    diagonalProduct<float>
        <<<over(rows, 256), 256>>>(reals(11 * rows), in_device(shifts), reals(rows), bandedFloat, 11, rows);
    toSum(bandedFloat, rows);
    diagonalProduct<double><<<over(60000, 64), 64>>>(reals<double>(7 * 60000), in_device(shifts),
                                                     reals<double>(60000), banded, 7, 60000);
    toSum(banded, 60000);
    float* solved = zeros<float>(5 * 40000);
    solveBlocks<5><<<over(40000, 128), 128>>>(reals(25 * 40000, -0.3, 0.3), reals(5 * 40000), solved, 40000);
    toSum(solved, 5 * 40000);
    float* larger = zeros<float>(9 * 6000);
    solveBlocks<9><<<over(6000, 64), 64>>>(reals(81 * 6000, -0.3, 0.3), reals(9 * 6000), larger, 6000);
    toSum(larger, 9 * 6000);
    float* sets = reals(4 * 8192 * 8, -1, 1);
    orthogonalise<<<4, 1024>>>(sets, 8192, 8);
    toSum(sets, 4 * 8192 * 8);
    Matrix3* turns = zeros<Matrix3>(60000);
    int* settled = zeros<int>(60000);
    deformationTurns<<<over(60000, 256), 256>>>((Matrix3*)reals(9 * 60000, -0.4, 0.4), turns, settled, 60000);
    toSum((float*)turns, 9 * 60000);
    toSum(settled, 60000);
}

// ---------------------------------------------------------------- simulations of nature

// Helmholtz's operator on spectral elements: layers of a cube held in registers, derivatives in shared memory
template <int N>
__global__ void __launch_bounds__(N* N)
    spectralElement(const double* __restrict__ u, const double* __restrict__ factors,
                    const double* __restrict__ derivative, double* __restrict__ out) {
    __shared__ double d[N][N + 1], layer[N][N], alongR[N][N], alongS[N][N];
    const int i = threadIdx.x, j = threadIdx.y;
    d[j][i] = derivative[j * N + i];
    double column[N], result[N];
    const size_t base = (size_t)blockIdx.x * N * N * N + j * N + i;
#pragma unroll
    for (int k = 0; k < N; ++k) column[k] = u[base + k * N * N], result[k] = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        __syncthreads();
        layer[j][i] = column[k];
        __syncthreads();
        double r = 0, s = 0, t = 0;
#pragma unroll
        for (int m = 0; m < N; ++m) {
            r += d[i][m] * layer[j][m];
            s += d[j][m] * layer[m][i];
            t += d[k][m] * column[m];
        }
        const double* g = factors + (size_t)blockIdx.x * 4 * N * N * N + k * N * N + j * N + i;
        const double across = g[3 * N * N * N];
        alongR[j][i] = g[0] * r + across * s;
        alongS[j][i] = g[N * N * N] * s + across * r;
        t *= g[2 * N * N * N];
        __syncthreads();
        double sum = 0;
#pragma unroll
        for (int m = 0; m < N; ++m) {
            sum += d[m][i] * alongR[j][m] + d[m][j] * alongS[m][i];
            result[m] += d[k][m] * t;
        }
        result[k] += sum;
    }
#pragma unroll
    for (int k = 0; k < N; ++k) out[base + k * N * N] = result[k];
}

__constant__ double hourglassModes[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                            {1, -1, -1, 1, -1, 1, 1, -1},
                                            {1, -1, 1, -1, 1, -1, 1, -1},
                                            {-1, 1, -1, 1, 1, -1, 1, -1}};

// Damping of the hourglass modes of hexahedra in shock hydrodynamics, scattered onto the nodes
__global__ void hourglassForces(const double3* __restrict__ where, const double3* __restrict__ speeds,
                                const int* __restrict__ corners, const double* __restrict__ masses,
                                double* forces, double damping, int elements) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    int nodes[8];
    double3 x[8], v[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        nodes[c] = corners[c * elements + e];
        x[c] = where[nodes[c]], v[c] = speeds[nodes[c]];
    }
    const double dx = x[6].x - x[0].x, dy = x[6].y - x[0].y, dz = x[6].z - x[0].z;
    const double size = cbrt(fabs(dx * dy * dz) + 1e-12), factor = -damping * masses[e] / size;
    double3 f[8] = {};
#pragma unroll
    for (int m = 0; m < 4; ++m) {
        double3 h = make_double3(0, 0, 0);
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const double weight = hourglassModes[m][c];
            h.x += weight * v[c].x, h.y += weight * v[c].y, h.z += weight * v[c].z;
        }
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const double weight = hourglassModes[m][c] * factor;
            f[c].x += weight * h.x, f[c].y += weight * h.y, f[c].z += weight * h.z;
        }
    }
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        atomicAdd(&forces[3 * nodes[c]], f[c].x);
        atomicAdd(&forces[3 * nodes[c] + 1], f[c].y);
        atomicAdd(&forces[3 * nodes[c] + 2], f[c].z);
    }
}

struct Kind {
    float radius, charge, hydrophobic;
};

// Docking: a ligand in several poses a thread against all atoms of a protein
template <int Poses>
__global__ void dockEnergies(const float4* __restrict__ protein, const float4* __restrict__ ligand,
                             const Kind* __restrict__ kinds, const float* __restrict__ poses,
                             float* __restrict__ out, int proteinAtoms, int ligandAtoms, int count) {
    __shared__ Kind held[16];
    if (threadIdx.x < 16) held[threadIdx.x] = kinds[threadIdx.x];
    __syncthreads();
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Poses;
    if (first >= count) return;
    float turn[Poses][4], energy[Poses];
#pragma unroll
    for (int p = 0; p < Poses; ++p) {
        const int pose = min(first + p, count - 1);
        __sincosf(poses[pose], &turn[p][0], &turn[p][1]);
        turn[p][2] = poses[count + pose], turn[p][3] = poses[2 * count + pose];
        energy[p] = 0;
    }
    for (int l = 0; l < ligandAtoms; ++l) {
        const float4 atom = ligand[l];
        const Kind kind = held[__float_as_int(atom.w) & 15];
        float3 at[Poses];
#pragma unroll
        for (int p = 0; p < Poses; ++p)
            at[p] = make_float3(atom.x * turn[p][1] - atom.y * turn[p][0] + turn[p][2],
                                atom.x * turn[p][0] + atom.y * turn[p][1] + turn[p][3], atom.z);
        for (int a = 0; a < proteinAtoms; ++a) {
            const float4 other = protein[a];
            const Kind otherKind = held[__float_as_int(other.w) & 15];
            const float touch = kind.radius + otherKind.radius;
#pragma unroll
            for (int p = 0; p < Poses; ++p) {
                const float dx = at[p].x - other.x, dy = at[p].y - other.y, dz = at[p].z - other.z;
                const float apart = sqrtf(dx * dx + dy * dy + dz * dz), gap = apart - touch;
                if (gap < 0) energy[p] += -gap * 38.f;
                energy[p] +=
                    kind.charge * otherKind.charge * (gap < 4 ? (gap < 0 ? 1.f : 1 - gap * 0.25f) : 0.f);
                if (kind.hydrophobic < 0 && otherKind.hydrophobic > 0 && gap < 6)
                    energy[p] += kind.hydrophobic * (gap < 0 ? 1.f : 1 - gap / 6);
            }
        }
    }
#pragma unroll
    for (int p = 0; p < Poses; ++p)
        if (first + p < count) out[first + p] = 0.5f * energy[p];
}

// Forces between triples of atoms in silicon: pairs of near neighbours and the angle between them
__global__ void tripleForces(const float4* __restrict__ atoms, const int* __restrict__ neighbours,
                             const int* __restrict__ numbers, float* __restrict__ energies, float* forces,
                             int most, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 here = atoms[i];
    const int number = numbers[i];
    float energy = 0, fx = 0, fy = 0, fz = 0;
    for (int a = 0; a < number; ++a) {
        const int j = neighbours[a * count + i];
        const float4 pj = atoms[j];
        const float jx = pj.x - here.x, jy = pj.y - here.y, jz = pj.z - here.z;
        const float rj2 = jx * jx + jy * jy + jz * jz;
        if (rj2 >= 3.2f) continue;
        const float rj = sqrtf(rj2), ej = __expf(1.2f / (rj - 1.8f));
        const float inverse = 1 / (rj2 + 0.1f), pair = 7.05f * (0.6f * inverse * inverse - 1) * ej;
        energy += 0.5f * pair;
        fx += pair * jx * inverse, fy += pair * jy * inverse, fz += pair * jz * inverse;
        for (int b = a + 1; b < number; ++b) {
            const int k = neighbours[b * count + i];
            const float4 pk = atoms[k];
            const float kx = pk.x - here.x, ky = pk.y - here.y, kz = pk.z - here.z;
            const float rk2 = kx * kx + ky * ky + kz * kz;
            if (rk2 >= 3.2f) continue;
            const float rk = sqrtf(rk2), cosine = (jx * kx + jy * ky + jz * kz) / (rj * rk + 1e-3f);
            const float off = cosine + 1 / 3.f, strength = 21 * ej * __expf(1.2f / (rk - 1.8f));
            energy += strength * off * off;
            const float push = 2 * strength * off / (rj * rk + 0.1f);
            fx -= push * (jx + kx), fy -= push * (jy + ky), fz -= push * (jz + kz);
            atomicAdd(&forces[3 * k], push * jx);
            atomicAdd(&forces[3 * k + 1], push * jy);
            atomicAdd(&forces[3 * k + 2], push * jz);
        }
    }
    energies[i] = energy;
    atomicAdd(&forces[3 * i], fx);
    atomicAdd(&forces[3 * i + 1], fy);
    atomicAdd(&forces[3 * i + 2], fz);
}

// Ewald's sum over waves: a block a wave, all charges
__global__ void waveSums(const float4* __restrict__ charges, const int3* __restrict__ waves,
                         float2* __restrict__ out, int count) {
    __shared__ float2 parts[4];
    const int3 k = waves[blockIdx.x];
    float re = 0, im = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const float4 q = charges[i];
        float s, c;
        sincosf(6.2831853f * (k.x * q.x + k.y * q.y + k.z * q.z), &s, &c);
        re += (q.w - 0.5f) * c, im += (q.w - 0.5f) * s;
    }
    for (int step = 16; step; step /= 2) {
        re += __shfl_down_sync(~0u, re, step);
        im += __shfl_down_sync(~0u, im, step);
    }
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = make_float2(re, im);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 4; ++w) re += parts[w].x, im += parts[w].y;
        out[blockIdx.x] = make_float2(re, im);
    }
}

// Charges spread over a mesh by cubic splines, in fixed point of 64 bits
__global__ void splineCharges(const float4* __restrict__ charges, u64* mesh, int side, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 q = charges[i];
    const float at[3] = {q.x * side, q.y * side, q.z * side};
    float w[3][4];
    int first[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        first[d] = (int)at[d];
        const float t = at[d] - first[d], o = 1 - t;
        w[d][0] = o * o * o / 6, w[d][3] = t * t * t / 6;
        w[d][1] = 2 / 3.f - t * t * (1 - t / 2), w[d][2] = 1 - w[d][0] - w[d][1] - w[d][3];
    }
    for (int z = 0; z < 4; ++z) {
        const int iz = (first[2] + z) % side;
        for (int y = 0; y < 4; ++y) {
            const int iy = (first[1] + y) % side;
            const float part = (q.w - 0.5f) * w[2][z] * w[1][y];
#pragma unroll
            for (int x = 0; x < 4; ++x) {
                const int ix = (first[0] + x) % side;
                atomicAdd(&mesh[(iz * side + iy) * side + ix],
                          (u64)(long long)(part * w[0][x] * 4294967296.f));
            }
        }
    }
}

__constant__ signed char flows[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                         {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                         {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                         {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

// Lattice Boltzmann in a channel with obstacles: nineteen flows pulled, relaxed and bounced back from walls
template <class T>
__global__ void channelFlow(const T* __restrict__ in, T* __restrict__ out, const u8* __restrict__ solid,
                            int nx, int ny, int nz, T relax, T push) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= nx) return;
    const int cells = nx * ny * nz, here = (z * ny + y) * nx + x;
    if (solid[here]) return;
    T f[19], density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < 19; ++k) {
        const int fx = (x - flows[k][0] + nx) % nx, fy = (y - flows[k][1] + ny) % ny,
                  fz = (z - flows[k][2] + nz) % nz;
        const int from = (fz * ny + fy) * nx + fx;
        const int back = k == 0 ? 0 : k & 1 ? k + 1 : k - 1;
        f[k] = solid[from] ? in[back * cells + here] : in[k * cells + from];
        density += f[k];
        ux += f[k] * flows[k][0], uy += f[k] * flows[k][1], uz += f[k] * flows[k][2];
    }
    const T inverse = 1 / density;
    ux = ux * inverse + push, uy *= inverse, uz *= inverse;
    const T square = (T)1.5 * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < 19; ++k) {
        const T weight = k == 0 ? (T)(1 / 3.) : k < 7 ? (T)(1 / 18.) : (T)(1 / 36.);
        const T along = flows[k][0] * ux + flows[k][1] * uy + flows[k][2] * uz;
        const T rest = weight * density * (1 + 3 * along + (T)4.5 * along * along - square);
        out[k * cells + here] = f[k] + relax * (rest - f[k]);
    }
}

// Electric field of a wave with layers that absorb it at both ends of each axis
__global__ void absorbingElectric(float* ez, const float* __restrict__ hx, const float* __restrict__ hy,
                                  float* memoryX, float* memoryY, const float2* __restrict__ fade, int nx,
                                  int ny, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    const int i = y * nx + x;
    float acrossX = hy[i] - hy[i - 1], acrossY = hx[i] - hx[i - nx];
    if (x < depth || x >= nx - depth) {
        const int d = x < depth ? x : nx - 1 - x, slot = x < depth ? x : x - nx + 2 * depth;
        float* m = &memoryX[y * 2 * depth + slot];
        *m = fade[d].x * *m + fade[d].y * acrossX;
        acrossX += *m;
    }
    if (y < depth || y >= ny - depth) {
        const int d = y < depth ? y : ny - 1 - y, slot = y < depth ? y : y - ny + 2 * depth;
        float* m = &memoryY[slot * nx + x];
        *m = fade[d].x * *m + fade[d].y * acrossY;
        acrossY += *m;
    }
    ez[i] += 0.5f * (acrossX - acrossY);
}

// Arrival times of a front: a tile iterated in shared memory until nothing changes
__global__ void frontArrival(float* times, const float* __restrict__ slowness, int* changed, int width,
                             int turns) {
    __shared__ float tile[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, rows = gridDim.y * 16;
    const float before = times[y * width + x], f = slowness[y * width + x];
    for (int i = ty * 16 + tx; i < 324; i += 256) tile[i / 18][i % 18] = 1e9f;
    __syncthreads();
    tile[ty + 1][tx + 1] = before;
    if (tx == 0 && x > 0) tile[ty + 1][0] = 1e6f + x;
    if (ty == 0 && y > 0) tile[0][tx + 1] = 1e6f + y;
    if (ty == 15 && y + 1 < rows) tile[17][tx + 1] = 1e6f + y;
    __syncthreads();
    for (int turn = 0; turn < turns; ++turn) {
        const float a = fminf(tile[ty + 1][tx], tile[ty + 1][tx + 2]),
                    b = fminf(tile[ty][tx + 1], tile[ty + 2][tx + 1]);
        const float low = fminf(a, b), high = fmaxf(a, b);
        float t = low + f;
        if (t > high) {
            const float d = high - low;
            t = 0.5f * (low + high + sqrtf(fmaxf(2 * f * f - d * d, 0.f)));
        }
        const float old = tile[ty + 1][tx + 1];
        const bool lower = t < old - 1e-6f;
        __syncthreads();
        if (lower) tile[ty + 1][tx + 1] = t;
        if (!__syncthreads_or(lower)) break;
    }
    const float after = tile[ty + 1][tx + 1];
    times[y * width + x] = after;
    if (after != before) atomicAdd(changed, 1);
}

// Transport of radiation along ordinates: a block an angle, cells of a slab swept by diagonals
__global__ void sweepOrdinates(const float* __restrict__ source, const float* __restrict__ thickness,
                               float* flux, const float4* __restrict__ angles, int nx, int ny) {
    extern __shared__ float edges[];
    float* fromLeft = edges;
    float* fromBelow = edges + ny;
    const float4 angle = angles[blockIdx.x];
    for (int i = threadIdx.x; i < ny; i += blockDim.x) fromLeft[i] = 0.1f;
    for (int i = threadIdx.x; i < nx; i += blockDim.x) fromBelow[i] = 0.2f;
    __syncthreads();
    for (int diagonal = 0; diagonal < nx + ny - 1; ++diagonal) {
        for (int y = threadIdx.x; y < ny; y += blockDim.x) {
            const int x = diagonal - y;
            if (x < 0 || x >= nx) continue;
            const int cell = (angle.z < 0 ? ny - 1 - y : y) * nx + (angle.w < 0 ? nx - 1 - x : x);
            const float left = fromLeft[y], below = fromBelow[x];
            const float centre = (source[cell] + 2 * angle.x * left + 2 * angle.y * below) /
                                 (thickness[cell] + 2 * angle.x + 2 * angle.y);
            fromLeft[y] = fmaxf(2 * centre - left, 0.f);
            fromBelow[x] = fmaxf(2 * centre - below, 0.f);
            atomicAdd(&flux[cell], centre);
        }
        __syncthreads();
    }
}

// Weather: warm rain in columns of air, condensing, merging, falling and drying up
__global__ void rainColumns(float* vapour, float* cloud, float* rain, float* heat,
                            const float* __restrict__ pressure, float* __restrict__ fallen, int levels,
                            int columns, float step) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns) return;
    float above = 0;
    for (int k = levels - 1; k >= 0; --k) {
        const int i = k * columns + c;
        float v = vapour[i] * 0.02f, w = cloud[i] * 0.001f, r = rain[i] * 0.001f;
        const float p = pressure[k], exner = powf(p / 1000, 0.286f);
        float t = heat[i] * exner;
        const float density = p * 100 / (287 * t);
        const float full = 3.8f / p * expf(17.27f * (t - 273) / (t - 36));
        float change = (v - full) / (1 + full * 4093 * 2500 / ((t - 36) * (t - 36)));
        change = fmaxf(change, -w);
        v -= change, w += change, t += 2500 * change;
        if (w > 0.0005f) {
            const float merged = fminf(0.001f * (w - 0.0005f) * step, w);
            w -= merged, r += merged;
        }
        if (r > 1e-8f) {
            const float swept = fminf(2.2f * w * powf(r, 0.875f) * step, w);
            w -= swept, r += swept;
            if (v < full) {
                const float dry = fminf((full - v) / full * 0.1f * powf(density * r, 0.525f) * step, r);
                r -= dry, v += dry, t -= 2500 * dry;
            }
        }
        const float speed = r > 0 ? 36.34f * powf(density * r * 0.001f, 0.1364f) : 0.f;
        const float falling = fminf(r, r * speed * step / 300);
        r += above - falling;
        above = falling;
        vapour[i] = v, cloud[i] = w, rain[i] = r, heat[i] = t / exner;
    }
    fallen[c] = above;
}

// Density of sea water from salt, warmth and depth by a polynomial, in doubles
__global__ void seaDensity(const double* __restrict__ salts, const double* __restrict__ warmths,
                           double* __restrict__ out, int levels, int count) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const double s = salts[i], t = warmths[i], p = (i / (count / levels)) * 10.0, root = sqrt(s);
        const double fresh =
            999.842594 +
            t * (6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9))));
        const double salty =
            fresh + s * (0.824493 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)))) +
            s * root * (-5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6)) + 4.8314e-4 * s * s;
        const double bulk =
            19652.21 + t * (148.4206 + t * (-2.327105 + t * (1.360477e-2 - t * 5.155288e-5))) +
            s * (54.6746 + t * (-0.603459 + t * 1.09987e-2)) + s * root * (7.944e-2 + t * 1.6483e-2) +
            p * (3.239908 + t * 1.43713e-3 + s * 2.2838e-3);
        out[i] = salty / (1 - p / bulk) - 1000;
    }
}

void runNature(uint32_t& state) {
    auto some = [&state] { return (next_number(state) >> 8) % 65536 / 65536.f; };
    double* applied = zeros<double>(700 * 512);
    spectralElement<8><<<700, dim3(8, 8)>>>(reals<double>(700 * 512), reals<double>(700 * 4 * 512),
                                            reals<double>(64, -1, 1), applied);
    toSum(applied, 700 * 512);
    const int side = 28, elements = side * side * side, edge = side + 1, nodes = edge * edge * edge;
    std::vector<int> corners(8 * elements);
    for (int e = 0; e < elements; ++e) {
        const int x = e % side, y = e / side % side, z = e / side / side;
        const int first = (z * edge + y) * edge + x;
        const int eight[8] = {
            0, 1, edge + 1, edge, edge * edge, edge * edge + 1, edge * edge + edge + 1, edge * edge + edge};
        for (int c = 0; c < 8; ++c) corners[c * elements + e] = first + eight[c];
    }
    double* forces = zeros<double>(3 * nodes);
    hourglassForces<<<over(elements, 64), 64>>>((double3*)reals<double>(3 * nodes),
                                                (double3*)reals<double>(3 * nodes + 3), in_device(corners),
                                                reals<double>(elements), forces, 0.3, elements);
    toSum(forces, 3 * nodes);

    std::vector<float4> protein(120), ligand(12);
    auto kindOf = [&state] {
        const int kind = (next_number(state) >> 6) % 16;
        float bits;
        static_assert(sizeof bits == sizeof kind, "");
        std::copy((const char*)&kind, (const char*)&kind + 4, (char*)&bits);
        return bits;
    };
    for (float4& a : protein) a = {30 * some() - 15, 30 * some() - 15, 30 * some() - 15, kindOf()};
    for (float4& a : ligand) a = {6 * some() - 3, 6 * some() - 3, 6 * some() - 3, kindOf()};
    std::vector<Kind> kinds(16);
    for (Kind& kind : kinds) kind = {1 + some(), 2 * some() - 1, 2 * some() - 1};
    const int poses = 6000;
    float* energies = zeros<float>(poses);
    dockEnergies<2><<<over(poses / 2, 64), 64>>>(in_device(protein), in_device(ligand), in_device(kinds),
                                                 reals(3 * poses, -3, 3), energies, 120, 12, poses);
    toSum(energies, poses);

    const int atoms = 16000, most = 12;
    std::vector<int> neighbours(most * atoms), numbers(atoms);
    for (int i = 0; i < atoms; ++i) {
        numbers[i] = 4 + (next_number(state) >> 6) % (most - 3);
        for (int k = 0; k < most; ++k)
            neighbours[k * atoms + i] = (i + 1 + k * 37 + (next_number(state) >> 6) % 30) % atoms;
    }
    float *triples = zeros<float>(atoms), *pushes = zeros<float>(3 * atoms);
    tripleForces<<<over(atoms, 64), 64>>>((float4*)reals(4 * atoms, 0, 2), in_device(neighbours),
                                          in_device(numbers), triples, pushes, most, atoms);
    toSum(triples, atoms);
    std::vector<int3> waves;
    for (int k = 1; k <= 200; ++k) waves.push_back(make_int3(k % 8, k / 8 % 8, k / 64 % 8));
    float4* charges = (float4*)reals(4 * 9000);
    float2* structure = zeros<float2>(200);
    waveSums<<<200, 128>>>(charges, in_device(waves), structure, 9000);
    toSum((float*)structure, 400);
    u64* mesh = zeros<u64>(48 * 48 * 48);
    splineCharges<<<over(9000, 96), 96>>>(charges, mesh, 48, 9000);
    toSum((long long*)mesh, 48 * 48 * 48);

    const int nx = 96, ny = 40, nz = 20, cells = nx * ny * nz;
    std::vector<u8> solid(cells);
    for (int i = 0; i < cells; ++i) {
        const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
        solid[i] =
            y == 0 || y == ny - 1 || (x - 30) * (x - 30) + (y - 20) * (y - 20) + (z - 10) * (z - 10) < 40;
    }
    u8* walls = in_device(solid);
    float* flow = zeros<float>(19 * cells);
    channelFlow<float>
        <<<dim3(1, ny, nz), 96>>>(reals(19 * cells, 0.03, 0.06), flow, walls, nx, ny, nz, 1.2f, 1e-4f);
    toSum(flow, 19 * cells);
    double* fine = zeros<double>(19 * 64 * 40 * 10);
    channelFlow<double><<<dim3(2, 40, 10), 32>>>(reals<double>(19 * 64 * 40 * 10, 0.03, 0.06), fine, walls,
                                                 64, 40, 10, 1.2, 1e-4);
    toSum(fine, 19 * 64 * 40 * 10);

    const int wide = 1000, high = 700;
    float* ez = reals(wide * high, -1, 1);
    absorbingElectric<<<dim3(32, 88), dim3(32, 8)>>>(
        ez, reals(wide * high + 1, -1, 1), reals(wide * high + 2, -1, 1), zeros<float>(20 * high),
        zeros<float>(20 * wide), (float2*)reals(20, 0, 0.8), wide, high, 10);
    toSum(ez, wide * high);
    std::vector<float> times(640 * 480, 1e6f);
    for (int i = 0; i < 640 * 480; i += 173) times[i] = 0;
    float* arrival = in_device(times);
    int* changed = zeros<int>(1);
    frontArrival<<<dim3(40, 30), dim3(16, 16)>>>(arrival, reals(640 * 480, 0.5, 2), changed, 640, 24);
    toSum(arrival, 640 * 480);
    std::vector<float4> angles;
    for (int a = 0; a < 64; ++a)
        angles.push_back(make_float4(0.1f + 0.01f * a, 0.9f - 0.01f * a, a & 1 ? 1 : -1, a & 2 ? 1 : -1));
    float* flux = zeros<float>(128 * 96);
    sweepOrdinates<<<64, 96, (128 + 96) * 4>>>(reals(128 * 96), reals(128 * 96 + 1, 0.5, 3), flux,
                                               in_device(angles), 128, 96);
    toSum(flux, 128 * 96);
    std::vector<float> pressure(30);
    for (int k = 0; k < 30; ++k) pressure[k] = 1000 * std::exp(-k / 15.f);
    const int columns = 12000;
    float *rain = reals(30 * columns, 0, 2), *fallen = zeros<float>(columns);
    rainColumns<<<over(columns, 128), 128>>>(reals(30 * columns + 1), reals(30 * columns + 2, 0, 2), rain,
                                             reals(30 * columns + 3, 280, 310), in_device(pressure), fallen,
                                             30, columns, 5.f);
    toSum(rain, 30 * columns);
    toSum(fallen, columns);
    double* sea = zeros<double>(200000);
    seaDensity<<<300, 192>>>(reals<double>(200000, 30, 38), reals<double>(200001, 0, 25), sea, 40, 200000);
    toSum(sea, 200000);
}

// ---------------------------------------------------------------- learning

// Points as far from each other as possible, one after another: a block a cloud
__global__ void __launch_bounds__(512)
    farthestPoints(const float* __restrict__ clouds, int* __restrict__ chosen, int points, int wanted) {
    extern __shared__ float nearest[];
    __shared__ u64 best;
    const float* cloud = clouds + (size_t)blockIdx.x * points * 3;
    for (int i = threadIdx.x; i < points; i += blockDim.x) nearest[i] = 1e10f;
    int last = 0;
    for (int k = 0; k < wanted; ++k) {
        if (threadIdx.x == 0) {
            best = 0;
            chosen[blockIdx.x * wanted + k] = last;
        }
        __syncthreads();
        const float x = cloud[3 * last], y = cloud[3 * last + 1], z = cloud[3 * last + 2];
        float farthest = -1;
        int at = 0;
        for (int i = threadIdx.x; i < points; i += blockDim.x) {
            const float dx = cloud[3 * i] - x, dy = cloud[3 * i + 1] - y, dz = cloud[3 * i + 2] - z;
            const float d = fminf(nearest[i], dx * dx + dy * dy + dz * dz);
            nearest[i] = d;
            if (d > farthest) farthest = d, at = i;
        }
        u64 key = farthest < 0 ? 0 : (u64)__float_as_uint(farthest) << 32 | (u32)~at;
        for (int step = 16; step; step >>= 1) {
            const u64 other = __shfl_xor_sync(~0u, key, step);
            key = other > key ? other : key;
        }
        if (threadIdx.x % 32 == 0) atomicMax(&best, key);
        __syncthreads();
        last = ~(u32)best;
        __syncthreads();
    }
}

// Learned scenes: features of points from hashed grids of many sizes, blended between eight corners
__global__ void gridFeatures(const float3* __restrict__ points, const half2* __restrict__ tables,
                             half2* __restrict__ out, float growth, u32 entries, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, level = blockIdx.y;
    if (i >= count) return;
    const float scale = 16 * powf(growth, (float)level);
    const u32 side = (u32)ceilf(scale) + 1;
    const float3 p = points[i];
    const float px = p.x * scale, py = p.y * scale, pz = p.z * scale;
    const u32 x = (u32)px, y = (u32)py, z = (u32)pz;
    const float fx = px - x, fy = py - y, fz = pz - z;
    const half2* table = tables + level * entries;
    float2 sum = make_float2(0, 0);
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        const u32 cx = x + (corner & 1), cy = y + (corner >> 1 & 1), cz = z + (corner >> 2);
        const float weight =
            (corner & 1 ? fx : 1 - fx) * (corner & 2 ? fy : 1 - fy) * (corner & 4 ? fz : 1 - fz);
        u32 index = side * side * side <= entries ? cx + side * (cy + side * cz)
                                                  : cx ^ cy * 2654435761u ^ cz * 805459861u;
        const float2 feature = __half22float2(table[index % entries]);
        sum.x += weight * feature.x, sum.y += weight * feature.y;
    }
    out[(size_t)level * count + i] = __floats2half2_rn(sum.x, sum.y);
}

// Colours along rays gathered until hardly any light is left, rays of unequal length
__global__ void compositeRays(const float4* __restrict__ samples, const int2* __restrict__ rays,
                              float4* __restrict__ out, float step, int count) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= count) return;
    const int2 ray = rays[r];
    float light = 1, depth = 0;
    float3 colour = make_float3(0, 0, 0);
    for (int k = 0; k < ray.y; ++k) {
        const float4 s = samples[ray.x + k];
        const float alpha = 1 - __expf(-s.w * step), weight = alpha * light;
        colour.x += weight / (1 + __expf(-s.x));
        colour.y += weight / (1 + __expf(-s.y));
        colour.z += weight / (1 + __expf(-s.z));
        depth += weight * k;
        light *= 1 - alpha;
        if (light < 1e-3f) break;
    }
    out[r] = make_float4(colour.x, colour.y, colour.z, depth);
}

// Boosted trees: gradients summed per bin of each feature for the rows of one node
__global__ void gradientBins(const u8* __restrict__ features, const int* __restrict__ rows,
                             const float2* __restrict__ gradients, float2* sums, int count, int allRows) {
    __shared__ float2 bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = make_float2(0, 0);
    __syncthreads();
    const u8* feature = features + (size_t)blockIdx.y * allRows;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int row = rows[i];
        const float2 g = gradients[row];
        float2* bin = &bins[feature[row]];
        atomicAdd(&bin->x, g.x);
        atomicAdd(&bin->y, g.y);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        const float2 bin = bins[i];
        if (bin.y == 0) continue;
        atomicAdd(&sums[blockIdx.y * 256 + i].x, bin.x);
        atomicAdd(&sums[blockIdx.y * 256 + i].y, bin.y);
    }
}

// Recommending: the normal equations of each user, a block a user, a 2x2 patch of a 32x32 matrix a thread
__global__ void userEquations(const int* __restrict__ offsets, const int* __restrict__ items,
                              const float* __restrict__ ratings, const float* __restrict__ factors,
                              float* __restrict__ matrices, float* __restrict__ right, float keep) {
    __shared__ float held[16][33];
    __shared__ float rated[16];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int first = offsets[blockIdx.x], last = offsets[blockIdx.x + 1];
    float a = 0, b = 0, c = 0, d = 0, sum = 0;
    for (int base = first; base < last; base += 16) {
        const int here = min(16, last - base);
        for (int i = tid; i < here * 32; i += 256)
            held[i / 32][i % 32] = factors[items[base + i / 32] * 32 + i % 32];
        if (tid < here) rated[tid] = ratings[base + tid];
        __syncthreads();
        for (int k = 0; k < here; ++k) {
            const float x0 = held[k][tx], x1 = held[k][tx + 16], y0 = held[k][ty], y1 = held[k][ty + 16];
            a += x0 * y0, b += x1 * y0, c += x0 * y1, d += x1 * y1;
            if (tid < 32) sum += rated[k] * held[k][tid];
        }
        __syncthreads();
    }
    float* m = matrices + blockIdx.x * 1024;
    m[ty * 32 + tx] = a + (tx == ty ? keep : 0.f), m[ty * 32 + tx + 16] = b;
    m[(ty + 16) * 32 + tx] = c, m[(ty + 16) * 32 + tx + 16] = d + (tx == ty ? keep : 0.f);
    if (tid < 32) right[blockIdx.x * 32 + tid] = sum;
}

// Choosing the next word: the smallest set of likely words that holds enough chance, by halving of a
// threshold
__global__ void __launch_bounds__(1024)
    nucleusPick(const float* __restrict__ logits, int* __restrict__ picked, float* __restrict__ thresholds,
                int words, float enough) {
    auto block = cg::this_thread_block();
    __shared__ float held[32];
    __shared__ int pick;
    const float* own = logits + (size_t)blockIdx.x * words;
    const int t = block.thread_rank();
    if (t == 0) pick = words;
    float most = 0, total = 0;
    for (int i = t; i < words; i += 1024) most = fmaxf(most, own[i]);
    for (int step = 16; step; step >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    if (t % 32 == 0) held[t / 32] = most;
    block.sync();
    for (int w = 0; w < 32; ++w) most = fmaxf(most, held[w]);
    for (int i = t; i < words; i += 1024) total += expf(own[i] - most);
    total = blockSum(total, held);
    float low = 0, high = 1;
    for (int turn = 0; turn < 12; ++turn) {
        const float middle = 0.5f * (low + high);
        float sum = 0;
        for (int i = t; i < words; i += 1024) {
            const float chance = __expf(own[i] - most);
            if (chance >= middle) sum += chance;
        }
        if (blockSum(sum, held) >= enough * total)
            low = middle;
        else
            high = middle;
    }
    for (int i = t; i < words; i += 1024)
        if (__expf(own[i] - most) >= low) {
            atomicMin(&pick, i);
            break;
        }
    block.sync();
    if (t == 0) picked[blockIdx.x] = pick, thresholds[blockIdx.x] = low;
}

__device__ __noinline__ float squash(float x) { return 1 / (1 + expf(-x)); }

// Gated recurrent units over the steps of a sequence, weights in halves: a block a sequence, a thread a unit
__global__ void gatedSteps(const half* __restrict__ inputs, const half2* __restrict__ weights,
                           half* __restrict__ out, int steps) {
    extern __shared__ half2 memory[];
    const int units = blockDim.x, u = threadIdx.x, pairs = units / 2;
    half* flat = (half*)memory;
    flat[u] = __float2half(0.f);
    float own = 0;
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        half2 z = __float2half2_rn(0.f), r = z, c = z;
        for (int k = 0; k < pairs; ++k) {
            const half2 m = memory[k];
            z = __hfma2(weights[(3 * k) * units + u], m, z);
            r = __hfma2(weights[(3 * k + 1) * units + u], m, r);
            c = __hfma2(weights[(3 * k + 2) * units + u], m, c);
        }
        const float in = __half2float(inputs[((size_t)blockIdx.x * steps + s) * units + u]);
        const float update = squash(in + __low2float(z) + __high2float(z));
        const float reset = squash(in + __low2float(r) + __high2float(r));
        const float candidate = tanhf(in + reset * (__low2float(c) + __high2float(c)));
        own = update * own + (1 - update) * candidate;
        __syncthreads();
        flat[u] = __float2half(own);
        __syncthreads();
        out[((size_t)blockIdx.x * steps + s) * units + u] = flat[u];
    }
}

// Boards valued by a small net of bytes: the features that are set added up, two layers of dot products of
// four
__global__ void valueBoards(const short* __restrict__ features, const u16* __restrict__ active,
                            const int* __restrict__ first, const signed char* __restrict__ second,
                            int* __restrict__ values, int number) {
    __shared__ int inputs[64];
    const int t = threadIdx.x;
    const u16* own = active + blockIdx.x * number;
    int4 sum = make_int4(0, 0, 0, 0);
    for (int k = 0; k < number; ++k) {
        const short4 row = ((const short4*)(features + own[k] * 256))[t];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    const int a = min(max(sum.x >> 4, 0), 127), b = min(max(sum.y >> 4, 0), 127);
    const int c = min(max(sum.z >> 4, 0), 127), d = min(max(sum.w >> 4, 0), 127);
    inputs[t] = a | b << 8 | c << 16 | d << 24;
    __syncthreads();
    if (t >= 32) return;
    int dot = 0;
#pragma unroll 8
    for (int k = 0; k < 64; ++k) dot = __dp4a(inputs[k], first[k * 32 + t], dot);
    const int clipped = min(max(dot >> 6, 0), 127);
    const int value = __reduce_add_sync(~0u, clipped * second[t]);
    if (t == 0) values[blockIdx.x] = value;
}

// Neurons that leak and fire: each spike handed on to the neurons it reaches, an own delay each
__global__ void spikeStep(float* potentials, const float* __restrict__ arriving, float* next, u8* resting,
                          const int* __restrict__ targets, const float* __restrict__ weights, int* spikes,
                          int reach, int neurons) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    bool fired = false;
    if (n < neurons) {
        float v = potentials[n];
        if (resting[n]) {
            --resting[n];
        } else {
            v = v * 0.95f + arriving[n];
            fired = v > 1;
        }
        if (fired) v = 0, resting[n] = 3;
        potentials[n] = v;
    }
    const u32 votes = __ballot_sync(~0u, fired);
    const int lane = threadIdx.x & 31;
    if (lane == 0 && votes) atomicAdd(spikes, __popc(votes));
    for (u32 left = votes; left; left &= left - 1) {
        const int source = n - lane + __ffs(left) - 1;
        for (int k = lane; k < reach; k += 32)
            atomicAdd(&next[targets[source * reach + k]], weights[source * reach + k]);
    }
}

void runLearning(uint32_t& state) {
    int* chosen = zeros<int>(32 * 64);
    farthestPoints<<<32, 512, 2048 * 4>>>(reals(32 * 2048 * 3), chosen, 2048, 64);
    toSum(chosen, 32 * 64);
    const int points = 30000, entries = 1 << 15;
    std::vector<half> table(2 * 12 * entries);
    for (half& value : table) value = __float2half((next_number(state) >> 8) % 2000 / 1000.f - 1);
    half2* features = zeros<half2>(12 * points);
    gridFeatures<<<dim3(over(points, 256), 12), 256>>>(
        (float3*)reals(3 * points, 0, 0.999), (half2*)in_device(table), features, 1.45f, entries, points);
    sums.push_back([=] {
        std::vector<half> values(24 * points);
        cudaMemcpy(values.data(), features, values.size() * sizeof(half), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (half value : values) sum += __half2float(value);
        return sum;
    });
    std::vector<int2> rays(20000);
    int samples = 0;
    for (int2& ray : rays) {
        const u32 longest = (next_number(state) >> 6) % 5 ? 30 : 90;
        ray = make_int2(samples, (next_number(state) >> 6) % longest);
        samples += ray.y;
    }
    float4* seen = zeros<float4>(20000);
    compositeRays<<<over(20000, 128), 128>>>((float4*)reals(4 * samples, 0, 3), in_device(rays), seen, 0.05f,
                                             20000);
    toSum((float*)seen, 80000);

    std::vector<int> rows;
    for (int r = 0; r < 60000; ++r)
        if ((next_number(state) >> 6) % 3 == 0) rows.push_back(r);
    float2* binned = zeros<float2>(24 * 256);
    gradientBins<<<dim3(8, 24), 256>>>(wholes<u8>(24 * 60000, 200), in_device(rows),
                                       (float2*)reals(120000, -1, 1), binned, rows.size(), 60000);
    toSum((float*)binned, 2 * 24 * 256);
    std::vector<int> offsets(1, 0);
    for (int user = 0; user < 500; ++user)
        offsets.push_back(offsets.back() + 5 + (next_number(state) >> 6) % 90);
    float *matrices = zeros<float>(500 * 1024), *right = zeros<float>(500 * 32);
    userEquations<<<500, dim3(16, 16)>>>(in_device(offsets), wholes(offsets.back(), 3000),
                                         reals(offsets.back(), 1, 5), reals(3000 * 32, -1, 1), matrices,
                                         right, 0.1f);
    toSum(matrices, 500 * 1024);
    toSum(right, 500 * 32);
    int* picked = zeros<int>(20);
    float* thresholds = zeros<float>(20);
    nucleusPick<<<20, 1024>>>(reals(20 * 16000, -4, 6), picked, thresholds, 16000, 0.8f);
    toSum(picked, 20);
    toSum(thresholds, 20);

    std::vector<half> inputs(128 * 12 * 128), weights(64 * 3 * 128 * 2);
    for (half& value : inputs) value = __float2half((next_number(state) >> 8) % 2000 / 1000.f - 1);
    for (half& value : weights) value = __float2half((next_number(state) >> 8) % 2000 / 10000.f - 0.1f);
    half* gated = zeros<half>(128 * 12 * 128);
    gatedSteps<<<128, 128, 128 * 2>>>(in_device(inputs), (half2*)in_device(weights), gated, 12);
    sums.push_back([=] {
        std::vector<half> values(128 * 12 * 128);
        cudaMemcpy(values.data(), gated, values.size() * sizeof(half), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (half value : values) sum += __half2float(value);
        return sum;
    });
    std::vector<short> transforms(768 * 256);
    for (short& value : transforms) value = (short)((next_number(state) >> 8) % 200) - 90;
    int* values = zeros<int>(4000);
    valueBoards<<<4000, 64>>>(in_device(transforms), wholes<u16>(4000 * 30, 768), wholes(64 * 32, ~0u),
                              wholes<signed char>(32, 127), values, 30);
    toSum(values, 4000);
    const int neurons = 40000, reach = 100;
    float* next = zeros<float>(neurons);
    int* spikes = zeros<int>(1);
    spikeStep<<<over(neurons, 256), 256>>>(reals(neurons), reals(neurons + 1, 0, 0.3), next,
                                           wholes<u8>(neurons, 2), wholes(neurons * reach, neurons),
                                           reals(neurons * reach, -0.1, 0.2), spikes, reach, neurons);
    toSum(next, neurons);
    toSum(spikes, 1);
}

// ---------------------------------------------------------------- pictures, shapes, chance

// Rays through a grid of cells from face to face until a full one
__global__ void voxelWalk(const u32* __restrict__ filled, u32* __restrict__ out, int side, int width,
                          int height) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float3 d = make_float3((px + 0.5f) / width - 0.5f, (py + 0.5f) / height - 0.5f, 0.9f);
    const float inverse = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    d.x *= inverse, d.y *= inverse, d.z *= inverse;
    const float ox = side * 0.5f, oy = side * 0.5f, oz = 0.01f;
    int x = (int)ox, y = (int)oy, z = 0;
    const int sx = d.x < 0 ? -1 : 1, sy = d.y < 0 ? -1 : 1;
    const float gx = 1 / fmaxf(fabsf(d.x), 1e-6f), gy = 1 / fmaxf(fabsf(d.y), 1e-6f), gz = 1 / d.z;
    float tx = (d.x < 0 ? ox - x : x + 1 - ox) * gx, ty = (d.y < 0 ? oy - y : y + 1 - oy) * gy,
          tz = (1 - oz) * gz;
    u32 steps = 0, face = 0;
    while (x >= 0 && y >= 0 && x < side && y < side && z < side) {
        const int cell = (z * side + y) * side + x;
        if (filled[cell >> 5] >> (cell & 31) & 1) {
            face |= 4;
            break;
        }
        ++steps;
        if (tx < ty && tx < tz)
            x += sx, tx += gx, face = 0;
        else if (ty < tz)
            y += sy, ty += gy, face = 1;
        else
            ++z, tz += gz, face = 2;
    }
    out[py * width + px] = steps << 3 | face;
}

struct Ball {
    float3 centre;
    float radius, mirror, glass;
};

struct Waiting {
    float3 from, along;
    float weight;
    int depth;
};

__device__ float3 plus(float3 a, float3 b, float t) {
    return make_float3(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
}
__device__ float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Mirrors and glass: rays that split, those waiting kept on a stack
__global__ void glassBalls(const Ball* __restrict__ balls, float* __restrict__ out, int number, int width,
                           int height) {
    extern __shared__ Ball scene[];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = tid; i < number; i += blockDim.x * blockDim.y) scene[i] = balls[i];
    __syncthreads();
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    Waiting stack[8];
    int waiting = 1;
    stack[0].from = make_float3(0, 0, -4);
    float3 d = make_float3((px - width * 0.5f) / height, (height * 0.5f - py) / height, 1);
    const float length = rsqrtf(dot3(d, d));
    stack[0].along = make_float3(d.x * length, d.y * length, d.z * length);
    stack[0].weight = 1, stack[0].depth = 0;
    float light = 0;
    while (waiting > 0) {
        const Waiting ray = stack[--waiting];
        float nearest = 1e20f;
        int hit = -1;
        for (int i = 0; i < number; ++i) {
            const float3 to = plus(scene[i].centre, ray.from, -1);
            const float along = dot3(to, ray.along), off = dot3(to, to) - along * along;
            const float within = scene[i].radius * scene[i].radius - off;
            if (within < 0) continue;
            const float half = sqrtf(within);
            const float t = along - half > 1e-3f ? along - half : along + half;
            if (t > 1e-3f && t < nearest) nearest = t, hit = i;
        }
        if (hit < 0) {
            light += ray.weight * (0.5f + 0.5f * ray.along.y);
            continue;
        }
        const Ball ball = scene[hit];
        const float3 at = plus(ray.from, ray.along, nearest);
        float3 normal = plus(at, ball.centre, -1);
        const float inverse = 1 / ball.radius;
        normal = make_float3(normal.x * inverse, normal.y * inverse, normal.z * inverse);
        float facing = -dot3(normal, ray.along), ratio = 1 / 1.5f;
        if (facing < 0) {
            facing = -facing, ratio = 1.5f;
            normal = make_float3(-normal.x, -normal.y, -normal.z);
        }
        const float matte = 1 - ball.mirror - ball.glass;
        light += ray.weight * matte * fmaxf(normal.x * 0.5f + normal.y * 0.7f - normal.z * 0.5f, 0.05f);
        if (ray.depth >= 5 || ray.weight < 0.02f) continue;
        float mirror = ball.mirror;
        if (ball.glass > 0) {
            const float inside = 1 - ratio * ratio * (1 - facing * facing);
            const float grazing = 1 - facing,
                        skin = 0.04f + 0.96f * grazing * grazing * grazing * grazing * grazing;
            if (inside > 0 && waiting < 8) {
                const float bend = ratio * facing - sqrtf(inside);
                Waiting next;
                next.from = at;
                next.along =
                    make_float3(ratio * ray.along.x + bend * normal.x, ratio * ray.along.y + bend * normal.y,
                                ratio * ray.along.z + bend * normal.z);
                next.weight = ray.weight * ball.glass * (1 - skin);
                next.depth = ray.depth + 1;
                stack[waiting++] = next;
            }
            mirror += ball.glass * (inside > 0 ? skin : 1.f);
        }
        if (mirror > 0.01f && waiting < 8) {
            stack[waiting].from = at;
            stack[waiting].along = plus(ray.along, normal, 2 * facing);
            stack[waiting].weight = ray.weight * mirror;
            stack[waiting++].depth = ray.depth + 1;
        }
    }
    out[py * width + px] = light;
}

// Polygons cut to a window, side after side, and the area that is left
__global__ void clippedAreas(const float2* __restrict__ corners, const int* __restrict__ starts,
                             float* __restrict__ areas, float4 window, int count) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= count) return;
    float2 a[16], b[16];
    int number = starts[p + 1] - starts[p];
    for (int i = 0; i < number; ++i) a[i] = corners[starts[p] + i];
    for (int side = 0; side < 4 && number; ++side) {
        const float limit = side == 0 ? window.x : side == 1 ? -window.z : side == 2 ? window.y : -window.w;
        int kept = 0;
        for (int i = 0; i < number; ++i) {
            const float2 from = a[i], to = a[i + 1 == number ? 0 : i + 1];
            const float sign = side & 1 ? -1.f : 1.f;
            const float df = sign * (side < 2 ? from.x : from.y) - limit,
                        dt = sign * (side < 2 ? to.x : to.y) - limit;
            if (df >= 0 && kept < 16) b[kept++] = from;
            if ((df >= 0) != (dt >= 0) && kept < 16) {
                const float t = df / (df - dt);
                b[kept++] = make_float2(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y));
            }
        }
        number = kept;
        for (int i = 0; i < number; ++i) a[i] = b[i];
    }
    float area = 0;
    for (int i = 0; i < number; ++i) {
        const float2 from = a[i], to = a[i + 1 == number ? 0 : i + 1];
        area += from.x * to.y - from.y * to.x;
    }
    areas[p] = 0.5f * fabsf(area);
}

// Distance of points to the triangles of a mesh: corner, edge or face, whichever is nearest
__global__ void meshDistance(const float3* __restrict__ points, const float3* __restrict__ mesh,
                             float* __restrict__ out, int triangles, int count) {
    __shared__ float3 tile[96];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float3 p = i < count ? points[i] : make_float3(0, 0, 0);
    float least = 1e20f;
    for (int base = 0; base < triangles; base += 32) {
        const int here = min(32, triangles - base);
        __syncthreads();
        for (int k = threadIdx.x; k < here * 3; k += blockDim.x) tile[k] = mesh[base * 3 + k];
        __syncthreads();
        for (int k = 0; k < here; ++k) {
            const float3 a = tile[3 * k], ab = plus(tile[3 * k + 1], a, -1),
                         ac = plus(tile[3 * k + 2], a, -1);
            const float3 ap = plus(p, a, -1);
            const float d1 = dot3(ab, ap), d2 = dot3(ac, ap);
            const float3 bp = plus(ap, ab, -1), cp = plus(ap, ac, -1);
            const float d3 = dot3(ab, bp), d4 = dot3(ac, bp), d5 = dot3(ab, cp), d6 = dot3(ac, cp);
            const float va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
            float s, t;
            if (d1 <= 0 && d2 <= 0)
                s = t = 0;
            else if (d3 >= 0 && d4 <= d3)
                s = 1, t = 0;
            else if (d6 >= 0 && d5 <= d6)
                s = 0, t = 1;
            else if (vc <= 0 && d1 >= 0 && d3 <= 0)
                s = d1 / (d1 - d3 + 1e-12f), t = 0;
            else if (vb <= 0 && d2 >= 0 && d6 <= 0)
                s = 0, t = d2 / (d2 - d6 + 1e-12f);
            else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
                t = (d4 - d3) / (d4 - d3 + d5 - d6 + 1e-12f), s = 1 - t;
            else {
                const float inverse = 1 / (va + vb + vc);
                s = vb * inverse, t = vc * inverse;
            }
            const float3 away = plus(plus(ap, ab, -s), ac, -t);
            least = fminf(least, dot3(away, away));
        }
    }
    if (i < count) out[i] = sqrtf(least);
}

// Piles of sand that topple until they rest, a small table a block
__global__ void topplePiles(const int* __restrict__ grains, int* __restrict__ rest, int* __restrict__ turns,
                            int most) {
    __shared__ int pile[34][34];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1, tid = threadIdx.y * 32 + threadIdx.x;
    for (int i = tid; i < 34 * 34; i += 1024) pile[i / 34][i % 34] = 0;
    __syncthreads();
    pile[y][x] = grains[blockIdx.x * 1024 + tid];
    __syncthreads();
    int turn = 0;
    for (; turn < most; ++turn) {
        const int gained = pile[y - 1][x] / 4 + pile[y + 1][x] / 4 + pile[y][x - 1] / 4 + pile[y][x + 1] / 4;
        const int now = pile[y][x] % 4 + gained;
        __syncthreads();
        pile[y][x] = now;
        if (!__syncthreads_or(now > 3)) break;
    }
    rest[blockIdx.x * 1024 + tid] = pile[y][x];
    if (tid == 0) turns[blockIdx.x] = turn;
}

__device__ __forceinline__ u32 drawn(u32& s) {
    s = s * 747796405u + 2891336453u;
    const u32 word = (s >> ((s >> 28) + 4) ^ s) * 277803737u;
    return word >> 22 ^ word;
}

// Ants' tours: a warp an ant, the next town by a wheel of chances over those not yet seen
__global__ void antTours(const float* __restrict__ appeal, const float* __restrict__ apart,
                         float* __restrict__ lengths, int towns, int ants) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int ant = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(), lane = warp.thread_rank();
    if (ant >= ants) return;
    u32 seed = ant * 7919 + 13, seen = 0;
    int town = ant % towns;
    const int start = town;
    float length = 0;
    if (town % 32 == lane) seen |= 1u << town / 32;
    for (int step = 1; step < towns; ++step) {
        float sum = 0;
        for (int k = lane; k < towns; k += 32)
            if (!(seen >> k / 32 & 1)) sum += appeal[town * towns + k];
        float upTo = sum;
        for (int d = 1; d < 32; d *= 2) {
            const float before = warp.shfl_up(upTo, d);
            if (lane >= d) upTo += before;
        }
        const float wheel = warp.shfl(upTo, 31) * ((drawn(seed) >> 8) * 5.9604645e-8f);
        const u32 reached = warp.ballot(upTo > wheel && sum > 0);
        const u32 open = warp.ballot(sum > 0);
        const int chooser = __ffs(reached ? reached : open) - 1;
        int next = -1;
        if (lane == chooser) {
            float left = wheel - (upTo - sum);
            for (int k = lane; k < towns; k += 32)
                if (!(seen >> k / 32 & 1)) {
                    next = k;
                    left -= appeal[town * towns + k];
                    if (left < 0) break;
                }
            seen |= 1u << next / 32;
        }
        next = warp.shfl(next, chooser);
        length += apart[town * towns + next];
        town = next;
    }
    if (lane == 0) lengths[ant] = length + apart[town * towns + start];
}

// Assigning plants to places by cooling: a chain a thread, its order in local memory, exchanges of two
template <int N>
__global__ void coolAssignments(const int* __restrict__ traffic, const int* __restrict__ apart,
                                int* __restrict__ costs, int turns, int chains) {
    __shared__ int flow[N * N], way[N * N];
    for (int i = threadIdx.x; i < N * N; i += blockDim.x) flow[i] = traffic[i], way[i] = apart[i];
    __syncthreads();
    const int chain = blockIdx.x * blockDim.x + threadIdx.x;
    if (chain >= chains) return;
    u8 place[N];
    for (int i = 0; i < N; ++i) place[i] = i;
    u32 seed = chain * 2654435761u + 1;
    float heat = 60;
    for (int turn = 0; turn < turns; ++turn, heat *= 0.97f) {
        const int a = drawn(seed) % N, b = (a + 1 + drawn(seed) % (N - 1)) % N;
        const int pa = place[a], pb = place[b];
        int change = 0;
        for (int k = 0; k < N; ++k) {
            if (k == a || k == b) continue;
            const int pk = place[k];
            change += (flow[a * N + k] - flow[b * N + k]) * (way[pb * N + pk] - way[pa * N + pk]);
        }
        if (change < 0 || __expf(-change / heat) > (drawn(seed) >> 8) * 5.9604645e-8f)
            place[a] = pb, place[b] = pa;
    }
    int cost = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j) cost += flow[i * N + j] * way[place[i] * N + place[j]];
    costs[chain] = cost;
}

// Bonds that may be called back, on a tree of short rates with three branches, a block a bond
__global__ void callableBonds(const double* __restrict__ coupons, double* __restrict__ prices, double start,
                              double spacing, int steps) {
    extern __shared__ double worth[];
    const int width = 2 * steps + 1;
    double *now = worth, *later = worth + width;
    const double coupon = coupons[blockIdx.x];
    for (int j = threadIdx.x; j < width; j += blockDim.x) later[j] = 1 + coupon;
    __syncthreads();
    for (int t = steps - 1; t >= 0; --t) {
        for (int j = steps - t + threadIdx.x; j <= steps + t; j += blockDim.x) {
            const double drift = 0.02 * (j - steps), rate = start + spacing * (j - steps);
            const double up = 1 / 6. + 0.5 * (drift * drift - drift),
                         down = 1 / 6. + 0.5 * (drift * drift + drift);
            const double value = up * later[j + 1] + (1 - up - down) * later[j] + down * later[j - 1];
            now[j] = fmin(exp(-rate * 0.25) * value, 1.02) + (t % 2 == 0 ? coupon : 0);
        }
        __syncthreads();
        double* swap = now;
        now = later;
        later = swap;
    }
    if (threadIdx.x == 0) prices[blockIdx.x] = later[steps];
}

__constant__ int haltonBases[8] = {2, 3, 5, 7, 11, 13, 17, 19};

// Baskets of shares by a sequence that fills space evenly: digits turned around the point, base after base
__global__ void evenBaskets(const float* __restrict__ swings, double* sum, float strike, int shares,
                            int paths) {
    __shared__ double parts[8];
    double paid = 0;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += gridDim.x * blockDim.x) {
        float basket = 1;
        for (int s = 0; s < shares; ++s) {
            const int base = haltonBases[s];
            float u = 0, place = 1.f / base;
            for (int left = p + 1; left; left /= base) {
                u += left % base * place;
                place /= base;
            }
            u = fminf(fmaxf(u, 1e-6f), 1 - 1e-6f);
            basket *= powf(1 + 0.05f * normcdfinvf(u) * swings[s] + 0.1f, 1.f / shares);
        }
        paid += fmaxf(basket - strike, 0.f);
    }
    for (int step = 16; step; step >>= 1) paid += __shfl_down_sync(~0u, paid, step);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = paid;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; ++w) paid += parts[w];
        atomicAdd(sum, paid);
    }
}

// Chains of Metropolis and Hastings for a curve of yes and no, the data read by all
__global__ void yesNoChains(const float4* __restrict__ data, float4* __restrict__ means, int points,
                            int turns, int chains) {
    const int chain = blockIdx.x * blockDim.x + threadIdx.x;
    if (chain >= chains) return;
    u32 seed = chain * 362437u + 5;
    float b[3] = {0, 0, 0}, last = -1e30f;
    float4 mean = make_float4(0, 0, 0, 0);
    for (int turn = 0; turn < turns; ++turn) {
        float trial[3];
#pragma unroll
        for (int k = 0; k < 3; ++k) trial[k] = b[k] + 0.3f * ((drawn(seed) >> 8) * 1.1920929e-7f - 1);
        float fit = -0.05f * (trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]);
        for (int i = 0; i < points; ++i) {
            const float4 d = data[i];
            const float z = trial[0] + trial[1] * d.x + trial[2] * d.y;
            fit += (d.w > 0.5f ? z : 0.f) - fmaxf(z, 0.f) - log1pf(__expf(-fabsf(z)));
        }
        if (logf((drawn(seed) >> 8) * 5.9604645e-8f + 1e-9f) < fit - last) {
#pragma unroll
            for (int k = 0; k < 3; ++k) b[k] = trial[k];
            last = fit;
            mean.w += 1;
        }
        mean.x += b[0], mean.y += b[1], mean.z += b[2];
    }
    means[chain] = make_float4(mean.x / turns, mean.y / turns, mean.z / turns, mean.w);
}

void runShapes(uint32_t& state) {
    auto some = [&state] { return (next_number(state) >> 8) % 65536 / 65536.f; };
    const int side = 128;
    std::vector<u32> filled(side * side * side / 32);
    for (u32& word : filled) {
        word = 0;
        for (int bit = 0; bit < 32; ++bit) word |= (u32)(some() < 0.012f) << bit;
    }
    u32* walked = zeros<u32>(320 * 200);
    voxelWalk<<<dim3(20, 25), dim3(16, 8)>>>(in_device(filled), walked, side, 320, 200);
    toSum(walked, 320 * 200);
    std::vector<Ball> balls(14);
    for (Ball& ball : balls) {
        ball = {float3{4 * some() - 2, 3 * some() - 1.5f, 3 * some()}, 0.3f + 0.4f * some(), 0, 0};
        const int kind = (next_number(state) >> 6) % 3;
        if (kind == 1) ball.mirror = 0.7f;
        if (kind == 2) ball.glass = 0.9f;
    }
    float* lit = zeros<float>(320 * 200);
    glassBalls<<<dim3(40, 50), dim3(8, 4), 14 * sizeof(Ball)>>>(in_device(balls), lit, 14, 320, 200);
    toSum(lit, 320 * 200);

    const int polygons = 20000;
    std::vector<float2> corners;
    std::vector<int> starts(1, 0);
    for (int p = 0; p < polygons; ++p) {
        const int number = 3 + (next_number(state) >> 6) % 6;
        const float x = some(), y = some(), size = 0.05f + 0.4f * some();
        for (int k = 0; k < number; ++k)
            corners.push_back(make_float2(x + size * std::cos(6.2831853f * k / number),
                                          y + size * std::sin(6.2831853f * k / number)));
        starts.push_back(corners.size());
    }
    float* areas = zeros<float>(polygons);
    clippedAreas<<<over(polygons, 64), 64>>>(in_device(corners), in_device(starts), areas,
                                             make_float4(0.2f, 0.25f, 0.7f, 0.8f), polygons);
    toSum(areas, polygons);
    float* away = zeros<float>(6000);
    meshDistance<<<over(6000, 128), 128>>>((float3*)reals(18000), (float3*)reals(200 * 9, -0.2, 1.2), away,
                                           200, 6000);
    toSum(away, 6000);
    std::vector<int> grains(48 * 1024);
    for (int& grain : grains) grain = (next_number(state) >> 6) % 5;
    for (int b = 0; b < 48; ++b) grains[b * 1024 + 500 + b] = 60 + 10 * b;
    int *rest = zeros<int>(48 * 1024), *turns = zeros<int>(48);
    topplePiles<<<48, dim3(32, 32)>>>(in_device(grains), rest, turns, 150);
    toSum(rest, 48 * 1024);
    toSum(turns, 48);

    float* tours = zeros<float>(600);
    antTours<<<over(600, 4), 128>>>(reals(100 * 100, 0.01, 1), reals(100 * 100, 1, 10), tours, 100, 600);
    toSum(tours, 600);
    int* costs = zeros<int>(8000);
    coolAssignments<16><<<over(8000, 64), 64>>>(wholes(256, 20), wholes(256, 30), costs, 60, 8000);
    toSum(costs, 8000);
    coolAssignments<30><<<over(1500, 128), 128>>>(wholes(900, 20), wholes(900, 30), costs, 60, 1500);
    toSum(costs, 1500);
    double* prices = zeros<double>(200);
    callableBonds<<<200, 128, 2 * 81 * 8>>>(reals<double>(200, 0.005, 0.03), prices, 0.04, 0.002, 40);
    toSum(prices, 200);
    double* paid = zeros<double>(1);
    evenBaskets<<<132, 256>>>(reals(8, 0.5, 2), paid, 1.05f, 5, 50000);
    toSum(paid, 1);
    float4* means = zeros<float4>(3072);
    yesNoChains<<<over(3072, 32), 32>>>((float4*)reals(4 * 60, -1, 1.5), means, 60, 20, 3072);
    toSum((float*)means, 4 * 3072);
}

int main() {
    uint32_t state = 86028157;
    runImages(state);
    runSound(state);
    runCodes(state);
    runTexts(state);
    runMatrices(state);
    runNature(state);
    runLearning(state);
    runShapes(state);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    for (const auto& sum : sums) printf(" %.6g", sum());
    printf("\n");
    return error != cudaSuccess;
}
