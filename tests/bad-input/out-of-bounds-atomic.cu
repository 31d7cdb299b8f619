// An atomic outside every allocation.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*count.*block \(0, ?0, ?0\), thread \(33, ?0, ?0\): .*4 bytes.*0x[0-9a-f]+.*out-of-bounds-atomic\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(unsigned* bins) {
    unsigned* bin = bins + (threadIdx.x == 33 ? 1 << 20 : threadIdx.x % 8);
    atomicAdd(bin, 1u);  // HERE
}

int main() {
    unsigned* bins = nullptr;
    cudaMalloc(&bins, 32);
    count<<<1, 64>>>(bins);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
