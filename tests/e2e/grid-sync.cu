// Grids that wait for each other: what every block has written before the barrier, all blocks see behind it.
// RUN: lockstep run %s
// OUT: ^sum cudaSuccess$
// OUT: ^many rounds cudaSuccess$
// OUT: ^arrive and wait cudaSuccess$
// OUT: ^through thread_group cudaSuccess$
// OUT: ^cudaLaunchKernelEx cudaSuccess$
// OUT: ^full cudaSuccess$
// OUT: ^too large cudaErrorCooperativeLaunchTooLarge$
// OUT: ^valid 1 0$
// OUT: ^grid sync ok$
// RUN: lockstep profile %s -- small
// OUT: ^grid sync ok$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^grid sync ok$
#include <cooperative_groups.h>

#include "support/check.h"

namespace cg = cooperative_groups;

// Each block adds up what its neighbours have, again and again.
__global__ void sum(int* values, int* out, int rounds) {
    cg::grid_group grid = cg::this_grid();
    const unsigned size = grid.size(), rank = grid.thread_rank();
    values[rank] = rank;
    for (int i = 0; i < rounds; ++i) {
        grid.sync();
        const int next = values[(rank + 37) % size] + 1;
        grid.sync();
        values[rank] = next;
    }
    grid.sync();
    if (rank == 0) {
        int total = 0;
        for (unsigned k = 0; k < size; ++k) total += values[k];
        *out = total;
    }
}
__global__ void apart(int* values, int* out) {
    auto grid = cg::this_grid();
    values[grid.thread_rank()] = 3;
    auto token = grid.barrier_arrive();
    int other = 0;
    for (unsigned k = 0; k < 10; ++k) other += k;  // meanwhile
    grid.barrier_wait(static_cast<decltype(token)&&>(token));
    if (grid.thread_rank() + 1 == grid.size()) {
        for (unsigned k = 0; k < grid.size(); ++k) other += values[k];
        *out = other;
    }
}
#ifdef __clang__
__device__ void sync_any(const cg::thread_group& group) { group.sync(); }
#else  // a thread_group of CUDA 13's header forgets that it is a grid
__device__ void sync_any(const cg::grid_group& group) { cg::sync(group); }
#endif
__global__ void through(int* values, int* out) {
    auto grid = cg::this_grid();
    values[grid.thread_rank()] = 5;
    sync_any(grid);
    if (grid.thread_rank() == 0) {
        *out = 0;
        for (unsigned k = 0; k < grid.size(); ++k) *out += values[k];
    }
}
__global__ void valid(int* out) { *out = cg::this_grid().is_valid(); }

int main(int argc, char**) {
    int device = 0, cooperative = 0, blocks_an_sm = 0, sms = 0;
    CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    EXPECT(cooperative == 1);
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_an_sm, sum, 64, 0));
    const int most = blocks_an_sm * sms;
    int *values = device_zeros<int>(most * 64), *out = device_zeros<int>(1);
    int rounds = 0;
    void* sum_arguments[] = {&values, &out, &rounds};
    void* arguments[] = {&values, &out};
    auto launched = [&](const char* what, cudaError_t error, int expected) {
        std::printf("%s %s\n", what, cudaGetErrorName(error));
        CUDA(cudaDeviceSynchronize());
        EXPECT_AT(0, to_host(out, 1)[0], expected);
    };
    auto ranks = [](long long n) { return (int)(n * (n - 1) / 2); };  // may wrap round, as the kernel's sum
    launched("sum", cudaLaunchCooperativeKernel((void*)sum, dim3(4), dim3(64), sum_arguments, 0, 0),
             ranks(256));
    rounds = 25;
    launched("many rounds", cudaLaunchCooperativeKernel(sum, dim3(3, 2, 2), dim3(16, 3), sum_arguments, 0, 0),
             ranks(12 * 48) + 25 * 12 * 48);
    launched("arrive and wait", cudaLaunchCooperativeKernel(apart, dim3(7), dim3(40), arguments, 0, 0),
             45 + 3 * 280);
    launched("through thread_group", cudaLaunchCooperativeKernel(through, dim3(5), dim3(33), arguments, 0, 0),
             5 * 165);
    cudaLaunchConfig_t config = {};
    config.gridDim = 6;
    config.blockDim = 32;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    launched("cudaLaunchKernelEx", cudaLaunchKernelEx(&config, through, values, out), 5 * 192);
    if (argc == 1) {
        rounds = 1;
        launched("full", cudaLaunchCooperativeKernel(sum, dim3(most), dim3(64), sum_arguments, 0, 0),
                 ranks(most * 64) + most * 64);

        const cudaError_t error =
            cudaLaunchCooperativeKernel(sum, dim3(64 * sms), dim3(64), sum_arguments, 0, 0);
        std::printf("too large %s\n", cudaGetErrorName(error));
        cudaGetLastError();
    }
    void* one[] = {&out};
    CUDA(cudaLaunchCooperativeKernel(valid, dim3(1), dim3(1), one, 0, 0));
    const int yes = to_host(out, 1)[0];
    valid<<<1, 1>>>(out);
    std::printf("valid %d %d\n", yes, to_host(out, 1)[0]);
    if (failures() == 0) std::printf("grid sync ok\n");
}
