// bug: leak
// line: 20
// kernel: -
// note: the pool allocation of the second stream is never given back, its stream is destroyed
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void put(int* p) { *p = 7; }

int main() {
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    int *p, *q, h = 0;
    CHECK(cudaMallocAsync(&p, 1024, a));
    CHECK(cudaMallocAsync(&q, 2048, b));
    put<<<1, 1, 0, a>>>(p);
    put<<<1, 1, 0, b>>>(q);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(&h, q, 4, cudaMemcpyDeviceToHost, b));
    CHECK(cudaFreeAsync(p, a));
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaStreamSynchronize(b));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    std::printf("%d\n", h);
    return h != 7;
}
