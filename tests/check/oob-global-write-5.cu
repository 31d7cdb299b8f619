// bug: oob-global-write
// line: 16
// kernel: build
// note: the device-heap row has room for cols entries, but the loop writes the end mark after them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void build(int cols, int* sums) {
    int* row = static_cast<int*>(malloc(cols * sizeof(int)));
    if (!row) return;
    for (int k = 0; k <= cols; ++k)
        row[k] = k == cols ? -1 : k * threadIdx.x;
    int s = 0;
    for (int k = 0; k < cols; ++k) s += row[k];
    sums[threadIdx.x] = s;
    free(row);
}

int main() {
    const int n = 32, cols = 12;
    std::vector<int> r(n);
    int* sums;
    CHECK(cudaMalloc(&sums, n * sizeof(int)));
    build<<<1, n>>>(cols, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), sums, n * sizeof(int), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != i * cols * (cols - 1) / 2;
    CHECK(cudaFree(sums));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
