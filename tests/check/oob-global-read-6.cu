// bug: oob-global-read
// line: 8
// kernel: k
// note: a child with the number of nodes as its index; what follows from the zero read there is no finding
#include <cstdio>
#include <cuda_runtime.h>
__device__ __noinline__ int depth(const int* left, const int* right, int node, int n) {
    if (left[node] == -1) return 1;
    int l = depth(left, right, left[node], n), r = depth(left, right, right[node], n);
    return 1 + (l > r ? l : r);
}
__global__ void k(const int* left, const int* right, int n, int* out) { out[threadIdx.x] = depth(left, right, threadIdx.x, n); }
int main() {
    int hl[7] = {1, 3, 5, -1, -1, -1, -1}, hr[7] = {2, 4, 7, -1, -1, -1, -1};
    int *l, *r, *o; cudaMalloc(&l, 28); cudaMalloc(&r, 28); cudaMalloc(&o, 12);
    cudaMemcpy(l, hl, 28, cudaMemcpyHostToDevice); cudaMemcpy(r, hr, 28, cudaMemcpyHostToDevice);
    k<<<1, 3>>>(l, r, 7, o);
    int h[3]; cudaMemcpy(h, o, 12, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(l); cudaFree(r); cudaFree(o);
}
