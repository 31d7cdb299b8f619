// bug: race-global-blocks
// line: 16
// kernel: tally
// note: each block takes the lock by an atomic, but leaves it without a fence, by an atomic that orders nothing
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void tally(const int* in, int* total, int* lock) {
    if (threadIdx.x == 0) {
        int mine = in[blockIdx.x];
        while (atomicCAS(lock, 0, 1) != 0) {}
        *total += mine;
        atomicExch(lock, 0);
    }
}

int main() {
    const int n = 8;
    std::vector<int> h(n, 1);
    int *in, *total, *lock;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMalloc(&lock, sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(total, 0, sizeof(int)));
    CHECK(cudaMemset(lock, 0, sizeof(int)));
    tally<<<n, 32>>>(in, total, lock);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), total, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
    CHECK(cudaFree(lock));
    std::printf("%d\n", h[0]);
    return 0;
}
