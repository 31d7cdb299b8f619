// bug: none
// line: 0
// kernel: -
// note: a chained scan: each block waits for its neighbour's flag, behind which the sum was published in a word of its own
#include <cstdio>
#include <cuda_runtime.h>
__device__ int sums[64];
__device__ volatile int flags[64];
__global__ void k(const int* in, int* out) {
    __shared__ int before;
    int b = blockIdx.x, t = threadIdx.x;
    int own = __syncthreads_count(in[b * 64 + t] == 0);
    if (t == 0) {
        before = 0;
        if (b > 0) {
            while (flags[b - 1] == 0) {}
            __threadfence();
            before = ((volatile int*)sums)[b - 1];
        }
        sums[b] = before + own;
        __threadfence();
        flags[b] = 1;
    }
    __syncthreads();
    out[b * 64 + t] = before + t;
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 4096 * 4);
    cudaMalloc(&b, 4096 * 4);
    cudaMemset(a, 0, 4096 * 4);
    cudaMemset(b, 0, 4096 * 4);
    k<<<16, 64>>>(a, b);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
