// What a run file says of its run: of the GPU above all, and how far its predictions are known to be right.
#pragma once
#include <string>

#include "gpu/model.h"
#include "report/result.h"

namespace lockstep::report {

// Of a run that starts now.
RunInfo describe_run(const gpu::GpuModel& gpu, std::string lockstep_version, std::string command);

// "predictions not compared with a real one", or what the model says of that.
std::string validation_text(const RunInfo& info);

// "NVIDIA H200 (h200; predictions not compared with a real one)"
std::string gpu_text(const RunInfo& info);

}  // namespace lockstep::report
