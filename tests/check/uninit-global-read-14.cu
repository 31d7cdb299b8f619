// bug: uninit-global-read
// line: 19
// kernel: apply
// note: the operation is called through a pointer, with an operand that nobody has written
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation table[2] = {add, multiply};

__global__ void apply(const int* in, const int* other, int* out, int which) {
    int t = threadIdx.x;
    out[t] = table[(t + which) % 2](in[t], other[t]);
}
int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *other, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&other, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    apply<<<1, n>>>(in, other, out, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(other));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
