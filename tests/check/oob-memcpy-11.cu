// bug: oob-memcpy
// line: 19
// kernel: -
// note: the table is copied behind its offset in constant memory as a whole
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__constant__ float table[64];

__global__ void apply(float* out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
    std::vector<float> h(64, 1.f);
    CHECK(cudaMemcpyToSymbol(table, h.data(), 16 * sizeof(float)));
    cudaMemcpyToSymbol(table, h.data(), 64 * sizeof(float), 16 * sizeof(float));
    CHECK(cudaMemcpyToSymbol(table, h.data(), 48 * sizeof(float), 16 * sizeof(float)));
    cudaGetLastError();
    float* out;
    CHECK(cudaMalloc(&out, 256));
    apply<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%f\n", h[0]);
    return 0;
}
