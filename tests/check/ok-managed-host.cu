// bug: none
// line: 0
// kernel: -
// note: managed memory is written by the host, then by a kernel, then read by the host after a synchronisation, twice
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void square(int* p, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] *= p[i];
}

int main() {
    const int n = 500;
    int* p;
    CHECK(cudaMallocManaged(&p, n * 4));
    for (int i = 0; i < n; ++i) p[i] = 2;
    int bad = 0;
    for (int k = 0; k < 2; ++k) {
        square<<<2, 64>>>(p, n);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i) bad += p[i] != (k ? 16 : 4);
    }
    CHECK(cudaFree(p));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
