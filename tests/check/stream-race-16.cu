// bug: stream-race
// line: 29,32
// kernel: first
// note: two nodes of a graph use the same memory, and no edge is between them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void first(int* data) { data[threadIdx.x] = 1; }
__global__ void second(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x] + 1; }

int main() {
    int *data, *out;
    CHECK(cudaMalloc(&data, 1024));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemset(data, 0, 1024));
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t a, b;
    void* args_a[] = {&data};
    void* args_b[] = {&data, &out};
    cudaKernelNodeParams params{};
    params.gridDim = dim3(1), params.blockDim = dim3(256);
    params.func = reinterpret_cast<void*>(first);
    params.kernelParams = args_a;
    CHECK(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &params));
    params.func = reinterpret_cast<void*>(second);
    params.kernelParams = args_b;
    CHECK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &params));
    cudaGraphExec_t ready;
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaDeviceSynchronize());
    std::vector<int> h(256);
    CHECK(cudaMemcpy(h.data(), out, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
