// bug: stale-result
// line: 23
// kernel: -
// note: the kernel's result stays on the device: the host prints its own array, which was never downloaded
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void twice(int* p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] *= 2;
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 21);
    int* d;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice));
    twice<<<1, n>>>(d, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    std::printf("%d\n", h[0]);
    return 0;
}
