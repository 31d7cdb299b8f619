// lockstep nvprof: nvprof's own command line and table layout, for those who have it in their fingers and
// scripts. Its arguments are its own; nothing here is parsed by CLI11.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "compile/blocked-signals.h"
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
    ignored,  // changes nothing here
};

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr std::array options = {
    ToolOption{"metrics", "m", true, act(Action::metrics),
               "metrics by name, separated by commas; all. Without it: times"},
    ToolOption{"kernels", "", true, act(Action::kernels),
               "only kernels whose name has a match of this regular expression"},
    ToolOption{"csv", "", false, act(Action::csv), "the table as CSV"},
    ToolOption{"log-file", "", true, act(Action::log_file),
               "write to this file instead of stderr; %p is the process id"},
    ToolOption{"export-profile", "o", true, act(Action::export_file),
               "keep the run in this file (lockstep's own format)"},
    ToolOption{"output-profile", "", true, act(Action::export_file), "the same"},
    ToolOption{"force-overwrite", "f", false, act(Action::force), "overwrite the files of -o and --log-file"},
    ToolOption{"devices", "", true, act(Action::devices), "all, or 0: there is one device"},
    ToolOption{"print-gpu-trace", "", false, act(Action::trace), "a row a launch"},
    ToolOption{"print-gpu-summary", "", false, act(Action::summary), "kernel by kernel (default)"},
    ToolOption{"query-metrics", "", false, act(Action::query_metrics), "list the metrics"},
    ToolOption{"quiet", "q", false, act(Action::quiet), "only the table"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "V", false, act(Action::version), "the version of lockstep"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{
        "clock", "", true, act(Action::clock),
        "lockstep's own: what CUDA's events and the host's clocks tell, simulated time (default) or wall"},
    ToolOption{"set", "", true, act(Action::set), "lockstep's own: one figure of the GPU, for example sms=8"},
    ToolOption{"concurrent-kernels", "", true, act(Action::ignored), ""},
    ToolOption{"demangling", "", true, act(Action::ignored), ""},
    ToolOption{"normalized-time-unit", "u", true, act(Action::ignored), ""},
    ToolOption{"profile-child-processes", "", false, act(Action::ignored), ""},
    ToolOption{"profile-from-start", "", true, act(Action::ignored), ""},
    ToolOption{"profile-api-trace", "", true, act(Action::ignored), ""},
    ToolOption{"replay-mode", "", true, act(Action::ignored), ""},
    ToolOption{"track-memory-allocations", "", true, act(Action::ignored), ""},
    ToolOption{"unified-memory-profiling", "", true, act(Action::ignored), ""},
    ToolOption{"cpu-profiling", "", true, 0, "", "lockstep profiles kernels only"},
    ToolOption{"events", "e", true, 0, "",
               "hardware events are not simulated; --metrics has what is counted from them"},
    ToolOption{"query-events", "", false, 0, "", "hardware events are not simulated; see --query-metrics"},
    ToolOption{"analysis-metrics", "", false, 0, "", "it is for the visual profiler; take --metrics all"},
    ToolOption{"print-api-trace", "", false, 0, "",
               "it shows what calls of the CUDA API take on the host, which lockstep does not predict"},
    ToolOption{"print-api-summary", "", false, 0, "",
               "it shows what calls of the CUDA API take on the host, which lockstep does not predict"},
    ToolOption{"print-summary", "s", false, act(Action::summary), "the same as --print-gpu-summary"},
    ToolOption{"import-profile", "i", true, 0, "",
               "nvprof's files cannot be read; lockstep profile --from reads lockstep's"},
    ToolOption{"profile-all-processes", "", false, 0, "", "one program is profiled, with all that it starts"},
};

struct Request {
    ProfileRequest profile;
    Context program;
    std::string metrics, log_file;
    bool csv = false, force = false, trace = false, summary = false, quiet = false;
};

std::string help() {
    return "lockstep nvprof [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
           "lockstep nvprof [OPTIONS] PROG.cu [ARGUMENTS]\n\n"
           "Takes nvprof's options and prints its tables of times or metrics, for the simulated GPU.\n\n" +
           ToolOptions("nvprof", options).help() +
           "\nExample:\n  lockstep nvprof --metrics achieved_occupancy,inst_per_warp,gld_efficiency "
           "./reduceInteger\n";
}

// What an option does; an exit status where that is all.
std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    const auto action = static_cast<Action>(option.action);
    if (action == Action::log_file || action == Action::export_file)
        if (const std::string wrong = file_name(value); !wrong.empty())
            return fail(fmt::format("nvprof: --{}: {}", option.name, wrong), 2);
    switch (action) {
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
        case Action::help: return write_output("-", help());
        case Action::version: return write_output("-", "lockstep nvprof\n");
        case Action::query_metrics: {
            auto all = metrics::select_metrics("all");
            return all ? write_output("-", list_metrics(*all)) : fail(all.error().to_string());
        }
    }
    return {};
}

// Up to the program; what follows is the program's own.
std::optional<int> parse(const std::vector<std::string>& arguments, Request& request) {
    std::vector<std::string> rest;
    const ToolOptions line("nvprof", options);
    const auto status = line.parse_up_to_program(
        arguments,
        [&](const ToolOption& option, const std::string& value) { return apply(option, value, request); },
        rest);
    if (status) return status;
    if (rest.empty()) return fail("nvprof needs a program (see lockstep nvprof --help)", 2);
    request.profile.rest = {rest.front()};
    request.program.after_dashes.assign(rest.begin() + 1, rest.end());
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
    if (const auto status =
            check_tool_outputs("nvprof", request.profile, request.program, request.log_file, request.force))
        return *status;
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
                          report::gpu_text(profiled.run->info, profiled.run->kernels))
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
