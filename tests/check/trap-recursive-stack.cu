// bug: none
// line: 0
// kernel: walk
// note: recursion with arrays on each level, filled before they are read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int walk(const int* in, int n) {
    int own[4];
    for (int i = 0; i < 4; ++i) own[i] = in[(n + i) % 64];
    if (n == 0) return own[threadIdx.x & 3];
    return walk(in, n - 1) + own[(threadIdx.x + n) & 3];
}

__global__ void sums(const int* in, int* out) { out[threadIdx.x] = walk(in, threadIdx.x % 5); }

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    sums<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
