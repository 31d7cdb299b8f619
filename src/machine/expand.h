// Instructions that the machine does not have: division, correctly rounded roots, the mathematical functions.
#pragma once
#include <optional>

#include "machine/selection.h"

namespace lockstep::machine {

// What stands for the instruction on its usual way; the rare way out (denormals, huge arguments) is not
// counted.
std::optional<Choice> expand(const ptx::Instruction& instruction, const ptx::Module& module);

}  // namespace lockstep::machine
