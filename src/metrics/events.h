// nvprof's events: counts of the table of metrics under the names that nvprof has for them on a GPU.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "metrics/metric.h"

namespace lockstep::metrics {

struct Event {
    const char* name;
    const char* metric;   // a name of the metric that counts it
    int first, last;      // compute capabilities with it, 10 × major + minor
    const char* meaning;  // in a line
};

// nvprof profiles no GPU after this.
constexpr int last_of_nvprof = 72;

// Those that nvprof has for a GPU; all of them where it has none because the GPU is newer.
std::vector<Event> events_of(int compute_capability);

// Names separated by commas, or "all". An unknown one is an error with the nearest.
Result<std::vector<Selected>> select_events(std::string_view list, int compute_capability);

}  // namespace lockstep::metrics
