// bug: endless-loop
// line: 13
// kernel: ring
// note: the cursor is advanced by a step of zero for the last segment
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int advance(int at, int step, int end) {
    while (at < end) {
        at += step;
    }
    return at;
}

__global__ void ring(const int* step, int* out) {
    int t = threadIdx.x;
    out[t] = advance(t, step[t / 32], 1000);
}

int main() {
    int h[2] = {3, 0}, *step, *out, r[64];
    CHECK(cudaMalloc(&step, sizeof(h)));
    CHECK(cudaMalloc(&out, sizeof(r)));
    CHECK(cudaMemcpy(step, h, sizeof(h), cudaMemcpyHostToDevice));
    ring<<<1, 64>>>(step, out);
    cudaError_t e = cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorString(e));
    return 0;
}
