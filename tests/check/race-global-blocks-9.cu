// bug: race-global-blocks
// line: 14,22
// kernel: scan
// note: the flag is set before the fence
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scan(const int* in, int* out, int* agg, volatile int* flag) {
    __shared__ int part[64]; __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x;
    part[t] = in[b * 64 + t];
    __syncthreads();
    for (int o = 1; o < 64; o *= 2) { int v = t >= o ? part[t - o] : 0; __syncthreads(); part[t] += v; __syncthreads(); }
    if (t == 63) {
        agg[b] = part[63];
        flag[b] = 1;
        __threadfence();
    }
    if (t == 0) {
        int s = 0;
        for (int i = 0; i < b; ++i) {
            while (flag[i] == 0) {}
            s += agg[i];
        }
        before = s;
    }
    __syncthreads();
    out[b * 64 + t] = part[t] + before;
}
int main() {
    int *a, *b, *g, *f; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMalloc(&g, 16); cudaMalloc(&f, 16);
    cudaMemset(a, 0, 1024); cudaMemset(f, 0, 16);
    scan<<<4, 64>>>(a, b, g, f);
    int h[256]; cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[255], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b); cudaFree(g); cudaFree(f);
}
