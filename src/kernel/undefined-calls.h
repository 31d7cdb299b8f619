// Calls of functions that no PTX defines and the engine does not have, told as the programmer wrote them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::kernel {

// "a.cu:3:12: call of round(float), which is defined nowhere"; the place is one of the PTX where that tells
// no source.
Error undefined_call(const ptx::Module& module, const ptx::Instruction& call, const std::string& callee);

// All of a function's; `is_known` tells of a name without a body whether somebody else has it.
std::vector<Error> undefined_calls(const ptx::Module& module, const ptx::Function& function,
                                   const std::function<bool(const std::string&)>& is_known);

}  // namespace lockstep::kernel
