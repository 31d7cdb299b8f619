// bug: race-shared-wr
// line: 15,16
// kernel: rows
// note: each warp writes its row of a padded tile, and one column further
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void rows(const int* in, int* out) {
    __shared__ int tile[4 * 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    tile[warp * 32 + lane] = in[threadIdx.x];
    if (lane == 31) tile[(warp * 32 + 32) % 128] = 7;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    rows<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
