// Whether a program includes CUB or Thrust, in its source or in headers of its own.
#pragma once
#include <filesystem>

#include "compile/process.h"

namespace lockstep::compile {

// `options`: the compiler's, whose folders are looked into. Conditions are not looked at.
bool includes_cub_or_thrust(const std::filesystem::path& source, const Arguments& options);

}  // namespace lockstep::compile
