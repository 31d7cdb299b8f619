// Metrics: self-describing numbers about one launch. A metric has one definition and several names; names
// whose values differ in scale (nvprof's warp_execution_efficiency in percent, ncu's threads an instruction)
// are metrics of their own.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "timing/changes.h"

namespace lockstep::metrics {

struct Launch;

enum class Kind : std::uint8_t {
    counted,    // follows from the program alone: the same on every run and machine
    modelled,   // counted on our model of the compiler or the caches
    predicted,  // from the timing model
};

enum class Unit : std::uint8_t { count, percent, ratio, bytes, bytes_per_second, nanoseconds, cycles, hertz };

// Whose GPUs have such a number.
enum class Vendor : std::uint8_t { nvidia, amd, both };

struct Metric {
    std::vector<std::string> names;  // the first one is ours: ncu's name where it has one, else nvprof's
    Unit unit{};
    Kind kind{};
    std::vector<std::string>
        groups;  // time, branch, instructions, memory, shared, occupancy, stall, default; all have "all",
                 // and what a profiler of NVIDIA's would call all has "nvidia"
    std::string title;  // "Global Memory Load Efficiency", as nvprof's table shows it
    std::string definition;
    // Nothing where this launch or GPU has no such number.
    std::optional<double> (*value)(const Launch&) = nullptr;
    std::string share_of_peak{};  // of a throughput: the metric that has it as a share of the peak
    Vendor vendor = Vendor::nvidia;
};

std::span<const Metric> metrics();

// Nothing where the launch's GPU has no such number.
std::optional<double> value_of(const Metric& metric, const Launch& launch);

// The metric that has a launch's time without that.
std::string time_without(timing::Change change);

// A metric under the name that the user asked for.
struct Selected {
    const Metric* metric = nullptr;
    std::string name;
};

// Names, globs and groups, separated by commas. An unknown one is an error with the nearest names.
Result<std::vector<Selected>> select_metrics(std::string_view list);

}  // namespace lockstep::metrics
