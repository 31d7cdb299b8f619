// Device functions and variables that a HIP file uses and does not define, where it is to have all of them
// itself: AMD's linker would refuse it.
#pragma once
#include <string>
#include <string_view>

namespace lockstep::compile {

// An error a line for each, with the place of its first use; `assembly` is LLVM's. Empty: nothing is missing.
std::string undefined_device_names(std::string_view assembly, const std::string& source);

}  // namespace lockstep::compile
