// bug: none
// line: 0
// kernel: -
// note: a blocking stream and the legacy default stream order each other without events
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* p, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += v;
}

int main() {
    const int n = 1000;
    int *d, *h;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMallocHost(&h, n * 4));
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMemsetAsync(d, 0, n * 4, a));
    add<<<8, 128>>>(d, n, 1);
    add<<<8, 128, 0, b>>>(d, n, 2);
    CHECK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost));
    int bad = h[5] != 3;
    add<<<8, 128, 0, a>>>(d, n, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    bad += h[5] != 7;
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
