// bug: uninit-global-read
// line: 14
// kernel: wave
// note: half of the angles is copied, and sinf is taken of all
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void wave(const float* angle, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5f * sinf(angle[i]);
}

int main() {
    const int n = 1024;
    std::vector<float> h(n, 0.5f);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n / 2 * sizeof(float), cudaMemcpyHostToDevice));
    wave<<<n / 256, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%f\n", h[0]);
    return 0;
}
