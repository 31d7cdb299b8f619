#include "cli/models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "base/paths.h"
#include "gpu/block-limits.h"
#include "gpu/model-settings.h"

namespace lockstep::cli {

Result<std::filesystem::path> model_directory() {
    if (const char* given = getenv("LOCKSTEP_GPUS_DIR"); given && *given) return std::filesystem::path(given);
    return base::find_resource("gpus");
}

Result<gpu::GpuModel> chosen_model(const std::string& name, const std::vector<std::string>& settings) {
    auto directory = model_directory();
    if (!directory) return directory.error();
    const char* variable = getenv("LOCKSTEP_GPU");
    const std::string fallback = variable && *variable ? variable : gpu::default_model;
    const char* set = getenv("LOCKSTEP_SET");
    return gpu::find_model(name.empty() ? fallback : name, *directory,
                           settings.empty() && set ? gpu::split_settings(set) : settings);
}

Result<gpu::GpuModel> chosen_model_for_code(const std::string& name,
                                            const std::vector<std::string>& settings) {
    auto model = chosen_model(name, settings);
    if (!model) return model;
    if (auto reason = gpu::execution_obstacle(*model)) return Error{*reason, {}};
    return model;
}

RunModels models_of(const report::RunInfo& info) {
    RunModels models;
    for (const report::DeviceInfo& device : info.devices) {
        auto model = chosen_model(device.gpu);
        models.push_back(model ? std::optional(std::move(*model)) : std::nullopt);
    }
    return models;
}

const gpu::GpuModel* model_of(const RunModels& models, int device) {
    const auto at = static_cast<std::size_t>(device);
    return at < models.size() && models[at] ? &*models[at] : nullptr;
}

std::string gpu_name(const std::string& text) {
    if (!text.empty()) return "";
    auto directory = model_directory();
    if (!directory) return directory.error().to_string();
    return fmt::format("the name of the GPU is empty (there are: {})",
                       fmt::join(gpu::list_models(*directory), ", "));
}

void add_model_options(const Command& command, std::string& gpu, std::vector<std::string>& settings) {
    command.add_option("--gpu", gpu, "GPU model: a name from `lockstep gpus`, or a .toml file")
        .check(gpu_name);
    command.add_option("--set", settings, set_option_help).one_value().type_name("KEY=VALUE");
}

std::string model_setting(const std::string& name) {
    const bool is_path =
        name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".toml";
    return is_path ? std::filesystem::absolute(name).string() : name;
}

}  // namespace lockstep::cli
