// lockstep's metrics as a real GPU has them.
#pragma once
#include <optional>
#include <vector>

#include "measure/measured-launch.h"
#include "metrics/metric.h"

namespace lockstep::measure {

// All that GPUs of this vendor can be asked for, and a simulated one has.
std::vector<metrics::Selected> metrics_of(metrics::Vendor vendor);

// Of every metric, in the order of metrics::metrics(); nothing where the launch has no such number.
std::vector<std::optional<double>> metric_values(const MeasuredLaunch& launch);

}  // namespace lockstep::measure
