// bug: misaligned
// line: 15
// kernel: load_rows
// note: rows of 3 floats are loaded as float2 with an odd number of floats before them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void load_rows(const float* m, float2* out, int rows) {
    __shared__ float2 stage[64];
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) stage[threadIdx.x] = *(const float2*)&m[3 * r];
    __syncthreads();
    if (r < rows) out[r] = stage[threadIdx.x];
}

int main() {
    const int rows = 128;
    std::vector<float> h(3 * rows, 2.0f);
    float* m;
    float2 *out, r;
    CHECK(cudaMallocManaged(&m, 3 * rows * sizeof(float)));
    for (int i = 0; i < 3 * rows; ++i) m[i] = h[i];
    CHECK(cudaMalloc(&out, rows * sizeof(float2)));
    load_rows<<<2, 64>>>(m, out, rows);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(m));
    CHECK(cudaFree(out));
    std::printf("%g\n", r.x);
    return 0;
}
