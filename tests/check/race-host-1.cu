// bug: stream-race
// line: 25,26
// kernel: -
// note: the host reads the pinned result of an asynchronous download before it has waited (lines: copy, read)
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] = i;
}

int main() {
    int *d, *h;
    cudaStream_t s;
    CHECK(cudaMalloc(&d, 256));
    CHECK(cudaMallocHost(&h, 256));
    CHECK(cudaStreamCreate(&s));
    fill<<<1, 64, 0, s>>>(d, 64);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s));
    std::printf("%d\n", h[63]);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return 0;
}
