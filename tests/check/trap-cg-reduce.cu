// bug: none
// line: 0
// kernel: total
// note: reductions of tiles, then of the tile of leaders, with a barrier between; inclusive scan by tiles
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;
__global__ void total(const int* in, int* out) {
    __shared__ int sums[8];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        auto leaders = cg::tiled_partition<8>(tile);
        if (leaders.meta_group_rank() == 0) {
            int all = cg::reduce(leaders, sums[leaders.thread_rank()], cg::plus<int>());
            if (leaders.thread_rank() == 0) sums[0] = all;
        }
    }
    block.sync();
    out[block.thread_rank()] = sums[0];
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    total<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
