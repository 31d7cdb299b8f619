// lockstep gpus: the GPU models.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/models.h"
#include "gpu/model.h"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    bool json = false;
    std::string name, directory;
};

std::string compute_capability(const gpu::GpuModel& model) {
    return fmt::format("{}.{}", model.compute_major, model.compute_minor);
}

Json summary(const gpu::GpuModel& model) {
    return {{"id", model.id},
            {"name", model.name},
            {"compute_capability", compute_capability(model)},
            {"sms", model.sms},
            {"clock_mhz", model.clock_mhz},
            {"memory_bytes", model.memory_bytes},
            {"shared_per_sm", model.shared_per_sm},
            {"max_threads_per_sm", model.max_threads_per_sm},
            {"warp_size", model.warp_size}};
}

// What `lockstep gpus NAME` adds: limits, and the numbers for Little's law.
Json details(const gpu::GpuModel& model) {
    Json json = summary(model);
    json.update(Json{{"architecture", model.architecture},
                     {"sms_full_chip", model.sms_full_chip},
                     {"max_warps_per_sm", model.max_warps_per_sm()},
                     {"max_blocks_per_sm", model.max_blocks_per_sm},
                     {"registers_per_sm", model.registers_per_sm},
                     {"register_allocation_unit", model.register_allocation_unit},
                     {"shared_allocation_unit", model.shared_allocation_unit},
                     {"shared_configurations", model.shared_configurations},
                     {"max_threads_per_block", model.max_threads_per_block},
                     {"max_block", model.max_block},
                     {"max_registers_per_thread", model.max_registers_per_thread},
                     {"registers_per_block", model.registers_per_block},
                     {"shared_per_block", model.shared_per_block},
                     {"shared_per_block_optin", model.shared_per_block_optin},
                     {"shared_reserved_per_block", model.shared_reserved_per_block},
                     {"l2_bytes", model.l2_bytes},
                     {"memory_clock_mhz", model.memory_clock_mhz},
                     {"memory_bus_bits", model.memory_bus_bits},
                     {"memory_bandwidth_gbs", model.memory_bandwidth_gbs},
                     {"memory_latency_cycles", model.memory_latency_cycles},
                     {"arithmetic_latency_cycles", model.timing.fma.latency},
                     {"arithmetic_per_cycle", model.timing.fma.lanes}});
    return json;
}

int show_one(const Options& options, const std::filesystem::path& directory) {
    auto model = gpu::find_model(options.name, directory);
    if (!model) return fail(model.error().to_string());
    const Json json = details(*model);
    if (options.json) {
        fmt::print("{}\n", json.dump(2));
        return 0;
    }
    for (const auto& [key, value] : json.items())
        fmt::print("{:<28} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    return 0;
}

int list(const Options& options) {
    std::filesystem::path directory = options.directory;
    if (directory.empty()) {
        auto found = model_directory();
        if (!found) return fail(found.error().to_string());
        directory = *found;
    }
    if (!options.name.empty()) return show_one(options, directory);
    Json models = Json::array();
    if (!options.json)
        fmt::print("{:<10} {:<28} {:>7} {:>5} {:>9} {:>9} {:>12} {:>10}\n", "name", "GPU", "compute", "SMs",
                   "clock MHz", "memory GB", "shared/SM KB", "threads/SM");
    for (const std::string& id : gpu::list_models(directory)) {
        auto model = gpu::find_model(id, directory);
        if (!model) return fail(model.error().to_string());
        const double gigabytes = static_cast<double>(model->memory_bytes) / (1u << 30);
        if (options.json)
            models.push_back(summary(*model));
        else
            fmt::print("{:<10} {:<28} {:>7} {:>5} {:>9} {:>9.1f} {:>12} {:>10}\n", model->id, model->name,
                       compute_capability(*model), model->sms, model->clock_mhz, gigabytes,
                       model->shared_per_sm / 1024, model->max_threads_per_sm);
    }
    if (options.json) fmt::print("{}\n", models.dump(2));
    return 0;
}

}  // namespace

void add_gpus(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("gpus", "List the GPU models that --gpu takes, or one with its numbers");
    command->add_option("NAME", options->name, "A model: all its numbers");
    command->add_flag("--json", options->json, "For programs");
    command->add_option("--directory", options->directory, "Where the models (*.toml) are");
    command->callback([&context, options] { context.status = list(*options); });
}

}  // namespace lockstep::cli
