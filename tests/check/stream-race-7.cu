// bug: stream-race
// line: 14
// kernel: k
// found: race/stream-race
// note: freed in the order of another stream, while the kernel may run
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const int* p, int* q, int n) { int i = threadIdx.x; if (i < n) q[i] = p[i] + 1; }
int main() {
    cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    int *p, *q; cudaMallocAsync(&p, 256, s); cudaMalloc(&q, 256);
    cudaMemsetAsync(p, 0, 256, s);
    k<<<1, 64, 0, s>>>(p, q, 64);
    cudaFreeAsync(p, t);
    cudaDeviceSynchronize();
    int h[64]; cudaMemcpy(h, q, 256, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError())); cudaFree(q); cudaStreamDestroy(s); cudaStreamDestroy(t);
}
