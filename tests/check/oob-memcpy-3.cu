// bug: oob-memcpy
// line: 20
// kernel: -
// note: the table grew to 40 entries on the host, the symbol has 32
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__constant__ float table[32];

__global__ void use(float* out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
    std::vector<float> h(40, 2.0f), r(32);
    float* out;
    CHECK(cudaMalloc(&out, 128));
    cudaError_t e = cudaMemcpyToSymbol(table, h.data(), h.size() * sizeof(float));
    if (e != cudaSuccess) cudaGetLastError();
    use<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
