// bug: endless-loop
// line: 20
// kernel: transfer
// note: two blocks take two locks in opposite order and hold the first while they wait for the second
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void transfer(int* lock, int* account, int* arrived) {
    if (threadIdx.x) return;
    int first = blockIdx.x, second = 1 - blockIdx.x;
    while (atomicCAS(&lock[first], 0, 1) != 0) {
    }
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < 2) {
    }
    while (atomicCAS(&lock[second], 0, 1) != 0) {
    }
    __threadfence();
    account[first] -= 1;
    account[second] += 1;
    __threadfence();
    atomicExch(&lock[second], 0);
    atomicExch(&lock[first], 0);
}

int main() {
    int *p, r = 0;
    CHECK(cudaMalloc(&p, 20));
    CHECK(cudaMemset(p, 0, 20));
    transfer<<<2, 32>>>(p, p + 2, p + 4);
    cudaError_t e = cudaMemcpy(&r, p + 2, 4, cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorString(e));
    return 0;
}
