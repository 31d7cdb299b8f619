// bug: barrier-divergent
// line: 17
// kernel: filter
// note: threads past the end return, the others of the block go on to a barrier in the loop
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void filter(const int* x, int n, int* out) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = x[i];
    __syncthreads();
    int j = threadIdx.x ^ 1;
    out[i] = blockIdx.x * blockDim.x + j < n ? s[j] : 0;
}

int main() {
    const int n = 200;
    std::vector<int> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    filter<<<4, 64>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != (i ^ 1);
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
