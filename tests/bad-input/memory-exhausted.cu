// More memory than the GPU has: the program gets CUDA's error and can go on.
// RUN: lockstep run --gpu gtx1650 %s
// EXIT: 1
// OUT: ^after [0-9]+ blocks: cudaErrorMemoryAllocation: out of memory$
// OUT: ^small one: cudaSuccess$
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    // Never touched, so that it costs the host only addresses.
    int count = 0;
    cudaError_t error = cudaSuccess;
    void *block = nullptr, *last = nullptr;
    while (count < 1000 && (error = cudaMalloc(&block, size_t{1} << 28)) == cudaSuccess) {
        last = block;
        ++count;
    }
    std::printf("after %d blocks: %s: %s\n", count, cudaGetErrorName(error), cudaGetErrorString(error));
    cudaFree(last);
    std::printf("small one: %s\n", cudaGetErrorName(cudaMalloc(&block, 1 << 20)));
    return error != cudaSuccess;
}
