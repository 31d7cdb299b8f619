#include "gpu/what-if.h"

#include <algorithm>
#include <set>

namespace lockstep::gpu {
namespace {

void append(std::vector<WhatIf>& rows, WhatIf row) {
    if (!rows.empty() && rows.back().occupancy.blocks_per_sm == row.occupancy.blocks_per_sm) {
        rows.back().last = row.last;
        if (row.current) rows.back().occupancy = row.occupancy;
        rows.back().current |= row.current;
    } else {
        rows.push_back(row);
    }
}

}  // namespace

std::vector<WhatIf> what_if_threads(const GpuModel& gpu, const BlockDemand& demand, int bound) {
    const int most = bound > 0 ? std::min(bound, gpu.max_threads_per_block) : gpu.max_threads_per_block;
    std::set<int> sizes;
    for (int threads = gpu.warp_size; threads <= most; threads += gpu.warp_size) sizes.insert(threads);
    if (bound > 0) sizes.insert(most);
    if (demand.threads > 0) sizes.insert(demand.threads);
    std::vector<WhatIf> rows;
    for (int threads : sizes) {
        BlockDemand changed = demand;
        changed.threads = threads;
        const auto value = static_cast<std::uint64_t>(threads);
        rows.push_back({value, value, threads, occupancy(gpu, changed), threads == demand.threads});
    }
    return rows;
}

std::vector<WhatIf> what_if_registers(const GpuModel& gpu, const BlockDemand& demand) {
    std::vector<WhatIf> rows;
    for (int registers = 1; registers <= gpu.max_registers_per_thread; ++registers) {
        BlockDemand changed = demand;
        changed.registers_per_thread = registers;
        const auto value = static_cast<std::uint64_t>(registers);
        append(rows, {value, value, demand.threads, occupancy(gpu, changed),
                      registers == demand.registers_per_thread});
    }
    return rows;
}

std::vector<WhatIf> what_if_shared(const GpuModel& gpu, const BlockDemand& demand) {
    std::vector<WhatIf> rows;
    const std::uint64_t most = gpu.shared_per_block_optin;
    for (std::uint64_t first = 0; first <= most;) {
        // Within an allocation unit nothing changes.
        const std::uint64_t last =
            std::min<std::uint64_t>(allocated_shared(gpu, first) - gpu.shared_reserved_per_block, most);
        BlockDemand changed = demand;
        changed.shared_bytes = first;
        append(rows, {first, last, demand.threads, occupancy(gpu, changed),
                      first <= demand.shared_bytes && demand.shared_bytes <= last});
        first = last + 1;
    }
    return rows;
}

const WhatIf* best(const GpuModel& gpu, const std::vector<WhatIf>& block_sizes) {
    const WhatIf* found = nullptr;
    for (const WhatIf& row : block_sizes) {
        if (row.occupancy.blocks_per_sm == 0) continue;
        if (!found || row.occupancy.warps_per_sm(gpu, row.threads) >=
                          found->occupancy.warps_per_sm(gpu, found->threads))
            found = &row;
    }
    return found;
}

}  // namespace lockstep::gpu
