// bug: uninit-global-read
// line: 13
// kernel: sums
// note: a recursive sum over a tree, one leaf of which was never uploaded
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int total(const int* tree, int node, int leaves) {
    if (node >= leaves) return tree[node - leaves];
    return total(tree, 2 * node, leaves) + total(tree, 2 * node + 1, leaves);
}
__global__ void sums(const int* tree, int* out, int leaves) {
    out[threadIdx.x] = total(tree, 1, leaves);
}
int main() {
    const int n = 8;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), (n - 1) * sizeof(int), cudaMemcpyHostToDevice));
    sums<<<1, 4>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 4 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
