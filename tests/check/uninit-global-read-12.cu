// bug: uninit-global-read
// line: 18
// kernel: walk
// note: the undefined weight goes through a function that is not inlined, and decides a branch there
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ __noinline__ int choose(int weight, int value) {
    if (weight > 3) return value * 2;
    return value + weight;
}
__global__ void walk(const int* in, const int* weights, int* out) {
    int t = threadIdx.x;
    out[t] = choose(weights[t], in[t]);
}
int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *weights, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&weights, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(weights, h.data(), n / 2 * sizeof(int), cudaMemcpyHostToDevice));
    walk<<<1, n>>>(in, weights, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(weights));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
