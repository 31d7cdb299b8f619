// The GPU model that a command works with.
#pragma once
#include <string>

#include "base/result.h"
#include "gpu/model.h"

namespace lockstep::cli {

// `name` as --gpu takes it; if it is empty, $LOCKSTEP_GPU, or the default model.
Result<gpu::GpuModel> chosen_model(const std::string& name);

}  // namespace lockstep::cli
