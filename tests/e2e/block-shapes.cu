// Blocks and grids of one, two and three dimensions with odd sizes: indices, the order of threads in warps,
// part-filled warps.
// RUN: lockstep run %s
// OUT: ^block-shapes ok$
#include "support/check.h"

struct Record {
    uint3 thread, block;
    unsigned lane, mask, rank;
};

__global__ void record(Record* out, unsigned* visits) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    unsigned lane = 0;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    Record& r = out[block * size + rank];
    r.thread = threadIdx;
    r.block = blockIdx;
    r.lane = lane;
    r.mask = __activemask();
    r.rank = rank;
    atomicAdd(&visits[block * size + rank], 1u);
    __syncthreads();
}

static void check_shape(dim3 grid, dim3 block) {
    unsigned size = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z, n = size * blocks;
    Record* out = device_zeros<Record>(n);
    unsigned* visits = device_zeros<unsigned>(n);
    record<<<grid, block>>>(out, visits);
    auto records = to_host(out, n);
    auto counts = to_host(visits, n);
    for (unsigned i = 0; i < n; ++i) {
        unsigned rank = i % size, b = i / size, in_last_warp = size % 32;
        const Record& r = records[i];
        EXPECT_AT(i, counts[i], 1);
        EXPECT_AT(i, r.thread.x, rank % block.x);
        EXPECT_AT(i, r.thread.y, rank / block.x % block.y);
        EXPECT_AT(i, r.thread.z, rank / block.x / block.y);
        EXPECT_AT(i, r.block.x, b % grid.x);
        EXPECT_AT(i, r.block.y, b / grid.x % grid.y);
        EXPECT_AT(i, r.block.z, b / grid.x / grid.y);
        EXPECT_AT(i, r.lane, rank % 32);
        bool partial = in_last_warp && rank >= size - in_last_warp;
        EXPECT_AT(i, r.mask, partial ? (1u << in_last_warp) - 1 : 0xFFFFFFFFu);
    }
    CUDA(cudaFree(out));
    CUDA(cudaFree(visits));
}

int main() {
    check_shape(1, 1);
    check_shape(3, 31);
    check_shape(2, 33);
    check_shape(1, 1024);
    check_shape(dim3(2, 3), dim3(7, 5));
    check_shape(dim3(1, 5, 2), dim3(3, 7, 11));
    check_shape(dim3(5, 1, 3), dim3(1, 33, 2));
    check_shape(dim3(2, 2, 2), dim3(5, 5, 5));
    check_shape(dim3(1, 1, 70), dim3(2, 1, 64));
    check_shape(dim3(300), dim3(17));
    return finish("block-shapes");
}
