// The tables for people: a block of rows a kernel, or a row a launch.
#pragma once
#include <span>
#include <string>

#include "base/result.h"
#include "report/table.h"

namespace lockstep::report {

// For each kernel how often it was launched, and each metric's smallest, largest and average value; for
// throughputs also the average's share of the peak. What is predicted is marked.
std::string kernel_table(const RunFile& run, std::span<const Shown> shown);

// A row for each launch, a column for each metric.
Result<std::string> launch_table(const RunFile& run, std::span<const Shown> shown);

}  // namespace lockstep::report
