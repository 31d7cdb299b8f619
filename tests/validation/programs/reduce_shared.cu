// The float reduction ladder in shared memory: eight kernels; and cub::DeviceReduce beside them, where CUB is
// installed and asked for (-DWITH_CUB).
#include <cmath>

#include "program.h"
#ifdef WITH_CUB
#include <cub/cub.cuh>
#endif

constexpr int B = 256;
__global__ void s1(const float* g, float* o, int n) {
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? g[i] : 0;
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void s2(const float* g, float* o, int n) {
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? g[i] : 0;
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        unsigned j = 2 * k * t;
        if (j < blockDim.x) s[j] += s[j + k];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void s3(const float* g, float* o, int n) {
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? g[i] : 0;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void s4(const float* g, float* o, int n) {
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * B * 2 + t;
    s[t] = g[i] + g[i + B];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
__device__ void tailf(volatile float* s, unsigned t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
__global__ void s5(const float* g, float* o, int n) {
    __shared__ float s[B];
    unsigned t = threadIdx.x, i = blockIdx.x * B * 2 + t;
    s[t] = g[i] + g[i + B];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) tailf(s, t);
    if (t == 0) o[blockIdx.x] = s[0];
}
template <int BS>
__global__ void s6(const float* g, float* o, int n) {
    __shared__ float s[BS];
    unsigned t = threadIdx.x, i = blockIdx.x * BS * 2 + t;
    s[t] = g[i] + g[i + BS];
    __syncthreads();
    if constexpr (BS >= 512) {
        if (t < 256) s[t] += s[t + 256];
        __syncthreads();
    }
    if constexpr (BS >= 256) {
        if (t < 128) s[t] += s[t + 128];
        __syncthreads();
    }
    if constexpr (BS >= 128) {
        if (t < 64) s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32) tailf(s, t);
    if (t == 0) o[blockIdx.x] = s[0];
}
template <int BS>
__global__ void s7(const float* g, float* o, int n) {
    __shared__ float s[BS];
    unsigned t = threadIdx.x;
    float a = 0;
    for (unsigned i = blockIdx.x * BS * 2 + t; i < n; i += BS * 2 * gridDim.x) a += g[i] + g[i + BS];
    s[t] = a;
    __syncthreads();
    if constexpr (BS >= 256) {
        if (t < 128) s[t] += s[t + 128];
        __syncthreads();
    }
    if constexpr (BS >= 128) {
        if (t < 64) s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32) tailf(s, t);
    if (t == 0) o[blockIdx.x] = s[0];
}
template <int BS>
__global__ void s8(const float* g, float* o, int n) {
    __shared__ float s[BS];
    unsigned t = threadIdx.x;
    float a = 0;
    for (unsigned i = blockIdx.x * BS * 2 + t; i < n; i += BS * 2 * gridDim.x) a += g[i] + g[i + BS];
    s[t] = a;
    __syncthreads();
    if constexpr (BS >= 256) {
        if (t < 128) s[t] += s[t + 128];
        __syncthreads();
    }
    if constexpr (BS >= 128) {
        if (t < 64) s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int k = 16; k; k >>= 1) v += __shfl_down_sync(~0u, v, k);
        if (t == 0) o[blockIdx.x] = v;
    }
}
int main(int argc, char** argv) {
    const int parts = divisor(argc, argv), n = (1 << 26) / parts;
    std::vector<float> h(n);
    double total = 0;
    for (int i = 0; i < n; ++i) {
        h[i] = (i * 2654435761u >> 20) & 15;
        total += h[i];
    }
    const float* in = to_device(h);
    float* out;
    CHECK(cudaMalloc(&out, n / B * sizeof(float)));
    const auto go = [&](const char* name, int grid, void (*kernel)(const float*, float*, int)) {
        kernel<<<grid, B>>>(in, out, n);
        double sum = 0;
        for (float part : to_host(out, grid)) sum += part;
        verdict(name, sum == total);
    };
    go("step1", n / B, s1);
    go("step2", n / B, s2);
    go("step3", n / B, s3);
    go("step4", n / B / 2, s4);
    go("step5", n / B / 2, s5);
    go("step6", n / B / 2, s6<B>);
    go("step7", 132 * 16 / parts, s7<B>);
    go("step8", 132 * 16 / parts, s8<B>);
#ifdef WITH_CUB
    // Sizes as measured; those that take over 1 GB only where nothing is divided.
    const auto library = [&](auto count) {
        float* data;
        void* workspace;
        std::size_t bytes = 0;
        CHECK(cudaMalloc(&data, count * sizeof(float)));
        CHECK(cudaMemset(data, 0x3f, count * sizeof(float)));  // 0x3f3f3f3f is about 0.747
        CHECK(cub::DeviceReduce::Sum(nullptr, bytes, data, out, count));
        CHECK(cudaMalloc(&workspace, bytes));
        CHECK(cub::DeviceReduce::Sum(workspace, bytes, data, out, count));
        verdict("cub::DeviceReduce", std::fabs(to_host(out, 1)[0] / (0.74705875 * count) - 1) < 1e-4);
        CHECK(cudaFree(data));
        CHECK(cudaFree(workspace));
    };
    library(1 << 26);
    library(std::size_t(1) << 20);
    library(std::size_t(1) << 24);
    if (parts == 1) {
        library(std::size_t(1) << 28);
        library(std::size_t(1) << 30);
    }
#endif
    return wrong_results;
}
