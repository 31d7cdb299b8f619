// bug: invalid-free
// line: 22
// kernel: -
// note: the aligned pointer inside of the allocation is freed in place of its begin
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cstdint>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    char* raw;
    CHECK(cudaMalloc(&raw, 4096));
    int* p = reinterpret_cast<int*>((reinterpret_cast<std::uintptr_t>(raw) + 512) / 512 * 512);
    int h[32];
    fill<<<1, 32>>>(p);
    CHECK(cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost));
    cudaError_t e = cudaFree(p);
    std::printf("%s %d\n", cudaGetErrorString(e), h[3]);
    CHECK(cudaFree(raw));
    return 0;
}
