// NVIDIA's GPUs of this machine, and the tools that are installed for them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/profiler.h"
#include "measure/real-gpu.h"

namespace lockstep::measure {

// By asking nvidia-smi; an error where there are none.
Result<std::vector<RealGpu>> find_nvidia_gpus();

// What nvidia-smi prints for its --query-gpu=name,driver_version,compute_cap --format=csv,noheader.
Result<std::vector<RealGpu>> parse_nvidia_gpus(const std::string& printed);

// Nsight Compute; nothing where it is not installed.
std::optional<Profiler> find_ncu();

}  // namespace lockstep::measure
