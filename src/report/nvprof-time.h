// Predicted times in the layout of nvprof's summary and trace of GPU activities.
#pragma once
#include <string>

#include "base/result.h"
#include "report/run-reader.h"

namespace lockstep::report {

std::string nvprof_summary(const RunFile& run);
std::string nvprof_summary_csv(const RunFile& run);

// A row a launch. nvprof's columns for the begin and for copies are left out: a run file has launches only.
Result<std::string> nvprof_trace(const RunFile& run);
Result<std::string> nvprof_trace_csv(const RunFile& run);

}  // namespace lockstep::report
