// bug: race-shared-wr
// line: 19,22
// kernel: ring
// note: the neighbour of the cluster is read before the cluster has met
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) ring(const int* in, int* out) {
    __shared__ int box[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    box[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    int* other = cluster.map_shared_rank(box, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = other[63 - t];
    cluster.sync();
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    ring<<<4, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
