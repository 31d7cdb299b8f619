// A HIP program on an MI100: the API, and kernels whose results the host checks.
// RUN: cd %t; printf '#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = 42; }\nvoid go(int* p) { k<<<1, 1>>>(p); }\n' > part.hip; printf '#include <hip/hip_runtime.h>\nvoid go(int*);\nint main() { int *p, v = 0; (void)hipMalloc(&p, 4); go(p); (void)hipMemcpy(&v, p, 4, hipMemcpyDeviceToHost); return v != 42; }\n' > whole.cpp; lockstep hipcc --emit-static-lib part.hip -o libpart.a && lockstep hipcc whole.cpp -L. -lpart -o whole && ./whole && echo the static library works
// OUT: ^the static library works$
// RUN: lockstep run %s
// OUT: ^device: AMD Instinct MI100 gfx908:sramecc\+:xnack- 64$
// OUT: ^lane 63 of 64 says 7 2.5 text$
// OUT: ^all good$
// NOT: wrong
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        const hipError_t error = call;                                                            \
        if (error != hipSuccess) printf("wrong: %s: %s\n", #call, hipGetErrorString(error));      \
    } while (0)
#define EXPECT(condition) \
    if (!(condition)) printf("wrong: %s (line %d)\n", #condition, __LINE__)

__constant__ float factors[4];
__device__ int counter;

// A reduction whose last steps are a wavefront's: 64 lanes.
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

__global__ void wavefront(unsigned long long* ballots, int* lanes) {
    const unsigned lane = __lane_id();
    const unsigned long long odd = __ballot(lane & 1), all = __activemask();
    if (lane == 0) ballots[0] = odd, ballots[1] = all;
    lanes[lane] = __shfl_xor((int)lane, 32);
    lanes[64 + lane] = __shfl((int)lane, 3, 16);
    if (lane == 63) printf("lane %u of %d says %d %.1f %s\n", lane, warpSize, 7, 2.5f, "text");
    if (__any(lane == 5) && __all(lane < 64)) atomicAdd(&counter, 1);
}

template <class T>
__global__ void arithmetic(T* v, __half* h, double* d) {
    const int i = threadIdx.x;
    v[i] = v[i] * factors[i % 4] + T(gridDim.x);
    h[i] = __hfma(h[i], __float2half(2.0f), __float2half(1.0f));
    d[i] = sqrt(d[i]) + exp(-d[i]);
}

int main() {
    hipDeviceProp_t properties;
    CHECK(hipGetDeviceProperties(&properties, 0));
    printf("device: %s %s %d\n", properties.name, properties.gcnArchName, properties.warpSize);
    int value = 0;
    CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
    EXPECT(value == 64);
    EXPECT(hipSetDevice(5) == hipErrorInvalidDevice);
    EXPECT(hipGetLastError() == hipErrorInvalidDevice);
    EXPECT(std::string(hipGetErrorName(hipErrorInvalidValue)) == "hipErrorInvalidValue");

    constexpr int n = 10000;
    std::vector<float> numbers(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += numbers[i] = i % 17;
    float *in, *out, result = 0;
    CHECK(hipMalloc(&in, n * sizeof(float)));
    CHECK(hipMalloc(&out, sizeof(float)));
    CHECK(hipMemcpy(in, numbers.data(), n * sizeof(float), hipMemcpyHostToDevice));
    CHECK(hipMemset(out, 0, sizeof(float)));
    hipStream_t stream;
    hipEvent_t start, stop;
    CHECK(hipStreamCreate(&stream));
    CHECK(hipEventCreate(&start));
    CHECK(hipEventCreateWithFlags(&stop, hipEventReleaseToSystem));
    CHECK(hipEventRecord(start, stream));
    hipLaunchKernelGGL(sum, dim3(4), dim3(256), 256 * sizeof(float), stream, in, out, n);
    CHECK(hipEventRecord(stop, stream));
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipMemcpy(&result, out, sizeof result, hipMemcpyDeviceToHost));
    EXPECT(result == expected);

    unsigned long long* ballots;
    int* lanes;
    CHECK(hipMallocManaged(&ballots, 2 * sizeof *ballots));
    CHECK(hipHostMalloc(&lanes, 128 * sizeof *lanes, hipHostMallocCoherent));
    wavefront<<<1, 64>>>(ballots, lanes);
    CHECK(hipDeviceSynchronize());
    EXPECT(ballots[0] == 0xaaaaaaaaaaaaaaaaull && ballots[1] == ~0ull);
    for (int i = 0; i < 64; ++i) EXPECT(lanes[i] == (i ^ 32) && lanes[64 + i] == (i & ~15) + 3);
    int counted = 0;
    CHECK(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(counter), sizeof counted));
    EXPECT(counted == 64);

    const float host_factors[4] = {1, 2, 3, 4};
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), host_factors, sizeof host_factors));
    float* v;
    __half* h;
    double* d;
    CHECK(hipMallocManaged(&v, 64 * sizeof *v));
    CHECK(hipMallocManaged(&h, 64 * sizeof *h));
    CHECK(hipMallocManaged(&d, 64 * sizeof *d));
    for (int i = 0; i < 64; ++i) v[i] = i, h[i] = __float2half(i), d[i] = 0.1 * i;
    hipLaunchKernelGGL(HIP_KERNEL_NAME(arithmetic<float>), 1, 64, 0, 0, v, h, d);
    CHECK(hipDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
        EXPECT(v[i] == i * (i % 4 + 1) + 1);
        EXPECT(__half2float(h[i]) == 2 * i + 1);
        EXPECT(std::fabs(d[i] - (std::sqrt(0.1 * i) + std::exp(-0.1 * i))) < 1e-14);
    }
    CHECK(hipFree(in));
    CHECK(hipFree(out));
    printf("all good\n");
}
