// bug: barrier-divergent
// line: 22
// kernel: halves
// note: a tile's sync is right, but the block's sync is in the branch of the first tile
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void halves(int* v) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    v[block.thread_rank()] += 1;
    tile.sync();
    if (tile.meta_group_rank() == 0) {
        v[block.thread_rank()] *= 2;
        block.sync();
    }
}

int main() {
    int *v, h[64];
    CHECK(cudaMalloc(&v, 256));
    CHECK(cudaMemset(v, 0, 256));
    halves<<<1, 64>>>(v);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, v, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    std::printf("%d\n", h[0]);
    return 0;
}
