// bug: none
// line: 0
// kernel: -
// note: last block pattern where every thread stores a part and fences before the barrier, and thread 0 takes the ticket after it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned ticket;

__global__ void columns(const float* m, float* part, float* out, int rows) {
    __shared__ bool last;
    int c = threadIdx.x;
    float s = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) s += m[r * 64 + c];
    part[blockIdx.x * 64 + c] = s;
    __threadfence();
    __syncthreads();
    if (c == 0) last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        float v = 0;
        for (int b = 0; b < gridDim.x; ++b) v += part[b * 64 + (63 - c)];
        out[63 - c] = v;
        if (c == 0) ticket = 0;
    }
}

int main() {
    const int rows = 50;
    std::vector<float> h(rows * 64, 1.0f), r(64);
    float *m, *part, *out;
    CHECK(cudaMalloc(&m, h.size() * 4));
    CHECK(cudaMalloc(&part, 7 * 64 * 4));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(m, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    for (int k = 0; k < 2; ++k) {
        columns<<<7, 64>>>(m, part, out, rows);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(m));
    CHECK(cudaFree(part));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != rows || r[63] != rows;
}
