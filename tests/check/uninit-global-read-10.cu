// bug: uninit-global-read
// line: 14
// kernel: histogram
// note: the histogram is never cleared before atomics add to it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void histogram(const unsigned char* x, int n, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i] >> 4], 1u);
}

int main() {
    const int n = 1000;
    std::vector<unsigned char> h(n, 33);
    unsigned char* x;
    unsigned *bins, r[16];
    CHECK(cudaMalloc(&x, n));
    CHECK(cudaMalloc(&bins, sizeof(r)));
    CHECK(cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice));
    histogram<<<2, 128>>>(x, n, bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, bins, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(bins));
    std::printf("%u\n", r[2]);
    return 0;
}
