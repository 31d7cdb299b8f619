// lockstep timeline: a program's streams, copies and kernels in simulated time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/command.h"
#include "cli/measured-program.h"
#include "cli/native-program.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/start-program.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/files.h"
#include "compile/output-file.h"
#include "report/metric-text.h"
#include "report/text-printer.h"
#include "report/timeline-drawing.h"
#include "report/timeline-export.h"
#include "report/timeline-file.h"

namespace lockstep::cli {
namespace timeline_command {

namespace fs = std::filesystem;

struct Options {
    ProgramOptions program;
    std::string trace, json, log;
    std::optional<std::size_t> width;
};

constexpr const char* synopsis =
    "lockstep timeline [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep timeline [OPTIONS] EXECUTABLE [ARGUMENTS]\n\n";
constexpr const char* examples =
    "The drawing follows the program's own output. All times are predicted, and the program's events tell "
    "them too.\n"
    "CUDA_DEVICE_MAX_CONNECTIONS is respected.\n"
    "Examples:\n"
    "  lockstep timeline streams.cu                        a row a stream\n"
    "  lockstep timeline --on gpu streams.cu               the same of this machine's GPU\n"
    "  lockstep timeline --gpu fermi streams.cu            one hardware queue\n"
    "  lockstep timeline --trace streams.json streams.cu   for ui.perfetto.dev and chrome://tracing\n"
    "  lockstep timeline --host measured streams.cu        with the time that the host's own code takes";

report::Document report_of(const report::Timeline& timeline, std::size_t width) {
    const report::TimelineSummary summary = report::summarise(timeline);
    report::Section section;
    section.parts.emplace_back(report::draw_timeline(timeline, summary, width));
    for (report::Part& part : report::summary_parts(timeline, summary))
        section.parts.push_back(std::move(part));
    if (timeline.incomplete)
        section.parts.emplace_back(
            report::Lines{{"the end is missing: the program was killed, or ended by _exit"}});
    if (!timeline.info.measured_by.empty())
        return {fmt::format("{} on {} (the real one): times measured by {}", timeline.info.command,
                            timeline.info.gpu_name, timeline.info.measured_by),
                {std::move(section)}};
    return {fmt::format("{} on {} ({}), {}: predicted times", timeline.info.command, timeline.info.gpu_name,
                        timeline.info.gpu,
                        report::plural(static_cast<std::uint64_t>(timeline.info.hardware_queues),
                                       "hardware queue", "hardware queues")),
            {std::move(section)}};
}

// One of each process that used the GPU, in the order of their ids.
Result<std::vector<report::Timeline>> read_all(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".timeline") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<report::Timeline> timelines;
    for (const fs::path& file : files) {
        auto timeline = report::read_timeline(file);
        if (!timeline) return timeline.error();
        timelines.push_back(std::move(*timeline));
    }
    return timelines;
}

int print(const Options& options, const std::vector<report::Timeline>& timelines) {
    int status = 0;
    if (!options.trace.empty())
        status = std::max(status, write_output(options.trace, report::trace_json(timelines)));
    if (!options.json.empty())
        status = std::max(status, write_output(options.json, report::timelines_json(timelines)));
    if ((options.json == "-" || options.trace == "-") && options.log.empty()) return status;
    std::string text;
    for (const report::Timeline& timeline : timelines)
        text += report::to_text(report_of(timeline, options.width.value_or(terminal_width())));
    return std::max(status, write_output(options.log.empty() ? "-" : options.log, text));
}

// What the program did, on a simulated GPU or a real one.
Result<TracedProgram> traced(const Options& options, const StartableProgram& program,
                             const fs::path& folder) {
    if (!options.program.hardware.empty()) return trace_program(program, options.program.hardware, folder);
    setenv("LOCKSTEP_CLOCK", "simulated", 1);
    // A drawing is of what the program submits, and repeats; who wants the host's part of it says so.
    setenv("LOCKSTEP_HOST", "free", 0);
    setenv("LOCKSTEP_TIMELINE", folder.c_str(), 1);
    auto ended = run_and_wait(program, {}, {});
    if (!ended) return ended.error();
    auto timelines = read_all(folder);
    if (!timelines) return timelines.error();
    return TracedProgram{*ended, std::move(*timelines)};
}

int timeline(Options options, const std::vector<std::string>& rest, const Context& context) {
    using compile::Output;
    const std::array outputs = {Output{"--trace", options.trace}, Output{"--json", options.json},
                                Output{"--log", options.log}};
    if (auto good = compile::check_outputs(outputs, input_files(options.program, rest, context)); !good)
        return fail(good.error().to_string(), 2);
    const compile::BlockedSignals signals;
    compile::TempDir::remove_abandoned();
    auto folder = compile::TempDir::create();
    if (!folder) return fail(folder.error().to_string());
    if (auto found = find_hardware(options.program, rest); !found) return fail(found.error().to_string());
    Prepared prepared = prepare_program("timeline", options.program, rest, context);
    if (!prepared.program) return prepared.status;
    auto done = traced(options, *prepared.program, folder->path());
    if (!done) return fail(done.error().to_string());
    const compile::ExitStatus& ended = done->ended;
    int status = exit_status(ended);
    if (ended.signal) fail(fmt::format("{} {}", prepared.program->name, ended.to_string()));
    std::vector<report::Timeline>& timelines = done->timelines;
    for (const report::Timeline& one : timelines)
        if (const int failed = print_failures(one.failures); status == 0) status = failed;
    std::erase_if(timelines, [](const report::Timeline& one) { return one.operations.empty(); });
    if (timelines.empty()) {
        const int nothing = fail(fmt::format("{}: nothing to show, the program gave the GPU nothing to do",
                                             prepared.program->name));
        return status != 0 ? status : nothing;
    }
    const int printed = print(options, timelines);
    return status != 0 ? status : printed;
}

}  // namespace timeline_command

void add_timeline(CommandLine& line, Context& context) {
    using namespace timeline_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("timeline", "Run a program and draw its streams, copies and kernels in time");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    add_program_options(command, options->program);
    add_sample_option(command, options->program);
    add_on_option(command, options->program);
    command
        .add_option("--trace", options->trace,
                    "Write a trace for Perfetto or chrome://tracing to this file; - for stdout")
        .output_file();
    command.add_option("--json", options->json, "Write operations and sums as JSON; - for stdout")
        .output_file();
    command.add_option("--log", options->log, "Write the drawing to FILE instead of stdout").output_file();
    command.add_option("--width", options->width, "Columns of the drawing (default: the terminal's)")
        .between(40, 10000);
    command.callback(
        [command, options, &context] { context.status = timeline(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
