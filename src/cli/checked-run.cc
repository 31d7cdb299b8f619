#include "cli/checked-run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/exit-status.h"
#include "check/findings.h"
#include "cli/environment.h"
#include "compile/commands.h"
#include "compile/files.h"
#include "compile/version.h"

namespace lockstep::cli {

using check::Class;

const std::vector<CheckTool> check_tools = {
    {"memcheck", Class::memory, false, true}, {"racecheck", Class::race},
    {"synccheck", Class::sync, false, true},  {"initcheck", Class::init},
    {"leak", Class::leak, false, true},       {"host", Class::host, false, true},
    {"undefined", Class::undefined},          {"nan", Class::undefined, true},
    {"overflow", Class::undefined, true},     {"fragile", Class::undefined, true},
};

namespace {

namespace fs = std::filesystem;

// What stands for the program in reports: its first source, or itself.
std::string source_of(const std::vector<std::string>& rest, const StartableProgram& program) {
    std::error_code ignored;
    for (const std::string& text : rest)
        if (text[0] != '-' && compile::language_of(text) && fs::is_regular_file(text, ignored)) return text;
    return program.name;
}

// What a reader must know about the run beside its findings.
std::vector<std::string> notes_on(const compile::ExitStatus& ended, bool used_cuda) {
    std::vector<std::string> notes;
    if (ended.signal)
        notes.push_back(
            fmt::format("the program {}: what comes after that is not checked", ended.to_string()));
    else if (ended.code == base::exit_status_lacking)
        notes.emplace_back("lockstep could not run or check all of the program's kernels, as it said above");
    else if (ended.code != 0)
        notes.push_back(fmt::format("the program {}", ended.to_string()));
    if (!used_cuda) notes.emplace_back("the program has not used CUDA: there was nothing to check");
    return notes;
}

// HIP's API is CUDA's with other names: cudaMalloc is hipMalloc.
std::string in_words_of_hip(std::string text) {
    constexpr std::string_view cuda = "cuda";
    for (std::size_t at = 0; (at = text.find(cuda, at)) != text.npos; ++at)
        if (at + cuda.size() < text.size() &&
            std::isupper(static_cast<unsigned char>(text[at + cuda.size()])))
            text.replace(at, cuda.size(), "hip");
    return text;
}

}  // namespace

Result<std::vector<CheckTool>> chosen_tools(const std::vector<std::string>& names) {
    std::vector<CheckTool> chosen;
    bool all = names.empty();
    for (const std::string& name : names) {
        if (name == "all") {
            all = true;
            continue;
        }
        const auto at = std::find_if(check_tools.begin(), check_tools.end(),
                                     [&](const CheckTool& tool) { return tool.name == name; });
        if (at == check_tools.end()) {
            std::vector<std::string> known = {"all"};
            for (const CheckTool& tool : check_tools) known.emplace_back(tool.name);
            return Error{fmt::format("--tool: '{}' is none of {}", name, fmt::join(known, ", ")), {}};
        }
        chosen.push_back(*at);
    }
    if (all)
        std::copy_if(check_tools.begin(), check_tools.end(), std::back_inserter(chosen),
                     [&](const CheckTool& tool) {
                         return !tool.on_request &&
                                std::none_of(chosen.begin(), chosen.end(),
                                             [&](const CheckTool& c) { return c.name == tool.name; });
                     });
    return chosen;
}

CheckedRun run_checked(const CheckRequest& request, const Context& context,
                       const std::function<void(pid_t)>& before) {
    const auto give_up = [](const Error& error) {
        fail(error.to_string());
        return CheckedRun{};
    };
    ProgramOptions options = request.program;
    options.for_checks = true;
    options.tell_overflow =
        std::any_of(request.tools.begin(), request.tools.end(),
                    [](const CheckTool& tool) { return tool.name == std::string_view("overflow"); });
    // Events tell how long things took: predicting that is no part of looking for bugs.
    options.clock = "wall";
    if (options.timeout == 0 && !std::getenv("LOCKSTEP_TIMEOUT")) options.timeout = check_timeout;
    compile::TempDir::remove_abandoned();
    auto temporary = compile::TempDir::create();
    if (!temporary) return give_up(temporary.error());
    const Prepared prepared = prepare_program(request.command, options, request.rest, context);
    if (!prepared.program) return {};
    const StartableProgram& program = *prepared.program;

    const fs::path file = temporary->path() / "findings";
    std::vector<std::string> tools, left_out;
    report::CheckReport report;
    for (const CheckTool& tool : request.tools) {
        if (prepared.hip && !tool.of_hip) {
            left_out.emplace_back(tool.name);
            continue;
        }
        tools.emplace_back(tool.name);
        if (std::find(report.classes.begin(), report.classes.end(), tool.finds) == report.classes.end())
            report.classes.push_back(tool.finds);
    }
    if (tools.empty())
        return give_up(Error{fmt::format("{} looks for nothing of {} in HIP programs yet", request.command,
                                         fmt::join(left_out, ", ")),
                             {}});
    set_variables({{"LOCKSTEP_CHECK", file.string()},
                   {"LOCKSTEP_CHECK_TOOLS", fmt::format("{}", fmt::join(tools, ","))},
                   {"LOCKSTEP_CHECK_SCHEDULES", request.schedules ? std::to_string(request.schedules) : ""},
                   {"LOCKSTEP_CHECK_SEED", std::to_string(request.seed)}});
    CheckedRun result;
    const auto ended = run_and_wait(program,
                                    [&](pid_t process) {
                                        result.process = process;
                                        if (before) before(process);
                                    },
                                    {});
    if (!ended) return give_up(ended.error());
    // The runtime library makes the file as it starts.
    std::error_code ignored;
    result.used_cuda = fs::exists(file, ignored);
    result.complete =
        !ended->signal && ended->code != base::exit_status_lacking && (result.used_cuda || ended->code == 0);
    report.version = compile::version();
    report.command = program.command_line();
    report.source = source_of(request.rest, program);
    report.findings = report::ranked(check::read_findings(file));
    for (check::Finding& finding : report.findings) {
        if (!prepared.hip) break;
        finding.message = in_words_of_hip(finding.message);
        finding.advice = in_words_of_hip(finding.advice);
    }
    report.notes = notes_on(*ended, result.used_cuda);
    if (!left_out.empty())
        report.notes.push_back(
            fmt::format("in HIP programs there is no {} yet, and a kernel ends at its first bad access",
                        fmt::join(left_out, ", ")));
    report.exit_code = ended->code;
    report.signal = ended->signal;
    result.report = std::move(report);
    return result;
}

}  // namespace lockstep::cli
