// If-conversion: which blocks ptxas turns into predicated code of the block before them.
#pragma once
#include <vector>

#include "machine/selection.h"

namespace lockstep::machine {

// By block: the block with whose code it is issued, itself where it was not predicated. Chains are resolved.
std::vector<kernel::BlockId> predicate_blocks(Selection& selection);

}  // namespace lockstep::machine
