// NVIDIA's GPUs of this machine, and the tools that are installed for them.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::measure {

struct RealGpu {
    std::string name;                // "NVIDIA H200"
    std::string driver;              // "580.95.05"
    std::string compute_capability;  // "9.0"

    int capability() const;  // 90
};

// By asking nvidia-smi; an error where there are none.
Result<std::vector<RealGpu>> find_gpus();

// What nvidia-smi prints for its --query-gpu=name,driver_version,compute_cap --format=csv,noheader.
Result<std::vector<RealGpu>> parse_gpus(const std::string& printed);

struct Profiler {
    std::filesystem::path file;
    std::string version;  // "2025.3.1.0"; empty where it does not say
};
// Nsight Compute; nothing where it is not installed.
std::optional<Profiler> find_ncu();

// The model of that GPU in a folder of models: the one that says its name. Empty: there is none.
std::string model_of(const RealGpu& gpu, const std::filesystem::path& models);

}  // namespace lockstep::measure
