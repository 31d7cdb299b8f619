// bug: none
// line: 0
// kernel: rows
// note: double buffering with one barrier a step: the slot that is filled is never the one that is read in the same step
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void rows(const float* in, float* out, int n) {
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float acc = 0.0f;
    s[0][t] = in[t];
    for (int r = 0; r < n; ++r) {
        __syncthreads();
        if (r + 1 < n) s[(r + 1) & 1][t] = in[(r + 1) * 64 + t];
        acc += s[r & 1][63 - t] * 0.5f;
    }
    out[t] = acc;
}

int main() {
    std::vector<float> h(64 * 9, 1.0f), r(64);
    float *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    rows<<<1, 64>>>(in, out, 9);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 4.5f;
}
