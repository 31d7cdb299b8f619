// Distributed shared memory and cluster barriers: latencies of a warp alone, what a block gets through when
// all of its cluster's blocks access their neighbour, and what a barrier takes.
#include <cstdio>
#include <string>
#include <vector>

#define RANK(r) asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r))
#define SIZE(n) asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n))
__device__ unsigned cycles[4096];

__device__ void meet() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
__device__ unsigned mapped(const void* p, unsigned rank) {
    unsigned a;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(a)
                 : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank));
    return a;
}

// Loads are volatile, or the assembler takes those of later rounds from the first.
enum Kind { load4, load8, load16, store4, store16, add4, add4_result };
template <Kind kind>
__device__ unsigned access(unsigned a) {
    unsigned x = 0, y = 0, z = 0, w = 0;
    if (kind == load4) asm volatile("ld.volatile.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(a));
    if (kind == load8)
        asm volatile("ld.volatile.shared::cluster.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "r"(a));
    if (kind == load16)
        asm volatile("ld.volatile.shared::cluster.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(a));
    if (kind == store4) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(a), "r"(x));
    if (kind == store16) asm volatile("st.shared::cluster.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(a), "r"(x));
    if (kind == add4) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(a), "r"(1));
    if (kind == add4_result) asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(x) : "r"(a));
    return x + y + z + w;
}

// Sixteen accesses a round, none of which waits for another; lanes `stride` bytes apart.
template <Kind kind>
__global__ void rate(int rounds, int stride, int distance) {
    __shared__ __align__(16) unsigned memory[8192];
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) memory[i] = 0;
    unsigned rank, size, sum = 0;
    RANK(rank);
    SIZE(size);
    meet();
    const unsigned a = mapped(memory, (rank + distance) % size) + threadIdx.x % 32 * stride;
    __syncthreads();
    const unsigned begin = clock();
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int i = 0; i < 16; ++i) sum += access<kind>(a + i * 512);
    if (sum == 12345) cycles[4095] = sum;
    __syncthreads();
    const unsigned end = clock();
    meet();
    if (threadIdx.x == 0 && blockIdx.x < 4000) cycles[blockIdx.x] = end - begin;
}

// A warp that waits for each access.
template <Kind kind>
__global__ void chain(int rounds, int stride, int distance) {
    __shared__ __align__(16) unsigned memory[8192];
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) memory[i] = 0;
    unsigned rank, size;
    RANK(rank);
    SIZE(size);
    meet();
    unsigned a = mapped(memory, (rank + distance) % size) + threadIdx.x % 32 * stride;
    const unsigned begin = clock();
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int i = 0; i < 16; ++i) a += access<kind>(a) & 0x10000000;
    const unsigned end = clock();
    meet();
    if (a == 12345) cycles[4095] = a;
    if (threadIdx.x == 0 && blockIdx.x < 4000) cycles[blockIdx.x] = end - begin;
}

enum Barrier { both, relaxed, block };
template <Barrier kind, bool Stores>
__global__ void barriers(int rounds, int, int) {
    __shared__ unsigned memory[1024];
    unsigned rank, size;
    RANK(rank);
    SIZE(size);
    const unsigned a = mapped(memory, (rank + 1) % size) + threadIdx.x * 4;
    meet();
    const unsigned begin = clock();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (Stores) access<store4>(a);
        if (kind == both) meet();
        if (kind == relaxed)
            asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::
                             : "memory");
        if (kind == block) __syncthreads();
    }
    const unsigned end = clock();
    meet();
    if (threadIdx.x == 0 && blockIdx.x < 4000) cycles[blockIdx.x] = end - begin;
}

void go(const char* what, void (*kernel)(int, int, int), int blocks, int cluster, int warps, int rounds,
        int stride, int distance, double each) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = warps * 32;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < 2 && !status; ++i)
        status = cudaLaunchKernelEx(&config, kernel, rounds, stride, distance);
    if (!status) status = cudaDeviceSynchronize();
    std::vector<unsigned> all(4096);
    cudaMemcpyFromSymbol(all.data(), cycles, all.size() * 4);
    unsigned long long sum = 0;
    for (int b = 0; b < blocks; ++b) sum += all[b];
    std::printf("%s,%d,%d,%d,%d,%.2f%s%s\n", what, blocks, cluster, warps, stride,
                double(sum) / blocks / (rounds * each), status ? "," : "",
                status ? cudaGetErrorName(status) : "");
}

int main() {
    // cycles: of one access of a warp, over all warps of a block; of one barrier
    std::printf("what,blocks,cluster,warps,stride,cycles\n");
    for (int cluster : {2, 8}) {
        go("chain load4", chain<load4>, cluster, cluster, 1, 16, 4, 1, 16);
        go("chain load16", chain<load16>, cluster, cluster, 1, 16, 16, 1, 16);
        go("chain load4", chain<load4>, cluster, cluster, 1, 16, 128, 1, 16);
        go("chain atomic", chain<add4_result>, cluster, cluster, 1, 16, 4, 1, 16);
        go("chain load4 own", chain<load4>, cluster, cluster, 1, 16, 4, 0, 16);
    }
    for (int blocks : {8, 128})
        for (int cluster : {2, 4, 8})
            for (int warps : {1, 4, 16, 32}) {
                if (blocks == 128 && warps != 16) continue;
                const auto rates = [&](const char* what, void (*kernel)(int, int, int), int stride) {
                    go(what, kernel, blocks, cluster, warps, 8, stride, 1, 16.0 * warps);
                };
                rates("load4", rate<load4>, 4);
                rates("load8", rate<load8>, 8);
                rates("load16", rate<load16>, 16);
                rates("store4", rate<store4>, 4);
                rates("store16", rate<store16>, 16);
                rates("add4", rate<add4>, 4);
                rates("add4 result", rate<add4_result>, 4);
                if (blocks == 8 && cluster != 4) {
                    rates("load4", rate<load4>, 0);
                    rates("load4", rate<load4>, 8);
                    rates("load4", rate<load4>, 32);
                    rates("load4", rate<load4>, 128);
                    rates("store4", rate<store4>, 128);
                    rates("add4", rate<add4>, 0);
                    go("load4 own", rate<load4>, blocks, cluster, warps, 8, 4, 0, 16.0 * warps);
                    go("load16 own", rate<load16>, blocks, cluster, warps, 8, 16, 0, 16.0 * warps);
                }
            }
    for (int cluster : {1, 2, 4, 8})
        for (int warps : {1, 4, 8, 16, 32}) {
            go("barrier", barriers<both, false>, cluster, cluster, warps, 64, 0, 1, 1);
            go("barrier relaxed", barriers<relaxed, false>, cluster, cluster, warps, 64, 0, 1, 1);
            go("barrier after a store", barriers<both, true>, cluster, cluster, warps, 64, 0, 1, 1);
            if (cluster == 1) go("barrier of a block", barriers<block, false>, 1, 1, warps, 64, 0, 1, 1);
        }
    if (const cudaError_t status = cudaGetLastError()) std::fprintf(stderr, "%s\n", cudaGetErrorName(status));
}
