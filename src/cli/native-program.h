// A program of NVIDIA's own tools, for a real GPU.
#pragma once
#include <filesystem>

#include "cli/start-program.h"

namespace lockstep::cli {

// Takes lockstep's libraries out of the environment, whatever `lockstep env` or `lockstep shims` have put
// there: NVIDIA's are to be found.
void leave_lockstep();

// One that is built already. One of ours is refused.
Prepared take_native(const std::filesystem::path& file, const Context& context);

}  // namespace lockstep::cli
