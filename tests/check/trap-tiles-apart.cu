// bug: none
// line: 0
// kernel: mixed
// note: half of a warp works in tiles of four, the other in coalesced groups; each exchanges within its group, then all of them behind one __syncwarp
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void mixed(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[t];
    if (lane < 16) {
        auto tile = cg::tiled_partition<4>(cg::this_thread_block());
        tile.sync();
        int v = s[t ^ 3];
        tile.sync();
        s[t] = v;
    } else if (lane & 1) {
        auto odd = cg::coalesced_threads();
        odd.sync();
        int v = s[(t & 32) + 16 + ((lane + 2) & 15)];
        odd.sync();
        s[t] = v;
    }
    __syncwarp();
    out[t] = s[(t & 32) + 31 - lane];
}

int main() {
    std::vector<int> h(64);
    for (int i = 0; i < 64; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    mixed<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
