// Loops that ptxas unrolls once more.
#pragma once
#include <vector>

#include "machine/selection.h"
#include "machine/view.h"

namespace lockstep::machine {

// By block: whether it is a loop of one block that is unrolled.
std::vector<bool> unrolled_loops(Selection& selection);

// Whether an instruction of such a loop is overhead: needed once for all copies of the body.
bool is_loop_overhead(const kernel::Function& function, kernel::BlockId block,
                      const ptx::Instruction& instruction);

}  // namespace lockstep::machine
