// bug: oob-memcpy
// line: 18
// kernel: use
// note: the table in constant memory has 16 elements, and 20 are copied to it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__constant__ float table[16];
__global__ void use(float* out) { out[threadIdx.x] = table[threadIdx.x % 16]; }
int main() {
    std::vector<float> h(64, 1.0f);
    float* out;
    CHECK(cudaMalloc(&out, 64 * sizeof(float)));
    cudaError_t copied = cudaMemcpyToSymbol(table, h.data(), 20 * sizeof(float));
    (void)copied;
    use<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
