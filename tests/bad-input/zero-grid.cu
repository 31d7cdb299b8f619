// Grids and blocks of no threads: refused, with the kernel's name and the numbers, and the program sees
// CUDA's error.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^grid: cudaErrorInvalid(Configuration|Value)$
// OUT: ^block: cudaErrorInvalid(Configuration|Value)$
// ERR: ^lockstep: .*kernel .*do_nothing.*grid \(0, ?1, ?1\)
// ERR: ^lockstep: .*kernel .*do_nothing.*block \(32, ?0, ?1\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void do_nothing() {}

int main() {
    do_nothing<<<0, 32>>>();
    std::printf("grid: %s\n", cudaGetErrorName(cudaGetLastError()));
    do_nothing<<<1, dim3(32, 0)>>>();
    cudaError_t error = cudaGetLastError();
    std::printf("block: %s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
