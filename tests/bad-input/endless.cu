// A kernel that never ends is stopped by --timeout; one that waits at a barrier for a thread that never
// comes, too, and a grid whose blocks end at once but are many.
// RUN: lockstep run --timeout 1 %s -- loop
// EXIT: 1
// OUT: ^702 cudaErrorLaunchTimeout: the launch timed out and was terminated$
// ERR: ^lockstep: .*kernel .*spin.*(1 s|1\.0 s|timed out|timeout|longer)
// LIMIT: 30
// RUN: lockstep run --timeout 1 %s -- lanes
// EXIT: 1
// ERR: ^lockstep: .*kernel .*spin_alone
// LIMIT: 30
// RUN: lockstep run --timeout 1 %s -- blocks
// EXIT: 1
// ERR: ^lockstep: kernel empty\(\): still running after 1 seconds \(--timeout\), with [0-9]+ of its 2147483647 blocks begun
// LIMIT: 30
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void spin(volatile int* flag) {
    while (*flag == 0) {
    }
}

// One lane waits for something that its neighbours will never do.
__global__ void spin_alone(volatile int* flag) {
    if (threadIdx.x == 3)
        while (*flag == 0) {
        }
    flag[threadIdx.x + 1] = 1;
}

__global__ void empty() {}

int main(int, char** argv) {
    int* flag = nullptr;
    cudaMalloc(&flag, 4096);
    cudaMemset(flag, 0, 4096);
    if (std::strcmp(argv[1], "loop") == 0)
        spin<<<2, 64>>>(flag);
    else if (std::strcmp(argv[1], "blocks") == 0)
        empty<<<2147483647, 1>>>();
    else
        spin_alone<<<1, 32>>>(flag);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d %s: %s\n", error, cudaGetErrorName(error), cudaGetErrorString(error));
    return error != cudaSuccess;
}
