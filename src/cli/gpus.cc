// lockstep gpus: the GPU models.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "cli/command.h"
#include "gpu/model.h"

namespace lockstep::cli {
namespace {

struct Options {
    bool json = false;
    std::string directory;
};

int list(const Options& options) {
    std::filesystem::path directory = options.directory;
    if (directory.empty()) {
        if (const char* given = getenv("LOCKSTEP_GPUS_DIR"); given && *given) {
            directory = given;
        } else {
            auto found = base::find_resource("gpus");
            if (!found) return fail(found.error().to_string());
            directory = *found;
        }
    }
    nlohmann::json models = nlohmann::json::array();
    if (!options.json)
        fmt::print("{:<10} {:<28} {:>7} {:>5} {:>9} {:>9} {:>12} {:>10}\n", "name", "GPU", "compute", "SMs",
                   "clock MHz", "memory GB", "shared/SM KB", "threads/SM");
    for (const std::string& id : gpu::list_models(directory)) {
        auto model = gpu::find_model(id, directory);
        if (!model) return fail(model.error().to_string());
        const double gigabytes = static_cast<double>(model->memory_bytes) / (1u << 30);
        if (options.json)
            models.push_back(
                {{"id", model->id},
                 {"name", model->name},
                 {"compute_capability", fmt::format("{}.{}", model->compute_major, model->compute_minor)},
                 {"sms", model->sms},
                 {"clock_mhz", model->clock_mhz},
                 {"memory_bytes", model->memory_bytes},
                 {"shared_per_sm", model->shared_per_sm},
                 {"max_threads_per_sm", model->max_threads_per_sm},
                 {"warp_size", model->warp_size}});
        else
            fmt::print("{:<10} {:<28} {:>7} {:>5} {:>9} {:>9.1f} {:>12} {:>10}\n", model->id, model->name,
                       fmt::format("{}.{}", model->compute_major, model->compute_minor), model->sms,
                       model->clock_mhz, gigabytes, model->shared_per_sm / 1024, model->max_threads_per_sm);
    }
    if (options.json) fmt::print("{}\n", models.dump(2));
    return 0;
}

}  // namespace

void add_gpus(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("gpus", "List the GPU models that --gpu takes");
    command->add_flag("--json", options->json, "For programs");
    command->add_option("--directory", options->directory, "Where the models (*.toml) are");
    command->callback([&context, options] { context.status = list(*options); });
}

}  // namespace lockstep::cli
