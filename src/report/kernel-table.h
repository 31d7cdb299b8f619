// The tables of metrics: a block of rows a kernel, or a row a launch.
#pragma once
#include <span>

#include "base/result.h"
#include "report/document.h"
#include "report/shown-metrics.h"

namespace lockstep::report {

// For each kernel how often it was launched, and each metric's smallest, largest and average value; for
// throughputs also the average's share of the peak. What is predicted is marked.
Table kernel_table(const RunFile& run, std::span<const Shown> shown);

// A row for each launch, a column for each metric.
Result<Table> launch_table(const RunFile& run, std::span<const Shown> shown);

}  // namespace lockstep::report
