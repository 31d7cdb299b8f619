// __trap() stops the kernel.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaError(LaunchFailure|IllegalInstruction)$
// ERR: ^lockstep: .*kernel .*stop.*block \(1, ?0, ?0\), thread \(7, ?0, ?0\): .*trap.*trap\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stop() {
    if (blockIdx.x == 1 && threadIdx.x == 7) __trap();  // HERE
}

int main() {
    stop<<<2, 32>>>();
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
