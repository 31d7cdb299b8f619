// bug: none
// line: 0
// kernel: -
// note: a ring of two slots: full and empty named barriers between two warps
#include <cstdio>
#include <cuda_runtime.h>
__device__ void bar_sync(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ void bar_arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(const int* in, int* out, int rounds) {
    __shared__ int ring[2][32];
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; ++r) {
            bar_sync(1 + r % 2);
            ring[r % 2][lane] = in[r * 32 + lane] + r;
            bar_arrive(3 + r % 2);
        }
    } else {
        int sum = 0;
        bar_arrive(1);
        bar_arrive(2);
        for (int r = 0; r < rounds; ++r) {
            bar_sync(3 + r % 2);
            sum += ring[r % 2][31 - lane];
            if (r + 2 < rounds) bar_arrive(1 + r % 2);
        }
        out[lane] = sum;
    }
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 64>>>(a, b, 6);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
