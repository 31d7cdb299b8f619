// bug: race-shared-wr
// line: 13,17
// kernel: k
// note: the producer fills a slot again without waiting until the consumer has read it
#include <cstdio>
#include <cuda_runtime.h>
__device__ void bar_sync(int id, int n) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory"); }
__device__ void bar_arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory"); }
__global__ void k(const int* in, int* out, int rounds) {
    __shared__ int slot[2][32];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    if (w == 0) {
        for (int r = 0; r < rounds; ++r) { slot[r & 1][lane] = in[r * 32 + lane];
            bar_arrive(1 + (r & 1), 64); }
    } else {
        for (int r = 0; r < rounds; ++r) { bar_sync(1 + (r & 1), 64);
            out[r * 32 + lane] = slot[r & 1][lane] * 2; }
    }
}
int main() {
    const int rounds = 4; int *a, *b; cudaMalloc(&a, 128 * rounds); cudaMalloc(&b, 128 * rounds); cudaMemset(a, 0, 128 * rounds);
    k<<<1, 64>>>(a, b, rounds);
    int h[32 * rounds]; cudaMemcpy(h, b, 128 * rounds, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b);
}
