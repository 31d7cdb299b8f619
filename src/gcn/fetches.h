// How often wavefronts fetch instructions: 32 bytes at once, one after the other, and anew after each jump.
// With it the recorded counters of an MI100, an MI200 and an MI300X agree (SQ_IFETCH of ROCm/omniperf's
// vcopy).
#pragma once
#include <cstdint>

#include "gcn/counts.h"
#include "gcn/module.h"

namespace lockstep::gcn {

// From how often segments ran.
std::uint64_t count_fetches(const Code& code, const LaunchCounts& counts);

}  // namespace lockstep::gcn
