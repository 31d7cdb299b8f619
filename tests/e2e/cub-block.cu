// CUB's parts for blocks and warps, compiled by clang: sums, scans, sorts, loads through shared memory,
// histograms.
// RUN: lockstep run %s
// OUT: ^BlockReduce 130816$
// OUT: ^BlockScan 512 of 512$
// OUT: ^BlockRadixSort 512 of 512$
// OUT: ^BlockMergeSort 512 of 512$
// OUT: ^BlockLoad, BlockExchange, BlockStore 512 of 512$
// OUT: ^BlockHistogram 8 of 8$
// OUT: ^BlockDiscontinuity 171$
// OUT: ^WarpReduce 496, of groups of 8: 28 92 156 220$
// OUT: ^WarpScan 32 of 32$
// NOT: warning
#include <cstdio>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int threads = 128, items = 4, count = threads * items;

struct Results {
    int sum, scanned, sorted, merged, moved, bins, heads, warp_sum, group_sums[4], warp_scanned;
};

struct Less {
    template <class T>
    __device__ bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};

// A permutation of 0 … 511.
__device__ int shuffled(int i) { return i * 37 % count; }

__global__ void of_blocks(const int* in, int* scratch, Results* results) {
    using Reduce = cub::BlockReduce<int, threads>;
    using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using RadixSort = cub::BlockRadixSort<int, threads, items, short>;
    using MergeSort = cub::BlockMergeSort<int, threads, items>;
    using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Exchange = cub::BlockExchange<int, threads, items>;
    using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
    using Histogram = cub::BlockHistogram<unsigned char, threads, items, 8, cub::BLOCK_HISTO_ATOMIC>;
    using Discontinuity = cub::BlockDiscontinuity<int, threads>;
    __shared__ union {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
        RadixSort::TempStorage radix_sort;
        MergeSort::TempStorage merge_sort;
        Load::TempStorage load;
        Exchange::TempStorage exchange;
        Store::TempStorage store;
        Histogram::TempStorage histogram;
        Discontinuity::TempStorage discontinuity;
    } shared;
    __shared__ unsigned bins[8];
    const int first = threadIdx.x * items;

    int values[items], keys[items], sums[items], heads[items];
    short origins[items];
    unsigned char samples[items];
    for (int i = 0; i < items; ++i) values[i] = shuffled(first + i);
    const int sum = Reduce(shared.reduce).Sum(values);
    if (threadIdx.x == 0) results->sum = sum;
    __syncthreads();

    for (int i = 0; i < items; ++i) sums[i] = 2 * (first + i);
    Scan(shared.scan).ExclusiveSum(sums, sums);
    __syncthreads();
    for (int i = 0; i < items; ++i) atomicAdd(&results->scanned, sums[i] == (first + i) * (first + i - 1));

    for (int i = 0; i < items; ++i) keys[i] = values[i] - 100, origins[i] = first + i;
    RadixSort(shared.radix_sort).Sort(keys, origins);
    __syncthreads();
    for (int i = 0; i < items; ++i)
        atomicAdd(&results->sorted, keys[i] == first + i - 100 && shuffled(origins[i]) == first + i);

    for (int i = 0; i < items; ++i) keys[i] = values[i];
    MergeSort(shared.merge_sort).Sort(keys, Less());
    __syncthreads();
    for (int i = 0; i < items; ++i) atomicAdd(&results->merged, keys[i] == first + i);

    Load(shared.load).Load(in, keys);
    __syncthreads();
    Exchange(shared.exchange).BlockedToStriped(keys, keys);
    __syncthreads();
    Exchange(shared.exchange).StripedToBlocked(keys, keys);
    __syncthreads();
    Store(shared.store).Store(scratch, keys);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += threads) atomicAdd(&results->moved, scratch[i] == in[i]);

    for (int i = 0; i < items; ++i) samples[i] = values[i] % 8;
    Histogram(shared.histogram).Histogram(samples, bins);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&results->bins, bins[threadIdx.x] == count / 8);

    for (int i = 0; i < items; ++i) keys[i] = (first + i) / 3;
    Discontinuity(shared.discontinuity).FlagHeads(heads, keys, cub::Inequality());
    for (int i = 0; i < items; ++i) atomicAdd(&results->heads, heads[i]);
}

__global__ void of_a_warp(Results* results) {
    using Reduce = cub::WarpReduce<int>;
    using OfEight = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<double>;
    __shared__ Reduce::TempStorage reduce;
    __shared__ OfEight::TempStorage of_eight[4];
    __shared__ Scan::TempStorage scan;
    const int lane = threadIdx.x, group = lane / 8;
    const int sum = Reduce(reduce).Sum(lane), of_group = OfEight(of_eight[group]).Sum(lane);
    if (lane == 0) results->warp_sum = sum;
    if (lane % 8 == 0) results->group_sums[group] = of_group;
    double scanned;
    Scan(scan).InclusiveSum(lane * 0.5, scanned);
    atomicAdd(&results->warp_scanned, scanned == lane * (lane + 1) * 0.25);
}

int main() {
    int *in, *scratch;
    Results* r;
    cudaMallocManaged(&in, count * sizeof(int));
    cudaMallocManaged(&scratch, count * sizeof(int));
    cudaMallocManaged(&r, sizeof(Results));
    *r = {};
    for (int i = 0; i < count; ++i) in[i] = i * i;
    of_blocks<<<1, threads>>>(in, scratch, r);
    of_a_warp<<<1, 32>>>(r);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
    printf("BlockReduce %d\nBlockScan %d of %d\nBlockRadixSort %d of %d\nBlockMergeSort %d of %d\n", r->sum,
           r->scanned, count, r->sorted, count, r->merged, count);
    printf("BlockLoad, BlockExchange, BlockStore %d of %d\nBlockHistogram %d of 8\nBlockDiscontinuity %d\n",
           r->moved, count, r->bins, r->heads);
    printf("WarpReduce %d, of groups of 8: %d %d %d %d\nWarpScan %d of 32\n", r->warp_sum, r->group_sums[0],
           r->group_sums[1], r->group_sums[2], r->group_sums[3], r->warp_scanned);
}
