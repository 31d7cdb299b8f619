// bug: race-shared-warp
// line: 18,20
// kernel: scan
// note: each 16-lane tile syncs once per step, but the store of a step and the load of the same step lie on the same side of it
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

template <typename Tile>
__device__ int scan_step(const Tile& tile, int* s, int v, int d) {
    int r = tile.thread_rank();
    int add = r >= d ? s[r - d] : 0;
    v += add;
    s[r] = v;
    tile.sync();
    return v;
}

__global__ void scan(const int* in, int* out) {
    __shared__ int buf[4][16];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int* s = buf[threadIdx.x / 16];
    int v = in[threadIdx.x];
    s[tile.thread_rank()] = v;
    tile.sync();
    for (int d = 1; d < 16; d *= 2) v = scan_step(tile, s, v, d);
    out[threadIdx.x] = v;
}

int main() {
    std::vector<int> h(64, 1), r(64);
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    scan<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[15]);
    return 0;
}
