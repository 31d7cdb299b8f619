// lockstep nvprof: nvprof's own command line and table layout, for those who have it in their fingers and
// scripts. Its arguments are its own; nothing here is parsed by CLI11.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "compile/blocked-signals.h"
#include "compile/output-file.h"
#include "report/kernel-table.h"
#include "report/nvprof-table.h"
#include "report/nvprof-time.h"
#include "report/run-info.h"
#include "report/text-printer.h"

namespace lockstep::cli {
namespace {

enum class Action {
    metrics,
    kernels,
    csv,
    log_file,
    export_file,
    force,
    devices,
    trace,
    summary,
    query_metrics,
    quiet,
    help,
    version,
    gpu,
    clock,
    set,
    ignored,      // changes nothing here
    unsupported,  // needs something that lockstep does not have
};

struct Option {
    const char* name;
    char letter;
    bool takes_value;
    Action action;
    const char* text;  // help, or why it is not supported
};

constexpr std::array options = {
    Option{"metrics", 'm', true, Action::metrics,
           "metrics by name, separated by commas; all. Without it: times"},
    Option{"kernels", 0, true, Action::kernels,
           "only kernels whose name has a match of this regular expression"},
    Option{"csv", 0, false, Action::csv, "the table as CSV"},
    Option{"log-file", 0, true, Action::log_file,
           "write to this file instead of stderr; %p is the process id"},
    Option{"export-profile", 'o', true, Action::export_file,
           "keep the run in this file (lockstep's own format)"},
    Option{"output-profile", 0, true, Action::export_file, "the same"},
    Option{"force-overwrite", 'f', false, Action::force, "overwrite the files of -o and --log-file"},
    Option{"devices", 0, true, Action::devices, "all, or 0: there is one device"},
    Option{"print-gpu-trace", 0, false, Action::trace, "a row a launch"},
    Option{"print-gpu-summary", 0, false, Action::summary, "kernel by kernel (default)"},
    Option{"query-metrics", 0, false, Action::query_metrics, "list the metrics"},
    Option{"quiet", 'q', false, Action::quiet, "only the table"},
    Option{"help", 'h', false, Action::help, "this text"},
    Option{"version", 'V', false, Action::version, "the version of lockstep"},
    Option{"gpu", 0, true, Action::gpu, "lockstep's own: the GPU model (see lockstep gpus)"},
    Option{"clock", 0, true, Action::clock,
           "lockstep's own: what CUDA's events tell, wall (default) or simulated time"},
    Option{"set", 0, true, Action::set, "lockstep's own: one figure of the GPU, for example sms=8"},
    Option{"concurrent-kernels", 0, true, Action::ignored, ""},
    Option{"demangling", 0, true, Action::ignored, ""},
    Option{"normalized-time-unit", 'u', true, Action::ignored, ""},
    Option{"profile-child-processes", 0, false, Action::ignored, ""},
    Option{"profile-from-start", 0, true, Action::ignored, ""},
    Option{"profile-api-trace", 0, true, Action::ignored, ""},
    Option{"replay-mode", 0, true, Action::ignored, ""},
    Option{"track-memory-allocations", 0, true, Action::ignored, ""},
    Option{"unified-memory-profiling", 0, true, Action::ignored, ""},
    Option{"cpu-profiling", 0, true, Action::unsupported, "lockstep profiles kernels only"},
    Option{"events", 'e', true, Action::unsupported,
           "hardware events are not simulated; --metrics has what is counted from them"},
    Option{"query-events", 0, false, Action::unsupported,
           "hardware events are not simulated; see --query-metrics"},
    Option{"analysis-metrics", 0, false, Action::unsupported,
           "it is for the visual profiler; take --metrics all"},
    Option{"print-api-trace", 0, false, Action::unsupported,
           "it shows what calls of the CUDA API take on the host, which lockstep does not predict"},
    Option{"print-api-summary", 0, false, Action::unsupported,
           "it shows what calls of the CUDA API take on the host, which lockstep does not predict"},
    Option{"print-summary", 's', false, Action::summary, "the same as --print-gpu-summary"},
    Option{"import-profile", 'i', true, Action::unsupported,
           "nvprof's files cannot be read; lockstep profile --from reads lockstep's"},
    Option{"profile-all-processes", 0, false, Action::unsupported,
           "one program is profiled, with all that it starts"},
};

struct Request {
    ProfileRequest profile;
    Context program;
    std::string metrics, log_file;
    bool csv = false, force = false, trace = false, summary = false, quiet = false;
};

std::string help() {
    std::string text =
        "lockstep nvprof [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
        "lockstep nvprof [OPTIONS] PROG.cu [ARGUMENTS]\n\n"
        "Takes nvprof's options and prints its tables of times or metrics, for the simulated GPU.\n\n";
    for (const Option& option : options)
        if (option.action != Action::ignored && option.action != Action::unsupported)
            text +=
                fmt::format("  {:<28} {}\n",
                            fmt::format("{}--{}{}", option.letter ? fmt::format("-{}, ", option.letter) : "",
                                        option.name, option.takes_value ? " X" : ""),
                            option.text);
    return text +
           "\nExample:\n  lockstep nvprof --metrics achieved_occupancy,inst_per_warp,gld_efficiency "
           "./reduceInteger\n";
}

std::string unknown_option(const std::string& argument) {
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(std::string("--") + option.name);
    auto near = nearest(argument, names);
    if (near.size() > 2) near.resize(2);
    return fmt::format("nvprof: unknown option {}{} (see lockstep nvprof --help)", argument,
                       near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or ")));
}

// What an option does; an exit status where that is all.
std::optional<int> apply(const Option& option, const std::string& value, Request& request) {
    if (option.action == Action::log_file || option.action == Action::export_file)
        if (const std::string wrong = file_name(value); !wrong.empty())
            return fail(fmt::format("nvprof: --{}: {}", option.name, wrong), 2);
    switch (option.action) {
        case Action::metrics: request.metrics += (request.metrics.empty() ? "" : ",") + value; break;
        case Action::kernels: {
            if (!value.empty() && value[0] == ':')
                return fail(
                    fmt::format("nvprof: --kernels {}: filters by context, stream and invocation are not "
                                "supported; give a kernel's name or a regular expression",
                                value),
                    2);
            if (auto checked = check_regex("--kernels", value); !checked)
                return fail("nvprof: " + checked.error().to_string(), 2);
            request.profile.selection.kernels = value;
            break;
        }
        case Action::csv: request.csv = true; break;
        case Action::log_file: request.log_file = value; break;
        case Action::export_file: request.profile.run_file = value; break;
        case Action::force: request.force = true; break;
        case Action::devices:
            if (value != "all" && value != "0")
                return fail(fmt::format("nvprof: --devices {}: there is one device, number 0", value), 2);
            break;
        case Action::trace: request.trace = true; break;
        case Action::summary: request.summary = true; break;
        case Action::quiet: request.quiet = true; break;
        case Action::gpu:
            if (const std::string wrong = gpu_name(value); !wrong.empty())
                return fail("nvprof: --gpu: " + wrong, 2);
            request.profile.program.gpu = value;
            break;
        case Action::clock:
            if (value != "wall" && value != "simulated")
                return fail(fmt::format("nvprof: --clock {}: expected wall or simulated", value), 2);
            request.profile.program.clock = value;
            break;
        case Action::set: request.profile.program.settings.push_back(value); break;
        case Action::ignored: break;
        case Action::unsupported:
            return fail(fmt::format("nvprof: --{} is not supported: {}", option.name, option.text), 2);
        case Action::help: return write_output("-", help());
        case Action::version: return write_output("-", "lockstep nvprof\n");
        case Action::query_metrics: {
            auto all = metrics::select_metrics("all");
            return all ? write_output("-", list_metrics(*all)) : fail(all.error().to_string());
        }
    }
    return {};
}

const Option* find_option(const std::string& argument, std::string& value, bool& has_value) {
    const bool is_long = argument.rfind("--", 0) == 0;
    std::string name = is_long ? argument.substr(2) : argument.substr(1);
    has_value = false;
    if (const std::size_t equals = name.find('='); is_long && equals != std::string::npos) {
        value = name.substr(equals + 1);
        name.erase(equals);
        has_value = true;
    }
    for (const Option& option : options)
        if (is_long ? name == option.name : name.size() == 1 && name[0] == option.letter) return &option;
    return nullptr;
}

// Up to the program; what follows is the program's own.
std::optional<int> parse(const std::vector<std::string>& arguments, Request& request) {
    std::size_t i = 0;
    for (; i < arguments.size() && arguments[i].size() > 1 && arguments[i][0] == '-'; ++i) {
        if (arguments[i] == "--") {
            ++i;
            break;
        }
        std::string value;
        bool has_value = false;
        const Option* option = find_option(arguments[i], value, has_value);
        if (!option) return fail(unknown_option(arguments[i]), 2);
        if (option->takes_value && !has_value) {
            if (i + 1 == arguments.size())
                return fail(fmt::format("nvprof: {} needs a value", arguments[i]), 2);
            value = arguments[++i];
        }
        if (const auto status = apply(*option, value, request)) return status;
    }
    if (i == arguments.size()) return fail("nvprof needs a program (see lockstep nvprof --help)", 2);
    request.profile.rest = {arguments[i]};
    request.program.after_dashes.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        arguments.end());
    return {};
}

std::optional<int> check(const Request& request) {
    std::error_code ignored;
    for (const std::string& file : {request.profile.run_file.string(), request.log_file})
        if (!file.empty() && !request.force && std::filesystem::exists(file, ignored))
            return fail(fmt::format("nvprof: {} exists; -f overwrites it", file), 2);
    using compile::Output;
    const std::array outputs = {Output{"--log-file", request.log_file},
                                Output{"-o", request.profile.run_file, Output::Kind::run_file}};
    const auto inputs = input_files(request.profile.program, request.profile.rest, request.program);
    if (auto good = compile::check_outputs(outputs, inputs); !good)
        return fail("nvprof: " + good.error().to_string(), 2);
    return {};
}

// Where the table goes: stderr, as nvprof's does, or a file.
class Log {
  public:
    explicit Log(std::string file) : name_(std::move(file)) {}
    void set_process(pid_t process) {
        if (const std::size_t at = name_.find("%p"); at != std::string::npos)
            name_.replace(at, 2, std::to_string(process));
    }
    bool to_stderr() const { return name_.empty(); }
    int write(const std::string& text) const {
        if (!name_.empty()) return write_output(name_, text);
        fmt::print(stderr, "{}", text);
        return 0;
    }

  private:
    std::string name_;
};

Result<std::string> time_report(const Request& request, const report::RunFile& run) {
    if (request.trace) return request.csv ? report::nvprof_trace_csv(run) : report::nvprof_trace(run);
    return request.csv ? report::nvprof_summary_csv(run) : report::nvprof_summary(run);
}

Result<std::string> metric_report(const Request& request, const report::RunFile& run,
                                  std::span<const report::Shown> shown) {
    if (request.trace) {
        auto table = report::launch_table(run, shown);
        if (!table) return table.error();
        return report::to_text(*table);
    }
    return request.csv ? report::nvprof_csv(run, shown) : report::nvprof_table(run, shown);
}

}  // namespace

int nvprof_main(const std::vector<std::string>& arguments) {
    Request request;
    if (const auto status = parse(arguments, request)) return *status;
    if (const auto status = check(request)) return *status;
    std::vector<metrics::Selected> selected;
    if (!request.metrics.empty()) {
        auto found = metrics::select_metrics(request.metrics);
        if (!found) return fail("nvprof: " + found.error().to_string(), 2);
        selected = std::move(*found);
    }

    Log log(request.log_file);
    std::string text;
    pid_t process = 0;
    const auto line = [&](const std::string& words) {
        return request.quiet ? std::string() : fmt::format("=={}== {}\n", process, words);
    };
    ProfileRequest& profile = request.profile;
    profile.command = "nvprof";
    profile.before = [&](pid_t started, const std::string& command) {
        process = started;
        log.set_process(process);
        const std::string words =
            line(fmt::format("NVPROF is profiling process {}, command: {}", process, command));
        if (log.to_stderr())
            fmt::print(stderr, "{}", words);
        else
            text += words;
    };
    profile.after = [&](const std::string& command) { text += line("Profiling application: " + command); };
    const compile::BlockedSignals signals;
    ProfiledRun profiled = run_profiled(profile, request.program);
    if (!profiled.run || profiled.run->kernels.empty()) return profiled.status;
    const auto shown = report::find_metrics(*profiled.run, selected);
    text += line("Profiling result:");
    if (!selected.empty()) text += line("Metric result:");
    auto table =
        selected.empty() ? time_report(request, *profiled.run) : metric_report(request, *profiled.run, shown);
    if (!table) return fail(table.error().to_string());
    text += *table;
    const std::string predicted =
        selected.empty()
            ? fmt::format("times are predicted for {}; copies and their times: lockstep timeline",
                          report::gpu_text(profiled.run->info))
            : report::prediction_note(*profiled.run, shown);
    if (!predicted.empty()) text += line(predicted);
    for (const std::string& note : report::notes(*profiled.run, shown, request.trace)) text += line(note);
    const int written = log.write(text);
    return profiled.status != 0 ? profiled.status : written;
}

void add_nvprof(CommandLine& line) {
    line.add_command("nvprof", "Profile as nvprof does: takes its options, prints its table");
}

}  // namespace lockstep::cli
