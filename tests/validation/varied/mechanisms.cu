// Kernels that each put one mechanism of the SM, the L2 or the code's way to the SM before all others.
#include "inputs.h"

#define ID (blockIdx.x * blockDim.x + threadIdx.x)

// ---- many threads at one word
__global__ void histogramGlobal(const unsigned char* data, unsigned* counts, int n) {
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) atomicAdd(counts + data[i], 1u);
}
__global__ void histogramShared(const unsigned char* data, unsigned* counts, int n) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) atomicAdd(own + data[i], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(counts + i, own[i]);
}
__global__ void floatAddBySwap(float* sums, const float* values, int words) {
    int* address = reinterpret_cast<int*>(sums + ID % words);
    int old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, __float_as_int(values[ID] + __int_as_float(assumed)));
    } while (assumed != old);
}
__global__ void doubleMaxBySwap(double* most, const double* values, int n) {
    auto* address = reinterpret_cast<unsigned long long*>(most);
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) {
        unsigned long long old = *address, assumed;
        do {
            assumed = old;
            old = atomicCAS(
                address, assumed,
                (unsigned long long)__double_as_longlong(fmax(values[i], __longlong_as_double(assumed))));
        } while (assumed != old);
    }
}
__global__ void sharedSwap(float* sums, const float* values, int words) {
    __shared__ int own[1024];
    own[threadIdx.x] = 0;
    __syncthreads();
    int* address = own + threadIdx.x % words;
    for (int i = 0; i < 4; ++i) {
        int old = *address, assumed;
        do {
            assumed = old;
            old = atomicCAS(address, assumed, __float_as_int(values[ID] + __int_as_float(assumed)));
        } while (assumed != old);
    }
    __syncthreads();
    sums[ID] = __int_as_float(own[threadIdx.x]);
}
__global__ void sharedFloatAdd(float* sums, const float* values, int words) {
    __shared__ float own[1024];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 8; ++i) atomicAdd(own + threadIdx.x % words, values[ID] + i);
    __syncthreads();
    sums[ID] = own[threadIdx.x];
}
__global__ void sharedIntAdd(int* sums, const int* values, int words) {
    __shared__ int own[1024];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 64; ++i) atomicAdd(own + threadIdx.x % words, values[ID] + i);
    __syncthreads();
    sums[ID] = own[threadIdx.x];
}
__global__ void spinLock(int* lock, volatile int* sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *sum = *sum + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
__global__ void lastBlock(int* count, float* part, const float* in, float* out) {
    __shared__ float sums[8];
    __shared__ bool last;
    float x = in[ID];
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; ++i) x += sums[i];
        part[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(count, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    float y = 0;
    for (int i = threadIdx.x; i < (int)gridDim.x; i += blockDim.x) y += ((volatile float*)part)[i];
    for (int d = 16; d; d /= 2) y += __shfl_down_sync(~0u, y, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = y;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; ++i) y += sums[i];
        *out = y;
    }
}

// ---- one warp, one thread
__global__ void oneWarpShared(const float* in, float* out, int rounds) {
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) s[i] = in[i];
    __syncthreads();
    for (int r = 0; r < rounds; ++r)
        for (int i = threadIdx.x; i < 1023; i += 32) {
            const float left = s[i], right = s[i + 1];
            s[i] = left * 0.5f + right * 0.5f;
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 32) out[i] = s[i];
}
__global__ void oneThreadSorts(const int* in, int* out, int n) {
    __shared__ int s[128];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 1; i < n; ++i) {
            const int x = s[i];
            int j = i - 1;
            while (j >= 0 && s[j] > x) {
                s[j + 1] = s[j];
                --j;
            }
            s[j + 1] = x;
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
__global__ void chase(const int* next, int* out, int steps) {
    int at = threadIdx.x;
    for (int i = 0; i < steps; ++i) at = next[at];
    out[threadIdx.x] = at;
}
__global__ void chaseShared(const int* next, int* out, int n, int steps) {
    __shared__ int s[1024];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = next[i];
    __syncthreads();
    int at = threadIdx.x;
    for (int i = 0; i < steps; ++i) at = s[at];
    out[threadIdx.x] = at;
}
__global__ void prefixOneThread(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}

// ---- banks
template <int stride>
__global__ void banks(const float* in, float* out, int rounds) {
    __shared__ float s[256 * stride];
    for (int i = 0; i < stride; ++i) s[threadIdx.x + 256 * i] = in[threadIdx.x];
    __syncthreads();
    float x = 0;
    for (int r = 0; r < rounds; ++r) {
        x += s[(threadIdx.x * stride + r) % (256 * stride)];
        s[threadIdx.x * stride] = x;
    }
    out[ID] = x;
}
template <int pad>
__global__ void transposeTile(const float* in, float* out, int n) {
    __shared__ float tile[32][32 + pad];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) out[(v + i) * n + u] = tile[threadIdx.x][threadIdx.y + i];
}

// ---- functions and conversions
#define EACH(name, type, expression)                              \
    __global__ void name(const type* in, type* out, int rounds) { \
        type x = in[ID];                                          \
        for (int i = 0; i < rounds; ++i) x = expression;          \
        out[ID] = x;                                              \
    }
EACH(powDouble, double, pow(x, 1.01) + 0.1)
EACH(expDouble, double, exp(x) * 0.3)
EACH(sinDouble, double, sin(x) + 0.2)
EACH(logDouble, double, log(x + 1.0) + 0.5)
EACH(rootDouble, double, sqrt(x) + 0.5)
EACH(divideDouble, double, 1.0 / (x + 0.5))
EACH(powFloat, float, powf(x, 1.01f) + 0.1f)
EACH(sinFloat, float, sinf(x) + 0.2f)
EACH(tanhFloat, float, tanhf(x) + 0.2f)
EACH(toFloat, float, (float)(__float_as_int(x) + i) * 1e-9f)
EACH(toInt, float, __int_as_float(0x3f800000 + ((int)(x * 100.0f) & 7)) + 1.0f)
EACH(longDivide, long long, (x * 7 + 1234567) / (i + 3))
EACH(intDivide, int, (x * 7 + 1234567) / (i + 3))
EACH(populations, unsigned, __popc(x) + __clz(x) * 3 + x)

// ---- structures
struct Six {
    float a, b, c, d, e, f;
};
struct Eight {
    double a, b, c, d;
};
__global__ void storeSix(Six* out, const float* in) {
    const float x = in[ID];
    out[ID] = {x, x + 1, x + 2, x + 3, x + 4, x + 5};
}
__global__ void storeEight(Eight* out, const double* in) {
    const double x = in[ID];
    out[ID] = {x, x + 1, x + 2, x + 3};
}
__global__ void loadSix(const Six* in, float* out) {
    const Six s = in[ID];
    out[ID] = s.a * s.b + s.c * s.d + s.e * s.f;
}
__global__ void updateEight(Eight* all) {
    Eight s = all[ID];
    s.a += s.c * 0.1, s.b += s.d * 0.1;
    all[ID] = s;
}

// ---- products of matrices
__global__ void naive(const float* a, const float* b, float* c, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
__global__ void checked(const float* a, const float* b, float* c, int m, int n, int p) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < p) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * p + column];
        c[row * p + column] = sum;
    }
}
template <int side>
__global__ void tiledChecked(const float* a, const float* b, float* c, int n) {
    __shared__ float s[side][side], t[side][side];
    const int row = blockIdx.y * side + threadIdx.y, column = blockIdx.x * side + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += side) {
        s[threadIdx.y][threadIdx.x] = row < n && k + (int)threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
        t[threadIdx.y][threadIdx.x] =
            column < n && k + (int)threadIdx.y < n ? b[(k + threadIdx.y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < side; ++i) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

// ---- bytes
template <class T>
__global__ void sharedBytes(const T* in, T* out, int rounds) {
    __shared__ T s[256];
    s[threadIdx.x] = in[ID];
    __syncthreads();
    T x = 0;
    for (int r = 0; r < rounds; ++r) {
        x += s[(threadIdx.x + r) % 256];
        s[threadIdx.x] = x;
        __syncthreads();
    }
    out[ID] = x;
}
__global__ void bytesOnce(const unsigned char* in, unsigned char* out) {
    __shared__ unsigned char s[256];
    s[threadIdx.x] = in[ID];
    __syncthreads();
    out[ID] = s[255 - threadIdx.x];
}

// ---- loops whose ends lanes decide
__global__ void collatz(int* steps, int first) {
    unsigned long long x = first + ID;
    int count = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        ++count;
    }
    steps[ID] = count;
}
__global__ void collatzInt(int* steps, int first) {
    unsigned x = first + ID;
    int count = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        ++count;
    }
    steps[ID] = count;
}
__global__ void mandelbrotSet(int* out, int width, int most) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / width;
    float x = 0, y = 0;
    int i = 0;
    while (x * x + y * y < 4 && i < most) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++i;
    }
    out[py * width + px] = i;
}
__global__ void gcds(const int* a, const int* b, int* out) {
    int x = a[ID] + 1, y = b[ID] + 1;
    while (y) {
        const int rest = x % y;
        x = y;
        y = rest;
    }
    out[ID] = x;
}
__global__ void branchy(const int* in, int* out, int rounds) {
    int x = in[ID];
    for (int i = 0; i < rounds; ++i) {
        switch (x & 3) {
            case 0: x = x * 5 + 1; break;
            case 1: x = (x >> 1) ^ 0x55; break;
            case 2: x = x - (x >> 3); break;
            default: x = x * x + 7;
        }
    }
    out[ID] = x;
}

// ---- stores
__global__ void oneLine(int* out, int rounds) {
    for (int i = 0; i < rounds; ++i) ((volatile int*)out)[threadIdx.x % 32] = i;
}
__global__ void ownLine(int* out, int rounds) {
    for (int i = 0; i < rounds; ++i) ((volatile int*)out)[ID] = i;
}
__global__ void strided(float* out, const float* in, int stride, int n) {
    const int i = ID * stride % n;
    out[i] = in[i] * 2;
}

// ---- code that comes to the SM for the first time
template <int lines>
__global__ void longCode(const float* in, float* out, float a) {
    float x = in[ID], y = in[ID + 1];
#pragma unroll
    for (int i = 0; i < lines * 4; ++i) {
        x = x * a + (float)(i * i + 1);
        y = y * x + (float)(3 * i + 2);
    }
    out[ID] = x + y;
}
__global__ void barriers(const float* in, float* out, int rounds) {
    __shared__ float s[1024];
    s[threadIdx.x] = in[ID];
    for (int i = 0; i < rounds; ++i) {
        __syncthreads();
        const float x = s[(threadIdx.x + i) % blockDim.x];
        __syncthreads();
        s[threadIdx.x] = x + 1;
    }
    out[ID] = s[threadIdx.x];
}
__global__ void shuffles(const float* in, float* out, int rounds) {
    float x = in[ID];
    for (int i = 0; i < rounds; ++i)
        for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
    out[ID] = x;
}
__global__ void stream(const float4* in, float4* out) { out[ID] = in[ID]; }
__global__ void scaleSmall(const float* in, float* out, float a, int n) {
    if ((int)ID < n) out[ID] = in[ID] * a;
}
__global__ void gather(const float* in, const int* index, float* out) { out[ID] = in[index[ID]]; }

std::vector<int> ring(int n, int step) {
    std::vector<int> next(n);
    for (int i = 0; i < n; ++i) next[i] = (i + step) % n;
    return next;
}

int main() {
    const int n = 1 << 20;
    auto* equal = zeros<unsigned char>(n);
    auto* bytes = wholes<unsigned char>(n, 256);
    auto* counts = zeros<unsigned>(256);
    for (auto* data : {equal, bytes})
        for (int blocks : {132, 1024}) {
            histogramGlobal<<<blocks, 256>>>(data, counts, n);
            histogramShared<<<blocks, 256>>>(data, counts, n);
        }
    float *in = reals(4 * n), *out = zeros<float>(4 * n);
    double *din = reals<double>(n, 0.5, 2), *dout = zeros<double>(4 * n);
    int *ints = wholes(n, 1 << 20), *iout = zeros<int>(4 * n);
    for (int words : {1, 4, 32, 1024, 65536})
        for (int blocks : {1, 16, 132}) floatAddBySwap<<<blocks, 256>>>(out, in, words);
    doubleMaxBySwap<<<16, 128>>>(dout, din, 1 << 13);
    for (int words : {1, 8, 32, 256})
        for (int blocks : {1, 264}) {
            sharedSwap<<<blocks, 256>>>(out, in, words);
            sharedFloatAdd<<<blocks, 256>>>(out, in, words);
            sharedIntAdd<<<blocks, 256>>>(iout, ints, words);
        }
    int* lock = zeros<int>(4);
    spinLock<<<8, 32>>>(lock, lock + 1);
    spinLock<<<132, 32>>>(lock, lock + 1);
    for (int blocks : {64, 1024, 8192}) {
        cudaMemset(lock, 0, 16);
        lastBlock<<<blocks, 256>>>(lock, out, in, out + n);
    }
    oneWarpShared<<<1, 32>>>(in, out, 20);
    oneWarpShared<<<1, 32>>>(in, out, 200);
    oneThreadSorts<<<1, 128>>>(ints, iout, 128);
    for (int size : {2048, 65536, 1 << 20}) {
        int* next = in_device(ring(size, 33 * 32 + 1));
        chase<<<1, 1>>>(next, iout, 400);
        chase<<<1, 32>>>(next, iout, 400);
    }
    int* next = in_device(ring(1024, 33));
    chaseShared<<<1, 1>>>(next, iout, 1024, 1000);
    chaseShared<<<1, 32>>>(next, iout, 1024, 1000);
    prefixOneThread<<<1, 1>>>(ints, iout, 512);
    for (int blocks : {1, 264}) {
        banks<1><<<blocks, 256>>>(in, out, 100);
        banks<2><<<blocks, 256>>>(in, out, 100);
        banks<4><<<blocks, 256>>>(in, out, 100);
        banks<8><<<blocks, 256>>>(in, out, 100);
    }
    transposeTile<0><<<dim3(32, 32), dim3(32, 8)>>>(in, out, 1024);
    transposeTile<1><<<dim3(32, 32), dim3(32, 8)>>>(in, out, 1024);
    transposeTile<2><<<dim3(32, 32), dim3(32, 8)>>>(in, out, 1024);
    for (int blocks : {4, 528}) {
        powDouble<<<blocks, 256>>>(din, dout, 8);
        expDouble<<<blocks, 256>>>(din, dout, 8);
        sinDouble<<<blocks, 256>>>(din, dout, 8);
        logDouble<<<blocks, 256>>>(din, dout, 8);
        rootDouble<<<blocks, 256>>>(din, dout, 8);
        divideDouble<<<blocks, 256>>>(din, dout, 8);
        powFloat<<<blocks, 256>>>(in, out, 8);
        sinFloat<<<blocks, 256>>>(in, out, 8);
        tanhFloat<<<blocks, 256>>>(in, out, 8);
        toFloat<<<blocks, 256>>>(in, out, 64);
        toInt<<<blocks, 256>>>(in, out, 64);
        longDivide<<<blocks, 256>>>((long long*)din, (long long*)dout, 8);
        intDivide<<<blocks, 256>>>(ints, iout, 16);
        populations<<<blocks, 256>>>((unsigned*)ints, (unsigned*)iout, 64);
        gcds<<<blocks, 256>>>(ints, ints + 1000, iout);
        collatz<<<blocks, 256>>>(iout, 1000);
        collatzInt<<<blocks, 256>>>(iout, 1000);
        branchy<<<blocks, 256>>>(ints, iout, 32);
    }
    for (int blocks : {16, 2048}) {
        storeSix<<<blocks, 256>>>((Six*)out, in);
        storeEight<<<blocks, 256>>>((Eight*)dout, din);
        loadSix<<<blocks, 256>>>((Six*)in, out);
        updateEight<<<blocks, 256>>>((Eight*)dout);
    }
    for (int size : {128, 256, 512}) {
        naive<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(in, in + n, out, size);
        naive<<<dim3(size / 32, size / 32), dim3(32, 32)>>>(in, in + n, out, size);
        checked<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(in, in + n, out, size - 3, size - 1, size - 5);
        tiledChecked<16><<<dim3(size / 16, size / 16), dim3(16, 16)>>>(in, in + n, out, size - 5);
        tiledChecked<32><<<dim3(size / 32, size / 32), dim3(32, 32)>>>(in, in + n, out, size - 5);
    }
    sharedBytes<unsigned char><<<4, 256>>>(bytes, equal, 50);
    sharedBytes<short><<<4, 256>>>((short*)ints, (short*)iout, 50);
    sharedBytes<int><<<4, 256>>>(ints, iout, 50);
    sharedBytes<unsigned char><<<528, 256>>>(bytes, equal, 50);
    sharedBytes<int><<<528, 256>>>(ints, iout, 50);
    bytesOnce<<<4, 256>>>(bytes, equal);
    bytesOnce<<<4096, 256>>>(bytes, equal);
    mandelbrotSet<<<dim3(16, 16), dim3(16, 16)>>>(iout, 256, 200);
    mandelbrotSet<<<dim3(32, 64), dim3(32, 8)>>>(iout, 1024, 100);
    oneLine<<<1, 32>>>(iout, 1000);
    oneLine<<<132, 256>>>(iout, 100);
    ownLine<<<1, 32>>>(iout, 1000);
    ownLine<<<132, 256>>>(iout, 100);
    for (int stride : {1, 2, 8, 33}) strided<<<2048, 256>>>(out, in, stride, 4 * n);
    for (int blocks : {1, 132}) {
        longCode<4><<<blocks, 32>>>(in, out, 0.5f);
        longCode<16><<<blocks, 32>>>(in, out, 0.5f);
        longCode<64><<<blocks, 32>>>(in, out, 0.5f);
        longCode<256><<<blocks, 32>>>(in, out, 0.5f);
        longCode<16><<<blocks, 512>>>(in, out, 0.5f);
        longCode<64><<<blocks, 512>>>(in, out, 0.5f);
    }
    barriers<<<1, 256>>>(in, out, 50);
    barriers<<<264, 256>>>(in, out, 50);
    barriers<<<264, 1024>>>(in, out, 50);
    shuffles<<<4, 256>>>(in, out, 10);
    shuffles<<<1056, 256>>>(in, out, 10);
    stream<<<1024, 256>>>((float4*)in, (float4*)out);
    stream<<<4096, 256>>>((float4*)in, (float4*)out);
    for (int blocks : {1, 132, 4096}) scaleSmall<<<blocks, 256>>>(in, out, 2.0f, n);
    gather<<<1024, 256>>>(in, ints, out);
    gather<<<4096, 256>>>(in, ints, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
