// Accesses that miss their array: by default they end the kernel; with a GPU's rules they pass where a GPU lets them,
// and are told of once.
// RUN: lockstep run %s -- behind
// OUT: ^cudaErrorIllegalAddress 0$
// ERR: kernel add_one\(int\*, int\*, int\), block \(0,0,0\), thread \(100,0,0\): read of 4 bytes at 0x[0-9a-f]+ is out of bounds: just after the end of the 400-byte allocation at 0x[0-9a-f]+ \(device memory\); a GPU lets this pass, as --memory gpu does \(.*memory-rules\.cu:%l\)$
// RUN: lockstep run --memory gpu %s -- behind 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/g' | sort | uniq -c
// OUT: ^ *1 cudaSuccess 1$
// OUT: ^ *1 lockstep: warning: kernel add_one\(int\*, int\*, int\), block \(0,0,0\), thread \(100,0,0\): read of 4 bytes at ADDRESS is out of bounds, which a GPU lets pass: just after the end of the 400-byte allocation at ADDRESS \(device memory\) \(.*memory-rules\.cu:%l\)$
// OUT: ^ *1 lockstep: warning: kernel add_one.*: write of 4 bytes at ADDRESS is out of bounds, which a GPU lets pass
// RUN: lockstep run %s -- before
// OUT: ^cudaErrorIllegalAddress 0$
// ERR: 4 bytes before the 400-byte allocation at 0x[0-9a-f]+ \(device memory\); a GPU may let this pass, as --memory gpu does
// RUN: lockstep run %s -- before
// ENV: LOCKSTEP_MEMORY=gpu
// OUT: ^cudaSuccess 1$
// ERR: warning: kernel add_one.*thread \(0,0,0\): read of 4 bytes at 0x[0-9a-f]+ is out of bounds, which a GPU lets pass
// RUN: lockstep run --memory gpu %s -- far
// OUT: ^cudaErrorIllegalAddress 0$
// ERR: kernel add_one.*read of 4 bytes at 0x[0-9a-f]+ is out of bounds
// RUN: lockstep run --memory gpu %s -- copy
// OUT: ^cudaErrorInvalidValue$
// RUN: lockstep profile --memory gpu --metrics gld_transactions %s -- behind
// OUT: ^cudaSuccess 1$
// ERR: out of bounds, which a GPU lets pass
// RUN: lockstep run %s -- behind
// ENV: LOCKSTEP_MEMORY=loose
// EXIT: 125
// OUT: ^cudaErrorInitializationError 0$
// ERR: LOCKSTEP_MEMORY=loose: expected exact or gpu
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void add_one(int* to, int* from, int shift) {
    const int i = threadIdx.x + shift;
    to[i] = from[i] + 1;  // HERE
}

int main(int, char** argv) {
    int *neighbour = nullptr, *from = nullptr, *to = nullptr, last = 0, values[100] = {};
    cudaMalloc(&neighbour, 400);
    cudaMalloc(&from, 400);
    cudaMalloc(&to, 400);
    cudaMemset(neighbour, 0, 400);
    cudaMemset(from, 0, 400);
    if (std::strcmp(argv[1], "copy") == 0) {
        std::printf("%s\n", cudaGetErrorName(cudaMemcpy(from, values, 404, cudaMemcpyHostToDevice)));
        return 0;
    }
    if (std::strcmp(argv[1], "before") == 0) {
        add_one<<<1, 100>>>(to + 1, from, -1);
        const cudaError_t error = cudaDeviceSynchronize();
        cudaMemcpy(&last, to, 4, cudaMemcpyDeviceToHost);
        std::printf("%s %d\n", cudaGetErrorName(error), last);
        return 0;
    }
    const int shift = std::strcmp(argv[1], "far") == 0 ? 1 << 24 : 0;
    for (int round = 0; round < 3; ++round) add_one<<<1, 101>>>(to, from, shift);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(&last, to + 99, 4, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorName(error), last);
}
