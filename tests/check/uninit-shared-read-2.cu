// bug: uninit-shared-read
// line: 24
// kernel: reduce
// note: the second stage reads 32 warp sums, but the block has only five warps
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__inline__ __device__ float warp_sum(float v) {
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    return v;
}

__global__ void reduce(const float* x, float* out) {
    __shared__ float part[32];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    float v = warp_sum(x[threadIdx.x]);
    if (lane == 0) part[w] = v;
    __syncthreads();
    if (w == 0) {
        v = part[lane];
        v = warp_sum(v);
        if (lane == 0) *out = v;
    }
}

int main() {
    const int n = 160;
    std::vector<float> h(n, 1.0f);
    float *x, *out, got = 0;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    reduce<<<1, n>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%g\n", got);
    return 0;
}
