// Tiles of several warps. The sums were recorded on an H200 with CUDA's own headers.
// ALSO: nvcc
// RUN: lockstep run %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

constexpr int row_words = 40;

template <class Tile>
__device__ void of_tile(unsigned* row, const Tile& tile, int value) {
    __shared__ int turns[1024];
    turns[threadIdx.x] = value;
    tile.sync();
    const unsigned first = threadIdx.x - tile.thread_rank();
    *row++ = turns[first + (tile.thread_rank() + 33) % tile.size()];
    tile.sync();
    *row++ = tile.size();
    *row++ = tile.thread_rank();
    *row++ = tile.meta_group_rank();
    *row++ = tile.meta_group_size();
    *row++ = tile.shfl(value, tile.size() - 3);
    *row++ = (unsigned)tile.shfl((long long)value << 20, 1);
    *row++ = tile.any(value == 77);
    *row++ = tile.all(value != 77);
    *row++ = cg::reduce(tile, value, cg::plus<int>());
    *row++ = cg::reduce(tile, (unsigned)value, cg::greater<unsigned>());
    *row++ = __float_as_uint(cg::reduce(tile, 1.0f / (value + 3), cg::plus<float>()));
    *row++ = cg::inclusive_scan(tile, (int)value);
    *row++ = cg::exclusive_scan(tile, (int)value);
    *row++ = __float_as_uint(cg::inclusive_scan(tile, 1.0f / (value + 3), cg::plus<float>()));
    *row++ = __float_as_uint((float)cg::exclusive_scan(tile, 1.0 / (value + 3), cg::greater<double>()));
    *row++ = cg::invoke_one_broadcast(tile, [&] { return (int)threadIdx.x; });
}
__global__ void tiles(unsigned* out, int kind) {
    __shared__ cg::block_tile_memory<1024> memory;
    unsigned* row = out + threadIdx.x * row_words;
    const int value = (int)threadIdx.x * 29 % 211;
    auto block = cg::this_thread_block(memory);
    if (kind == 64) of_tile(row, cg::tiled_partition<64>(block), value);
    if (kind == 128) of_tile(row, cg::tiled_partition<128>(block), value);
    if (kind == 256) of_tile(row, cg::tiled_partition<256>(block), value);
    if (kind == 512) of_tile(row, cg::tiled_partition<512>(block), value);
    if (kind == 0) {
        auto half = cg::tiled_partition<256>(block);
        auto part = cg::tiled_partition<64>(half);
        of_tile(row, part, value);
        of_tile(row + row_words / 2, cg::tiled_partition<32>(part), value);
        cg::thread_block_tile<64> plain = part;
        row[row_words - 1] = plain.meta_group_rank();
        row[row_words - 2] = plain.meta_group_size();
        // Tiles that do different things.
        if (half.meta_group_rank() == 0)
            for (int i = 0; i < 3; ++i) half.sync();
        else
            part.sync();
    }
}

int main(int argc, char**) {
    for (int kind : {64, 128, 256, 512, 0}) {
        const int threads = 512, words = threads * row_words;
        unsigned* out = nullptr;
        cudaMallocManaged(&out, words * sizeof(unsigned));
        memset(out, 0, words * sizeof(unsigned));
        tiles<<<1, threads>>>(out, kind);
        const cudaError_t error = cudaDeviceSynchronize();
        unsigned long long sum = 14695981039346656037ull;
        for (int i = 0; i < words; ++i) sum = (sum ^ out[i]) * 1099511628211ull;
        std::printf("%d: %s %016llx\n", kind, cudaGetErrorName(error), sum);
        for (int t = 0; argc > 1 && t < threads; ++t) {
            std::printf("  %d %d:", kind, t);
            for (int i = 0; i < row_words; ++i) std::printf(" %x", out[t * row_words + i]);
            std::printf("\n");
        }
        cudaFree(out);
    }
}
