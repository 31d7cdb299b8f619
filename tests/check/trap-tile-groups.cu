// bug: none
// line: 0
// kernel: tiles
// note: tiles of 4, 8 and 16 lanes each exchange within themselves behind their own sync, side by side in one warp
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

template <int N>
__device__ int turn(int* s, int v) {
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int base = threadIdx.x / N * N;
    s[threadIdx.x] = v;
    tile.sync();
    int r = s[base + N - 1 - tile.thread_rank()];
    tile.sync();
    return r + cg::reduce(tile, v, cg::plus<int>());
}

__global__ void tiles(const int* in, int* out) {
    __shared__ int s[64];
    int v = in[threadIdx.x];
    v = turn<4>(s, v);
    __syncwarp();
    v = turn<8>(s, v);
    __syncwarp();
    v = turn<16>(s, v);
    out[threadIdx.x] = v;
}

int main() {
    std::vector<int> h(64, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    tiles<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
