// bug: oob-memcpy
// line: 20
// kernel: -
// note: the download is larger than the pinned host buffer that receives it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void ones(int* p) { p[threadIdx.x] = 1; }

int main() {
    int *d, *h;
    CHECK(cudaMalloc(&d, 256 * 4));
    CHECK(cudaHostAlloc(&h, 200 * 4, cudaHostAllocDefault));
    ones<<<1, 256>>>(d);
    CHECK(cudaGetLastError());
    cudaMemcpy(h, d, 256 * 4, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, d, 200 * 4, cudaMemcpyDeviceToHost));
    int bad = h[199] != 1;
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("bad: %d\n", bad);
    return bad;
}
