// bug: double-free
// line: 25
// kernel: -
// note: not the start of an allocation is freed: the loop advanced the pointer it later frees
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add1(int* p) { p[threadIdx.x] += 1; }

int main() {
    int *p, h[32];
    CHECK(cudaMalloc(&p, 4 * 32 * sizeof(int)));
    int* keep = p;
    CHECK(cudaMemset(p, 0, 4 * 32 * sizeof(int)));
    for (int k = 0; k < 4; ++k) {
        add1<<<1, 32>>>(p);
        CHECK(cudaGetLastError());
        if (k < 3) p += 32;
    }
    CHECK(cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost));
    cudaFree(p);
    cudaGetLastError();
    CHECK(cudaFree(keep));
    std::printf("%d\n", h[31]);
    return h[31] != 1;
}
