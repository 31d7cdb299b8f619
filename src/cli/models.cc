#include "cli/models.h"

#include <cstdlib>

#include "base/paths.h"

namespace lockstep::cli {

Result<std::filesystem::path> model_directory() {
    if (const char* given = getenv("LOCKSTEP_GPUS_DIR"); given && *given) return std::filesystem::path(given);
    return base::find_resource("gpus");
}

Result<gpu::GpuModel> chosen_model(const std::string& name) {
    auto directory = model_directory();
    if (!directory) return directory.error();
    const char* variable = getenv("LOCKSTEP_GPU");
    const std::string fallback = variable && *variable ? variable : gpu::default_model;
    return gpu::find_model(name.empty() ? fallback : name, *directory);
}

std::string model_setting(const std::string& name) {
    const bool is_path =
        name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".toml";
    return is_path ? std::filesystem::absolute(name).string() : name;
}

}  // namespace lockstep::cli
