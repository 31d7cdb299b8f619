// bug: none
// line: 0
// kernel: -
// note: threads without work leave a cuda::barrier by arrive_and_drop
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda/barrier>
__global__ void k(const int* in, int* out, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (t >= n) {
        bar.arrive_and_drop();
        return;
    }
    s[t] = in[t] + t;
    bar.arrive_and_wait();
    out[t] = s[n - 1 - t];
    bar.arrive_and_wait();
    s[t] = 0;
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 128>>>(a, b, 96);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
