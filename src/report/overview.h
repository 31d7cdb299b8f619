// What a person wants to know of a run first: a row a kernel, in 80 columns.
#pragma once
#include "base/result.h"
#include "report/document.h"
#include "report/run-reader.h"

namespace lockstep::report {

// The kernels that take most time first: how they are launched, their share of the time, and how well they
// use the GPU, with what bounds each below it. `width`: of a line. Nothing where no kernel has a time.
// The metrics that it shows, as metrics::select_metrics takes them.
std::string overview_metrics();

Result<std::optional<Section>> overview(const RunFile& run, std::size_t width);

}  // namespace lockstep::report
