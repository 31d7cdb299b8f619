// Threads that wait for each other at different barriers: a fault that says so, not a hang.
// RUN: lockstep run --timeout 5 %s
// EXIT: 1
// ERR: ^lockstep: .*kernel .*meet
// LIMIT: 30
#include <cuda_runtime.h>

#include <cstdio>

__global__ void meet() {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
}

int main() {
    meet<<<1, 64>>>();
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
