// bug: barrier-divergent
// line: 17
// kernel: solve
// note: threads whose row has converged break out of the loop, the others still wait at its barrier
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void solve(const float* a, float* x, int steps) {
    __shared__ float s[96];
    int t = threadIdx.x;
    s[t] = a[t];
    for (int k = 0; k < steps; ++k) {
        __syncthreads();
        float v = 0.5f * s[t];
        if (v < 0.01f * (t + 1)) break;
        s[t] = v;
    }
    x[t] = s[t];
}

int main() {
    std::vector<float> h(96, 1.0f);
    float *a, *x;
    CHECK(cudaMalloc(&a, 96 * 4));
    CHECK(cudaMalloc(&x, 96 * 4));
    CHECK(cudaMemcpy(a, h.data(), 96 * 4, cudaMemcpyHostToDevice));
    solve<<<1, 96>>>(a, x, 20);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), x, 96 * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(x));
    std::printf("%g\n", h[0]);
    return 0;
}
