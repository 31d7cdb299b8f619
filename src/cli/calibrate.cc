// lockstep calibrate: a model of the GPU at hand, from measurements, with how near its predictions are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/models.h"
#include "cli/native-program.h"
#include "cli/option-checks.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/files.h"
#include "compile/output-file.h"
#include "compile/process.h"
#include "compile/toolchain.h"
#include "gpu/block-limits.h"
#include "gpu/model-keys.h"
#include "measure/calibration.h"
#include "measure/difference.h"
#include "measure/hardware-programs.h"
#include "measure/measured-metrics.h"
#include "report/text-printer.h"

namespace lockstep::cli {
namespace calibrate_command {

namespace fs = std::filesystem;

struct Options {
    std::string file, from, keep, base;
    bool no_validation = false;
};

constexpr const char* footer =
    "Takes two to five minutes, with nothing else on the GPU. The model is for --gpu:\n"
    "  lockstep calibrate -o mine.toml\n"
    "  lockstep profile --gpu mine.toml reduce.cu\n"
    "Figures that no program measures are those of the model that is nearest (--base), and marked so.\n"
    "Without a GPU here, --from makes the model of what was measured elsewhere (--keep).";

void tell(const std::string& text) { fmt::print(stderr, "lockstep: {}\n", text); }

// "nvidia-geforce-rtx-3090.toml"
std::string file_name_of(const std::string& gpu) {
    std::string name;
    for (const char c : gpu) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    return name + ".toml";
}

// The model of the same GPU; else of the same, or the nearest, compute capability.
Result<gpu::GpuModel> nearest_model(const std::string& name, int capability) {
    const auto models = model_directory();
    if (!models) return models.error();
    std::optional<gpu::GpuModel> best;
    const auto distance = [&](const gpu::GpuModel& model) {
        return model.name == name ? -1 : std::abs(model.compute_capability() - capability);
    };
    for (const std::string& id : gpu::list_models(*models))
        if (auto model = gpu::find_model(id, *models); model && !gpu::execution_obstacle(*model))
            if (!best || distance(*model) < distance(*best)) best = std::move(*model);
    if (!best) return Error{"there is no model of an NVIDIA GPU to begin with", {models->string()}};
    return std::move(*best);
}

// Programs whose times the model is judged by: none of its figures comes from them.
struct Judge {
    const char* name;
    const char* argument;  // divides the number of blocks
};
constexpr Judge judges[] = {
    {"reduce_int", "4"}, {"divergence", "16"}, {"matmul", "16"}, {"sum_matrix", "16"}};

// lockstep itself, with what it prints caught: the judges print, too.
Result<void> profile(compile::Arguments words, const Judge& judge, const fs::path& sources,
                     const fs::path& scratch) {
    words.insert(words.begin(), {base::module_file().string(), "profile", "--no-progress"});
    words.insert(words.end(),
                 {"-std=c++17", (sources / fmt::format("{}.cu", judge.name)).string(), "--", judge.argument});
    auto finished = compile::run(words, scratch);
    if (!finished) return finished.error();
    if (!finished->status.ok())
        return Error{fmt::format("{} {}:\n{}", compile::command_line(words), finished->status.to_string(),
                                 finished->errors),
                     {}};
    return {};
}

fs::path measured_file(const fs::path& folder, const Judge& judge) {
    return folder / fmt::format("{}.lockstep", judge.name);
}

void measure_judges(const fs::path& sources, const fs::path& folder, const fs::path& scratch) {
    for (const Judge& judge : judges) {
        tell(fmt::format("{} on the GPU", judge.name));
        const compile::Arguments words{"--on", "gpu", "-o", measured_file(folder, judge).string()};
        if (auto done = profile(words, judge, sources, scratch); !done) fail(done.error().to_string());
    }
}

// Errors of all launches that were measured, predicted with this model from this compiler's code.
std::vector<double> judge_model(const fs::path& model, const std::string& compiler, const fs::path& sources,
                                const fs::path& folder, const fs::path& scratch) {
    std::vector<double> errors;
    for (const Judge& judge : judges) {
        std::error_code ignored;
        if (!fs::exists(measured_file(folder, judge), ignored)) continue;
        tell(fmt::format("{} on its model, compiled by {}", judge.name, compiler));
        const fs::path file = scratch / "predicted.lockstep";
        const compile::Arguments words{"--gpu", model.string(), "--compiler", compiler, "-o", file.string()};
        // A compiler that is missing is missing for the others, too.
        if (auto done = profile(words, judge, sources, scratch); !done) {
            fail(done.error().to_string());
            break;
        }
        auto predicted = report::RunFile::open(file),
             measured = report::RunFile::open(measured_file(folder, judge));
        if (!predicted || !measured) {
            fail((predicted ? measured : predicted).error().to_string());
            continue;
        }
        auto kernels =
            measure::differences(*predicted, *measured, measure::metrics_of(measure::Vendor::nvidia));
        if (!kernels) {
            fail(kernels.error().to_string());
            continue;
        }
        for (const measure::KernelDifference& kernel : *kernels)
            errors.insert(errors.end(), kernel.launch_errors.begin(), kernel.launch_errors.end());
    }
    return errors;
}

// What each compiler's code gave, as a line of the model's table.
std::vector<std::string> validate(const fs::path& model, const fs::path& sources, const fs::path& folder,
                                  const fs::path& scratch) {
    struct Compiler {
        const char *key, *option;
    };
    constexpr Compiler compilers[] = {{"nvcc", "nvcc"}, {"lockstep", "clang"}};
    std::vector<std::string> lines;
    for (const Compiler& compiler : compilers) {
        if (compiler.option == std::string("nvcc") && !compile::find_cuda_program("nvcc")) continue;
        const auto errors = judge_model(model, compiler.option, sources, folder, scratch);
        if (errors.empty()) continue;
        const std::string text = measure::validation_text(errors);
        tell(fmt::format("from {}'s code: {}", compiler.key, text));
        lines.push_back(fmt::format("{} = \"{}\" # [V]", compiler.key, text));
    }
    return lines;
}

std::string short_number(double value) {
    constexpr double many = 1e5;
    return value < many ? fmt::format("{:.5g}", value) : fmt::format("{:.0f}", value);
}

// The figures that were measured, beside those of the model that they replace.
report::Table figures_table(const std::vector<gpu::NewFigure>& figures, gpu::GpuModel base) {
    using report::Align;
    report::Table table{{{"Figure"},
                         {fmt::format("{}.toml", base.id), Align::right},
                         {"Measured", Align::right},
                         {"Source"}}};
    const auto keys = gpu::keys_of(base);
    for (const gpu::NewFigure& figure : figures) {
        const auto key = std::ranges::find(keys, figure.key, &gpu::Key::path);
        if (key == keys.end()) continue;
        const auto before = gpu::number_of(*key);
        constexpr std::string_view tag = "[M] ";
        table.row({figure.key, before ? short_number(*before) : "-", short_number(figure.value),
                   figure.comment.substr(tag.size())});
    }
    return table;
}

int calibrate(const Options& options) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return fail(scratch.error().to_string());
    const auto programs = base::find_resource("hardware"), judged = base::find_resource("judges");
    if (!programs || !judged) return fail((programs ? judged : programs).error().to_string());
    leave_lockstep();

    fs::path folder = options.from;
    std::string driver;
    if (folder.empty()) {
        const auto gpus = measure::find_nvidia_gpus();
        if (!gpus)
            return fail(fmt::format("{}; --from FOLDER makes a model of what was measured elsewhere",
                                    gpus.error().message));
        auto nvcc = compile::find_nvcc();
        if (!nvcc) return fail(nvcc.error().to_string());
        folder = options.keep.empty() ? scratch->path() / "measured" : fs::path(options.keep);
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) return fail(fmt::format("{}: {}", folder.string(), error.message()));
        measure::HardwareRun run{
            *programs, folder, *nvcc, {}, gpus->front(), tell, [](const std::string& text) { fail(text); }};
        if (const auto ncu = measure::find_ncu()) run.ncu = ncu->file;
        driver = fmt::format(", driver {}", gpus->front().driver);
        tell(fmt::format("measuring {}", gpus->front().name));
        if (auto done = measure::run_hardware_programs(run); !done) return fail(done.error().to_string());
        if (!options.no_validation) measure_judges(*judged, folder, scratch->path());
    }

    const measure::Recordings recordings(folder);
    const auto name = recordings.property("name");
    const auto compute = recordings.number("compute");
    if (!name || !compute)
        return fail(fmt::format("{}: no device.csv that says which GPU was measured", folder.string()));
    const int capability = static_cast<int>(std::lround(10 * *compute));
    auto base = options.base.empty() ? nearest_model(*name, capability) : chosen_model_for_code(options.base);
    if (!base) return fail(base.error().to_string());
    measure::Calibration found = measure::calibrate(recordings);
    measure::agree(found.figures, *base);

    gpu::NewModel made;
    made.name = *name;
    made.architecture = base->architecture;
    made.figures = found.figures;
    made.rest_tag = fmt::format("[B] {}.toml:", base->id);
    made.head = {fmt::format("{}, measured by lockstep calibrate{}.", *name, driver),
                 "Sources: [M] measured on this GPU: the file of lockstep calibrate --keep, and what in it.",
                 fmt::format("         [B] not measured: as in gpus/{}.toml ({}), with its source.", base->id,
                             base->name),
                 "         [V] times that this model predicts beside times that were measured, of programs "
                 "that no figure comes from."};
    const fs::path file = options.file.empty() ? file_name_of(*name) : options.file;
    const auto write = [&]() -> Result<gpu::RewrittenModel> {
        auto text = gpu::rewrite_model(base->file, made);
        if (!text) return text.error();
        // What a model's loader does not take is not written over a good one.
        const fs::path trial = scratch->path() / "trial.toml";
        if (auto done = compile::replace_file(trial, text->text); !done) return done.error();
        if (auto loaded = gpu::load_model(trial); !loaded) return loaded.error();
        if (auto done = compile::replace_file(file, text->text); !done) return done.error();
        return text;
    };
    auto written = write();
    if (!written) return fail(written.error().to_string());
    if (!options.no_validation) {
        made.validated = validate(file, *judged, folder, scratch->path());
        if (made.validated.empty())
            tell("the model is not validated: no program was both measured and simulated");
        else if (auto again = write(); !again)
            return fail(again.error().to_string());
    }
    for (const std::string& refused : written->refused) fail("not taken: " + refused);
    for (const std::string& missing : found.missing) tell("not measured: " + missing);
    const int status =
        write_output("-", report::to_text(figures_table(found.figures, *base), {terminal_has_colours()}));
    tell(fmt::format("{}: {} figures measured, the others are {}.toml's", file.string(), found.figures.size(),
                     base->id));
    return status;
}

int run(const Options& options) {
    using compile::Output;
    const std::array outputs = {Output{"-o", options.file, Output::Kind::translation}};
    if (auto good = compile::check_outputs(outputs, {}); !good) return fail(good.error().to_string(), 2);
    if (!options.from.empty() && !options.keep.empty())
        return fail("--from reads what --keep has kept: only one of them", 2);
    std::error_code ignored;
    if (!options.from.empty() && !fs::is_directory(options.from, ignored))
        return fail(fmt::format("{}: no such folder", options.from), 2);
    return calibrate(options);
}

}  // namespace calibrate_command

void add_calibrate(CommandLine& line, Context& context) {
    using namespace calibrate_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("calibrate", "Measure the GPU of this machine, and write its model");
    command.footer(footer);
    command.add_option("-o,--output", options->file, "The model (default: the GPU's name, with .toml)")
        .check(file_name);
    command.add_option("--keep", options->keep, "Keep what was measured in this FOLDER").check(file_name);
    command.add_option("--from", options->from, "Make the model of what is in this FOLDER, measured before")
        .check(file_name);
    command.add_option("--base", options->base,
                       "Where figures come from that are not measured (default: the nearest model)");
    command.add_flag("--no-validation", options->no_validation,
                     "Do not compare times that the model predicts with measured ones");
    command.callback([options, &context] { context.status = run(*options); });
}

}  // namespace lockstep::cli
