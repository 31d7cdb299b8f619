// What does it cost to let a sum launch itself? A sum of blocks, by a loop in one kernel, and by kernels that launch the
// next step: a grid for each block, or one grid for all blocks.
//
//     nested-reduce [N] [BLOCK]
#include <vector>

#include "lab.h"

// A block adds up its part in place.
__global__ void by_loop(int* data, int* sums) {
    int* part = data + static_cast<size_t>(blockIdx.x) * blockDim.x;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// One step for the `2 * stride` numbers that are left. Its first thread launches the next one, which begins when this
// grid has ended: there is nothing to wait for in here.
__global__ void by_grid_a_block(int* part, int* sum, unsigned stride) {
    // Of the host's launch every block has its own part and its own chain of grids.
    part += static_cast<size_t>(blockIdx.x) * 2 * stride;
    sum += blockIdx.x;
    part[threadIdx.x] += part[threadIdx.x + stride];
    if (threadIdx.x != 0) return;
    if (stride == 1)
        *sum = part[0];
    else
        by_grid_a_block<<<1, stride / 2, 0, cudaStreamTailLaunch>>>(part, sum, stride / 2);
}

// The same, but the first thread of the first block launches the next step of all blocks.
__global__ void by_one_grid(int* data, int* sums, unsigned stride, unsigned block) {
    int* part = data + static_cast<size_t>(blockIdx.x) * block;
    part[threadIdx.x] += part[threadIdx.x + stride];
    if (threadIdx.x != 0) return;
    if (stride == 1)
        sums[blockIdx.x] = part[0];
    else if (blockIdx.x == 0)
        by_one_grid<<<gridDim.x, stride / 2, 0, cudaStreamTailLaunch>>>(data, sums, stride / 2, block);
}

int main(int argc, char** argv) {
    const long n = lab::argument(argc, argv, 1, 1L << 13, 2, 1L << 24, "N");
    const long block = lab::argument(argc, argv, 2, 512, 2, 1024, "BLOCK");
    if (!lab::is_power_of_two(block) || n % block != 0) {
        std::fprintf(stderr, "%s: BLOCK must be a power of two, and N a multiple of it\n", argv[0]);
        return 2;
    }
    const unsigned grid = static_cast<unsigned>(n / block), threads = static_cast<unsigned>(block);
    std::vector<int> numbers(n), sums(grid);
    long expected = 0;
    for (long i = 0; i < n; ++i) expected += numbers[i] = static_cast<int>(lab::mixed(static_cast<unsigned>(i)) & 0xFF);
    int *data = nullptr, *partial = nullptr;
    CHECK(cudaMalloc(&data, n * sizeof(int)));
    CHECK(cudaMalloc(&partial, grid * sizeof(int)));

    std::printf("%s: %ld numbers, %u blocks of %u\n\n", lab::device_name().c_str(), n, grid, threads);
    std::printf("%-20s %10s %10s %12s\n", "step by", "grids", "ms", "sum");
    bool all_right = true;
    const auto row = [&](const char* name, long grids, auto launch) {
        double ms = 0;
        for (int run = 0; run < 2; ++run) {  // the second is timed: the first may hold the kernel's translation
            CHECK(cudaMemcpy(data, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
            ms = lab::time_ms(launch);
        }
        CHECK(cudaMemcpy(sums.data(), partial, grid * sizeof(int), cudaMemcpyDeviceToHost));
        long sum = 0;
        for (const int one : sums) sum += one;
        all_right = all_right && sum == expected;
        std::printf("%-20s %10ld %10.3f %12ld\n", name, grids, ms, sum);
    };
    long steps = 0;
    for (long left = block; left > 1; left /= 2) ++steps;
    row("a loop", 1, [&] { by_loop<<<grid, threads>>>(data, partial); });
    row("a grid a block", 1 + grid * (steps - 1), [&] { by_grid_a_block<<<grid, threads / 2>>>(data, partial, threads / 2); });
    row("one grid", steps, [&] { by_one_grid<<<grid, threads / 2>>>(data, partial, threads / 2, threads); });
    CHECK(cudaFree(data));
    CHECK(cudaFree(partial));
    return lab::verdict("nested-reduce", all_right);
}
