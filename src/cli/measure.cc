// lockstep measure: what is predicted of a program beside what a real GPU measures.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "cli/command.h"
#include "cli/measured-program.h"
#include "cli/models.h"
#include "cli/native-program.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/output-file.h"
#include "compile/toolchain.h"
#include "gpu/block-limits.h"
#include "measure/difference.h"
#include "measure/measured-metrics.h"
#include "measure/ncu-metrics.h"
#include "measure/rocprof-metrics.h"
#include "report/text-printer.h"

namespace lockstep::cli {
namespace measure_command {

namespace fs = std::filesystem;

struct Options {
    ProgramOptions program;
    LaunchSelection selection;
    std::vector<std::string> metrics;
    std::string predicted, measured, json, run_file, measured_file;
    double within = 0;
    bool details = false, ncu_command = false, rocprof_command = false;
};

constexpr const char* synopsis =
    "lockstep measure [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep measure [OPTIONS] --measured FILE PROG.cu… [-- ARGUMENTS]\n"
    "lockstep measure [OPTIONS] --predicted RUN.lockstep --measured FILE\n"
    "lockstep measure --ncu-command | --rocprof-command [--gpu NAME]\n\n";
constexpr const char* examples =
    "The program is run twice: on the simulated GPU, and on this machine's, NVIDIA's, or for HIP AMD's.\n"
    "CUDA programs are nvcc's code on both where nvcc is installed (--compiler chooses). Where there is\n"
    "no GPU, --measured takes what one measured elsewhere: a run file of `lockstep profile --on gpu -o\n"
    "FILE`, what ncu printed, or the CSV files of rocprofv3 or rocprof, one or a folder of them.\n"
    "Examples:\n"
    "  lockstep measure reduce.cu                                the worst kernel first, and the likely "
    "cause\n"
    "  lockstep measure --details --metrics memory reduce.cu     every metric of a group\n"
    "  lockstep measure --within 20 reduce.cu                    exit status 1 where a kernel's time is "
    "farther off\n"
    "  lockstep measure --ncu-command                            what to run on a machine without lockstep\n"
    "  lockstep measure --measured ncu.csv reduce.cu             its result beside the prediction\n"
    "  lockstep measure --rocprof-command --gpu mi300x           the same for an AMD GPU\n"
    "  lockstep measure --measured measured reduce.hip           … and the folder that it leaves";

int print_ncu_command() {
    compile::Arguments words =
        ncu_arguments(measure::ncu_names(measure::metrics_of(measure::Vendor::nvidia)));
    words.insert(words.begin(), "ncu");
    return write_output("-", compile::command_line(words) + " ./program > ncu.csv\n");
}

// Generations of AMD's GPUs have other counters.
int print_rocprof_command(const std::string& gpu) {
    auto model = chosen_model(gpu.empty() ? gpu::default_hip_model : gpu);
    if (!model) return fail(model.error().to_string(), 2);
    if (model->target.empty())
        return fail(fmt::format("{} is not AMD's: --ncu-command is for NVIDIA's", model->name), 2);
    return write_output("-", rocprof_commands(measure::rocprof_counters(
                                 measure::metrics_of(measure::Vendor::amd), model->target)));
}

ProfileRequest request_of(const Options& options, const std::vector<std::string>& rest) {
    ProfileRequest request;
    request.command = "measure";
    request.program = options.program;
    request.rest = rest;
    request.selection = options.selection;
    return request;
}

// A run file, or what a tool recorded. `model`: of the GPU, where that does not say it.
ProfiledRun open_measured(const std::string& file, const std::string& model) {
    ProfiledRun result;
    const auto give_up = [&](const Error& error) {
        result.status = fail(error.to_string());
        return std::move(result);
    };
    auto run = report::RunFile::open(file);
    if (!run) {
        std::error_code ignored;
        const auto text = fs::is_regular_file(file, ignored) ? compile::read_file(file) : std::nullopt;
        // SQLite's files say so in their first bytes.
        if (text ? text->starts_with("SQLite format 3") : !fs::is_directory(file, ignored))
            return give_up(run.error());
        auto folder = compile::TempDir::create();
        if (!folder) return give_up(folder.error());
        const fs::path made = folder->path() / "measured.lockstep";
        if (auto done = import_measured(file, model, made); !done) return give_up(done.error());
        run = report::RunFile::open(made);
        if (!run) return give_up(run.error());
        result.temporary = std::move(*folder);
    }
    if (run->info.measured_by.empty())
        return give_up(Error{"this run was simulated: --measured wants one of a real GPU", {file}});
    result.run = std::move(*run);
    return result;
}

ProfiledRun measure_here(Options& options, const std::vector<std::string>& rest, const Context& context) {
    Options here = options;
    here.program.on = "gpu";
    here.program.gpu.clear();
    here.program.settings.clear();
    ProfiledRun failed;
    if (auto found = find_hardware(here.program, rest); !found) {
        failed.status = fail(found.error().to_string());
        return failed;
    }
    ProfileRequest request = request_of(here, rest);
    request.run_file = options.measured_file;
    request.metrics = measure::metrics_of(here.program.hardware.front().vendor());
    fmt::print(stderr, "lockstep: on {}\n", here.program.hardware.front().name);
    return run_profiled(request, context);
}

// The model of the GPU that was measured, unless another is asked for.
Result<void> choose_model(ProgramOptions& program, const report::RunFile& measured) {
    if (!program.gpu.empty()) return {};
    const report::DeviceInfo& device = measured.info.devices.front();
    auto model = chosen_model(device.gpu);
    if (!model)
        return Error{
            fmt::format("there is no model of {} (compute capability {}): --gpu chooses one to predict with, "
                        "`lockstep gpus` lists them",
                        device.gpu_name, device.compute_capability),
            {}};
    program.gpu = device.gpu;
    return {};
}

// The exit status: 1 where a kernel's time is farther off than it may be.
int check_times(const std::vector<measure::KernelDifference>& kernels, double within) {
    if (within <= 0) return 0;
    int status = 0;
    for (const measure::KernelDifference& kernel : kernels)
        if (const auto error = kernel.time_error();
            kernel.launches && error && 100 * std::abs(*error) > within)
            status = fail(fmt::format("{}: predicted {:+.1f} % of what was measured, --within allows {:g} %",
                                      kernel.kernel, 100 * *error, within));
    return status;
}

// `chosen`: the metrics to show; empty: all.
int show(const Options& options, const report::RunFile& predicted, const report::RunFile& measured,
         const std::vector<metrics::Selected>& chosen) {
    // Causes are looked for among all metrics, whichever are shown.
    const std::vector<metrics::Selected> all =
        measure::metrics_of(measure::vendor_of(measured.info.devices.front().compute_capability));
    const std::vector<metrics::Selected>& selected = chosen.empty() ? all : chosen;
    auto kernels = measure::differences(predicted, measured, all);
    if (!kernels) return fail(kernels.error().to_string());
    for (measure::KernelDifference& kernel : *kernels)
        std::erase_if(kernel.metrics, [&](const measure::MetricDifference& one) {
            return std::ranges::none_of(selected,
                                        [&](const auto& wanted) { return wanted.metric == one.metric; });
        });
    int status = 0;
    if (!options.json.empty())
        status = write_output(options.json, measure::difference_json(predicted, measured, *kernels));
    if (options.json != "-") {
        measure::DifferenceView view;
        view.width = terminal_width();
        if (options.details) view.most_metrics = std::size_t{1} << 20, view.least = 0;
        status = std::max(
            status,
            write_output("-", report::to_text(measure::difference_report(predicted, measured, *kernels, view),
                                              {terminal_has_colours()})));
    }
    if (std::ranges::none_of(*kernels, [](const auto& kernel) { return kernel.launches != 0; }))
        return fail("no launch is in both runs: kernels are paired by name and shape");
    return std::max(status, check_times(*kernels, options.within));
}

int measure(Options options, const std::vector<std::string>& rest, const Context& context) {
    if (options.ncu_command) return print_ncu_command();
    if (options.rocprof_command) return print_rocprof_command(options.program.gpu);
    Result<std::vector<metrics::Selected>> selected = std::vector<metrics::Selected>();
    if (!options.metrics.empty())
        selected = metrics::select_metrics(fmt::format("{}", fmt::join(options.metrics, ",")));
    if (!selected) return fail(selected.error().to_string(), 2);
    if (auto checked = check_regex("--kernels", options.selection.kernels); !checked)
        return fail(checked.error().to_string(), 2);
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json},
                                Output{"-o", options.run_file, Output::Kind::run_file},
                                Output{"--keep-measured", options.measured_file, Output::Kind::run_file}};
    std::vector<fs::path> inputs = input_files(options.program, rest, context);
    for (const std::string& file : {options.predicted, options.measured})
        if (!file.empty()) inputs.emplace_back(file);
    if (auto good = compile::check_outputs(outputs, inputs); !good) return fail(good.error().to_string(), 2);
    if (!options.predicted.empty() && (options.measured.empty() || !rest.empty()))
        return fail("--predicted goes with --measured, and without a program", 2);
    if (options.predicted.empty() && rest.empty())
        return fail(
            "measure needs a program: a .cu or .hip file or an executable (see lockstep measure --help)", 2);
    if (options.program.compiler.empty())
        options.program.compiler = compile::find_cuda_program("nvcc") ? "nvcc" : "clang";

    const compile::BlockedSignals signals;
    ProfiledRun predicted;
    if (!options.predicted.empty()) {
        predicted = open_earlier(options.predicted, "shows", {}, "", options.selection);
        if (!predicted.run) return predicted.status;
    }
    const std::string model = options.program.gpu.empty() && predicted.run
                                  ? predicted.run->info.devices.front().gpu
                                  : options.program.gpu;
    ProfiledRun measured = options.measured.empty() ? measure_here(options, rest, context)
                                                    : open_measured(options.measured, model);
    if (!measured.run) return measured.status;
    if (measured.status != 0) return measured.status;
    if (options.predicted.empty()) {
        if (auto chosen = choose_model(options.program, *measured.run); !chosen)
            return fail(chosen.error().to_string());
        ProfileRequest request = request_of(options, rest);
        request.run_file = options.run_file;
        fmt::print(stderr, "lockstep: simulated, on the model {}\n", options.program.gpu);
        predicted = run_profiled(request, context);
    }
    if (!predicted.run) return predicted.status;
    const int shown = show(options, *predicted.run, *measured.run, *selected);
    return predicted.status != 0 ? predicted.status : shown;
}

}  // namespace measure_command

void add_measure(CommandLine& line, Context& context) {
    using namespace measure_command;
    auto options = std::make_shared<Options>();
    options->program.compiler = "";  // nvcc where it is installed
    const Command command =
        line.add_command("measure", "Put what is predicted of a program beside what a real GPU measures");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    command
        .add_option("--measured", options->measured,
                    "What a GPU measured: a run file of `lockstep profile --on gpu -o`, what ncu printed "
                    "(--csv --page raw), or rocprof's CSV files: one, or their folder")
        .existing_path();
    command
        .add_option("--predicted", options->predicted,
                    "A run file of `lockstep profile -o`, instead of a program")
        .existing_file();
    command.add_flag("--ncu-command", options->ncu_command,
                     "Print ncu's command line for a machine that has a GPU, and end");
    command.add_flag("--rocprof-command", options->rocprof_command,
                     "The same of rocprofv3, for an AMD GPU: --gpu says which, unless it is the MI100");
    command.add_option("--metrics", options->metrics, "Which to show, as for lockstep profile (default: all)")
        .separated_by(',')
        .one_value();
    command.add_flag("--details", options->details, "All metrics of each kernel, not the worst eight");
    command.add_option("--kernels", options->selection.kernels,
                       "Kernels whose name has a match of this REGEX");
    command
        .add_option("--within", options->within,
                    "Exit status 1 where a kernel's time is more than PERCENT off")
        .check([](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) > 0 ? "" : text + " is no percentage above 0";
        });
    command.add_option("--json", options->json, "Write the comparison as JSON to FILE (- is stdout)")
        .output_file();
    command.add_option("-o,--run", options->run_file, "Keep the run file of the simulated run")
        .check(file_name);
    command.add_option("--keep-measured", options->measured_file, "Keep the run file of the measured one")
        .check(file_name);
    add_program_options(command, options->program);
    add_detailed_option(command, options->program);
    command.callback(
        [command, options, &context] { context.status = measure(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
