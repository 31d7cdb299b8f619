// lockstep profile: a program's counters, as tables, files and expectations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <utility>

#include "cli/command.h"
#include "cli/list-metrics.h"
#include "cli/native-program.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/report-page.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/files.h"
#include "compile/output-file.h"
#include "compile/unit.h"
#include "measure/measured-metrics.h"
#include "metrics/metrics-doc.h"
#include "report/expectation.h"
#include "report/export.h"
#include "report/kernel-table.h"
#include "report/metric-text.h"
#include "report/ncu-table.h"
#include "report/overview.h"
#include "report/run-info.h"
#include "report/source-export.h"
#include "report/source-view.h"
#include "report/text-printer.h"
#include "report/time-table.h"

namespace lockstep::cli {
namespace profile_command {

struct Options {
    ProgramOptions program;
    std::vector<std::string> metrics, sections, expect, expect_files;
    std::string json, csv, log, run_file, from;
    LaunchSelection selection;
    std::vector<std::string> nvtx_include, nvtx_exclude;
    std::string kernel_name, kernel_base, kernel_id, from_start, page;  // as ncu has them
    bool list = false, markdown = false, launches = false, source = false, ptx_lines = false, details = false,
         open = false;
};

constexpr const char* synopsis =
    "lockstep profile [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep profile [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
    "lockstep profile [OPTIONS] --from RUN.lockstep\n\n";
constexpr const char* examples =
    "The report follows the program's own output. The exit status is the program's own if it failed; else 1 "
    "if a\n"
    "launch or an expectation failed, or no kernel was launched.\n"
    "Examples:\n"
    "  lockstep profile reduce.cu                                 a row a kernel: time, what bounds it, how "
    "well\n"
    "  lockstep profile --details reduce.cu                       time and the default metrics of each "
    "kernel\n"
    "  lockstep profile --metrics gld_efficiency,branch reduce.cu by name, group or glob\n"
    "  lockstep profile --launches --json out.json reduce.cu      a row a launch, for programs\n"
    "  lockstep profile --source --kernels neighbored reduce.cu   where in the source the waste is\n"
    "  lockstep profile -k scale -s 1 -c 1 --section Occupancy reduce.cu   as ncu chooses\n"
    "  lockstep profile -o before.lockstep reduce.cu              keep the run, for lockstep compare\n"
    "  lockstep profile --expect 'reduce: gld_efficiency >= 90' reduce.cu\n"
    "  lockstep profile --on gpu reduce.cu                        the same of this machine's GPU, by ncu\n"
    "  lockstep profile --list-metrics --metrics shared           what there is to measure";

struct Expected {
    report::Expectation expectation;
    std::string metric;  // its first name
};

// The metric of an expectation is one, by any of its names.
Result<Expected> resolve(report::Expectation expectation) {
    auto selected = metrics::select_metrics(expectation.metric);
    if (!selected) return Error{selected.error().message, expectation.place};
    if (selected->size() != 1)
        return Error{fmt::format("expectation '{}': {} means {} metrics, one is needed", expectation.text,
                                 expectation.metric, selected->size()),
                     expectation.place};
    const metrics::Metric& metric = *selected->front().metric;
    if (expectation.unit && *expectation.unit != metric.unit)
        return Error{fmt::format("expectation '{}': {} has another unit ({})", expectation.text,
                                 expectation.metric, metrics::unit_name(metric.unit)),
                     expectation.place};
    return Expected{std::move(expectation), metric.names[0]};
}

Result<std::vector<Expected>> read_expectations(const Options& options) {
    std::vector<report::Expectation> all;
    for (const std::string& text : options.expect) {
        auto parsed = report::parse_expectation(text);
        if (!parsed) return parsed.error();
        all.push_back(std::move(*parsed));
    }
    for (const std::string& file : options.expect_files) {
        if (auto good = compile::check_input(file); !good) return good.error();
        const auto text = compile::read_file(file);
        if (!text) return Error{"cannot read this expectations file", {file}};
        auto parsed = report::parse_expectations(*text, file);
        if (!parsed) return parsed.error();
        all.insert(all.end(), parsed->begin(), parsed->end());
    }
    std::vector<Expected> result;
    for (report::Expectation& one : all) {
        auto resolved = resolve(std::move(one));
        if (!resolved) return resolved.error();
        result.push_back(std::move(*resolved));
    }
    return result;
}

int check_expectations(const std::vector<Expected>& expected, const report::RunFile& run) {
    std::size_t failures = 0;
    for (const Expected& one : expected) {
        const auto messages = report::check(one.expectation, one.metric, run);
        for (const std::string& message : messages) fail(message);
        failures += !messages.empty();
    }
    if (failures == 0) return 0;
    return fail(fmt::format("{} of {} failed", failures,
                            report::plural(expected.size(), "expectation", "expectations")));
}

std::string title(const report::RunFile& run) {
    std::uint64_t launches = 0;
    for (const report::KernelResult& kernel : run.kernels) launches += kernel.launches;
    return fmt::format("{} on {}: {}, {}", run.info.command, report::gpu_text(run.info, run.kernels),
                       report::plural(run.kernels.size(), "kernel", "kernels"),
                       report::plural(launches, "launch", "launches"));
}

// As ncu names what to show: pages, sections and sets of them are metrics here.
Result<void> take_ncu_options(Options& options) {
    LaunchSelection& selection = options.selection;
    if (!options.kernel_base.empty())
        if (auto done = choose_name_base("--kernel-name-base", options.kernel_base, selection); !done)
            return done;
    if (!options.kernel_name.empty())
        if (auto done = choose_kernel("--kernel-name", options.kernel_name, selection); !done) return done;
    for (const std::string& text : options.nvtx_include)
        if (auto done = choose_ranges("--nvtx-include", text, selection.nvtx_include); !done) return done;
    for (const std::string& text : options.nvtx_exclude)
        if (auto done = choose_ranges("--nvtx-exclude", text, selection.nvtx_exclude); !done) return done;
    if (!options.kernel_id.empty())
        if (auto done = choose_by_id("--kernel-id", options.kernel_id, true, selection); !done) return done;
    if (!options.from_start.empty())
        if (auto done = choose_start("--profile-from-start", options.from_start, selection); !done)
            return done;
    if (!options.page.empty() && options.page != "details" && options.page != "raw" &&
        options.page != "source")
        return Error{fmt::format("--page {}: there are details, raw and source", options.page), {}};
    options.source |= options.page == "source";
    options.launches |= options.page == "raw";

    std::vector<const report::NcuSection*> sections;
    for (const std::string& name : options.sections) {
        auto found = report::find_ncu_sections(name);
        if (!found) return Error{fmt::format("--section: {}", found.error().message), {}};
        sections.insert(sections.end(), found->begin(), found->end());
    }
    // A figure of the GPU has a value, a set of sections has none.
    auto& settings = options.program.settings;
    for (auto at = settings.begin(); at != settings.end();) {
        const auto found = at->find('=') == std::string::npos
                               ? report::find_ncu_set(*at)
                               : Result<std::vector<const report::NcuSection*>>(Error{});
        if (!found) {
            ++at;
            continue;
        }
        sections.insert(sections.end(), found->begin(), found->end());
        at = settings.erase(at);
    }
    for (const report::NcuSection* section : sections)
        for (const report::NcuLine& line : report::ncu_table(*section).lines)
            if (line.known) options.metrics.push_back(line.metric);
    return {};
}

// "lockstep profile --csv prog.cu": as a flag, it is followed by the program.
void take_csv_as_flag(Options& options, std::vector<std::string>& rest) {
    if (options.csv.empty() || !options.from.empty() || !rest.empty()) return;
    if (!is_program(options.csv) && !compile::language_of(options.csv)) return;
    rest = {std::exchange(options.csv, "-")};
}

// Whose GPUs have their own metrics.
bool runs_on_amd(const report::RunFile& run) {
    return !run.info.devices.empty() && run.info.devices[0].compute_capability.starts_with("gfx");
}

void add_notes(report::Document& document, const Options& options, const report::RunFile& run,
               const std::vector<report::Shown>& shown) {
    for (std::string& note : report::notes(run, shown, options.launches))
        document.notes.push_back(std::move(note));
    if (std::string note = report::left_out_note(run); !note.empty())
        document.notes.push_back(std::move(note));
}

Result<report::Document> report_of(const Options& options, const report::RunFile& run,
                                   const std::vector<report::Shown>& shown) {
    report::Document document{title(run)};
    const bool chosen =
        options.source || options.launches || options.details || !options.metrics.empty() || runs_on_amd(run);
    if (!chosen) {
        auto section = report::overview(run, terminal_width());
        if (!section) return section.error();
        if (*section) {
            document.sections.push_back(std::move(**section));
            add_notes(document, options, run, {});
            return document;
        }
    }
    bool times = false;
    if (options.source) {
        for (const report::KernelResult& kernel : run.kernels) {
            auto view = report::source_view(run, kernel, {options.ptx_lines});
            if (!view) return view.error();
            document.sections.push_back(std::move(*view));
        }
    } else if (!options.launches && options.metrics.empty()) {
        if (auto table = report::time_table(run)) {
            document.sections.push_back({.parts = {std::move(*table)}});
            times = true;
        }
    }
    const bool metrics = !options.source || !options.metrics.empty() || options.launches;
    if (metrics) {
        auto table = options.launches ? report::launch_table(run, shown)
                                      : Result<report::Table>(report::kernel_table(run, shown));
        if (!table) return table.error();
        document.sections.push_back({.parts = {std::move(*table)}, .apart = times});
    }
    if (const std::string note = report::prediction_note(run, shown); options.launches && !note.empty())
        document.notes.push_back(note);
    add_notes(document, options, run, metrics ? shown : std::vector<report::Shown>());
    return document;
}

// All that was asked for; the exit status.
int print(const Options& options, const report::RunFile& run,
          const std::vector<metrics::Selected>& selected) {
    const std::vector<report::Shown> shown = report::find_metrics(run, selected);
    int status = 0;
    const auto write = [&](const std::string& file, const Result<std::string>& text) {
        status = std::max(status, text ? write_output(file, *text) : fail(text.error().to_string()));
    };
    if (!options.json.empty())
        write(options.json, options.launches ? report::launches_json(run, shown)
                                             : report::kernels_json(run, shown, options.source));
    if (!options.csv.empty())
        write(options.csv, options.launches ? report::launches_csv(run, shown)
                           : options.source ? report::lines_csv(run)
                                            : Result<std::string>(report::kernels_csv(run, shown)));
    if (options.json == "-" || options.csv == "-") {
        for (const std::string& note : report::notes(run, shown, options.launches)) fail(note);
        if (options.log.empty()) return status;
    }
    if (!run.kernels.empty()) {
        auto document = report_of(options, run, shown);
        if (!document) return std::max(status, fail(document.error().to_string()));
        write(options.log.empty() ? "-" : options.log,
              report::to_text(*document, {options.log.empty() && terminal_has_colours()}));
    }
    return status;
}

Result<void> check_outputs(const Options& options, const std::vector<std::string>& rest,
                           const Context& context) {
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json}, Output{"--csv", options.csv},
                                Output{"--log", options.log},
                                Output{"-o", options.run_file, Output::Kind::run_file}};
    std::vector<std::filesystem::path> inputs = input_files(options.program, rest, context);
    inputs.insert(inputs.end(), options.expect_files.begin(), options.expect_files.end());
    if (!options.from.empty()) inputs.emplace_back(options.from);
    return compile::check_outputs(outputs, inputs);
}

// The page of the run, in a browser.
int open_report(const report::RunFile& run) {
    const auto file = unnamed_page();
    if (!file) return fail(file.error().to_string());
    fmt::print(stderr, "lockstep: the report is {}\n", file->string());
    return write_page({&run, 1}, {file->string(), {}, true});
}

// What a real GPU is asked for beside the metrics that are chosen: all that it has, for a run that is kept,
// or what is shown where none are.
std::vector<metrics::Selected> shown_besides(const Options& options) {
    const std::vector<measure::RealGpu>& gpus = options.program.hardware;
    const measure::Vendor vendor = gpus.empty() ? measure::Vendor::nvidia : gpus.front().vendor();
    if (!options.run_file.empty()) return measure::metrics_of(vendor);
    if (vendor != measure::Vendor::amd) return *metrics::select_metrics(report::overview_metrics());
    return options.metrics.empty() ? *metrics::select_metrics("amd") : std::vector<metrics::Selected>();
}

int profile(Options options, std::vector<std::string> rest, const Context& context) {
    if (auto good = take_ncu_options(options); !good) return fail(good.error().to_string(), 2);
    take_csv_as_flag(options, rest);
    auto selected =
        metrics::select_metrics(options.metrics.empty() ? (options.list ? "all" : "default")
                                                        : fmt::format("{}", fmt::join(options.metrics, ",")));
    if (!selected) return fail(selected.error().to_string(), 2);
    if (options.list && options.markdown) return write_output("-", metrics::metrics_document());
    if (auto good = options.list ? check_outputs(options, rest, context) : Result<void>(); !good)
        return fail(good.error().to_string(), 2);
    if (options.list)
        return options.json.empty() ? write_output("-", list_metrics(*selected))
                                    : write_output(options.json, list_metrics_json(*selected));
    auto expected = read_expectations(options);
    if (!expected) return fail(expected.error().to_string(), 2);
    if (auto checked = check_regex("--kernels", options.selection.kernels); !checked)
        return fail(checked.error().to_string(), 2);

    if (auto good = check_outputs(options, rest, context); !good) return fail(good.error().to_string(), 2);
    if (auto found = find_hardware(options.program, rest); !found) return fail(found.error().to_string());

    int status = 0;
    const compile::BlockedSignals signals;
    ProfiledRun profiled;
    if (!options.from.empty()) {
        profiled = open_earlier(options.from, "shows", rest, options.run_file, options.selection);
        status = profiled.status;
    } else {
        ProfileRequest request;
        request.command = "profile";
        request.program = options.program;
        request.program.what_if |= options.open;  // for its findings
        request.rest = rest;
        request.run_file = options.run_file;
        request.selection = options.selection;
        // A run that is kept has all that this GPU can be asked for.
        request.metrics = *selected;
        const auto more = shown_besides(options);
        request.metrics.insert(request.metrics.end(), more.begin(), more.end());
        profiled = run_profiled(request, context);
        status = profiled.status;
    }
    if (!profiled.run) return status;
    if (options.metrics.empty() && runs_on_amd(*profiled.run)) selected = metrics::select_metrics("amd");
    const int printed = print(options, *profiled.run, *selected);
    const int held = check_expectations(*expected, *profiled.run);
    const int shown = options.open ? open_report(*profiled.run) : 0;
    return status != 0 ? status : std::max({printed, held, shown});
}

}  // namespace profile_command

void add_profile(CommandLine& line, Context& context) {
    using namespace profile_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "profile", "Run a program and show a GPU's counters and predicted times for its kernels");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    command
        .add_option(
            "--metrics", options->metrics,
            "Which: names of nvprof, ncu or omniperf, globs, and the groups default, time, stall, branch, "
            "instructions, memory, shared, occupancy, amd, all")
        .separated_by(',')
        .one_value();
    command.add_flag("--list-metrics", options->list,
                     "Show every metric (or those of --metrics) with its meaning");
    command.add_flag("--markdown", options->markdown, "With --list-metrics: all of them, as docs/metrics.md");
    command.add_flag("--details", options->details,
                     "All default metrics of each kernel, instead of the overview: least, greatest, average");
    command.add_flag("--launches", options->launches, "A row a launch, in all formats");
    const Option kernels = command.add_option("--kernels", options->selection.kernels,
                                              "Profile kernels whose name has a match of this REGEX");
    command
        .add_option("--kernel-name", options->kernel_name,
                    "Profile kernels of this NAME, or regex:EXPRESSION, as ncu has it (-k)")
        .excludes(kernels);
    command.add_option("--kernel-name-base", options->kernel_base,
                       "Which name -k means: function (default), demangled or mangled");
    command
        .add_option("--nvtx-include", options->nvtx_include,
                    "Profile only launches in this NVTX range: NAME/ if it is pushed, NAME if it is started "
                    "(repeatable)")
        .one_value();
    command.add_option("--nvtx-exclude", options->nvtx_exclude, "Profile no launches in this NVTX range")
        .one_value();
    command
        .add_option("--kernel-id", options->kernel_id,
                    "Profile CONTEXT:STREAM:NAME:INVOCATION, each of which may be empty, as ncu has it")
        .excludes(kernels);
    command
        .add_option("--launch-skip", options->selection.launch_skip,
                    "Do not profile the first N launches of these (-s)")
        .check(count_of_launches);
    command
        .add_option("--launch-count", options->selection.launch_count,
                    "Profile at most N launches of these (-c)")
        .check(count_of_launches);
    command
        .add_option("--launch-skip-before-match", options->selection.skip_before_match,
                    "Do not profile the first N launches of any kernel")
        .check(count_of_launches);
    command.add_option("--profile-from-start", options->from_start,
                       "off: only between cudaProfilerStart and cudaProfilerStop");
    command
        .add_option(
            "--section", options->sections,
            "The metrics of this section of ncu's, or regex:EXPRESSION (lockstep ncu --list-sections); so "
            "does --set basic, detailed or full")
        .one_value();
    command.add_option("--page", options->page, "As ncu: details (default), raw (a row a launch), source");
    command.add_flag("--source", options->source,
                     "The source with each line's counts and what warps wait for there");
    command.add_flag("--ptx-lines", options->ptx_lines,
                     "With --source: the PTX instructions of each line too");
    command.add_option("--json", options->json, "Write the results as JSON to FILE (- is stdout)")
        .output_file();
    command
        .add_option(
            "--csv", options->csv,
            "Write the results as CSV to FILE (- is stdout; so is it without one, before the program)")
        .output_file();
    command.add_option("--log,--log-file", options->log, "Write the report to FILE instead of stdout")
        .output_file();
    command
        .add_option("-o,--run,--export", options->run_file,
                    "Keep the run file, for compare, --from and your own SQL")
        .check(file_name);
    command.add_option("--from,--import", options->from,
                       "Show an earlier run from its file, and run nothing");
    command.add_flag("--open", options->open,
                     "Also make the page that lockstep report makes, and open it in a browser");
    command
        .add_option("--expect", options->expect,
                    "'KERNEL: METRIC OP VALUE': exit status 1 unless it holds for every launch")
        .one_value();
    command.add_option("--expect-file", options->expect_files, "Expectations from FILE, one a line")
        .one_value();
    add_program_options(command, options->program);
    add_clock_option(command, options->program);
    add_on_option(command, options->program);
    add_detailed_option(command, options->program);
    add_sample_option(command, options->program);
    command.callback(
        [command, options, &context] { context.status = profile(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
