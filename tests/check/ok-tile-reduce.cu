// bug: none
// line: 0
// kernel: -
// note: 4-lane tiles, cg::reduce and an inclusive scan of a 16-lane tile in diverged branches of the warp
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void fold(const int* x, int* out) {
    auto block = cg::this_thread_block();
    auto half = cg::tiled_partition<16>(block);
    int v = x[block.thread_rank()];
    int r;
    if (half.meta_group_rank() % 2) {
        r = cg::reduce(half, v, cg::plus<int>());
    } else {
        auto quad = cg::tiled_partition<4>(half);
        r = cg::inclusive_scan(half, v) + quad.shfl(v, 3);
    }
    out[block.thread_rank()] = r;
}

int main() {
    std::vector<int> h(64, 1), r(64);
    int *x, *out;
    CHECK(cudaMalloc(&x, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(x, h.data(), 256, cudaMemcpyHostToDevice));
    fold<<<1, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d %d\n", r[2], r[20]);
    return r[2] != 4 || r[20] != 16;
}
