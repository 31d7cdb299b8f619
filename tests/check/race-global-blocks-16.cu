// bug: race-global-blocks
// line: 17,19
// kernel: relax
// note: the second sweep reads what other blocks write in the first: the grid does not meet in between
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void relax(int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[(i + 1) % n] + 1;
    cg::this_thread_block().sync();
    a[i] = b[(i + 1) % n];
    cg::this_grid().sync();
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
    CHECK(cudaMemcpy(h.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%d\n", h[0]);
    return 0;
}
