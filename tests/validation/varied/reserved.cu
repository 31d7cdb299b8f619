// Kernels of the kinds real programs hold, kept aside to judge the simulator by.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

#include "inputs.h"

namespace cg = cooperative_groups;
using u8 = unsigned char;
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

// ---------------------------------------------------------------- images

__constant__ float spatialWeights[11];

// Bilateral filter: neighbours weighed by distance and by likeness
template <int Radius>
__global__ void bilateralFilter(const float* __restrict__ in, float* __restrict__ out, int width, int height,
                                float sharpness) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float centre = in[y * width + x];
    float sum = 0, total = 0;
    for (int dy = -Radius; dy <= Radius; ++dy) {
        const int row = min(max(y + dy, 0), height - 1);
#pragma unroll
        for (int dx = -Radius; dx <= Radius; ++dx) {
            const float value = in[row * width + min(max(x + dx, 0), width - 1)];
            const float unlike = value - centre;
            const float weight =
                spatialWeights[abs(dx)] * spatialWeights[abs(dy)] * __expf(-unlike * unlike * sharpness);
            sum += weight * value;
            total += weight;
        }
    }
    out[y * width + x] = sum / total;
}

__device__ void inOrder(u8& a, u8& b) {
    const u8 low = min(a, b);
    b = max(a, b);
    a = low;
}

// Median of the 3x3 neighbourhood by a network of exchanges, through a shared tile
__global__ void medianThree(const u8* __restrict__ in, u8* __restrict__ out, int width, int height) {
    __shared__ u8 tile[18][34];
    const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 16 - 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 512) {
        const int x = min(max(left + i % 34, 0), width - 1), y = min(max(top + i / 34, 0), height - 1);
        tile[i / 34][i % 34] = in[y * width + x];
    }
    __syncthreads();
    u8 v[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) v[i] = tile[threadIdx.y + i / 3][threadIdx.x + i % 3];
    inOrder(v[1], v[2]), inOrder(v[4], v[5]), inOrder(v[7], v[8]);
    inOrder(v[0], v[1]), inOrder(v[3], v[4]), inOrder(v[6], v[7]);
    inOrder(v[1], v[2]), inOrder(v[4], v[5]), inOrder(v[7], v[8]);
    v[3] = max(v[0], v[3]), v[5] = min(v[5], v[8]);
    inOrder(v[4], v[7]);
    v[6] = max(v[3], v[6]), v[4] = max(v[1], v[4]), v[2] = min(v[2], v[5]), v[4] = min(v[4], v[7]);
    inOrder(v[4], v[2]);
    v[4] = max(v[6], v[4]), v[4] = min(v[4], v[2]);
    const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = v[4];
}

// Decoded video to packed colour: luma plane and half-size interleaved chroma, two pixels a thread
__global__ void nv12ToRgba(const uchar2* __restrict__ luma, const uchar2* __restrict__ chroma,
                           uint2* __restrict__ out, int halfWidth, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= halfWidth || y >= height) return;
    const uchar2 two = luma[y * halfWidth + x], uv = chroma[(y >> 1) * halfWidth + x];
    const float u = uv.x - 128.f, v = uv.y - 128.f;
    const float red = 1.596f * v, green = -0.391f * u - 0.813f * v, blue = 2.018f * u;
    u32 packed[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const float l = 1.164f * ((i ? two.y : two.x) - 16.f);
        const u32 r = (u32)(__saturatef((l + red) / 255) * 255),
                  g = (u32)(__saturatef((l + green) / 255) * 255);
        packed[i] = r | g << 8 | (u32)(__saturatef((l + blue) / 255) * 255) << 16 | 0xff000000u;
    }
    out[y * halfWidth + x] = make_uint2(packed[0], packed[1]);
}

// Canny's thinning: gradient by Sobel, kept only where it is the largest along its direction
__global__ void edgeThinning(const float* __restrict__ in, u8* __restrict__ out, int width, int height,
                             float weak, float strong) {
    __shared__ float tile[20][21], steep[18][19];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    for (int i = tid; i < 400; i += 256) {
        const int x = min(max((int)blockIdx.x * 16 + i % 20 - 2, 0), width - 1);
        const int y = min(max((int)blockIdx.y * 16 + i / 20 - 2, 0), height - 1);
        tile[i / 20][i % 20] = in[y * width + x];
    }
    __syncthreads();
    for (int i = tid; i < 324; i += 256) {
        const int y = i / 18 + 1, x = i % 18 + 1;
        const float gx = tile[y - 1][x + 1] + 2 * tile[y][x + 1] + tile[y + 1][x + 1] - tile[y - 1][x - 1] -
                         2 * tile[y][x - 1] - tile[y + 1][x - 1];
        const float gy = tile[y + 1][x - 1] + 2 * tile[y + 1][x] + tile[y + 1][x + 1] - tile[y - 1][x - 1] -
                         2 * tile[y - 1][x] - tile[y - 1][x + 1];
        steep[y - 1][x - 1] = sqrtf(gx * gx + gy * gy);
    }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const float here = steep[ty][tx];
    const float across = tile[ty + 1][tx + 2] - tile[ty + 1][tx],
                down = tile[ty + 2][tx + 1] - tile[ty][tx + 1];
    const int octant = (int)(atan2f(down, across) * (4 / 3.14159265f) + 4.5f) & 3;
    float before, after;
    switch (octant) {
        case 0: before = steep[ty][tx - 1], after = steep[ty][tx + 1]; break;
        case 1: before = steep[ty - 1][tx - 1], after = steep[ty + 1][tx + 1]; break;
        case 2: before = steep[ty - 1][tx], after = steep[ty + 1][tx]; break;
        default: before = steep[ty - 1][tx + 1], after = steep[ty + 1][tx - 1]; break;
    }
    out[y * width + x] = here < before || here < after || here < weak ? 0 : here < strong ? 1 : 2;
}

// Brightness histogram: one copy a warp in shared memory, merged with atomics
__global__ void brightnessHistogram(const uint4* __restrict__ in, u32* __restrict__ bins, int count) {
    __shared__ u32 local[8][256];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) local[i >> 8][i & 255] = 0;
    __syncthreads();
    u32* mine = local[threadIdx.x >> 5 & 7];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uint4 four = in[i];
        for (u32 word : {four.x, four.y, four.z, four.w})
#pragma unroll
            for (int k = 0; k < 32; k += 8) atomicAdd(&mine[word >> k & 255], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        u32 sum = 0;
        for (int w = 0; w < 8; ++w) sum += local[w][i];
        if (sum) atomicAdd(&bins[i], sum);
    }
}

void runImages() {
    float weights[11];
    for (int i = 0; i < 11; ++i) weights[i] = std::exp(-i * i / 18.f);
    cudaMemcpyToSymbol(spatialWeights, weights, sizeof weights);
    const int w = 1000, h = 700;
    float* picture = reals(w * h);
    float* smooth = zeros<float>(w * h);
    bilateralFilter<3><<<dim3(over(600, 32), over(500, 8)), dim3(32, 8)>>>(picture, smooth, 600, 500, 8.f);
    bilateralFilter<5><<<dim3(over(300, 16), over(260, 16)), dim3(16, 16)>>>(picture, smooth, 300, 260, 3.f);
    toSum(smooth, w * h);

    u8* bytes = wholes<u8>(2048 * 1536, 256);
    u8* median = zeros<u8>(2048 * 1536);
    medianThree<<<dim3(over(1900, 32), over(1070, 16)), dim3(32, 16)>>>(bytes, median, 1900, 1070);
    toSum(median, 1900 * 1070);
    uint2* rgba = zeros<uint2>(960 * 1080);
    nv12ToRgba<<<dim3(30, 135), dim3(32, 8)>>>((uchar2*)bytes, (uchar2*)median, rgba, 960, 1080);
    toSum((u32*)rgba, 960 * 1080 * 2);
    u8* edges = zeros<u8>(w * h);
    edgeThinning<<<dim3(over(w, 16), over(h, 16)), dim3(16, 16)>>>(picture, edges, w, h, 0.1f, 0.3f);
    toSum(edges, w * h);
    u32* bins = zeros<u32>(256);
    brightnessHistogram<<<264, 256>>>((uint4*)bytes, bins, 2048 * 1536 / 16);
    toSum(bins, 256);
}

// ---------------------------------------------------------------- stencils and lattices

// Wave equation, eighth order in space: planes marched along z with the column in registers
__global__ void waveEighth(const float* __restrict__ now, float* __restrict__ before,
                           const float* __restrict__ speed, int nx, int ny, int nz) {
    __shared__ float plane[16 + 8][32 + 8];
    const float c[5] = {-2.847222f, 1.6f, -0.2f, 0.02539683f, -0.001785714f};
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 32 + tx + 4, y = blockIdx.y * 16 + ty + 4;
    const int layer = nx * ny, at = y * nx + x;
    float column[9];
#pragma unroll
    for (int k = 0; k < 8; ++k) column[k + 1] = now[k * layer + at];
    for (int z = 4; z < nz - 4; ++z) {
#pragma unroll
        for (int k = 0; k < 8; ++k) column[k] = column[k + 1];
        column[8] = now[(z + 4) * layer + at];
        __syncthreads();
        plane[ty + 4][tx + 4] = column[4];
        if (ty < 4) {
            plane[ty][tx + 4] = now[z * layer + at - 4 * nx];
            plane[ty + 20][tx + 4] = now[z * layer + at + 16 * nx];
        }
        if (tx < 4) {
            plane[ty + 4][tx] = now[z * layer + at - 4];
            plane[ty + 4][tx + 36] = now[z * layer + at + 32];
        }
        __syncthreads();
        float sum = 3 * c[0] * column[4];
#pragma unroll
        for (int k = 1; k <= 4; ++k)
            sum += c[k] * (column[4 - k] + column[4 + k] + plane[ty + 4][tx + 4 - k] +
                           plane[ty + 4][tx + 4 + k] + plane[ty + 4 - k][tx + 4] + plane[ty + 4 + k][tx + 4]);
        const int cell = z * layer + at;
        before[cell] = 2 * column[4] - before[cell] + speed[cell] * sum;
    }
}

// Lattice Boltzmann in two dimensions: pull from nine neighbours, bounce off walls, relax
__global__ void latticeFlow(const float* __restrict__ in, float* __restrict__ out,
                            const u8* __restrict__ wall, int width, int height, float omega) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const int cells = width * height, at = y * width + x;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    float f[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
        const int fromX = (x - cx[i] + width) % width, fromY = (y - cy[i] + height) % height;
        f[i] = in[i * cells + fromY * width + fromX];
    }
    if (wall[at] < 20) {
#pragma unroll
        for (int i = 0; i < 9; ++i) out[i * cells + at] = f[back[i]];
        return;
    }
    float density = 0, ux = 0, uy = 0;
#pragma unroll
    for (int i = 0; i < 9; ++i) density += f[i], ux += cx[i] * f[i], uy += cy[i] * f[i];
    ux /= density, uy /= density;
    const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int i = 0; i < 9; ++i) {
        const float along = 3 * (cx[i] * ux + cy[i] * uy);
        const float weight = i == 0 ? 4 / 9.f : i < 5 ? 1 / 9.f : 1 / 36.f;
        const float still = weight * density * (1 + along + 0.5f * along * along - square);
        out[i * cells + at] = f[i] + omega * (still - f[i]);
    }
}

// Red-black over-relaxation of a Poisson equation with doubles, one colour a launch
__global__ void redBlackSweep(double* __restrict__ u, const double* __restrict__ source, int n, int colour,
                              double relax) {
    const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((j + colour) & 1);
    if (i >= n - 1 || j >= n - 1) return;
    const int at = j * n + i;
    const double fresh = 0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - source[at]);
    u[at] += relax * (fresh - u[at]);
}

// Maxwell's equations on Yee's staggered grid: the magnetic half step of all three components
__global__ void yeeMagnetic(const float* __restrict__ ex, const float* __restrict__ ey,
                            const float* __restrict__ ez, float* __restrict__ hx, float* __restrict__ hy,
                            float* __restrict__ hz, int n, float step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= n - 1 || j >= n - 1 || k >= n - 1) return;
    const int at = (k * n + j) * n + i, up = at + n * n, right = at + 1, next = at + n;
    hx[at] += step * ((ey[up] - ey[at]) - (ez[next] - ez[at]));
    hy[at] += step * ((ez[right] - ez[at]) - (ex[up] - ex[at]));
    hz[at] += step * ((ex[next] - ex[at]) - (ey[right] - ey[at]));
}

// Game of Life with 32 cells a word, the neighbours counted by bitwise adders
__global__ void lifeWords(const u32* __restrict__ in, u32* __restrict__ out, int words, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= height) return;
    u32 ones = 0, twos = 0, fours = 0, alive = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
        const u32* row = in + (y + dy + height) % height * words;
        const u32 here = row[x], left = row[(x + words - 1) % words], right = row[(x + 1) % words];
        const u32 bits[3] = {__funnelshift_l(left, here, 1), __funnelshift_r(here, right, 1), here};
        if (dy == 0) alive = here;
#pragma unroll
        for (int b = 0; b < (dy == 0 ? 2 : 3); ++b) {
            const u32 carry = ones & bits[b], more = twos & carry;
            ones ^= bits[b], twos ^= carry, fours |= more;
        }
    }
    out[y * words + x] = twos & ~fours & (ones | alive);
}

// Heat spreading on a chip with the tile kept in shared memory for several steps
template <int Steps>
__global__ void __launch_bounds__(256)
    chipHeat(const float* __restrict__ heat, const float* __restrict__ power, float* __restrict__ out, int n,
             float rate, float cool) {
    __shared__ float tile[2][16][16];
    const int inner = 16 - 2 * Steps, tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * inner + tx - Steps, y = blockIdx.y * inner + ty - Steps;
    const bool inside = x >= 0 && y >= 0 && x < n && y < n;
    const int at = min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1);
    tile[0][ty][tx] = heat[at];
    const float mine = power[at];
    __syncthreads();
    int from = 0;
    for (int s = 1; s <= Steps; ++s) {
        const bool valid = tx >= s && ty >= s && tx < 16 - s && ty < 16 - s;
        if (valid) {
            const float t = tile[from][ty][tx];
            const float around = tile[from][ty - 1][tx] + tile[from][ty + 1][tx] + tile[from][ty][tx - 1] +
                                 tile[from][ty][tx + 1];
            tile[1 - from][ty][tx] = t + rate * (around - 4 * t + mine) + cool * (0.5f - t);
        }
        from = 1 - from;
        __syncthreads();
    }
    if (inside && tx >= Steps && ty >= Steps && tx < 16 - Steps && ty < 16 - Steps)
        out[at] = tile[from][ty][tx];
}

void runStencils() {
    const int nx = 32 * 8 + 8, ny = 16 * 12 + 8, nz = 40;
    float* now = reals(nx * ny * nz);
    float* before = reals(nx * ny * nz + 1);
    waveEighth<<<dim3(8, 12), dim3(32, 16)>>>(now, before, reals(nx * ny * nz + 2, 0, 0.1), nx, ny, nz);
    toSum(before, nx * ny * nz);

    const int width = 1000, height = 400;
    float* next = zeros<float>(9 * width * height);
    u8* wall = wholes<u8>(width * height, 256);
    latticeFlow<<<dim3(over(width, 128), height), 128>>>(reals(9 * width * height, 0.05, 0.2), next, wall,
                                                         width, height, 1.2f);
    toSum(next, 9 * width * height);

    double* u = reals<double>(1026 * 1026);
    double* source = reals<double>(1026 * 1026 + 1, -0.1, 0.1);
    redBlackSweep<<<dim3(16, 128), dim3(32, 8)>>>(u, source, 1026, 0, 1.5);
    toSum(u, 1026 * 1026);

    const int n = 130, cube = n * n * n;
    float *hx = zeros<float>(cube), *hy = zeros<float>(cube), *hz = zeros<float>(cube);
    yeeMagnetic<<<dim3(5, 33, 33), dim3(32, 4, 4)>>>(now, reals(cube + 3), reals(cube + 4), hx, hy, hz, 128,
                                                     0.4f);
    toSum(hx, cube);

    const int words = 128, rows = 4096;
    u32* cells = wholes<u32>(words * rows, ~0u);
    u32* after = zeros<u32>(words * rows);
    lifeWords<<<dim3(4, rows / 8), dim3(32, 8)>>>(cells, after, words, rows);
    toSum(after, words * rows);

    float* heat = zeros<float>(1024 * 1024);
    chipHeat<2><<<dim3(over(1024, 12), over(1024, 12)), dim3(16, 16)>>>(now, before, heat, 1024, 0.1f, 0.01f);
    chipHeat<6><<<dim3(over(300, 4), over(300, 4)), dim3(16, 16)>>>(now, before, heat, 300, 0.1f, 0.01f);
    toSum(heat, 1024 * 1024);
}

// ---------------------------------------------------------------- linear algebra

// Single-precision matrix product, each thread a square of results in registers
template <int Side>
__global__ void tiledProduct(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                             int m, int n, int k) {
    constexpr int Tile = 16 * Side;
    __shared__ float left[16][Tile + 1], right[16][Tile];
    const int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
    const int row = blockIdx.y * Tile, column = blockIdx.x * Tile;
    float sums[Side][Side] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int i = threadIdx.x; i < 16 * Tile; i += 256) {
            left[i & 15][i >> 4] = a[(row + (i >> 4)) * k + k0 + (i & 15)];
            right[i / Tile][i % Tile] = b[(k0 + i / Tile) * n + column + i % Tile];
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 16; ++kk) {
            float x[Side], y[Side];
#pragma unroll
            for (int i = 0; i < Side; ++i) x[i] = left[kk][ty * Side + i], y[i] = right[kk][tx + 16 * i];
#pragma unroll
            for (int i = 0; i < Side; ++i)
#pragma unroll
                for (int j = 0; j < Side; ++j) sums[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < Side; ++i)
#pragma unroll
        for (int j = 0; j < Side; ++j) c[(row + ty * Side + i) * n + column + tx + 16 * j] = sums[i][j];
}

// LU of a batch of small matrices, a block each: the pivot row sought by a warp, rows swapped
__global__ void batchedLu(double* matrices, int* pivots, int n) {
    extern __shared__ double lu[];
    __shared__ int chosen;
    double* mine = matrices + (size_t)blockIdx.x * n * n;
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) lu[i] = mine[i];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x < 32) {
            double best = -1;
            int at = k;
            for (int i = k + threadIdx.x; i < n; i += 32)
                if (fabs(lu[i * n + k]) > best) best = fabs(lu[i * n + k]), at = i;
            for (int step = 16; step; step /= 2) {
                const double other = __shfl_xor_sync(~0u, best, step);
                const int where = __shfl_xor_sync(~0u, at, step);
                if (other > best || (other == best && where < at)) best = other, at = where;
            }
            if (threadIdx.x == 0) chosen = at, pivots[blockIdx.x * n + k] = at;
        }
        __syncthreads();
        if (chosen != k)
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                const double kept = lu[k * n + j];
                lu[k * n + j] = lu[chosen * n + j], lu[chosen * n + j] = kept;
            }
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) lu[i * n + k] /= lu[k * n + k];
        __syncthreads();
        const int rest = n - k - 1;
        for (int i = threadIdx.x; i < rest * rest; i += blockDim.x) {
            const int r = k + 1 + i / rest, c = k + 1 + i % rest;
            lu[r * n + c] -= lu[r * n + k] * lu[k * n + c];
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) mine[i] = lu[i];
}

// Householder QR of tall panels, a warp each, a row of eight columns held by each lane
__global__ void panelQr(float* panels, float* diagonal, int count) {
    const int panel = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (panel >= count) return;
    alignas(16) float row[8];
    float4* mine = (float4*)panels + (panel * 32 + lane) * 2;
    *(float4*)row = mine[0], *(float4*)(row + 4) = mine[1];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float x = lane >= k ? row[k] : 0;
        float square = x * x;
        for (int step = 16; step; step >>= 1) square += __shfl_xor_sync(~0u, square, step);
        const float head = __shfl_sync(~0u, row[k], k);
        const float alpha = head > 0 ? -sqrtf(square) : sqrtf(square);
        const float v = lane == k ? x - alpha : x;
        const float scale = 1 / fmaxf(square - head * alpha, 1e-12f);
#pragma unroll
        for (int j = k; j < 8; ++j) {
            float dot = v * row[j];
            for (int step = 16; step; step >>= 1) dot += __shfl_xor_sync(~0u, dot, step);
            row[j] -= scale * dot * v;
        }
        if (lane == k) diagonal[panel * 8 + k] = row[k];
    }
    mine[0] = *(float4*)row, mine[1] = *(float4*)(row + 4);
}

// Forward substitution with many right sides: a block takes 64 of them down the whole triangle
__global__ void lowerSolve(const float* __restrict__ lower, float* __restrict__ sides, int n, int count) {
    __shared__ float strip[32][33];
    __shared__ float solved[32][64];
    const int column = blockIdx.x * 64 + threadIdx.x;
    for (int base = 0; base < n; base += 32) {
        float own[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) own[i] = sides[(base + threadIdx.y * 8 + i) * count + column];
        for (int before = 0; before <= base; before += 32) {
            const int tid = threadIdx.y * 64 + threadIdx.x;
            __syncthreads();
            for (int i = tid; i < 1024; i += 256)
                strip[i >> 5][i & 31] = lower[(base + (i >> 5)) * n + before + (i & 31)];
            if (before < base)
                for (int i = 0; i < 8; ++i)
                    solved[threadIdx.y * 8 + i][threadIdx.x] =
                        sides[(before + threadIdx.y * 8 + i) * count + column];
            __syncthreads();
            if (before == base) break;
#pragma unroll 4
            for (int k = 0; k < 32; ++k)
#pragma unroll
                for (int i = 0; i < 8; ++i) own[i] -= strip[threadIdx.y * 8 + i][k] * solved[k][threadIdx.x];
        }
        for (int group = 0; group < 4; ++group) {
            if (threadIdx.y == group)
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    const int r = group * 8 + i;
                    own[i] /= strip[r][r];
                    solved[r][threadIdx.x] = own[i];
#pragma unroll
                    for (int later = i + 1; later < 8; ++later)
                        own[later] -= strip[group * 8 + later][r] * own[i];
                }
            __syncthreads();
            if (threadIdx.y > group)
                for (int k = group * 8; k < group * 8 + 8; ++k)
#pragma unroll
                    for (int i = 0; i < 8; ++i)
                        own[i] -= strip[threadIdx.y * 8 + i][k] * solved[k][threadIdx.x];
        }
        for (int i = 0; i < 8; ++i) sides[(base + threadIdx.y * 8 + i) * count + column] = own[i];
        __syncthreads();
    }
}

// Sparse matrix times vector by compressed rows, a tile of threads each row
template <int Lanes>
__global__ void sparseRows(const int* __restrict__ offsets, const int* __restrict__ columns,
                           const double* __restrict__ values, const double* __restrict__ x,
                           double* __restrict__ y, int rows) {
    auto tile = cg::tiled_partition<Lanes>(cg::this_thread_block());
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
    if (row >= rows) return;
    double sum = 0;
    for (int j = offsets[row] + tile.thread_rank(); j < offsets[row + 1]; j += Lanes)
        sum += values[j] * x[columns[j]];
    for (int step = Lanes / 2; step; step /= 2) sum += tile.shfl_down(sum, step);
    if (tile.thread_rank() == 0) y[row] = sum;
}

// Sparse matrix times vector in sliced columns with padding marked by a negative column
__global__ void slicedColumns(const int* __restrict__ starts, const int* __restrict__ columns,
                              const float* __restrict__ values, const float* __restrict__ x,
                              float* __restrict__ y, int slices) {
    const int slice = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (slice >= slices) return;
    const int begin = starts[slice], end = starts[slice + 1];
    float sum = 0;
#pragma unroll 4
    for (int j = begin; j < end; ++j) {
        const int column = columns[j * 32 + lane];
        if (column >= 0) sum = fmaf(values[j * 32 + lane], __ldg(x + column), sum);
    }
    y[slice * 32 + lane] = sum;
}

// Conjugate gradients' vector updates with the next dot product folded in
__global__ void gradientUpdate(const float4* __restrict__ p, const float4* __restrict__ ap,
                               float4* __restrict__ x, float4* __restrict__ r, double* __restrict__ dot,
                               float alpha, int count) {
    __shared__ double partial[32];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float4 d = p[i], ad = ap[i];
        float4 xi = x[i], ri = r[i];
        xi.x += alpha * d.x, xi.y += alpha * d.y, xi.z += alpha * d.z, xi.w += alpha * d.w;
        ri.x -= alpha * ad.x, ri.y -= alpha * ad.y, ri.z -= alpha * ad.z, ri.w -= alpha * ad.w;
        x[i] = xi, r[i] = ri;
        sum += ri.x * ri.x + ri.y * ri.y + ri.z * ri.z + ri.w * ri.w;
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
        if (threadIdx.x == 0) atomicAdd(dot, sum);
    }
}

// Eigenvalues of small symmetric matrices by cyclic Jacobi rotations, a thread each
template <class T, int N>
__global__ void jacobiEigen(const T* __restrict__ matrices, T* __restrict__ eigen, int sweeps, int count) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    T a[N][N];
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
        for (int j = 0; j <= i; ++j) a[i][j] = a[j][i] = matrices[(i * N + j) * count + at];
    for (int s = 0; s < sweeps; ++s) {
#pragma unroll
        for (int p = 0; p < N - 1; ++p)
#pragma unroll
            for (int q = p + 1; q < N; ++q) {
                if (fabs(a[p][q]) < (T)1e-7) continue;
                const T theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const T t = (theta < 0 ? (T)-1 : (T)1) / (fabs(theta) + sqrt(theta * theta + 1));
                const T c = 1 / sqrt(t * t + 1), sine = t * c;
#pragma unroll
                for (int k = 0; k < N; ++k) {
                    const T kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - sine * kq, a[k][q] = sine * kp + c * kq;
                }
#pragma unroll
                for (int k = 0; k < N; ++k) {
                    const T pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - sine * qk, a[q][k] = sine * pk + c * qk;
                }
            }
    }
#pragma unroll
    for (int i = 0; i < N; ++i) eigen[i * count + at] = a[i][i];
}

void runAlgebra(uint32_t& state) {
    float* a = reals(2048 * 1024, -1, 1);
    float* b = reals(2048 * 1024 + 1, -1, 1);
    float* c = zeros<float>(2048 * 1024);
    tiledProduct<4><<<dim3(12, 10), 256>>>(a, b, c, 640, 768, 320);
    tiledProduct<8><<<dim3(8, 8), 256>>>(a, b, c, 1024, 1024, 192);
    toSum(c, 1024 * 1024);
    double* small = reals<double>(264 * 48 * 48, -1, 1);
    batchedLu<<<200, 128, 40 * 40 * 8>>>(small, zeros<int>(200 * 40), 40);
    toSum(small, 264 * 48 * 48);
    float* diagonal = zeros<float>(8000 * 8);
    panelQr<<<1000, 256>>>(b, diagonal, 8000);
    toSum(diagonal, 8000 * 8);
    std::vector<float> triangle(256 * 256);
    for (int i = 0; i < 256 * 256; ++i)
        triangle[i] = i / 256 == i % 256 ? 4 : (next_number(state) % 100) / 6000.f;
    lowerSolve<<<16, dim3(64, 4)>>>(in_device(triangle), a, 256, 1024);
    toSum(a, 256 * 1024);

    const int rows = 40000;
    std::vector<int> offsets(1), columns;
    for (int i = 0; i < rows; ++i) {
        const int length = 5 + next_number(state) % 20 + (next_number(state) % 100 == 0 ? 200 : 0);
        for (int j = 0; j < length; ++j)
            columns.push_back(j % 3 ? (i + next_number(state) % 400) % rows : next_number(state) % rows);
        offsets.push_back(columns.size());
    }
    double* values = reals<double>(columns.size());
    double* y = zeros<double>(rows);
    const int *starts = in_device(offsets), *places = in_device(columns);
    sparseRows<4><<<over(rows * 4, 128), 128>>>(starts, places, values, small, y, rows);
    sparseRows<32><<<over(20000 * 32, 256), 256>>>(starts, places, values, small, y, 20000);
    toSum(y, rows);
    std::vector<int> slices(1), padded;
    for (int i = 0; i < 2000; ++i) {
        const int deep = 6 + next_number(state) % 30;
        for (int j = 0; j < deep * 32; ++j)
            padded.push_back(next_number(state) % 4 ? (int)(next_number(state) % 64000) : -1);
        slices.push_back(slices.back() + deep);
    }
    float* sliced = zeros<float>(64000);
    slicedColumns<<<250, 256>>>(in_device(slices), in_device(padded), reals(padded.size()), b, sliced, 2000);
    toSum(sliced, 64000);
    double* dot = zeros<double>(1);
    gradientUpdate<<<396, 512>>>((float4*)a, (float4*)c, (float4*)b, (float4*)a + 262144, dot, 0.1f, 262144);
    toSum(dot, 1);
    float* eigen = zeros<float>(6 * 30000);
    jacobiEigen<float, 3><<<over(60000, 128), 128>>>(a, eigen, 4, 60000);
    jacobiEigen<float, 6><<<over(8000, 64), 64>>>(a, eigen, 3, 8000);
    toSum(eigen, 6 * 8000);
}

// ---------------------------------------------------------------- sorting, scanning, compacting

// Bitonic sort of each block's keys with their values in shared memory
__global__ void bitonicBlocks(u32* keys, u32* values, int size) {
    extern __shared__ uint2 pairs[];
    u32 *myKeys = keys + (size_t)blockIdx.x * size, *myValues = values + (size_t)blockIdx.x * size;
    for (int i = threadIdx.x; i < size; i += blockDim.x) pairs[i] = make_uint2(myKeys[i], myValues[i]);
    for (int span = 2; span <= size; span *= 2)
        for (int apart = span / 2; apart; apart /= 2) {
            __syncthreads();
            for (int t = threadIdx.x; t < size / 2; t += blockDim.x) {
                const int i = 2 * t - (t & (apart - 1)), j = i + apart;
                const uint2 low = pairs[i], high = pairs[j];
                if ((low.x > high.x) == ((i & span) == 0)) pairs[i] = high, pairs[j] = low;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) myKeys[i] = pairs[i].x, myValues[i] = pairs[i].y;
}

// First pass of a radix sort: each block counts the digits of its stretch, digit-major
__global__ void digitCounts(const u32* __restrict__ keys, u32* __restrict__ counts, int each, int shift,
                            int count) {
    __shared__ u32 bins[256];
    if (threadIdx.x < 256) bins[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * each, end = min(begin + each, count);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) atomicAdd(&bins[keys[i] >> shift & 255], 1u);
    __syncthreads();
    if (threadIdx.x < 256) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// Exclusive scan by a single block of 1024, carrying the total from stretch to stretch
__global__ void __launch_bounds__(1024) oneBlockScan(u32* values, int count) {
    __shared__ u32 totals[32];
    u32 carried = 0;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int base = 0; base < count; base += 1024) {
        const int i = base + threadIdx.x;
        const u32 value = i < count ? values[i] : 0;
        u32 sum = value;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const u32 below = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += below;
        }
        if (lane == 31) totals[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            u32 total = totals[lane];
#pragma unroll
            for (int step = 1; step < 32; step *= 2) {
                const u32 below = __shfl_up_sync(~0u, total, step);
                if (lane >= step) total += below;
            }
            totals[lane] = total;
        }
        __syncthreads();
        if (i < count) values[i] = carried + sum - value + (warp ? totals[warp - 1] : 0);
        carried += totals[31];
        __syncthreads();
    }
}

// Last pass of a radix sort: warps rank their keys by matching digits, then scatter
__global__ void digitScatter(const u32* __restrict__ keys, const u32* __restrict__ starts,
                             u32* __restrict__ out, int each, int shift, int count) {
    __shared__ u32 next[256];
    next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
    const int begin = blockIdx.x * each, end = min(begin + each, count);
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int base = begin; base < end; base += 256) {
        const int i = base + threadIdx.x;
        const u32 key = i < end ? keys[i] : 0, digit = i < end ? key >> shift & 255 : 256;
        const u32 peers = __match_any_sync(~0u, digit);
        const int rank = __popc(peers & ((1u << lane) - 1));
        u32 place = 0;
        for (int turn = 0; turn < 8; ++turn) {
            __syncthreads();
            if (turn == warp && digit < 256 && rank == 0) {
                place = next[digit];
                next[digit] = place + __popc(peers);
            }
        }
        place = __shfl_sync(~0u, place, __ffs(peers) - 1);
        if (digit < 256) out[place + rank] = key;
    }
}

// Merge of two sorted runs: each thread seeks its diagonal, then merges eight
__global__ void mergePath(const int* __restrict__ a, int lengthA, const int* __restrict__ b, int lengthB,
                          int* __restrict__ out) {
    const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (diagonal >= lengthA + lengthB) return;
    int low = max(0, diagonal - lengthB), high = min(diagonal, lengthA);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    const int end = min(diagonal + 8, lengthA + lengthB);
    for (int k = diagonal; k < end; ++k) {
        const bool fromA = j >= lengthB || (i < lengthA && a[i] <= b[j]);
        out[k] = fromA ? a[i++] : b[j++];
    }
}

// Keep the records that pass a test, a warp reserving room for all its own by one atomic
struct Trade {
    int account, price, volume, flags;
};
__global__ void keepTrades(const Trade* __restrict__ trades, Trade* __restrict__ kept,
                           int* __restrict__ number, int lowest, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int4 raw = ((const int4*)trades)[i];
        const Trade trade{raw.x, raw.y, raw.z, raw.w};
        const bool keep = trade.price >= lowest && (trade.flags & 5) != 5;
        auto group = cg::coalesced_threads();
        const u32 votes = group.ballot(keep);
        int first = 0;
        if (group.thread_rank() == 0 && votes) first = atomicAdd(number, __popc(votes));
        first = group.shfl(first, 0);
        if (keep) kept[first + __popc(votes & ((1u << group.thread_rank()) - 1))] = trade;
    }
}

// The largest K of each row: every lane keeps its own best in order, then the warp draws from them
template <int K>
__global__ void rowTopK(const float* __restrict__ scores, float* __restrict__ best, int* __restrict__ where,
                        int columns, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float mine[K];
    int at[K];
#pragma unroll
    for (int k = 0; k < K; ++k) mine[k] = -FLT_MAX, at[k] = -1;
    for (int j = threadIdx.x; j < columns; j += 32) {
        float value = scores[row * columns + j];
        int place = j;
        if (value <= mine[K - 1]) continue;
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (value > mine[k]) {
                const float pushed = mine[k];
                const int from = at[k];
                mine[k] = value, at[k] = place, value = pushed, place = from;
            }
    }
    __syncwarp();
    for (int k = 0; k < K; ++k) {
        float top = mine[0];
        int owner = threadIdx.x;
        for (int step = 16; step; step /= 2) {
            const float other = __shfl_xor_sync(~0u, top, step);
            const int whose = __shfl_xor_sync(~0u, owner, step);
            if (other > top || (other == top && whose < owner)) top = other, owner = whose;
        }
        if (threadIdx.x == owner) {
            best[row * K + k] = top, where[row * K + k] = at[0];
#pragma unroll
            for (int i = 0; i + 1 < K; ++i) mine[i] = mine[i + 1], at[i] = at[i + 1];
            mine[K - 1] = -FLT_MAX;
        }
    }
}

void runSorts() {
    const int count = 1 << 20;
    u32* keys = wholes<u32>(count, ~0u);
    u32* values = wholes<u32>(count + 1, 1000);
    bitonicBlocks<<<256, 256, 1024 * 8>>>(keys, values, 1024);
    bitonicBlocks<<<60, 1024, 4096 * 8>>>(keys, values, 4096);
    toSum(values, count);
    const int blocks = 132, each = 5000, sorted = 132 * 5000 - 77;
    u32* counts = zeros<u32>(256 * blocks);
    u32* out = zeros<u32>(sorted);
    digitCounts<<<blocks, 512>>>(keys, counts, each, 8, sorted);
    oneBlockScan<<<1, 1024>>>(counts, 256 * blocks);
    digitScatter<<<blocks, 256>>>(keys, counts, out, each, 8, sorted);
    toSum(out, sorted);
    std::vector<int> runs[2];
    uint32_t state = 12345;
    for (int r = 0; r < 2; ++r)
        for (int i = 0, at = 0; i < 400000; ++i)
            runs[r].push_back(at += next_number(state) % (r ? 7 : 8) / 3);
    int *runA = in_device(runs[0]), *merged = zeros<int>(800000);
    mergePath<<<over(100000, 128), 128>>>(runA, 400000, in_device(runs[1]), 399999, merged);
    toSum(merged, 799999);
    int* number = zeros<int>(1);
    keepTrades<<<264, 384>>>((Trade*)values, (Trade*)zeros<int>(count), number, 600, count / 4);
    toSum(number, 1);
    float* scores = reals(600 * 2000);
    float* best = zeros<float>(600 * 16);
    rowTopK<4><<<150, dim3(32, 4)>>>(scores, best, zeros<int>(600 * 16), 2000, 600);
    rowTopK<16><<<75, dim3(32, 2)>>>(scores, best, zeros<int>(600 * 16), 2000, 150);
    toSum(best, 600 * 16);
}

// ---------------------------------------------------------------- hashes, ciphers, bits, strings

__device__ u32 murmurMix(u32 h) {
    h ^= h >> 16, h *= 0x85ebca6b;
    h ^= h >> 13, h *= 0xc2b2ae35;
    return h ^ h >> 16;
}

// Build an open-addressed table of keys with their counts, claiming slots by compare and swap
__global__ void tableInsert(const u32* __restrict__ keys, u32* table, u32* tally, u32 mask, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const u32 key = keys[i] + 1;
        u32 slot = murmurMix(key) & mask;
        for (;;) {
            const u32 held = atomicCAS(&table[slot], 0u, key);
            if (held == 0 || held == key) break;
            slot = (slot + 1) & mask;
        }
        atomicAdd(&tally[slot], 1u);
    }
}

__constant__ u32 shaRounds[64];

__device__ u32 turned(u32 x, int by) { return __funnelshift_r(x, x, by); }

// SHA-256 compression of nonce-bearing blocks, the schedule kept in a ring of sixteen words
__global__ void shaNonces(const u32* __restrict__ header, u32* __restrict__ digests, int each) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    u32 lowest = ~0u;
    for (int n = 0; n < each; ++n) {
        u32 w[16];
#pragma unroll
        for (int i = 0; i < 16; ++i) w[i] = header[i];
        w[3] = id * each + n;
        u32 s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
        for (int r = 0; r < 64; ++r) {
            if (r >= 16) {
                const u32 w15 = w[(r + 1) & 15], w2 = w[(r + 14) & 15];
                w[r & 15] += (turned(w15, 7) ^ turned(w15, 18) ^ w15 >> 3) + w[(r + 9) & 15] +
                             (turned(w2, 17) ^ turned(w2, 19) ^ w2 >> 10);
            }
            const u32 t1 = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                           (s[4] & s[5] ^ ~s[4] & s[6]) + shaRounds[r] + w[r & 15];
            const u32 t2 = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                           (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
#pragma unroll
            for (int i = 7; i; --i) s[i] = s[i - 1];
            s[4] += t1, s[0] = t1 + t2;
        }
        lowest = min(lowest, s[0] + 0x6a09e667);
    }
    digests[id] = lowest;
}

// ChaCha20 key stream exclusive-ored onto the message, a 64-byte block a thread
__global__ void chachaStream(const uint4* __restrict__ message, uint4* __restrict__ out,
                             const u32* __restrict__ key, int blocks) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= blocks) return;
    u32 start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
#pragma unroll
    for (int i = 0; i < 8; ++i) start[4 + i] = key[i];
    start[12] = id, start[13] = 7, start[14] = 8, start[15] = 9;
    u32 x[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) x[i] = start[i];
    auto quarter = [&](int a, int b, int c, int d) {
        x[a] += x[b], x[d] = turned(x[d] ^ x[a], 16);
        x[c] += x[d], x[b] = turned(x[b] ^ x[c], 20);
        x[a] += x[b], x[d] = turned(x[d] ^ x[a], 24);
        x[c] += x[d], x[b] = turned(x[b] ^ x[c], 25);
    };
#pragma unroll 2
    for (int r = 0; r < 10; ++r) {
        quarter(0, 4, 8, 12), quarter(1, 5, 9, 13), quarter(2, 6, 10, 14), quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15), quarter(1, 6, 11, 12), quarter(2, 7, 8, 13), quarter(3, 4, 9, 14);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        uint4 part = message[id * 4 + i];
        part.x ^= x[4 * i] + start[4 * i], part.y ^= x[4 * i + 1] + start[4 * i + 1];
        part.z ^= x[4 * i + 2] + start[4 * i + 2], part.w ^= x[4 * i + 3] + start[4 * i + 3];
        out[id * 4 + i] = part;
    }
}

// AES-like counter mode: ten rounds of table look-ups in shared memory
__global__ void aesTables(const u32* __restrict__ table, const uint4* __restrict__ keys,
                          uint4* __restrict__ data, int blocks) {
    __shared__ u32 t[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) t[i] = table[i];
    __syncthreads();
    for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < blocks; id += gridDim.x * blockDim.x) {
        uint4 s = make_uint4(id, 0x01234567, 0x89abcdef, ~id);
        for (int r = 0; r < 10; ++r) {
            const uint4 k = keys[r];
            auto column = [&](u32 a, u32 b, u32 c, u32 d, u32 with) {
                return t[a & 255] ^ turned(t[b >> 8 & 255], 24) ^ turned(t[c >> 16 & 255], 16) ^
                       turned(t[d >> 24], 8) ^ with;
            };
            s = make_uint4(column(s.x, s.y, s.z, s.w, k.x), column(s.y, s.z, s.w, s.x, k.y),
                           column(s.z, s.w, s.x, s.y, k.z), column(s.w, s.x, s.y, s.z, k.w));
        }
        uint4 d = data[id];
        d.x ^= s.x, d.y ^= s.y, d.z ^= s.z, d.w ^= s.w;
        data[id] = d;
    }
}

// CRC-32 of packets, four bytes at a step by four tables in constant memory
__constant__ u32 crcTables[4][256];
__global__ void crcPackets(const u32* __restrict__ data, u32* __restrict__ sums, int words, int count) {
    const int packet = blockIdx.x * blockDim.x + threadIdx.x;
    if (packet >= count) return;
    u32 crc = ~0u;
    for (int i = 0; i < words; ++i) {
        crc ^= data[packet * words + i];
        crc = crcTables[3][crc & 255] ^ crcTables[2][crc >> 8 & 255] ^ crcTables[1][crc >> 16 & 255] ^
              crcTables[0][crc >> 24];
    }
    sums[packet] = ~crc;
}

// Products of 256-bit numbers reduced by Montgomery's method, carries passed along by wide adds
__global__ void montgomeryChain(const u32* __restrict__ a, u32* __restrict__ out, u32 inverse, int times,
                                int count) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    const u32 modulus[8] = {0xfffffc2f, 0xfffffffe, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    u32 x[8], y[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = y[i] = a[i * count + id];
    for (int n = 0; n < times; ++n) {
        u32 t[10] = {};
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            u64 carry = 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                carry += (u64)x[j] * y[i] + t[j];
                t[j] = (u32)carry, carry >>= 32;
            }
            carry += t[8];
            t[8] = (u32)carry, t[9] = carry >> 32;
            const u32 m = t[0] * inverse;
            carry = ((u64)m * modulus[0] + t[0]) >> 32;
#pragma unroll
            for (int j = 1; j < 8; ++j) {
                carry += (u64)m * modulus[j] + t[j];
                t[j - 1] = (u32)carry, carry >>= 32;
            }
            carry += t[8];
            t[7] = (u32)carry, t[8] = t[9] + (u32)(carry >> 32);
        }
        if (t[8]) {
            u64 borrow = 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                const u64 part = (u64)t[j] - modulus[j] - borrow;
                t[j] = (u32)part, borrow = part >> 63;
            }
        }
#pragma unroll
        for (int j = 0; j < 8; ++j) x[j] = t[j];
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) out[j * count + id] = x[j];
}

// Aho-Corasick: each thread walks the automaton over its stretch of text
__global__ void patternAutomaton(const u8* __restrict__ text, const int* __restrict__ moves,
                                 int* __restrict__ hits, int each, int count) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x, begin = id * each;
    if (begin >= count) return;
    int at = 0, found = 0;
    for (int i = begin; i < min(begin + each, count); ++i) {
        const int move = moves[at * 32 + text[i]];
        at = move & 0xffff;
        found += move >> 16;
    }
    hits[id] = found;
}

// Unpack integers packed at a fixed width of bits in frames of 1024, added to each frame's base
__global__ void unpackFrames(const u32* __restrict__ packed, const int2* __restrict__ frames,
                             int* __restrict__ out) {
    const int2 frame = frames[blockIdx.x];
    const int width = frame.y & 31, base = frame.y >> 5;
    const u32 mask = (1u << width) - 1;
#pragma unroll 2
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        const int bit = k * width, word = frame.x + (bit >> 5);
        const u32 value = __funnelshift_r(packed[word], packed[word + 1], bit & 31) & mask;
        out[blockIdx.x * 1024 + k] = base + (int)value;
    }
}

// Lempel-Ziv matching: the longest earlier match of each position through a hash of last places
__global__ void longestMatches(const u8* __restrict__ text, u32* __restrict__ matches, int size) {
    __shared__ short last[1024];
    __shared__ u8 window[4096 + 16];
    const u8* mine = text + blockIdx.x * size;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) last[i] = -1;
    for (int i = threadIdx.x; i < size + 16; i += blockDim.x) window[i] = i < size ? mine[i] : 255;
    __syncthreads();
    for (int base = 0; base < size; base += blockDim.x) {
        const int i = base + threadIdx.x;
        const u32 next =
            window[min(i, size)] | window[min(i + 1, size)] << 8 | window[min(i + 2, size)] << 16;
        const u32 hash = next * 2654435761u >> 22;
        const int from = last[hash];
        __syncthreads();
        int length = 0;
        if (from >= 0 && i < size)
            while (length < 60 && i + length < size && window[from + length] == window[i + length]) ++length;
        if (i < size) matches[blockIdx.x * size + i] = length >= 3 ? (i - from) << 8 | length : window[i];
        const u32 peers = __match_any_sync(~0u, hash);
        if ((threadIdx.x & 31) == 31 - __clz(peers) && (hash & 7) == (threadIdx.x >> 5 & 7))
            last[hash] = min(i, size);
        __syncthreads();
    }
}

// Genotype similarity: matching bits of every pair of rows by population counts
__global__ void pairBits(const u64* __restrict__ rows, u32* __restrict__ shared, int words, int n) {
    __shared__ u64 left[16][17], right[16][17];
    const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    const int other = blockIdx.x * 16 + threadIdx.y;
    int sum = 0;
    for (int w = 0; w < words; w += 16) {
        left[threadIdx.y][threadIdx.x] = rows[i * words + w + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = rows[other * words + w + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) sum += __popcll(left[threadIdx.y][k] & right[threadIdx.x][k]);
        __syncthreads();
    }
    shared[i * n + j] = sum;
}

// Count the placements of n queens below each starting prefix, with the search's stack in bits
__global__ void queensBelow(const uint4* __restrict__ starts, u32* __restrict__ solutions, int n, int depth,
                            int count) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    const u32 full = (1u << n) - 1;
    u32 columns[12], falls[12], rises[12], open[12];
    const uint4 start = starts[id];
    int level = 0;
    columns[0] = start.x, falls[0] = start.y, rises[0] = start.z;
    open[0] = full & ~(start.x | start.y | start.z);
    u32 found = 0;
    while (level >= 0) {
        if (!open[level]) {
            --level;
            continue;
        }
        const u32 bit = open[level] & -open[level];
        open[level] ^= bit;
        if (level == depth - 1) {
            ++found;
            continue;
        }
        columns[level + 1] = columns[level] | bit;
        falls[level + 1] = (falls[level] | bit) << 1 & full;
        rises[level + 1] = (rises[level] | bit) >> 1;
        ++level;
        open[level] = full & ~(columns[level] | falls[level] | rises[level]);
    }
    solutions[id] = found;
}

void runBits(uint32_t& state) {
    const int count = 1 << 20;
    u32* keys = wholes<u32>(count, 300000);
    u32* tally = zeros<u32>(count);
    tableInsert<<<528, 256>>>(keys, zeros<u32>(count), tally, count - 1, 700000);
    toSum(tally, count);
    u32* random = wholes<u32>(2 * count, ~0u);

    u32 rounds[64];
    for (int i = 0, p = 2; i < 64; ++p) {
        bool prime = true;
        for (int d = 2; d * d <= p; ++d) prime = prime && p % d;
        if (prime) rounds[i++] = (u32)(u64)(std::fmod(std::cbrt((double)p), 1) * 4294967296.0);
    }
    cudaMemcpyToSymbol(shaRounds, rounds, sizeof rounds);
    u32* digests = zeros<u32>(16384);
    shaNonces<<<64, 256>>>(random, digests, 4);
    toSum(digests, 16384);
    uint4* stream = zeros<uint4>(131072 * 4);
    chachaStream<<<over(130000, 128), 128>>>((uint4*)random, stream, keys, 130000);
    aesTables<<<264, 256>>>(random + 5, (uint4*)random, stream, 150000);
    toSum((u32*)stream, 131072 * 16);

    u32 crc[4][256];
    for (int i = 0; i < 256; ++i) {
        crc[0][i] = i;
        for (int k = 0; k < 8; ++k) crc[0][i] = crc[0][i] >> 1 ^ (crc[0][i] & 1 ? 0xedb88320u : 0);
    }
    for (int t = 1; t < 4; ++t)
        for (int i = 0; i < 256; ++i) crc[t][i] = crc[t - 1][i] >> 8 ^ crc[0][crc[t - 1][i] & 255];
    cudaMemcpyToSymbol(crcTables, crc, sizeof crc);
    u32* sumsOut = zeros<u32>(20000);
    crcPackets<<<over(20000, 64), 64>>>(random, sumsOut, 48, 20000);
    toSum(sumsOut, 20000);
    u32 inverse = 1;
    for (int i = 0; i < 6; ++i) inverse *= 2 - 0xfffffc2fu * inverse;
    u32* products = zeros<u32>(8 * 20000);
    montgomeryChain<<<over(20000, 96), 96>>>(random, products, 0u - inverse, 14, 20000);
    toSum(products, 8 * 20000);

    std::vector<int> moves(900 * 32);
    for (int& move : moves)
        move = (next_number(state) % 3 ? (int)(next_number(state) % 40) : (int)(next_number(state) % 900)) |
               (next_number(state) % 20 ? 0 : 1 << 16);
    u8* text = wholes<u8>(2 * count, 32);
    int* hits = zeros<int>(32768);
    patternAutomaton<<<128, 256>>>(text, in_device(moves), hits, 64, 2 * count - 9);
    toSum(hits, 32768);
    std::vector<int2> frames;
    int word = 0;
    for (int i = 0; i < 3000; ++i) {
        const int width = 3 + next_number(state) % 14;
        frames.push_back(make_int2(word, (int)(next_number(state) % 1000) << 5 | width));
        word += 32 * width;
    }
    int* unpacked = zeros<int>(3000 * 1024);
    unpackFrames<<<3000, 128>>>(random, in_device(frames), unpacked);
    toSum(unpacked, 3000 * 1024);
    u32* matches = zeros<u32>(400 * 4096);
    u8* letters = wholes<u8>(400 * 4096, 5);
    longestMatches<<<400, 256>>>(letters, matches, 4096);
    toSum(matches, 400 * 4096);
    u32* joint = zeros<u32>(640 * 640);
    pairBits<<<dim3(40, 40), dim3(16, 16)>>>((u64*)random, joint, 64, 640);
    toSum(joint, 640 * 640);

    const int n = 12, placed = 4;
    std::vector<uint4> prefixes(1);
    for (int level = 0; level < placed; ++level) {
        std::vector<uint4> following;
        for (uint4 p : prefixes)
            for (u32 bit = 1; bit < 1u << n; bit <<= 1)
                if (!((p.x | p.y | p.z) & bit))
                    following.push_back(
                        make_uint4(p.x | bit, (p.y | bit) << 1 & ((1u << n) - 1), (p.z | bit) >> 1, 0));
        prefixes = following;
    }
    const int boards = prefixes.size();
    u32* solutions = zeros<u32>(boards);
    queensBelow<<<over(boards, 64), 64>>>(in_device(prefixes), solutions, n, n - placed, boards);
    toSum(solutions, boards);
}

// ---------------------------------------------------------------- graphs and trees

// Breadth-first search, one level from a queue: a warp per vertex over its edges
__global__ void bfsQueue(const int* __restrict__ offsets, const int* __restrict__ targets,
                         const int* __restrict__ depth, int* parent, const int* __restrict__ queue,
                         int length, int* __restrict__ nextQueue, int* nextLength) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    const int lane = threadIdx.x & 31;
    for (int i = warp; i < length; i += warps) {
        const int v = queue[i], end = offsets[v + 1];
        for (int j = offsets[v] + lane; j < end; j += 32) {
            const int to = targets[j];
            if (depth[to] < 0 && atomicCAS(&parent[to], -1, v) == -1)
                nextQueue[atomicAdd(nextLength, 1)] = to;
        }
    }
}

// Page rank by pulling over incoming edges, four lanes a vertex, with the change summed
__global__ void rankPull(const int* __restrict__ offsets, const int* __restrict__ sources,
                         const float* __restrict__ rank, const float* __restrict__ shareOut,
                         float* __restrict__ fresh, float* change, int vertices) {
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x & 3;
    float sum = 0, moved = 0;
    if (v < vertices)
        for (int j = offsets[v] + lane; j < offsets[v + 1]; j += 4)
            sum += rank[sources[j]] * shareOut[sources[j]];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    if (v < vertices && lane == 0) {
        const float value = 0.15f / vertices + 0.85f * sum;
        moved = fabsf(value - rank[v]);
        fresh[v] = value;
    }
    for (int step = 16; step; step >>= 1) moved += __shfl_down_sync(~0u, moved, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(change, moved);
}

// Triangles at each edge of a graph with sorted neighbours, by walking both lists together
__global__ void edgeTriangles(const int* __restrict__ offsets, const int* __restrict__ targets,
                              const int2* __restrict__ edges, u64* total, int count) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    int found = 0;
    if (e < count) {
        const int2 edge = edges[e];
        int i = offsets[edge.x], j = offsets[edge.y];
        const int endI = offsets[edge.x + 1], endJ = offsets[edge.y + 1];
        while (i < endI && j < endJ) {
            const int a = targets[i], b = targets[j];
            found += a == b;
            i += a <= b, j += b <= a;
        }
    }
    found = __reduce_add_sync(~0u, found);
    if ((threadIdx.x & 31) == 0) atomicAdd(total, (u64)found);
}

// Connected components, one round: both ends chase their roots, the larger is hooked below the smaller
__global__ void componentHook(const int2* __restrict__ edges, const int* __restrict__ parent, int* hooked,
                              int count) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    const int2 edge = edges[e];
    int a = edge.x, b = edge.y;
    for (int up = parent[a]; up != a; up = parent[a]) a = up;
    for (int up = parent[b]; up != b; up = parent[b]) b = up;
    if (a != b) atomicMin(&hooked[max(a, b)], min(a, b));
}

// Greedy colouring, one round: uncoloured vertices of locally highest weight take the least free colour
__global__ void colourRound(const int* __restrict__ offsets, const int* __restrict__ targets,
                            const int* __restrict__ colours, int* __restrict__ fresh, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    fresh[v] = colours[v];
    if (colours[v] >= 0) return;
    const u32 mine = murmurMix(v);
    u64 taken = 0;
    for (int j = offsets[v]; j < offsets[v + 1]; ++j) {
        const int to = targets[j], colour = colours[to];
        if (colour >= 0)
            taken |= 1ull << (colour & 63);
        else if (to != v && murmurMix(to) > mine)
            return;
    }
    fresh[v] = __ffsll(~taken) - 1;
}

// Shortest paths, one relaxation of the edges whose source changed
__global__ void relaxEdges(const int* __restrict__ offsets, const int* __restrict__ targets,
                           const int* __restrict__ weights, const int* __restrict__ from, int* to, int bound,
                           int vertices) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += gridDim.x * blockDim.x) {
        const int distance = from[v];
        if (distance > bound) continue;
        for (int j = offsets[v]; j < offsets[v + 1]; ++j) {
            const int reach = distance + weights[j];
            if (reach < from[targets[j]]) atomicMin(&to[targets[j]], reach);
        }
    }
}

struct BoxNode {
    float4 low, high;  // low.w: first child or first item; high.w: items, none within the tree
};

// Ray casting through a tree of boxes with a small stack, the nearest sphere kept
__global__ void boxTreeRays(const BoxNode* __restrict__ nodes, const float4* __restrict__ spheres,
                            float* __restrict__ hitAt, int width, int height) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    const float ox = (float)px / width, oy = (float)py / height, oz = -0.5f;
    const float dx = 0.2f * (ox - 0.5f), dy = 0.2f * (oy - 0.5f), dz = 1;
    const float ix = 1 / (dx + 1e-9f), iy = 1 / (dy + 1e-9f), iz = 1;
    int stack[24], depth = 0, node = 0;
    float nearest = 100;
    for (;;) {
        const float4 low = nodes[node].low, high = nodes[node].high;
        const float x0 = (low.x - ox) * ix, x1 = (high.x - ox) * ix, y0 = (low.y - oy) * iy,
                    y1 = (high.y - oy) * iy;
        const float z0 = (low.z - oz) * iz, z1 = (high.z - oz) * iz;
        const float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.f));
        const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), nearest));
        if (enter <= leave) {
            const int first = __float_as_int(low.w), items = __float_as_int(high.w);
            if (items == 0) {
                stack[depth++] = first + 1;
                node = first;
                continue;
            }
            for (int i = first; i < first + items; ++i) {
                const float4 s = spheres[i];
                const float cx = s.x - ox, cy = s.y - oy, cz = s.z - oz;
                const float dd = dx * dx + dy * dy + dz * dz, cd = cx * dx + cy * dy + cz * dz;
                const float root = cd * cd - dd * (cx * cx + cy * cy + cz * cz - s.w * s.w);
                if (root > 0) {
                    const float t = (cd - sqrtf(root)) / dd;
                    if (t > 0 && t < nearest) nearest = t;
                }
            }
        }
        if (depth == 0) break;
        node = stack[--depth];
    }
    hitAt[py * width + px] = nearest;
}

// Range queries on a B+ tree of fan-out 32, a warp a query comparing all keys of a node at once
__global__ void fanTreeSearch(const int* __restrict__ nodeKeys, const int* __restrict__ queries,
                              int* __restrict__ places, int levels, int count) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (q >= count) return;
    const int wanted = queries[q];
    int node = 0, base = 0, wide = 1;
    for (int level = 0; level < levels; ++level) {
        const int key = nodeKeys[(base + node) * 32 + warp.thread_rank()];
        const u32 below = warp.ballot(key <= wanted);
        const int branch = max(__popc(below) - 1, 0);
        base += wide, wide *= 32;
        node = node * 32 + branch;
    }
    if (warp.thread_rank() == 0) places[q] = node;
}

// A tree of boxes over the spheres `begin`..`end`, written from node `at`
void growBoxes(std::vector<BoxNode>& nodes, std::vector<float4>& spheres, int at, int begin, int end) {
    float4 low = make_float4(9, 9, 9, 0), high = make_float4(-9, -9, -9, 0);
    for (int i = begin; i < end; ++i) {
        const float4 s = spheres[i];
        low.x = std::fmin(low.x, s.x - s.w), high.x = std::fmax(high.x, s.x + s.w);
        low.y = std::fmin(low.y, s.y - s.w), high.y = std::fmax(high.y, s.y + s.w);
        low.z = std::fmin(low.z, s.z - s.w), high.z = std::fmax(high.z, s.z + s.w);
    }
    int first = begin, items = end - begin;
    if (items > 4) {
        const float wx = high.x - low.x, wy = high.y - low.y, wz = high.z - low.z;
        const int axis = wx >= wy && wx >= wz ? 0 : wy >= wz ? 1 : 2;
        std::sort(spheres.begin() + begin, spheres.begin() + end,
                  [axis](const float4& a, const float4& b) { return (&a.x)[axis] < (&b.x)[axis]; });
        first = nodes.size(), items = 0;
        nodes.resize(first + 2);
        const int middle = (begin + end) / 2;
        growBoxes(nodes, spheres, first, begin, middle);
        growBoxes(nodes, spheres, first + 1, middle, end);
    }
    std::memcpy(&low.w, &first, 4), std::memcpy(&high.w, &items, 4);
    nodes[at] = {low, high};
}

void runGraphs(uint32_t& state) {
    const int vertices = 60000;
    std::vector<std::vector<int>> beside(vertices);
    for (int v = 0; v < vertices; ++v) {
        const int links = 2 + next_number(state) % 7 + (next_number(state) % 200 == 0 ? 150 : 0);
        for (int l = 0; l < links; ++l) {
            int to = next_number(state) % 2 ? (v + 1 + next_number(state) % 30) % vertices
                                            : (int)(next_number(state) % (1 + next_number(state) % vertices));
            if (to == v) to = (v + 1) % vertices;
            beside[v].push_back(to), beside[to].push_back(v);
        }
    }
    std::vector<int> offsets(1), targets;
    std::vector<int2> pairs;
    std::vector<float> share(vertices);
    for (int v = 0; v < vertices; ++v) {
        std::sort(beside[v].begin(), beside[v].end());
        beside[v].erase(std::unique(beside[v].begin(), beside[v].end()), beside[v].end());
        for (int to : beside[v]) {
            targets.push_back(to);
            if (v < to) pairs.push_back(make_int2(v, to));
        }
        offsets.push_back(targets.size());
        share[v] = 1.f / beside[v].size();
    }
    std::vector<int> depth(vertices, -1), queue(1, 5);
    depth[5] = 0;
    for (int level = 1; level < 4 && queue.size() < 6000; ++level) {
        std::vector<int> following;
        for (int v : queue)
            for (int to : beside[v])
                if (depth[to] < 0) depth[to] = level, following.push_back(to);
        queue = following;
    }
    const int edges = pairs.size();
    const int *from = in_device(offsets), *to = in_device(targets);
    const int2* pair = in_device(pairs);
    int* length = zeros<int>(1);
    bfsQueue<<<264, 256>>>(from, to, in_device(depth), in_device(std::vector<int>(vertices, -1)),
                           in_device(queue), queue.size(), zeros<int>(vertices), length);
    toSum(length, 1);
    float *rank = reals(vertices, 0, 0.00003), *fresh = zeros<float>(vertices), *change = zeros<float>(1);
    rankPull<<<over(vertices * 4, 128), 128>>>(from, to, rank, in_device(share), fresh, change, vertices);
    toSum(fresh, vertices);
    u64* triangles = zeros<u64>(1);
    edgeTriangles<<<over(edges, 128), 128>>>(from, to, pair, triangles, edges);
    toSum(triangles, 1);
    std::vector<int> parent(vertices), colours(vertices, -1), distance(vertices, 1 << 29);
    for (int v = 0; v < vertices; ++v) {
        parent[v] = v > 10 && next_number(state) % 5 ? v - 1 - next_number(state) % 10 : v;
        if (next_number(state) % 3 == 0) colours[v] = next_number(state) % 12;
        if (depth[v] >= 0) distance[v] = depth[v] * 40 + next_number(state) % 30;
    }
    int* hooked = in_device(parent);
    componentHook<<<over(edges, 256), 256>>>(pair, in_device(parent), hooked, edges);
    toSum(hooked, vertices);
    int* coloured = zeros<int>(vertices);
    colourRound<<<over(vertices, 96), 96>>>(from, to, in_device(colours), coloured, vertices);
    toSum(coloured, vertices);
    int* reached = in_device(distance);
    relaxEdges<<<118, 512>>>(from, to, wholes<int>(targets.size(), 60), in_device(distance), reached, 1 << 28,
                             vertices);
    toSum(reached, vertices);

    std::vector<float4> spheres;
    for (int i = 0; i < 20000; ++i)
        spheres.push_back(make_float4(next_number(state) % 1000 / 1000.f, next_number(state) % 1000 / 1000.f,
                                      next_number(state) % 4000 / 1000.f,
                                      0.002f + next_number(state) % 10 / 1000.f));
    std::vector<BoxNode> nodes(1);
    growBoxes(nodes, spheres, 0, 0, spheres.size());
    float* hitAt = zeros<float>(160 * 120);
    boxTreeRays<<<dim3(20, 30), dim3(8, 4)>>>(in_device(nodes), in_device(spheres), hitAt, 160, 120);
    toSum(hitAt, 160 * 120);
    std::vector<int> keys;
    for (int level = 0, wide = 32; level < 4; ++level, wide *= 32)
        for (int i = 0; i < wide; ++i) keys.push_back(i * ((1 << 24) / wide));
    int* places = zeros<int>(60000);
    fanTreeSearch<<<over(60000 * 32, 256), 256>>>(in_device(keys), wholes(60000, 1 << 24), places, 4, 60000);
    toSum(places, 60000);
}

// ---------------------------------------------------------------- learning

// Layer normalisation of rows with half inputs, one block a row, its values held in registers
template <int Each>
__global__ void layerNormHalf(const half2* __restrict__ in, const float2* __restrict__ gain,
                              const float2* __restrict__ bias, half2* __restrict__ out) {
    __shared__ float partial[2][32];
    const int pairs = blockDim.x * Each;
    float2 x[Each];
    float sum = 0, square = 0;
#pragma unroll
    for (int i = 0; i < Each; ++i) {
        x[i] = __half22float2(in[blockIdx.x * pairs + i * blockDim.x + threadIdx.x]);
        sum += x[i].x + x[i].y, square += x[i].x * x[i].x + x[i].y * x[i].y;
    }
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, step);
        square += __shfl_xor_sync(~0u, square, step);
    }
    if ((threadIdx.x & 31) == 0) partial[0][threadIdx.x >> 5] = sum, partial[1][threadIdx.x >> 5] = square;
    __syncthreads();
    sum = square = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) sum += partial[0][w], square += partial[1][w];
    const float mean = sum / (2 * pairs), scale = rsqrtf(square / (2 * pairs) - mean * mean + 1e-5f);
#pragma unroll
    for (int i = 0; i < Each; ++i) {
        const int at = i * blockDim.x + threadIdx.x;
        const float2 g = gain[at], b = bias[at];
        out[blockIdx.x * pairs + at] =
            __floats2half2_rn((x[i].x - mean) * scale * g.x + b.x, (x[i].y - mean) * scale * g.y + b.y);
    }
}

// Masked softmax of attention scores by the online method, a warp a row
__global__ void causalSoftmax(float* scores, int length, int rows, float scale) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    const int seen = row % length + 1;
    float* mine = scores + (size_t)row * length;
    float top = -1e30f, total = 0;
    for (int j = lane; j < seen; j += 32) {
        const float value = mine[j] * scale, higher = fmaxf(top, value);
        total = total * __expf(top - higher) + __expf(value - higher);
        top = higher;
    }
    for (int step = 16; step; step >>= 1) {
        const float otherTop = __shfl_xor_sync(~0u, top, step),
                    otherTotal = __shfl_xor_sync(~0u, total, step);
        const float higher = fmaxf(top, otherTop);
        total = total * __expf(top - higher) + otherTotal * __expf(otherTop - higher);
        top = higher;
    }
    const float inverse = 1 / total;
    for (int j = lane; j < length; j += 32) mine[j] = j < seen ? __expf(mine[j] * scale - top) * inverse : 0;
}

// Attention of one new token over a cache of keys and values, split over the sequence
__global__ void tokenAttention(const half* __restrict__ query, const half* __restrict__ keys,
                               const half* __restrict__ values, float* __restrict__ parts, int length,
                               int each) {
    __shared__ float weights[128], reduced[4];
    const int head = blockIdx.y, begin = blockIdx.x * each, number = min(each, length - begin);
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const half2* q = (const half2*)(query + head * 64);
    const half2 mine = q[lane];
    for (int t = warp; t < number; t += 4) {
        const half2 k = ((const half2*)(keys + ((size_t)head * length + begin + t) * 64))[lane];
        const float2 product = __half22float2(__hmul2(mine, k));
        float sum = product.x + product.y;
        for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
        if (lane == 0) weights[t] = sum * 0.125f;
    }
    __syncthreads();
    const float score = threadIdx.x < number ? weights[threadIdx.x] : -1e30f;
    float top = score;
    for (int step = 16; step; step >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
    if (lane == 0) reduced[warp] = top;
    __syncthreads();
    top = fmaxf(fmaxf(reduced[0], reduced[1]), fmaxf(reduced[2], reduced[3]));
    if (threadIdx.x < number) weights[threadIdx.x] = __expf(score - top);
    __syncthreads();
    const int column = threadIdx.x & 63;
    float sum = 0, total = 0;
    for (int t = threadIdx.x >> 6; t < number; t += 2) {
        const float weight = weights[t];
        sum += weight * __half2float(values[((size_t)head * length + begin + t) * 64 + column]);
        total += weight;
    }
    float* part = parts + ((head * gridDim.x + blockIdx.x) * 2 + (threadIdx.x >> 6)) * 66;
    part[column] = sum;
    if (column == 0) part[64] = total, part[65] = top;
}

// Direct convolution: an image tile and its filters in shared memory, eight outputs of channels a thread
template <int Size, int Stride>
__global__ void convolveLayer(const float* __restrict__ in, const float* __restrict__ filters,
                              float* __restrict__ out, int channels, int side, int outSide) {
    constexpr int Tile = 15 * Stride + Size;
    __shared__ float image[Tile][Tile + 1], weights[8][Size * Size];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx, group = blockIdx.z;
    const int left = blockIdx.x * 16 * Stride - Size / 2, top = blockIdx.y * 16 * Stride - Size / 2;
    float sums[8] = {};
    for (int c = 0; c < channels; ++c) {
        for (int i = tid; i < Tile * Tile; i += 256) {
            const int x = left + i % Tile, y = top + i / Tile;
            const bool inside = x >= 0 && y >= 0 && x < side && y < side;
            image[i / Tile][i % Tile] = inside ? in[(c * side + y) * side + x] : 0;
        }
        for (int i = tid; i < 8 * Size * Size; i += 256)
            weights[i / (Size * Size)][i % (Size * Size)] =
                filters[((group * 8 + i / (Size * Size)) * channels + c) * Size * Size + i % (Size * Size)];
        __syncthreads();
#pragma unroll
        for (int fy = 0; fy < Size; ++fy)
#pragma unroll
            for (int fx = 0; fx < Size; ++fx) {
                const float value = image[ty * Stride + fy][tx * Stride + fx];
#pragma unroll
                for (int o = 0; o < 8; ++o) sums[o] += value * weights[o][fy * Size + fx];
            }
        __syncthreads();
    }
    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < outSide && y < outSide)
#pragma unroll
        for (int o = 0; o < 8; ++o) out[((group * 8 + o) * outSide + y) * outSide + x] = fmaxf(sums[o], 0.f);
}

// Largest of each 3x3 window at stride two, with its place for the way back
__global__ void poolLargest(const float* __restrict__ in, float* __restrict__ out, u8* __restrict__ where,
                            int side, int outSide, int planes) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * outSide * outSide) return;
    const int plane = at / (outSide * outSide), y = at / outSide % outSide * 2, x = at % outSide * 2;
    float top = -FLT_MAX;
    int place = 0;
    for (int i = 0; i < 9; ++i) {
        const int yy = y + i / 3, xx = x + i % 3;
        if (yy >= side || xx >= side) continue;
        const float value = in[(plane * side + yy) * side + xx];
        if (value > top) top = value, place = i;
    }
    out[at] = top;
    where[at] = place;
}

// Matrix in blocks of four-bit weights with a scale each, times a vector: a warp a row
struct Block4 {
    half scale;
    u8 nibbles[16];
};
__global__ void fourBitRows(const Block4* __restrict__ weights, const float* __restrict__ x,
                            float* __restrict__ y, int blocks, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float sum = 0;
    for (int b = threadIdx.x >> 1; b < blocks; b += 16) {
        const Block4& block = weights[row * blocks + b];
        const int half8 = (threadIdx.x & 1) * 8;
        const float* xs = x + b * 32 + half8;
        float part = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int byte = block.nibbles[half8 + i];
            part += ((byte & 15) - 8) * xs[i] + ((byte >> 4) - 8) * xs[i + 16];
        }
        sum += part * __half2float(block.scale);
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0) y[row] = sum;
}

// Product of eight-bit integers by four-way dots, the result brought back to eight bits
__global__ void byteProduct(const int* __restrict__ a, const int* __restrict__ b, signed char* __restrict__ c,
                            int n, int words, float scale) {
    __shared__ int left[32][17], right[32][17];
    int sums[2][2] = {};
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int w = 0; w < words; w += 16) {
#pragma unroll
        for (int i = 0; i < 32; i += 16) {
            left[ty + i][tx] = a[(blockIdx.y * 32 + ty + i) * words + w + tx];
            right[ty + i][tx] = b[(blockIdx.x * 32 + ty + i) * words + w + tx];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j)
                    sums[i][j] = __dp4a(left[ty + 16 * i][k], right[tx + 16 * j][k], sums[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            c[(blockIdx.y * 32 + ty + 16 * i) * n + blockIdx.x * 32 + tx + 16 * j] =
                max(-127, min(127, __float2int_rn(sums[i][j] * scale)));
}

// Adam's step with decoupled decay, four parameters a thread
__global__ void adamStep(float4* __restrict__ weights, const float4* __restrict__ slopes,
                         float4* __restrict__ firsts, float4* __restrict__ seconds, float rate, float decay,
                         float fix1, float fix2, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float4 w = weights[i], m = firsts[i], v = seconds[i];
    const float4 g = slopes[i];
    auto one = [&](float& w, float& m, float& v, float g) {
        m = 0.9f * m + 0.1f * g;
        v = 0.999f * v + 0.001f * g * g;
        w -= rate * (m * fix1 / (sqrtf(v * fix2) + 1e-8f) + decay * w);
    };
    one(w.x, m.x, v.x, g.x), one(w.y, m.y, v.y, g.y), one(w.z, m.z, v.z, g.z), one(w.w, m.w, v.w, g.w);
    weights[i] = w, firsts[i] = m, seconds[i] = v;
}

// Sum of a bag's rows of an embedding table, a block of lanes across the columns
__global__ void embeddingBags(const float4* __restrict__ table, const int* __restrict__ indices,
                              const int* __restrict__ offsets, float4* __restrict__ out, int bags) {
    const int bag = blockIdx.x * blockDim.y + threadIdx.y;
    if (bag >= bags) return;
    float4 sum = make_float4(0, 0, 0, 0);
    const int end = offsets[bag + 1];
#pragma unroll 4
    for (int j = offsets[bag]; j < end; ++j) {
        const float4 row = table[indices[j] * 16 + threadIdx.x];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    out[bag * 16 + threadIdx.x] = sum;
}

// Boosted trees' prediction: each thread takes its row down every tree
__global__ void treesPredict(const int2* __restrict__ nodes, const float* __restrict__ features,
                             float* __restrict__ scores, int trees, int depth, int columns, int rows) {
    extern __shared__ float held[];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < columns; ++c)
        held[c * blockDim.x + threadIdx.x] = row < rows ? features[c * rows + row] : 0;
    if (row >= rows) return;
    float score = 0;
    for (int t = 0; t < trees; ++t) {
        const int2* tree = nodes + (t << (depth + 1));
        int at = 1;
        for (int d = 0; d < depth; ++d) {
            const int2 node = tree[at];
            at = 2 * at + (held[node.x * blockDim.x + threadIdx.x] > __int_as_float(node.y));
        }
        score += __int_as_float(tree[at].y);
    }
    scores[row] = score;
}

// Nearest centre of each point and the centres' new sums, gathered in shared memory first
template <int Dimensions>
__global__ void meansAssign(const float* __restrict__ points, const float* __restrict__ centres,
                            int* __restrict__ nearest, float* __restrict__ sums, int centreCount, int count) {
    extern __shared__ float memory[];
    float *held = memory, *gathered = memory + centreCount * Dimensions;
    for (int i = threadIdx.x; i < centreCount * Dimensions; i += blockDim.x)
        held[i] = centres[i], gathered[i] = 0;
    __syncthreads();
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) {
        float p[Dimensions], least = FLT_MAX;
#pragma unroll
        for (int d = 0; d < Dimensions; ++d) p[d] = points[d * count + at];
        int best = 0;
        for (int c = 0; c < centreCount; ++c) {
            float far = 0;
#pragma unroll
            for (int d = 0; d < Dimensions; ++d) {
                const float apart = p[d] - held[c * Dimensions + d];
                far += apart * apart;
            }
            if (far < least) least = far, best = c;
        }
        nearest[at] = best;
#pragma unroll
        for (int d = 0; d < Dimensions; ++d) atomicAdd(&gathered[best * Dimensions + d], p[d]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < centreCount * Dimensions; i += blockDim.x) atomicAdd(&sums[i], gathered[i]);
}

half* halves(int count, float least, float most) {
    uint32_t state = 362436069u + count;
    std::vector<half> values(count);
    for (half& value : values)
        value = __float2half(least + (most - least) * (next_number(state) % 4096 / 4096.f));
    return in_device(values);
}

void runLearning(uint32_t& state) {
    half* activations = halves(2048 * 2048, -1, 1);
    half* normal = zeros<half>(2048 * 2048);
    float* gain = reals(8192, 0.5, 1.5);
    layerNormHalf<4><<<1500, 192>>>((half2*)activations, (float2*)gain, (float2*)gain + 2048, (half2*)normal);
    layerNormHalf<1><<<600, 1024>>>((half2*)activations, (float2*)gain, (float2*)gain + 1024, (half2*)normal);
    toSum((unsigned short*)normal, 2048 * 1500);
    float* scores = reals(4 * 768 * 768, -4, 4);
    causalSoftmax<<<over(3 * 768, 8), 256>>>(scores, 768, 3 * 768, 0.5f);
    toSum(scores, 3 * 768 * 768);
    float* parts = zeros<float>(16 * 32 * 2 * 66);
    tokenAttention<<<dim3(19, 16), 128>>>(normal, activations, normal, parts, 2000, 110);
    toSum(parts, 32 * 6 * 2 * 66);

    float* maps = reals(64 * 112 * 112, -1, 1);
    float* filters = reals(64 * 64 * 9, -0.2, 0.2);
    float* layer = zeros<float>(64 * 112 * 112);
    convolveLayer<3, 1><<<dim3(4, 4, 8), dim3(16, 16)>>>(maps, filters, layer, 32, 56, 56);
    convolveLayer<5, 2><<<dim3(4, 4, 4), dim3(16, 16)>>>(maps, filters, layer, 8, 112, 56);
    toSum(layer, 64 * 56 * 56);
    float* pooled = zeros<float>(64 * 56 * 56);
    u8* where = zeros<u8>(64 * 56 * 56);
    poolLargest<<<over(64 * 56 * 56, 256), 256>>>(maps, pooled, where, 112, 56, 64);
    toSum(where, 64 * 56 * 56);

    std::vector<Block4> packed(3000 * 64);
    for (Block4& block : packed) {
        block.scale = __float2half((1 + next_number(state) % 100) / 1000.f);
        for (u8& nibble : block.nibbles) nibble = next_number(state) >> 7;
    }
    float* products = zeros<float>(3000);
    fourBitRows<<<750, dim3(32, 4)>>>(in_device(packed), maps, products, 64, 3000);
    toSum(products, 3000);
    int *bytesA = wholes<int>(1024 * 128, ~0u), *bytesB = wholes<int>(1024 * 128 + 1, ~0u);
    signed char* quantised = zeros<signed char>(1024 * 1024);
    byteProduct<<<dim3(32, 24), dim3(16, 16)>>>(bytesA, bytesB, quantised, 1024, 128, 0.0005f);
    toSum(quantised, 1024 * 1024);
    float* moments = zeros<float>(64 * 112 * 112);
    adamStep<<<over(64 * 112 * 28, 512), 512>>>((float4*)layer, (float4*)maps, (float4*)scores,
                                                (float4*)moments, 0.01f, 0.1f, 1.2f, 1.1f, 64 * 112 * 28);
    toSum(layer, 64 * 112 * 112);
    std::vector<int> bags(1);
    for (int i = 0; i < 8000; ++i) bags.push_back(bags.back() + 1 + next_number(state) % 40);
    float* pooledRows = zeros<float>(8000 * 64);
    embeddingBags<<<1000, dim3(16, 8)>>>((float4*)scores, wholes(bags.back(), 30000), in_device(bags),
                                         (float4*)pooledRows, 8000);
    toSum(pooledRows, 8000 * 64);
    std::vector<int2> trees(100 << 7);
    for (int2& node : trees) {
        const float at = next_number(state) % 1000 / 1000.f;
        node.x = next_number(state) % 24;
        std::memcpy(&node.y, &at, 4);
    }
    float* predicted = zeros<float>(40000);
    treesPredict<<<over(40000, 128), 128, 24 * 128 * 4>>>(in_device(trees), reals(24 * 40000), predicted, 100,
                                                          6, 24, 40000);
    toSum(predicted, 40000);
    float* centreSums = zeros<float>(64 * 16);
    meansAssign<8>
        <<<over(90000, 256), 256, 2 * 8 * 40 * 4>>>(scores, maps, zeros<int>(90000), centreSums, 40, 90000);
    toSum(centreSums, 64 * 16);
}

// ---------------------------------------------------------------- physics and chemistry

// Gravity among all bodies, tiles of positions through shared memory
template <int Tile>
__global__ void allPairsGravity(const float4* __restrict__ bodies, float4* __restrict__ pulls, int count) {
    __shared__ float4 tile[Tile];
    const int i = blockIdx.x * Tile + threadIdx.x;
    const float4 me = bodies[min(i, count - 1)];
    float3 pull = make_float3(0, 0, 0);
    for (int base = 0; base < count; base += Tile) {
        const int j = base + threadIdx.x;
        tile[threadIdx.x] = j < count ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < Tile; ++k) {
            const float4 other = tile[k];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float strength = other.w * inverse * inverse * inverse;
            pull.x += strength * dx, pull.y += strength * dy, pull.z += strength * dz;
        }
        __syncthreads();
    }
    if (i < count) pulls[i] = make_float4(pull.x, pull.y, pull.z, 0);
}

// Lennard-Jones and screened charges over neighbour lists laid out by columns
__global__ void neighbourForces(const float4* __restrict__ atoms, const int* __restrict__ lists,
                                const int* __restrict__ lengths, float4* __restrict__ forces, float box,
                                int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 me = __ldg(atoms + i);
    float fx = 0, fy = 0, fz = 0, energy = 0;
    const int number = lengths[i];
    for (int n = 0; n < number; ++n) {
        const float4 other = __ldg(atoms + lists[n * count + i]);
        float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
        dx -= box * rintf(dx / box), dy -= box * rintf(dy / box), dz -= box * rintf(dz / box);
        const float square = dx * dx + dy * dy + dz * dz;
        if (square > 6.25f || square < 0.25f) continue;
        const float inverse = 1 / square, six = inverse * inverse * inverse, length = sqrtf(square);
        const float charged = me.w * other.w * erfcf(0.8f * length) / length;
        const float strength = (48 * six * six - 24 * six + charged) * inverse;
        fx += strength * dx, fy += strength * dy, fz += strength * dz;
        energy += 4 * six * (six - 1) + charged;
    }
    forces[i] = make_float4(fx, fy, fz, energy);
}

// Smoothed-particle density: the sorted particles of the 27 cells about each
__global__ void fluidDensity(const float4* __restrict__ particles, const int2* __restrict__ cells,
                             float* __restrict__ density, int side, float reach, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 me = particles[i];
    const int cx = (int)(me.x * side), cy = (int)(me.y * side), cz = (int)(me.z * side);
    float sum = 0;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); ++z)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); ++y)
            for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); ++x) {
                const int2 cell = cells[(z * side + y) * side + x];
                for (int j = cell.x; j < cell.y; ++j) {
                    const float4 other = particles[j];
                    const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
                    const float room = reach * reach - dx * dx - dy * dy - dz * dz;
                    if (room > 0) sum += other.w * room * room * room;
                }
            }
    density[i] = sum;
}

// Charge of plasma particles laid on the grid: eight atomic adds each
__global__ void chargeDeposit(const float* __restrict__ px, const float* __restrict__ py,
                              const float* __restrict__ pz, float* __restrict__ grid, int side, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float x = px[i] * (side - 1), y = py[i] * (side - 1), z = pz[i] * (side - 1);
        const int ix = (int)x, iy = (int)y, iz = (int)z;
        const float fx = x - ix, fy = y - iy, fz = z - iz;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float weight = (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy) * (k & 4 ? fz : 1 - fz);
            atomicAdd(&grid[((iz + (k >> 2)) * side + iy + (k >> 1 & 1)) * side + ix + (k & 1)], weight);
        }
    }
}

// Stiff reactions of many cells: four species by an implicit step, Newton on a 4x4 system in doubles
__global__ void __launch_bounds__(128, 4)
    stiffReactions(double* species, const double* __restrict__ heat, double step, int count) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= count) return;
    double start[4], y[4];
    for (int s = 0; s < 4; ++s) y[s] = start[s] = species[s * count + cell];
    const double k1 = 40 * exp(-1 / (heat[cell] + 0.3)), k2 = 900 * exp(-3 / (heat[cell] + 0.3)), k3 = 0.5;
    for (int turn = 0; turn < 8; ++turn) {
        const double r1 = k1 * y[0] * y[1], r2 = k2 * y[2] * y[1], r3 = k3 * y[3];
        double rest[4] = {y[0] - start[0] + step * (r1 - r3), y[1] - start[1] + step * (r1 + r2),
                          y[2] - start[2] - step * (r1 - r2), y[3] - start[3] - step * (r2 - r3)};
        double a[4][4] = {{1 + step * k1 * y[1], step * k1 * y[0], 0, -step * k3},
                          {step * k1 * y[1], 1 + step * (k1 * y[0] + k2 * y[2]), step * k2 * y[1], 0},
                          {-step * k1 * y[1], -step * (k1 * y[0] - k2 * y[2]), 1 + step * k2 * y[1], 0},
                          {0, -step * k2 * y[2], -step * k2 * y[1], 1 + step * k3}};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const double inverse = 1 / a[k][k];
#pragma unroll
            for (int i = k + 1; i < 4; ++i) {
                const double factor = a[i][k] * inverse;
#pragma unroll
                for (int j = k; j < 4; ++j) a[i][j] -= factor * a[k][j];
                rest[i] -= factor * rest[k];
            }
        }
        double size = 0;
#pragma unroll
        for (int i = 3; i >= 0; --i) {
#pragma unroll
            for (int j = i + 1; j < 4; ++j) rest[i] -= a[i][j] * rest[j];
            rest[i] /= a[i][i];
            y[i] -= rest[i];
            size += fabs(rest[i]);
        }
        if (size < 1e-10) break;
    }
    for (int s = 0; s < 4; ++s) species[s * count + cell] = y[s];
}

void runPhysics(uint32_t& state) {
    auto some = [&state] { return next_number(state) % 65536 / 65536.f; };
    float4* bodies = (float4*)reals(4 * 5000, 0, 1);
    float4* pulls = zeros<float4>(5000);
    allPairsGravity<128><<<over(4000, 128), 128>>>(bodies, pulls, 4000);
    toSum((float*)pulls, 4 * 4000);

    const int atoms = 12000, wide = 7, most = 160;
    const float box = 23;
    std::vector<std::vector<int>> inCell(wide * wide * wide);
    std::vector<float4> where(atoms);
    std::vector<int> lists(most * atoms), lengths(atoms);
    for (int i = 0; i < atoms; ++i) {
        const int cell = (long long)i * inCell.size() / atoms;
        where[i] =
            make_float4((cell % wide + some()) * box / wide, (cell / wide % wide + some()) * box / wide,
                        (cell / wide / wide + some()) * box / wide, i % 2 ? 0.4f : -0.4f);
        inCell[cell].push_back(i);
    }
    for (int i = 0; i < atoms; ++i) {
        const int cell = (long long)i * inCell.size() / atoms;
        for (int k = 0; k < 27; ++k) {
            const int xx = (cell % wide + k % 3 + wide - 1) % wide;
            const int yy = (cell / wide % wide + k / 3 % 3 + wide - 1) % wide;
            const int zz = (cell / wide / wide + k / 9 + wide - 1) % wide;
            for (int j : inCell[(zz * wide + yy) * wide + xx]) {
                float dx = where[i].x - where[j].x, dy = where[i].y - where[j].y,
                      dz = where[i].z - where[j].z;
                dx -= box * std::rint(dx / box), dy -= box * std::rint(dy / box),
                    dz -= box * std::rint(dz / box);
                if (i != j && dx * dx + dy * dy + dz * dz < 7.3f && lengths[i] < most)
                    lists[lengths[i]++ * atoms + i] = j;
            }
        }
    }
    float4* forces = zeros<float4>(atoms);
    neighbourForces<<<over(atoms, 64), 64>>>(in_device(where), in_device(lists), in_device(lengths), forces,
                                             box, atoms);
    toSum((float*)forces, 4 * atoms);

    const int drops = 30000, side = 20;
    std::vector<float4> fluid;
    std::vector<int2> cells;
    for (int cell = 0; cell < side * side * side; ++cell) {
        const int number =
            (cell / side / side < side / 2) ? 3 + next_number(state) % 6 : next_number(state) % 3;
        const int begin = fluid.size();
        for (int i = 0; i < number && (int)fluid.size() < drops; ++i)
            fluid.push_back(make_float4((cell % side + 0.02f + 0.9f * some()) / side,
                                        (cell / side % side + 0.02f + 0.9f * some()) / side,
                                        (cell / side / side + 0.02f + 0.9f * some()) / side, 1));
        cells.push_back(make_int2(begin, fluid.size()));
    }
    const int filled = fluid.size();
    float* density = zeros<float>(filled);
    fluidDensity<<<over(filled, 128), 128>>>(in_device(fluid), in_device(cells), density, side, 0.05f,
                                             filled);
    toSum(density, filled);

    float *px = reals(500000), *py = reals(500001), *pz = reals(500002);
    float* charge = zeros<float>(64 * 64 * 64);
    chargeDeposit<<<528, 128>>>(px, py, pz, charge, 64, 300000);
    toSum(charge, 64 * 64 * 64);
    double* species = reals<double>(4 * 40000, 0.1, 1);
    stiffReactions<<<over(40000, 128), 128>>>(species, reals<double>(40000, 0, 2), 0.02, 40000);
    toSum(species, 160000);
}

// ---------------------------------------------------------------- chance, money, pictures, transforms

// Counter-based random numbers, Philox with ten rounds
__device__ uint4 philox(uint4 c, uint2 k) {
#pragma unroll
    for (int r = 0; r < 10; ++r) {
        const u32 high0 = __umulhi(0xD2511F53u, c.x), high1 = __umulhi(0xCD9E8D57u, c.z);
        c = make_uint4(high1 ^ c.y ^ k.x, 0xCD9E8D57u * c.z, high0 ^ c.w ^ k.y, 0xD2511F53u * c.x);
        k.x += 0x9E3779B9u, k.y += 0xBB67AE85u;
    }
    return c;
}

// Normal deviates by Box and Muller, four a turn
__global__ void normalDeviates(float4* __restrict__ out, u32 seed, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uint4 bits = philox(make_uint4(i, 0, 0, 0), make_uint2(seed, 77));
        const float r0 = sqrtf(-2 * logf((bits.x + 1.f) * 2.3283064e-10f));
        const float r1 = sqrtf(-2 * logf((bits.z + 1.f) * 2.3283064e-10f));
        float s0, c0, s1, c1;
        sincospif(bits.y * 4.656613e-10f, &s0, &c0);
        sincospif(bits.w * 4.656613e-10f, &s1, &c1);
        out[i] = make_float4(r0 * c0, r0 * s0, r1 * c1, r1 * s1);
    }
}

// Black and Scholes' prices of puts and calls with their deltas
template <class T>
__global__ void optionPrices(const T* __restrict__ spots, const T* __restrict__ strikes,
                             const T* __restrict__ years, T* __restrict__ calls, T* __restrict__ puts,
                             T* __restrict__ deltas, T rate, T swing, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const T spread = swing * sqrt(years[i]);
    const T d1 = (log(spots[i] / strikes[i]) + (rate + swing * swing / 2) * years[i]) / spread;
    const T n1 = erfc(-d1 * (T)0.70710678118) / 2, n2 = erfc((spread - d1) * (T)0.70710678118) / 2;
    const T later = strikes[i] * exp(-rate * years[i]);
    calls[i] = spots[i] * n1 - later * n2;
    puts[i] = later * (1 - n2) - spots[i] * (1 - n1);
    deltas[i] = n1;
}

// American options on a binomial tree, a block each, two steps between barriers
__global__ void americanTree(const float* __restrict__ spots, float* __restrict__ prices, float strike,
                             float up, float chance, float discount, int steps) {
    extern __shared__ float nodes[];
    const float spot = spots[blockIdx.x], rise = __logf(up);
    for (int j = threadIdx.x; j <= steps; j += blockDim.x)
        nodes[j] = fmaxf(strike - spot * __expf((2 * j - steps) * rise), 0.f);
    __syncthreads();
    for (int t = steps - 1; t >= 0; --t) {
        for (int base = 0; base <= t; base += blockDim.x) {
            const int j = base + threadIdx.x;
            float value = 0;
            if (j <= t) {
                value = discount * (chance * nodes[j + 1] + (1 - chance) * nodes[j]);
                value = fmaxf(value, strike - spot * __expf((2 * j - t) * rise));
            }
            __syncthreads();
            if (j <= t) nodes[j] = value;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) prices[blockIdx.x] = nodes[0];
}

// Barrier options by simulated paths with an own small generator, ended early where knocked out
__global__ void barrierPaths(double* sum, float spot, float strike, float barrier, float drift, float swing,
                             int steps, int paths) {
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    u64 a = 0x9E3779B97F4A7C15ull * (path + 1), b = ~a;
    double paid = 0;
    float level = spot;
    bool alive = path < paths;
    for (int s = 0; s < steps && alive; ++s) {
        a ^= a << 23;
        a ^= b ^ a >> 17 ^ b >> 26;
        const u64 drawn = a + b, kept = a;
        a = b, b = kept;
        const float u = ((u32)(drawn >> 40) + 0.5f) * 5.9604645e-8f;
        const float t = u < 0.5f ? u : 1 - u, w = sqrtf(-2 * __logf(t));
        float z = w - (2.515517f + w * (0.802853f + w * 0.010328f)) /
                          (1 + w * (1.432788f + w * (0.189269f + w * 0.001308f)));
        if (u < 0.5f) z = -z;
        level *= __expf(drift + swing * z);
        alive = level < barrier;
    }
    if (alive) paid = fmaxf(level - strike, 0.f);
    for (int step = 16; step; step >>= 1) paid += __shfl_down_sync(~0u, paid, step);
    if ((threadIdx.x & 31) == 0 && paid != 0) atomicAdd(sum, paid);
}

// The Mandelbrot set in doubles or floats, coloured by the turns before escape
template <class T>
__global__ void mandelbrotTurns(u32* __restrict__ out, T left, T top, T step, int width, int height,
                                int turns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const T cr = left + x * step, ci = top + y * step;
    T zr = 0, zi = 0, rr = 0, ii = 0;
    int n = 0;
    while (n < turns && rr + ii < 4) {
        zi = 2 * zr * zi + ci, zr = rr - ii + cr;
        rr = zr * zr, ii = zi * zi;
        ++n;
    }
    out[y * width + x] = n;
}

__device__ float sceneDistance(float3 p) {
    const float sphere = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) - 1.1f;
    const float qx = fabsf(p.x - 1.4f) - 0.6f, qy = fabsf(p.y) - 0.6f, qz = fabsf(p.z) - 0.6f;
    const float outX = fmaxf(qx, 0.f), outY = fmaxf(qy, 0.f), outZ = fmaxf(qz, 0.f);
    const float cube =
        sqrtf(outX * outX + outY * outY + outZ * outZ) + fminf(fmaxf(qx, fmaxf(qy, qz)), 0.f) - 0.1f;
    const float round = sqrtf(p.x * p.x + p.z * p.z) - 2.2f, ring = sqrtf(round * round + p.y * p.y) - 0.25f;
    const float h = fminf(fmaxf(0.5f + 0.5f * (cube - sphere) / 0.3f, 0.f), 1.f);
    const float blend = cube + (sphere - cube) * h - 0.3f * h * (1 - h);
    return fminf(fminf(blend, ring), p.y + 1.5f);
}

// Ray marching of a scene of distances with soft shadows
__global__ void marchScene(float* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float dx = (x - width / 2) / (float)height, dy = (height / 2 - y) / (float)height;
    const float inverse = rsqrtf(dx * dx + dy * dy + 1.44f);
    const float3 d = make_float3(dx * inverse, dy * inverse, 1.2f * inverse);
    float t = 0.5f;
    int turns = 0;
    for (; turns < 60 && t < 20; ++turns) {
        const float far = sceneDistance(make_float3(t * d.x, t * d.y + 0.5f, t * d.z - 5));
        if (far < 0.001f * t) break;
        t += far;
    }
    float light = 0.1f;
    if (turns < 60 && t < 20) {
        const float3 hit = make_float3(t * d.x, t * d.y + 0.5f, t * d.z - 5);
        float shade = 1;
        for (float s = 0.05f; s < 6;) {
            const float far =
                sceneDistance(make_float3(hit.x + 0.48f * s, hit.y + 0.8f * s, hit.z - 0.36f * s));
            if (far < 0.001f) {
                shade = 0;
                break;
            }
            shade = fminf(shade, 8 * far / s), s += fmaxf(far, 0.02f);
        }
        light += shade / (1 + 0.02f * t * t);
    }
    out[y * width + x] = light;
}

// Triangles into a depth buffer, a warp each, by edge functions and a packed smallest
__global__ void rasteriseTriangles(const float* __restrict__ corners, u64* depths, int width, int height,
                                   int count) {
    const int triangle = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (triangle >= count) return;
    const float* c = corners + triangle * 9;
    const float x0 = c[0], y0 = c[1], x1 = c[3], y1 = c[4], x2 = c[6], y2 = c[7];
    const float area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (fabsf(area) < 1e-3f) return;
    const int left = max((int)fminf(fminf(x0, x1), x2), 0),
              right = min((int)fmaxf(fmaxf(x0, x1), x2), width - 1);
    const int top = max((int)fminf(fminf(y0, y1), y2), 0),
              bottom = min((int)fmaxf(fmaxf(y0, y1), y2), height - 1);
    if (left > right || top > bottom) return;
    const int wide = right - left + 1, cells = wide * (bottom - top + 1);
    for (int i = lane; i < cells; i += 32) {
        const int x = left + i % wide, y = top + i / wide;
        const float px = x + 0.5f, py = y + 0.5f;
        const float u = ((x1 - px) * (y2 - py) - (x2 - px) * (y1 - py)) / area;
        const float v = ((x2 - px) * (y0 - py) - (x0 - px) * (y2 - py)) / area;
        const float w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        const float z = u * c[2] + v * c[5] + w * c[8];
        atomicMin(&depths[y * width + x], (u64)__float_as_uint(z) << 32 | triangle);
    }
}

// Fourier transform of 512 points in a block, eight a thread: three stages of radix eight
template <int Sign>
__global__ void __launch_bounds__(64) fourier512(const float2* __restrict__ in, float2* __restrict__ out) {
    __shared__ float2 held[512 + 64];
    float2 v[8];
    int at = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = in[blockIdx.x * 512 + at + 64 * i];
#pragma unroll
    for (int stage = 0; stage < 3; ++stage) {
        const int span = stage == 0 ? 1 : stage == 1 ? 8 : 64, phase = at % span;
#pragma unroll
        for (int i = 1; i < 8; ++i) {
            float s, c;
            __sincosf(Sign * 6.2831853f * i * phase / (span * 8), &s, &c);
            v[i] = make_float2(v[i].x * c - v[i].y * s, v[i].x * s + v[i].y * c);
        }
        float2 sums[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float2 sum = v[0];
#pragma unroll
            for (int i = 1; i < 8; ++i) {
                const int turn = i * k & 7;
                const float root = 0.70710678f;
                const float c = turn == 0                ? 1
                                : turn == 4              ? -1
                                : (turn & 3) == 2        ? 0
                                : turn == 1 || turn == 7 ? root
                                                         : -root;
                const float s = Sign * ((turn & 3) == 0 ? 0
                                        : turn == 2     ? 1
                                        : turn == 6     ? -1
                                        : turn < 4      ? root
                                                        : -root);
                sum.x += v[i].x * c - v[i].y * s, sum.y += v[i].x * s + v[i].y * c;
            }
            sums[k] = sum;
        }
        const int place = (at / span) * span * 8 + phase;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const int to = place + k * span;
            held[to + to / 8] = sums[k];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int from = at + 64 * i;
            v[i] = held[from + from / 8];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) out[blockIdx.x * 512 + at + 64 * i] = v[i];
}

// Local alignment of many short pairs, Smith and Waterman: a warp a pair, the wavefront passed by shuffles
__global__ void alignPairs(const u8* __restrict__ queries, const u8* __restrict__ references,
                           int* __restrict__ best, int length, int pairs) {
    const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (pair >= pairs) return;
    const u8* reference = references + pair * length;
    u8 letters[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) letters[i] = queries[pair * 128 + lane * 4 + i];
    int left[4] = {}, gaps[4] = {}, diagonal = 0, top = 0, sent = 0, sentGap = 0;
    for (int step = 0; step < length + 31; ++step) {
        const int above = __shfl_up_sync(~0u, sent, 1), gapAbove = __shfl_up_sync(~0u, sentGap, 1);
        const int column = step - lane;
        if (column >= 0 && column < length) {
            const u8 letter = reference[column];
            int up = lane ? above : 0, downGap = lane ? gapAbove : 0, corner = diagonal;
            diagonal = up;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                gaps[i] = max(gaps[i] - 1, left[i] - 5);
                downGap = max(downGap - 1, up - 5);
                int score = max(0, corner + (letters[i] == letter ? 4 : -3));
                score = max(score, max(gaps[i], downGap));
                corner = left[i];
                left[i] = up = score;
                top = max(top, score);
            }
            sent = up, sentGap = downGap;
        }
    }
    top = __reduce_max_sync(~0u, top);
    if (lane == 0) best[pair] = top;
}

// Motion search of video blocks of 16x16: sums of absolute differences over a window, four bytes at once
__global__ void motionSearch(const u32* __restrict__ frame, const u8* __restrict__ past,
                             int2* __restrict__ vectors, int width, int reach) {
    __shared__ u32 block[16][4];
    __shared__ u32 best;
    const int bx = blockIdx.x * 16 + reach, by = blockIdx.y * 16 + reach, span = 2 * reach + 1;
    if (threadIdx.x < 64)
        block[threadIdx.x / 4][threadIdx.x % 4] =
            frame[((by + threadIdx.x / 4) * width + bx) / 4 + threadIdx.x % 4];
    if (threadIdx.x == 0) best = ~0u;
    __syncthreads();
    for (int i = threadIdx.x; i < span * span; i += blockDim.x) {
        const u8* from = past + (by + i / span - reach) * width + bx + i % span - reach;
        u32 sum = 0;
        for (int y = 0; y < 16; ++y) {
            const u32* words = (const u32*)((u64)(from + y * width) & ~3ull);
            const int shift = ((u64)from & 3) * 8;
            u32 word = words[0];
#pragma unroll
            for (int x = 0; x < 4; ++x) {
                const u32 next = words[x + 1];
                sum = __vsadu4(__funnelshift_r(word, next, shift), block[y][x]) + sum;
                word = next;
            }
        }
        atomicMin(&best, sum << 12 | i);
    }
    __syncthreads();
    if (threadIdx.x == 0) vectors[blockIdx.y * gridDim.x + blockIdx.x] = make_int2(best & 4095, best >> 12);
}

// Audio: a chain of second-order filters down each channel, a thread a channel, samples side by side
template <int Stages>
__global__ void filterChain(const float* __restrict__ in, float* __restrict__ out, int channels,
                            int samples) {
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (channel >= channels) return;
    float z1[Stages] = {}, z2[Stages] = {};
#pragma unroll 4
    for (int s = 0; s < samples; ++s) {
        float x = in[s * channels + channel];
#pragma unroll
        for (int k = 0; k < Stages; ++k) {
            const float y = 0.2f * x + z1[k];
            z1[k] = 0.3f * x - (-0.5f + 0.1f * k) * y + z2[k];
            z2[k] = 0.2f * x - 0.2f * y;
            x = y;
        }
        out[s * channels + channel] = x;
    }
}

void runPictures(uint32_t& state) {
    float4* normal = zeros<float4>(250000);
    normalDeviates<<<264, 256>>>(normal, 2024, 250000);
    toSum((float*)normal, 1000000);
    const int options = 400000;
    float* prices = zeros<float>(3 * options);
    optionPrices<float><<<over(options, 128), 128>>>(reals(options, 5, 30), reals(options + 1, 1, 100),
                                                     reals(options + 2, 0.25, 10), prices, prices + options,
                                                     prices + 2 * options, 0.02f, 0.3f, options);
    toSum(prices, 3 * options);
    double* exact = zeros<double>(3 * 60000);
    optionPrices<double><<<over(60000, 256), 256>>>(reals<double>(60000, 5, 30), reals<double>(60001, 1, 100),
                                                    reals<double>(60002, 0.25, 10), exact, exact + 60000,
                                                    exact + 120000, 0.02, 0.3, 60000);
    toSum(exact, 180000);
    float* american = zeros<float>(396);
    americanTree<<<396, 128, 301 * 4>>>(reals(396, 60, 140), american, 100, 1.012f, 0.505f, 0.9999f, 300);
    toSum(american, 396);
    double* paid = zeros<double>(1);
    barrierPaths<<<over(60000, 192), 192>>>(paid, 100, 100, 130, 0, 0.02f, 60, 60000);
    toSum(paid, 1);

    u32* turns = zeros<u32>(1024 * 768);
    mandelbrotTurns<float><<<dim3(40, 120), dim3(16, 4)>>>(turns, -2.f, -1.2f, 0.005f, 630, 480, 300);
    toSum(turns, 630 * 480);
    mandelbrotTurns<double><<<dim3(10, 40), dim3(32, 8)>>>(turns, -0.7436439, 0.1318259, 1e-7, 320, 320, 160);
    toSum(turns, 320 * 320);
    float* shaded = zeros<float>(480 * 270);
    marchScene<<<dim3(60, 34), dim3(8, 8)>>>(shaded, 480, 270);
    toSum(shaded, 480 * 270);
    std::vector<float> corners;
    for (int t = 0; t < 16000; ++t) {
        const float x = 70 + next_number(state) % 1100, y = 70 + next_number(state) % 560;
        const int size = t % 50 ? 20 : 120;
        for (int c = 0; c < 3; ++c) {
            corners.push_back(x + (int)(next_number(state) % size) - size / 2);
            corners.push_back(y + (int)(next_number(state) % size) - size / 2);
            corners.push_back(0.1f + next_number(state) % 1000 / 1000.f);
        }
    }
    u64* depths = in_device(std::vector<u64>(1280 * 720, ~0ull >> 1));
    rasteriseTriangles<<<over(16000 * 32, 128), 128>>>(in_device(corners), depths, 1280, 720, 16000);
    toSum(depths, 1280 * 720);
    float2* spectrum = zeros<float2>(2000 * 512);
    fourier512<1><<<2000, 64>>>((float2*)reals(2 * 2000 * 512, -1, 1), spectrum);
    toSum((float*)spectrum, 2 * 2000 * 512);

    int* best = zeros<int>(700);
    alignPairs<<<over(700 * 32, 128), 128>>>(wholes<u8>(700 * 128, 4), wholes<u8>(700 * 100, 4), best, 100,
                                             700);
    toSum(best, 700);
    int2* vectors = zeros<int2>(37 * 27);
    motionSearch<<<dim3(37, 27), 128>>>(wholes<u32>(160 * 480, ~0u), wholes<u8>(640 * 480, 256), vectors, 640,
                                        12);
    toSum((int*)vectors, 2 * 37 * 27);
    float* filtered = zeros<float>(6000 * 200);
    filterChain<3><<<over(6000, 64), 64>>>(reals(6000 * 200, -1, 1), filtered, 6000, 200);
    toSum(filtered, 6000 * 200);
}

int main() {
    uint32_t state = 19937;
    runImages();
    runStencils();
    runAlgebra(state);
    runSorts();
    runBits(state);
    runGraphs(state);
    runLearning(state);
    runPhysics(state);
    runPictures(state);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    for (const auto& sum : sums) printf(" %.6g", sum());
    printf("\n");
    return error != cudaSuccess;
}
