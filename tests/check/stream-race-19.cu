// bug: stream-race
// line: 34,35
// kernel: add
// note: two kernels of a captured graph fork from one event, and both add to the sums
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* sums, const int* a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) sums[i] += a[i];
}
int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *a, *sums;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&sums, n * sizeof(int)));
    CHECK(cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(sums, 0, n * sizeof(int)));
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, one));
    CHECK(cudaStreamWaitEvent(two, fork, 0));
    add<<<1, 64, 0, one>>>(sums, a, n);
    add<<<1, 64, 0, two>>>(sums, a, n);
    CHECK(cudaEventRecord(join, two));
    CHECK(cudaStreamWaitEvent(one, join, 0));
    CHECK(cudaStreamEndCapture(one, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, one));
    CHECK(cudaStreamSynchronize(one));
    CHECK(cudaMemcpy(h.data(), sums, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(a));
    CHECK(cudaFree(sums));
    std::printf("%d\n", h[0]);
    return 0;
}
