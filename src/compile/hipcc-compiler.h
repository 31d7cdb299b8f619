// AMD's own compiler, for a real GPU: its code, and AMD's runtime.
#pragma once
#include "compile/program.h"

namespace lockstep::compile {

Result<Compiled> hipcc_build(const std::filesystem::path& hipcc, const ProgramRequest& request,
                             const std::filesystem::path& scratch, const std::filesystem::path& output);

}  // namespace lockstep::compile
