// lockstep nvprof: nvprof's own command line and table layout, for those who have it in their fingers and
// scripts. Its arguments are its own; nothing here is parsed by CLI11.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <set>

#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/version.h"
#include "metrics/events.h"
#include "report/nvprof-table.h"
#include "report/nvprof-time.h"
#include "report/run-info.h"

namespace lockstep::cli {
namespace nvprof_command {

enum class Action {
    metrics,
    events,
    analysis,
    kernels,
    csv,
    unit,
    log_file,
    export_file,
    import_file,
    force,
    devices,
    gpu_trace,
    api_trace,
    gpu_summary,
    api_summary,
    summary,
    query_metrics,
    query_events,
    from_start,
    quiet,
    help,
    version,
    gpu,
    clock,
    set,
    only_on,   // on changes nothing here, off is not there
    only_off,  // … the other way round
    ignored,   // changes nothing here
};

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr std::array options = {
    ToolOption{"metrics", "m", true, act(Action::metrics), "metrics by name, separated by commas; all"},
    ToolOption{"events", "e", true, act(Action::events), "events by name, separated by commas; all"},
    ToolOption{"analysis-metrics", "", false, act(Action::analysis), "all metrics"},
    ToolOption{"kernels", "", true, act(Action::kernels),
               "metrics and events of these alone: a regular expression that a kernel's name has a match of, "
               "or CONTEXT:STREAM:KERNEL:INVOCATION"},
    ToolOption{"query-metrics", "", false, act(Action::query_metrics), "list the metrics"},
    ToolOption{"query-events", "", false, act(Action::query_events), "list the events"},
    ToolOption{"print-summary", "s", false, act(Action::summary),
               "times of kernels, copies and API calls, by name (default)"},
    ToolOption{"print-gpu-summary", "", false, act(Action::gpu_summary), "… of kernels and copies"},
    ToolOption{"print-api-summary", "", false, act(Action::api_summary), "… of API calls"},
    ToolOption{"print-gpu-trace", "", false, act(Action::gpu_trace),
               "a row a kernel and copy; with metrics or events a row a launch"},
    ToolOption{"print-api-trace", "", false, act(Action::api_trace), "a row an API call"},
    ToolOption{"normalized-time-unit", "u", true, act(Action::unit),
               "times in s, ms, us or ns; col: one unit a table; auto (default)"},
    ToolOption{"units", "", true, act(Action::unit), "the same"},
    ToolOption{"csv", "", false, act(Action::csv), "the tables as CSV"},
    ToolOption{"log-file", "", true, act(Action::log_file),
               "write to this file instead of stderr; %p is the process id"},
    ToolOption{"export-profile", "o", true, act(Action::export_file),
               "keep the run in this file (lockstep's own format); %p is the id of nvprof's process"},
    ToolOption{"output-profile", "", true, act(Action::export_file), "the same"},
    ToolOption{"import-profile", "i", true, act(Action::import_file), "show a run that was kept so"},
    ToolOption{"force-overwrite", "f", false, act(Action::force), "overwrite the files of -o and --log-file"},
    ToolOption{"profile-from-start", "", true, act(Action::from_start),
               "off: only between cudaProfilerStart and cudaProfilerStop"},
    ToolOption{"devices", "", true, act(Action::devices),
               "only what these devices do: their numbers, or all"},
    ToolOption{"quiet", "q", false, act(Action::quiet), "only the tables"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "V", false, act(Action::version), "the version of lockstep"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{
        "clock", "", true, act(Action::clock),
        "lockstep's own: what CUDA's events and the host's clocks tell, simulated time (default) or wall"},
    ToolOption{"set", "", true, act(Action::set), "lockstep's own: one figure of the GPU, for example sms=8"},
    ToolOption{"aggregate-mode", "", true, act(Action::only_on), "", "", "counts are of the whole GPU"},
    ToolOption{"concurrent-kernels", "", true, act(Action::only_on), "", "",
               "kernels of different streams run side by side"},
    ToolOption{"demangling", "", true, act(Action::only_on), "", "",
               "kernels have their names of the source"},
    ToolOption{"annotate-mpi", "", true, act(Action::only_off), "", "", "MPI's calls are not seen"},
    ToolOption{"cpu-profiling", "", true, act(Action::only_off), "", "", "the host's code is not profiled"},
    ToolOption{"cpu-thread-tracing", "", true, act(Action::only_off), "", "",
               "the host's threads are not traced"},
    ToolOption{"system-profiling", "", true, act(Action::only_off), "", "",
               "there is no power and no temperature"},
    ToolOption{"openmp-profiling", "", true, act(Action::only_off), "", "", "OpenMP is not traced"},
    ToolOption{"openacc-profiling", "", true, act(Action::ignored), ""},
    ToolOption{"track-memory-allocations", "", true, act(Action::only_off), "", "",
               "allocations are in the API trace only"},
    ToolOption{"unified-memory-profiling", "", true, act(Action::ignored), ""},
    ToolOption{"profile-api-trace", "", true, act(Action::ignored), ""},
    ToolOption{"profile-child-processes", "", false, act(Action::ignored), ""},
    ToolOption{"event-collection-mode", "", true, act(Action::ignored), ""},
    ToolOption{"replay-mode", "", true, act(Action::ignored), ""},
    ToolOption{"skip-kernel-replay-save-restore", "", true, act(Action::ignored), ""},
    ToolOption{"device-buffer-size", "", true, act(Action::ignored), ""},
    ToolOption{"device-cdp-buffer-size", "", true, act(Action::ignored), ""},
    ToolOption{"profiling-semaphore-pool-size", "", true, act(Action::ignored), ""},
    ToolOption{"profile-all-processes", "", false, 0, "", "one program is profiled, with all that it starts"},
    ToolOption{"dependency-analysis", "", false, 0, "", "lockstep timeline shows what waits for what"},
    ToolOption{"print-dependency-analysis-trace", "", false, 0, "",
               "lockstep timeline shows what waits for what"},
    ToolOption{"source-level-analysis", "a", true, 0, "", "take lockstep profile --source"},
    ToolOption{"pc-sampling-period", "", true, 0, "",
               "take lockstep profile --source, which samples nothing"},
    ToolOption{"print-openacc-summary", "", false, 0, "", "OpenACC is not traced"},
    ToolOption{"print-openacc-trace", "", false, 0, "", "OpenACC is not traced"},
    ToolOption{"print-nvlink-topology", "", false, 0, "", "there is no NVLink"},
    ToolOption{"print-pci-topology", "", false, 0, "", "there is no PCI bus"},
    ToolOption{"timeout", "", true, 0, "", "take lockstep's LOCKSTEP_TIMEOUT, or timeout(1)"},
};

struct Request {
    ProfileRequest profile;
    Context program;
    std::string metrics, events, log_file, import_file;
    report::NvprofTimes times;
    std::set<int> devices;  // empty: all
    bool csv = false, force = false, quiet = false;
    bool gpu_trace = false, api_trace = false, gpu_summary = false, api_summary = false;
    bool query_metrics = false, query_events = false;

    bool traces() const { return gpu_trace || api_trace; }
    bool summaries() const { return gpu_summary || api_summary; }
    bool values() const { return !metrics.empty() || !events.empty(); }
};

std::string help() {
    return "lockstep nvprof [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
           "lockstep nvprof [OPTIONS] PROG.cu [ARGUMENTS]\n"
           "lockstep nvprof [OPTIONS] --import-profile FILE\n\n"
           "Takes nvprof's options and prints its tables of times, metrics or events, for the simulated "
           "GPU.\n\n" +
           ToolOptions("nvprof", options).help() +
           "\nExample:\n  lockstep nvprof --metrics achieved_occupancy,inst_per_warp,gld_efficiency "
           "./reduceInteger\n";
}

// Sums of times are not kept for each device.
Result<void> choose_devices(const Request& request, report::RunFile& run) {
    const bool some = !request.devices.empty() && request.devices.size() < run.info.devices.size();
    if (some && (request.summaries() || (!request.values() && !request.traces())))
        return Error{
            "--devices: a summary is of all devices; --print-gpu-trace, --metrics and --events take some",
            {}};
    return keep_devices(request.devices, run);
}

// The group that nvprof calls all: other vendors' metrics are not among it.
const std::string every_metric = "nvidia";

void add_to(std::string& list, const std::string& more) { list += (list.empty() ? "" : ",") + more; }

// As nvprof's --kernels: what begins with a number or a colon is no name. A name is matched in any part, and
// what a kernel takes is none of it.
Result<void> choose_kernels(const std::string& text, LaunchSelection& selection) {
    selection.names = "qualified";
    if (!text.empty() && (text[0] == ':' || std::isdigit(static_cast<unsigned char>(text[0]))))
        return choose_by_id("--kernels", text, false, selection);
    selection.kernels = text;
    return check_regex("--kernels", text);
}

// What an option does; an exit status where that is all.
std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    const auto action = static_cast<Action>(option.action);
    const auto wrong = [&](const std::string& words) {
        return fail(fmt::format("nvprof: --{}: {}", option.name, words), 2);
    };
    const auto checked = [](const Result<void>& done) -> std::optional<int> {
        if (done) return {};
        return fail("nvprof: " + done.error().to_string(), 2);
    };
    if (action == Action::log_file || action == Action::export_file || action == Action::import_file)
        if (const std::string bad = file_name(value); !bad.empty()) return wrong(bad);
    switch (action) {
        case Action::metrics: add_to(request.metrics, value == "all" ? every_metric : value); break;
        case Action::events: add_to(request.events, value); break;
        case Action::analysis: add_to(request.metrics, every_metric); break;
        case Action::kernels: return checked(choose_kernels(value, request.profile.selection));
        case Action::csv: request.csv = true; break;
        case Action::unit: {
            const auto unit = report::find_time_unit(value);
            if (!unit) return wrong(fmt::format("{}: there are s, ms, us, ns, col and auto", value));
            request.times.unit = *unit;
            break;
        }
        case Action::log_file: request.log_file = value; break;
        case Action::export_file: {
            std::string file = value;
            if (const std::size_t at = file.find("%p"); at != std::string::npos)
                file.replace(at, 2, std::to_string(getpid()));
            request.profile.run_file = file;
            break;
        }
        case Action::import_file: request.import_file = value; break;
        case Action::force: request.force = true; break;
        case Action::devices:
            if (auto chosen = parse_devices(value); chosen)
                request.devices = std::move(*chosen);
            else
                return wrong(chosen.error().message);
            break;
        case Action::gpu_trace: request.gpu_trace = true; break;
        case Action::api_trace: request.api_trace = true; break;
        case Action::gpu_summary: request.gpu_summary = true; break;
        case Action::api_summary: request.api_summary = true; break;
        case Action::summary: request.gpu_summary = request.api_summary = true; break;
        case Action::from_start:
            return checked(choose_start("--profile-from-start", value, request.profile.selection));
        case Action::quiet: request.quiet = true; break;
        case Action::gpu:
            if (const std::string bad = gpu_name(value); !bad.empty()) return wrong(bad);
            request.profile.program.gpu = value;
            break;
        case Action::clock:
            if (value != "wall" && value != "simulated")
                return fail(fmt::format("nvprof: --clock {}: expected wall or simulated", value), 2);
            request.profile.program.clock = value;
            break;
        case Action::set: request.profile.program.settings.push_back(value); break;
        case Action::only_on:
        case Action::only_off:
            if (value != (action == Action::only_on ? "on" : "off"))
                return wrong(fmt::format("{} is not supported: {}", value, option.limit));
            break;
        case Action::ignored: break;
        case Action::help: return write_output("-", help());
        case Action::version:
            return write_output("-", fmt::format("nvprof: lockstep {}\n", compile::version()));
        case Action::query_metrics: request.query_metrics = true; break;
        case Action::query_events: request.query_events = true; break;
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
    request.times.csv = request.csv;
    if (request.query_metrics || request.query_events) return {};
    if (!request.import_file.empty()) {
        if (!rest.empty())
            return fail("nvprof: --import-profile shows a run that was kept; it takes no program", 2);
        return {};
    }
    if (rest.empty()) return fail("nvprof needs a program (see lockstep nvprof --help)", 2);
    request.profile.rest = {rest.front()};
    request.program.after_dashes.assign(rest.begin() + 1, rest.end());
    return {};
}

// As nvprof lists what a device has.
int query(const Request& request) {
    auto model = chosen_model(request.profile.program.gpu, request.profile.program.settings);
    if (!model) return fail("nvprof: " + model.error().to_string(), 2);
    const auto head = [&](const char* what) {
        return fmt::format("Available {}:\n{:>32}   {}\nDevice 0 ({}):\n", what, "Name", "Description",
                           model->name);
    };
    std::string text;
    if (request.query_events) {
        text += head("Events") + fmt::format("{:>27}\n", "Domain domain_a:");
        for (const metrics::Event& event : metrics::events_of(model->compute_capability()))
            text += fmt::format("{:>36}:  {}\n", event.name, event.meaning);
        text += '\n';
        if (model->compute_capability() > metrics::last_of_nvprof)
            text += "(nvprof itself has no events on this GPU: these are those of all earlier ones)\n\n";
    }
    if (request.query_metrics) {
        text += head("Metrics");
        for (const metrics::Metric& metric : metrics::metrics())
            for (const std::string& name : metric.names)
                text += fmt::format("{:>36}:  {}\n", name, metric.definition);
        text += '\n';
    }
    return write_output("-", text);
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

using Line = std::function<std::string(const std::string& words)>;

// Times: traces, then summaries.
Result<std::string> time_report(const Request& request, const report::RunFile& run, const Line& line) {
    std::string text = line("Profiling result:");
    report::NvprofTimes trace = request.times, summary = request.times;
    trace.gpu = request.gpu_trace;
    trace.api = request.api_trace;
    const bool all = !request.traces() && !request.summaries();
    summary.gpu = all || request.gpu_summary;
    summary.api = all || request.api_summary;
    if (request.traces()) {
        auto table = report::nvprof_trace(run, trace);
        if (!table) return table.error();
        text += *table;
    }
    if (all || request.summaries()) {
        if (request.traces()) text += '\n';
        auto table = report::nvprof_summary(run, summary);
        if (!table) return table.error();
        text += *table;
    }
    report::NvprofTimes shown = request.times;
    shown.gpu = trace.gpu || summary.gpu;
    shown.api = trace.api || summary.api || all;
    auto notes = report::nvprof_time_notes(run, shown, request.traces());
    if (!notes) return notes.error();
    text += line(fmt::format("times are {} for {}", report::times_are(run.info),
                             report::gpu_text(run.info, run.kernels)));
    for (const std::string& note : *notes) text += line(note);
    return text;
}

// Metrics and events.
Result<std::string> value_report(const Request& request, const report::RunFile& run,
                                 std::span<const report::Shown> events, std::span<const report::Shown> shown,
                                 const Line& line) {
    std::string text = line("Profiling result:");
    std::vector<report::Shown> all(events.begin(), events.end());
    all.insert(all.end(), shown.begin(), shown.end());
    if (run.kernels.empty()) {
        text += "No events/metrics were profiled.\n";
    } else if (request.gpu_trace) {
        auto table = report::nvprof_value_trace(run, all, request.csv);
        if (!table) return table.error();
        text += *table;
    } else {
        if (!events.empty())
            text += line("Event result:") + (request.csv ? report::nvprof_event_csv(run, events)
                                                         : report::nvprof_event_table(run, events));
        if (!events.empty() && !shown.empty()) text += '\n';
        if (!shown.empty())
            text += line("Metric result:") +
                    (request.csv ? report::nvprof_csv(run, shown) : report::nvprof_table(run, shown));
    }
    if (const std::string note = report::prediction_note(run, all); !note.empty()) text += line(note);
    return text;
}

Result<std::string> report_of(const Request& request, const report::RunFile& run,
                              const std::vector<metrics::Selected>& events,
                              const std::vector<metrics::Selected>& selected, const Line& line) {
    const auto shown_events = report::find_metrics(run, events), shown = report::find_metrics(run, selected);
    auto text = request.values() ? value_report(request, run, shown_events, shown, line)
                                 : time_report(request, run, line);
    if (!text) return text;
    std::vector<report::Shown> all = shown_events;
    all.insert(all.end(), shown.begin(), shown.end());
    if (run.kernels.empty()) all.clear();
    for (const std::string& note : report::notes(run, all, request.values() && request.gpu_trace))
        *text += line(note);
    return text;
}

}  // namespace nvprof_command

int nvprof_main(const std::vector<std::string>& arguments) {
    using namespace nvprof_command;
    Request request;
    if (const auto status = parse(arguments, request)) return *status;
    if (request.query_metrics || request.query_events) return query(request);
    if (const auto status =
            check_tool_outputs("nvprof", request.profile, request.program, request.log_file, request.force))
        return *status;
    ProfileRequest& profile = request.profile;
    std::optional<report::RunFile> imported;
    if (!request.import_file.empty()) {
        auto opened = report::RunFile::open(request.import_file);
        if (!opened) return fail("nvprof: " + opened.error().to_string());
        imported = std::move(*opened);
        profile.program.gpu = imported->info.devices.front().gpu;
    }
    std::vector<metrics::Selected> selected, events;
    if (!request.metrics.empty()) {
        auto found = metrics::select_metrics(request.metrics);
        if (!found) return fail("nvprof: " + found.error().to_string(), 2);
        selected = std::move(*found);
    }
    if (!request.events.empty()) {
        auto models = device_models(profile.program);
        if (!models) return fail("nvprof: " + models.error().to_string(), 2);
        auto found = metrics::select_events(request.events, models->front().compute_capability());
        if (!found) return fail("nvprof: " + found.error().to_string(), 2);
        events = std::move(*found);
    }

    Log log(request.log_file);
    std::string text, prefix = "========";
    const Line line = [&](const std::string& words) {
        return request.quiet ? std::string() : fmt::format("{} {}\n", prefix, words);
    };
    if (imported) {
        if (!profile.selection.kernels.empty())
            imported->keep_kernels(profile.selection.kernels, *base::kernel_names(profile.selection.names));
        if (auto kept = choose_devices(request, *imported); !kept)
            return fail("nvprof: " + kept.error().to_string(), 2);
        auto tables = report_of(request, *imported, events, selected, line);
        return tables ? log.write(*tables) : fail(tables.error().to_string());
    }
    profile.command = "nvprof";
    profile.needs_kernels = request.values();
    // As nvprof's: it chooses what metrics and events are of; times are of all.
    if (!request.values()) profile.selection = LaunchSelection{.from_start = profile.selection.from_start};
    profile.before = [&](pid_t process, const std::string& command) {
        prefix = fmt::format("=={}==", process);
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
    if (!profiled.run) return profiled.status;
    if (auto kept = choose_devices(request, *profiled.run); !kept)
        return fail("nvprof: " + kept.error().to_string(), 2);
    auto tables = report_of(request, *profiled.run, events, selected, line);
    if (!tables) return fail(tables.error().to_string());
    const int written = log.write(text + *tables);
    return profiled.status != 0 ? profiled.status : written;
}

void add_nvprof(CommandLine& line) {
    using namespace nvprof_command;
    line.add_command("nvprof", "Profile as nvprof does: takes its options, prints its table");
}

}  // namespace lockstep::cli
