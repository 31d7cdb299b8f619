// bug: race-shared-warp
// line: 17,19
// kernel: transpose4
// note: lanes of one warp exchange a small matrix through shared memory and trust that the warp runs in step
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void transpose4(const __half* in, __half* out) {
    __shared__ __half m[4][8][9];
    int lane = threadIdx.x & 31, w = threadIdx.x / 32;
    for (int k = lane; k < 64; k += 32)
        m[w][k / 8][k % 8] = in[w * 64 + k];
    for (int k = lane; k < 64; k += 32)
        out[w * 64 + k] = m[w][k % 8][k / 8];
}

int main() {
    std::vector<__half> h(256), r(256);
    for (int i = 0; i < 256; ++i) h[i] = __float2half(float(i));
    __half *in, *out;
    CHECK(cudaMalloc(&in, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 512, cudaMemcpyHostToDevice));
    transpose4<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", __half2float(r[1]));
    return 0;
}
