// bug: race-global-blocks
// line: 15
// kernel: scatter
// note: two elements of the permutation are the same
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scatter(const int* in, const int* where, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[where[i]] = in[i];
}

int main() {
    const int n = 512;
    std::vector<int> h(n), w(n);
    for (int i = 0; i < n; ++i) h[i] = i, w[i] = (i * 7) % n;
    w[300] = w[20];
    int *in, *where, *out;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&where, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemset(out, 0, n * 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(where, w.data(), n * 4, cudaMemcpyHostToDevice));
    scatter<<<4, 128>>>(in, where, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(where));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
