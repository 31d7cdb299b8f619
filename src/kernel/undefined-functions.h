// Functions that a program calls, or whose address it takes, and that no PTX defines and the engine does not
// have, told as the programmer wrote them.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::kernel {

using IsKnown = std::function<bool(const std::string&)>;  // of a name without a body: somebody else has it

// "a.cu:3:12: call of round(float), which is defined nowhere"; the place is one of the PTX where that tells
// no source.
std::optional<Error> undefined_use(const ptx::Module& module, const ptx::Instruction& instruction,
                                   const IsKnown& is_known);

// All of a function's.
std::vector<Error> undefined_uses(const ptx::Module& module, const ptx::Function& function,
                                  const IsKnown& is_known);

}  // namespace lockstep::kernel
