// Numbers as text: values of metrics, counts, extents.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "metrics/metric.h"
#include "report/document.h"

namespace lockstep::report {

// As nvprof's tables write them: "25.02%", "117.812500", "39.495GB/s", "2.5600us", "4096"; "n/a" where there
// is none.
std::string value_text(std::optional<double> value, metrics::Unit unit);

Cell value_cell(std::optional<double> value, const metrics::Metric& metric);
// Of what needs no model: launches, calls.
Cell count_cell(std::uint64_t count);

// "2.5600us"
std::string duration_text(double nanoseconds);

// The shortest text that reads back as the same number: for files that programs read.
std::string exact_text(double value);

// "(32768,1,1)"
std::string shape_text(const std::array<std::uint32_t, 3>& shape);

// Digits in full up to six of them, then with K, M, G, T: at most seven characters.
std::string short_count(std::uint64_t count);

// "1 launch", "2 launches"
std::string plural(std::uint64_t count, const std::string& noun, const std::string& plural);

}  // namespace lockstep::report
