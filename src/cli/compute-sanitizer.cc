// lockstep compute-sanitizer: that tool's own command line and words, for those who have them in scripts.
// One of its tools at a time, as there; `lockstep check` has all at once, and more.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/demangle.h"
#include "cli/checked-run.h"
#include "cli/command.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/output-file.h"
#include "compile/version.h"
#include "report/sanitizer-report.h"

namespace lockstep::cli {
namespace sanitizer_command {

using report::SanitizerStyle;

enum class Action {
    tool,
    leaks,
    exit_code,
    log_file,
    print_limit,
    print_level,
    prefix,
    quiet,
    races,
    kernels,
    not_kernels,
    backtrace,
    strip_paths,
    demangle,
    api_errors,
    needs_cuda,
    check_exit,
    help,
    version,
    gpu,
    timeout,
    only,     // the one value that changes nothing here stands in `text` of limit
    ignored,  // changes nothing here
};

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr std::array options = {
    ToolOption{"tool", "", true, act(Action::tool), "memcheck (default), racecheck, initcheck, synccheck"},
    ToolOption{"leak-check", "", true, act(Action::leaks),
               "full: memcheck tells what was not freed; no (default)"},
    ToolOption{"error-exitcode", "", true, act(Action::exit_code),
               "exit status where something was found and the program itself ended well (default: 0)"},
    ToolOption{
        "log-file", "", true, act(Action::log_file),
        "write to this file instead of stdout; %p is the process id, %q{NAME} a variable of the environment"},
    ToolOption{"print-limit", "", true, act(Action::print_limit),
               "print no more than so many (default: 100; 0: all)"},
    ToolOption{"print-level", "", true, act(Action::print_level),
               "print what is at least so bad: info, auto (default: as warn), warn, error, fatal"},
    ToolOption{"racecheck-detect-level", "", true, act(Action::print_level), "the same"},
    ToolOption{"racecheck-report", "", true, act(Action::races), "analysis (default), hazard, all"},
    ToolOption{
        "kernel-name", "", true, act(Action::kernels),
        "only kernels of this name: kernel_name=… (kne=…), or with this in it: kernel_substring=… (kns=…)"},
    ToolOption{"kernel-regex", "", true, act(Action::kernels), "the same"},
    ToolOption{"kernel-name-exclude", "", true, act(Action::not_kernels), "not those kernels"},
    ToolOption{"kernel-regex-exclude", "", true, act(Action::not_kernels), "the same"},
    ToolOption{"show-backtrace", "", true, act(Action::backtrace), "yes (default), host, device, no"},
    ToolOption{"strip-paths", "", true, act(Action::strip_paths),
               "yes (default): files without their folders; no"},
    ToolOption{"demangle", "", true, act(Action::demangle),
               "full (default); simple: functions without parameters"},
    ToolOption{"report-api-errors", "", true, act(Action::api_errors),
               "no: memcheck tells nothing of API calls that fail; all, extended (default), explicit"},
    ToolOption{"check-exit-code", "", true, act(Action::check_exit),
               "yes (default): it is told that the program's exit status is not 0; no"},
    ToolOption{"require-cuda-init", "", true, act(Action::needs_cuda),
               "yes (default): a program that does not use CUDA is an error; no"},
    ToolOption{"prefix", "", true, act(Action::prefix), "what lines begin with (default: =========)"},
    ToolOption{"quiet", "q", false, act(Action::quiet), "errors only"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "v", false, act(Action::version), "the version of lockstep"},
    ToolOption{"gpu", "", true, act(Action::gpu), "lockstep's own: the GPU model (see lockstep gpus)"},
    ToolOption{"timeout", "", true, act(Action::timeout),
               "lockstep's own: stop a kernel that runs longer than this many seconds (default: 60)"},
    // As it is here, or of no effect on what is found.
    ToolOption{"target-processes", "", true, act(Action::only), "", "", "all"},
    ToolOption{"language", "", true, act(Action::only), "", "", "c"},
    ToolOption{"track-stream-ordered-races", "", true, act(Action::ignored), ""},
    ToolOption{"initcheck-address-space", "", true, act(Action::ignored), ""},
    ToolOption{"backtrace-short", "", true, act(Action::ignored), ""},
    ToolOption{"check-api-memory-access", "", true, act(Action::ignored), ""},
    ToolOption{"check-bulk-copy", "", true, act(Action::ignored), ""},
    ToolOption{"check-device-heap", "", true, act(Action::ignored), ""},
    ToolOption{"check-warpgroup-mma", "", true, act(Action::ignored), ""},
    ToolOption{"destroy-on-device-error", "", true, act(Action::ignored), ""},
    ToolOption{"force-blocking-launches", "", false, act(Action::ignored), ""},
    ToolOption{"force-synchronization-limit", "", true, act(Action::ignored), ""},
    ToolOption{"ignore-getprocaddress-notfound", "", false, act(Action::ignored), ""},
    ToolOption{"kill", "", false, act(Action::ignored), ""},
    ToolOption{"launch-timeout", "", true, act(Action::ignored), ""},
    ToolOption{"max-connections", "", true, act(Action::ignored), ""},
    ToolOption{"missing-barrier-init-is-fatal", "", true, act(Action::ignored), ""},
    ToolOption{"num-callers-device", "", true, act(Action::ignored), ""},
    ToolOption{"num-callers-host", "", true, act(Action::ignored), ""},
    ToolOption{"num-cuda-barriers", "", true, act(Action::ignored), ""},
    ToolOption{"nvtx", "", true, act(Action::ignored), ""},
    ToolOption{"padding", "", true, act(Action::ignored), ""},
    ToolOption{"port", "", true, act(Action::ignored), ""},
    ToolOption{"print-session-details", "", false, act(Action::ignored), ""},
    ToolOption{"racecheck-continue-on-deadlock", "", true, act(Action::ignored), ""},
    ToolOption{"racecheck-deadlock-timeout", "", true, act(Action::ignored), ""},
    ToolOption{"racecheck-memcpy-async", "", true, act(Action::ignored), ""},
    ToolOption{"racecheck-num-workers", "", true, act(Action::ignored), ""},
    ToolOption{"report-device-side-allocation-failure", "", true, act(Action::ignored), ""},
    ToolOption{"support-32bit", "", false, act(Action::ignored), ""},
    // Not here.
    ToolOption{"check-cache-control", "", false, 0, "", "it is not looked for"},
    ToolOption{"check-optix", "", false, 0, "", "there is no OptiX"},
    ToolOption{"check-optix-leaks", "", false, 0, "", "there is no OptiX"},
    ToolOption{"coredump-behavior", "", true, 0, "", "there are no core dumps of GPUs"},
    ToolOption{"coredump-name", "", true, 0, "", "there are no core dumps of GPUs"},
    ToolOption{"generate-coredump", "", false, 0, "", "there are no core dumps of GPUs"},
    ToolOption{"detect-missing-module-unload", "", false, 0, "", "it is not looked for"},
    ToolOption{"dump-kernel-launches", "", false, 0, "", "lockstep timeline shows the launches"},
    ToolOption{"injection-path", "", true, 0, "", "nothing is injected"},
    ToolOption{"injection-path32", "", true, 0, "", "nothing is injected"},
    ToolOption{"launch-count", "c", true, 0, "", "all launches are checked; --kernel-name chooses kernels"},
    ToolOption{"launch-skip", "s", true, 0, "", "all launches are checked; --kernel-name chooses kernels"},
    ToolOption{"mode", "", true, 0, "", "the program is started and checked; there is no attaching"},
    ToolOption{"preload-library", "", true, 0, "", "take LD_PRELOAD"},
    ToolOption{"racecheck-filter-cluster-id", "", true, 0, "", "all clusters are checked"},
    ToolOption{"racecheck-trace-sync", "", true, 0, "", "synchronisation is not traced"},
    ToolOption{"read", "", true, 0, "", "take lockstep check --json and read that"},
    ToolOption{"save", "", true, 0, "", "take lockstep check --json, --sarif or --junit"},
    ToolOption{"save-session-details", "", false, 0, "", "take lockstep check --json"},
    ToolOption{"xml", "", false, 0, "", "take lockstep check --json, --sarif or --junit"},
    ToolOption{"suppressions", "", true, 0, "",
               "take lockstep check --suppressions, which has a form of its own"},
    ToolOption{"target-processes-filter", "", true, 0, "", "all processes are checked"},
    ToolOption{"track-unused-memory", "", false, 0, "", "it is not looked for"},
    ToolOption{"unused-memory-threshold", "", true, 0, "", "unused memory is not looked for"},
    ToolOption{"unused-shared-memory-report-limit", "", true, 0, "", "unused memory is not looked for"},
};

// What a filter of kernels says.
struct KernelFilter {
    std::string name, part;  // one is empty
    bool takes(const std::string& kernel) const {
        if (!part.empty()) return kernel.find(part) != std::string::npos;
        return kernel == name || base::short_kernel_name(kernel) == name ||
               base::function_name(kernel) == name;
    }
};

struct Request {
    ProgramOptions program;
    std::string tool = "memcheck", log_file;
    bool leaks = false, quiet = false, api_errors = true, needs_cuda = true, check_exit = true;
    int exit_code = 0;
    check::Rank least = check::Rank::warning;
    std::vector<KernelFilter> kernels, not_kernels;
    SanitizerStyle style;
    std::vector<std::string> rest;
    Context context;
};

std::string help() {
    return "lockstep compute-sanitizer [OPTIONS] EXECUTABLE [ARGUMENTS]\n"
           "lockstep compute-sanitizer [OPTIONS] PROG.cu [ARGUMENTS]\n\n"
           "Takes compute-sanitizer's options and reports in its words. lockstep check looks for everything "
           "in "
           "one run,\nand has reports for CI.\n\n" +
           ToolOptions("compute-sanitizer", options).help() +
           "\nExample:\n  lockstep compute-sanitizer --tool racecheck --error-exitcode 1 ./reduce\n";
}

std::optional<int> number(const std::string& text) {
    int value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end || value < 0) return std::nullopt;
    return value;
}

// key=value[,key=value]
std::optional<std::vector<KernelFilter>> parse_filters(const std::string& text) {
    std::vector<KernelFilter> filters;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        const std::size_t equals = one.find('=');
        const std::string key = one.substr(0, equals);
        if (equals == std::string::npos || equals + 1 == one.size()) return std::nullopt;
        const std::string value = one.substr(equals + 1);
        if (key == "kernel_name" || key == "kne")
            filters.push_back({value, ""});
        else if (key == "kernel_substring" || key == "kns")
            filters.push_back({"", value});
        else
            return std::nullopt;
        begin = end + 1;
    }
    return filters;
}

// What an option does; an exit status where that is all.
std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    const auto wrong = [&](const std::string& words) {
        return fail(fmt::format("compute-sanitizer: --{}: {}", option.name, words), 2);
    };
    // The number of the value in the list.
    const auto one_of = [&](const std::vector<std::string>& values) -> std::optional<std::size_t> {
        const auto at = std::find(values.begin(), values.end(), value);
        if (at != values.end()) return static_cast<std::size_t>(at - values.begin());
        wrong(fmt::format("'{}' is none of {}", value, fmt::join(values, ", ")));
        return std::nullopt;
    };
    constexpr int bad = 2;
    switch (static_cast<Action>(option.action)) {
        case Action::tool:
            if (!one_of({"memcheck", "racecheck", "initcheck", "synccheck"})) return bad;
            request.tool = value;
            break;
        case Action::leaks: {
            const auto at = one_of({"no", "full"});
            if (!at) return bad;
            request.leaks = *at == 1;
            break;
        }
        case Action::exit_code: {
            const auto code = number(value);
            if (!code || *code > 255) return wrong(value + " is no exit status");
            request.exit_code = *code;
            break;
        }
        case Action::log_file:
            if (const std::string reason = file_name(value); !reason.empty()) return wrong(reason);
            request.log_file = value;
            break;
        case Action::print_limit: {
            const auto limit = number(value);
            if (!limit) return wrong(value + " is no number");
            request.style.print_limit = static_cast<std::size_t>(*limit);
            break;
        }
        case Action::print_level: {
            const auto at = one_of({"info", "auto", "warn", "error", "fatal"});
            if (!at) return bad;
            request.least = *at == 0   ? check::Rank::note
                            : *at <= 2 ? check::Rank::warning
                                       : check::Rank::error;
            break;
        }
        case Action::prefix: request.style.prefix = value; break;
        case Action::quiet: request.quiet = true; break;
        case Action::races: {
            const auto at = one_of({"analysis", "hazard", "all"});
            if (!at) return bad;
            request.style.races = static_cast<SanitizerStyle::Races>(*at);
            break;
        }
        case Action::kernels:
        case Action::not_kernels: {
            const auto filters = parse_filters(value);
            if (!filters)
                return wrong(
                    fmt::format("'{}': it is kernel_name=NAME (kne=) or kernel_substring=PART (kns=), "
                                "several with commas",
                                value));
            auto& list =
                static_cast<Action>(option.action) == Action::kernels ? request.kernels : request.not_kernels;
            list.insert(list.end(), filters->begin(), filters->end());
            break;
        }
        case Action::backtrace: {
            const auto at = one_of({"yes", "host", "device", "no"});
            if (!at) return bad;
            request.style.host_frames = *at <= 1;
            request.style.device_frames = *at == 0 || *at == 2;
            break;
        }
        case Action::strip_paths: {
            const auto at = one_of({"yes", "no"});
            if (!at) return bad;
            request.style.strip_paths = *at == 0;
            break;
        }
        case Action::demangle: {
            const auto at = one_of({"full", "simple"});
            if (!at) return bad;
            request.style.parameters = *at == 0;
            break;
        }
        case Action::api_errors: {
            const auto at = one_of({"all", "extended", "explicit", "no"});
            if (!at) return bad;
            request.api_errors = *at != 3;
            break;
        }
        case Action::needs_cuda: {
            const auto at = one_of({"yes", "no"});
            if (!at) return bad;
            request.needs_cuda = *at == 0;
            break;
        }
        case Action::check_exit: {
            const auto at = one_of({"yes", "no"});
            if (!at) return bad;
            request.check_exit = *at == 0;
            break;
        }
        case Action::help: return write_output("-", help());
        case Action::version:
            return write_output("-", fmt::format("compute-sanitizer: lockstep {}\n", compile::version()));
        case Action::gpu: request.program.gpu = value; break;
        case Action::timeout: {
            const double seconds = std::strtod(value.c_str(), nullptr);
            if (!(seconds > 0)) return wrong(value + " is no number of seconds above 0");
            request.program.timeout = seconds;
            break;
        }
        case Action::only:
            if (value != option.limit) return wrong(fmt::format("there is only {}", option.limit));
            break;
        case Action::ignored: break;
    }
    return {};
}

std::optional<int> parse(const std::vector<std::string>& arguments, Request& request) {
    std::vector<std::string> rest;
    const auto status = ToolOptions("compute-sanitizer", options)
                            .parse_up_to_program(
                                arguments,
                                [&](const ToolOption& option, const std::string& value) {
                                    return apply(option, value, request);
                                },
                                rest);
    if (status) return status;
    if (rest.empty())
        return fail("compute-sanitizer needs a program (see lockstep compute-sanitizer --help)", 2);
    request.rest = {rest.front()};
    request.context.after_dashes.assign(rest.begin() + 1, rest.end());
    return {};
}

// %p, %q{NAME} and %% in the name of the log file.
std::string log_name(const std::string& text, pid_t process) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
        const std::size_t close =
            next == 'q' && i + 2 < text.size() && text[i + 2] == '{' ? text.find('}', i) : std::string::npos;
        if (next == 'p') {
            name += std::to_string(process);
            ++i;
        } else if (close != std::string::npos) {
            const char* const value = std::getenv(text.substr(i + 3, close - i - 3).c_str());
            name += value ? value : "";
            i = close;
        } else {
            name += text[i];
            if (next == '%') ++i;
        }
    }
    return name;
}

// Of what lockstep found: what was asked for.
bool is_shown(const check::Finding& finding, const Request& request,
              const std::vector<check::Class>& classes) {
    if (std::find(classes.begin(), classes.end(), finding.kind_of) == classes.end()) return false;
    // Of the host's mistakes, that tool knows those by which a call fails.
    const bool api_error = finding.details.contains("error");
    if ((finding.kind_of == check::Class::host && !api_error) || (api_error && !request.api_errors))
        return false;
    if (finding.rank > request.least) return false;
    const auto takes = [&](const KernelFilter& filter) { return filter.takes(finding.kernel); };
    if (finding.kernel.empty()) return true;
    if (!request.kernels.empty() && std::none_of(request.kernels.begin(), request.kernels.end(), takes))
        return false;
    return std::none_of(request.not_kernels.begin(), request.not_kernels.end(), takes);
}

}  // namespace sanitizer_command

int compute_sanitizer_main(const std::vector<std::string>& arguments) {
    using namespace sanitizer_command;
    Request request;
    if (const auto status = parse(arguments, request)) return *status;
    if (!request.log_file.empty()) {
        const compile::Output output{"--log-file", log_name(request.log_file, 0)};
        const auto inputs = input_files(request.program, request.rest, request.context);
        if (auto good = compile::check_outputs({&output, 1}, inputs); !good)
            return fail("compute-sanitizer: " + good.error().to_string(), 2);
    }
    std::vector<std::string> names = {request.tool};
    const bool memory = request.tool == "memcheck";
    if (memory && request.api_errors) names.emplace_back("host");
    if (memory && request.leaks) names.emplace_back("leak");
    const auto tools = chosen_tools(names);
    if (!tools) return fail(tools.error().to_string(), 2);

    const auto line = [&](const std::string& words) { return report::sanitizer_line(request.style, words); };
    const std::string head = request.quiet ? "" : line("COMPUTE-SANITIZER");
    const compile::BlockedSignals signals;
    const CheckedRun run = run_checked({"compute-sanitizer", request.program, request.rest, *tools},
                                       request.context, [&](pid_t) {
                                           // Before the program's own output.
                                           if (request.log_file.empty()) write_output("-", head);
                                       });
    if (!run.report) return 1;
    const report::CheckReport& report = *run.report;
    std::vector<check::Finding> findings = report.findings;
    std::erase_if(findings,
                  [&](const check::Finding& finding) { return !is_shown(finding, request, report.classes); });

    std::string text = request.log_file.empty() ? "" : head;
    text += report::sanitizer_findings(findings, request.style);
    const bool unused = !run.used_cuda && request.needs_cuda;
    if (unused) text += line("Error: Target application terminated before first instrumented API call");
    if (report.signal != 0) text += line("Error: process didn't terminate successfully");
    if (request.check_exit && (report.exit_code != 0 || report.signal != 0))
        text += line("Target application returned an error");
    if (!request.quiet)
        text += report::sanitizer_summary(findings, request.style, request.tool == "racecheck",
                                          memory && request.leaks);
    const int written =
        write_output(request.log_file.empty() ? "-" : log_name(request.log_file, run.process), text);
    if (report.signal != 0) return 128 + report.signal;
    if (report.exit_code != 0) return report.exit_code;
    if (!findings.empty()) return request.exit_code;
    return unused ? 1 : written;
}

void add_compute_sanitizer(CommandLine& line) {
    line.add_command("compute-sanitizer",
                     "Check as compute-sanitizer does: takes its options, reports in its words");
}

}  // namespace lockstep::cli
