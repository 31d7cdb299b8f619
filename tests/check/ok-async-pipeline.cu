// bug: none
// line: 0
// kernel: -
// note: double-buffered cp.async pipeline: wait for the stage, barrier, compute, barrier before the buffer is filled again
#include <cstdio>
#include <cuda_pipeline.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void stream_sum(const float4* in, float* out, int stages) {
    __shared__ float4 buf[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buf[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    float acc = 0;
    for (int k = 0; k < stages; ++k) {
        if (k + 1 < stages) __pipeline_memcpy_async(&buf[(k + 1) & 1][t], &in[(k + 1) * 64 + t], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = buf[k & 1][63 - t];
        acc += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[t] = acc;
}

int main() {
    const int stages = 5;
    std::vector<float4> h(64 * stages, make_float4(1, 2, 3, 4));
    std::vector<float> r(64);
    float4* in;
    float* out;
    CHECK(cudaMalloc(&in, h.size() * sizeof(float4)));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), h.size() * sizeof(float4), cudaMemcpyHostToDevice));
    stream_sum<<<1, 64>>>(in, out, stages);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 10.0f * stages;
}
