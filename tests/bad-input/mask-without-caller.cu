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
// RUN: lockstep run %s -- 4
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel all_take_it.*thread \(8,0,0\): the mask 0x000000ff of a warp function has no bit
// RUN: lockstep run %s -- 5
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel as_often.*thread \(8,0,0\): the mask 0x000000ff of a warp function has no bit
// RUN: lockstep run %s -- 6
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel work_before_leaving.*thread \(8,0,0\): the mask 0x000000ff of a warp function has no bit
// RUN: lockstep run %s -- 7
// OUT: ^cudaErrorIllegalInstruction$
// ERR: kernel return_and_branch.*thread \(8,0,0\): the mask 0x000000ff of a warp function has no bit
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

// All lanes come here together, but no compiler can know.
__global__ void all_take_it(unsigned* out, unsigned mask, unsigned lanes) {
    unsigned value = 7;
    if (threadIdx.x < lanes) value = __ballot_sync(mask, 1);
    out[threadIdx.x] = value;
}
__global__ void as_often(unsigned* out, unsigned mask) {
    for (unsigned turn = out[threadIdx.x]; turn < 2; ++turn) out[threadIdx.x] = __ballot_sync(mask, 1);
}
__global__ void work_before_leaving(unsigned* out, unsigned mask, unsigned lanes) {
    if (threadIdx.x >= lanes) {
        out[threadIdx.x] = 5;
        return;
    }
    out[threadIdx.x] = __ballot_sync(mask, 1);
}
__global__ void return_and_branch(unsigned* out, unsigned mask, unsigned lanes) {
    if (threadIdx.x >= lanes) return;
    unsigned value = 7;
    if (out[threadIdx.x] == 0) value = __shfl_sync(mask, threadIdx.x, 3);
    out[threadIdx.x] = value;
}

int main(int, char** argv) {
    unsigned* out = nullptr;
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    switch (std::atoi(argv[1])) {
        case 0: lanes_below<<<1, 32>>>(out); break;
        case 1: half_of_it<<<1, 32>>>(out); break;
        case 2: from_host<<<1, 32>>>(out, 0xffff); break;
        case 3: others<<<1, 32>>>(out); break;
        case 4: all_take_it<<<1, 32>>>(out, 0xff, 32); break;
        case 5: as_often<<<1, 32>>>(out, 0xff); break;
        case 6: work_before_leaving<<<1, 32>>>(out, 0xff, 32); break;
        case 7: return_and_branch<<<1, 32>>>(out, 0xff, 16); break;
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
