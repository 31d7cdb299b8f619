// bug: none
// line: 0
// kernel: relax
// note: a cooperative grid meets between sweeps that read what other blocks wrote
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void relax(int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto grid = cg::this_grid();
    for (int step = 0; step < 4; ++step) {
        b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
        grid.sync();
        int* other = a;
        a = b;
        b = other;
    }
}

int main() {
    int n = 512;
    std::vector<int> h(n, 1);
    int *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    void* args[] = {&a, &b, &n};
    CHECK(cudaLaunchCooperativeKernel(relax, dim3(4), dim3(128), args, 0, nullptr));
    CHECK(cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%d\n", h[0]);
    return 0;
}
