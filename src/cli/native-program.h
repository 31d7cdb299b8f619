// A program of a vendor's own tools, for a real GPU.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/start-program.h"

namespace lockstep::cli {

// Takes lockstep's libraries out of the environment, whatever `lockstep env` or `lockstep shims` have put
// there: the vendors' are to be found.
void leave_lockstep();

// --on gpu: the GPUs of this machine that can run it, HIP programs on AMD's, others on NVIDIA's; what leaves
// that open on those that are there. `rest` as prepare_program has it. An error where there are none.
Result<void> find_hardware(ProgramOptions& options, const std::vector<std::string>& rest);

// One that is built already. One of ours is refused.
Prepared take_native(const std::filesystem::path& file, const Context& context);

}  // namespace lockstep::cli
