// The counts of each source line, for programs.
#pragma once
#include <string>

#include "base/result.h"
#include "report/run-reader.h"

namespace lockstep::report {

// [{"file": …, "line": …, "executed": …, …, "warp_cycles": {"long_scoreboard": …}}]; no file: code of no
// line.
Result<std::string> lines_json(const RunFile& run, const KernelResult& kernel);

// A row a kernel and line.
Result<std::string> lines_csv(const RunFile& run);

}  // namespace lockstep::report
