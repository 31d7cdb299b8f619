// The parts of the table of metrics, a file for each group.
#pragma once
#include <vector>

#include "metrics/launch.h"
#include "metrics/metric.h"

namespace lockstep::metrics {

using counters::AccessCounts;
using counters::AccessType;
using counters::LaunchTotals;
using counters::Memory;
using counters::MemoryTotals;
using timing::Prediction;
using timing::WarpState;

std::vector<Metric> branch_metrics();
std::vector<Metric> instruction_metrics();
std::vector<Metric> memory_metrics();
std::vector<Metric> shared_metrics();
std::vector<Metric> texture_metrics();
std::vector<Metric> occupancy_metrics();
std::vector<Metric> time_metrics();
std::vector<Metric> throughput_metrics();
std::vector<Metric> stall_metrics();
std::vector<Metric> what_if_metrics();
std::vector<Metric> wave_metrics();  // of AMD's GPUs alone
std::vector<Metric> wave_counters();

// part / whole, or nothing where there is no whole.
inline std::optional<double> ratio(std::uint64_t part, std::uint64_t whole, double scale = 1) {
    if (whole == 0) return std::nullopt;
    return scale * static_cast<double>(part) / static_cast<double>(whole);
}

// The same, 0 where there is no whole: what ncu prints.
inline std::optional<double> ratio_or_zero(std::uint64_t part, std::uint64_t whole, double scale = 1) {
    return ratio(part, whole, scale).value_or(0);
}

inline std::optional<double> number(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace lockstep::metrics
