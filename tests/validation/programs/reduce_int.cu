// The integer reduction ladder: nine kernels, in place in global memory.
#include "program.h"

__global__ void neighbored(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x + tid;
    int* d = in + blockIdx.x * blockDim.x;
    if (idx >= n) return;
    for (int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0) d[tid] += d[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = d[0];
}
__global__ void neighboredLess(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x + tid;
    int* d = in + blockIdx.x * blockDim.x;
    if (idx >= n) return;
    for (int s = 1; s < blockDim.x; s *= 2) {
        int i = 2 * s * tid;
        if (i < blockDim.x) d[i] += d[i + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = d[0];
}
__global__ void interleaved(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x + tid;
    int* d = in + blockIdx.x * blockDim.x;
    if (idx >= n) return;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) d[tid] += d[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = d[0];
}
template <int U>
__global__ void unrolling(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x * U + tid;
    int* d = in + blockIdx.x * blockDim.x * U;
    if (idx + (U - 1) * blockDim.x < n) {
        int t = 0;
#pragma unroll
        for (int k = 0; k < U; ++k) t += in[idx + k * blockDim.x];
        in[idx] = t;
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) d[tid] += d[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = d[0];
}
__device__ void tail(volatile int* v, unsigned tid) {
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
}
__global__ void unrollWarps8(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x * 8 + tid;
    int* d = in + blockIdx.x * blockDim.x * 8;
    if (idx + 7 * blockDim.x < n) {
        int t = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k) t += in[idx + k * blockDim.x];
        in[idx] = t;
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) d[tid] += d[tid + s];
        __syncthreads();
    }
    if (tid < 32) tail(d, tid);
    if (tid == 0) out[blockIdx.x] = d[0];
}
__global__ void completeUnrollWarps8(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x * 8 + tid;
    int* d = in + blockIdx.x * blockDim.x * 8;
    if (idx + 7 * blockDim.x < n) {
        int t = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k) t += in[idx + k * blockDim.x];
        in[idx] = t;
    }
    __syncthreads();
    if (blockDim.x >= 1024 && tid < 512) d[tid] += d[tid + 512];
    __syncthreads();
    if (blockDim.x >= 512 && tid < 256) d[tid] += d[tid + 256];
    __syncthreads();
    if (blockDim.x >= 256 && tid < 128) d[tid] += d[tid + 128];
    __syncthreads();
    if (blockDim.x >= 128 && tid < 64) d[tid] += d[tid + 64];
    __syncthreads();
    if (tid < 32) tail(d, tid);
    if (tid == 0) out[blockIdx.x] = d[0];
}
template <unsigned B>
__global__ void completeUnroll(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x, idx = blockIdx.x * blockDim.x * 8 + tid;
    int* d = in + blockIdx.x * blockDim.x * 8;
    if (idx + 7 * blockDim.x < n) {
        int t = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k) t += in[idx + k * blockDim.x];
        in[idx] = t;
    }
    __syncthreads();
    if (B >= 1024 && tid < 512) d[tid] += d[tid + 512];
    __syncthreads();
    if (B >= 512 && tid < 256) d[tid] += d[tid + 256];
    __syncthreads();
    if (B >= 256 && tid < 128) d[tid] += d[tid + 128];
    __syncthreads();
    if (B >= 128 && tid < 64) d[tid] += d[tid + 64];
    __syncthreads();
    if (tid < 32) tail(d, tid);
    if (tid == 0) out[blockIdx.x] = d[0];
}
int main(int argc, char** argv) {
    const int block = 512, n = (1 << 24) / divisor(argc, argv);
    std::vector<int> h(n);
    long total = 0;
    for (int i = 0; i < n; ++i) {
        h[i] = (i * 2654435761u >> 13) & 0xFF;
        total += h[i];
    }
    const int* pristine = to_device(h);
    int *in = to_device(h), *out;
    CHECK(cudaMalloc(&out, n / block * sizeof(int)));
    const auto go = [&](const char* name, int per_thread, void (*kernel)(int*, int*, unsigned)) {
        const int grid = n / block / per_thread;
        CHECK(cudaMemcpy(in, pristine, n * sizeof(int), cudaMemcpyDeviceToDevice));
        kernel<<<grid, block>>>(in, out, n);
        long sum = 0;
        for (int part : to_host(out, grid)) sum += part;
        verdict(name, sum == total);
    };
    go("neighbored", 1, neighbored);
    go("neighboredLess", 1, neighboredLess);
    go("interleaved", 1, interleaved);
    go("unrolling2", 2, unrolling<2>);
    go("unrolling4", 4, unrolling<4>);
    go("unrolling8", 8, unrolling<8>);
    go("unrollWarps8", 8, unrollWarps8);
    go("completeUnrollWarps8", 8, completeUnrollWarps8);
    go("completeUnroll512", 8, completeUnroll<512>);
    return wrong_results;
}
