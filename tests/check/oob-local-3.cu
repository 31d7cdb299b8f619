// bug: oob-local
// line: 15
// kernel: walk
// note: the stack of the walk has 8 places, and the way to the leaf is longer
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void walk(const int* left, int* out) {
    int stack[8], top = 0, sum = 0;
    for (int node = 0; left[node]; node = left[node])
        stack[top++] = node + threadIdx.x;
    for (int i = 0; i < top && i < 8; ++i) sum += stack[i];
    out[threadIdx.x] = sum;
}
int main() {
    std::vector<int> h(64);
    for (int i = 0; i < 12; ++i) h[i] = i + 1;
    int *in, *out;
    CHECK(cudaMalloc(&in, 64 * sizeof(int)));
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
    walk<<<1, 1>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
