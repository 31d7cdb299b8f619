// Matrix instructions that not all lanes of a warp reach together, and descriptors that leave shared memory.
// RUN: lockstep run --gpu h200 %s -- 0
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel half_a_warp\(.*: a matrix instruction needs all 32 lanes of its warp at once; those of 0x0000ffff are here \(.*matrix-part-of-a-warp\.cu:%l\)
// RUN: lockstep run --gpu h200 %s -- 1
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel half_a_warp\(.*those of 0x000fffff are here
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void half_a_warp(unsigned* out, unsigned lanes) {
    unsigned d = 0;
    if (threadIdx.x < lanes)
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(threadIdx.x));  // HERE
    out[threadIdx.x] = d;
}

int main(int, char** argv) {
    unsigned* out = nullptr;
    cudaMalloc(&out, 128);
    if (std::atoi(argv[1]) == 0)
        half_a_warp<<<1, 32>>>(out, 16);
    else
        half_a_warp<<<1, 20>>>(out, 32);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
