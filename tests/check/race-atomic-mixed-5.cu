// bug: race-atomic-mixed
// line: 13,13
// kernel: claim
// note: block-scope atomics on a counter that all blocks share: atomicAdd_block is atomic only among threads of its own block
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void claim(int* next, int* owner, int n) {
    int i = atomicAdd_block(next, 1);
    if (i < n) owner[i] = blockIdx.x;
}

int main() {
    const int n = 512;
    std::vector<int> r(n);
    int *next, *owner, got = 0;
    CHECK(cudaMalloc(&next, 4));
    CHECK(cudaMalloc(&owner, n * 4));
    CHECK(cudaMemset(next, 0, 4));
    claim<<<4, 128>>>(next, owner, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, next, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(next));
    CHECK(cudaFree(owner));
    std::printf("%d\n", got);
    return got != n;
}
