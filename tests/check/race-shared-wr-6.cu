// bug: race-shared-wr
// line: 16,20
// kernel: staged
// note: the barrier stands before the wait: each thread has only waited for its own async copies when it reads those of another
#include <cstdio>
#include <cuda_pipeline.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void staged(const float4* in, float* out) {
    __shared__ float4 buf[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buf[t], &in[t], sizeof(float4));
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    float4 v = buf[127 - t];
    out[t] = v.x + v.y + v.z + v.w;
}

int main() {
    std::vector<float4> h(128);
    std::vector<float> r(128);
    for (int i = 0; i < 128; ++i) h[i] = make_float4(i, 1, 1, 1);
    float4* in;
    float* out;
    CHECK(cudaMalloc(&in, 128 * sizeof(float4)));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 128 * sizeof(float4), cudaMemcpyHostToDevice));
    staged<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
