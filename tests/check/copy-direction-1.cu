// bug: wrong-direction
// line: 19
// kernel: -
// note: the kind of the copy says host to device, but the arguments are the other way round
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    int *p, h[32] = {};
    CHECK(cudaMalloc(&p, 128));
    fill<<<1, 32>>>(p);
    CHECK(cudaGetLastError());
    cudaError_t e = cudaMemcpy(h, p, 128, cudaMemcpyHostToDevice);
    std::printf("%s %d\n", cudaGetErrorString(e), h[5]);
    CHECK(cudaFree(p));
    return 0;
}
