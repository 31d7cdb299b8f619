// A write through a null pointer, by one thread of many.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^700 cudaErrorIllegalAddress: an illegal memory access was encountered$
// ERR: ^lockstep: .*kernel .*poke.*block \(1, ?0, ?0\), thread \(5, ?0, ?0\): write of 4 bytes at (0x)?0*\b.*null-pointer\.cu:%l\)?
// NOT: went on
#include <cuda_runtime.h>

#include <cstdio>

__global__ void poke(int* p) {
    if (blockIdx.x == 1 && threadIdx.x == 5) *p = 1;  // HERE
}

int main() {
    poke<<<4, 64>>>(nullptr);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d %s: %s\n", error, cudaGetErrorName(error), cudaGetErrorString(error));
    if (error == cudaSuccess) std::printf("went on\n");
    return error != cudaSuccess;
}
