// Runs a program on the GPU of this machine, and keeps what NVIDIA's tools measure of it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/profiled-run.h"
#include "report/timeline-file.h"

namespace lockstep::cli {

// Under Nsight Compute, into a run file; where counters may not be read, or there is no ncu, times alone, and
// the reason is printed. How the program ended.
Result<compile::ExitStatus> measure_program(const StartableProgram& program, const ProfileRequest& request,
                                            const std::filesystem::path& file);

// With CUPTI's records of what was done when: one of each process.
struct TracedProgram {
    compile::ExitStatus ended;
    std::vector<report::Timeline> timelines;
};
Result<TracedProgram> trace_program(const StartableProgram& program,
                                    const std::vector<measure::RealGpu>& gpus,
                                    const std::filesystem::path& scratch);

// A run file of what ncu printed, here or on another machine.
Result<void> import_ncu(const std::filesystem::path& printed, const std::filesystem::path& file);

// ncu's command line for these metrics, without the program.
std::vector<std::string> ncu_arguments(const std::vector<std::string>& metrics);

}  // namespace lockstep::cli
