// bug: stream-race
// line: 29,29
// kernel: blend
// note: two launches in two non-blocking streams add to the same buffer and nothing orders them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void blend(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}

int main() {
    const int n = 2000;
    std::vector<int> ones(n, 1), r(n);
    int *a, *b;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMemcpy(a, ones.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b, 0, n * 4));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s[2];
    for (auto& x : s) CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    for (int k = 0; k < 2; ++k) {
        blend<<<16, 128, 0, s[k]>>>(a, b, n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(r.data(), b, n * 4, cudaMemcpyDeviceToHost));
    for (auto& x : s) CHECK(cudaStreamDestroy(x));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%d\n", r[0]);
    return 0;
}
