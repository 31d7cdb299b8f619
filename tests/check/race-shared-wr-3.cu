// bug: race-shared-wr
// line: 20,22
// kernel: normalise
// note: the block total is read by all and then its cell is reset for the next row by thread 0 without a barrier between
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void normalise(float* m, int rows, int cols) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        float v = threadIdx.x < cols ? m[r * cols + threadIdx.x] : 0.0f;
        if (threadIdx.x < cols) atomicAdd(&total, v);
        __syncthreads();
        float t = total;
        if (threadIdx.x < cols) m[r * cols + threadIdx.x] = v / t;
        if (threadIdx.x == 0) total = 0.0f;
        __syncthreads();
    }
}

int main() {
    const int rows = 9, cols = 80;
    std::vector<float> h(rows * cols, 2.0f), r(rows * cols);
    float* m;
    CHECK(cudaMalloc(&m, h.size() * 4));
    CHECK(cudaMemcpy(m, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    normalise<<<3, 96>>>(m, rows, cols);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), m, h.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(m));
    std::printf("%g\n", r[0]);
    return 0;
}
