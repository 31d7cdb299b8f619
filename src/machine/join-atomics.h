#pragma once
#include "machine/uses.h"
#include "ptx/ast.h"

namespace lockstep::machine {

// Whether one lane acts for all where they have one address: integers of 32 bits, operations whose order does
// not matter; of those whose result is used only sums.
bool joins_lanes(const ptx::Instruction& atomic, bool used);
bool result_is_used(const Uses& uses, const ptx::Instruction& atomic);

}  // namespace lockstep::machine
