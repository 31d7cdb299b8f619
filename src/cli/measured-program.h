// Runs a program on the GPU of this machine, and keeps what its vendor's tools measure of it.
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/gpu-tools.h"

namespace lockstep::cli {

// Into a run file. How the program ended.
Result<compile::ExitStatus> measure_program(const StartableProgram& program, const ProfileRequest& request,
                                            const std::filesystem::path& file);

Result<TracedProgram> trace_program(const StartableProgram& program,
                                    const std::vector<measure::RealGpu>& gpus,
                                    const std::filesystem::path& scratch);

// A run file of what a tool recorded, here or on another machine: what ncu printed, a table of rocprof's, or
// a folder of them. `model`: the GPU's, where the tables do not say which it is; empty: not known.
Result<void> import_measured(const std::filesystem::path& recorded, const std::string& model,
                             const std::filesystem::path& file);

}  // namespace lockstep::cli
