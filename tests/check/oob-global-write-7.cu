// bug: oob-global-write
// line: 16
// kernel: apply
// note: one of the operations that are reached through a table of function pointers writes a guard element behind each row
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using Op = void (*)(float*, int, int);
__device__ void scale_row(float* row, int i, int n) { row[i] *= 2.0f; }
__device__ void mark_row(float* row, int i, int n) {
    if (i == n - 1)
        row[n] = -1.0f;
}
__device__ Op ops[2] = {scale_row, mark_row};

__global__ void apply(float* m, int rows, int cols, int which) {
    for (int r = blockIdx.x; r < rows; r += gridDim.x)
        for (int c = threadIdx.x; c < cols; c += blockDim.x) ops[which](m + r * cols, c, cols);
}

int main() {
    const int rows = 1, cols = 100;
    std::vector<float> h(rows * cols, 1.0f);
    float* m;
    CHECK(cudaMalloc(&m, h.size() * sizeof(float)));
    CHECK(cudaMemcpy(m, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
    apply<<<1, 32>>>(m, rows, cols, 0);
    apply<<<1, 32>>>(m, rows, cols, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), m, h.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(m));
    std::printf("%g\n", h[0]);
    return h[0] != 2.0f;
}
