// bug: async-source-freed
// line: 23
// kernel: -
// note: the vector that an asynchronous upload reads goes out of scope before the stream has done it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <memory>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sum(const float* p, int n, float* out) {
    float v = 0;
    for (int i = 0; i < n; ++i) v += p[i];
    *out = v;
}

static int upload(float* d, int n, cudaStream_t s) {
    float* stage;
    CHECK(cudaMallocHost(&stage, n * 4));
    for (int i = 0; i < n; ++i) stage[i] = 1.0f;
    CHECK(cudaMemcpyAsync(d, stage, n * 4, cudaMemcpyHostToDevice, s));
    CHECK(cudaFreeHost(stage));
    return 0;
}

int main() {
    const int n = 300;
    float *d, *out, r;
    cudaStream_t s;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaStreamCreate(&s));
    if (upload(d, n, s)) return 1;
    sum<<<1, 1, 0, s>>>(d, n, out);
    CHECK(cudaMemcpyAsync(&r, out, 4, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
    std::printf("%g\n", r);
    return 0;
}
