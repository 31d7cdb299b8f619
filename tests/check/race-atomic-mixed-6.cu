// bug: race-atomic-mixed
// line: 17,18
// kernel: converge
// note: the flag that others raise by atomicOr is polled by a plain load in the same launch
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void converge(const float* x, float* y, int n, int* changed, int* early) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = 0.5f * (x[i] + x[(i + 1) % n]);
    y[i] = v;
    if (v != x[i]) atomicOr(changed, 1);
    if (*changed == 0) early[blockIdx.x] = 1;
}

int main() {
    const int n = 300;
    std::vector<float> h(n, 1.0f);
    h[3] = 2.0f;
    float *x, *y;
    int *changed, *early, r;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&y, n * 4));
    CHECK(cudaMalloc(&changed, 4));
    CHECK(cudaMalloc(&early, n * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(changed, 0, 4));
    CHECK(cudaMemset(early, 0, n * 4));
    converge<<<n, 1>>>(x, y, n, changed, early);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, changed, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(changed));
    CHECK(cudaFree(early));
    std::printf("%d\n", r);
    return 0;
}
