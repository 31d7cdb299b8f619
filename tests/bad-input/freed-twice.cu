// Freeing twice in a kernel: an H200 gives cudaErrorLaunchFailure, also where the second time is in another launch.
// RUN: lockstep run %s -- 0
// OUT: ^cudaErrorLaunchFailure$
// ERR: ^lockstep: kernel at_once\(\), block \(0,0,0\), thread \(0,0,0\): free of 0x[0-9a-f]+, which was freed before: it points to 0 bytes inside the 16-byte allocation at .*freed-twice\.cu:%l\)
// RUN: lockstep run %s -- 1
// OUT: ^cudaErrorLaunchFailure$
// ERR: kernel give\(.*which was freed before
// RUN: lockstep run %s -- 2
// OUT: ^cudaErrorIllegalAddress$
// ERR: kernel give\(.*which is not a pointer from malloc in a kernel
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void at_once() {
    void* volatile p = malloc(16);
    free(p);
    free(p);  // HERE
}
__global__ void take(void** kept) { *kept = malloc(64); }
__global__ void give(void** kept) { free(*kept); }

int main(int, char** argv) {
    void** kept = nullptr;
    cudaMalloc(&kept, sizeof(void*));
    switch (std::atoi(argv[1])) {
        case 0: at_once<<<1, 1>>>(); break;
        case 1:
            take<<<1, 1>>>(kept);
            give<<<1, 1>>>(kept);
            give<<<1, 1>>>(kept);
            break;
        case 2: {
            void* other = nullptr;
            cudaMalloc(&other, 64);
            cudaMemcpy(kept, &other, sizeof other, cudaMemcpyHostToDevice);
            give<<<1, 1>>>(kept);
        }
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
