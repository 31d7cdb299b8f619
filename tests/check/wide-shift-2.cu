// bug: wide-shift
// line: 13
// kernel: mark
// note: a 64-bit set of warps is built by shifting an int
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void mark(const int* warp, unsigned long long* set) {
    int i = threadIdx.x;
    unsigned long long bit = 1 << warp[i];
    atomicOr(set, bit);
}

int main() {
    int w[32];
    for (int i = 0; i < 32; ++i) w[i] = 2 * i;
    int* dw;
    unsigned long long *set, r;
    CHECK(cudaMalloc(&dw, sizeof w));
    CHECK(cudaMalloc(&set, 8));
    CHECK(cudaMemset(set, 0, 8));
    CHECK(cudaMemcpy(dw, w, sizeof w, cudaMemcpyHostToDevice));
    mark<<<1, 32>>>(dw, set);
    CHECK(cudaMemcpy(&r, set, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dw));
    CHECK(cudaFree(set));
    std::printf("%llx\n", r);
    return 0;
}
