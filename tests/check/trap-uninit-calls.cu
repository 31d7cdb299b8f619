// bug: none
// line: 0
// kernel: apply
// note: calls through pointers, recursion and functions that are not inlined are given undefined values and do not use them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using Operation = int (*)(int, int);
__device__ int first(int a, int) { return a; }
__device__ int second(int, int b) { return b; }
__device__ Operation table[2] = {first, second};
__device__ __noinline__ int guarded(const int* values, const int* spare, int t) { return t < 32 ? values[t] : spare[t] * 0 + 1; }
__device__ int deep(const int* values, int n, int unused) {
    if (n == 0) return values[0];
    return deep(values, n - 1, unused + 1) + 1;
}
__global__ void apply(const int* in, const int* spare, int* out) {
    int t = threadIdx.x;
    int unused = spare[t];
    out[t] = table[0](in[t], unused) + table[1](unused, in[t]) + deep(in, t % 4, unused) + guarded(in, in, t);
}
int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *spare, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&spare, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    apply<<<1, n>>>(in, spare, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(spare));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
