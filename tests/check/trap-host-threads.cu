// bug: none
// line: 0
// kernel: scale
// note: three host threads, each with a stream and buffers of its own, and a join before the results are read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <thread>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scale(float* p, int n, float f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= f;
}

static void work(float* out, int which) {
    const int n = 500;
    std::vector<float> h(n, 1.0f);
    float* d;
    cudaStream_t s;
    if (cudaStreamCreate(&s) != cudaSuccess || cudaMalloc(&d, n * 4) != cudaSuccess) return;
    if (cudaMemcpyAsync(d, h.data(), n * 4, cudaMemcpyHostToDevice, s) != cudaSuccess) return;
    scale<<<(n + 127) / 128, 128, 0, s>>>(d, n, float(which));
    if (cudaGetLastError() != cudaSuccess) return;
    if (cudaMemcpyAsync(h.data(), d, n * 4, cudaMemcpyDeviceToHost, s) != cudaSuccess) return;
    if (cudaStreamSynchronize(s) != cudaSuccess) return;
    *out = h[n - 1];
    cudaFree(d);
    cudaStreamDestroy(s);
}

int main() {
    float r[3] = {};
    std::vector<std::thread> all;
    for (int k = 0; k < 3; ++k) all.emplace_back(work, &r[k], k + 1);
    for (auto& t : all) t.join();
    std::printf("%g %g %g\n", r[0], r[1], r[2]);
    return r[2] != 3.0f;
}
