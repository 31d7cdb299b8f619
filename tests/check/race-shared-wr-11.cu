// bug: race-shared-wr
// line: 14,16
// kernel: k
// note: the thread arrives at a cuda::barrier but reads before it waits
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda/barrier>
__global__ void k(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int data[128];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    data[t] = in[t];
    auto token = bar.arrive();
    out[t] = data[127 - t];
    bar.wait(std::move(token));
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 128>>>(a, b);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
