// --compiler nvcc: NVIDIA's own compiler makes the PTX; the program is linked to our runtime library.
#pragma once
#include "compile/program.h"

namespace lockstep::compile {

Result<Compiled> nvcc_build(const std::filesystem::path& nvcc, const Toolchain& toolchain,
                            const ProgramRequest& request, const std::filesystem::path& scratch,
                            const std::filesystem::path& output);

}  // namespace lockstep::compile
