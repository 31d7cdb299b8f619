// lockstep's metrics as a real GPU has them: which of ncu's to ask for, and what they give.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/ncu-csv.h"
#include "metrics/metric.h"

namespace lockstep::measure {

// ncu's names for what is needed of these, each once; metrics that no GPU has are left out.
std::vector<std::string> ncu_names(std::span<const metrics::Selected> selected);

// Of every metric, in the order of metrics::metrics(); nothing where the launch has no such number.
std::vector<std::optional<double>> metric_values(const MeasuredLaunch& launch);

}  // namespace lockstep::measure
