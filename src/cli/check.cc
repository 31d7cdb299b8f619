// lockstep check: runs a program once, and tells the bugs that it has.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "cli/checked-run.h"
#include "cli/command.h"
#include "cli/profiled-run.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/files.h"
#include "compile/output-file.h"
#include "report/findings-export.h"
#include "report/findings-text.h"
#include "report/suppressions.h"

namespace lockstep::cli {
namespace check_command {

struct Options {
    ProgramOptions program;
    std::vector<std::string> tools, fail_on, suppressions;
    std::string json, sarif, junit, log, colour = "auto";
    int schedules = 0;
    std::uint64_t seed = 1;
};

constexpr int found_something = 1, not_run = 2;

constexpr const char* synopsis =
    "lockstep check [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep check [OPTIONS] EXECUTABLE [ARGUMENTS]\n\n";
constexpr const char* examples =
    "The report follows the program's own output. The exit status is 1 where something was found, 0 where "
    "not, and 2\n"
    "where the program could not be run, or not to an end of its own.\n"
    "Examples:\n"
    "  lockstep check reduce.cu                              everything at once\n"
    "  lockstep check --tool memcheck,leak reduce.cu -- 1024 only these\n"
    "  lockstep check --sarif out.sarif --junit out.xml reduce.cu   for CI\n"
    "  lockstep check --fail-on race,leak reduce.cu          others are told, but pass\n"
    "  lockstep check --suppressions known.txt ./a.out\n"
    "  lockstep check --schedules 10 reduce.cu               do results depend on the order of blocks?\n"
    "A line of a suppressions file is `class[:kind] [file[:line]] [kernel]`, with * and ? in each, and # "
    "before\n"
    "comments. docs/check.md tells more.";

// "none": nothing fails.
Result<std::vector<check::Class>> failing_classes(const std::vector<std::string>& names) {
    std::vector<check::Class> classes;
    for (const std::string& name : names) {
        const auto of = check::class_named(name);
        if (!of && name != "none")
            return Error{fmt::format("--fail-on: '{}' is none of memory, race, sync, init, leak, host, "
                                     "undefined, none",
                                     name),
                         {}};
        if (of) classes.push_back(*of);
    }
    return classes;
}

Result<std::vector<report::Suppression>> read_suppressions(const std::vector<std::string>& files) {
    std::vector<report::Suppression> all;
    for (const std::string& file : files) {
        if (auto good = compile::check_input(file); !good) return good.error();
        const auto text = compile::read_file(file);
        if (!text) return Error{"cannot read these suppressions", {file}};
        auto parsed = report::parse_suppressions(*text, file);
        if (!parsed) return parsed.error();
        all.insert(all.end(), parsed->begin(), parsed->end());
    }
    return all;
}

Result<void> check_outputs(const Options& options, const std::vector<std::string>& rest,
                           const Context& context) {
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json}, Output{"--sarif", options.sarif},
                                Output{"--junit", options.junit}, Output{"--log", options.log}};
    std::vector<std::filesystem::path> inputs = input_files(options.program, rest, context);
    inputs.insert(inputs.end(), options.suppressions.begin(), options.suppressions.end());
    return compile::check_outputs(outputs, inputs);
}

bool in_colour(const Options& options) {
    if (options.colour != "auto") return options.colour == "always";
    return options.log.empty() && isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
}

// All that was asked for. False: something could not be written.
bool print(const Options& options, const report::CheckReport& report) {
    bool good = true, stdout_is_taken = false;
    const auto write = [&](const std::string& file, std::string (*text)(const report::CheckReport&)) {
        if (file.empty()) return;
        stdout_is_taken |= file == "-";
        good &= write_output(file, text(report)) == 0;
    };
    write(options.json, report::findings_json);
    write(options.sarif, report::findings_sarif);
    write(options.junit, report::findings_junit);
    if (stdout_is_taken && options.log.empty())
        fail(report::summary(report));
    else
        good &= write_output(options.log.empty() ? "-" : options.log,
                             report::findings_text(report, {in_colour(options)})) == 0;
    return good;
}

int check(const Options& options, const std::vector<std::string>& rest, const Context& context) {
    auto tools = chosen_tools(options.tools);
    if (!tools) return fail(tools.error().to_string(), not_run);
    auto failing = failing_classes(options.fail_on);
    if (!failing) return fail(failing.error().to_string(), not_run);
    auto suppressions = read_suppressions(options.suppressions);
    if (!suppressions) return fail(suppressions.error().to_string(), not_run);
    if (auto good = check_outputs(options, rest, context); !good)
        return fail(good.error().to_string(), not_run);

    const compile::BlockedSignals signals;
    CheckedRun run =
        run_checked({"check", options.program, rest, *tools, options.schedules, options.seed}, context);
    if (!run.report) return not_run;
    report::suppress(*run.report, *suppressions);
    if (!print(options, *run.report)) return not_run;
    const bool found = std::any_of(
        run.report->findings.begin(), run.report->findings.end(), [&](const check::Finding& finding) {
            return options.fail_on.empty() ||
                   std::find(failing->begin(), failing->end(), finding.kind_of) != failing->end();
        });
    return found ? found_something : run.complete ? 0 : not_run;
}

}  // namespace check_command

void add_check(CommandLine& line, Context& context) {
    using namespace check_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "check",
        "Run a program and tell its bugs: bad accesses, races, barriers, uninitialised memory, leaks …");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    command
        .add_option("--tool", options->tools,
                    "What to look for: memcheck, racecheck, synccheck, initcheck, leak, host, undefined; "
                    "all (default); nan, overflow, fragile on request")
        .separated_by(',')
        .one_value();
    command.add_option("--json", options->json, "Write the findings as JSON to FILE (- is stdout)")
        .output_file();
    command.add_option("--sarif", options->sarif, "… as SARIF 2.1.0, for code scanning").output_file();
    command.add_option("--junit", options->junit, "… as JUnit XML, a test case each").output_file();
    command.add_option("--log,--log-file", options->log, "Write the report to FILE instead of stdout")
        .output_file();
    command
        .add_option(
            "--fail-on", options->fail_on,
            "Exit status 1 only for these classes: memory, race, sync, init, leak, host, undefined; none")
        .separated_by(',')
        .one_value();
    command
        .add_option("--suppressions", options->suppressions,
                    "Leave out what FILE names; what suppresses nothing is told")
        .one_value();
    command.add_option("--color,--colour", options->colour, "auto (default: on a terminal), always, never")
        .one_of({"auto", "always", "never"});
    command
        .add_option(
            "--schedules", options->schedules,
            "Run each launch in N other orders of its blocks and warps, too, and tell whose results change")
        .between(0, 1000);
    command.add_option("--seed", options->seed, "Which orders these are (default: 1)");
    add_program_options(command, options->program);
    command.describe("--timeout",
                     fmt::format("Stop a kernel that runs, or is compiled, longer than this many "
                                 "seconds (default: {:.0f})",
                                 check_timeout));
    command.callback(
        [command, options, &context] { context.status = check(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
