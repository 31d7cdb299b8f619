// lockstep ncu: the command line of Nsight Compute, and its tables, over lockstep's profile.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>

#include "base/demangle.h"
#include "base/pattern.h"
#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/version.h"
#include "metrics/metrics-doc.h"
#include "report/ncu-summary.h"
#include "report/ncu-table.h"
#include "report/run-info.h"
#include "report/source-export.h"
#include "report/source-view.h"
#include "report/text-printer.h"

namespace lockstep::cli {
namespace ncu_command {

enum class Action {
    metrics,
    set,
    section,
    kernel_name,
    kernel_base,
    kernel_id,
    nvtx,
    nvtx_include,
    nvtx_exclude,
    launch_skip,
    launch_count,
    skip_before_match,
    from_start,
    no_start_stop,
    csv,
    page,
    summary,
    print_base,
    metric_names,
    units,
    log_file,
    export_file,
    import_file,
    force,
    devices,
    list_sets,
    list_sections,
    list_metrics,
    query_metrics,
    help,
    version,
    gpu,
    gpu_figure,
    one_value,  // that changes nothing here; the others are not there
    ignored,    // changes nothing here
};

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr const char* no_replay = "lockstep runs every kernel once, and counts everything in it";
constexpr const char* no_ranges = "kernels are chosen by name and number: -k, -s, -c, --kernel-id";
constexpr const char* no_rules = "there are no rules";

constexpr std::array options = {
    ToolOption{"metrics", "", true, act(Action::metrics),
               "metrics by name, separated by commas; globs; regex:EXPRESSION; group:NAME"},
    ToolOption{"set", "", true, act(Action::set), "a set of sections: basic (default), detailed, full"},
    ToolOption{"section", "", true, act(Action::section), "a section (repeatable), or regex:EXPRESSION"},
    ToolOption{"kernel-name", "k", true, act(Action::kernel_name),
               "only kernels of this name, or regex:EXPRESSION"},
    ToolOption{"kernel-name-base", "", true, act(Action::kernel_base),
               "which name -k means: function (default), demangled or mangled"},
    ToolOption{"kernel-id", "", true, act(Action::kernel_id),
               "only CONTEXT:STREAM:KERNEL:INVOCATION, each of which may be empty"},
    ToolOption{"launch-skip", "s", true, act(Action::launch_skip), "not the first so many of them"},
    ToolOption{"launch-count", "c", true, act(Action::launch_count), "only so many of them"},
    ToolOption{"launch-skip-before-match", "", true, act(Action::skip_before_match),
               "not the first so many launches of any kernel"},
    ToolOption{"profile-from-start", "", true, act(Action::from_start),
               "off: only between cudaProfilerStart and cudaProfilerStop"},
    ToolOption{"disable-profiler-start-stop", "", false, act(Action::no_start_stop),
               "as if the program called neither"},
    ToolOption{"csv", "", false, act(Action::csv), "CSV"},
    ToolOption{"page", "", true, act(Action::page),
               "details (default); raw: metrics under their own names; source: the source's lines"},
    ToolOption{"print-summary", "", true, act(Action::summary),
               "per-kernel: launches of one kernel and shape together; none (default)"},
    ToolOption{"print-kernel-base", "", true, act(Action::print_base),
               "how kernels are written: demangled (default) or function"},
    ToolOption{"print-metric-name", "", true, act(Action::metric_names), "label (default) or name"},
    ToolOption{"print-units", "", true, act(Action::units), "auto (default), or base: bytes and nanoseconds"},
    ToolOption{"log-file", "", true, act(Action::log_file),
               "write there what goes to the standard output else (stdout and stderr are these)"},
    ToolOption{"export", "o", true, act(Action::export_file),
               "keep the run (lockstep's own format), print no tables"},
    ToolOption{"import", "i", true, act(Action::import_file), "show a run that was kept so"},
    ToolOption{"force-overwrite", "f", false, act(Action::force), "overwrite the files of -o and --log-file"},
    ToolOption{"devices", "", true, act(Action::devices), "only what these devices do: their numbers"},
    ToolOption{"list-sets", "", false, act(Action::list_sets), "the sets and their sections"},
    ToolOption{"list-sections", "", false, act(Action::list_sections), "the sections"},
    ToolOption{"list-metrics", "", false, act(Action::list_metrics), "the metrics of the chosen sections"},
    ToolOption{"query-metrics", "", false, act(Action::query_metrics), "the metrics"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "v", false, act(Action::version), "the version of lockstep"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{"gpu-set", "", true, act(Action::gpu_figure),
               "lockstep's own: one figure of the GPU, for example sms=8"},
    ToolOption{"replay-mode", "", true, act(Action::one_value), "", "", "kernel"},
    ToolOption{"graph-profiling", "", true, act(Action::one_value), "", "", "node"},
    ToolOption{"mode", "", true, act(Action::one_value), "", "", "launch-and-attach"},
    ToolOption{"kill", "", true, act(Action::one_value), "", "", "no"},
    ToolOption{"target-processes", "", true, act(Action::ignored), ""},
    ToolOption{"cache-control", "", true, act(Action::ignored), ""},
    ToolOption{"clock-control", "", true, act(Action::ignored), ""},
    ToolOption{"apply-rules", "", true, act(Action::ignored), ""},
    ToolOption{"import-source", "", true, act(Action::ignored), ""},
    ToolOption{"config-file", "", true, act(Action::ignored), ""},
    ToolOption{"details-all", "", false, act(Action::ignored), ""},
    ToolOption{"print-details", "", true, act(Action::ignored), ""},
    ToolOption{"print-fp", "", false, act(Action::ignored), ""},
    ToolOption{"check-exit-code", "", true, act(Action::ignored), ""},
    ToolOption{"max-connections", "", true, act(Action::ignored), ""},
    ToolOption{"port", "p", true, act(Action::ignored), ""},
    ToolOption{"warp-sampling-interval", "", true, act(Action::ignored), ""},
    ToolOption{"warp-sampling-max-passes", "", true, act(Action::ignored), ""},
    ToolOption{"warp-sampling-buffer-size", "", true, act(Action::ignored), ""},
    ToolOption{"sampling-interval", "", true, act(Action::ignored), ""},
    ToolOption{"sampling-max-passes", "", true, act(Action::ignored), ""},
    ToolOption{"sampling-buffer-size", "", true, act(Action::ignored), ""},
    ToolOption{"verbose", "", false, act(Action::ignored), ""},
    ToolOption{"quiet", "", false, act(Action::ignored), ""},
    ToolOption{"nvtx", "", false, act(Action::nvtx), ""},
    ToolOption{"nvtx-include", "", true, act(Action::nvtx_include),
               "only launches in this NVTX range: NAME/ if it is pushed, NAME if it is started (repeatable; "
               "with --nvtx)"},
    ToolOption{"nvtx-exclude", "", true, act(Action::nvtx_exclude), "no launches in this NVTX range"},
    ToolOption{"range-filter", "", true, 0, "", no_ranges},
    ToolOption{"print-nvtx-rename", "", true, 0, "", "kernels have their own names"},
    ToolOption{"print-source", "", true, 0, "", "--page source shows the source and its counts"},
    ToolOption{"print-metric-instances", "", true, 0, "", "values are of the whole GPU"},
    ToolOption{"source-folders", "", true, 0, "", "the source is kept with the run"},
    ToolOption{"section-folder", "", true, 0, "", "--list-sections has the sections"},
    ToolOption{"section-folder-recursive", "", true, 0, "", "--list-sections has the sections"},
    ToolOption{"rule", "", true, 0, "", no_rules},
    ToolOption{"list-rules", "", false, 0, "", no_rules},
    ToolOption{"chips", "", true, 0, "", "take --gpu (see lockstep gpus)"},
    ToolOption{"list-chips", "", false, 0, "", "take lockstep gpus"},
    ToolOption{"query-metrics-mode", "", true, 0, "", "--query-metrics has all names"},
    ToolOption{"query-metrics-collection", "", true, 0, "", "--query-metrics has all names"},
    ToolOption{"target-processes-filter", "", true, 0, "", "a program is profiled with all that it starts"},
    ToolOption{"open-in-ui", "", false, 0, "", "there is no window"},
    ToolOption{"hostname", "", true, 0, "", "a program is profiled where it is started"},
    ToolOption{"app-replay-mode", "", true, 0, "", no_replay},
    ToolOption{"app-replay-match", "", true, 0, "", no_replay},
    ToolOption{"app-replay-buffer", "", true, 0, "", no_replay},
};

enum class Page { details, raw, source };

struct Request {
    ProfileRequest profile;
    Context program;
    std::string metrics, log_file, import_file;
    std::vector<const report::NcuSection*> sections;
    Page page = Page::details;
    bool csv = false, base_units = false, force = false;
    bool query_metrics = false, summary = false, function_names = false, metric_names = false,
         list_metrics = false;
    std::set<int> devices;  // empty: all
    bool nvtx = false;
};

std::string help() {
    return "lockstep ncu [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
           "lockstep ncu [OPTIONS] PROG.cu [ARGUMENTS]\n\n"
           "Takes the options of Nsight Compute's command line and prints its tables, for the simulated "
           "GPU.\n\n" +
           ToolOptions("ncu", options).help() +
           "\nExample:\n  lockstep ncu -k reduce -c 1 --set full ./reduceInteger\n";
}

int list_sets() {
    for (const report::NcuSet& set : report::ncu_sets())
        fmt::print("{:<10} {}\n", set.name, fmt::join(set.sections, ", "));
    return 0;
}

int list_sections() {
    for (const report::NcuSection& section : report::ncu_sections())
        fmt::print("{:<26} {}\n", section.id, section.title);
    return 0;
}

// As ncu lists what a chip has.
int query_metrics(const Request& request) {
    auto model = chosen_model(request.profile.program.gpu, request.profile.program.settings);
    if (!model) return fail("ncu: " + model.error().to_string(), 2);
    std::vector<std::vector<std::string>> rows;
    for (const metrics::Metric& metric : metrics::metrics())
        for (const std::string& name : metric.names)
            rows.push_back({name, std::string(metrics::unit_name(metric.unit)), metric.title});
    return write_output(
        "-", fmt::format("Device {}\n{}", model->name,
                         report::ncu_grid({{"Metric Name"}, {"Metric Unit"}, {"Metric Description"}}, rows)));
}

void add_sections(Request& request, const std::vector<const report::NcuSection*>& more) {
    for (const report::NcuSection* section : more)
        if (std::find(request.sections.begin(), request.sections.end(), section) == request.sections.end())
            request.sections.push_back(section);
}

// What an option does; an exit status where that is all.
std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    const auto wrong = [&](const std::string& words) {
        return fail(fmt::format("ncu: --{}: {}", option.name, words), 2);
    };
    const auto checked = [](const Result<void>& done) -> std::optional<int> {
        if (done) return {};
        return fail("ncu: " + done.error().to_string(), 2);
    };
    LaunchSelection& selection = request.profile.selection;
    switch (static_cast<Action>(option.action)) {
        case Action::metrics: request.metrics += (request.metrics.empty() ? "" : ",") + value; break;
        case Action::set:
        case Action::section: {
            auto found = static_cast<Action>(option.action) == Action::set ? report::find_ncu_set(value)
                                                                           : report::find_ncu_sections(value);
            if (!found) return wrong(found.error().message);
            add_sections(request, *found);
            break;
        }
        case Action::kernel_name: return checked(choose_kernel("--kernel-name", value, selection));
        case Action::kernel_base: return checked(choose_name_base("--kernel-name-base", value, selection));
        case Action::nvtx: request.nvtx = true; break;
        case Action::nvtx_include:
            return checked(choose_ranges("--nvtx-include", value, selection.nvtx_include));
        case Action::nvtx_exclude:
            return checked(choose_ranges("--nvtx-exclude", value, selection.nvtx_exclude));
        case Action::kernel_id: return checked(choose_by_id("--kernel-id", value, true, selection));
        case Action::from_start: return checked(choose_start("--profile-from-start", value, selection));
        case Action::no_start_stop: selection.heeds_calls = false; break;
        case Action::launch_skip:
        case Action::launch_count:
        case Action::skip_before_match: {
            if (const std::string bad = count_of_launches(value); !bad.empty()) return wrong(bad);
            std::uint64_t count = 0;
            std::from_chars(value.data(), value.data() + value.size(), count);
            const auto action = static_cast<Action>(option.action);
            if (action == Action::launch_count)
                selection.launch_count = count;
            else
                (action == Action::launch_skip ? selection.launch_skip : selection.skip_before_match) = count;
            break;
        }
        case Action::csv: request.csv = true; break;
        case Action::page:
            if (value != "details" && value != "raw" && value != "source")
                return wrong(value + ": there are details, raw and source");
            request.page = value == "raw" ? Page::raw : value == "source" ? Page::source : Page::details;
            break;
        case Action::summary:
            if (value != "none" && value != "per-kernel")
                return wrong(value + ": there are none and per-kernel");
            request.summary = value == "per-kernel";
            break;
        case Action::print_base:
            if (value != "demangled" && value != "function")
                return wrong(value + ": there are demangled and function");
            request.function_names = value == "function";
            break;
        case Action::metric_names:
            if (value != "label" && value != "name") return wrong(value + ": there are label and name");
            request.metric_names = value == "name";
            break;
        case Action::units:
            if (value != "auto" && value != "base") return wrong(value + ": there are auto and base");
            request.base_units = value == "base";
            break;
        case Action::log_file:
        case Action::export_file:
        case Action::import_file: {
            if (const std::string bad = file_name(value); !bad.empty()) return wrong(bad);
            // ncu gives the file its own ending, and takes it without it.
            std::string named = std::filesystem::path(value).has_extension() ? value : value + ".ncu-rep";
            if (const std::size_t at = named.find("%p"); at != std::string::npos)
                named.replace(at, 2, std::to_string(getpid()));
            if (static_cast<Action>(option.action) == Action::log_file) request.log_file = value;
            if (static_cast<Action>(option.action) == Action::export_file) request.profile.run_file = named;
            if (static_cast<Action>(option.action) == Action::import_file) request.import_file = named;
            break;
        }
        case Action::force: request.force = true; break;
        case Action::devices:
            if (auto chosen = parse_devices(value); chosen)
                request.devices = std::move(*chosen);
            else
                return wrong(chosen.error().message);
            break;
        case Action::list_sets: return list_sets();
        case Action::list_sections: return list_sections();
        case Action::list_metrics: request.list_metrics = true; break;
        case Action::query_metrics: request.query_metrics = true; break;
        case Action::help: return write_output("-", help());
        case Action::version:
            return write_output("-",
                                fmt::format("lockstep {} in the place of Nsight Compute's command line\n",
                                            compile::version()));
        case Action::gpu:
            if (const std::string bad = gpu_name(value); !bad.empty()) return wrong(bad);
            request.profile.program.gpu = value;
            break;
        case Action::gpu_figure: request.profile.program.settings.push_back(value); break;
        case Action::one_value:
            if (value != option.limit)
                return wrong(fmt::format("{} is not supported: there is {}", value, option.limit));
            break;
        case Action::ignored: break;
    }
    return {};
}

std::optional<int> parse(const std::vector<std::string>& arguments, Request& request) {
    std::vector<std::string> rest;
    const auto status = ToolOptions("ncu", options)
                            .parse_up_to_program(
                                arguments,
                                [&](const ToolOption& option, const std::string& value) {
                                    return apply(option, value, request);
                                },
                                rest);
    if (status) return status;
    if (request.query_metrics || request.list_metrics) return {};
    const LaunchSelection& chosen = request.profile.selection;
    if (!request.nvtx && (!chosen.nvtx_include.empty() || !chosen.nvtx_exclude.empty()))
        return fail("ncu: --nvtx-include and --nvtx-exclude need --nvtx", 2);
    if (request.import_file.empty() == rest.empty())
        return fail(rest.empty() ? "ncu needs a program (see lockstep ncu --help)"
                                 : "ncu: --import shows a run that was kept; it takes no program",
                    2);
    if (rest.empty()) return {};
    request.profile.rest = {rest.front()};
    request.program.after_dashes.assign(rest.begin() + 1, rest.end());
    return {};
}

// The groups are lockstep's own.
Result<std::vector<metrics::Selected>> select_group(const std::string& group) {
    std::vector<metrics::Selected> selected;
    for (const metrics::Metric& metric : metrics::metrics())
        if (std::find(metric.groups.begin(), metric.groups.end(), group) != metric.groups.end())
            selected.push_back({&metric, metric.names.front()});
    if (selected.empty())
        return Error{fmt::format("there is no group {} of metrics (lockstep profile --help has them)", group),
                     {}};
    return selected;
}

// Names and globs as everywhere, and ncu's "regex:" and "group:".
Result<std::vector<metrics::Selected>> select(const std::string& list) {
    std::vector<metrics::Selected> selected;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string name = list.substr(begin, end - begin);
        begin = end + 1;
        if (name.empty()) continue;
        constexpr std::string_view group = "group:";
        if (!name.starts_with("regex:")) {
            auto found = name.starts_with(group) ? select_group(name.substr(group.size()))
                                                 : metrics::select_metrics(name);
            if (!found) return found.error();
            selected.insert(selected.end(), found->begin(), found->end());
            continue;
        }
        const auto pattern = base::Pattern::create(name.substr(6));
        if (!pattern) return Error{fmt::format("{}: {}", name, pattern.error().message), {}};
        const std::size_t before = selected.size();
        for (const metrics::Metric& metric : metrics::metrics())
            if (pattern->found_in(metric.names.front())) selected.push_back({&metric, metric.names.front()});
        if (selected.size() == before) return Error{name + " matches no metric (see --query-metrics)", {}};
    }
    return selected;
}

Result<report::NcuView> view_of(const Request& request) {
    report::NcuView view;
    view.base_units = request.base_units;
    view.function_names = request.function_names;
    auto sections = request.sections;
    if (sections.empty() && request.metrics.empty()) sections = *report::find_ncu_set("basic");
    for (const report::NcuSection* section : sections) view.tables.push_back(report::ncu_table(*section));
    if (!request.metrics.empty()) {
        auto selected = select(request.metrics);
        if (!selected) return selected.error();
        view.tables.push_back(report::ncu_table(*selected));
    }
    if (request.page == Page::raw) view.tables = {report::ncu_raw(view.tables)};
    if (request.metric_names)
        for (report::NcuTable& table : view.tables)
            for (report::NcuLine& one : table.lines) one.label = one.metric;
    return view;
}

// What the tables have no value of, and what they only predict.
std::string remarks(const report::RunFile& run, const report::NcuView& view) {
    std::vector<std::string> lacking;
    bool predicted = false;
    for (const report::NcuTable& table : view.tables)
        for (const report::NcuLine& line : table.lines) {
            if (!line.known) lacking.push_back(line.metric);
            predicted |= line.known && line.known->kind == metrics::Kind::predicted;
        }
    std::string text;
    if (predicted)
        text += fmt::format(
            "==LOCKSTEP== times, throughputs, hit rates and what depends on them are predicted for {}\n",
            report::gpu_text(run.info, run.kernels));
    if (!lacking.empty())
        text += fmt::format("==LOCKSTEP== n/a, lockstep does not have: {}\n", fmt::join(lacking, ", "));
    return text;
}

Result<std::string> sources(const Request& request, const report::RunFile& run) {
    if (request.csv) return report::lines_csv(run);
    std::string text;
    for (const report::KernelResult& kernel : run.kernels) {
        auto view = report::source_view(run, kernel, {});
        if (!view) return view.error();
        text += report::to_text(*view) + '\n';
    }
    return text;
}

Result<std::string> tables(const Request& request, const report::RunFile& run, const report::NcuView& view) {
    if (request.page == Page::source) return sources(request, run);
    if (request.summary)
        return request.csv ? report::ncu_summary_csv(run, view) : report::ncu_summary(run, view);
    if (!request.csv) return report::ncu_text(run, view);
    return request.page == Page::raw ? report::ncu_raw_csv(run, view) : report::ncu_csv(run, view);
}

// What ncu says where -k and the like have left nothing.
std::string nothing_profiled(const report::RunFile* run) {
    std::string text = "==WARNING== No kernels were profiled.\n";
    if (!run || run->left_out.empty()) return text;
    text += "Available Kernels:\n";
    std::set<std::string> names;
    for (const report::LeftOut& one : run->left_out) names.insert(base::function_name(one.kernel));
    std::size_t number = 0;
    for (const std::string& name : names) text += fmt::format("{}. {}\n", ++number, name);
    return text;
}

// Keeps what the options let through of a run that was kept.
Result<void> choose_imported(const LaunchSelection& selection, report::RunFile& run, report::NcuView& view) {
    if (selection.names == "mangled" || !selection.streams.empty() || !selection.invocations.empty() ||
        selection.skip_before_match != 0)
        return Error{"of a run that was kept, -k, -s and -c choose, by a kernel's function or demangled name",
                     {}};
    if (!selection.kernels.empty()) run.keep_kernels(selection.kernels, *base::kernel_names(selection.names));
    view.skip = selection.launch_skip;
    view.count = selection.launch_count;
    return {};
}

int write_log(const std::string& file, const std::string& text) {
    if (file == "stderr") {
        fmt::print(stderr, "{}", text);
        return 0;
    }
    return write_output(file.empty() || file == "stdout" ? "-" : file, text);
}

}  // namespace ncu_command

int ncu_main(const std::vector<std::string>& arguments) {
    using namespace ncu_command;
    Request request;
    if (const auto status = parse(arguments, request)) return *status;
    if (request.query_metrics) return query_metrics(request);
    const bool to_file =
        !request.log_file.empty() && request.log_file != "stdout" && request.log_file != "stderr";
    if (const auto status = check_tool_outputs("ncu", request.profile, request.program,
                                               to_file ? request.log_file : "", request.force))
        return *status;
    auto view = view_of(request);
    if (!view) return fail("ncu: " + view.error().to_string(), 2);
    if (request.list_metrics) {
        const report::NcuTable all = report::ncu_raw(view->tables);
        for (const report::NcuLine& one : all.lines) fmt::print("{}\n", one.metric);
        return 0;
    }

    std::string text;
    std::optional<report::RunFile> run;
    ProfiledRun profiled;
    const compile::BlockedSignals signals;
    // As ncu's, its own lines stand on the standard output, among the program's.
    const auto say = [&](const std::string& words) {
        if (request.log_file.empty())
            write_output("-", words);
        else
            text += words;
    };
    if (!request.import_file.empty()) {
        auto opened = report::RunFile::open(request.import_file);
        if (!opened) return fail("ncu: " + opened.error().to_string());
        view->program = std::filesystem::path(opened->info.command.substr(0, opened->info.command.find(' ')))
                            .filename()
                            .string();
        if (auto chosen = choose_imported(request.profile.selection, *opened, *view); !chosen)
            return fail("ncu: " + chosen.error().to_string(), 2);
        run = std::move(*opened);
        if (run->kernels.empty()) return write_log(request.log_file, nothing_profiled(&*run));
    } else {
        ProfileRequest& profile = request.profile;
        view->program = std::filesystem::path(profile.rest.front()).filename().string();
        profile.command = "ncu";
        pid_t process = 0;
        profile.before = [&](pid_t started, const std::string& command) {
            process = started;
            say(fmt::format("==PROF== Connected to process {} ({})\n", process, command));
        };
        profile.after = [&](const std::string&) {
            say(fmt::format("==PROF== Disconnected from process {}\n", process));
        };
        profiled = run_profiled(profile, request.program);
        if (!profiled.run || profiled.run->kernels.empty()) {
            say(nothing_profiled(profiled.run ? &*profiled.run : nullptr));
            if (!request.log_file.empty()) write_log(request.log_file, text);
            return profiled.status;
        }
        run = std::move(*profiled.run);
        if (!profile.run_file.empty()) say(fmt::format("==PROF== Report: {}\n", profile.run_file.string()));
    }
    if (auto kept = keep_devices(request.devices, *run); !kept)
        return fail("ncu: " + kept.error().to_string(), 2);
    if (request.profile.run_file.empty()) {
        auto shown = tables(request, *run, *view);
        if (!shown) return fail(shown.error().to_string());
        text += *shown;
        if (request.page != Page::source) text += remarks(*run, *view);
    }
    const int written = write_log(request.log_file, text);
    return profiled.status != 0 ? profiled.status : written;
}

void add_ncu(CommandLine& line) {
    using namespace ncu_command;
    line.add_command("ncu", "Profile as Nsight Compute does: takes ncu's options, prints its tables");
}

}  // namespace lockstep::cli
