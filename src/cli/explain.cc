// lockstep explain: why a program's kernels take the time that they take, and what would change it.
#include "explain/explain.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/terminal.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/output-file.h"
#include "explain/expectation.h"
#include "explain/text.h"

namespace lockstep::cli {
namespace explain_command {

struct Options {
    ProgramOptions program;
    LaunchSelection selection;
    std::vector<std::string> expect;
    std::string json, log, run_file, from, against;
    std::size_t kernels = 10;
};

constexpr const char* synopsis =
    "lockstep explain [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep explain [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
    "lockstep explain [OPTIONS] --from RUN.lockstep\n\n";
constexpr const char* examples =
    "The report follows the program's own output. What a finding costs is what the timing model saves "
    "without that "
    "one\nthing. The exit status is the program's own if it failed; else 1 if a launch or an expectation "
    "failed.\n"
    "Examples:\n"
    "  lockstep explain reduce.cu                               the kernels that take most time, and why\n"
    "  lockstep explain --gpu gtx1650 --kernels scale app.cu    on another GPU, only these\n"
    "  lockstep explain --json out.json reduce.cu               for programs\n"
    "  lockstep explain -o run.lockstep reduce.cu               keep the run: --from shows it again\n"
    "  lockstep explain --from a.lockstep --against nvcc.lockstep    what another compiler does better\n"
    "  lockstep explain --expect 'no finding above 10 %' reduce.cu\n"
    "  lockstep explain --expect 'scale: no bank-conflicts' app.cu   for CI";

Result<std::vector<explain::Expectation>> read_expectations(const Options& options) {
    std::vector<explain::Expectation> all;
    for (const std::string& text : options.expect) {
        auto parsed = explain::parse_expectation(text);
        if (!parsed) return parsed.error();
        all.push_back(std::move(*parsed));
    }
    return all;
}

Result<void> check_outputs(const Options& options, const std::vector<std::string>& rest,
                           const Context& context) {
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json}, Output{"--log", options.log},
                                Output{"-o", options.run_file, Output::Kind::run_file}};
    std::vector<std::filesystem::path> inputs = input_files(options.program, rest, context);
    for (const std::string& earlier : {options.from, options.against})
        if (!earlier.empty()) inputs.emplace_back(earlier);
    return compile::check_outputs(outputs, inputs);
}

int print(const Options& options, const report::RunFile& run, const report::RunFile* other,
          const std::vector<explain::Expectation>& expected) {
    const auto models = models_of(run.info);
    const auto findings = explain::explain(run, [&](int device) { return model_of(models, device); }, other);
    if (!findings) return fail(findings.error().to_string());
    int status = 0;
    if (!options.json.empty()) status = write_output(options.json, explain::to_json(run, *findings));
    if (options.json != "-" || !options.log.empty())
        status = std::max(
            status, write_output(options.log.empty() ? "-" : options.log,
                                 explain::to_text(run, *findings, {terminal_width(), options.kernels})));
    for (const explain::Expectation& one : expected)
        for (const std::string& message : explain::check(one, *findings)) status = fail(message);
    return status;
}

int explain_program(Options options, const std::vector<std::string>& rest, const Context& context) {
    const auto expected = read_expectations(options);
    if (!expected) return fail(expected.error().to_string(), 2);
    if (auto checked = check_regex("--kernels", options.selection.kernels); !checked)
        return fail(checked.error().to_string(), 2);
    if (auto good = check_outputs(options, rest, context); !good) return fail(good.error().to_string(), 2);
    std::optional<report::RunFile> other;
    if (!options.against.empty()) {
        auto opened = report::RunFile::open(options.against);
        if (!opened) return fail(opened.error().to_string(), 2);
        other = std::move(*opened);
    }
    const compile::BlockedSignals signals;
    ProfiledRun profiled;
    if (!options.from.empty()) {
        profiled = open_earlier(options.from, "explains", rest, options.run_file, options.selection);
    } else {
        ProfileRequest request;
        request.command = "explain";
        request.program = options.program;
        request.program.what_if = true;
        request.rest = rest;
        request.run_file = options.run_file;
        request.selection = options.selection;
        profiled = run_profiled(request, context);
    }
    if (!profiled.run) return profiled.status;
    const int printed = print(options, *profiled.run, other ? &*other : nullptr, *expected);
    return profiled.status != 0 ? profiled.status : printed;
}

}  // namespace explain_command

void add_explain(CommandLine& line, Context& context) {
    using namespace explain_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "explain", "Run a program and say why its kernels take their time, and what would help");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    command.add_option("--kernels", options->selection.kernels,
                       "Explain kernels whose name has a match of this REGEX");
    command.add_option("--most", options->kernels,
                       "How many kernels the text tells of, those that take most time (10)");
    command.add_option("--json", options->json, "Write the findings as JSON to FILE (- is stdout)")
        .output_file();
    command.add_option("--log", options->log, "Write the report to FILE instead of stdout").output_file();
    command
        .add_option("-o,--run", options->run_file, "Keep the run file, for --from, compare and your own SQL")
        .check(file_name);
    command.add_option("--from", options->from, "Explain an earlier run from its file, and run nothing");
    command.add_option("--against", options->against,
                       "Tell, too, where the code of the same kernels in this run file is faster: "
                       "another compiler's, or other options'");
    command
        .add_option("--expect", options->expect,
                    "'[KERNEL:] no finding|ID [above N %]': exit status 1 unless it holds")
        .one_value();
    add_program_options(command, options->program);
    add_clock_option(command, options->program);
    add_sample_option(command, options->program);
    command.callback([command, options, &context] {
        context.status = explain_program(*options, command.rest(), context);
    });
}

}  // namespace lockstep::cli
