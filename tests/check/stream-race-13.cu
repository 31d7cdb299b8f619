// bug: stream-race
// line: 30,37
// kernel: -
// note: in a hand-made graph the memset node and the kernel that adds into the buffer have no edge
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] += 2;
}

int main() {
    int *p, h[32], n = 32;
    CHECK(cudaMalloc(&p, 128));
    CHECK(cudaMemset(p, 0, 128));
    CHECK(cudaDeviceSynchronize());
    cudaGraph_t g;
    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t clear, kernel;
    cudaMemsetParams m{};
    m.dst = p;
    m.elementSize = 4;
    m.width = 32;
    m.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, g, nullptr, 0, &m));
    void* args[] = {&p, &n};
    cudaKernelNodeParams k{};
    k.func = (void*)add;
    k.gridDim = dim3(1);
    k.blockDim = dim3(32);
    k.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&kernel, g, nullptr, 0, &k));
    cudaGraphExec_t e;
    CHECK(cudaGraphInstantiate(&e, g, 0));
    CHECK(cudaGraphLaunch(e, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(e));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaFree(p));
    std::printf("%d\n", h[0]);
    return 0;
}
