// What of a function's values does not fit into its registers, and where it goes to local memory and back.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/selection.h"
#include "machine/view.h"

namespace lockstep::machine {

// By block, in the order of `before`. `registers`: of 32 bits, for values alone.
std::vector<std::vector<Spill>> find_spills(Selection& selection, std::uint32_t registers);

}  // namespace lockstep::machine
