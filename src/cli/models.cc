#include "cli/models.h"

#include <cstdlib>

#include "cli/command.h"

namespace lockstep::cli {

Result<gpu::GpuModel> chosen_model(const std::string& name) {
    auto directory = model_directory();
    if (!directory) return directory.error();
    const char* variable = getenv("LOCKSTEP_GPU");
    const std::string fallback = variable && *variable ? variable : gpu::default_model;
    return gpu::find_model(name.empty() ? fallback : name, *directory);
}

}  // namespace lockstep::cli
