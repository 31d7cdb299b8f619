// bug: stream-race
// line: 31,34
// kernel: add
// note: a graph is built by hand and the second kernel node was given no dependency on the first
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void set(float* p, float v) { p[threadIdx.x] = v; }
__global__ void add(const float* p, float* q) { q[threadIdx.x] = p[threadIdx.x] + 1.0f; }

int main() {
    float *p, *q, h[64], v = 3.0f;
    CHECK(cudaMalloc(&p, 256));
    CHECK(cudaMalloc(&q, 256));
    CHECK(cudaMemset(p, 0, 256));
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t n1, n2;
    CHECK(cudaGraphCreate(&g, 0));
    void* a1[] = {&p, &v};
    void* a2[] = {&p, &q};
    cudaKernelNodeParams k{};
    k.gridDim = dim3(1);
    k.blockDim = dim3(64);
    k.func = (void*)set;
    k.kernelParams = a1;
    CHECK(cudaGraphAddKernelNode(&n1, g, nullptr, 0, &k));
    k.func = (void*)add;
    k.kernelParams = a2;
    CHECK(cudaGraphAddKernelNode(&n2, g, nullptr, 0, &k));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, 0));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaMemcpy(h, q, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    std::printf("%g\n", h[0]);
    return 0;
}
