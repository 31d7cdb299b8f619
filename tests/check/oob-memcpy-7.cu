// bug: oob-memcpy
// line: 12
// kernel: -
// note: the download is larger than the vector that receives it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void k(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
int main() {
    const int n = 1000, padded = 1024; int* p; cudaMalloc(&p, 4 * padded); k<<<4, 256>>>(p, padded);
    std::vector<int> h(n);
    cudaMemcpy(h.data(), p, 4 * padded, cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", h[5], cudaGetErrorString(cudaGetLastError())); cudaFree(p);
}
