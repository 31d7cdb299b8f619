// bug: none
// line: 0
// kernel: norm
// note: positions are float4 of which w is never set: it is loaded with the others and dropped
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void place(float* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 3; ++k) p[4 * i + k] = float(k + i);
}

__global__ void norm(const float4* p, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = p[i];
    out[i] = v.x * v.x + v.y * v.y + v.z * v.z;
}

int main() {
    const int n = 100;
    float *p, *out;
    std::vector<float> h(n);
    CHECK(cudaMalloc(&p, n * sizeof(float4)));
    CHECK(cudaMalloc(&out, n * 4));
    place<<<1, 128>>>(p, n);
    norm<<<1, 128>>>((const float4*)p, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return h[0] != 5.0f;
}
