// bug: race-shared-wr
// line: 13,15
// kernel: k
// note: reads between arrive() and wait()
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda/barrier>
__global__ void k(const int* in, int* out) {
    __shared__ int s[64]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    s[t] = in[t];
    auto token = bar.arrive();
    int v = s[63 - t];
    bar.wait(std::move(token));
    out[t] = v;
}
int main() {
    int *a, *b; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemset(a, 0, 256);
    k<<<1, 64>>>(a, b);
    int h[64]; cudaMemcpy(h, b, 256, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[1], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b);
}
