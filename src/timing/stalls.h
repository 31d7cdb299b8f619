// What ptxas writes into each instruction: how long the warp's next one has to wait at least. Results that
// take a fixed time are waited for by these counts alone, reckoned from one instruction to the next as if
// nothing else held the warp up: a load that is waited for on the way is time lost beside them.
#pragma once
#include <vector>

#include "timing/code.h"

namespace lockstep::timing {

// Sets Op::stall of straight code; returns how long it takes if nothing else holds it up.
std::uint32_t write_stalls(std::vector<Op>& ops, const gpu::TimingFigures& figures);

}  // namespace lockstep::timing
