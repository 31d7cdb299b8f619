// What if a block were larger, a thread had fewer registers, or a block took less shared memory: occupancy
// along one of the three, the others as they are.
#pragma once
#include <cstdint>
#include <vector>

#include "gpu/occupancy.h"

namespace lockstep::gpu {

// Values from `first` to `last` that give the same number of blocks. The limits are those of the demand
// itself where it lies here, else of the first value.
struct WhatIf {
    std::uint64_t first = 0, last = 0;
    int threads = 0;  // of the block
    Occupancy occupancy;
    bool current = false;  // the demand itself lies here
};

// Every whole number of warps up to what a block may have (the kernel's bound, if that is smaller; 0: none),
// and the block size of `demand`. One block size a row.
std::vector<WhatIf> what_if_threads(const GpuModel& gpu, const BlockDemand& demand, int bound = 0);
// All that a thread may have; too many for a block of this size gives no blocks.
std::vector<WhatIf> what_if_registers(const GpuModel& gpu, const BlockDemand& demand);
// All that a block may have, opted in to.
std::vector<WhatIf> what_if_shared(const GpuModel& gpu, const BlockDemand& demand);

// The row with the highest occupancy, the larger block among equals; null if no block fits.
const WhatIf* best(const GpuModel& gpu, const std::vector<WhatIf>& block_sizes);

}  // namespace lockstep::gpu
