// bug: leak
// line: 23
// kernel: -
// note: the loop allocates a new pinned staging buffer each round and frees only the last
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void twice(int* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] *= 2;
}

int main() {
    const int n = 256;
    int *d, *stage = nullptr;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMemset(d, 0, n * 4));
    for (int k = 0; k < 3; ++k) {
        CHECK(cudaMallocHost(&stage, n * 4));
        for (int i = 0; i < n; ++i) stage[i] = k;
        CHECK(cudaMemcpy(d, stage, n * 4, cudaMemcpyHostToDevice));
        twice<<<1, 256>>>(d, n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(stage, d, n * 4, cudaMemcpyDeviceToHost));
    int bad = stage[9] != 4;
    CHECK(cudaFreeHost(stage));
    CHECK(cudaFree(d));
    std::printf("bad: %d\n", bad);
    return bad;
}
