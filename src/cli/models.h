// The GPU model that a command works with.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command-line.h"
#include "gpu/model.h"
#include "report/result.h"

namespace lockstep::cli {

// The folder of GPU models: $LOCKSTEP_GPUS_DIR, or the installation's.
Result<std::filesystem::path> model_directory();

// `name` as --gpu takes it; if it is empty, $LOCKSTEP_GPU, or the default model. `settings` as --set takes
// them; if there are none, those of $LOCKSTEP_SET.
Result<gpu::GpuModel> chosen_model(const std::string& name, const std::vector<std::string>& settings = {});
// The same, where code is run or looked at: an error for a GPU whose code lockstep cannot run.
Result<gpu::GpuModel> chosen_model_for_code(const std::string& name,
                                            const std::vector<std::string>& settings = {});

// The models of a run's devices; nothing where a run from another machine has used one that is not here.
using RunModels = std::vector<std::optional<gpu::GpuModel>>;
RunModels models_of(const report::RunInfo& info);
const gpu::GpuModel* model_of(const RunModels& models, int device);

// CLI11's check of --gpu: a script's variable that is not set must not choose a GPU.
std::string gpu_name(const std::string& text);

// --gpu and --set, the same for every command.
void add_model_options(const Command& command, std::string& gpu, std::vector<std::string>& settings);
inline constexpr const char* set_option_help =
    "Change one figure of the GPU, for example --set sms=8 (repeatable; `lockstep gpus NAME` shows the keys)";

// The same for LOCKSTEP_GPU: a path must still be right in the directory that a program changes to.
std::string model_setting(const std::string& name);

}  // namespace lockstep::cli
