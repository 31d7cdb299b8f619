// bug: none
// line: 0
// kernel: ack
// note: recursion and calls through pointers in a kernel whose stack they share, with arrays on it that are filled before they are read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using Fn = int (*)(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int next(int x) { return x + 1; }
__device__ Fn table[2] = {twice, next};

__device__ __noinline__ int walk(int depth, int v) {
    int part[4];
    for (int k = 0; k < 4; ++k) part[k] = table[k & 1](v + k);
    if (depth == 0) return part[v & 3];
    return walk(depth - 1, part[depth & 3] % 100) + part[0];
}

__global__ void ack(const int* in, int* out) { out[threadIdx.x] = walk(in[threadIdx.x] % 5, threadIdx.x); }

int main() {
    std::vector<int> h(64);
    for (int i = 0; i < 64; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    ack<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[5]);
    return 0;
}
