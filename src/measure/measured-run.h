// A run file of what a real GPU did: the same tables as a simulated run's, and its origin.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/measured-launch.h"
#include "report/result.h"
#include "timing/stream-operation.h"

namespace lockstep::measure {

struct MeasuredRun {
    report::RunInfo info;  // with `measured_by`
    std::string compiler;  // of the code that ran: "nvcc 13.0", "hipcc 6.2"; empty: not known
    std::vector<MeasuredLaunch> launches;
};

// Launches that a GPU was only timed for: what a trace has of them.
std::vector<MeasuredLaunch> timed_launches(const std::vector<timing::Placement>& operations);

Result<void> write_run(const std::filesystem::path& file, const MeasuredRun& run);

}  // namespace lockstep::measure
