// bug: oob-global-write
// line: 23
// kernel: each
// note: a device lambda is called for one element too many
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <class F>
__global__ void each(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) f(i);
}

int main() {
    const int n = 1000;
    int* data;
    CHECK(cudaMalloc(&data, n * sizeof(int)));
    each<<<4, 256>>>(n, [=] __device__(int i) {
        data[i] = i * i;
    });
    CHECK(cudaGetLastError());
    std::vector<int> h(n);
    CHECK(cudaMemcpy(h.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    std::printf("%d\n", h[n - 1]);
    return 0;
}
