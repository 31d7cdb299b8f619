// bug: race-global-blocks
// line: 16,18
// kernel: jacobi
// note: two sweeps in one launch: the barrier between them is __syncthreads where grid.sync() was needed
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__device__ void sweep(const double* a, double* b, int i, int n) {
    double l = i > 0 ? a[i - 1] : 0.0;
    double r = i < n - 1 ? a[i + 1] : 0.0;
    b[i] = 0.5 * (l + r);
}

__global__ void jacobi(double* a, double* b, int n) {
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sweep(a, b, i, n);
    block.sync();
    sweep(b, a, i, n);
}

int main() {
    int n = 256;
    std::vector<double> h(n, 1.0);
    double *a, *b;
    CHECK(cudaMalloc(&a, n * 8));
    CHECK(cudaMalloc(&b, n * 8));
    CHECK(cudaMemcpy(a, h.data(), n * 8, cudaMemcpyHostToDevice));
    void* args[] = {&a, &b, &n};
    CHECK(cudaLaunchCooperativeKernel((void*)jacobi, dim3(4), dim3(64), args));
    CHECK(cudaMemcpy(h.data(), a, n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%g\n", h[128]);
    return 0;
}
