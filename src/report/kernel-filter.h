// How users name kernels.
#pragma once
#include <string>

#include "base/result.h"

namespace lockstep::report {

// Whether `pattern` means this kernel: its whole name, its name without parameters or without template
// arguments, a regular expression for all of the first or second, or * for any. One name must not match
// another that only begins like it.
bool names_kernel(const std::string& pattern, const std::string& kernel);

// An error where the pattern can match nothing: it is no regular expression, and does not look like a name.
Result<void> check_kernel_pattern(const std::string& pattern);

}  // namespace lockstep::report
