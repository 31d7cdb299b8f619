// bug: barrier-divergent
// line: 18
// kernel: converge
// note: __syncthreads_or in a do-while that each thread leaves by its own condition
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void converge(const float* x, float* y, int* rounds) {
    float v = x[threadIdx.x];
    int k = 0;
    while (v > 1.0f) {
        v *= 0.5f;
        ++k;
        if (!__syncthreads_or(v > 1.0f)) break;
    }
    y[threadIdx.x] = v;
    if (threadIdx.x == 0) *rounds = k;
}

int main() {
    std::vector<float> h(96), r(96);
    for (int i = 0; i < 96; ++i) h[i] = float(1 + i);
    float *x, *y;
    int* rounds;
    CHECK(cudaMalloc(&x, 384));
    CHECK(cudaMalloc(&y, 384));
    CHECK(cudaMalloc(&rounds, 4));
    CHECK(cudaMemcpy(x, h.data(), 384, cudaMemcpyHostToDevice));
    converge<<<1, 96>>>(x, y, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), y, 384, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 96; ++i) bad += r[i] > 1.0f;
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(rounds));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
