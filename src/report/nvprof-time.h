// Simulated times in the layout of nvprof's summary and traces, of GPU activities and API calls.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/run-reader.h"
#include "report/shown-metrics.h"

namespace lockstep::report {

// In which unit times are written: each in its own, all in the one that suits the longest, or this.
enum class TimeUnit { automatic, column, s, ms, us, ns };
// "auto", "col", "s", …
std::optional<TimeUnit> find_time_unit(std::string_view name);

struct NvprofTimes {
    bool gpu = true, api = true;  // what is shown
    TimeUnit unit = TimeUnit::automatic;
    bool csv = false;
};

// By kernel, kind of copy and function.
Result<std::string> nvprof_summary(const RunFile& run, const NvprofTimes& times);
// A row an activity, or call, in the order of their begin.
Result<std::string> nvprof_trace(const RunFile& run, const NvprofTimes& times);
// A row a launch, with metrics and events.
Result<std::string> nvprof_value_trace(const RunFile& run, std::span<const Shown> shown, bool csv);

// What a reader must know beside the numbers, a line each: calls that take no time, rows that are missing.
Result<std::vector<std::string>> nvprof_time_notes(const RunFile& run, const NvprofTimes& times, bool trace);

}  // namespace lockstep::report
