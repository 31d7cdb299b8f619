// Grids, blocks, tiles and coalesced groups, copies that go on meanwhile, barriers in shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

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

__global__ void waits(int* out, const int* in) {
    __shared__ int copy[64];
    __shared__ nvcuda::experimental::awbarrier barrier;
    cg::grid_group grid = cg::this_grid();
    grid.sync();
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cg::memcpy_async(block, copy, in, sizeof(copy));
    cg::wait(block);
    nvcuda::experimental::pipeline pipe;
    memcpy_async(copy[block.thread_rank() % 64], in[0], pipe);
    pipe.commit_and_wait();
    __pipeline_memcpy_async(&copy[0], in, 4, block.size() % 4);
    pipe.arrive_on(barrier);
    auto token = barrier.arrive();
    out[1] = token.pending_count() + barrier.try_wait_parity(true, 10) + barrier.timed_wait(token, 100);
    barrier.wait(token);
    auto large = cg::tiled_partition<64>(block);
    cg::coalesced_group part = cg::labeled_partition(cg::tiled_partition<32>(large), copy[3]);
    out[2] = cg::reduce(large, copy[1], cg::bit_or<int>()) + cg::exclusive_scan(part, copy[2]) +
             cg::binary_partition(part, copy[2] > 1).meta_group_rank() +
             cg::invoke_one_broadcast(part, [] { return 3; });
    auto arrived = grid.barrier_arrive();
    grid.barrier_wait(static_cast<unsigned long long&&>(arrived));
    auto cluster = cg::this_cluster();
    cluster.sync();
    out[3] = *cluster.map_shared_rank(copy, 0) + cg::this_thread().size();
}
int main() {}
