// bug: uninit-global-read
// line: 16
// kernel: apply
// note: the undefined value goes through a function that is not inlined before it is stored
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ __noinline__ float weigh(float v, float w) { return v * w + 1.0f; }

__global__ void apply(const float* x, const float* w, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = weigh(x[i], w[i]);
}

int main() {
    const int n = 64;
    std::vector<float> h(n, 1.0f);
    float *x, *w, *out;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&w, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    apply<<<1, n>>>(x, w, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(w));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
