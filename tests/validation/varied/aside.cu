// Seventy-odd kernels from many fields, each run once or twice, with a checksum of what they computed.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "inputs.h"

namespace cg = cooperative_groups;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

static double number(__half v) { return (double)__half2float(v); }
static double number(float2 v) { return (double)v.x + v.y; }
static double number(float4 v) { return (double)v.x + v.y + v.z + v.w; }
template <class T>
static double number(T v) {
    return (double)v;
}

static std::vector<std::pair<std::string, std::function<double()>>> results;

template <class T>
static void keep(const char* name, const T* memory, int count) {
    results.emplace_back(name, [=] {
        std::vector<T> values(count);
        cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (const T& v : values) sum += number(v);
        return sum;
    });
}

// Device memory of the group of kernels at hand, freed after its results were read back
static std::vector<void*> rented;
template <class T>
static T* rent(T* memory) {
    rented.push_back((void*)memory);
    return memory;
}
template <class T>
static T* uploaded(const std::vector<T>& values) {
    return rent(in_device(values));
}
template <class T = float>
static T* drawn(int count, double least = 0, double most = 1) {
    return rent(reals<T>(count, least, most));
}
template <class T = int>
static T* picked(int count, u32 limit) {
    return rent(wholes<T>(count, limit));
}
template <class T>
static T* cleared(int count) {
    return rent(zeros<T>(count));
}

static int parts(int n, int each) { return (n + each - 1) / each; }

__host__ __device__ inline u32 mixBits(u32 h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

// Marsaglia's shift generator, one per thread
struct Rng {
    u32 s;
    __device__ explicit Rng(u32 seed) : s(mixBits(seed + 0x9e3779b9u) | 1u) {}
    __device__ u32 bits() {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        return s;
    }
    __device__ float uniform() { return ((bits() >> 8) + 0.5f) * (1.0f / 16777216.0f); }
    __device__ float2 normals() {
        float r = sqrtf(-2.0f * logf(uniform()));
        float s, c;
        sincosf(6.2831853f * uniform(), &s, &c);
        return make_float2(r * c, r * s);
    }
};

// ============================================================ images

// Coefficients a, b of the self-guided filter, window (2r+1)^2
__global__ void guidedCoefficients(const float* __restrict__ image, float2* __restrict__ ab, int w, int h,
                                   int r, float eps) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0, sumSq = 0;
    int n = 0;
    for (int yy = max(y - r, 0); yy <= min(y + r, h - 1); ++yy)
        for (int xx = max(x - r, 0); xx <= min(x + r, w - 1); ++xx) {
            float v = image[yy * w + xx];
            sum += v;
            sumSq += v * v;
            ++n;
        }
    float mean = sum / n;
    float var = sumSq / n - mean * mean;
    float a = var / (var + eps);
    ab[y * w + x] = make_float2(a, (1 - a) * mean);
}

constexpr int GABOR = 11;
__constant__ float gaborTaps[4][GABOR * GABOR];

// Largest answer of four oriented filters; tile with its edge in shared memory
__global__ void gaborBank(const float* __restrict__ in, float* __restrict__ best, u8* __restrict__ which, int w,
                          int h) {
    __shared__ float tile[16 + GABOR - 1][16 + GABOR];
    const int half = GABOR / 2;
    int x0 = blockIdx.x * 16 - half, y0 = blockIdx.y * 16 - half;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < (16 + GABOR - 1) * (16 + GABOR - 1); i += 256) {
        int ty = i / (16 + GABOR - 1), tx = i % (16 + GABOR - 1);
        int gx = min(max(x0 + tx, 0), w - 1);
        int gy = min(max(y0 + ty, 0), h - 1);
        tile[ty][tx] = in[gy * w + gx];
    }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    float top = -1e30f;
    int topIndex = 0;
    for (int f = 0; f < 4; ++f) {
        float acc = 0;
        for (int j = 0; j < GABOR; ++j)
#pragma unroll
            for (int i = 0; i < GABOR; ++i)
                acc += tile[threadIdx.y + j][threadIdx.x + i] * gaborTaps[f][j * GABOR + i];
        if (fabsf(acc) > top) {
            top = fabsf(acc);
            topIndex = f;
        }
    }
    best[y * w + x] = top;
    which[y * w + x] = topIndex;
}

// Oil painting: the mean colour of the most common brightness level near a pixel
__global__ void oilPaint(const uchar4* __restrict__ in, uchar4* __restrict__ out, int w, int h, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int count[16], red[16], green[16], blue[16];
    for (int i = 0; i < 16; ++i) count[i] = red[i] = green[i] = blue[i] = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        int yy = y + dy;
        if (yy < 0 || yy >= h) continue;
        for (int dx = -radius; dx <= radius; ++dx) {
            int xx = x + dx;
            if (xx < 0 || xx >= w) continue;
            uchar4 p = in[yy * w + xx];
            int level = (p.x + p.y + p.z) / 3 >> 4;
            count[level]++;
            red[level] += p.x;
            green[level] += p.y;
            blue[level] += p.z;
        }
    }
    int top = 0;
    for (int i = 1; i < 16; ++i)
        if (count[i] > count[top]) top = i;
    out[y * w + x] = make_uchar4(red[top] / count[top], green[top] / count[top], blue[top] / count[top], 255);
}

__device__ __forceinline__ float cubicWeight(float t) {
    t = fabsf(t);
    if (t <= 1) return (1.5f * t - 2.5f) * t * t + 1;
    if (t < 2) return ((-0.5f * t + 2.5f) * t - 4) * t + 2;
    return 0;
}

// Unrolls a disc-shaped picture to (angle, radius) with bicubic samples
__global__ void polarUnroll(const float* __restrict__ in, int w, int h, float* __restrict__ out, int angles,
                            int radii) {
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y;
    if (a >= angles) return;
    float s, c;
    sincospif(2.0f * a / angles, &s, &c);
    float rad = (r + 0.5f) / radii * (0.5f * min(w, h) - 3);
    float fx = w * 0.5f + rad * c, fy = h * 0.5f + rad * s;
    int ix = (int)floorf(fx), iy = (int)floorf(fy);
    float acc = 0;
    for (int j = -1; j <= 2; ++j) {
        float wy = cubicWeight(fy - (iy + j));
        for (int i = -1; i <= 2; ++i) {
            int xx = min(max(ix + i, 0), w - 1), yy = min(max(iy + j, 0), h - 1);
            acc += wy * cubicWeight(fx - (ix + i)) * __ldg(&in[yy * w + xx]);
        }
    }
    out[r * angles + a] = acc;
}

// Rotation-invariant uniform local binary patterns, histogram over the picture
__global__ void binaryPatterns(const u8* __restrict__ in, int w, int h, u32* __restrict__ hist) {
    __shared__ u32 bins[10];
    if (threadIdx.x < 10) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (w - 2) * (h - 2); i += gridDim.x * blockDim.x) {
        int x = i % (w - 2) + 1, y = i / (w - 2) + 1;
        const u8* p = in + y * w + x;
        u8 c = *p;
        u32 code = (p[-w - 1] >= c) | (p[-w] >= c) << 1 | (p[-w + 1] >= c) << 2 | (p[1] >= c) << 3 |
                   (p[w + 1] >= c) << 4 | (p[w] >= c) << 5 | (p[w - 1] >= c) << 6 | (p[-1] >= c) << 7;
        u32 turned = (code >> 1 | code << 7) & 255;
        u32 changes = __popc(code ^ turned);
        atomicAdd(&bins[changes <= 2 ? __popc(code) : 9], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 10) atomicAdd(&hist[threadIdx.x], bins[threadIdx.x]);
}

// Circle votes of edge points, for one radius a block row
__global__ void circleVotes(const short2* __restrict__ edges, int n, int w, int h, int leastRadius,
                            u32* __restrict__ votes) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;
    int radius = leastRadius + blockIdx.y;
    u32* plane = votes + blockIdx.y * w * h;
    short2 p = edges[e];
    for (int step = 0; step < 64; ++step) {
        float s, c;
        __sincosf(step * (6.2831853f / 64), &s, &c);
        int x = __float2int_rn(p.x + radius * c), y = __float2int_rn(p.y + radius * s);
        if (x >= 0 && y >= 0 && x < w && y < h) atomicAdd(&plane[y * w + x], 1u);
    }
}

// Dilation by a disc given as half-widths of its rows; rows of u8, each thread four pixels
template <int R>
__global__ void dilateDisc(const u8* __restrict__ in, u8* __restrict__ out, int w, int h) {
    int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x0 >= w || y >= h) return;
    u8 most[4] = {0, 0, 0, 0};
    for (int dy = -R; dy <= R; ++dy) {
        int yy = y + dy;
        if (yy < 0 || yy >= h) continue;
        int half = (int)sqrtf((float)(R * R - dy * dy) + 0.25f);
        for (int dx = -half; dx <= half + 3; ++dx) {
            int xx = x0 + dx;
            if (xx < 0 || xx >= w) continue;
            u8 v = in[yy * w + xx];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (dx - k >= -half && dx - k <= half) most[k] = max(most[k], v);
        }
    }
    for (int k = 0; k < 4 && x0 + k < w; ++k) out[y * w + x0 + k] = most[k];
}

// Raw moments up to the third order, in double
__global__ void imageMoments(const float* __restrict__ in, int w, int h, double* __restrict__ moments) {
    double m[10] = {};
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += stride) {
        double v = in[i], x = (i % w - w / 2) / (double)w, y = (i / w - h / 2) / (double)h;
        m[0] += v;
        m[1] += v * x;
        m[2] += v * y;
        m[3] += v * x * x;
        m[4] += v * x * y;
        m[5] += v * y * y;
        m[6] += v * x * x * x;
        m[7] += v * x * x * y;
        m[8] += v * x * y * y;
        m[9] += v * y * y * y;
    }
    for (int k = 0; k < 10; ++k) {
        for (int d = 16; d; d >>= 1) m[k] += __shfl_xor_sync(~0u, m[k], d);
        if ((threadIdx.x & 31) == 0) atomicAdd(&moments[k], m[k]);
    }
}

struct Centre {
    float x, y, l, a, b;
};

// Superpixels: each pixel looks at the centres of the 3 x 3 cells around its own
__global__ void superpixelAssign(const float4* __restrict__ lab, const Centre* __restrict__ centres, int w, int h,
                                 int cell, float compact, int* __restrict__ label) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int cw = (w + cell - 1) / cell, ch = (h + cell - 1) / cell;
    float4 p = lab[y * w + x];
    int cx = x / cell, cy = y / cell;
    float least = 1e30f;
    int choice = -1;
    for (int j = cy - 1; j <= cy + 1; ++j)
        for (int i = cx - 1; i <= cx + 1; ++i) {
            if (i < 0 || j < 0 || i >= cw || j >= ch) continue;
            Centre c = centres[j * cw + i];
            float dl = p.x - c.l, da = p.y - c.a, db = p.z - c.b, dx = x - c.x, dy = y - c.y;
            float d = dl * dl + da * da + db * db + compact * (dx * dx + dy * dy);
            if (d < least) {
                least = d;
                choice = j * cw + i;
            }
        }
    label[y * w + x] = choice;
}

// One row a thread, down and back: city-block distance along the row first
__global__ void rowDistances(const u8* __restrict__ mask, int* __restrict__ dist, int w, int h) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= h) return;
    int d = w + h;
    for (int x = 0; x < w; ++x) {
        d = mask[y * w + x] ? 0 : d + 1;
        dist[y * w + x] = d;
    }
    d = w + h;
    for (int x = w - 1; x >= 0; --x) {
        d = min(d + 1, dist[y * w + x]);
        dist[y * w + x] = d;
    }
}

static void runImages() {
    const int w = 1024, h = 768;
    dim3 b(32, 8), g(parts(w, 32), parts(h, 8));
    float* image = drawn(w * h);
    float2* ab = cleared<float2>(w * h);
    guidedCoefficients<<<g, b>>>(image, ab, w, h, 4, 0.01f);
    keep("guidedCoefficients", ab, w * h);

    std::vector<float> taps(4 * GABOR * GABOR);
    for (int f = 0; f < 4; ++f)
        for (int j = 0; j < GABOR; ++j)
            for (int i = 0; i < GABOR; ++i) {
                double a = f * M_PI / 4, x = i - GABOR / 2, y = j - GABOR / 2;
                double u = x * cos(a) + y * sin(a), v = y * cos(a) - x * sin(a);
                taps[(f * GABOR + j) * GABOR + i] = exp(-(u * u + 0.5 * v * v) / 12) * cos(u * 1.3);
            }
    cudaMemcpyToSymbol(gaborTaps, taps.data(), taps.size() * sizeof(float));
    const int gw = 600, gh = 410;
    float* best = cleared<float>(gw * gh);
    u8* which = cleared<u8>(gw * gh);
    gaborBank<<<dim3(parts(gw, 16), parts(gh, 16)), dim3(16, 16)>>>(image, best, which, gw, gh);
    keep("gaborBank", best, gw * gh);

    uchar4* colour = (uchar4*)picked<u8>(w * h * 4, 256);
    uchar4* painted = (uchar4*)cleared<u8>(w * h * 4);
    oilPaint<<<dim3(parts(512, 16), parts(300, 16)), dim3(16, 16)>>>(colour, painted, 512, 300, 3);
    keep("oilPaint", (u8*)painted, 512 * 300 * 4);

    float* unrolled = cleared<float>(1440 * 360);
    polarUnroll<<<dim3(parts(1440, 128), 360), 128>>>(image, w, h, unrolled, 1440, 360);
    keep("polarUnroll", unrolled, 1440 * 360);

    u8* grey = picked<u8>(2048 * 2048, 256);
    u32* hist = cleared<u32>(10);
    binaryPatterns<<<264, 256>>>(grey, 2048, 2048, hist);
    keep("binaryPatterns", hist, 10);

    std::vector<short2> edges(6000);
    uint32_t state = 77;
    for (short2& e : edges) {
        e.x = next_number(state) % 400;
        e.y = next_number(state) % 300;
    }
    u32* votes = cleared<u32>(400 * 300 * 8);
    circleVotes<<<dim3(parts(6000, 192), 8), 192>>>(uploaded(edges), 6000, 400, 300, 12, votes);
    keep("circleVotes", votes + 400 * 300 * 3, 400 * 300 * 4);

    u8* dilated = cleared<u8>(w * h);
    dilateDisc<3><<<dim3(parts(w, 128), parts(h, 4)), dim3(32, 4)>>>(grey, dilated, w, h);
    keep("dilateDisc<3>", dilated, w * h);
    u8* dilated7 = cleared<u8>(w * h);
    dilateDisc<7><<<dim3(parts(w, 128), parts(h, 4)), dim3(32, 4)>>>(grey, dilated7, w, h);
    keep("dilateDisc<7>", dilated7, w * h);

    double* moments = cleared<double>(10);
    imageMoments<<<128, 256>>>(image, w, h, moments);
    keep("imageMoments", moments, 10);

    const int cell = 24, cw = parts(w, cell), ch = parts(h, cell);
    std::vector<Centre> centres(cw * ch);
    for (int i = 0; i < cw * ch; ++i) {
        u32 r = mixBits(i);
        centres[i] = {(i % cw + 0.5f) * cell, (i / cw + 0.5f) * cell, (r & 255) / 255.f, (r >> 8 & 255) / 255.f,
                      (r >> 16 & 255) / 255.f};
    }
    float4* lab = (float4*)drawn(w * h * 4);
    int* label = cleared<int>(w * h);
    superpixelAssign<<<g, b>>>(lab, uploaded(centres), w, h, cell, 0.002f, label);
    keep("superpixelAssign", label, w * h);

    std::vector<u8> sparse(w * h);
    for (int i = 0; i < w * h; ++i) sparse[i] = mixBits(i * 3 + 1) % 97 == 0;
    int* dist = cleared<int>(w * h);
    rowDistances<<<parts(h, 64), 64>>>(uploaded(sparse), dist, w, h);
    keep("rowDistances", dist, w * h);
}

// ============================================================ signals

// 512 complex points a block: bit-reversed load, then nine passes in shared memory
__global__ void bitReversedFft(const float2* __restrict__ in, float2* __restrict__ out) {
    __shared__ float2 data[512];
    const float2* mine = in + blockIdx.x * 512;
    for (int i = threadIdx.x; i < 512; i += blockDim.x) data[__brev(i) >> 23] = mine[i];
    __syncthreads();
    for (int half = 1; half < 512; half *= 2) {
        int t = threadIdx.x;
        int k = t & (half - 1);
        int top = 2 * (t - k) + k;
        float s, c;
        sincospif(-(float)k / half, &s, &c);
        float2 a = data[top], v = data[top + half];
        float2 turned = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
        data[top] = make_float2(a.x + turned.x, a.y + turned.y);
        data[top + half] = make_float2(a.x - turned.x, a.y - turned.y);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 512; i += blockDim.x) out[blockIdx.x * 512 + i] = data[i];
}

// Power spectrum of Hann-windowed frames by the definition; one frame a block
__global__ void spectrogramFrames(const float* __restrict__ audio, int hop, float* __restrict__ power) {
    __shared__ float frame[256];
    __shared__ float2 wheel[256];
    int t = threadIdx.x;
    frame[t] = audio[blockIdx.x * hop + t] * (0.5f - 0.5f * cospif(t / 128.0f));
    float s, c;
    sincospif(t / 128.0f, &s, &c);
    wheel[t] = make_float2(c, s);
    __syncthreads();
    if (t > 128) return;
    float re = 0, im = 0;
    for (int i = 0, at = 0; i < 256; ++i, at = (at + t) & 255) {
        re += frame[i] * wheel[at].x;
        im -= frame[i] * wheel[at].y;
    }
    power[blockIdx.x * 129 + t] = re * re + im * im;
}

// One level of the Daubechies-4 transform, periodic
template <class T>
__global__ void daubechies4(const T* __restrict__ in, T* __restrict__ smooth, T* __restrict__ detail, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const T h0 = T(0.48296291314453416), h1 = T(0.83651630373780794), h2 = T(0.22414386804201339),
            h3 = T(-0.12940952255126037);
    T a = in[2 * i], b = in[2 * i + 1], c = in[(2 * i + 2) % n], d = in[(2 * i + 3) % n];
    smooth[i] = h0 * a + h1 * b + h2 * c + h3 * d;
    detail[i] = h3 * a - h2 * b + h1 * c - h0 * d;
}

// Constant-velocity Kalman filter in the plane, one target a thread, covariance kept as 10 values of 4 x 4
__global__ void kalmanTracks(const float2* __restrict__ seen, int tracks, int steps, double* __restrict__ state) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= tracks) return;
    double x[4] = {seen[id].x, seen[id].y, 0, 0};
    double P[4][4] = {};
    for (int i = 0; i < 4; ++i) P[i][i] = i < 2 ? 1 : 10;
    const double dt = 0.1, q = 0.02, r = 0.3;
    for (int s = 1; s < steps; ++s) {
        x[0] += dt * x[2];
        x[1] += dt * x[3];
        for (int j = 0; j < 4; ++j) {
            P[0][j] += dt * P[2][j];
            P[1][j] += dt * P[3][j];
        }
        for (int i = 0; i < 4; ++i) {
            P[i][0] += dt * P[i][2];
            P[i][1] += dt * P[i][3];
            P[i][i] += q;
        }
        float2 z = seen[s * tracks + id];
        double s00 = P[0][0] + r, s11 = P[1][1] + r, s01 = P[0][1];
        double inv = 1 / (s00 * s11 - s01 * s01);
        double y0 = z.x - x[0], y1 = z.y - x[1];
        double K[4][2];
        for (int i = 0; i < 4; ++i) {
            K[i][0] = (P[i][0] * s11 - P[i][1] * s01) * inv;
            K[i][1] = (P[i][1] * s00 - P[i][0] * s01) * inv;
            x[i] += K[i][0] * y0 + K[i][1] * y1;
        }
        double first[4], second[4];
        for (int j = 0; j < 4; ++j) {
            first[j] = P[0][j];
            second[j] = P[1][j];
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) P[i][j] -= K[i][0] * first[j] + K[i][1] * second[j];
    }
    double* out = state + 4 * id;
    for (int i = 0; i < 4; ++i) out[i] = x[i];
}

// mu-law both ways: encode 16-bit sound, keep codes and the error's squares
__global__ void muLaw(const short* __restrict__ sound, u8* __restrict__ codes, u64* __restrict__ errors, int n) {
    u64 mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int v = sound[i];
        int sign = v < 0 ? 0x80 : 0;
        int mag = min(abs(v), 32635) + 132;
        int exponent = 24 - __clz(mag);  // mag has 8 to 15 bits
        int mantissa = mag >> (exponent + 3) & 15;
        u8 code = ~(sign | exponent << 4 | mantissa);
        codes[i] = code;
        u8 back = ~code;
        int e = back >> 4 & 7;
        int restored = ((((back & 15) << 3) + 132) << e) - 132;
        int diff = (sign ? -restored : restored) - v;
        mine += (u64)((long long)diff * diff);
    }
    for (int d = 16; d; d >>= 1) mine += __shfl_down_sync(~0u, mine, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(errors, mine);
}

// Windowed-sinc conversion of sampling rates, 32 taps computed on the fly
__global__ void sincResample(const float* __restrict__ in, int n, float* __restrict__ out, int m, float ratio) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    float at = i * ratio;
    int centre = (int)at;
    float acc = 0, norm = 0;
    for (int k = centre - 15; k <= centre + 16; ++k) {
        float d = at - k;
        float weight = fabsf(d) < 1e-5f ? 1.0f : sinpif(d) / (3.14159265f * d);
        weight *= 0.54f + 0.46f * cospif(d / 16.5f);
        norm += weight;
        if (k >= 0 && k < n) acc += weight * in[k];
    }
    out[i] = acc / norm;
}

// Polar code's transform on 1024 bits held by a warp, 32 bits a lane
__global__ void polarEncode(const u32* __restrict__ frames, u32* __restrict__ coded, int count) {
    int frame = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (frame >= count) return;
    u32 v = frames[frame * 32 + lane];
    v ^= (v >> 1) & 0x55555555u;
    v ^= (v >> 2) & 0x33333333u;
    v ^= (v >> 4) & 0x0f0f0f0fu;
    v ^= (v >> 8) & 0x00ff00ffu;
    v ^= v >> 16;
    for (int d = 1; d < 32; d *= 2) {
        u32 other = __shfl_xor_sync(~0u, v, d);
        if (!(lane & d)) v ^= other;
    }
    coded[frame * 32 + lane] = v;
}

// Products of a signal with itself shifted: one lag a block
__global__ void lagProducts(const float* __restrict__ signal, int n, float* __restrict__ lags) {
    __shared__ float warps[8];
    int lag = blockIdx.x;
    float acc = 0;
    for (int i = threadIdx.x; i + lag < n; i += blockDim.x) acc = fmaf(signal[i], signal[i + lag], acc);
    for (int d = 16; d; d >>= 1) acc += __shfl_down_sync(~0u, acc, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; ++i) acc += warps[i];
        lags[lag] = acc;
    }
}

static void runSignals() {
    float2* wave = (float2*)drawn(512 * 600 * 2, -1, 1);
    float2* spectrum = cleared<float2>(512 * 600);
    bitReversedFft<<<600, 256>>>(wave, spectrum);
    keep("bitReversedFft", spectrum, 512 * 600);

    float* audio = drawn(400000, -1, 1);
    float* power = cleared<float>(900 * 129);
    spectrogramFrames<<<900, 256>>>(audio, 128, power);
    keep("spectrogramFrames", power, 900 * 129);

    const int n = 1 << 22;
    float* longWave = drawn(n, -1, 1);
    float* smooth = cleared<float>(n / 2);
    float* detail = cleared<float>(n / 2);
    daubechies4<float><<<parts(n / 2, 256), 256>>>(longWave, smooth, detail, n);
    keep("daubechies4<float>", detail, n / 2);
    double* doubleWave = drawn<double>(1 << 18, -1, 1);
    double* doubleSmooth = cleared<double>(1 << 17);
    double* doubleDetail = cleared<double>(1 << 17);
    daubechies4<double><<<parts(1 << 17, 128), 128>>>(doubleWave, doubleSmooth, doubleDetail, 1 << 18);
    keep("daubechies4<double>", doubleSmooth, 1 << 17);

    const int tracks = 5000, steps = 24;
    float2* seen = (float2*)drawn(tracks * steps * 2, -3, 3);
    double* state = cleared<double>(tracks * 4);
    kalmanTracks<<<parts(tracks, 64), 64>>>(seen, tracks, steps, state);
    keep("kalmanTracks", state, tracks * 4);

    const int samples = 3000000;
    std::vector<short> sound(samples);
    for (int i = 0; i < samples; ++i) sound[i] = (short)(mixBits(i) >> (16 + mixBits(i ^ 0x5555) % 9));
    u8* codes = cleared<u8>(samples);
    u64* errors = cleared<u64>(1);
    muLaw<<<1056, 256>>>(uploaded(sound), codes, errors, samples);
    keep("muLaw codes", codes, samples);
    keep("muLaw errors", errors, 1);

    float* slower = cleared<float>(150000);
    sincResample<<<parts(150000, 128), 128>>>(audio, 400000, slower, 150000, 2.6458f);
    keep("sincResample", slower, 150000);

    u32* frames = (u32*)picked<u32>(32 * 4096, 0xfffffffbu);
    u32* coded = cleared<u32>(32 * 4096);
    polarEncode<<<512, 256>>>(frames, coded, 4096);
    keep("polarEncode", coded, 32 * 4096);

    float* lags = cleared<float>(300);
    lagProducts<<<300, 256>>>(audio, 40000, lags);
    keep("lagProducts", lags, 300);
}

// ============================================================ learning

// Plain 3D convolution, one output voxel a thread, all channels in a loop
template <int K>
__global__ void conv3dDirect(const float* __restrict__ in, const float* __restrict__ weight,
                             const float* __restrict__ bias, float* __restrict__ out, int channels, int d, int h,
                             int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z % d, oc = blockIdx.z / d;
    if (x >= w || y >= h) return;
    float acc = bias[oc];
    for (int c = 0; c < channels; ++c)
        for (int k = 0; k < K; ++k) {
            int zz = z + k - K / 2;
            if (zz < 0 || zz >= d) continue;
            for (int j = 0; j < K; ++j) {
                int yy = y + j - K / 2;
                if (yy < 0 || yy >= h) continue;
#pragma unroll
                for (int i = 0; i < K; ++i) {
                    int xx = x + i - K / 2;
                    if (xx >= 0 && xx < w)
                        acc += in[((c * d + zz) * h + yy) * w + xx] *
                               weight[(((oc * channels + c) * K + k) * K + j) * K + i];
                }
            }
        }
    out[((oc * d + z) * h + y) * w + x] = fmaxf(acc, 0.1f * acc);
}

// Focal loss of many binary predictions and its gradient
__global__ void focalLoss(const float* __restrict__ logits, const u8* __restrict__ truth, float* __restrict__ grad,
                          double* __restrict__ total, int n, float alpha) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float loss = 0;
    if (i < n) {
        float z = truth[i] ? logits[i] : -logits[i];
        float a = truth[i] ? alpha : 1 - alpha;
        float p = 1 / (1 + __expf(-z));
        float logP = -log1pf(__expf(-z));
        float q = 1 - p;
        loss = -a * q * q * logP;
        float g = a * q * q * (2 * p * logP - q);
        grad[i] = truth[i] ? g : -g;
    }
    for (int d = 16; d; d >>= 1) loss += __shfl_down_sync(~0u, loss, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, (double)loss);
}

// Attention to the last `window` places only; one query a warp, two channels a lane, halves
__global__ void windowAttention(const __half2* __restrict__ q, const __half2* __restrict__ k,
                                const __half2* __restrict__ v, __half2* __restrict__ out, int length, int window,
                                float scale) {
    int query = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x & 31;
    if (query >= length) return;
    size_t base = (size_t)blockIdx.y * length * 32;
    float2 mine = __half22float2(q[base + query * 32 + lane]);
    float most = -1e30f, sum = 0;
    float2 acc = make_float2(0, 0);
    for (int p = max(0, query - window + 1); p <= query; ++p) {
        float2 key = __half22float2(k[base + p * 32 + lane]);
        float dot = mine.x * key.x + mine.y * key.y;
        for (int d = 16; d; d >>= 1) dot += __shfl_xor_sync(~0u, dot, d);
        dot *= scale;
        float newMost = fmaxf(most, dot);
        float shrink = __expf(most - newMost), e = __expf(dot - newMost);
        float2 val = __half22float2(v[base + p * 32 + lane]);
        acc.x = acc.x * shrink + e * val.x;
        acc.y = acc.y * shrink + e * val.y;
        sum = sum * shrink + e;
        most = newMost;
    }
    out[base + query * 32 + lane] = __floats2half2_rn(acc.x / sum, acc.y / sum);
}

// Softmax of scores with a penalty growing with distance; N values a thread in registers
template <int N>
__global__ void distanceSoftmax(const float* __restrict__ scores, float* __restrict__ out, int rows, float slope) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const float* in = scores + (size_t)row * N * 32;
    float v[N];
    float most = -1e30f;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        int col = i * 32 + threadIdx.x;
        v[i] = in[col] - slope * abs(row % (N * 32) - col);
        most = fmaxf(most, v[i]);
    }
    for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    float sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        v[i] = __expf(v[i] - most);
        sum += v[i];
    }
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    float inv = 1 / sum;
#pragma unroll
    for (int i = 0; i < N; ++i) out[(size_t)row * N * 32 + i * 32 + threadIdx.x] = v[i] * inv;
}

// Key/value rows of 128 to int8 with one scale a row
__global__ void cacheQuantise(const float4* __restrict__ rows, char4* __restrict__ codes,
                              float* __restrict__ scales, int count) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= count) return;
    float4 v = rows[row * 32 + warp.thread_rank()];
    float most = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    for (int d = 16; d; d >>= 1) most = fmaxf(most, warp.shfl_xor(most, d));
    float inv = most > 0 ? 127 / most : 0;
    codes[row * 32 + warp.thread_rank()] = make_char4(__float2int_rn(v.x * inv), __float2int_rn(v.y * inv),
                                                      __float2int_rn(v.z * inv), __float2int_rn(v.w * inv));
    if (warp.thread_rank() == 0) scales[row] = most / 127;
}

__device__ __forceinline__ float fromE4M3(u32 b) {
    u32 e = b >> 3 & 15, m = b & 7;
    float v = e ? __uint_as_float((e + 120) << 23 | m << 20) : m * (1.0f / 512);
    return b & 128 ? -v : v;
}

// Activations times weights kept as 8-bit floats; 32 x 32 tiles, each thread four rows
__global__ void smallFloatGemm(const float* __restrict__ a, const u8* __restrict__ b, float* __restrict__ c, int m,
                               int n, int k) {
    __shared__ float as[32][33];
    __shared__ float bs[32][33];
    int row0 = blockIdx.y * 32, col = blockIdx.x * 32 + threadIdx.x;
    float acc[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int j = threadIdx.y; j < 32; j += 8) {
            as[j][threadIdx.x] = a[(row0 + j) * k + k0 + threadIdx.x];
            bs[j][threadIdx.x] = fromE4M3(b[(k0 + j) * n + col]);
        }
        __syncthreads();
#pragma unroll 8
        for (int kk = 0; kk < 32; ++kk) {
            float bv = bs[kk][threadIdx.x];
            for (int j = 0; j < 4; ++j) acc[j] += as[threadIdx.y + 8 * j][kk] * bv;
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) c[(row0 + threadIdx.y + 8 * j) * n + col] = acc[j];
}

// Short causal convolution over time for each channel, with SiLU
__global__ void causalConv1d(const float* __restrict__ in, const float4* __restrict__ taps,
                             const float* __restrict__ bias, float* __restrict__ out, int channels, int length) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    int t0 = blockIdx.y * 64;
    float4 w = taps[c];
    float b = bias[c];
    float x0 = t0 >= 3 ? in[(t0 - 3) * channels + c] : 0;
    float x1 = t0 >= 2 ? in[(t0 - 2) * channels + c] : 0;
    float x2 = t0 >= 1 ? in[(t0 - 1) * channels + c] : 0;
    for (int t = t0; t < min(t0 + 64, length); ++t) {
        float x3 = in[t * channels + c];
        float v = b + w.x * x0 + w.y * x1 + w.z * x2 + w.w * x3;
        out[t * channels + c] = v / (1 + __expf(-v));
        x0 = x1;
        x1 = x2;
        x2 = x3;
    }
}

// Adagrad on the rows of an embedding table that a batch touched (each row once)
__global__ void adagradRows(float* __restrict__ table, float* __restrict__ history, const int* __restrict__ touched,
                            const float* __restrict__ grads, int width, float rate) {
    int row = touched[blockIdx.x];
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float g = grads[blockIdx.x * width + i];
        size_t at = (size_t)row * width + i;
        float hsum = history[at] + g * g;
        history[at] = hsum;
        table[at] -= rate * g * rsqrtf(hsum + 1e-8f);
    }
}

// Hidden units of a Boltzmann machine: chances and a sample, visible units as bits
__global__ void gibbsHidden(const u32* __restrict__ visible, const float* __restrict__ weights,
                            const float* __restrict__ bias, u8* __restrict__ hidden, int words, int units, u32 seed) {
    extern __shared__ u32 bits[];
    int sample = blockIdx.y;
    for (int i = threadIdx.x; i < words; i += blockDim.x) bits[i] = visible[sample * words + i];
    __syncthreads();
    int unit = blockIdx.x * blockDim.x + threadIdx.x;
    if (unit >= units) return;
    float acc = bias[unit];
    for (int w = 0; w < words; ++w)
        for (u32 rest = bits[w]; rest; rest &= rest - 1)
            acc += weights[(w * 32 + __ffs(rest) - 1) * units + unit];
    Rng rng(seed + sample * units + unit);
    hidden[sample * units + unit] = rng.uniform() < 1 / (1 + expf(-acc));
}

// Matern 5/2 covariance of points in eight dimensions
template <class T>
__global__ void maternMatrix(const T* __restrict__ points, T* __restrict__ cov, int n, T length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    T d2 = 0;
    for (int k = 0; k < 8; ++k) {
        T d = points[i * 8 + k] - points[j * 8 + k];
        d2 += d * d;
    }
    T r = sqrt(T(5) * d2) / length;
    T v = (1 + r + r * r / 3) * exp(-r);
    if (i == j) v += T(1e-6);
    cov[(size_t)j * n + i] = v;
}

// Gradient-boosting histograms: one feature a block column, 64 bins of (gradient, count) for 8 nodes in fixed point
__global__ void boostHistogram(const u8* __restrict__ bins, const u8* __restrict__ node,
                               const float* __restrict__ grad, long long* __restrict__ hist, int rows) {
    __shared__ int sums[8 * 64];
    __shared__ int counts[8 * 64];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) sums[i] = counts[i] = 0;
    __syncthreads();
    const u8* column = bins + (size_t)blockIdx.y * rows;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        int slot = node[i] * 64 + column[i];
        atomicAdd(&sums[slot], __float2int_rn(grad[i] * 65536));
        atomicAdd(&counts[slot], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
        u64* out = (u64*)hist + (blockIdx.y * 512 + i) * 2;
        atomicAdd(out, (u64)(long long)sums[i]);
        atomicAdd(out + 1, (u64)counts[i]);
    }
}

// y += B (A x): a rank-16 correction to a layer's output, one token a block
__global__ void lowRankUpdate(const float* __restrict__ x, const float* __restrict__ down,
                              const float* __restrict__ up, float* __restrict__ y, int width, float scale) {
    __shared__ float inner[16];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float* mine = x + blockIdx.x * width;
    for (int r = warp; r < 16; r += blockDim.x / 32) {
        float dot = 0;
        for (int i = lane; i < width; i += 32) dot += mine[i] * down[r * width + i];
        for (int d = 16; d; d >>= 1) dot += __shfl_down_sync(~0u, dot, d);
        if (lane == 0) inner[r] = dot * scale;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float acc = 0;
        for (int r = 0; r < 16; ++r) acc += inner[r] * up[i * 16 + r];
        y[blockIdx.x * width + i] += acc;
    }
}

static __half* halves(int count) {
    uint32_t state = 4711u + count;
    std::vector<__half> values(count);
    for (__half& v : values) v = __float2half((next_number(state) >> 8) % 4096 / 2048.0f - 1);
    return uploaded(values);
}

static void runLearning() {
    float* voxels = drawn(8 * 16 * 48 * 48, -1, 1);
    float* weights = drawn(16 * 8 * 125, -0.2, 0.2);
    float* bias = drawn(4096, -0.1, 0.1);
    float* conved = cleared<float>(12 * 16 * 48 * 48);
    conv3dDirect<3><<<dim3(2, 6, 16 * 12), dim3(32, 8)>>>(voxels, weights, bias, conved, 8, 16, 48, 48);
    keep("conv3dDirect<3>", conved, 12 * 16 * 48 * 48);
    float* conved5 = cleared<float>(4 * 16 * 48 * 48);
    conv3dDirect<5><<<dim3(3, 12, 16 * 4), dim3(16, 4)>>>(voxels, weights, bias, conved5, 8, 16, 48, 48);
    keep("conv3dDirect<5>", conved5, 4 * 16 * 48 * 48);

    const int n = 2000003;
    float* logits = drawn(n, -4, 4);
    u8* truth = picked<u8>(n, 2);
    float* grad = cleared<float>(n);
    double* loss = cleared<double>(1);
    focalLoss<<<parts(n, 256), 256>>>(logits, truth, grad, loss, n, 0.25f);
    keep("focalLoss gradient", grad, n);
    keep("focalLoss", loss, 1);

    const int length = 1024, heads = 4;
    __half* q = halves(heads * length * 64);
    __half* k = halves(heads * length * 64 + 64);
    __half* v = halves(heads * length * 64 + 128);
    __half* attended = cleared<__half>(heads * length * 64);
    windowAttention<<<dim3(length / 4, heads), 128>>>((__half2*)q, (__half2*)k, (__half2*)v, (__half2*)attended,
                                                      length, 96, 0.125f);
    keep("windowAttention", attended, heads * length * 64);

    float* scores = drawn(4000 * 1024, -3, 3);
    float* soft = cleared<float>(4000 * 1024);
    distanceSoftmax<32><<<parts(4000, 4), dim3(32, 4)>>>(scores, soft, 4000, 0.01f);
    keep("distanceSoftmax<32>", soft + 1000, 3000 * 1024 - 1000);
    float* soft4 = cleared<float>(30001 * 128);
    distanceSoftmax<4><<<parts(30001, 8), dim3(32, 8)>>>(scores, soft4, 30001, 0.05f);
    keep("distanceSoftmax<4>", soft4, 30001 * 128);

    char4* codes = (char4*)cleared<signed char>(32000 * 128);
    float* scales = cleared<float>(32000);
    cacheQuantise<<<parts(32000, 8), 256>>>((float4*)scores, codes, scales, 32000);
    keep("cacheQuantise codes", (signed char*)codes, 32000 * 128);
    keep("cacheQuantise scales", scales, 32000);

    float* acts = drawn(256 * 512, -1, 1);
    std::vector<u8> small(512 * 512);
    for (int i = 0; i < 512 * 512; ++i) {
        u32 r = mixBits(i + 99);
        small[i] = (r & 128) | (r >> 8) % 72;
    }
    float* product = cleared<float>(256 * 512);
    smallFloatGemm<<<dim3(512 / 32, 256 / 32), dim3(32, 8)>>>(acts, uploaded(small), product, 256, 512, 512);
    keep("smallFloatGemm", product, 256 * 512);

    float* convOut = cleared<float>(1536 * 2000);
    causalConv1d<<<dim3(1536 / 128, parts(2000, 64)), 128>>>(scores, (float4*)drawn(1536 * 4, -0.5, 0.5), bias,
                                                             convOut, 1536, 2000);
    keep("causalConv1d", convOut, 1536 * 2000);

    const int width = 128, touchedRows = 3000, tableRows = 50021;
    float* table = drawn(tableRows * width, -1, 1);
    float* history = cleared<float>(tableRows * width);
    std::vector<int> touched(touchedRows);
    for (int i = 0; i < touchedRows; ++i) touched[i] = (int)((long long)i * 7919 % tableRows);
    adagradRows<<<touchedRows, 64>>>(table, history, uploaded(touched), scores, width, 0.05f);
    keep("adagradRows", table, tableRows * width);

    u32* visible = picked<u32>(64 * 25, 0xfffffffbu);
    u8* hidden = cleared<u8>(64 * 500);
    gibbsHidden<<<dim3(parts(500, 128), 64), 128, 25 * 4>>>(visible, drawn(800 * 500, -0.1, 0.1), bias, hidden, 25,
                                                           500, 31337);
    keep("gibbsHidden", hidden, 64 * 500);

    double* covD = cleared<double>(700 * 700);
    maternMatrix<double><<<dim3(parts(700, 16), parts(700, 16)), dim3(16, 16)>>>(drawn<double>(700 * 8), covD, 700, 0.6);
    keep("maternMatrix<double>", covD, 700 * 700);
    float* covF = cleared<float>(2000 * 2000);
    maternMatrix<float><<<dim3(parts(2000, 32), parts(2000, 8)), dim3(32, 8)>>>(drawn(2000 * 8), covF, 2000, 0.6f);
    keep("maternMatrix<float>", covF, 2000 * 2000);

    const int rows = 200000, features = 12;
    long long* boosted = cleared<long long>(features * 512 * 2);
    boostHistogram<<<dim3(24, features), 256>>>(picked<u8>(rows * features, 64), picked<u8>(rows, 8), logits, boosted,
                                                rows);
    keep("boostHistogram", boosted, features * 512 * 2);

    float* y = drawn(512 * 1024, -1, 1);
    lowRankUpdate<<<512, 128>>>(scores, drawn(16 * 1024, -0.1, 0.1), drawn(16 * 1024 + 1, -0.1, 0.1), y, 1024, 2.0f);
    keep("lowRankUpdate", y, 512 * 1024);
}

// ============================================================ matrices

// exp of small matrices: Taylor with scaling and squaring, 4 x 4 a thread
template <class T>
__global__ void smallExponentials(const T* __restrict__ in, T* __restrict__ out, int count, int terms) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    T a[16], sum[16], term[16], next[16];
    T norm = 0;
    for (int i = 0; i < 16; ++i) {
        a[i] = in[i * count + id];
        norm = max(norm, T(fabs(a[i])));
    }
    int halvings = 0;
    while (norm > T(0.25)) {
        norm /= 2;
        halvings++;
    }
    T shrink = T(1) / (1 << halvings);
    for (int i = 0; i < 16; ++i) {
        a[i] *= shrink;
        term[i] = sum[i] = i % 5 == 0;
    }
    for (int t = 1; t <= terms; ++t) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                T acc = 0;
                for (int k = 0; k < 4; ++k) acc += term[i * 4 + k] * a[k * 4 + j];
                next[i * 4 + j] = acc / t;
            }
        for (int i = 0; i < 16; ++i) {
            term[i] = next[i];
            sum[i] += term[i];
        }
    }
    for (int s = 0; s < halvings; ++s) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                T acc = 0;
                for (int k = 0; k < 4; ++k) acc += sum[i * 4 + k] * sum[k * 4 + j];
                next[i * 4 + j] = acc;
            }
        for (int i = 0; i < 16; ++i) sum[i] = next[i];
    }
    for (int i = 0; i < 16; ++i) out[i * count + id] = sum[i];
}

// One eigenvalue of a symmetric tridiagonal matrix a thread, by counting signs and halving
__global__ void sturmBisection(const double* __restrict__ diag, const double* __restrict__ off, int n,
                               double* __restrict__ values) {
    extern __shared__ double held[];
    double* d = held;
    double* e2 = held + n;
    const double* myDiag = diag + blockIdx.x * n;
    const double* myOff = off + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        d[i] = myDiag[i];
        e2[i] = myOff[i] * myOff[i];
    }
    __syncthreads();
    double low = 1e30, high = -1e30;
    for (int i = 0; i < n; ++i) {
        double reach = (i ? sqrt(e2[i - 1]) : 0) + (i < n - 1 ? sqrt(e2[i]) : 0);
        low = fmin(low, d[i] - reach);
        high = fmax(high, d[i] + reach);
    }
    int wanted = threadIdx.x;
    if (wanted >= n) return;
    for (int it = 0; it < 30; ++it) {
        double mid = 0.5 * (low + high);
        int below = 0;
        double q = 1;
        for (int i = 0; i < n; ++i) {
            q = d[i] - mid - (i ? e2[i - 1] / q : 0);
            if (fabs(q) < 1e-18) q = -1e-18;
            below += q < 0;
        }
        if (below > wanted)
            high = mid;
        else
            low = mid;
    }
    values[blockIdx.x * n + wanted] = 0.5 * (low + high);
}

// Complex product, 16 x 16 tiles
__global__ void complexGemm(const float2* __restrict__ a, const float2* __restrict__ b, float2* __restrict__ c,
                            int n) {
    __shared__ float2 as[16][16];
    __shared__ float2 bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float2 acc = make_float2(0, 0);
    for (int t = 0; t < n; t += 16) {
        as[ty][tx] = row < n && t + tx < n ? a[row * n + t + tx] : make_float2(0, 0);
        bs[ty][tx] = col < n && t + ty < n ? b[(t + ty) * n + col] : make_float2(0, 0);
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float2 x = as[ty][k], y = bs[k][tx];
            acc.x += x.x * y.x - x.y * y.y;
            acc.y += x.x * y.y + x.y * y.x;
        }
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = acc;
}

// (A kron B) x with A of 32 x 32 and B of 32 x 32, one vector a block: X -> B X A^T
__global__ void kroneckerApply(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ x,
                               float* __restrict__ y) {
    __shared__ float sa[32][33], sb[32][33], sx[32][33], mid[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int j = ty; j < 32; j += 8) {
        sa[j][tx] = a[j * 32 + tx];
        sb[j][tx] = b[j * 32 + tx];
        sx[j][tx] = x[blockIdx.x * 1024 + j * 32 + tx];
    }
    __syncthreads();
    for (int j = ty; j < 32; j += 8) {
        float acc = 0;
        for (int k = 0; k < 32; ++k) acc += sb[j][k] * sx[k][tx];
        mid[j][tx] = acc;
    }
    __syncthreads();
    for (int j = ty; j < 32; j += 8) {
        float acc = 0;
        for (int k = 0; k < 32; ++k) acc += mid[j][k] * sa[tx][k];
        y[blockIdx.x * 1024 + j * 32 + tx] = acc;
    }
}

// Jagged diagonals: rows sorted by length, the k-th values of all long enough rows side by side
template <class T>
__global__ void jaggedSpmv(const int* __restrict__ starts, int diagonals, const int* __restrict__ cols,
                           const T* __restrict__ vals, const int* __restrict__ perm, const T* __restrict__ x,
                           T* __restrict__ y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    T acc = 0;
    for (int k = 0; k < diagonals; ++k) {
        int begin = starts[k];
        if (r >= starts[k + 1] - begin) break;
        acc += vals[begin + r] * x[cols[begin + r]];
    }
    y[perm[r]] = acc;
}

// Singular values of 3 x 3 matrices with one-sided Jacobi
__global__ void singularValues3(const float* __restrict__ in, float* __restrict__ out, int count) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    float m[3][3];
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = in[id * 9 + i];
    for (int sweep = 0; sweep < 6; ++sweep) {
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                float alpha = 0, beta = 0, gamma = 0;
                for (int i = 0; i < 3; ++i) {
                    alpha += m[i][p] * m[i][p];
                    beta += m[i][q] * m[i][q];
                    gamma += m[i][p] * m[i][q];
                }
                if (fabsf(gamma) < 1e-7f * sqrtf(alpha * beta)) continue;
                float zeta = (beta - alpha) / (2 * gamma);
                float t = copysignf(1.0f, zeta) / (fabsf(zeta) + sqrtf(1 + zeta * zeta));
                float c = rsqrtf(1 + t * t), s = c * t;
                for (int i = 0; i < 3; ++i) {
                    float u = m[i][p], v = m[i][q];
                    m[i][p] = c * u - s * v;
                    m[i][q] = s * u + c * v;
                }
            }
    }
    for (int j = 0; j < 3; ++j)
        out[id * 3 + j] = sqrtf(m[0][j] * m[0][j] + m[1][j] * m[1][j] + m[2][j] * m[2][j]);
}

// x += alpha p, r -= alpha q and the new |r|^2 in one pass
__global__ void fusedResidual(double* __restrict__ x, double* __restrict__ r, const double* __restrict__ p,
                              const double* __restrict__ q, double alpha, double* __restrict__ norm, int n) {
    __shared__ double warps[8];
    double acc = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        x[i] += alpha * p[i];
        double v = r[i] - alpha * q[i];
        r[i] = v;
        acc += v * v;
    }
    for (int d = 16; d; d >>= 1) acc += __shfl_down_sync(~0u, acc, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x < 8) {
        acc = warps[threadIdx.x];
        for (int d = 4; d; d >>= 1) acc += __shfl_down_sync(0xffu, acc, d);
        if (threadIdx.x == 0) atomicAdd(norm, acc);
    }
}

// Toeplitz matrix times vector, the matrix given by its first row and column
__global__ void toeplitzProduct(const float* __restrict__ bands, const float* __restrict__ x, float* __restrict__ y,
                                int n) {
    __shared__ float xs[256];
    __shared__ float ts[512];
    int i = blockIdx.x * 256 + threadIdx.x;
    float acc = 0;
    for (int j0 = 0; j0 < n; j0 += 256) {
        // needs bands[n - 1 + i - j] for i, j of this pair of tiles
        int lowest = n - 1 + (int)blockIdx.x * 256 - j0 - 255;
        xs[threadIdx.x] = j0 + threadIdx.x < n ? x[j0 + threadIdx.x] : 0;
        for (int k = threadIdx.x; k < 511; k += 256) {
            int at = lowest + k;
            ts[k] = at >= 0 && at < 2 * n - 1 ? bands[at] : 0;
        }
        __syncthreads();
        for (int j = 0; j < 256; ++j) acc += ts[threadIdx.x + 255 - j] * xs[j];
        __syncthreads();
    }
    if (i < n) y[i] = acc;
}

static void runMatrices() {
    const int count = 20000;
    double* exps = cleared<double>(16 * count);
    smallExponentials<double><<<parts(count, 128), 128>>>(drawn<double>(16 * count, -1, 1), exps, count, 10);
    keep("smallExponentials<double>", exps, 16 * count);
    float* expf32 = cleared<float>(16 * count * 3);
    smallExponentials<float><<<parts(count * 3, 128), 128>>>(drawn(16 * count * 3, -1, 1), expf32, count * 3, 7);
    keep("smallExponentials<float>", expf32, 16 * count * 3);

    const int order = 160;
    double* eigen = cleared<double>(order * 100);
    sturmBisection<<<100, 160, order * 16>>>(drawn<double>(order * 100, -2, 2), drawn<double>(order * 100, 0.1, 1),
                                             order, eigen);
    keep("sturmBisection", eigen, order * 100);

    const int cn = 330;
    float2* ca = (float2*)drawn(cn * cn * 2, -1, 1);
    float2* cb = (float2*)drawn(cn * cn * 2 + 2, -1, 1);
    float2* cc = cleared<float2>(cn * cn);
    complexGemm<<<dim3(parts(cn, 16), parts(cn, 16)), dim3(16, 16)>>>(ca, cb, cc, cn);
    keep("complexGemm", cc, cn * cn);

    float* vectors = drawn(1024 * 700, -1, 1);
    float* turned = cleared<float>(1024 * 700);
    kroneckerApply<<<700, dim3(32, 8)>>>(drawn(1024, -1, 1), drawn(1025, -1, 1), vectors, turned);
    keep("kroneckerApply", turned, 1024 * 700);

    const int rows = 60000;
    std::vector<int> lengths(rows), perm(rows), starts;
    for (int i = 0; i < rows; ++i) lengths[i] = 60 - (int)(60 * sqrt(i / (double)rows));
    for (int i = 0; i < rows; ++i) perm[i] = (int)((long long)i * 7 % rows);  // 7 and 60000 share no factor
    int stored = 0;
    for (int k = 0; k < 60; ++k) {
        starts.push_back(stored);
        for (int i = 0; i < rows && lengths[i] > k; ++i) stored++;
    }
    starts.push_back(stored);
    std::vector<int> cols(stored);
    for (int i = 0; i < stored; ++i) cols[i] = mixBits(i) % rows;
    int* dStarts = uploaded(starts);
    int* dCols = uploaded(cols);
    int* dPerm = uploaded(perm);
    float* yf = cleared<float>(rows);
    jaggedSpmv<float><<<parts(rows, 128), 128>>>(dStarts, 60, dCols, drawn(stored, -1, 1), dPerm, vectors, yf, rows);
    keep("jaggedSpmv<float>", yf, rows);
    double* yd = cleared<double>(rows);
    jaggedSpmv<double><<<parts(rows, 256), 256>>>(dStarts, 60, dCols, drawn<double>(stored, -1, 1), dPerm,
                                                  drawn<double>(rows), yd, rows);
    keep("jaggedSpmv<double>", yd, rows);

    float* singular = cleared<float>(3 * 100000);
    singularValues3<<<parts(100000, 192), 192>>>(drawn(900000, -1, 1), singular, 100000);
    keep("singularValues3", singular, 300000);

    const int n = 2000000;
    double* x = drawn<double>(n);
    double* r = drawn<double>(n, -1, 1);
    double* p = drawn<double>(n, 0, 2);
    double* q = drawn<double>(n, -2, 2);
    double* norm = cleared<double>(1);
    fusedResidual<<<1320, 256>>>(x, r, p, q, 0.37, norm, n);
    keep("fusedResidual x", x, n);
    keep("fusedResidual norm", norm, 1);

    float* toeplitz = cleared<float>(10000);
    toeplitzProduct<<<parts(10000, 256), 256>>>(drawn(19999, -1, 1), vectors, toeplitz, 10000);
    keep("toeplitzProduct", toeplitz, 10000);
}

// ============================================================ tables, sorting, search

// Batcher's odd-even merge sort of 1024 keys with values in shared memory
__global__ void batcherSort(u64* __restrict__ keys) {
    __shared__ u64 s[1024];
    u64* mine = keys + blockIdx.x * 1024;
    int t = threadIdx.x;
    s[t] = mine[t];
    s[t + 512] = mine[t + 512];
    for (int p = 1; p < 1024; p *= 2)
        for (int k = p; k > 0; k /= 2) {
            __syncthreads();
            // pairs (i, i + k) with i from k % p on, both in one 2p run
            int i = k % p + t / k * 2 * k + t % k;
            if (i + k < 1024 && i / (2 * p) == (i + k) / (2 * p) && s[i] > s[i + k]) {
                u64 x = s[i];
                s[i] = s[i + k];
                s[i + k] = x;
            }
        }
    __syncthreads();
    mine[t] = s[t];
    mine[t + 512] = s[t + 512];
}

// Rows of 8-bit keys sorted by counting, one row a warp
__global__ void countingRows(const u8* __restrict__ in, u8* __restrict__ out, int rows, int width) {
    __shared__ u16 count[4][256];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * 4 + warp;
    if (row >= rows) return;
    u16* mine = count[warp];
    for (int i = lane; i < 256; i += 32) mine[i] = 0;
    __syncwarp();
    for (int first = 0; first < width; first += 32) {
        int i = first + lane;
        int key = i < width ? in[row * width + i] : 256;
        u32 same = __match_any_sync(~0u, key);
        if (i < width && lane == __ffs(same) - 1) mine[key] += __popc(same);
        __syncwarp();
    }
    int base = 0;
    for (int i = 0; i < 256; i += 32) {
        int c = mine[i + lane];
        int run = c;
        for (int d = 1; d < 32; d *= 2) {
            int up = __shfl_up_sync(~0u, run, d);
            if (lane >= d) run += up;
        }
        int at = base + run - c;
        for (int k = 0; k < c; ++k) out[row * width + at + k] = i + lane;
        base += __shfl_sync(~0u, run, 31);
    }
}

// Distinct values of a sorted column: places by block counts and one atomic a block
__global__ void uniqueValues(const u32* __restrict__ sorted, int n, u32* __restrict__ out, int* __restrict__ found) {
    __shared__ int warpCount[8];
    __shared__ int base;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool first = i < n && (i == 0 || sorted[i] != sorted[i - 1]);
    u32 votes = __ballot_sync(~0u, first);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) warpCount[warp] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) {
            int c = warpCount[w];
            warpCount[w] = sum;
            sum += c;
        }
        base = atomicAdd(found, sum);
    }
    __syncthreads();
    if (first) out[base + warpCount[warp] + __popc(votes & ((1u << lane) - 1))] = sorted[i];
}

// Moving sum and largest value of the last 20 rows of each partition
__global__ void windowAggregates(const int* __restrict__ partition, const float* __restrict__ value, int n,
                                 float* __restrict__ mean, float* __restrict__ most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int own = partition[i];
    float sum = 0, top = -1e30f;
    int rows = 0;
    for (int j = i; j >= 0 && j > i - 20; --j) {
        if (partition[j] != own) break;
        float v = value[j];
        sum += v;
        top = fmaxf(top, v);
        rows++;
    }
    mean[i] = sum / rows;
    most[i] = top;
}

// How many values two sorted lists share: the short one's looked up in the long one, one pair a block
__global__ void sharedPostings(const int* __restrict__ postings, const int* __restrict__ offsets,
                               const int2* __restrict__ pairs, int* __restrict__ shared) {
    int2 pair = pairs[blockIdx.x];
    int aBegin = offsets[pair.x], aEnd = offsets[pair.x + 1];
    int bBegin = offsets[pair.y], bEnd = offsets[pair.y + 1];
    if (aEnd - aBegin > bEnd - bBegin) {
        int t = aBegin;
        aBegin = bBegin;
        bBegin = t;
        t = aEnd;
        aEnd = bEnd;
        bEnd = t;
    }
    int found = 0;
    for (int i = aBegin + threadIdx.x; i < aEnd; i += blockDim.x) {
        int key = postings[i];
        int low = bBegin, high = bEnd;
        while (low < high) {
            int mid = (low + high) / 2;
            if (postings[mid] < key)
                low = mid + 1;
            else
                high = mid;
        }
        if (low < bEnd && postings[low] == key) found++;
    }
    int all = __syncthreads_count(found > 0);
    if (found) atomicAdd(&shared[blockIdx.x], found);
    if (threadIdx.x == 0) atomicAdd(&shared[blockIdx.x], all << 16);
}

// Count-min sketch of 64-bit keys, four rows of counters
__global__ void countMinSketch(const u64* __restrict__ keys, int n, u32* __restrict__ counters, int mask) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        u64 h = keys[i];
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdull;
        h ^= h >> 33;
        u32 a = (u32)h, b = (u32)(h >> 32) | 1;
        for (int r = 0; r < 4; ++r) atomicAdd(&counters[r * (mask + 1) + ((a + r * b) & mask)], 1u);
    }
}

// Queries (A and B and not C) or D over bitmap columns
__global__ void bitmapQueries(const uint4* __restrict__ bitmaps, int words, const int4* __restrict__ queries,
                              u32* __restrict__ hits) {
    int4 q = queries[blockIdx.y];
    u32 count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        uint4 a = bitmaps[q.x * words + i], b = bitmaps[q.y * words + i], c = bitmaps[q.z * words + i],
              d = bitmaps[q.w * words + i];
        count += __popc((a.x & b.x & ~c.x) | d.x) + __popc((a.y & b.y & ~c.y) | d.y) +
                 __popc((a.z & b.z & ~c.z) | d.z) + __popc((a.w & b.w & ~c.w) | d.w);
    }
    count = __reduce_add_sync(~0u, count);
    if (threadIdx.x % 32 == 0) atomicAdd(&hits[blockIdx.y], count);
}

// Lookups in a packed B+ tree of 16 keys a node; half a warp a query
__global__ void bPlusSearch(const int* __restrict__ nodes, int levels, const int* __restrict__ queries,
                            int* __restrict__ places, int n) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int id = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    if (id >= n) return;
    int key = queries[id];
    int node = 0, levelStart = 0, levelNodes = 1;
    for (int l = 0; l < levels; ++l) {
        int mine = nodes[(levelStart + node) * 16 + tile.thread_rank()];
        int smaller = __popc(tile.ballot(mine <= key));
        node = node * 16 + max(smaller - 1, 0);
        levelStart += levelNodes;
        levelNodes *= 16;
    }
    if (tile.thread_rank() == 0) places[id] = node;
}

// Range minimum over a sparse table, and the sum of a range from a Fenwick tree
__global__ void rangeQueries(const int* __restrict__ table, const long long* __restrict__ fenwick, int n,
                             const int2* __restrict__ ranges, long long* __restrict__ answers, int queries) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= queries) return;
    int2 r = ranges[id];
    int level = 31 - __clz(r.y - r.x);
    int least = min(table[level * n + r.x], table[level * n + r.y - (1 << level)]);
    long long sum = 0;
    for (int i = r.y; i > 0; i &= i - 1) sum += fenwick[i];
    for (int i = r.x; i > 0; i &= i - 1) sum -= fenwick[i];
    answers[id] = sum * 3 + least;
}

// One step of doubling ranks along linked lists
__global__ void listRanking(const int* __restrict__ nextIn, const int* __restrict__ rankIn, int* __restrict__ nextOut,
                            int* __restrict__ rankOut, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int next = nextIn[i];
    rankOut[i] = rankIn[i] + (next == i ? 0 : rankIn[next]);
    nextOut[i] = nextIn[next];
}

static void runTables() {
    const int sorts = 300;
    std::vector<u64> keys(sorts * 1024);
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = (u64)mixBits(i) << 20 | (i & 1023);
    u64* dKeys = uploaded(keys);
    batcherSort<<<sorts, 512>>>(dKeys);
    keep("batcherSort", dKeys + 512, 256);

    const int rows = 2000, width = 500;
    u8* sortedRows = cleared<u8>(rows * width);
    countingRows<<<rows / 4, 128>>>(picked<u8>(rows * width, 200), sortedRows, rows, width);
    keep("countingRows", sortedRows + 250, rows * width - 250);

    const int n = 3000000;
    std::vector<u32> column(n);
    u32 at = 5;
    for (int i = 0; i < n; ++i) {
        at += mixBits(i) % 5 < 2;
        column[i] = at;
    }
    u32* distinct = cleared<u32>(n);
    int* found = cleared<int>(1);
    uniqueValues<<<parts(n, 256), 256>>>(uploaded(column), n, distinct, found);
    keep("uniqueValues", distinct, n);
    keep("uniqueValues count", found, 1);

    std::vector<int> partition(400000);
    int part = 0;
    for (int i = 0; i < 400000; ++i) {
        part += mixBits(i + 7) % 33 == 0;
        partition[i] = part;
    }
    float* mean = cleared<float>(400000);
    float* most = cleared<float>(400000);
    windowAggregates<<<parts(400000, 256), 256>>>(uploaded(partition), drawn(400000), 400000, mean, most);
    keep("windowAggregates mean", mean, 400000);
    keep("windowAggregates most", most, 400000);

    const int lists = 400;
    std::vector<int> offsets(1, 0), postings;
    for (int l = 0; l < lists; ++l) {
        int length = 50 + mixBits(l) % (l % 10 ? 900 : 6000);
        int doc = 0;
        for (int i = 0; i < length; ++i) {
            doc += 1 + mixBits(l * 8000 + i) % 40;
            postings.push_back(doc);
        }
        offsets.push_back((int)postings.size());
    }
    std::vector<int2> pairs(1500);
    for (int i = 0; i < 1500; ++i) {
        pairs[i].x = mixBits(2 * i) % lists;
        pairs[i].y = mixBits(2 * i + 1) % lists;
    }
    int* common = cleared<int>(1500);
    sharedPostings<<<1500, 96>>>(uploaded(postings), uploaded(offsets), uploaded(pairs), common);
    keep("sharedPostings", common, 1500);

    std::vector<u64> many(1500000);
    for (size_t i = 0; i < many.size(); ++i) {
        u32 r = mixBits(i);
        many[i] = (u64)(r % (1 + (r >> 20))) * 0x9e3779b97f4a7c15ull;
    }
    u32* counters = cleared<u32>(4 << 16);
    countMinSketch<<<528, 256>>>(uploaded(many), (int)many.size(), counters, 65535);
    keep("countMinSketch", counters + 65536, 1000);

    const int words = 8192, columns = 64;
    std::vector<int4> queries(200);
    for (int i = 0; i < 200; ++i) {
        u32 r = mixBits(i);
        queries[i] = make_int4(r & 63, r >> 6 & 63, r >> 12 & 63, r >> 18 & 63);
    }
    u32* hits = cleared<u32>(200);
    bitmapQueries<<<dim3(8, 200), 128>>>((uint4*)picked<u32>(words * 4 * columns, 0xfffffffbu), words,
                                         uploaded(queries), hits);
    keep("bitmapQueries", hits, 200);

    const int levels = 4;
    std::vector<int> nodes;
    for (int l = 0, each = 65536 / 16; l < levels; ++l, each /= 16)
        for (int i = 0, total = 65536 / each; i < total; ++i) nodes.push_back(i * each * 11);
    int* places = cleared<int>(250000);
    bPlusSearch<<<parts(250000 * 16, 256), 256>>>(uploaded(nodes), levels, picked(250000, 65536 * 11), places, 250000);
    keep("bPlusSearch", places, 250000);

    const int span = 1 << 16;
    std::vector<int> table(17 * span);
    std::vector<long long> fenwick(span + 1);
    for (int i = 0; i < span; ++i) {
        table[i] = mixBits(i) % 1000000;
        for (int j = i + 1; j <= span; j += j & -j) fenwick[j] += table[i];
    }
    for (int l = 1; l < 17; ++l)
        for (int i = 0; i + (1 << l) <= span; ++i)
            table[l * span + i] = std::min(table[(l - 1) * span + i], table[(l - 1) * span + i + (1 << (l - 1))]);
    std::vector<int2> ranges(120000);
    for (int i = 0; i < 120000; ++i) {
        int a = mixBits(i) % span, b = mixBits(i + 1234567) % span;
        ranges[i] = make_int2(std::min(a, b), std::max(a, b) + 1);
    }
    long long* answers = cleared<long long>(120000);
    rangeQueries<<<parts(120000, 128), 128>>>(uploaded(table), uploaded(fenwick), span, uploaded(ranges), answers,
                                              120000);
    keep("rangeQueries", answers, 120000);

    const int nodesInList = 1 << 20;
    std::vector<int> next(nodesInList), rank(nodesInList, 1);
    for (int i = 0; i < nodesInList; ++i) {
        next[i] = (int)((i * 5LL + 12345) & (nodesInList - 1));
        if (i % 1000 == 0) {
            next[i] = i;
            rank[i] = 0;
        }
    }
    int* next2 = cleared<int>(nodesInList);
    int* rank2 = cleared<int>(nodesInList);
    int* next1 = uploaded(next);
    int* rank1 = uploaded(rank);
    listRanking<<<nodesInList / 256, 256>>>(next1, rank1, next2, rank2, nodesInList);
    listRanking<<<nodesInList / 256, 256>>>(next2, rank2, next1, rank1, nodesInList);
    keep("listRanking", rank1, nodesInList);
}

// ============================================================ ciphers, hashes, codes

// Speck 64/128 in counter mode, round keys in constant memory
__constant__ u32 speckKeys[27];

__global__ void speckCounter(const uint2* __restrict__ in, uint2* __restrict__ out, int n, u32 nonce) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 x = nonce, y = i;
#pragma unroll
    for (int r = 0; r < 27; ++r) {
        x = ((x >> 8 | x << 24) + y) ^ speckKeys[r];
        y = (y << 3 | y >> 29) ^ x;
    }
    uint2 v = in[i];
    out[i] = make_uint2(v.x ^ x, v.y ^ y);
}

__device__ __forceinline__ u64 right64(u64 v, int by) { return v >> by | v << (64 - by); }

// A permutation like Ascon's, absorbing a message of 64-bit words with rate 64; one message a thread
__global__ void asconAbsorb(const u64* __restrict__ words, u64* __restrict__ digests, int messages, int length) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= messages) return;
    u64 x0 = 0x00400c0000000100ull, x1 = 0, x2 = 0, x3 = 0, x4 = id;
    for (int w = 0; w <= length; ++w) {
        x0 ^= w < length ? words[w * messages + id] : 0x8000000000000000ull;
        for (int r = 0; r < 12; ++r) {
            x2 ^= ((15 - r) << 4) | r;
            x0 ^= x4;
            x4 ^= x3;
            x2 ^= x1;
            u64 t0 = ~x0 & x1, t1 = ~x1 & x2, t2 = ~x2 & x3, t3 = ~x3 & x4, t4 = ~x4 & x0;
            x0 ^= t1;
            x1 ^= t2;
            x2 ^= t3;
            x3 ^= t4;
            x4 ^= t0;
            x1 ^= x0;
            x0 ^= x4;
            x3 ^= x2;
            x2 = ~x2;
            x0 ^= right64(x0, 19) ^ right64(x0, 28);
            x1 ^= right64(x1, 61) ^ right64(x1, 39);
            x2 ^= right64(x2, 1) ^ right64(x2, 6);
            x3 ^= right64(x3, 10) ^ right64(x3, 17);
            x4 ^= right64(x4, 7) ^ right64(x4, 41);
        }
    }
    digests[id] = x0;
}

// PRESENT's rounds: a 4-bit substitution from shared memory, then bit i to place 16 i mod 63
__global__ void presentRounds(const u64* __restrict__ in, u64* __restrict__ out, const u64* __restrict__ keys, int n) {
    __shared__ u8 box[256];
    const u64 nibbles = 0x21748fe3da09b65cull;  // entry k at bits 4k
    if (threadIdx.x < 256)
        box[threadIdx.x] = (nibbles >> (threadIdx.x & 15) * 4 & 15) | (nibbles >> (threadIdx.x >> 4) * 4 & 15) << 4;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 v = in[i];
    for (int r = 0; r < 31; ++r) {
        v ^= keys[r];
        u64 s = 0;
        for (int b = 0; b < 8; ++b) s |= (u64)box[v >> 8 * b & 255] << 8 * b;
        u64 p = 0;
        for (int b = 0; b < 16; ++b) {
            u64 four = s >> 4 * b & 15;
            p |= (four & 1) << b | (four >> 1 & 1) << (b + 16) | (four >> 2 & 1) << (b + 32) | (four >> 3) << (b + 48);
        }
        v = p;
    }
    out[i] = v ^ keys[31];
}

// CRC-64 of packets of 256 bytes with eight tables in global memory
__global__ void crc64Packets(const u64* __restrict__ packets, const u64* __restrict__ tables, u64* __restrict__ crcs,
                             int n) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    u64 crc = ~0ull;
    for (int w = 0; w < 32; ++w) {
        u64 x = crc ^ packets[id * 32 + w];
        crc = 0;
        for (int b = 0; b < 8; ++b) crc ^= __ldg(&tables[(7 - b) * 256 + (x >> 8 * b & 255)]);
    }
    crcs[id] = ~crc;
}

// Poly1305-like tags: h = (h + block) r mod 2^130 - 5 in five limbs of 26 bits
__global__ void polyTags(const uint4* __restrict__ blocks, const u32* __restrict__ keys, u32* __restrict__ tags,
                         int messages, int length) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= messages) return;
    const u32 low26 = 0x3ffffff;
    u32 r[5], h[5] = {};
    for (int i = 0; i < 5; ++i) r[i] = keys[i * messages + id] & low26;
    for (int b = 0; b < length; ++b) {
        uint4 m = blocks[b * messages + id];
        h[0] += m.x & low26;
        h[1] += (m.x >> 26 | m.y << 6) & low26;
        h[2] += (m.y >> 20 | m.z << 12) & low26;
        h[3] += (m.z >> 14 | m.w << 18) & low26;
        h[4] += m.w >> 8 | 1u << 24;
        u64 d[5];
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            d[i] = 0;
#pragma unroll
            for (int j = 0; j < 5; ++j) {
                u32 factor = j <= i ? r[i - j] : 5 * r[i - j + 5];
                d[i] += (u64)h[j] * factor;
            }
        }
        u64 carry = 0;
        for (int i = 0; i < 5; ++i) {
            d[i] += carry;
            h[i] = (u32)d[i] & low26;
            carry = d[i] >> 26;
        }
        carry = h[0] + carry * 5;
        h[0] = (u32)carry & low26;
        h[1] += (u32)(carry >> 26);
    }
    for (int i = 0; i < 5; ++i) tags[i * messages + id] = h[i];
}

__device__ u64 mulModMersenne61(u64 a, u64 b) {
    const u64 p = (1ull << 61) - 1;
    u64 low = a * b, high = __umul64hi(a, b);
    u64 v = (low & p) + (low >> 61 | high << 3);
    return v >= p ? v - p : v;
}

// Rolling fingerprints mod 2^61 - 1 of every window of a text; matches with a wanted one are counted
__global__ void rollingFingerprints(const u8* __restrict__ text, int n, int window, u64 base, u64 leave,
                                    u64* __restrict__ sums) {
    const u64 p = (1ull << 61) - 1;
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
    if (begin + window > n) return;
    u64 h = 0;
    for (int i = 0; i < window; ++i) {
        h = mulModMersenne61(h, base) + text[begin + i];
        if (h >= p) h -= p;
    }
    u64 mixed = h;
    for (int i = begin; i < begin + 63 && i + window < n; ++i) {
        u64 gone = mulModMersenne61(text[i], leave);
        h = h >= gone ? h - gone : h + p - gone;
        h = mulModMersenne61(h, base) + text[i + window];
        if (h >= p) h -= p;
        mixed ^= h;
    }
    atomicXor(&sums[blockIdx.x & 63], mixed);
}

// Adaptive binary range coder: each thread codes its own stream of symbols bit by bit
__global__ void adaptiveCoder(const u8* __restrict__ symbols, int streams, int length, u8* __restrict__ out,
                              int capacity, int* __restrict__ sizes) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= streams) return;
    u16 chance[16];
    for (int i = 0; i < 16; ++i) chance[i] = 2048;
    u32 low = 0, high = 0xffffffffu;
    int size = 0;
    for (int s = 0; s < length; ++s) {
        u32 symbol = symbols[s * streams + id];
        u32 context = 1;
        for (int b = 3; b >= 0; --b) {
            u32 bit = symbol >> b & 1;
            u32 mid = low + ((high - low) >> 12) * chance[context];
            if (bit) {
                high = mid;
                chance[context] += (4096 - chance[context]) >> 5;
            } else {
                low = mid + 1;
                chance[context] -= chance[context] >> 5;
            }
            context = context * 2 + bit;
            while (((low ^ high) >> 24) == 0) {
                if (size < capacity) out[size * streams + id] = high >> 24;
                size++;
                low <<= 8;
                high = high << 8 | 255;
            }
        }
    }
    sizes[id] = size;
}

// Elias gamma codes: lengths, a block's scan of them, then bits put in place with atomics
__global__ void eliasGamma(const u32* __restrict__ values, u32* __restrict__ bitsOut, int* __restrict__ lengths,
                           int wordsPerBlock) {
    __shared__ int scan[256];
    int t = threadIdx.x;
    u32 v = values[blockIdx.x * 256 + t] + 1;
    int width = 32 - __clz(v);
    scan[t] = 2 * width - 1;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int add = t >= d ? scan[t - d] : 0;
        __syncthreads();
        scan[t] += add;
        __syncthreads();
    }
    int at = scan[t] - width;  // the leading zeros need no writing
    u32* out = bitsOut + blockIdx.x * wordsPerBlock;
    for (int b = 0; b < width; ++b)
        if (v >> (width - 1 - b) & 1) atomicOr(&out[(at + b) / 32], 0x80000000u >> (at + b) % 32);
    if (t == 255) lengths[blockIdx.x] = scan[255];
}

static void runCodes() {
    u32 keys[27];
    for (int i = 0; i < 27; ++i) keys[i] = mixBits(i + 4000);
    cudaMemcpyToSymbol(speckKeys, keys, sizeof keys);
    const int pairs = 1 << 21;
    uint2* plain = (uint2*)picked<u32>(pairs * 2, 0xfffffffbu);
    u32* cipher = cleared<u32>(pairs * 2);
    speckCounter<<<pairs / 256, 256>>>(plain, (uint2*)cipher, pairs, 0xabcdef01u);
    keep("speckCounter", cipher, pairs * 2);

    u64* words = (u64*)plain;
    u64* digests = cleared<u64>(20000);
    asconAbsorb<<<parts(20000, 128), 128>>>(words, digests, 20000, 24);
    keep("asconAbsorb", digests, 20000);

    std::vector<u64> rounds(32);
    for (int i = 0; i < 32; ++i) rounds[i] = (u64)mixBits(i) << 32 | mixBits(i + 100);
    u64* present = cleared<u64>(60000);
    presentRounds<<<parts(60000, 256), 256>>>(words, present, uploaded(rounds), 60000);
    keep("presentRounds", present, 60000);

    std::vector<u64> tables(8 * 256);
    for (int i = 0; i < 256; ++i) {
        u64 v = i;
        for (int b = 0; b < 8; ++b) v = v & 1 ? v >> 1 ^ 0xc96c5795d7870f42ull : v >> 1;
        tables[i] = v;
    }
    for (int t = 1; t < 8; ++t)
        for (int i = 0; i < 256; ++i)
            tables[t * 256 + i] = tables[(t - 1) * 256 + i] >> 8 ^ tables[tables[(t - 1) * 256 + i] & 255];
    u64* crcs = cleared<u64>(60000);
    crc64Packets<<<parts(60000, 128), 128>>>(words, uploaded(tables), crcs, 60000);
    keep("crc64Packets", crcs, 60000);

    u32* tags = cleared<u32>(5 * 16384);
    polyTags<<<128, 128>>>((uint4*)plain, cipher, tags, 16384, 32);
    keep("polyTags", tags, 5 * 16384);

    const u64 p = (1ull << 61) - 1, base = 1000003;
    u64 leave = 1;
    for (int i = 0; i < 99; ++i) leave = (u64)((unsigned __int128)leave * base % p);
    u64* prints = cleared<u64>(64);
    rollingFingerprints<<<parts(1 << 16, 128), 128>>>((u8*)cipher, 1 << 22, 100, base, leave, prints);
    keep("rollingFingerprints", prints, 64);

    const int streams = 4096, length = 400;
    std::vector<u8> symbols(streams * length);
    for (size_t i = 0; i < symbols.size(); ++i) symbols[i] = __builtin_ctz(mixBits(i) | 1u << 15);
    u8* packed = cleared<u8>(streams * 300);
    int* sizes = cleared<int>(streams);
    adaptiveCoder<<<parts(streams, 64), 64>>>(uploaded(symbols), streams, length, packed, 300, sizes);
    keep("adaptiveCoder bytes", packed, streams * 300);
    keep("adaptiveCoder sizes", sizes, streams);

    std::vector<u32> values(256 * 1200);
    for (size_t i = 0; i < values.size(); ++i) values[i] = mixBits(i) >> (17 + mixBits(i + 5000000) % 15);
    u32* coded = cleared<u32>(1200 * 256);
    int* lengths = cleared<int>(1200);
    eliasGamma<<<1200, 256>>>(uploaded(values), coded, lengths, 256);
    keep("eliasGamma bits", coded, 1200 * 256);
    keep("eliasGamma lengths", lengths, 1200);
}

// ============================================================ sequences and life

// Global alignment scores, one pair a block, 128 columns in flight as an anti-diagonal sweeps down
__global__ void needlemanSweep(const u8* __restrict__ first, const u8* __restrict__ second, int* __restrict__ scores,
                               int length) {
    __shared__ int boundary[513];
    __shared__ int cells[3][128];
    __shared__ u8 a[512];
    int t = threadIdx.x;
    const u8* sa = first + blockIdx.x * length;
    const u8* sb = second + blockIdx.x * length;
    for (int i = t; i < length; i += 128) a[i] = sa[i];
    for (int i = t; i <= length; i += 128) boundary[i] = -2 * i;
    __syncthreads();
    int last = 0;
    for (int c0 = 0; c0 < length; c0 += 128) {
        int column = c0 + t;
        u8 mine = column < length ? sb[column] : 255;
        int up = -2 * (column + 1);  // score above row 0
        for (int step = 0; step < length + 127; ++step) {
            int row = step - t;
            bool active = row >= 0 && row < length;
            int value = 0;
            if (active) {
                int left = t == 0 ? boundary[row + 1] : cells[(step + 2) % 3][t - 1];
                int corner;
                if (row == 0)
                    corner = -2 * column;
                else
                    corner = t == 0 ? boundary[row] : cells[(step + 1) % 3][t - 1];
                value = max(max(up, left) - 2, corner + (a[row] == mine ? 3 : -1));
                up = value;
            }
            cells[step % 3][t] = value;
            // the last column's scores are the next stripe's left edge; row r is read by column 0 long before
            if (active && t == 127) boundary[row + 1] = value;
            if (active && column == length - 1) last = value;
            __syncthreads();
        }
        if (t == 0) boundary[0] = -2 * (c0 + 128);
        __syncthreads();
    }
    if ((length - 1) % 128 == t) scores[blockIdx.x] = last;
}

// One doubling step of suffix sorting: rank pairs as 64-bit keys
__global__ void suffixPairs(const int* __restrict__ rank, u64* __restrict__ pairs, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 second = i + step < n ? rank[i + step] + 1 : 0;
    pairs[i] = (u64)(u32)rank[i] << 32 | second;
}

// Edges of a de Bruijn graph: 11-mers and the base that follows, in packed tables of byte counts
__global__ void deBruijnEdges(const u8* __restrict__ reads, int count, int length, u32* __restrict__ table) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= count) return;
    const u8* read = reads + warp * length;
    for (int start = lane; start + 11 < length; start += 32) {
        u32 kmer = 0;
        for (int i = 0; i < 11; ++i) kmer = kmer << 2 | read[start + i];
        u32 other = __brev(~kmer) >> 10;  // reverse complement once its pairs are turned back
        other = (other & 0x155555) << 1 | (other >> 1 & 0x155555);
        if (other < kmer)
            atomicAdd(&table[other], 1u << 8 * (3 - (start ? read[start - 1] : 0)));
        else
            atomicAdd(&table[kmer], 1u << 8 * read[start + 11]);
    }
}

// Neighbour joining: the pair of the least Q; partial results packed as (value, pair)
__global__ void joiningPairs(const float* __restrict__ dist, const float* __restrict__ rowSums, int n,
                             u64* __restrict__ best) {
    u64 mine = ~0ull;
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n * n; at += gridDim.x * blockDim.x) {
        int i = at / n, j = at % n;
        if (i >= j) continue;
        float q = (n - 2) * dist[at] - rowSums[i] - rowSums[j];
        u32 bits = __float_as_uint(q);
        bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        mine = min(mine, (u64)bits << 32 | (u32)at);
    }
    for (int d = 16; d; d >>= 1) mine = min(mine, __shfl_xor_sync(~0u, mine, d));
    if (threadIdx.x % 32 == 0) atomicMin(best, mine);
}

__constant__ char codonTable[65];

// Six reading frames of DNA, and the longest open stretch that each thread's chunk sees
__global__ void codonFrames(const u8* __restrict__ dna, int n, char* __restrict__ protein, int* __restrict__ longest) {
    int chunk = (blockIdx.x * blockDim.x + threadIdx.x) * 96;
    if (chunk >= n) return;
    int frame = blockIdx.y;
    int run = 0, most = 0;
    for (int i = chunk; i < chunk + 96; i += 3) {
        int at = i + frame % 3;
        if (at + 2 >= n) break;
        int codon;
        if (frame < 3)
            codon = dna[at] * 16 + dna[at + 1] * 4 + dna[at + 2];
        else
            codon = (3 - dna[at + 2]) * 16 + (3 - dna[at + 1]) * 4 + (3 - dna[at]);
        char acid = codonTable[codon];
        protein[frame * (n / 3 + 1) + i / 3] = acid;
        run = acid == '*' ? 0 : run + 1;
        most = max(most, run);
    }
    atomicMax(&longest[frame], most);
}

// Correlation of markers over people kept as bits: r^2 for a tile of pairs
__global__ void linkageBits(const u32* __restrict__ markers, int words, int count, float* __restrict__ r2) {
    __shared__ u32 rows[16][33];
    __shared__ u32 cols[16][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    int both = 0, ones = 0, others = 0;
    for (int w0 = 0; w0 < words; w0 += 32) {
        for (int k = tx; k < 32; k += 16) {
            rows[ty][k] = markers[(blockIdx.y * 16 + ty) * words + w0 + k];
            cols[ty][k] = markers[(blockIdx.x * 16 + ty) * words + w0 + k];
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            u32 a = rows[ty][k], b = cols[tx][k];
            both += __popc(a & b);
            ones += __popc(a);
            others += __popc(b);
        }
        __syncthreads();
    }
    float n = words * 32.0f;
    float pa = ones / n, pb = others / n, d = both / n - pa * pb;
    r2[i * count + j] = d * d / (pa * (1 - pa) * pb * (1 - pb));
}

static void runSequences() {
    const int length = 400, pairs = 150;
    u8* a = picked<u8>(pairs * length, 4);
    u8* b = picked<u8>(pairs * length + 1, 4);
    int* scores = cleared<int>(pairs);
    needlemanSweep<<<pairs, 128>>>(a, b, scores, length);
    keep("needlemanSweep", scores, pairs);

    const int n = 3000000;
    u64* ranks = cleared<u64>(n);
    suffixPairs<<<parts(n, 512), 512>>>(picked(n, 40000), ranks, n, 1024);
    keep("suffixPairs", ranks, n);

    u32* table = cleared<u32>(1 << 22);
    deBruijnEdges<<<parts(8000 * 32, 128), 128>>>(picked<u8>(8000 * 150, 4), 8000, 150, table);
    keep("deBruijnEdges", table, 1 << 22);

    const int taxa = 1500;
    u64* best = uploaded(std::vector<u64>(1, ~0ull));
    joiningPairs<<<200, 256>>>(drawn(taxa * taxa), drawn(taxa, 500, 900), taxa, best);
    keep("joiningPairs", (u32*)best, 1);

    const char acids[] = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF";
    cudaMemcpyToSymbol(codonTable, acids, 65);
    const int bases = 960000;
    char* protein = cleared<char>(6 * (bases / 3 + 1));
    int* longest = cleared<int>(6);
    codonFrames<<<dim3(parts(bases / 96, 128), 6), 128>>>(picked<u8>(bases, 4), bases, protein, longest);
    keep("codonFrames", protein, 6 * (bases / 3 + 1));
    keep("codonFrames longest", longest, 6);

    const int markers = 640, words = 64;
    float* r2 = cleared<float>(markers * markers);
    linkageBits<<<dim3(markers / 16, markers / 16), dim3(16, 16)>>>(picked<u32>(markers * words, 0xfffffffbu), words,
                                                                    markers, r2);
    keep("linkageBits", r2, markers * markers);
}

// ============================================================ simulation

// Flocking: separation, alignment, cohesion; the others pass by in shared tiles
__global__ void flockSteer(const float4* __restrict__ place, const float4* __restrict__ speed,
                           float4* __restrict__ newSpeed, int n, float reach) {
    __shared__ float4 places[128];
    __shared__ float4 speeds[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = i < n ? place[i] : make_float4(0, 0, 0, 0);
    float3 away = {0, 0, 0}, along = {0, 0, 0}, centre = {0, 0, 0};
    int near = 0;
    for (int tile = 0; tile < n; tile += 128) {
        if (tile + threadIdx.x < n) {
            places[threadIdx.x] = place[tile + threadIdx.x];
            speeds[threadIdx.x] = speed[tile + threadIdx.x];
        }
        __syncthreads();
        int end = min(128, n - tile);
        for (int j = 0; j < end; ++j) {
            float dx = places[j].x - me.x, dy = places[j].y - me.y, dz = places[j].z - me.z;
            float d2 = dx * dx + dy * dy + dz * dz;
            if (d2 < reach * reach && d2 > 0) {
                float inv = 1 / d2;
                away.x -= dx * inv;
                away.y -= dy * inv;
                away.z -= dz * inv;
                along.x += speeds[j].x;
                along.y += speeds[j].y;
                along.z += speeds[j].z;
                centre.x += dx;
                centre.y += dy;
                centre.z += dz;
                near++;
            }
        }
        __syncthreads();
    }
    if (i >= n) return;
    float4 v = speed[i];
    if (near) {
        float share = 1.0f / near;
        v.x += 0.01f * away.x + 0.1f * (along.x * share - v.x) + 0.05f * centre.x * share;
        v.y += 0.01f * away.y + 0.1f * (along.y * share - v.y) + 0.05f * centre.y * share;
        v.z += 0.01f * away.z + 0.1f * (along.z * share - v.z) + 0.05f * centre.z * share;
    }
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + 1e-6f;
    float most = fminf(length, 2.0f) / length;
    newSpeed[i] = make_float4(v.x * most, v.y * most, v.z * most, 0);
}

// Grains in a box, sorted into cells of a grid: spring and damper at each contact
__global__ void grainContacts(const float2* __restrict__ place, const float2* __restrict__ speed,
                              const float* __restrict__ radius, const int* __restrict__ cellStart, int across,
                              float cell, float2* __restrict__ force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = place[i], v = speed[i], f = make_float2(0, -9.81f * radius[i] * radius[i]);
    float r = radius[i];
    int cx = min((int)(p.x / cell), across - 1), cy = min((int)(p.y / cell), across - 1);
    for (int y = max(cy - 1, 0); y <= min(cy + 1, across - 1); ++y)
        for (int x = max(cx - 1, 0); x <= min(cx + 1, across - 1); ++x) {
            int end = cellStart[y * across + x + 1];
            for (int j = cellStart[y * across + x]; j < end; ++j) {
                if (j == i) continue;
                float2 q = place[j];
                float dx = p.x - q.x, dy = p.y - q.y;
                float sum = r + radius[j];
                float d2 = dx * dx + dy * dy;
                if (d2 >= sum * sum || d2 == 0) continue;
                float d = sqrtf(d2);
                float nx = dx / d, ny = dy / d;
                float closing = (v.x - speed[j].x) * nx + (v.y - speed[j].y) * ny;
                float push = 500 * (sum - d) - 3 * closing;
                f.x += push * nx;
                f.y += push * ny;
            }
        }
    force[i] = f;
}

// Field of a wire's segments at points, in double
__global__ void wireField(const double* __restrict__ wire, int segments, const double* __restrict__ points,
                          double* __restrict__ field, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double px = points[3 * i], py = points[3 * i + 1], pz = points[3 * i + 2];
    double bx = 0, by = 0, bz = 0;
    for (int s = 0; s < segments; ++s) {
        const double *a = wire + 3 * s, *b = a + 3;
        double lx = b[0] - a[0], ly = b[1] - a[1], lz = b[2] - a[2];
        double rx = px - 0.5 * (a[0] + b[0]), ry = py - 0.5 * (a[1] + b[1]), rz = pz - 0.5 * (a[2] + b[2]);
        double inv = rsqrt(rx * rx + ry * ry + rz * rz + 1e-4);
        double inv3 = inv * inv * inv;
        bx += (ly * rz - lz * ry) * inv3;
        by += (lz * rx - lx * rz) * inv3;
        bz += (lx * ry - ly * rx) * inv3;
    }
    field[3 * i] = bx;
    field[3 * i + 1] = by;
    field[3 * i + 2] = bz;
}

// Cahn-Hilliard on a torus: the 13-point bilaplacian through the chemical potential of neighbours
__global__ void spinodalStep(const float* __restrict__ c, float* __restrict__ out, int w, int h, float dt,
                             float kappa) {
    __shared__ float tile[12][36];
    __shared__ float mu[10][34];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 12 * 36; i += 256) {
        int x = (x0 + i % 36 - 2 + w) % w, y = (y0 + i / 36 - 2 + h) % h;
        tile[i / 36][i % 36] = c[y * w + x];
    }
    __syncthreads();
    for (int i = t; i < 10 * 34; i += 256) {
        int x = i % 34 + 1, y = i / 34 + 1;
        float v = tile[y][x];
        float lap = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1] - 4 * v;
        mu[y - 1][x - 1] = v * v * v - v - kappa * lap;
    }
    __syncthreads();
    int x = threadIdx.x, y = threadIdx.y;
    float lap = mu[y][x + 1] + mu[y + 2][x + 1] + mu[y + 1][x] + mu[y + 1][x + 2] - 4 * mu[y + 1][x + 1];
    out[(y0 + y) * w + x0 + x] = tile[y + 2][x + 2] + dt * lap;
}

// Heat in a solid of uneven conductivity; each thread walks along z with its column in registers
__global__ void heatColumn(const double* __restrict__ temp, const double* __restrict__ conduct,
                           double* __restrict__ out, int n, double k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1) return;
    int plane = n * n;
    int zBegin = 1 + blockIdx.z * 16, zEnd = min(zBegin + 16, n - 1);
    int at = zBegin * plane + y * n + x;
    double below = temp[at - plane], here = temp[at];
    for (int z = zBegin; z < zEnd; ++z, at += plane) {
        double above = temp[at + plane];
        double flow = below + above + temp[at - 1] + temp[at + 1] + temp[at - n] + temp[at + n] - 6 * here;
        out[at] = here + k * conduct[at] * flow;
        below = here;
        here = above;
    }
}

// XY model: Metropolis on one colour of a checkerboard, random numbers from counters
__global__ void spinAngles(float* __restrict__ angle, int n, int colour, float beta, u32 seed, int* __restrict__ taken) {
    int half = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    bool accept = false;
    if (half < n / 2) {
        int x = 2 * half + ((y + colour) & 1);
        int at = y * n + x;
        float here = angle[at];
        Rng rng(seed ^ at);
        float tried = here + (rng.uniform() - 0.5f) * 3;
        float around[4] = {angle[y * n + (x + 1) % n], angle[y * n + (x + n - 1) % n], angle[(y + 1) % n * n + x],
                           angle[(y + n - 1) % n * n + x]};
        float gain = 0;
        for (int k = 0; k < 4; ++k) gain += cosf(tried - around[k]) - cosf(here - around[k]);
        accept = rng.uniform() < __expf(beta * gain);
        if (accept) angle[at] = tried;
    }
    u32 votes = __ballot_sync(~0u, accept);
    if (threadIdx.x % 32 == 0) atomicAdd(taken, __popc(votes));
}

// Metal's electron density at each atom by neighbour lists, with a tabulated function interpolated linearly
__global__ void embeddedDensity(const float4* __restrict__ atoms, const int* __restrict__ neighbours, int most,
                                const float* __restrict__ table, float cut, float* __restrict__ density,
                                float* __restrict__ energy, int n, float box) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = atoms[i];
    float rho = 0;
    for (int k = 0; k < most; ++k) {
        float4 other = atoms[neighbours[k * n + i]];
        float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
        dx -= box * rintf(dx / box);
        dy -= box * rintf(dy / box);
        dz -= box * rintf(dz / box);
        float r = sqrtf(dx * dx + dy * dy + dz * dz);
        if (r < cut) {
            float at = r / cut * 1023;
            int cell = min((int)at, 1022);
            float low = __ldg(&table[cell]);
            rho += low + (at - cell) * (__ldg(&table[cell + 1]) - low);
        }
    }
    density[i] = rho;
    energy[i] = -sqrtf(rho) + 0.01f * rho * rho;
}

// Brusselators with different feeds: Dormand-Prince with its own step each
template <class T>
__global__ void dormandPrince(const T* __restrict__ feeds, T* __restrict__ ends, int* __restrict__ steps, int count,
                              T finish, T tolerance) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    T a = feeds[2 * id], b = feeds[2 * id + 1];
    T y[2] = {T(1.2), T(2.5)};
    T t = 0, h = T(0.01);
    int taken = 0;
    auto slope = [&](const T* p, T* k) {
        T cube = p[0] * p[0] * p[1];
        k[0] = a + cube - (b + 1) * p[0];
        k[1] = b * p[0] - cube;
    };
    while (t < finish && taken < 400) {
        if (t + h > finish) h = finish - t;
        T k1[2], k2[2], k3[2], k4[2], k5[2], k6[2], k7[2], p[2], next[2];
        slope(y, k1);
        for (int i = 0; i < 2; ++i) p[i] = y[i] + h * (T(1) / 5) * k1[i];
        slope(p, k2);
        for (int i = 0; i < 2; ++i) p[i] = y[i] + h * (T(3) / 40 * k1[i] + T(9) / 40 * k2[i]);
        slope(p, k3);
        for (int i = 0; i < 2; ++i)
            p[i] = y[i] + h * (T(44) / 45 * k1[i] - T(56) / 15 * k2[i] + T(32) / 9 * k3[i]);
        slope(p, k4);
        for (int i = 0; i < 2; ++i)
            p[i] = y[i] + h * (T(19372) / 6561 * k1[i] - T(25360) / 2187 * k2[i] + T(64448) / 6561 * k3[i] -
                               T(212) / 729 * k4[i]);
        slope(p, k5);
        for (int i = 0; i < 2; ++i)
            p[i] = y[i] + h * (T(9017) / 3168 * k1[i] - T(355) / 33 * k2[i] + T(46732) / 5247 * k3[i] +
                               T(49) / 176 * k4[i] - T(5103) / 18656 * k5[i]);
        slope(p, k6);
        for (int i = 0; i < 2; ++i)
            next[i] = y[i] + h * (T(35) / 384 * k1[i] + T(500) / 1113 * k3[i] + T(125) / 192 * k4[i] -
                                  T(2187) / 6784 * k5[i] + T(11) / 84 * k6[i]);
        slope(next, k7);
        T error = 0;
        for (int i = 0; i < 2; ++i) {
            T e = h * (T(71) / 57600 * k1[i] - T(71) / 16695 * k3[i] + T(71) / 1920 * k4[i] -
                       T(17253) / 339200 * k5[i] + T(22) / 525 * k6[i] - T(1) / 40 * k7[i]);
            error = max(error, T(fabs(e)) / (tolerance * (1 + T(fabs(y[i])))));
        }
        if (error <= 1) {
            t += h;
            y[0] = next[0];
            y[1] = next[1];
        }
        T factor = T(0.9) * pow(error + T(1e-6), T(-0.2));
        h *= min(T(4), max(T(0.2), factor));
        taken++;
    }
    ends[2 * id] = y[0];
    ends[2 * id + 1] = y[1];
    steps[id] = taken;
}

// Seismic migration: sums traces along travel-time curves into one image point a thread
__global__ void migrateTraces(const float* __restrict__ traces, const float2* __restrict__ pairs, int count,
                              int samples, float* __restrict__ image, int wide, int deep, float spacing,
                              float slowness) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || z >= deep) return;
    float px = x * spacing, pz = (z + 1) * spacing;
    float acc = 0;
    for (int t = 0; t < count; ++t) {
        float2 sr = __ldg(&pairs[t]);
        float ds = sqrtf((px - sr.x) * (px - sr.x) + pz * pz);
        float dr = sqrtf((px - sr.y) * (px - sr.y) + pz * pz);
        float at = (ds + dr) * slowness;
        int i = (int)at;
        if (i < samples - 1) {
            float u = at - i;
            const float* trace = traces + t * samples + i;
            acc += (trace[0] * (1 - u) + trace[1] * u) * pz * rsqrtf(ds * dr);
        }
    }
    image[z * wide + x] = acc;
}

// A 4 x 4 unitary on two qubits of a state vector
__constant__ float2 twoGate[16];

__global__ void twoQubitGate(float2* __restrict__ state, int low, int high, u32 quarters) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quarters) return;
    u32 at = (i >> low << (low + 1)) | (i & ((1u << low) - 1));
    at = (at >> high << (high + 1)) | (at & ((1u << high) - 1));
    u32 places[4] = {at, at | 1u << low, at | 1u << high, at | 1u << low | 1u << high};
    float2 v[4];
    for (int k = 0; k < 4; ++k) v[k] = state[places[k]];
    for (int r = 0; r < 4; ++r) {
        float2 acc = make_float2(0, 0);
        for (int k = 0; k < 4; ++k) {
            float2 g = twoGate[r * 4 + k];
            acc.x += g.x * v[k].x - g.y * v[k].y;
            acc.y += g.x * v[k].y + g.y * v[k].x;
        }
        state[places[r]] = acc;
    }
}

// ============================================================ shapes

struct Box {
    float3 centre, half, axis[3];
};

__device__ float3 minus3(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Turned boxes against each other, by separating axes with early ways out
__global__ void boxOverlaps(const Box* __restrict__ boxes, const int2* __restrict__ pairs, u8* __restrict__ hit,
                            int count) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    Box a = boxes[pairs[id].x], b = boxes[pairs[id].y];
    float3 between = minus3(b.centre, a.centre);
    float ha[3] = {a.half.x, a.half.y, a.half.z}, hb[3] = {b.half.x, b.half.y, b.half.z};
    float t[3], r[3][3], ar[3][3];
    for (int i = 0; i < 3; ++i) {
        t[i] = dot3(between, a.axis[i]);
        for (int j = 0; j < 3; ++j) {
            r[i][j] = dot3(a.axis[i], b.axis[j]);
            ar[i][j] = fabsf(r[i][j]) + 1e-6f;
        }
    }
    hit[id] = 0;
    for (int i = 0; i < 3; ++i)
        if (fabsf(t[i]) > ha[i] + hb[0] * ar[i][0] + hb[1] * ar[i][1] + hb[2] * ar[i][2]) return;
    for (int j = 0; j < 3; ++j) {
        float d = fabsf(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j]);
        if (d > hb[j] + ha[0] * ar[0][j] + ha[1] * ar[1][j] + ha[2] * ar[2][j]) return;
    }
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            float d = fabsf(t[i2] * r[i1][j] - t[i1] * r[i2][j]);
            if (d > ha[i1] * ar[i2][j] + ha[i2] * ar[i1][j] + hb[j1] * ar[i][j2] + hb[j2] * ar[i][j1]) return;
        }
    hit[id] = 1;
}

__device__ int commonBits(const u32* codes, int n, int i, int j) {
    if (j < 0 || j >= n) return -1;
    return codes[i] == codes[j] ? 32 + __clz(i ^ j) : __clz(codes[i] ^ codes[j]);
}

// A binary tree over sorted Morton codes: the range and split of each inner node found on its own
__global__ void radixTree(const u32* __restrict__ codes, int n, int2* __restrict__ children) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1) return;
    int way = commonBits(codes, n, i, i + 1) > commonBits(codes, n, i, i - 1) ? 1 : -1;
    int least = commonBits(codes, n, i, i - way);
    int reach = 2;
    while (commonBits(codes, n, i, i + reach * way) > least) reach *= 2;
    int length = 0;
    for (int step = reach / 2; step > 0; step /= 2)
        if (commonBits(codes, n, i, i + (length + step) * way) > least) length += step;
    int j = i + length * way;
    int shared = commonBits(codes, n, i, j);
    int split = 0;
    int step = length;
    do {
        step = (step + 1) / 2;
        if (split + step <= length && commonBits(codes, n, i, i + (split + step) * way) > shared) split += step;
    } while (step > 1);
    int cut = i + split * way + min(way, 0);
    children[i] = make_int2(min(i, j) == cut ? ~cut : cut, max(i, j) == cut + 1 ? ~(cut + 1) : cut + 1);
}

// Contour lines of a height field: segments appended to a list
__global__ void contourSegments(const float* __restrict__ height, int w, int h, float level,
                                float4* __restrict__ segments, int capacity, int* __restrict__ count) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w - 1 || y >= h - 1) return;
    float v[4] = {height[y * w + x] - level, height[y * w + x + 1] - level, height[(y + 1) * w + x + 1] - level,
                  height[(y + 1) * w + x] - level};
    float2 cross[4];
    int crossings = 0;
    for (int e = 0; e < 4; ++e) {
        float a = v[e], b = v[(e + 1) & 3];
        if ((a < 0) == (b < 0)) continue;
        float u = a / (a - b);
        float2 p;
        if (e == 0)
            p = make_float2(x + u, y);
        else if (e == 1)
            p = make_float2(x + 1, y + u);
        else if (e == 2)
            p = make_float2(x + 1 - u, y + 1);
        else
            p = make_float2(x, y + 1 - u);
        cross[crossings++] = p;
    }
    for (int s = 0; s + 1 < crossings; s += 2) {
        int at = atomicAdd(count, 1);
        if (at < capacity) segments[at] = make_float4(cross[s].x, cross[s].y, cross[s + 1].x, cross[s + 1].y);
    }
}

// The chaos game with six turning maps, hits counted in a picture
__global__ void chaosGame(const float* __restrict__ maps, u32* __restrict__ picture, int size, int steps, u32 seed) {
    __shared__ float m[36];
    if (threadIdx.x < 36) m[threadIdx.x] = maps[threadIdx.x];
    __syncthreads();
    Rng rng(seed + blockIdx.x * blockDim.x + threadIdx.x);
    float x = 0, y = 0;
    for (int s = 0; s < steps; ++s) {
        const float* f = m + rng.bits() % 6 * 6;
        float nx = f[0] * x + f[1] * y + f[2], ny = f[3] * x + f[4] * y + f[5];
        float bend = 1 / (1 + nx * nx + ny * ny);
        x = nx * (0.5f + 0.5f * bend);
        y = ny * (0.5f + 0.5f * bend);
        int ix = (int)((x + 2) * 0.25f * size), iy = (int)((y + 2) * 0.25f * size);
        if (s > 15 && ix >= 0 && iy >= 0 && ix < size && iy < size) atomicAdd(&picture[iy * size + ix], 1u);
    }
}

// Winding number of points about triangle soup, by solid angles
template <class T>
__global__ void solidAngles(const T* __restrict__ triangles, int count, const T* __restrict__ points,
                            T* __restrict__ winding, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T p[3] = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
    T sum = 0;
    for (int t = 0; t < count; ++t) {
        T a[3], b[3], c[3];
        T la = 0, lb = 0, lc = 0, ab = 0, bc = 0, ca = 0;
        for (int k = 0; k < 3; ++k) {
            a[k] = triangles[t * 9 + k] - p[k];
            b[k] = triangles[t * 9 + 3 + k] - p[k];
            c[k] = triangles[t * 9 + 6 + k] - p[k];
            la += a[k] * a[k];
            lb += b[k] * b[k];
            lc += c[k] * c[k];
            ab += a[k] * b[k];
            bc += b[k] * c[k];
            ca += c[k] * a[k];
        }
        la = sqrt(la);
        lb = sqrt(lb);
        lc = sqrt(lc);
        T det = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                a[2] * (b[0] * c[1] - b[1] * c[0]);
        sum += atan2(det, la * lb * lc + ab * lc + bc * la + ca * lb);
    }
    winding[i] = sum * T(0.15915494309189535);
}

// ============================================================ money

constexpr int ASSETS = 8;
__constant__ float basketFactor[ASSETS * ASSETS];

// Basket option: eight correlated prices a path
__global__ void basketPaths(float* __restrict__ payoff, int paths, int steps, float rate, float sigma, float strike,
                            u32 seed) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= paths) return;
    Rng rng(seed + id);
    float logs[ASSETS] = {};
    float dt = 1.0f / steps, root = sqrtf(dt);
    for (int s = 0; s < steps; ++s) {
        float z[ASSETS];
#pragma unroll
        for (int k = 0; k < ASSETS; k += 2) {
            float2 two = rng.normals();
            z[k] = two.x;
            z[k + 1] = two.y;
        }
#pragma unroll
        for (int k = 0; k < ASSETS; ++k) {
            float shock = 0;
            for (int j = 0; j <= k; ++j) shock += basketFactor[k * ASSETS + j] * z[j];
            logs[k] += (rate - 0.5f * sigma * sigma) * dt + sigma * root * shock;
        }
    }
    float mean = 0;
    for (int k = 0; k < ASSETS; ++k) mean += expf(logs[k]);
    payoff[id] = fmaxf(100 * mean / ASSETS - strike, 0.0f) * expf(-rate);
}

// Crank-Nicolson for European puts, a grid of 64 prices a thread, solved by elimination in scratch memory
__global__ void crankNicolson(const float2* __restrict__ options, double* __restrict__ scratch,
                              double* __restrict__ prices, int count, int steps) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int N = 64;
    double strike = options[id].x, vol = options[id].y, rate = 0.03, dt = 1.0 / steps;
    double ds = 4 * strike / N;
    double* v = scratch + id;
    double* cp = scratch + (N + 1) * count + id;
    for (int i = 0; i <= N; ++i) v[i * count] = fmax(strike - i * ds, 0.0);
    for (int s = 0; s < steps; ++s) {
        double edge = strike * exp(-rate * (s + 1) * dt);
        double before = v[0];
        double lastC = 0, lastD = edge;
        v[0] = edge;
        for (int i = 1; i < N; ++i) {
            double a = 0.25 * dt * (vol * vol * i * i - rate * i);
            double b = -0.5 * dt * (vol * vol * i * i + rate);
            double c = 0.25 * dt * (vol * vol * i * i + rate * i);
            double here = v[i * count];
            double right = a * before + (1 + b) * here + c * v[(i + 1) * count];
            double m = 1 / (1 - b + a * lastC);
            lastC = -c * m;
            lastD = (right + a * lastD) * m;
            cp[i * count] = lastC;
            before = here;
            v[i * count] = lastD;
        }
        for (int i = N - 2; i > 0; --i) v[i * count] -= cp[i * count] * v[(i + 1) * count];
    }
    prices[id] = v[N / 4 * count];
}

static void runSimulation() {
    const int birds = 6000;
    float4* flown = cleared<float4>(birds);
    flockSteer<<<parts(birds, 128), 128>>>((float4*)drawn(birds * 4, 0, 10), (float4*)drawn(birds * 4 + 4, -1, 1),
                                           flown, birds, 1.2f);
    keep("flockSteer", flown, birds);

    const int across = 150;
    std::vector<float2> grains;
    std::vector<int> cellStart;
    for (int c = 0; c < across * across; ++c) {
        cellStart.push_back((int)grains.size());
        int inside = 2 + mixBits(c) % 5;
        for (int k = 0; k < inside; ++k) {
            u32 r = mixBits(c * 16 + k + 1);
            grains.push_back(make_float2(c % across + (r & 65535) / 65536.0f, c / across + (r >> 16) / 65536.0f));
        }
    }
    cellStart.push_back((int)grains.size());
    const int n = (int)grains.size();
    float2* force = cleared<float2>(n);
    grainContacts<<<parts(n, 128), 128>>>(uploaded(grains), (float2*)drawn(2 * n, -1, 1), drawn(n, 0.1, 0.45),
                                          uploaded(cellStart), across, 1.0f, force, n);
    keep("grainContacts", force, n);

    const int segments = 600, probes = 9000;
    std::vector<double> wire(3 * (segments + 1));
    for (int s = 0; s <= segments; ++s) {
        wire[3 * s] = cos(s * 0.1);
        wire[3 * s + 1] = sin(s * 0.1);
        wire[3 * s + 2] = s * 0.005 - 1.5;
    }
    double* field = cleared<double>(3 * probes);
    wireField<<<parts(probes, 96), 96>>>(uploaded(wire), segments, drawn<double>(3 * probes, -2, 2), field, probes);
    keep("wireField", field, 3 * probes);

    const int w = 1536, h = 1024;
    float* mixture = drawn(w * h, -0.2, 0.2);
    float* mixture2 = cleared<float>(w * h);
    spinodalStep<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(mixture, mixture2, w, h, 0.02f, 0.8f);
    spinodalStep<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(mixture2, mixture, w, h, 0.02f, 0.8f);
    keep("spinodalStep", mixture, w * 100);

    const int cube = 144;
    double* warm = cleared<double>(cube * cube * cube);
    heatColumn<<<dim3(parts(cube - 2, 32), parts(cube - 2, 4), parts(cube - 2, 16)), dim3(32, 4)>>>(
        drawn<double>(cube * cube * cube), drawn<double>(cube * cube * cube, 0.2, 1), warm, cube, 0.1);
    keep("heatColumn", warm, cube * cube * cube);

    const int lattice = 1000;
    float* angle = drawn(lattice * lattice, 0, 6.28);
    int* taken = cleared<int>(1);
    dim3 halves(parts(lattice / 2, 128), lattice);
    spinAngles<<<halves, 128>>>(angle, lattice, 0, 1.1f, 17, taken);
    spinAngles<<<halves, 128>>>(angle, lattice, 1, 1.1f, 18, taken);
    keep("spinAngles", angle, lattice * lattice);
    keep("spinAngles taken", taken, 1);

    const int atoms = 40000, most = 48;
    std::vector<int> neighbours(atoms * most);
    for (int i = 0; i < atoms; ++i)
        for (int k = 0; k < most; ++k)
            neighbours[k * atoms + i] = (i + (k < most / 2 ? k + 1 : atoms - k + 17) + (int)(mixBits(i * 64 + k) % 300)) % atoms;
    float* density = cleared<float>(atoms);
    float* energy = cleared<float>(atoms);
    embeddedDensity<<<parts(atoms, 128), 128>>>((float4*)drawn(atoms * 4, 0, 20), uploaded(neighbours), most,
                                                drawn(1024), 9.0f, density, energy, atoms, 20.0f);
    keep("embeddedDensity", energy, atoms);

    const int ode = 20000;
    float* endF = cleared<float>(2 * ode);
    int* steps = cleared<int>(ode);
    dormandPrince<float><<<parts(ode, 128), 128>>>(drawn(2 * ode, 0.8, 2.6), endF, steps, ode, 6.0f, 1e-4f);
    keep("dormandPrince<float>", endF, 2 * ode);
    double* endD = cleared<double>(2 * 3000);
    int* stepsD = cleared<int>(3000);
    dormandPrince<double><<<parts(3000, 64), 64>>>(drawn<double>(6000, 0.8, 2.6), endD, stepsD, 3000, 6.0, 1e-7);
    keep("dormandPrince<double>", endD, 6000);
    keep("dormandPrince steps", stepsD, 3000);

    const int traces = 150, samples = 1500;
    std::vector<float2> pairs(traces);
    for (int t = 0; t < traces; ++t) pairs[t] = make_float2(t % 15 * 100.0f, t / 15 * 120.0f + 37);
    float* image = cleared<float>(300 * 200);
    migrateTraces<<<dim3(parts(300, 32), parts(200, 4)), dim3(32, 4)>>>(drawn(traces * samples, -1, 1), uploaded(pairs),
                                                                       traces, samples, image, 300, 200, 5.0f, 0.4f);
    keep("migrateTraces", image, 300 * 200);

    float2 gate[16];
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < 4; ++k) gate[r * 4 + k] = make_float2(0.5f * cosf(r * k * 1.5707963f), 0.5f * sinf(r * k * 1.5707963f));
    cudaMemcpyToSymbol(twoGate, gate, sizeof gate);
    const int qubits = 21;
    float2* state = (float2*)drawn(2 << qubits, -1, 1);
    twoQubitGate<<<1 << (qubits - 10), 256>>>(state, 3, 17, 1u << (qubits - 2));
    keep("twoQubitGate", state, 1 << qubits);
}

static void runShapes() {
    std::vector<Box> boxes(3000);
    for (int i = 0; i < 3000; ++i) {
        auto unit = [&](int k) { return mixBits(i * 8 + k) / 4294967296.0f; };
        float a = unit(6) * 6.28f, b = unit(7) * 3.1f;
        float ca = cosf(a), sa = sinf(a), cb = cosf(b), sb = sinf(b);
        boxes[i].centre = make_float3(unit(0) * 8, unit(1) * 8, unit(2) * 8);
        boxes[i].half = make_float3(0.3f + unit(3), 0.3f + unit(4), 0.3f + unit(5));
        boxes[i].axis[0] = make_float3(ca, sa, 0);
        boxes[i].axis[1] = make_float3(-sa * cb, ca * cb, sb);
        boxes[i].axis[2] = make_float3(sa * sb, -ca * sb, cb);
    }
    const int tests = 200000;
    u8* hit = cleared<u8>(tests);
    boxOverlaps<<<parts(tests, 128), 128>>>(uploaded(boxes), (int2*)picked(2 * tests, 3000), hit, tests);
    keep("boxOverlaps", hit, tests);

    const int leaves = 300000;
    std::vector<u32> codes(leaves);
    for (int i = 0; i < leaves; ++i) codes[i] = mixBits(i) >> 2;
    std::sort(codes.begin(), codes.end());
    int2* children = (int2*)cleared<int>(2 * leaves);
    radixTree<<<parts(leaves, 256), 256>>>(uploaded(codes), leaves, children);
    keep("radixTree", (int*)children, 2 * leaves - 2);

    const int w = 900, h = 700;
    std::vector<float> land(w * h);
    for (int i = 0; i < w * h; ++i)
        land[i] = sinf(i % w * 0.031f) + cosf(i / w * 0.047f) + mixBits(i) / 4294967296.0f * 0.2f;
    float4* segments = cleared<float4>(200000);
    int* found = cleared<int>(1);
    contourSegments<<<dim3(parts(w, 32), parts(h, 8)), dim3(32, 8)>>>(uploaded(land), w, h, 0.3f, segments, 200000,
                                                                     found);
    keep("contourSegments", segments, 200000);
    keep("contourSegments count", found, 1);

    u32* picture = cleared<u32>(512 * 512);
    chaosGame<<<120, 128>>>(drawn(36, -0.8, 0.8), picture, 512, 400, 2024);
    keep("chaosGame", picture + 100 * 512, 200 * 512);

    float* winding = cleared<float>(12000);
    solidAngles<float><<<parts(12000, 128), 128>>>(drawn(300 * 9, -1, 1), 300, drawn(36000, -1.5, 1.5), winding, 12000);
    keep("solidAngles<float>", winding, 12000);
}

static void runMoney() {
    std::vector<float> factor(ASSETS * ASSETS);
    for (int i = 0; i < ASSETS; ++i)
        for (int j = 0; j <= i; ++j) {
            double v = i == j ? 1 : 0.4;
            for (int k = 0; k < j; ++k) v -= (double)factor[i * ASSETS + k] * factor[j * ASSETS + k];
            factor[i * ASSETS + j] = (float)(i == j ? sqrt(v) : v / factor[j * ASSETS + j]);
        }
    cudaMemcpyToSymbol(basketFactor, factor.data(), factor.size() * sizeof(float));
    float* payoff = cleared<float>(50000);
    basketPaths<<<parts(50000, 128), 128>>>(payoff, 50000, 24, 0.03f, 0.25f, 95.0f, 909);
    keep("basketPaths", payoff, 50000);

    const int options = 4000;
    std::vector<float2> terms(options);
    for (int i = 0; i < options; ++i) terms[i] = make_float2(50 + i % 100, 0.1f + mixBits(i) % 400 / 1000.0f);
    double* prices = cleared<double>(options);
    crankNicolson<<<parts(options, 64), 64>>>(uploaded(terms), cleared<double>(130 * options), prices, options, 40);
    keep("crankNicolson", prices, options);
}

int main() {
    double checksum = 0;
    for (auto group : {runImages, runSignals, runLearning, runMatrices, runTables, runCodes, runSequences,
                       runSimulation, runShapes, runMoney}) {
        group();
        cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            printf("%s\n", cudaGetErrorString(error));
            return 1;
        }
        for (const auto& result : results) {
            double sum = result.second();
            printf("%-26s %.6g\n", result.first.c_str(), sum);
            if (std::isfinite(sum) && sum != 0) checksum += sum / exp2(floor(log2(fabs(sum))));
        }
        results.clear();
        for (void* memory : rented) cudaFree(memory);
        rented.clear();
    }
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    printf("checksum %.5f, %s\n", checksum, cudaGetErrorString(error));
    return error != cudaSuccess;
}
