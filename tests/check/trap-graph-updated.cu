// bug: none
// line: 0
// kernel: step
// note: a captured graph with a memset, two kernels and a download in a forked stream is launched three times with new input between
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void step(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] += in[i];
}

int main() {
    const int n = 64;
    int *h, *a, *b;
    CHECK(cudaMallocHost(&h, 2 * n * 4));
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork));
    CHECK(cudaMemsetAsync(b, 0, n * 4, t));
    CHECK(cudaEventRecord(join, t));
    CHECK(cudaMemcpyAsync(a, h, n * 4, cudaMemcpyHostToDevice, s));
    CHECK(cudaStreamWaitEvent(s, join));
    step<<<1, n, 0, s>>>(a, b, n);
    step<<<1, n, 0, s>>>(a, b, n);
    CHECK(cudaMemcpyAsync(h + n, b, n * 4, cudaMemcpyDeviceToHost, s));
    cudaGraph_t g;
    cudaGraphExec_t e;
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiate(&e, g, 0));
    int sum = 0;
    for (int k = 1; k <= 3; ++k) {
        for (int i = 0; i < n; ++i) h[i] = k;
        CHECK(cudaGraphLaunch(e, s));
        CHECK(cudaStreamSynchronize(s));
        sum += h[n];
    }
    CHECK(cudaGraphExecDestroy(e));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFreeHost(h));
    std::printf("%d\n", sum);
    return sum != 12;
}
