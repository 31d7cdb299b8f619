// Blocks, tiles and coalesced groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int* scratch, int value) {
    for (int step = group.size() / 2; step > 0; step /= 2) {
        scratch[group.thread_rank()] = value;
        group.sync();
        if (group.thread_rank() < step) value += scratch[group.thread_rank() + step];
        group.sync();
    }
    return value;
}
template <unsigned int Size>
__device__ double tile_sum(cg::thread_block_tile<Size> tile, double value) {
    for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
    return value;
}
__global__ void kernel(int* out, double* d) {
    __shared__ int scratch[256];
    cg::thread_block block = cg::this_thread_block();
    int total = sum(block, scratch, block.thread_rank());
    cg::sync(block);
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    total += cg::reduce(warp, 1, cg::plus<int>()) + quad.shfl(total, 0) + quad.shfl_xor(total, 1) + warp.any(total > 3) + quad.ballot(1) +
             warp.match_any(total) + warp.meta_group_rank();
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
    d[block.thread_rank()] = tile_sum(eight, 1.0);
    if (threadIdx.x & 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) total += atomicAdd(out, active.size());
        total = active.shfl(total, 0);
    }
    out[block.group_index().x] = total + sum(cg::tiled_partition(block, 16), scratch, 1);
}
int main() {}
