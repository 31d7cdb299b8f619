// bug: uninit-shared-read
// line: 24
// kernel: blur
// note: the halo on the right is loaded only if the block is full, the last block is not
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

constexpr int BS = 64, R = 2;

__global__ void blur(const float* in, float* out, int n) {
    __shared__ float s[BS + 2 * R];
    int t = threadIdx.x, i = blockIdx.x * BS + t;
    if (i < n) s[t + R] = in[i];
    if (t < R) s[t] = i >= R ? in[i - R] : 0.0f;
    if (t >= BS - R && i + R < n) s[t + 2 * R] = in[i + R];
    __syncthreads();
    if (i >= n) return;
    float v = 0.0f;
    for (int k = 0; k <= 2 * R; ++k)
        v += s[t + k];
    out[i] = v;
}

int main() {
    const int n = 150;
    std::vector<float> h(n, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    blur<<<(n + BS - 1) / BS, BS>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[n - 1]);
    return 0;
}
