// bug: host-pointer-in-kernel
// line: 15
// kernel: weigh
// note: the name of a __device__ array is passed as a kernel argument on the host: that is the address of its host shadow
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ float weights[32];

__global__ void weigh(const float* w, float* out) {
    out[threadIdx.x] = 2.0f * w[threadIdx.x];
}

int main() {
    std::vector<float> h(32, 1.5f), r(32);
    float* out;
    CHECK(cudaMemcpyToSymbol(weights, h.data(), 128));
    CHECK(cudaMalloc(&out, 128));
    weigh<<<1, 32>>>(weights, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 3.0f;
}
