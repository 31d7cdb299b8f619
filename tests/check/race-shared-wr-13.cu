// bug: race-shared-wr
// line: 22,23
// kernel: stencil
// note: double buffering where the pointers are swapped before the barrier that all need, so the next load overwrites what others read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void stencil(const float* in, float* out, int rows, int cols) {
    __shared__ float line[2][130];
    int t = threadIdx.x;
    float acc = 0.0f;
    int cur = 0;
    line[cur][t + 1] = in[t];
    if (t < 2) line[cur][t * 129] = 0.0f;
    for (int r = 1; r < rows; ++r) {
        __syncthreads();
        float next = in[r * cols + t];
        acc += line[cur][t] + line[cur][t + 2];
        line[cur][t + 1] = next;
    }
    out[t] = acc;
}

int main() {
    const int rows = 8, cols = 128;
    std::vector<float> h(rows * cols, 1.0f), r(cols);
    float *in, *out;
    CHECK(cudaMalloc(&in, rows * cols * 4));
    CHECK(cudaMalloc(&out, cols * 4));
    CHECK(cudaMemcpy(in, h.data(), rows * cols * 4, cudaMemcpyHostToDevice));
    stencil<<<1, cols>>>(in, out, rows, cols);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, cols * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[5]);
    return 0;
}
