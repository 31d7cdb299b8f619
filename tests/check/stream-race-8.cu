// bug: stream-race
// line: 20,21
// kernel: k
// note: a copy node and the kernel node that makes what it copies have no edge
#include <cstdio>
#include <cuda_runtime.h>
__global__ void put(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
    int *a, *h;
    cudaMalloc(&a, 256);
    cudaMallocHost(&h, 256);
    cudaMemset(a, 0, 256);
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t one, two;
    void* first[] = {&a};
    cudaKernelNodeParams p{};
    p.gridDim = dim3(1), p.blockDim = dim3(64);
    p.func = (void*)put, p.kernelParams = first;
    cudaGraphAddKernelNode(&one, g, nullptr, 0, &p);
    cudaGraphAddMemcpyNode1D(&two, g, nullptr, 0, h, a, 256, cudaMemcpyDeviceToHost);
    cudaGraphExec_t e;
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaGraphExecDestroy(e);
    cudaGraphDestroy(g);
    cudaFree(a);
    cudaFreeHost(h);
}
