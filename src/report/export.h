// Results for programs: JSON and CSV.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/shown-metrics.h"

namespace lockstep::report {

// {"launches": [{"kernel": …, "grid": […], "block": […], "fault": …, "metrics": {…}}], "complete": …,
// "missing": […], "failures": […]}; a metric without a value is null.
Result<std::string> launches_json(const RunFile& run, std::span<const Shown> shown);
// {"run": {…}, "kernels": [{"kernel": …, "invocations": …, "faults": …, "bound": …, "warp_cycles": {STATE:
// …}, "metrics": {NAME:
// {"unit", "kind", "min", "max", "avg", "of_peak"}}}]}; only throughputs have "of_peak".
// With `lines`: each kernel also has its source lines.
Result<std::string> kernels_json(const RunFile& run, std::span<const Shown> shown, bool lines = false);

// A line a launch, a column a metric; or a line a kernel and metric.
Result<std::string> launches_csv(const RunFile& run, std::span<const Shown> shown);
std::string kernels_csv(const RunFile& run, std::span<const Shown> shown);

std::string json_quoted(const std::string& text);
// {"long_scoreboard": …}: the states that are not 0.
std::string warp_cycles_json(const WarpCycles& cycles);
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace lockstep::report
