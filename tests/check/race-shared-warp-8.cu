// bug: race-shared-warp
// line: 16,18
// kernel: pairs
// note: neighbours exchange by a __syncwarp of each pair's own mask, but a lane reads from the next pair
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pairs(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned mine = 3u << (lane & ~1);
    s[t] = in[t];
    __syncwarp(mine);
    out[t] = s[t ^ 1] + s[(t & 32) + ((lane + 2) & 31)];
}

int main() {
    std::vector<int> h(64, 2);
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    pairs<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[1]);
    return 0;
}
