// bug: oob-constant
// line: 19
// kernel: filter
// note: the filter has 7 taps in constant memory, the loop takes 8
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__constant__ float taps[7];
__constant__ float gain[1];

__global__ void filter(const float* x, float* y, int n) {
    int i = threadIdx.x;
    float v = 0.0f;
    for (int k = 0; k <= n; ++k)
        v += taps[k] * x[i + k];
    y[i] = v * gain[0];
}

int main() {
    float h[7] = {1, 1, 1, 1, 1, 1, 1}, one = 1.0f;
    std::vector<float> v(64, 1.0f);
    float *x, *y;
    CHECK(cudaMemcpyToSymbol(taps, h, sizeof(h)));
    CHECK(cudaMemcpyToSymbol(gain, &one, sizeof(one)));
    CHECK(cudaMalloc(&x, 256));
    CHECK(cudaMalloc(&y, 128));
    CHECK(cudaMemcpy(x, v.data(), 256, cudaMemcpyHostToDevice));
    filter<<<1, 32>>>(x, y, 7);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(v.data(), y, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    std::printf("%g\n", v[0]);
    return 0;
}
