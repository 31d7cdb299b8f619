// A warp function's mask without the bit of the lane that calls it: an H200 stops with an illegal instruction.
// RUN: lockstep run %s -- 0
// OUT: ^cudaErrorIllegalInstruction$
// ERR: ^lockstep: kernel lanes_below\(unsigned int\*\), block \(0,0,0\), thread \(0,0,0\): the mask 0x00000000 of a warp function has no bit for the lane that calls it, 0 \(.*mask-without-caller\.cu:%l\)
// RUN: lockstep run %s -- 1
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel half_of_it.*thread \(0,0,0\): the mask 0xffff0000 of a warp function has no bit
// RUN: lockstep run %s -- 2
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel from_host.*thread \(16,0,0\): the mask 0x0000ffff of a warp function has no bit
// RUN: lockstep run %s -- 3
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel others\(.*thread \(0,0,0\): the mask 0xfffffffe of a warp function has no bit
// RUN: lockstep run --gpu p2000 %s -- 2
// OUT: ^cudaSuccess$
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void lanes_below(unsigned* out) {
    const unsigned lane = threadIdx.x & 31, below = (1u << lane) - 1;
    out[threadIdx.x] = __ballot_sync(below, threadIdx.x % 3 == 0);  // HERE
}
__global__ void half_of_it(unsigned* out) {
    unsigned value = 0;
    if (threadIdx.x < 16) value = __shfl_sync(0xffff0000, threadIdx.x, 3);
    out[threadIdx.x] = value;
}
__global__ void from_host(unsigned* out, unsigned mask) {
    if (threadIdx.x < 24) __syncwarp(mask);
    out[threadIdx.x] = 1;
}
__global__ void others(unsigned* out) { out[threadIdx.x] = __any_sync(~(1u << threadIdx.x), 1); }

int main(int, char** argv) {
    unsigned* out = nullptr;
    cudaMalloc(&out, 128);
    switch (std::atoi(argv[1])) {
        case 0: lanes_below<<<1, 32>>>(out); break;
        case 1: half_of_it<<<1, 32>>>(out); break;
        case 2: from_host<<<1, 32>>>(out, 0xffff); break;
        case 3: others<<<1, 32>>>(out); break;
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
