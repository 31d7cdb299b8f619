// bug: uninit-local-read
// line: 18
// kernel: top
// note: the list of the best three is searched before it is full
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void top(const float* x, int n, float* best) {
    float kept[8];
    int count = 0;
    for (int i = 0; i < n; ++i) {
        float v = x[threadIdx.x * n + i];
        if (v > 0.5f) kept[count++ & 7] = v;
    }
    float most = kept[n & 7];
    for (int k = 0; k < count; ++k) most = fmaxf(most, kept[k & 7]);
    best[threadIdx.x] = most;
}

int main() {
    const int n = 6;
    float h[32 * n], r[32];
    for (int i = 0; i < 32 * n; ++i) h[i] = (i * 7 % 10) / 10.0f;
    float *x, *best;
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&best, sizeof r));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    top<<<1, 32>>>(x, n, best);
    CHECK(cudaMemcpy(r, best, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(best));
    std::printf("%g\n", r[0]);
    return 0;
}
