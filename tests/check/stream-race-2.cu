// bug: stream-race
// line: 34,37
// kernel: scale
// note: two kernels in two streams: the second reads what the first writes, and the event that the second waits for was recorded before the first was launched
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* p, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = v + i;
}

__global__ void scale(const int* p, int* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = 2 * p[i];
}

int main() {
    const int n = 4096;
    std::vector<int> r(n);
    int *p, *q;
    CHECK(cudaMalloc(&p, n * 4));
    CHECK(cudaMalloc(&q, n * 4));
    cudaStream_t a, b;
    cudaEvent_t e;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&e));
    CHECK(cudaEventRecord(e, a));
    fill<<<n / 128, 128, 0, a>>>(p, n, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamWaitEvent(b, e, 0));
    scale<<<n / 128, 128, 0, b>>>(p, q, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(r.data(), q, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaEventDestroy(e));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    std::printf("%d\n", r[10]);
    return 0;
}
