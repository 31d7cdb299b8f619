// bug: none
// note: a flag in shared memory behind __syncwarp and __threadfence_block; atomics of a block's scope in one block
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda/atomic>
__global__ void k(const int* in, int* g, int* out) {
    __shared__ volatile int flag; __shared__ int data[32]; int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    int* cell = g + blockIdx.x;
    if (t < 32) { data[t] = in[t]; __syncwarp(); if (t == 0) { *cell = 5; __threadfence_block(); flag = 1; } }
    else { while (flag == 0) {} __threadfence_block(); out[blockIdx.x * 32 + t - 32] = data[63 - t] + *cell; }
    atomicAdd_block(g + 4 + blockIdx.x, 1);
}
int main() {
    int *a, *g, *o; cudaMalloc(&a, 128); cudaMalloc(&g, 32); cudaMalloc(&o, 512); cudaMemset(a, 0, 128); cudaMemset(g, 0, 32);
    k<<<4, 64>>>(a, g, o);
    int h[128]; cudaMemcpy(h, o, 512, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[5], cudaGetErrorString(cudaGetLastError())); cudaFree(a); cudaFree(g); cudaFree(o);
}
