// bug: uninit-shared-read
// line: 15
// kernel: bias
// note: the shared table is declared and read, but the loop that should fill it was forgotten
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bias(const float* x, float* y) {
    __shared__ float table[32];
    int t = threadIdx.x;
    float b = table[t];
    y[t] = x[t] + b;
}

int main() {
    std::vector<float> h(32, 1.0f), r(32);
    float *x, *y;
    CHECK(cudaMalloc(&x, 128));
    CHECK(cudaMalloc(&y, 128));
    CHECK(cudaMemcpy(x, h.data(), 128, cudaMemcpyHostToDevice));
    bias<<<1, 32>>>(x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), y, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    std::printf("%g\n", r[0]);
    return 0;
}
