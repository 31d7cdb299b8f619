// Past the end of the block's shared memory.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*spill.*block \(2, ?0, ?0\), thread \(9, ?0, ?0\): write of 4 bytes.*shared.*out-of-bounds-shared\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void spill(int* out, int beyond) {
    __shared__ int memory[64];
    memory[threadIdx.x] = threadIdx.x;
    if (blockIdx.x == 2 && threadIdx.x == 9) memory[beyond] = 1;  // HERE
    __syncthreads();
    out[threadIdx.x] = memory[63 - threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4096);
    spill<<<4, 64>>>(out, 1 << 18);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
