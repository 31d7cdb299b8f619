// Counts of a launch of which some blocks were executed: those of a part of the grid are taken as often as
// the part has blocks for each of them.
#pragma once
#include <cstdint>

#include "counters/raw-counts.h"

namespace lockstep::counters {

struct PartOfGrid {
    std::uint64_t blocks = 0, executed = 0;
};

// What all blocks of the part would have counted if they had done as those that were executed.
RawCounts estimate(const RawCounts& executed, const PartOfGrid& part);

}  // namespace lockstep::counters
