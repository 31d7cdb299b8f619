// bug: oob-memcpy
// line: 13
// kernel: -
// note: an asynchronous upload into the tail of a buffer forgets the offset in its size
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

static int upload(float* d, const float* h, int at, int n, cudaStream_t s) {
    CHECK(cudaMemcpyAsync(d + at, h, n * sizeof(float), cudaMemcpyHostToDevice, s));
    return 0;
}

int main() {
    const int n = 1024;
    float *h, *d;
    CHECK(cudaMallocHost(&h, n * 4));
    for (int i = 0; i < n; ++i) h[i] = 1.0f;
    CHECK(cudaMalloc(&d, n * 4));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    int bad = upload(d, h, 0, n, s);
    bad += upload(d, h, 24, n, s);
    cudaStreamSynchronize(s);
    cudaGetLastError();
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("failed uploads: %d\n", bad);
    return 0;
}
