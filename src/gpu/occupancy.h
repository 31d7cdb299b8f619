// Occupancy: how many blocks of a kernel fit on one SM at once, and what stops the next one.
#pragma once
#include <cstdint>
#include <functional>

#include "gpu/model.h"

namespace lockstep::gpu {

// What a program says of an SM's shared memory in the place of a percentage: nothing, or that it wants as
// much L1 as can be (cudaFuncCachePreferL1).
constexpr int carveout_unsaid = -1, carveout_least = -2;

// What one block of a kernel takes.
struct BlockDemand {
    int threads = 0;
    int registers_per_thread = 0;    // 0: unknown, and then no limit
    std::uint64_t shared_bytes = 0;  // static and dynamic together
    // Percent of an SM's shared memory that the program wants it to have, at the L1's cost, or one of the
    // above.
    int shared_carveout = carveout_unsaid;
    int scalar_registers = 0;  // of a wavefront of AMD's; 0: unknown, and then no limit
};

enum class OccupancyLimit { threads, blocks, registers, shared, impossible };

struct Occupancy {
    int blocks_per_sm = 0;
    // What each resource alone would allow; a block that cannot run at all has 0.
    int by_threads = 0, by_blocks = 0, by_registers = 0, by_shared = 0;
    OccupancyLimit limit{};

    int warps_per_sm(const GpuModel& gpu, int threads) const {
        return blocks_per_sm * ((threads + gpu.warp_size - 1) / gpu.warp_size);
    }
    // Active warps of those that an SM can hold.
    double percent(const GpuModel& gpu, int threads) const {
        return 100.0 * warps_per_sm(gpu, threads) / gpu.max_warps_per_sm();
    }
};

Occupancy occupancy(const GpuModel& gpu, const BlockDemand& demand);

// What the hardware sets aside for a block, and for a warp: in whole units, with what the system reserves.
std::uint64_t allocated_shared(const GpuModel& gpu, std::uint64_t shared_bytes);
int allocated_registers(const GpuModel& gpu, int registers_per_thread);

// The most registers a thread may have so that `blocks` blocks of `threads` threads fit on an SM: what
// __launch_bounds__ asks of the compiler. 0: not even with one register.
int registers_that_fit(const GpuModel& gpu, int threads, int blocks);

// What bounds the registers of a kernel's threads; 0: not given.
struct RegisterBounds {
    int kernel = 0;                       // .maxnreg, or -maxrregcount where there is no other
    int max_threads = 0, min_blocks = 0;  // __launch_bounds__
};
// The most registers a thread may have.
int register_bound(const GpuModel& gpu, const RegisterBounds& bounds);

// The shared memory that the driver gives an SM for this launch (ncu's launch__shared_mem_config_size), and
// how many blocks that alone would hold (launch__occupancy_limit_shared_mem). It is never what limits a
// launch that Occupancy::by_shared does not limit too.
struct SharedConfiguration {
    std::uint32_t bytes = 0;
    int blocks = 0;
};
SharedConfiguration shared_configuration(const GpuModel& gpu, const BlockDemand& demand);

// The largest dynamic shared memory with which `blocks` blocks of `demand` (whose shared_bytes are the static
// part) still fit on one SM; 0 where they fit with none, or do not fit at all.
std::uint64_t available_dynamic_shared(const GpuModel& gpu, const BlockDemand& demand, int blocks);

struct BlockSize {
    int threads = 0;
    int min_grid = 0;  // blocks that fill the whole GPU
};

// The block size with the highest occupancy, the larger one among equals, as
// cudaOccupancyMaxPotentialBlockSize finds it. `dynamic_shared` gives the bytes for a block size; `limit` of
// 0: the GPU's and kernel's own.
BlockSize max_potential_block_size(const GpuModel& gpu, BlockDemand demand, int limit,
                                   const std::function<std::uint64_t(int)>& dynamic_shared);

// Clusters of so many blocks that run at once; each is on the SMs of one GPC.
int active_clusters(const GpuModel& gpu, const BlockDemand& demand, int cluster);

}  // namespace lockstep::gpu
