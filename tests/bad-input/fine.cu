// A program with nothing wrong in it, for the tests of the command's own mistakes.
// RUN: lockstep run %s
// OUT: ^fine ok$
#include <cuda_runtime.h>

#include <cstdio>

__global__ void set(int* out) { *out = 7; }

int main() {
    int *device = nullptr, host = 0;
    cudaMalloc(&device, sizeof(int));
    set<<<1, 1>>>(device);
    cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("fine %s\n", host == 7 ? "ok" : "WRONG");
    return host != 7;
}
