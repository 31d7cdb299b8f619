// lockstep ncu: the command line of Nsight Compute, and its tables, over lockstep's profile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "base/pattern.h"
#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "compile/blocked-signals.h"
#include "compile/version.h"
#include "report/ncu-table.h"
#include "report/run-info.h"

namespace lockstep::cli {
namespace {

enum class Action {
    metrics,
    set,
    section,
    kernel_name,
    kernel_base,
    launch_skip,
    launch_count,
    csv,
    page,
    units,
    log_file,
    export_file,
    import_file,
    force,
    devices,
    list_sets,
    list_sections,
    query_metrics,
    help,
    version,
    gpu,
    gpu_figure,
    ignored,  // changes nothing here
};

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr const char* no_replay = "lockstep runs every kernel once, and counts everything in it";
constexpr const char* no_ranges = "kernels are chosen by name and number: -k, -s, -c";

constexpr std::array options = {
    ToolOption{"metrics", "", true, act(Action::metrics),
               "metrics by name, separated by commas; globs; regex:EXPRESSION"},
    ToolOption{"set", "", true, act(Action::set), "a set of sections: basic (default), detailed, full"},
    ToolOption{"section", "", true, act(Action::section), "a section (repeatable), or regex:EXPRESSION"},
    ToolOption{"kernel-name", "k", true, act(Action::kernel_name),
               "only kernels of this name, or regex:EXPRESSION"},
    ToolOption{"launch-skip", "s", true, act(Action::launch_skip), "not the first so many of them"},
    ToolOption{"launch-count", "c", true, act(Action::launch_count), "only so many of them"},
    ToolOption{"csv", "", false, act(Action::csv), "CSV"},
    ToolOption{"page", "", true, act(Action::page),
               "details (default), or raw: metrics under their own names"},
    ToolOption{"print-units", "", true, act(Action::units), "auto (default), or base: bytes and nanoseconds"},
    ToolOption{"log-file", "", true, act(Action::log_file),
               "write there what goes to the standard output else"},
    ToolOption{"export", "o", true, act(Action::export_file),
               "keep the run (lockstep's own format), print no tables"},
    ToolOption{"import", "i", true, act(Action::import_file), "show a run that was kept so"},
    ToolOption{"force-overwrite", "f", false, act(Action::force), "overwrite the files of -o and --log-file"},
    ToolOption{"devices", "", true, act(Action::devices), "0: there is one device"},
    ToolOption{"list-sets", "", false, act(Action::list_sets), "the sets and their sections"},
    ToolOption{"list-sections", "", false, act(Action::list_sections), "the sections"},
    ToolOption{"query-metrics", "", false, act(Action::query_metrics), "the metrics"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "v", false, act(Action::version), "the version of lockstep"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{"gpu-set", "", true, act(Action::gpu_figure),
               "lockstep's own: one figure of the GPU, for example sms=8"},
    ToolOption{"kernel-name-base", "", true, act(Action::kernel_base), ""},
    ToolOption{"print-kernel-base", "", true, act(Action::ignored), ""},
    ToolOption{"target-processes", "", true, act(Action::ignored), ""},
    ToolOption{"replay-mode", "", true, act(Action::ignored), ""},
    ToolOption{"cache-control", "", true, act(Action::ignored), ""},
    ToolOption{"clock-control", "", true, act(Action::ignored), ""},
    ToolOption{"profile-from-start", "", true, act(Action::ignored), ""},
    ToolOption{"apply-rules", "", true, act(Action::ignored), ""},
    ToolOption{"import-source", "", true, act(Action::ignored), ""},
    ToolOption{"details-all", "", false, act(Action::ignored), ""},
    ToolOption{"print-details", "", true, act(Action::ignored), ""},
    ToolOption{"print-fp", "", false, act(Action::ignored), ""},
    ToolOption{"check-exit-code", "", true, act(Action::ignored), ""},
    ToolOption{"disable-profiler-start-stop", "", false, act(Action::ignored), ""},
    ToolOption{"verbose", "", false, act(Action::ignored), ""},
    ToolOption{"nvtx", "", false, act(Action::ignored), ""},
    ToolOption{"nvtx-include", "", true, 0, "", no_ranges},
    ToolOption{"nvtx-exclude", "", true, 0, "", no_ranges},
    ToolOption{"range-filter", "", true, 0, "", no_ranges},
    ToolOption{"kernel-id", "", true, 0, "", no_ranges},
    ToolOption{"launch-skip-before-match", "", true, 0, "", no_ranges},
    ToolOption{"print-summary", "", true, 0, "",
               "take lockstep profile, which shows kernel by kernel, or lockstep nvprof"},
    ToolOption{"print-metric-name", "", true, 0, "", "take --page raw"},
    ToolOption{"source-folders", "", true, 0, "", "take lockstep profile --source"},
    ToolOption{"mode", "", true, 0, "",
               "a program is started and profiled: launch-and-attach, without --mode"},
    ToolOption{"hostname", "", true, 0, "", "a program is profiled where it is started"},
    ToolOption{"app-replay-mode", "", true, 0, "", no_replay},
    ToolOption{"app-replay-match", "", true, 0, "", no_replay},
    ToolOption{"app-replay-buffer", "", true, 0, "", no_replay},
};

struct Request {
    ProfileRequest profile;
    Context program;
    std::string metrics, log_file, import_file;
    std::vector<const report::NcuSection*> sections;
    bool csv = false, raw = false, base_units = false, force = false;
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

// As a regular expression over the kernel's whole signature: ncu looks at the function's name alone.
std::string kernel_expression(const std::string& text) {
    constexpr std::string_view prefix = "regex:";
    const std::string begin = "(^|[ :])", end = "(?=[<(]|$)";
    if (text.starts_with(prefix)) {
        std::string expression = text.substr(prefix.size());
        if (expression.starts_with('^')) expression = begin + expression.substr(1);
        if (expression.ends_with('$') && !expression.ends_with("\\$"))
            expression = expression.substr(0, expression.size() - 1) + end;
        return expression;
    }
    std::string escaped;
    for (const char c : text) {
        if (std::string_view(".[]{}()*+?^$|\\").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return begin + escaped + end;
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
        case Action::kernel_name: {
            selection.kernels = kernel_expression(value);
            if (auto checked = check_regex("--kernel-name", selection.kernels); !checked)
                return fail("ncu: " + checked.error().to_string(), 2);
            break;
        }
        case Action::kernel_base:
            if (value != "function" && value != "demangled")
                return wrong(fmt::format("{}: kernels are chosen by the name that the source has", value));
            break;
        case Action::launch_skip:
        case Action::launch_count: {
            if (const std::string bad = count_of_launches(value); !bad.empty()) return wrong(bad);
            std::uint64_t count = 0;
            std::from_chars(value.data(), value.data() + value.size(), count);
            if (static_cast<Action>(option.action) == Action::launch_skip)
                selection.launch_skip = count;
            else
                selection.launch_count = count;
            break;
        }
        case Action::csv: request.csv = true; break;
        case Action::page:
            if (value != "details" && value != "raw")
                return wrong(fmt::format(
                    "{}: there are details and raw (lockstep profile --source has sources)", value));
            request.raw = value == "raw";
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
            const std::string named =
                std::filesystem::path(value).has_extension() ? value : value + ".ncu-rep";
            if (static_cast<Action>(option.action) == Action::log_file) request.log_file = value;
            if (static_cast<Action>(option.action) == Action::export_file) request.profile.run_file = named;
            if (static_cast<Action>(option.action) == Action::import_file) request.import_file = named;
            break;
        }
        case Action::force: request.force = true; break;
        case Action::devices:
            if (value != "0") return wrong(value + ": there is one device, number 0");
            break;
        case Action::list_sets: return list_sets();
        case Action::list_sections: return list_sections();
        case Action::query_metrics: {
            auto all = metrics::select_metrics("all");
            return all ? write_output("-", list_metrics(*all)) : fail(all.error().to_string());
        }
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
    if (request.import_file.empty() == rest.empty())
        return fail(rest.empty() ? "ncu needs a program (see lockstep ncu --help)"
                                 : "ncu: --import shows a run that was kept; it takes no program",
                    2);
    if (rest.empty()) return {};
    request.profile.rest = {rest.front()};
    request.program.after_dashes.assign(rest.begin() + 1, rest.end());
    return {};
}

// Names and globs as everywhere, and ncu's "regex:".
Result<std::vector<metrics::Selected>> select(const std::string& list) {
    std::vector<metrics::Selected> selected;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string name = list.substr(begin, end - begin);
        begin = end + 1;
        if (name.empty()) continue;
        if (!name.starts_with("regex:")) {
            auto found = metrics::select_metrics(name);
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
    auto sections = request.sections;
    if (sections.empty() && request.metrics.empty()) sections = *report::find_ncu_set("basic");
    for (const report::NcuSection* section : sections) view.tables.push_back(report::ncu_table(*section));
    if (!request.metrics.empty()) {
        auto selected = select(request.metrics);
        if (!selected) return selected.error();
        view.tables.push_back(report::ncu_table(*selected));
    }
    if (request.raw) view.tables = {report::ncu_raw(view.tables)};
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

Result<std::string> tables(const Request& request, const report::RunFile& run, const report::NcuView& view) {
    if (!request.csv) return report::ncu_text(run, view);
    return request.raw ? report::ncu_raw_csv(run, view) : report::ncu_csv(run, view);
}

}  // namespace

int ncu_main(const std::vector<std::string>& arguments) {
    Request request;
    if (const auto status = parse(arguments, request)) return *status;
    if (const auto status =
            check_tool_outputs("ncu", request.profile, request.program, request.log_file, request.force))
        return *status;
    auto view = view_of(request);
    if (!view) return fail("ncu: " + view.error().to_string(), 2);

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
        if (!request.profile.selection.kernels.empty())
            opened->keep_kernels(request.profile.selection.kernels);
        run = std::move(*opened);
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
            say("==WARNING== No kernels were profiled.\n");
            if (!request.log_file.empty()) write_output(request.log_file, text);
            return profiled.status;
        }
        run = std::move(*profiled.run);
        if (!profile.run_file.empty()) say(fmt::format("==PROF== Report: {}\n", profile.run_file.string()));
    }
    if (request.profile.run_file.empty()) {
        auto shown = tables(request, *run, *view);
        if (!shown) return fail(shown.error().to_string());
        text += *shown + remarks(*run, *view);
    }
    const int written = write_output(request.log_file.empty() ? "-" : request.log_file, text);
    return profiled.status != 0 ? profiled.status : written;
}

void add_ncu(CommandLine& line) {
    line.add_command("ncu", "Profile as Nsight Compute does: takes ncu's options, prints its tables");
}

}  // namespace lockstep::cli
