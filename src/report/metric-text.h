// Metrics and their values as text, as nvprof's tables write them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "counters/metric.h"

namespace lockstep::report {

std::string_view to_string(counters::Unit unit);
std::string_view to_string(counters::Kind kind);

// "25.02%", "117.812500", "39.495GB/s", "4096"; "n/a" where there is none.
std::string value_text(std::optional<double> value, counters::Unit unit);

// The shortest text that reads back as the same number: for files that programs read.
std::string exact_text(double value);

}  // namespace lockstep::report
