// What of CUDA lockstep does not have yet, recognised in clang's errors: a name that no header of ours
// declares, a launch in a kernel. Users are told that it is lockstep's lack and not theirs.
#pragma once
#include <string>
#include <string_view>

#include "compile/other-vendor.h"

namespace lockstep::compile {

// One sentence about a name of CUDA's (or of the other vendor's: other-vendor.h) that is not declared, or
// nothing if it is nobody's that we know.
std::string explain_missing_name(std::string_view name, Vendor program = Vendor::nvidia);

// What to say after a compiler's messages: a line for each thing that they miss and we know.
std::string explain_missing_features(const std::string& messages, Vendor program = Vendor::nvidia);

}  // namespace lockstep::compile
