// A kernel that declares more shared memory than any launch could give it.
// RUN: lockstep run %s
// EXIT: nonzero
// ERR: (too_much|shared)
// NOT: ^ran ok$
#include <cuda_runtime.h>

#include <cstdio>

__global__ void too_much(int* out) {
    __shared__ int memory[100000];
    memory[threadIdx.x * 777 % 100000] = 1;
    __syncthreads();
    out[threadIdx.x] = memory[threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4096);
    too_much<<<1, 32>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) return 1;
    std::printf("ran ok\n");
}
