#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace lockstep::gpu {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

// Registers are given to warps in units, and an SM's registers are split evenly among its schedulers (the
// warp granularity), so a warp never takes registers of two of them.
int blocks_by_registers(const GpuModel& gpu, const BlockDemand& demand, int warps) {
    if (demand.registers_per_thread <= 0) return std::numeric_limits<int>::max();
    if (demand.registers_per_thread > gpu.max_registers_per_thread) return 0;
    const int parts = gpu.warp_allocation_granularity;
    const int per_warp = allocated_registers(gpu, demand.registers_per_thread);
    const int block_warps = static_cast<int>(round_up(warps, parts));
    if (block_warps > gpu.registers_per_block / parts / per_warp * parts) return 0;
    const int sm_warps = gpu.registers_per_sm / parts / per_warp * parts;
    return sm_warps / warps;
}

// A vector unit's scalar registers are shared out among its wavefronts, in units, too.
int blocks_by_scalar_registers(const GpuModel& gpu, const BlockDemand& demand, int warps) {
    if (demand.scalar_registers <= 0 || gpu.wave.scalar_registers <= 0)
        return std::numeric_limits<int>::max();
    const int per_warp =
        static_cast<int>(round_up(static_cast<std::uint64_t>(demand.scalar_registers),
                                  static_cast<std::uint64_t>(gpu.wave.scalar_register_unit)));
    return gpu.wave.scalar_registers / per_warp * gpu.wave.vector_units / warps;
}

// The smallest division of an SM's memory that gives shared memory so much; the largest, if none does.
std::uint32_t smallest_configuration(const GpuModel& gpu, std::uint64_t least) {
    for (const std::uint32_t bytes : gpu.shared_configurations)
        if (bytes >= least) return bytes;
    return gpu.shared_configurations.back();
}

// Where the program says what it wants, shared memory gets that part of the most that it can have, and enough
// for one block; for the least of it, that is the smallest division with room for a block. What is reserved
// for each block comes on top, so that the next larger one may be needed. (An H200 does so for every size,
// carve-out and preference tried.) Nothing where it leaves the choice to the driver: also with no carve-out
// and no shared memory.
std::optional<std::uint32_t> wanted_configuration(const GpuModel& gpu, const BlockDemand& demand) {
    const bool least = demand.shared_carveout == carveout_least;
    if (demand.shared_carveout == carveout_unsaid ||
        ((least || demand.shared_carveout == 0) && demand.shared_bytes == 0))
        return std::nullopt;
    const std::uint64_t taken = allocated_shared(gpu, demand.shared_bytes);
    const std::uint64_t wanted = least ? smallest_configuration(gpu, taken)
                                       : std::uint64_t{gpu.shared_configurations.back()} *
                                             static_cast<unsigned>(demand.shared_carveout) / 100;
    const std::uint64_t own = taken - gpu.shared_reserved_per_block, blocks = own ? wanted / own : 0;
    return smallest_configuration(gpu, std::max({wanted, blocks * taken, taken}));
}

int blocks_by_shared(const GpuModel& gpu, const BlockDemand& demand) {
    if (demand.shared_bytes > gpu.shared_per_block_optin) return 0;
    const std::uint64_t taken = allocated_shared(gpu, demand.shared_bytes);
    if (taken == 0) return std::numeric_limits<int>::max();
    return static_cast<int>(wanted_configuration(gpu, demand).value_or(gpu.shared_per_sm) / taken);
}

}  // namespace

std::uint64_t allocated_shared(const GpuModel& gpu, std::uint64_t shared_bytes) {
    return round_up(shared_bytes + gpu.shared_reserved_per_block, gpu.shared_allocation_unit);
}

int allocated_registers(const GpuModel& gpu, int registers_per_thread) {
    return static_cast<int>(round_up(static_cast<std::uint64_t>(registers_per_thread) * gpu.warp_size,
                                     gpu.register_allocation_unit));
}

Occupancy occupancy(const GpuModel& gpu, const BlockDemand& demand) {
    Occupancy result;
    if (demand.threads <= 0 || demand.threads > gpu.max_threads_per_block) {
        result.limit = OccupancyLimit::impossible;
        return result;
    }
    const int warps = (demand.threads + gpu.warp_size - 1) / gpu.warp_size;
    result.by_threads = gpu.max_warps_per_sm() / warps;
    const bool barriers_limit = warps > 1 && gpu.max_barrier_blocks_per_sm > 0;
    result.by_blocks = barriers_limit ? gpu.max_barrier_blocks_per_sm : gpu.max_blocks_per_sm;
    result.by_registers =
        std::min(blocks_by_registers(gpu, demand, warps), blocks_by_scalar_registers(gpu, demand, warps));
    result.by_shared = blocks_by_shared(gpu, demand);
    result.blocks_per_sm =
        std::min({result.by_threads, result.by_blocks, result.by_registers, result.by_shared});
    if (result.blocks_per_sm == 0)
        result.limit = OccupancyLimit::impossible;
    else if (result.blocks_per_sm == result.by_threads)
        result.limit = OccupancyLimit::threads;
    else if (result.blocks_per_sm == result.by_registers)
        result.limit = OccupancyLimit::registers;
    else if (result.blocks_per_sm == result.by_shared)
        result.limit = OccupancyLimit::shared;
    else
        result.limit = OccupancyLimit::blocks;
    return result;
}

int registers_that_fit(const GpuModel& gpu, int threads, int blocks) {
    for (int registers = gpu.max_registers_per_thread; registers > 0; --registers)
        if (occupancy(gpu, {threads, registers, 0}).by_registers >= blocks) return registers;
    return 0;
}

int register_bound(const GpuModel& gpu, const RegisterBounds& bounds) {
    int bound = gpu.max_registers_per_thread;
    if (bounds.kernel > 0)
        bound = std::min(bound, bounds.kernel);
    else if (bounds.max_threads > 0)
        bound = std::min(bound, registers_that_fit(gpu, bounds.max_threads, std::max(bounds.min_blocks, 1)));
    return bound;
}

// The driver's own choice is written down nowhere. These rules give what ncu showed for all launches that
// were recorded on an H200 (tests/validation/*.csv), and the few that are known of others:
// - before 7.0, where there is a choice at all, the largest;
// - then, before compute capability 8.9, the smallest choice that holds as many blocks as the warps allow;
// - 8.9: larger than these blocks with the reserved part counted twice;
// - 9.0 on: with a fifth to spare, four times these blocks where that takes no more than 32 KB; else twice as
//   many, if the warps allow 8 blocks or more; else as before.
SharedConfiguration shared_configuration(const GpuModel& gpu, const BlockDemand& demand) {
    const std::uint64_t taken = allocated_shared(gpu, demand.shared_bytes);
    const Occupancy fits = occupancy(gpu, demand);
    const std::uint64_t most = gpu.max_blocks_per_sm;
    const std::uint64_t blocks = std::min<std::uint64_t>(fits.by_threads, most);
    const auto smallest = [&](std::uint64_t least) -> std::optional<std::uint32_t> {
        const std::uint32_t found = smallest_configuration(gpu, least);
        return found >= least ? std::optional(found) : std::nullopt;
    };
    const auto roomy = [&](std::uint64_t times) {
        return smallest(4 * std::min(most, times * blocks) * taken / 5 + 1);
    };
    std::optional<std::uint32_t> chosen = wanted_configuration(gpu, demand);
    if (chosen) {
        // as the program wants it
    } else if (gpu.compute_capability() < 70) {
        chosen = gpu.shared_configurations.back();
    } else if (gpu.compute_capability() >= 90) {
        constexpr std::uint32_t cheap = 32 << 10;
        chosen = roomy(4);
        if (!chosen || *chosen > cheap) chosen = blocks >= 8 ? roomy(2) : std::nullopt;
    } else if (gpu.compute_capability() == 89) {
        chosen = smallest(blocks * (taken + gpu.shared_reserved_per_block) + 1);
    }
    if (!chosen) chosen = smallest(blocks * taken);
    if (!chosen) chosen = gpu.shared_configurations.back();
    const int held = taken == 0 ? gpu.max_blocks_per_sm : static_cast<int>(*chosen / taken);
    return {*chosen, held};
}

std::uint64_t available_dynamic_shared(const GpuModel& gpu, const BlockDemand& demand, int blocks) {
    if (blocks <= 0 || occupancy(gpu, demand).blocks_per_sm < blocks) return 0;
    const std::uint64_t share =
        gpu.shared_per_sm / blocks / gpu.shared_allocation_unit * gpu.shared_allocation_unit;
    const std::uint64_t most =
        std::min<std::uint64_t>(share - gpu.shared_reserved_per_block, gpu.shared_per_block_optin);
    return most - demand.shared_bytes;
}

BlockSize max_potential_block_size(const GpuModel& gpu, BlockDemand demand, int limit,
                                   const std::function<std::uint64_t(int)>& dynamic_shared) {
    const std::uint64_t static_shared = demand.shared_bytes;
    int most = gpu.max_threads_per_block;
    if (limit > 0) most = std::min(most, limit);
    BlockSize best;
    int best_threads_per_sm = 0;
    // The limit itself first (it need not be whole warps), then every whole number of warps below it.
    for (int threads = most; threads > 0; threads = (threads - 1) / gpu.warp_size * gpu.warp_size) {
        demand.threads = threads;
        demand.shared_bytes = static_shared + dynamic_shared(threads);
        const int blocks = occupancy(gpu, demand).blocks_per_sm;
        if (blocks * threads > best_threads_per_sm) {
            best_threads_per_sm = blocks * threads;
            best = {threads, blocks * gpu.sms};
        }
        if (best_threads_per_sm == gpu.max_threads_per_sm) break;
    }
    return best;
}

int active_clusters(const GpuModel& gpu, const BlockDemand& demand, int cluster) {
    // An H200's driver takes 8 blocks an SM at most, and its answers for clusters
    // of 2 to 16 blocks tell how many SMs the GPCs have (they are up to 4 %
    // higher where it puts several blocks of a cluster on one SM). Other GPUs'
    // are taken to be as large.
    constexpr int most_blocks = 8, largest_gpc = 18;
    constexpr std::array<int, 8> h200 = {18, 18, 18, 16, 16, 16, 16, 14};
    std::vector<int> gpcs;
    if (gpu.sms == std::accumulate(h200.begin(), h200.end(), 0))
        gpcs.assign(h200.begin(), h200.end());
    else
        for (int left = gpu.sms; left > 0; left -= largest_gpc) gpcs.push_back(std::min(left, largest_gpc));
    const int blocks = std::min(occupancy(gpu, demand).blocks_per_sm, most_blocks);
    int clusters = 0;
    for (const int sms : gpcs) clusters += sms / cluster * blocks;
    return clusters;
}

}  // namespace lockstep::gpu
