// bug: none
// line: 0
// kernel: stream
// note: three stages of __pipeline_memcpy_async: commits stay in flight, and each stage is read behind its wait and a barrier
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void stream(const float4* in, float* out, int steps) {
    __shared__ float4 s[3][64];
    int t = threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < 2; ++k) {
        if (k < steps) __pipeline_memcpy_async(&s[k][t], &in[k * 64 + t], sizeof(float4));
        __pipeline_commit();
    }
    for (int k = 0; k < steps; ++k) {
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[k % 3][63 - t].x + s[k % 3][t].w;
        if (k + 2 < steps) __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t], sizeof(float4));
        __pipeline_commit();
    }
    out[t] = acc;
}

int main() {
    std::vector<float> h(7 * 64 * 4, 1.0f), r(64);
    float *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    stream<<<1, 64>>>((const float4*)in, out, 7);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 14.0f;
}
