// bug: use-after-free
// line: 13
// kernel: add
// note: the buffer that a graph was built with is freed and allocated anew before the graph is launched again
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] += 1;
}
int main() {
    const int n = 4096;
    std::vector<int> h(2 * n, 1);
    int* a;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 64, 0, stream>>>(a, n);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    int* larger;
    CHECK(cudaMalloc(&larger, 64 * n * sizeof(int)));
    CHECK(cudaMemset(larger, 0, 64 * n * sizeof(int)));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(h.data(), larger, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(larger));
    std::printf("%d\n", h[0]);
    return 0;
}
