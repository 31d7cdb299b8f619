// Blocks, tiles, coalesced groups, partitions, and what they compute together. CUDA's own headers give these
// sums of all values; with an argument the program prints every value.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^blocks cudaSuccess bab49140984b4205$
// OUT: ^tiles of 8 cudaSuccess 7e3950448bedfdc5$
// OUT: ^tiles of 32 cudaSuccess 3edbfd871be4bcfd$
// OUT: ^nested cudaSuccess 45c26083376cda1f$
// OUT: ^coalesced cudaSuccess 1f85e3bb805d1152$
// OUT: ^partitions cudaSuccess 249d25b69bb43c9d$
// OUT: ^by size cudaSuccess 12dfb45382520e9d$
// OUT: ^together in 4 cudaSuccess d4e3d1e78742b503$
// OUT: ^together in 32 cudaSuccess f7676517a24199aa$
// OUT: ^one of all cudaSuccess 3e8debcb6007efb5$
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

// What the threads of a kernel say, each a row.
struct Row {
    unsigned* next;
    template <class T>
    __device__ void say(T value) {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        memcpy(words, &value, sizeof(T));
        for (unsigned word : words) *next++ = word;
    }
    __device__ void say(dim3 d) {
        say(d.x);
        say(d.y);
        say(d.z);
    }
};
constexpr int row_words = 96;
__device__ Row row_of(unsigned* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return Row{out + (block * blockDim.x * blockDim.y * blockDim.z + thread) * row_words};
}

struct Three {
    int a;
    float b;
    short c, d;
};
struct Longest {  // an operation of the program's own
    __device__ float2 operator()(float2 a, float2 b) const {
        return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y ? b : a;
    }
};

__device__ void of_any_group(Row& row, const cg::thread_group& group) {
    row.say((unsigned)group.size());
    row.say((unsigned)group.thread_rank());
    row.say(group.get_type());
    group.sync();
}

__global__ void blocks(unsigned* out) {
    Row row = row_of(out);
    cg::thread_block block = cg::this_thread_block();
    row.say(block.size());
    row.say(block.num_threads());
    row.say(block.thread_rank());
    row.say(block.group_index());
    row.say(block.thread_index());
    row.say(block.group_dim());
    row.say(block.dim_threads());
    of_any_group(row, block);
    block.sync();
    cg::sync(block);
    row.say((unsigned)cg::thread_rank(block));
    row.say((unsigned)cg::group_size(block));
    auto token = block.barrier_arrive();
    block.barrier_wait(static_cast<decltype(token)&&>(token));
    cg::grid_group grid = cg::this_grid();
    row.say(grid.is_valid());
    row.say(grid.size());
    row.say(grid.thread_rank());
    row.say(grid.num_blocks());
    row.say(grid.block_rank());
    row.say(grid.group_dim());
    row.say(grid.dim_blocks());
    row.say(grid.block_index());
    row.say(grid.thread_index());
    row.say(grid.dim_threads());
    auto one = cg::this_thread();
    row.say(one.size());
    row.say(one.thread_rank());
    row.say(one.meta_group_rank());
    row.say(one.meta_group_size());
}

template <class Tile>
__device__ void of_tile(Row& row, const Tile& tile, int value) {
    row.say(tile.size());
    row.say(tile.num_threads());
    row.say(tile.thread_rank());
    row.say(tile.meta_group_rank());
    row.say(tile.meta_group_size());
    tile.sync();
    const int half = tile.size() / 2;
    row.say(tile.shfl(value, half));
    row.say(tile.shfl_up(value, 1));
    row.say(tile.shfl_down((double)value, 2));
    row.say(tile.shfl_xor((unsigned char)value, 1));
    const Three three = {value, value * 0.5f, (short)-value, 7};
    row.say(tile.shfl(three, 0));
    row.say(tile.any(value % 5 == 3));
    row.say(tile.all(value < 90));
    row.say(tile.ballot(value & 1));
    row.say(tile.match_any(value / 3));
    int same = -1;
    row.say(tile.match_all(value / 64, same));
    row.say(same);
    row.say(tile.match_any((value & 2) * 0.25));
}
template <unsigned Size>
__global__ void tiles(unsigned* out) {
    Row row = row_of(out);
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    of_tile(row, tile, (int)threadIdx.x * 7 % 97);
    cg::thread_block_tile<Size> plain = tile;  // no parent: it remembers its place
    row.say(plain.meta_group_rank());
    row.say(plain.meta_group_size());
    of_any_group(row, plain);
    of_any_group(row, tile);
}
__global__ void nested(unsigned* out) {
    Row row = row_of(out);
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto eight = cg::tiled_partition<8>(warp);
    auto two = cg::tiled_partition<2>(eight);
    of_tile(row, eight, (int)threadIdx.x * 5 % 61);
    of_tile(row, two, (int)threadIdx.x * 3 % 31);
}

template <class Group>
__device__ void of_lanes(Row& row, const Group& group, int value) {
    const unsigned size = group.size(), rank = group.thread_rank();
    row.say(size);
    row.say(rank);
    row.say(group.meta_group_rank());
    row.say(group.meta_group_size());
    group.sync();
    row.say(group.shfl(value, 0));
    row.say(group.shfl(value, size - 1));
    row.say(group.shfl_up((long long)value, 1));
    row.say(group.shfl_down((short)value, 2));
    row.say(group.any(value == 9));
    row.say(group.all(value != 9));
    row.say(group.ballot(value & 1));
    row.say(group.match_any(value & 3));
    int same = -1;
    row.say(group.match_all(size, same));
    row.say(same);
}
__global__ void coalesced(unsigned* out) {
    Row row = row_of(out);
    const int value = (int)threadIdx.x * 11 % 53;
    of_lanes(row, cg::coalesced_threads(), value);
    if (threadIdx.x % 3 != 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        of_lanes(row, active, value);
        of_lanes(row, cg::tiled_partition(active, 4), value);
        of_any_group(row, active);
        cg::coalesced_group odd = cg::binary_partition(active, threadIdx.x & 1);
        of_lanes(row, odd, value);
    }
}
__global__ void partitions(unsigned* out) {
    Row row = row_of(out);
    const int value = (int)threadIdx.x * 13 % 59;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    of_lanes(row, cg::labeled_partition(warp, value % 5), value);
    of_lanes(row, cg::labeled_partition(cg::coalesced_threads(), (unsigned long long)(value / 16)), value);
    of_lanes(row, cg::binary_partition(cg::tiled_partition<8>(warp), value < 30), value);
    of_lanes(row, cg::binary_partition(warp, true), value);
    of_lanes(row, cg::labeled_partition(warp, value > 20), value);
}
__global__ void by_size(unsigned* out) {  // at run time, in blocks that do not divide by it
    Row row = row_of(out);
    for (unsigned size = 1; size <= 32; size *= 2) {
        of_any_group(row, cg::tiled_partition(cg::this_thread_block(), size));
        cg::thread_group any = cg::this_thread_block();
        cg::thread_group tile = cg::tiled_partition(any, size);
        of_any_group(row, tile);
        if (size >= 4) of_any_group(row, cg::tiled_partition(tile, size / 2));
    }
}

template <class Group>
__device__ void reductions(Row& row, const Group& group, int value) {
    row.say(cg::reduce(group, value, cg::plus<int>()));
    row.say(cg::reduce(group, value - 40, cg::less<int>()));
    row.say(cg::reduce(group, (unsigned)value, cg::greater<unsigned>()));
    row.say(cg::reduce(group, value | 1, cg::bit_and<int>()));
    row.say(cg::reduce(group, value, cg::bit_or<int>()));
    row.say(cg::reduce(group, (unsigned)value, cg::bit_xor<unsigned>()));
    row.say(cg::reduce(group, (long long)value << 33, cg::plus<long long>()));
    row.say(cg::reduce(group, (signed char)value, cg::plus<signed char>()));
    row.say(cg::reduce(group, 1.0f / (value + 3), cg::plus<float>()));
    row.say(cg::reduce(group, 1.0 / (value + 3), cg::plus<double>()));
    row.say(cg::reduce(group, value * 0.37f - 9, cg::less<float>()));
    row.say(cg::reduce(group, make_float2(value * 0.5f, 20.0f - value), Longest()));
    const cg::plus<int> sum{};
    row.say(cg::reduce(group, value, sum));
    int* const to = reinterpret_cast<int*>(row.next++);
    *to = 0;
    cg::reduce_store_async(group, to, value, cg::plus<int>());
}
template <class Group>
__device__ void scans(Row& row, const Group& group, int value) {
    row.say(cg::inclusive_scan(group, (int)value));
    row.say(cg::exclusive_scan(group, (int)value));
    row.say(cg::inclusive_scan(group, (int)value, cg::greater<int>()));
    row.say(cg::exclusive_scan(group, (unsigned)value, cg::bit_or<unsigned>()));
    row.say(cg::inclusive_scan(group, 1.0f / (value + 3), cg::plus<float>()));
    row.say(cg::exclusive_scan(group, 1.0f / (value + 3)));
    row.say(cg::inclusive_scan(group, (long long)value << 30));
    row.say(cg::exclusive_scan(group, 1.0 / (value + 5), cg::plus<double>()));
    row.say(cg::inclusive_scan(group, make_float2(value * 0.5f, 20.0f - value), Longest()));
}
template <unsigned Size>
__global__ void together(unsigned* out) {
    Row row = row_of(out);
    const int value = (int)threadIdx.x * 17 % 101;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    reductions(row, tile, value);
    scans(row, tile, value);
    if (Size == 32 && threadIdx.x % 7 > 2) {
        cg::coalesced_group active = cg::coalesced_threads();
        reductions(row, active, value);
        scans(row, active, value);
    }
}

__global__ void one_of_all(unsigned* out, int* calls) {
    Row row = row_of(out);
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    cg::invoke_one(tile, [&] { atomicAdd(calls, 1); });
    cg::invoke_one(cg::this_thread_block(), [&](int n) { atomicAdd(calls, n); }, 100);
    row.say(cg::invoke_one_broadcast(tile, [&] { return (int)threadIdx.x / 16 * 3; }));
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        row.say(cg::invoke_one_broadcast(active, [](float x) { return x * 2; }, 1.25f));
    }
    __syncthreads();
    row.say(*calls);
}

template <class Kernel, class... More>
void run(const char* name, bool all, Kernel kernel, dim3 grid, dim3 block, More... more) {
    const size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    const size_t words = threads * row_words;
    unsigned* out = nullptr;
    cudaMallocManaged(&out, words * sizeof(unsigned));
    memset(out, 0, words * sizeof(unsigned));
    kernel<<<grid, block>>>(out, more...);
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned long long sum = 14695981039346656037ull;
    for (size_t i = 0; i < words; ++i) sum = (sum ^ out[i]) * 1099511628211ull;
    std::printf("%s %s %016llx\n", name, cudaGetErrorName(error), sum);
    for (size_t t = 0; all && t < threads; ++t) {
        std::printf("  %s %zu:", name, t);
        for (int i = 0; i < row_words; ++i) std::printf(" %x", out[t * row_words + i]);
        std::printf("\n");
    }
    cudaFree(out);
}

int main(int argc, char**) {
    const bool all = argc > 1;
    run("blocks", all, blocks, dim3(2, 2, 2), dim3(8, 4, 3));
    run("tiles of 8", all, tiles<8>, 1, dim3(16, 4));
    run("tiles of 32", all, tiles<32>, 2, 96);
    run("nested", all, nested, 1, 64);
    run("coalesced", all, coalesced, 1, 80);
    run("partitions", all, partitions, 1, 64);
    run("by size", all, by_size, 1, 84);
    run("together in 4", all, together<4>, 1, 64);
    run("together in 32", all, together<32>, 1, 96);
    int* calls = nullptr;
    cudaMallocManaged(&calls, sizeof(int));
    *calls = 0;
    run("one of all", all, one_of_all, 1, 64, calls);
}
