// Clusters of blocks: sums, histograms, a stencil and a transposition through each other's shared memory.
#include <cooperative_groups.h>

#include "tensor.h"

namespace cg = cooperative_groups;

// Each cluster sums a part of the input: blocks for themselves, then the first one over its neighbours' sums.
__global__ void cluster_sum(const int* in, int* out, int each) {
    __shared__ int sums[8], total;
    const cg::cluster_group cluster = cg::this_cluster();
    const int *from = in + blockIdx.x * each, lane = threadIdx.x % 32;
    int sum = 0;
    for (int i = threadIdx.x; i < each; i += blockDim.x) sum += from[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (unsigned i = 0; i < blockDim.x / 32; ++i) sum += sums[i];
        total = sum;
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32) {
        sum = threadIdx.x < cluster.num_blocks() ? *cluster.map_shared_rank(&total, threadIdx.x) : 0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x == 0) out[blockIdx.x / cluster.num_blocks()] = sum;
    }
    cluster.sync();
}

// A histogram whose bins are spread over the cluster's blocks.
__global__ void cluster_histogram(const int* in, int* out, int each, int bins) {
    extern __shared__ int part[];
    const cg::cluster_group cluster = cg::this_cluster();
    const int here = bins / cluster.num_blocks();
    for (int i = threadIdx.x; i < here; i += blockDim.x) part[i] = 0;
    cluster.sync();
    for (int i = threadIdx.x; i < each; i += blockDim.x) {
        const int bin = (unsigned(in[blockIdx.x * each + i]) * 2654435761u >> 16) % bins;
        atomicAdd(cluster.map_shared_rank(part, bin / here) + bin % here, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < here; i += blockDim.x)
        atomicAdd(&out[cluster.block_rank() * here + i], part[i]);
}

// Some steps of a stencil on a ring: the edges come from the neighbours' shared memory.
__global__ void cluster_stencil(const float* in, float* out, int steps) {
    __shared__ float line[2][256];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), size = cluster.num_blocks(), t = threadIdx.x;
    line[0][t] = in[blockIdx.x * 256 + t];
    cluster.sync();
    for (int s = 0; s < steps; ++s) {
        const float* now = line[s % 2];
        const float left = t > 0 ? now[t - 1] : cluster.map_shared_rank(now, (rank + size - 1) % size)[255];
        const float right = t < 255 ? now[t + 1] : cluster.map_shared_rank(now, (rank + 1) % size)[0];
        line[(s + 1) % 2][t] = 0.25f * left + 0.5f * now[t] + 0.25f * right;
        cluster.sync();
    }
    out[blockIdx.x * 256 + t] = line[steps % 2][t];
}

// Everybody's block goes around the ring, 16 bytes a thread.
__global__ void cluster_ring(const float4* in, float4* out, int turns) {
    __shared__ float4 mine[1024];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), size = cluster.num_blocks();
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) mine[i] = in[blockIdx.x * 1024 + i];
    cluster.sync();
    float4 sum[4] = {};
    for (int s = 1; s <= turns; ++s) {
        const float4* far = cluster.map_shared_rank(mine, (rank + s) % size);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float4 v = far[threadIdx.x + i * 256];
            sum[i].x += v.x, sum[i].y += v.y, sum[i].z += v.z, sum[i].w += v.w;
        }
    }
    cluster.sync();
    for (int i = 0; i < 4; ++i) out[blockIdx.x * 1024 + threadIdx.x + i * 256] = sum[i];
}

// A square of 64 x 64 over the blocks' memories, turned by stores.
__global__ void cluster_transpose(const float* in, float* out, int n) {
    __shared__ float rows[16][65];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    for (int tile = blockIdx.x / 4; tile < n; tile += gridDim.x / 4) {
        const float* from = in + tile * 4096 + rank * 1024;
        for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
            const unsigned row = rank * 16 + i / 64, column = i % 64;
            float* far = cluster.map_shared_rank(&rows[0][0], column / 16);
            far[column % 16 * 65 + row] = from[i];
        }
        cluster.sync();
        for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
            out[tile * 4096 + rank * 1024 + i] = rows[i / 64][i % 64];
        cluster.sync();
    }
}

template <class... A>
void go(void (*kernel)(A...), int blocks, int threads, int cluster, int memory, A... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = memory;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

int main() {
    const auto integers = small_numbers<int>(1 << 18, 1);
    const auto floats = small_numbers<float>(1 << 18, 2);
    const int* in = to_device(integers);
    const float* reals = to_device(floats);
    int* out;
    CHECK(cudaMalloc(&out, 1 << 20));
    auto* results = reinterpret_cast<float*>(out);
    go(cluster_sum, 64, 256, 8, 0, in, out, 4096);
    print_hash("cluster_sum 8", out, 8);
    go(cluster_sum, 16, 256, 2, 0, in, out, 4096);
    print_hash("cluster_sum 2", out, 8);
    for (int cluster : {2, 8}) {
        CHECK(cudaMemset(out, 0, 4096 * 4));
        go(cluster_histogram, 16, 256, cluster, 4096 * 4 / cluster, in, out, 2048, 4096);
        print_hash("cluster_histogram", out, 4096);
    }
    go(cluster_stencil, 16, 256, 2, 0, reals, results, 16);
    print_hash("cluster_stencil 2", out, 16 * 256);
    go(cluster_stencil, 16, 256, 8, 0, reals, results, 16);
    print_hash("cluster_stencil 8", out, 16 * 256);
    const auto* quads = reinterpret_cast<const float4*>(reals);
    go(cluster_ring, 8, 256, 4, 0, quads, reinterpret_cast<float4*>(out), 16);
    print_hash("cluster_ring 4", out, 8 * 4096);
    go(cluster_ring, 8, 256, 8, 0, quads, reinterpret_cast<float4*>(out), 16);
    print_hash("cluster_ring 8", out, 8 * 4096);
    go(cluster_transpose, 16, 256, 4, 0, reals, results, 64);
    print_hash("cluster_transpose", out, 64 * 4096);
}
