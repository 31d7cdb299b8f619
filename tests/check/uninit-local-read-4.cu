// bug: uninit-local-read
// line: 18
// kernel: poly
// note: the last coefficient of a local array is never set when the degree is small
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void poly(const int* degree, const float* x, float* out) {
    int t = threadIdx.x;
    float c[6];
    for (int k = 0; k < degree[t]; ++k) c[k] = 1.0f / (k + 1);
    float v = 0.0f;
    for (int k = degree[t]; k >= 0; --k)
        v = v * x[t] + c[k];
    out[t] = v;
}

int main() {
    int d[32];
    for (int i = 0; i < 32; ++i) d[i] = i % 5 + 1;
    std::vector<float> h(32, 0.5f);
    int* degree;
    float *x, *out;
    CHECK(cudaMalloc(&degree, 128));
    CHECK(cudaMalloc(&x, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(degree, d, 128, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(x, h.data(), 128, cudaMemcpyHostToDevice));
    poly<<<1, 32>>>(degree, x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(degree));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
