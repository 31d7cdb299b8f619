// lockstep gpus: the GPU models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/models.h"
#include "gpu/model-comments.h"
#include "gpu/model-keys.h"

namespace lockstep::cli {
namespace gpus_command {

using Json = nlohmann::ordered_json;

struct Options {
    bool json = false;
    std::string name, directory;
    std::vector<std::string> settings;
};

Json summary(const gpu::GpuModel& model) {
    return {{"id", model.id},
            {"name", model.name},
            {"architecture", model.architecture},
            {"compute_capability", model.compute_name()},
            {"sms", model.sms},
            {"clock_mhz", model.clock_mhz},
            {"memory_bytes", model.memory_bytes},
            {"shared_per_sm", model.shared_per_sm},
            {"max_threads_per_sm", model.max_threads_per_sm},
            {"warp_size", model.warp_size},
            {"validated",
             {{"nvcc", model.timing.validated.nvcc}, {"lockstep", model.timing.validated.lockstep}}}};
}

Json value_of(const std::string& text) { return text; }
Json value_of(gpu::SchedulerPolicy policy) { return gpu::policy_names[static_cast<std::size_t>(policy)]; }
Json value_of(const gpu::Triple& list) { return {list[0], list[1], list[2]}; }
template <class Value>
Json value_of(const Value& value) {
    return value;
}

struct Figure {
    std::string key, source;
    std::string_view unit;
    Json value;
};

// All figures that the file has, in the order of the files. What --set changed has that as its source.
std::vector<Figure> figures_of(gpu::GpuModel model, const gpu::ModelComments& comments) {
    std::vector<Figure> figures;
    for (const gpu::Key& key : gpu::keys_of(model)) {
        std::string source;
        if (const auto found = comments.of_key.find(key.path); found != comments.of_key.end())
            source = found->second;
        else if (key.optional)
            continue;
        for (const std::string& change : model.changes)
            if (change.starts_with(fmt::format("{}=", key.path))) source = "--set";
        figures.push_back({std::string(key.path), source, key.unit,
                           std::visit([](const auto* member) { return value_of(*member); }, key.member)});
    }
    return figures;
}

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::vector<std::string> parts;
    for (const Json& part : value) parts.push_back(part.dump());
    return fmt::format("{}", fmt::join(parts, ", "));
}

void print_figures(const std::vector<Figure>& figures) {
    std::string section;
    for (const Figure& figure : figures) {
        const std::size_t dot = figure.key.find('.');
        const std::string here = dot == figure.key.npos ? "" : figure.key.substr(0, dot);
        if (here != section) fmt::print("\n{}\n", here);
        section = here;
        fmt::print("  {:<44} {:<36} {}\n", figure.key,
                   fmt::format("{}{}{}", text_of(figure.value), figure.unit.empty() ? "" : " ", figure.unit),
                   figure.source);
    }
}

int show_one(const Options& options, const std::filesystem::path& directory) {
    auto model = gpu::find_model(options.name, directory, options.settings);
    if (!model) return fail(model.error().to_string());
    auto comments = gpu::read_comments(model->file);
    if (!comments) return fail(comments.error().to_string());
    const std::vector<Figure> figures = figures_of(*model, *comments);
    if (options.json) {
        Json json = summary(*model);
        json["file"] = model->file.string();
        json["changes"] = model->changes;
        json["sources"] = Json::object();
        for (const gpu::Source& source : comments->sources) json["sources"][source.tag] = source.text;
        json["remarks"] = comments->remarks;
        json["figures"] = Json::array();
        for (const Figure& figure : figures)
            json["figures"].push_back({{"key", figure.key},
                                       {"value", figure.value},
                                       {"unit", figure.unit},
                                       {"source", figure.source}});
        fmt::print("{}\n", json.dump(2));
        return 0;
    }
    fmt::print("{} ({}), {} {}, from {}\n", model->full_name(), model->id, model->architecture,
               model->compute_name(), model->file.string());
    const auto found = [](const std::string& text) {
        return text.empty() ? "never compared with this GPU" : text;
    };
    fmt::print("predicted times, from lockstep's code: {}\npredicted times, from nvcc's code: {}\n",
               found(model->timing.validated.lockstep), found(model->timing.validated.nvcc));
    print_figures(figures);
    fmt::print("\nsources\n");
    for (const gpu::Source& source : comments->sources)
        fmt::print("  {:<4} {}\n", fmt::format("[{}]", source.tag), source.text);
    for (const std::string& remark : comments->remarks) fmt::print("{}\n", remark);
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
    if (!options.settings.empty()) return fail("--set needs the NAME of a model here", 2);
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
                       model->compute_name(), model->sms, model->clock_mhz, gigabytes,
                       model->shared_per_sm / 1024, model->max_threads_per_sm);
    }
    if (options.json) fmt::print("{}\n", models.dump(2));
    return 0;
}

}  // namespace gpus_command

void add_gpus(CommandLine& line, Context& context) {
    using namespace gpus_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("gpus", "List the GPU models that --gpu takes, or one with its figures");
    command.footer(
        "lockstep gpus                        the models\n"
        "lockstep gpus h200                   every figure of one, with its unit and where it comes from\n"
        "lockstep gpus my.toml --set sms=8    one's own, with a figure changed\n"
        "docs/gpus.md says what the keys mean.");
    command.add_option("NAME", options->name, "A model, or a .toml file: all its figures");
    command.add_option("--set", options->settings, set_option_help).one_value().type_name("KEY=VALUE");
    command.add_flag("--json", options->json, "For programs");
    command.add_option("--directory", options->directory, "Where the models (*.toml) are");
    command.callback([&context, options] { context.status = list(*options); });
}

}  // namespace lockstep::cli
