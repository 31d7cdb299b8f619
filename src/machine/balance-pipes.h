// Which of the units that could do it does a move, a sum or a shift.
#pragma once
#include <vector>

#include "machine/machine-blocks.h"
#include "machine/selection.h"

namespace lockstep::machine {

void balance_pipes(Selection& selection, const MachineBlocks& machine, std::vector<Block>& blocks);

}  // namespace lockstep::machine
