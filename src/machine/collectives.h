// Instructions that lanes of a warp execute together: shuffles, votes, matches, sums over the warp,
// __syncwarp.
#pragma once
#include <vector>

#include "machine/machine-blocks.h"
#include "machine/selection.h"

namespace lockstep::machine {

bool is_collective(const ptx::Instruction& instruction);

// Adds what brings the lanes together for them, where they may be `apart` (by block). By block: whether it
// brings all of the warp's lanes together, wherever they are.
std::vector<bool> bring_together(const Selection& selection, const MachineBlocks& machine,
                                 const std::vector<bool>& apart, std::vector<Block>& blocks);

}  // namespace lockstep::machine
