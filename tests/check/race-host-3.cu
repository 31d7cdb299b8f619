// bug: stream-race
// line: 21,24
// kernel: produce
// note: mapped pinned memory is read by the host after the launch and before any wait
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void produce(float* p, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = 2.0f * i;
}

int main() {
    float *h, *d;
    CHECK(cudaHostAlloc(&h, 256 * 4, cudaHostAllocMapped));
    for (int i = 0; i < 256; ++i) h[i] = 0.0f;
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    produce<<<1, 32>>>(d, 256);
    CHECK(cudaGetLastError());
    float s = 0.0f;
    for (int i = 0; i < 256; ++i) s += h[i];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(h));
    std::printf("%g\n", s);
    return 0;
}
