// bug: race-global-blocks
// line: 14
// kernel: walk
// note: a recursive function adds to one cell from all blocks
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int depth(int n, int* cell) {
    if (n <= 1) {
        *cell += 1;
        return 1;
    }
    return depth(n - 1, cell) + depth(n - 2, cell);
}

__global__ void walk(int* out) {
    if (threadIdx.x == 0) out[1 + blockIdx.x] = depth(4 + blockIdx.x % 2, out);
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    walk<<<4, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
