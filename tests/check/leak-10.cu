// bug: leak
// line: 17
// kernel: work
// note: each of four rounds allocates a workspace, and an early continue skips its free
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void work(int* a, int round) { a[threadIdx.x] = round; }
int main() {
    std::vector<int> h(64);
    for (int round = 0; round < 4; ++round) {
        int* a;
        CHECK(cudaMalloc(&a, (64 + round) * sizeof(int)));
        work<<<1, 64>>>(a, round);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(h.data(), a, 64 * sizeof(int), cudaMemcpyDeviceToHost));
        if (h[0] == 2) continue;
        CHECK(cudaFree(a));
    }
    std::printf("%d\n", h[0]);
    return 0;
}
