// Tiles of several warps. CUDA's own headers give these sums of all values; with an argument the program
// prints every value.
// RUN: lockstep run %s
// OUT: ^exchange 128: cudaSuccess aa7f981fd3399f2a$
// OUT: ^compute 256: cudaSuccess c1acf24258ce530a$
// OUT: ^nested: cudaSuccess 9ad04f4bc21c1843$
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

constexpr int row_words = 12;

template <class Tile>
__device__ unsigned* place(unsigned* row, const Tile& tile, int value) {
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
    return row;
}
template <unsigned Size>
__global__ void exchange(unsigned* out) {
    __shared__ cg::block_tile_memory<1024> memory;
    const int value = (int)threadIdx.x * 29 % 211;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block(memory));
    unsigned* row = place(out + threadIdx.x * row_words, tile, value);
    *row++ = tile.shfl(value, tile.size() - 3);
    *row++ = (unsigned)tile.shfl((long long)value << 20, 1);
    *row++ = tile.any(value == 77);
    *row++ = tile.all(value != 77);
    *row++ = cg::invoke_one_broadcast(tile, [&] { return (int)threadIdx.x; });
}
template <unsigned Size>
__global__ void compute(unsigned* out) {
    __shared__ cg::block_tile_memory<512> memory;
    const int value = (int)threadIdx.x * 29 % 211;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block(memory));
    unsigned* row = out + threadIdx.x * row_words;
    *row++ = cg::reduce(tile, value, cg::plus<int>());
    *row++ = __float_as_uint(cg::reduce(tile, 1.0f / (value + 3), cg::plus<float>()));
    *row++ = cg::inclusive_scan(tile, (int)value);
    *row++ = cg::exclusive_scan(tile, (int)value);
    *row++ = __float_as_uint((float)cg::exclusive_scan(tile, 1.0 / (value + 3), cg::greater<double>()));
}
__global__ void nested(unsigned* out) {
    __shared__ cg::block_tile_memory<1024> memory;
    unsigned* row = out + threadIdx.x * row_words;
    const int value = (int)threadIdx.x * 29 % 211;
    auto half = cg::tiled_partition<256>(cg::this_thread_block(memory));
    auto part = cg::tiled_partition<64>(half);
    row = place(row, part, value);
    row = place(row, cg::tiled_partition<32>(part), value);
    cg::thread_block_tile<64> plain = part;
    *row++ = plain.meta_group_rank();
    *row++ = plain.meta_group_size();
    // Tiles that do different things.
    if (half.meta_group_rank() == 0)
        for (int i = 0; i < 3; ++i) half.sync();
    else
        part.sync();
}

void run(const char* name, bool all, void (*kernel)(unsigned*)) {
    const int threads = 512, words = threads * row_words;
    unsigned* out = nullptr;
    cudaMallocManaged(&out, words * sizeof(unsigned));
    memset(out, 0, words * sizeof(unsigned));
    kernel<<<1, threads>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned long long sum = 14695981039346656037ull;
    for (int i = 0; i < words; ++i) sum = (sum ^ out[i]) * 1099511628211ull;
    std::printf("%s: %s %016llx\n", name, cudaGetErrorName(error), sum);
    for (int t = 0; all && t < threads; ++t) {
        std::printf("  %s %d:", name, t);
        for (int i = 0; i < row_words; ++i) std::printf(" %x", out[t * row_words + i]);
        std::printf("\n");
    }
    cudaFree(out);
}

int main(int argc, char**) {
    run("exchange 128", argc > 1, exchange<128>);
    run("compute 256", argc > 1, compute<256>);
    run("nested", argc > 1, nested);
}
