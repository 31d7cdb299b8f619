// bug: stream-race
// line: 29,30
// kernel: use
// note: an upload by the driver API in a non-blocking stream, and a kernel in the default stream that does not wait for it
#include <cstdio>
#include <cuda.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void use(const int* p, int* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = p[i] + 1;
}

int main() {
    const int n = 5000;
    int *h, *p, *q;
    CHECK(cudaMallocHost(&h, n * 4));
    for (int i = 0; i < n; ++i) h[i] = i;
    CHECK(cudaMalloc(&p, n * 4));
    CHECK(cudaMalloc(&q, n * 4));
    CHECK(cudaMemset(p, 0, n * 4));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    cuMemcpyHtoDAsync((CUdeviceptr)p, h, n * 4, s);
    use<<<(n + 127) / 128, 128>>>(p, q, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int v = 0;
    CHECK(cudaMemcpy(&v, q + 7, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    CHECK(cudaFreeHost(h));
    std::printf("%d\n", v);
    return 0;
}
