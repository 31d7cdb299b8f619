// bug: none
// line: 0
// kernel: sums
// note: tiles of eight exchange through shared memory and synchronise among themselves only
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out) {
    __shared__ int box[128];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    box[t] = in[t];
    tile.sync();
    for (int d = 4; d; d /= 2) {
        int other = box[(t & ~7) | ((t + d) & 7)];
        tile.sync();
        box[t] += other;
        tile.sync();
    }
    int first = tile.shfl(box[t], 0);
    out[t] = first;
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    sums<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
