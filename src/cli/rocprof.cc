// lockstep rocprof and rocprofv3: their options and CSV files.
#include "report/rocprof.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/version.h"
#include "gpu/block-limits.h"

namespace lockstep::cli {
namespace rocprof_command {

enum class Action {
    stats,
    output,
    input,
    timestamp,
    list,
    gpu,
    set,
    folder,
    trace,
    counters,
    format,
    help,
    version,
    ignored
};
constexpr int act(Action action) { return static_cast<int>(action); }

constexpr ToolOption gpu_option{"gpu", "", true, act(Action::gpu),
                                "lockstep's own: an AMD GPU (see lockstep gpus; default: mi100)"};
constexpr ToolOption set_option{"set", "", true, act(Action::set),
                                "lockstep's own: one figure of the GPU, for example sms=8"};
constexpr ToolOption help_option{"help", "h", false, act(Action::help), "this text"};

constexpr std::array options = {
    ToolOption{"stats", "", false, act(Action::stats), "also a table of kernels: OUT.stats.csv"},
    ToolOption{"", "o", true, act(Action::output), "the file of results (default: results.csv)"},
    ToolOption{"input", "i", true, act(Action::input), "counters: lines `pmc: SQ_WAVES VALUBusy …`"},
    ToolOption{"timestamp", "", true, act(Action::timestamp), "on: with the times of kernels"},
    ToolOption{"list-basic", "", false, act(Action::list), "list the counters"},
    ToolOption{"list-derived", "", false, act(Action::list), "list the derived metrics"},
    ToolOption{"", "d", true, act(Action::folder), "the folder of the files"},
    ToolOption{"basenames", "", true, act(Action::ignored), ""},
    ToolOption{"heartbeat", "", true, act(Action::ignored), ""},
    gpu_option,
    set_option,
    help_option,
    ToolOption{"version", "", false, act(Action::version), "the version of lockstep"},
    ToolOption{"hip-trace", "", false, 0, "", "lockstep timeline shows calls"},
    ToolOption{"hsa-trace", "", false, 0, "", "there is no HSA runtime"},
    ToolOption{"sys-trace", "", false, 0, "", "lockstep timeline shows calls"},
    ToolOption{"roctx-trace", "", false, 0, "", "there is no ROCTX"},
};

constexpr std::array options_v3 = {
    ToolOption{"kernel-trace", "", false, act(Action::trace), "a row a kernel: OUT_kernel_trace.csv"},
    ToolOption{"stats", "", false, act(Action::stats), "a table of kernels: OUT_kernel_stats.csv"},
    ToolOption{"output-file", "o", true, act(Action::output), "how files' names begin (default: out)"},
    ToolOption{"output-directory", "d", true, act(Action::folder), "the folder of the files"},
    ToolOption{"output-format", "f", true, act(Action::format), "csv alone"},
    gpu_option,
    set_option,
    help_option,
    ToolOption{"version", "", false, act(Action::version), "the version of lockstep"},
    ToolOption{"pmc", "", true, 0, "", "take rocprof -i"},
    ToolOption{"hip-trace", "", false, 0, "", "lockstep timeline shows calls"},
    ToolOption{"hip-runtime-trace", "", false, 0, "", "lockstep timeline shows calls"},
    ToolOption{"hsa-trace", "", false, 0, "", "there is no HSA runtime"},
    ToolOption{"sys-trace", "", false, 0, "", "lockstep timeline shows calls"},
    ToolOption{"memory-copy-trace", "", false, 0, "", "lockstep timeline shows copies"},
};

struct Request {
    ProfileRequest profile;
    Context program;
    std::string output, folder, input;
    bool stats = false, times = false, trace = false, list = false;
};

std::optional<int> parse(const char* tool, std::span<const ToolOption> known,
                         const std::vector<std::string>& arguments, Request& request) {
    std::vector<std::string> rest;
    const ToolOptions line(tool, known);
    const auto apply = [&](const ToolOption& option, const std::string& value) -> std::optional<int> {
        const auto wrong = [&](const std::string& words) {
            return fail(
                fmt::format("{}: --{}: {}", tool, *option.name ? option.name : option.short_name, words), 2);
        };
        const auto action = static_cast<Action>(option.action);
        if (action == Action::output || action == Action::input || action == Action::folder)
            if (const std::string bad = file_name(value); !bad.empty()) return wrong(bad);
        switch (action) {
            case Action::stats: request.stats = request.times = true; break;
            case Action::output: request.output = value; break;
            case Action::input: request.input = value; break;
            case Action::folder: request.folder = value; break;
            case Action::timestamp:
                if (value != "on" && value != "off") return wrong("expected on or off");
                request.times = value == "on" || request.stats;
                break;
            case Action::trace: request.trace = true; break;
            case Action::format:
                if (value != "csv") return wrong(value + " is not supported: csv is");
                break;
            case Action::list: request.list = true; break;
            case Action::gpu:
                if (const std::string bad = gpu_name(value); !bad.empty()) return wrong(bad);
                request.profile.program.gpu = value;
                break;
            case Action::set: request.profile.program.settings.push_back(value); break;
            case Action::help:
                return write_output(
                    "-", fmt::format("lockstep {0} [OPTIONS] {1}PROGRAM [ARGUMENTS]\n\nTakes {0}'s "
                                     "options and writes its CSV files, for the simulated GPU.\n\n{2}",
                                     tool, std::string_view(tool) == "rocprofv3" ? "-- " : "", line.help()));
            case Action::version:
                return write_output("-", fmt::format("{}: lockstep {}\n", tool, compile::version()));
            default: break;
        }
        return {};
    };
    if (const auto status = line.parse_up_to_program(arguments, apply, rest)) return status;
    if (request.list) return {};
    if (rest.empty()) return fail(fmt::format("{0} needs a program (see lockstep {0} --help)", tool), 2);
    request.profile.command = tool;
    request.profile.rest = {rest.front()};
    request.program.after_dashes.assign(rest.begin() + 1, rest.end());
    ProgramOptions& program = request.profile.program;
    if (program.gpu.empty() && !getenv("LOCKSTEP_GPU")) program.gpu = gpu::default_hip_model;
    auto model = chosen_model(program.gpu, program.settings);
    if (!model) return fail(fmt::format("{}: {}", tool, model.error().to_string()), 2);
    if (model->target.empty())
        return fail(fmt::format("{}: {} is not AMD's; take lockstep nvprof or ncu", tool, model->name), 2);
    return {};
}

int list_counters() {
    std::string text;
    for (const metrics::Metric& metric : metrics::metrics()) {
        if (metric.vendor != metrics::Vendor::amd) continue;
        for (const std::string& name : metric.names)
            text += fmt::format("  {} : {}\n", name, metric.definition);
    }
    return write_output("-", text);
}

// The counters of all lines of the file, each once.
Result<std::vector<std::string>> counters_of(const std::string& file) {
    std::vector<std::string> names;
    if (file.empty()) return names;
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{fmt::format("cannot read {}", file), {}};
    std::ostringstream text;
    text << in.rdbuf();
    auto lists = report::rocprof_input(text.str(), file);
    if (!lists) return lists.error();
    for (const auto& list : *lists)
        for (const std::string& name : list) {
            if (auto known = metrics::select_metrics(name); !known) return known.error();
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
    return names;
}

int write_table(const std::string& file, const Result<report::CsvTable>& table) {
    if (!table) return fail(table.error().to_string());
    return write_output(file, table->text());
}

std::string in_folder(const Request& request, const std::string& file) {
    if (request.folder.empty()) return file;
    std::error_code ignored;
    std::filesystem::create_directories(request.folder, ignored);
    return (std::filesystem::path(request.folder) / file).string();
}

}  // namespace rocprof_command

int rocprof_main(const std::vector<std::string>& arguments) {
    using namespace rocprof_command;
    Request request;
    if (const auto status = parse("rocprof", options, arguments, request)) return *status;
    if (request.list) return list_counters();
    auto counters = counters_of(request.input);
    if (!counters) return fail("rocprof: " + counters.error().to_string(), 2);
    const std::string input = std::filesystem::path(request.input).stem().string();
    const std::string output = in_folder(request, !request.output.empty() ? request.output
                                                  : input.empty()         ? "results.csv"
                                                                          : input + ".csv");
    const compile::BlockedSignals signals;
    ProfiledRun profiled = run_profiled(request.profile, request.program);
    if (!profiled.run || profiled.run->kernels.empty()) return profiled.status;
    // Where no counters are asked for, times are what there is to tell.
    const bool times = request.times || counters->empty();
    if (const int status = write_table(output, report::rocprof_results(*profiled.run, *counters, times)))
        return status;
    if (request.stats) {
        const std::filesystem::path file(output);
        const std::string stats = (file.parent_path() / (file.stem().string() + ".stats.csv")).string();
        if (const int status = write_table(stats, report::rocprof_stats(*profiled.run))) return status;
    }
    return profiled.status;
}

int rocprofv3_main(const std::vector<std::string>& arguments) {
    using namespace rocprof_command;
    Request request;
    if (const auto status = parse("rocprofv3", options_v3, arguments, request)) return *status;
    if (!request.trace)
        return fail("rocprofv3: --kernel-trace is what is supported (see lockstep rocprofv3 --help)", 2);
    const compile::BlockedSignals signals;
    ProfiledRun profiled = run_profiled(request.profile, request.program);
    if (!profiled.run || profiled.run->kernels.empty()) return profiled.status;
    const std::string start = in_folder(request, request.output.empty() ? "out" : request.output);
    if (const int status = write_table(start + "_kernel_trace.csv", report::rocprofv3_trace(*profiled.run)))
        return status;
    if (request.stats)
        if (const int status =
                write_table(start + "_kernel_stats.csv", report::rocprofv3_stats(*profiled.run)))
            return status;
    return profiled.status;
}

void add_rocprof(CommandLine& line) {
    line.add_command("rocprof",
                     "Profile HIP programs as rocprof does: takes its options, writes its CSV files");
}
void add_rocprofv3(CommandLine& line) {
    line.add_command("rocprofv3", "The same as rocprofv3 --kernel-trace does");
}

}  // namespace lockstep::cli
