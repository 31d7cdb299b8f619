// Loads from global memory that ptxas issues before an `if` behind which they stand in PTX.
#pragma once
#include <map>
#include <utility>

#include "kernel/ir.h"
#include "machine/view.h"

namespace lockstep::timing {

// An instruction: its block, and which of it.
using InstructionAt = std::pair<kernel::BlockId, std::uint32_t>;

// By instruction that is issued with another block: which, at its end. Loads, and what their addresses are
// computed with. `region`: by block, the one with whose code it is put into order.
std::map<InstructionAt, kernel::BlockId> early_loads(const kernel::Function& function,
                                                     const machine::View& view,
                                                     const std::vector<kernel::BlockId>& region);

}  // namespace lockstep::timing
