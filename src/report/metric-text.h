// Values of metrics as text.
#pragma once
#include <optional>
#include <string>

#include "metrics/metric.h"

namespace lockstep::report {

// As nvprof's tables write them: "25.02%", "117.812500", "39.495GB/s", "2.5600us", "4096"; "n/a" where there
// is none.
std::string value_text(std::optional<double> value, metrics::Unit unit);

// "2.5600us"
std::string duration_text(double nanoseconds);

// The shortest text that reads back as the same number: for files that programs read.
std::string exact_text(double value);

}  // namespace lockstep::report
