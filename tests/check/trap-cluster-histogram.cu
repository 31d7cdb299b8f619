// bug: none
// line: 0
// kernel: histogram
// note: bins are spread over the blocks of a cluster and updated by atomics there, between meetings
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) histogram(const int* in, int* out, int n) {
    __shared__ int bins[16];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    cluster.sync();
    for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
        int value = in[i] & 63;
        atomicAdd(cluster.map_shared_rank(bins, value / 16) + value % 16, 1);
    }
    cluster.sync();
    if (t < 16) out[cluster.block_rank() * 16 + t] = bins[t];
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    histogram<<<4, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
