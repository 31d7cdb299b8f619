// bug: oob-memcpy
// line: 18
// kernel: -
// note: copying one device buffer to another takes the larger of both sizes
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    std::vector<int> h(500, 4);
    int *a, *b, r[500];
    CHECK(cudaMalloc(&a, 500 * sizeof(int)));
    CHECK(cudaMalloc(&b, 400 * sizeof(int)));
    CHECK(cudaMemcpy(a, h.data(), 500 * sizeof(int), cudaMemcpyHostToDevice));
    cudaError_t e = cudaMemcpy(b, a, 500 * sizeof(int), cudaMemcpyDeviceToDevice);
    std::printf("%s\n", cudaGetErrorString(e));
    CHECK(cudaMemcpy(r, a, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return r[0] != 4;
}
