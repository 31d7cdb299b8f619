// bug: oob-shared
// line: 16
// kernel: transpose
// note: the tile has 32 rows, but the rows of the block go on to 40
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void transpose(const int* in, int* out, int n) {
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    for (int r = y; r < n; r += blockDim.y)
        tile[r][x] = in[r * 32 + x];
    __syncthreads();
    for (int r = y; r < 32; r += blockDim.y) out[r * 32 + x] = tile[x][r];
}

int main() {
    const int n = 1280;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    transpose<<<1, dim3(32, 8)>>>(in, out, 40);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
