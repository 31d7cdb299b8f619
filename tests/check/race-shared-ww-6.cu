// bug: race-shared-ww
// line: 20,20
// kernel: block_max
// note: the leaders of all warps store the block's maximum in the one cell, each its own
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void block_max(const int* x, int n, int* out) {
    __shared__ int best;
    int t = threadIdx.x, v = -1;
    for (int i = t; i < n; i += blockDim.x) v = max(v, x[i]);
    v = __reduce_max_sync(0xffffffffu, v);
    if (t == 0) best = -1;
    __syncthreads();
    if (t % 32 == 0)
        best = max(v, 0);
    __syncthreads();
    if (t == 0) *out = best;
}

int main() {
    const int n = 1000;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = i * 31 % 997;
    int *x, *out, r;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    block_max<<<1, 256>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r);
    return 0;
}
