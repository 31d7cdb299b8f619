// The notes that compilers add to a module: kernels' parameters, registers and limits. Their text is YAML, of
// the one shape that LLVM writes.
#pragma once
#include <string_view>

#include "base/result.h"
#include "gcn/module.h"

namespace lockstep::gcn {

Result<void> read_metadata(std::string_view yaml, Module& module);

}  // namespace lockstep::gcn
