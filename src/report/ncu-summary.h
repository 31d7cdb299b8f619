// Nsight Compute's summary: the launches of a kernel with the same shape together.
#pragma once
#include <string>

#include "base/result.h"
#include "report/ncu-table.h"

namespace lockstep::report {

Result<std::string> ncu_summary(const RunFile& run, const NcuView& view);
Result<std::string> ncu_summary_csv(const RunFile& run, const NcuView& view);

}  // namespace lockstep::report
