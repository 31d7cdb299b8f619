// Results in the layout of nvprof's tables, for scripts that read those.
#pragma once
#include <span>
#include <string>

#include "report/shown-metrics.h"

namespace lockstep::report {

// "int *" is "int*" there, and "const int *" is "int const *".
std::string nvprof_name(const std::string& kernel);

// A cell of its CSV.
std::string nvprof_quoted(const std::string& text);

std::string nvprof_table(const RunFile& run, std::span<const Shown> shown);
std::string nvprof_csv(const RunFile& run, std::span<const Shown> shown);
// Events, with their sums.
std::string nvprof_event_table(const RunFile& run, std::span<const Shown> shown);
std::string nvprof_event_csv(const RunFile& run, std::span<const Shown> shown);

}  // namespace lockstep::report
