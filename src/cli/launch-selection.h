// Which launches are profiled, and how the options of the tools say so.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/environment.h"

namespace lockstep::cli {

struct LaunchSelection {
    std::string kernels;               // a regular expression; empty: all
    std::string names;                 // of which name: demangled (or empty), function, mangled
    std::string streams, invocations;  // regular expressions; empty: all
    std::uint64_t launch_skip = 0;
    std::optional<std::uint64_t> launch_count;
    std::uint64_t skip_before_match = 0;
    bool from_start = true;   // not: from cudaProfilerStart on
    bool heeds_calls = true;  // … and of cudaProfilerStop

    bool chooses() const;
};

// What the runtime library must be told of it.
Variables selection_variables(const LaunchSelection& selection);

// "--kernels": an error where it is no regular expression.
Result<void> check_regex(const std::string& option, const std::string& regex);

// ncu's -k: a name, or regex:EXPRESSION, which need match only a part.
Result<void> choose_kernel(const std::string& option, const std::string& text, LaunchSelection& selection);
// ncu's --kernel-name-base.
Result<void> choose_name_base(const std::string& option, const std::string& text, LaunchSelection& selection);
// CONTEXT:STREAM:KERNEL:INVOCATION, each of which may be empty, as ncu and nvprof have it. Of ncu's kernels
// as choose_kernel takes them, of nvprof's any regular expression.
Result<void> choose_by_id(const std::string& option, const std::string& text, bool ncu,
                          LaunchSelection& selection);
// "on", "yes" …, or "off", "no" …
Result<void> choose_start(const std::string& option, const std::string& text, LaunchSelection& selection);

}  // namespace lockstep::cli
