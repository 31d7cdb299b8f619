// Clusters of blocks: where a block is in its cluster, other blocks' shared memory, barriers, and what may be asked.
// RUN: lockstep run --gpu h200 %s
// OUT: ^cluster 4 of 8: block 6 is 2 of 4, cluster 1 of 2, explicit$
// OUT: ^cluster \(2,2\) of \(4,4\): block 9 is \(1,0\), rank 1 of 4, cluster \(0,1\) of \(2,2\)$
// OUT: ^no cluster: block 2 is 0 of 1, cluster 2 of 3, not explicit$
// OUT: ^neighbours 1 2 3 0 5 6 7 4$
// OUT: ^narrow addresses 1 2 3 0 5 6 7 4, owners 1 2 3 0$
// OUT: ^histogram 512 512 512 512$
// OUT: ^mbarriers 1 1 1 1$
// OUT: ^8 at most, 16 if allowed, [0-9]+ clusters of 4 at once$
// OUT: ^compiled for 2 1 1, must be set 1$
// NOT: ERROR
// ALSO: nvcc
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        const cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) std::printf("ERROR line %d: %s\n", __LINE__, cudaGetErrorName(status)); \
    } while (0)

__device__ int out[1024];

#define READ(name, target) asm volatile("mov.u32 %0, %%" name ";" : "=r"(target))

__global__ void places() {
    if (threadIdx.x != 0) return;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* mine = out + 16 * block;
    READ("cluster_ctaid.x", mine[0]);
    READ("cluster_ctaid.y", mine[1]);
    READ("cluster_ctarank", mine[2]);
    READ("cluster_nctarank", mine[3]);
    READ("clusterid.x", mine[4]);
    READ("clusterid.y", mine[5]);
    READ("nclusterid.x", mine[6]);
    READ("nclusterid.y", mine[7]);
    asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(mine[8]));
}

// Each block reads what its neighbour has.
__global__ void neighbours() {
    __shared__ int number;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) number = static_cast<int>(blockIdx.x);
    cluster.sync();
    const int next = static_cast<int>((cluster.block_rank() + 1) % cluster.num_blocks());
    if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&number, next);
    cluster.sync();  // nobody's memory goes before it was read
}

// The same by addresses of 32 bits.
__global__ void narrow() {
    __shared__ int numbers[32];
    cg::cluster_group cluster = cg::this_cluster();
    numbers[threadIdx.x] = static_cast<int>(blockIdx.x);
    cluster.sync();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const auto own = static_cast<unsigned>(__cvta_generic_to_shared(&numbers[threadIdx.x]));
    unsigned other = 0, owner = 0;
    int value = 0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(next));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(other));
    if (threadIdx.x == 31) out[blockIdx.x] = value;
    if (threadIdx.x == 31 && blockIdx.x < 4) out[100 + blockIdx.x] = static_cast<int>(owner);
    cluster.sync();
}

// A histogram that is too large for one block: each has a part of the bins.
__global__ void __cluster_dims__(2, 1, 1) histogram(const unsigned* values, int n) {
    __shared__ int bins[2];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 2) bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = static_cast<int>(cluster.thread_rank()); i < n; i += static_cast<int>(cluster.num_threads())) {
        const unsigned bin = values[i] % 4;
        atomicAdd(cluster.map_shared_rank(bins, static_cast<int>(bin / 2)) + bin % 2, 1);
    }
    cluster.sync();
    if (threadIdx.x < 2) out[2 * cluster.block_rank() + threadIdx.x] = bins[threadIdx.x];
}

// Every block arrives at the barrier of the first.
__global__ void mbarriers() {
    __shared__ unsigned long long barrier;
    cg::cluster_group cluster = cg::this_cluster();
    const auto own = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(own), "r"(cluster.num_blocks()) : "memory");
    cluster.sync();
    unsigned first = 0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(own));
    if (threadIdx.x == 0) asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(first) : "memory");
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 4) {
        int done = 0;
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(own)
                     : "memory");
        out[threadIdx.x] = done;
    }
}

static int host[1024];
static void read() {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(host, out, sizeof host));
}
template <class... Parameters>
static void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel));
    read();
}
static void print(const char* what, int from, int n) {
    std::printf("%s", what);
    for (int i = from; i < from + n; ++i) std::printf(" %d", host[i]);
}

int main() {
    launch(places, 8, 32, 4);
    const int* at = host + 16 * 6;
    std::printf("cluster 4 of 8: block 6 is %d of %d, cluster %d of %d, %s\n", at[2], at[3], at[4], at[6],
                at[8] ? "explicit" : "not explicit");
    launch(places, dim3(4, 4), 32, dim3(2, 2));
    at = host + 16 * 9;
    std::printf("cluster (2,2) of (4,4): block 9 is (%d,%d), rank %d of %d, cluster (%d,%d) of (%d,%d)\n", at[0], at[1],
                at[2], at[3], at[4], at[5], at[6], at[7]);
    places<<<3, 32>>>();
    read();
    at = host + 16 * 2;
    std::printf("no cluster: block 2 is %d of %d, cluster %d of %d, %s\n", at[2], at[3], at[4], at[6],
                at[8] ? "explicit" : "not explicit");
    launch(neighbours, 8, 64, 4);
    print("neighbours", 0, 8);
    launch(narrow, 8, 32, 4);
    print("\nnarrow addresses", 0, 8);
    print(", owners", 100, 4);
    unsigned numbers[2048], *values = nullptr;
    for (unsigned i = 0; i < 2048; ++i) numbers[i] = i * 7;
    CHECK(cudaMalloc(&values, sizeof numbers));
    CHECK(cudaMemcpy(values, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    histogram<<<2, 128>>>(values, 2048);
    read();
    print("\nhistogram", 0, 4);
    launch(mbarriers, 4, 32, 4);
    print("\nmbarriers", 0, 4);

    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {4, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = 8;
    config.blockDim = 256;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int most = 0, large = 0, active = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&most, places, &config));
    CHECK(cudaFuncSetAttribute(places, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&large, places, &config));
    CHECK(cudaOccupancyMaxActiveClusters(&active, places, &config));
    std::printf("\n%d at most, %d if allowed, %d clusters of 4 at once\n", most, large, active);
    cudaFuncAttributes attributes{};
    CHECK(cudaFuncGetAttributes(&attributes, histogram));
    std::printf("compiled for %d %d %d, must be set %d\n", attributes.requiredClusterWidth,
                attributes.requiredClusterHeight, attributes.requiredClusterDepth, attributes.clusterDimMustBeSet);
}
