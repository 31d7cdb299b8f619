// Runs a program while bugs are looked for, and reads what was found: what `check` and `compute-sanitizer`
// share.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/start-program.h"
#include "report/check-report.h"

namespace lockstep::cli {

// What is looked for, by the names that users give.
struct CheckTool {
    const char* name;  // as LOCKSTEP_CHECK_TOOLS has it
    check::Class finds;
    bool on_request = false;  // not one of "all"
    bool of_hip = false;      // in HIP programs, too
};
extern const std::vector<CheckTool> check_tools;

// "memcheck,leak": an error where one is not there. Empty, or with "all" in it: all that need no request.
Result<std::vector<CheckTool>> chosen_tools(const std::vector<std::string>& names);

// A kernel that runs, or is compiled, longer than this many seconds is stopped, unless something else was
// said.
inline constexpr double check_timeout = 60;

struct CheckRequest {
    std::string command;  // "check", for messages
    ProgramOptions program;
    std::vector<std::string> rest;  // files and compiler options
    std::vector<CheckTool> tools;
    int schedules = 0;  // other orders in which launches are run, too
    std::uint64_t seed = 1;
};

struct CheckedRun {
    std::optional<report::CheckReport> report;  // nothing: the reason has been printed, it could not be run
    bool used_cuda = false;                     // the runtime library was there
    bool complete = true;                       // it came to an end of its own
    pid_t process = 0;
};

// `before` is called with the process's id before the program begins.
CheckedRun run_checked(const CheckRequest& request, const Context& context,
                       const std::function<void(pid_t)>& before = {});

}  // namespace lockstep::cli
