// bug: race-shared-warp
// line: 16,18
// kernel: transpose
// note: the lanes of a warp turn 8x4 values through shared memory with only a shuffle between the store and the load, which orders no memory
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void transpose(const int* in, int* out) {
    __shared__ int s[4][32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    int v = in[threadIdx.x];
    s[w][l] = v;
    int first = __shfl_sync(0xffffffffu, v, 0);
    out[threadIdx.x] = s[w][(l % 8) * 4 + l / 8] - first;
}

int main() {
    std::vector<int> h(128);
    for (int i = 0; i < 128; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 512, cudaMemcpyHostToDevice));
    transpose<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[1]);
    return 0;
}
