// bug: barrier-divergent
// line: 15
// kernel: rows
// note: the trip count of the loop with the barrier depends on threadIdx.y
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ float fold(float* line, float v, int x, int rounds) {
    for (int k = 0; k < rounds; ++k) {
        line[x] = v;
        __syncthreads();
        v += line[(x + 1) % 32];
        __syncwarp();
    }
    return v;
}

__global__ void rows(const float* in, float* out) {
    __shared__ float s[4][32];
    int i = threadIdx.y * 32 + threadIdx.x;
    out[i] = fold(s[threadIdx.y], in[i], threadIdx.x, 1 + threadIdx.y);
}

int main() {
    std::vector<float> h(128, 1.0f), r(128);
    float *in, *out;
    CHECK(cudaMalloc(&in, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 512, cudaMemcpyHostToDevice));
    rows<<<1, dim3(32, 4)>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 2.0f;
}
