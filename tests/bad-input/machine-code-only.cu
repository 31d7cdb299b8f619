// A program that nvcc built without PTX has nothing to run: the message says how to build it again.
// NEEDS: nvcc
// RUN: nvcc -gencode arch=compute_90,code=sm_90 -cudart shared -o %t/a.out %s && lockstep run %t/a.out
// EXIT: nonzero
// ERR: ^lockstep: .*(PTX|compute_)
// NOT: ^ran ok$
#include <cuda_runtime.h>

#include <cstdio>

__global__ void set(int* out) { *out = 7; }

int main() {
    int *device = nullptr, host = 0;
    cudaMalloc(&device, sizeof(int));
    set<<<1, 1>>>(device);
    cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
    if (host != 7) return 1;
    std::printf("ran ok\n");
}
