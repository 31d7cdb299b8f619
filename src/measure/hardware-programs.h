// The programs that find out what a GPU's model needs (bench/hardware): built by nvcc, run on the GPU of this
// machine, each leaving CSV files.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "measure/nvidia.h"

namespace lockstep::measure {

struct HardwareRun {
    std::filesystem::path sources, folder;  // where the programs are; where their files go
    std::filesystem::path nvcc;
    std::optional<std::filesystem::path> ncu;  // for the time of an empty kernel
    RealGpu gpu;
    // Told what is done next, and what could not be done: a model can do without some of it.
    std::function<void(const std::string&)> progress, warn;
};

// An error where nothing could be measured at all.
Result<void> run_hardware_programs(const HardwareRun& run);

}  // namespace lockstep::measure
