// A block whose warps have the same to do from barrier to barrier.
#pragma once
#include "timing/code.h"
#include "timing/trace.h"

namespace lockstep::timing {

// Whole steps are moved from warps that have more to do to those that have less. Whether any was.
bool balance_warps(const Code& code, BlockTrace& block);

}  // namespace lockstep::timing
