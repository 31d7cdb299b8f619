// Which launches are profiled, and how the options of the tools say so.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "cli/environment.h"
#include "report/run-reader.h"

namespace lockstep::cli {

struct LaunchSelection {
    std::string kernels;                     // a regular expression; empty: all
    std::string names;                       // of which name: base::kernel_names
    std::string streams, invocations;        // regular expressions; empty: all
    std::string nvtx_include, nvtx_exclude;  // NVTX ranges, a pattern a line; empty: all, none
    std::uint64_t launch_skip = 0;
    std::optional<std::uint64_t> launch_count;
    std::uint64_t skip_before_match = 0;
    bool from_start = true;   // not: from cudaProfilerStart on
    bool heeds_calls = true;  // … and of cudaProfilerStop

    bool chooses() const;
};

// What the runtime library must be told of it.
Variables selection_variables(const LaunchSelection& selection);

// --nvtx-include and --nvtx-exclude: one more of them, in `to`. An error where it makes no sense.
Result<void> choose_ranges(const std::string& option, const std::string& text, std::string& to);

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

// Numbers of devices, as nvprof and ncu take them: "0,2". Empty: all of them.
Result<std::set<int>> parse_devices(const std::string& text);
// Leaves what these devices did. An error where the program had no such device.
Result<void> keep_devices(const std::set<int>& devices, report::RunFile& run);

}  // namespace lockstep::cli
