// Names of CUDA's in a HIP program and of HIP's in a CUDA program, recognised in clang's errors: what porting
// leaves behind.
#pragma once
#include <string>
#include <string_view>

namespace lockstep::compile {

enum class Vendor { nvidia, amd };

// One sentence about a name that is not declared in a program for this vendor's GPUs, or nothing if it is not
// the other's.
std::string explain_other_vendor(std::string_view name, Vendor program);

}  // namespace lockstep::compile
