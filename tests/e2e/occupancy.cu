// Function attributes and occupancy queries.
// RUN: lockstep run --gpu h200 %s
// OUT: ^occupancy ok$
#include "support/check.h"

__constant__ int table[25], other[2];

__global__ void plain(float* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void with_shared(float* out) {
    __shared__ float memory[4096];  // 16 KiB
    memory[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(256, 2) bounded(float* out) { out[threadIdx.x] = 2.0f * threadIdx.x; }

int main() {
    cudaDeviceProp properties{};
    CUDA(cudaGetDeviceProperties(&properties, 0));

    cudaFuncAttributes attributes{};
    CUDA(cudaFuncGetAttributes(&attributes, with_shared));
    EXPECT(attributes.sharedSizeBytes == 16384);
    EXPECT(attributes.maxThreadsPerBlock > 0 && attributes.maxThreadsPerBlock <= 1024);
    EXPECT(attributes.constSizeBytes == 108);
    CUDA(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(attributes.maxThreadsPerBlock == 256);

    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
    EXPECT_AT(0, blocks, properties.maxThreadsPerMultiProcessor / 256);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0));
    EXPECT_AT(1, blocks, properties.maxThreadsPerMultiProcessor / 1024);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0));
    EXPECT_AT(2, blocks, properties.maxBlocksPerMultiProcessor);
    // 16 KiB and the kilobyte that each block is charged on this architecture.
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 64, 0));
    EXPECT_AT(3, blocks,
              static_cast<int>(properties.sharedMemPerMultiprocessor /
                               (16384 + properties.reservedSharedMemPerBlock)));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64, 40000));
    EXPECT_AT(4, blocks, 5);

    int grid = 0, block = 0;
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
    EXPECT(block == 1024 && grid == properties.multiProcessorCount * 2);
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 128));
    EXPECT(block == 128 &&
           grid == properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor / 128);
    return finish("occupancy");
}
