// bug: uninit-global-read
// line: 14
// kernel: bcast
// note: lane 0 loads the scale from memory that nobody wrote and gives it to all by a shuffle
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bcast(const float* scale, const float* x, float* out) {
    float s = 0.0f;
    if (threadIdx.x == 0) s = scale[blockIdx.x];
    s = __shfl_sync(0xffffffffu, s, 0);
    out[blockIdx.x * 32 + threadIdx.x] = s * x[threadIdx.x];
}

int main() {
    std::vector<float> h(32, 1.0f), r(64);
    float *scale, *x, *out;
    CHECK(cudaMalloc(&scale, 8));
    CHECK(cudaMalloc(&x, 128));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemset(scale, 0, 4));
    CHECK(cudaMemcpy(x, h.data(), 128, cudaMemcpyHostToDevice));
    bcast<<<2, 32>>>(scale, x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(scale));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
