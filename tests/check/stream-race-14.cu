// bug: stream-race
// line: 26,27
// kernel: -
// note: a __device__ variable is set in one stream and read by a kernel in another
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ float factor;

__global__ void scale(float* p) { p[threadIdx.x] *= factor; }

int main() {
    float *h, *p;
    CHECK(cudaMallocHost(&h, 4));
    *h = 2.0f;
    CHECK(cudaMalloc(&p, 128));
    CHECK(cudaMemset(p, 0, 128));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaMemcpyToSymbolAsync(factor, h, 4, 0, cudaMemcpyHostToDevice, a));
    scale<<<1, 32, 0, b>>>(p);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    float r;
    CHECK(cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(p));
    CHECK(cudaFreeHost(h));
    std::printf("%g\n", r);
    return 0;
}
