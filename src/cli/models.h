// The GPU model that a command works with.
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "gpu/model.h"

namespace lockstep::cli {

// The folder of GPU models: $LOCKSTEP_GPUS_DIR, or the installation's.
Result<std::filesystem::path> model_directory();

// `name` as --gpu takes it; if it is empty, $LOCKSTEP_GPU, or the default model.
Result<gpu::GpuModel> chosen_model(const std::string& name);

// The same for LOCKSTEP_GPU: a path must still be right in the directory that a program changes to.
std::string model_setting(const std::string& name);

}  // namespace lockstep::cli
