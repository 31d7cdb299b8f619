// The same program on each generation of AMD's GPUs: sums over wavefronts of 64 and 32 lanes, ballots,
// mathematics.
// RUN: lockstep run --gpu mi210 %s
// OUT: ^aaaaaaaaaaaaaaaa ffffffffffffffff 19 1$
// OUT: ^end$
// NOT: wrong
// RUN: lockstep run --gpu mi300x %s
// OUT: ^aaaaaaaaaaaaaaaa ffffffffffffffff 19 1$
// OUT: ^end$
// NOT: wrong
// RUN: lockstep run --gpu rx7900xtx %s
// OUT: ^aaaaaaaa ffffffff 19 1$
// OUT: ^end$
// NOT: wrong
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>
#define EXPECT(c) \
    if (!(c)) printf("wrong: %s\n", #c)
__global__ void sum(const float* in, float* out, int n) {
    extern __shared__ float part[];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s >= warpSize; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x >= warpSize) return;
    float value = part[threadIdx.x];
    for (int delta = warpSize / 2; delta > 0; delta /= 2) value += __shfl_down(value, delta);
    if (threadIdx.x == 0) atomicAdd(out, value);
}
__global__ void lanes(unsigned long long* b, int* v) {
    unsigned long long odd = __ballot(threadIdx.x & 1), all = __activemask();
    if (threadIdx.x == 0) b[0] = odd, b[1] = all;
    v[threadIdx.x] = __shfl_xor((int)threadIdx.x, 16);
    if (__any(threadIdx.x == 5) && __all(threadIdx.x < 64)) v[64] = 1;
}
__global__ void maths(float* v, __half* h, double* d, long long* l) {
    int i = threadIdx.x;
    v[i] = sinf(v[i]) * expf(v[i]) + powf(v[i], 1.5f) / 3.0f;
    h[i] = __hfma(h[i], __float2half(2.0f), __float2half(1.0f));
    d[i] = sqrt(d[i]) + exp(-d[i]) / 7.0;
    l[i] = l[i] * 1234567891011ll / (i + 3) % 1000003 + __popcll(l[i]) + __clz(i);
    if (i < 2) printf("i %d %f\n", i, v[i]);
}
int main() {
    int n = 100000;
    std::vector<float> x(n);
    double e = 0;
    for (int i = 0; i < n; ++i) x[i] = i % 7, e += x[i];
    float *a, *o;
    hipMalloc(&a, n * 4);
    hipMalloc(&o, 4);
    hipMemset(o, 0, 4);
    hipMemcpy(a, x.data(), n * 4, hipMemcpyHostToDevice);
    sum<<<40, 256, 1024>>>(a, o, n);
    float r;
    hipMemcpy(&r, o, 4, hipMemcpyDeviceToHost);
    EXPECT(r == e);
    unsigned long long* b;
    int* v;
    hipMallocManaged(&b, 16);
    hipMallocManaged(&v, 65 * 4);
    v[64] = 0;
    hipDeviceProp_t p;
    hipGetDeviceProperties(&p, 0);
    lanes<<<1, p.warpSize>>>(b, v);
    hipDeviceSynchronize();
    printf("%llx %llx %d %d\n", b[0], b[1], v[3], v[64]);
    float* f;
    __half* h;
    double* d;
    long long* l;
    hipMallocManaged(&f, 256);
    hipMallocManaged(&h, 128);
    hipMallocManaged(&d, 512);
    hipMallocManaged(&l, 512);
    for (int i = 0; i < 64; ++i) f[i] = i * .1f, h[i] = __float2half(i), d[i] = i, l[i] = i * 99991ll - 500;
    maths<<<1, 64>>>(f, h, d, l);
    printf("%s\n", hipGetErrorString(hipDeviceSynchronize()));
    for (int i = 0; i < 64; ++i) {
        float w = sinf(i * .1f) * expf(i * .1f) + powf(i * .1f, 1.5f) / 3.0f;
        EXPECT(fabs(f[i] - w) < 1e-3 * (1 + fabs(w)));
        EXPECT(__half2float(h[i]) == 2 * i + 1);
        double z = sqrt((double)i) + exp(-(double)i) / 7.0;
        EXPECT(fabs(d[i] - z) < 1e-12);
        long long q = i * 99991ll - 500;
        long long m =
            q * 1234567891011ll / (i + 3) % 1000003 + __builtin_popcountll(q) + (i ? __builtin_clz(i) : 32);
        EXPECT(l[i] == m);
    }
    printf("end\n");
}
