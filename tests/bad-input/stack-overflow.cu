// Recursion without end: a fault with the kernel's name, not a crash.
// RUN: lockstep run -O1 %s
// EXIT: 1
// ERR: ^lockstep: .*kernel .*deep.*(stack|recursion)
// LIMIT: 60
#include <cuda_runtime.h>

#include <cstdio>

__device__ __noinline__ int dive(int n, volatile int* sink) {
    int frame[16];
    for (int i = 0; i < 16; ++i) frame[i] = n + i;
    *sink = frame[n & 15];
    return dive(n + 1, sink) + frame[(n + 3) & 15];
}

__global__ void deep(int* out) { *out = dive(0, out); }

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4);
    deep<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
