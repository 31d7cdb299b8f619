// Runs a program under the profile, and reads what it leaves: what `profile` and `nvprof` share.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/environment.h"
#include "cli/launch-selection.h"
#include "cli/start-program.h"
#include "compile/files.h"
#include "metrics/metric.h"
#include "report/run-reader.h"

namespace lockstep::cli {

struct ProfileRequest {
    std::string command;  // "profile", for messages
    ProgramOptions program;
    std::vector<std::string> rest;   // files and compiler options
    std::filesystem::path run_file;  // empty: a temporary one
    LaunchSelection selection;
    std::vector<metrics::Selected> metrics;  // that a real GPU is asked for; a simulated one has all
    bool needs_kernels = true;               // a run in which none is profiled is a failure
    // Called when the program is about to begin, with its process's id, and when it has ended.
    std::function<void(pid_t process, const std::string& command)> before;
    std::function<void(const std::string& command)> after;
};

struct ProfiledRun {
    std::optional<report::RunFile> run;  // nothing: the reason has been printed
    int status = 0;                      // the exit status so far: the program's own, or why there is no run
    std::optional<compile::TempDir> temporary;  // where the run file lies, if nobody wants to keep it
};

// Launches that failed, on stderr: the exit status, 1 if there are any.
int print_failures(const std::vector<report::Failure>& failures);

// The exit status is the program's own if it failed. Otherwise it is 1 where a launch failed, no kernel was
// launched, or launches are missing; that has been printed. A run that is to be kept is written elsewhere,
// and takes its place when it is there as a whole.
ProfiledRun run_profiled(const ProfileRequest& request, const Context& context);

// An earlier run, of which `rest` and `run_file` can be nothing. `does`: what the command does with it,
// "shows".
ProfiledRun open_earlier(const std::string& file, const char* does, const std::vector<std::string>& rest,
                         const std::string& run_file, const LaunchSelection& selection);

// What the runtime library must be told to profile these launches into the file.
Variables profile_variables(const std::filesystem::path& file, const LaunchSelection& selection);

// The files that nvprof's and ncu's options name: they may not be there, unless -f says so, and must be good
// to write. An exit status where they are not; that has been printed.
std::optional<int> check_tool_outputs(const std::string& tool, const ProfileRequest& profile,
                                      const Context& program, const std::string& log_file, bool overwrite);

}  // namespace lockstep::cli
