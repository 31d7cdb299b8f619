// bug: barrier-divergent
// line: 11
// kernel: k
// note: a named barrier of 64 threads to which only one warp comes
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[t] + 1;
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 64>>>(a, b);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
