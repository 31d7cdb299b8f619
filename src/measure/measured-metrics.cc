#include "measure/measured-metrics.h"

#include <algorithm>

#include "measure/ncu-metrics.h"
#include "measure/real-gpu.h"
#include "measure/rocprof-metrics.h"

namespace lockstep::measure {
namespace {

std::optional<double> value_in(const MeasuredLaunch& launch, const metrics::Metric& metric, Vendor vendor) {
    const auto formulas = vendor == Vendor::amd ? rocprof_formulas() : ncu_formulas();
    if (const auto value = value_of(formulas, metric, launch.values)) return value;
    for (const std::string& name : metric.names)
        if (const auto found = launch.values.find(name); found != launch.values.end()) return found->second;
    return {};
}

}  // namespace

std::vector<metrics::Selected> metrics_of(metrics::Vendor vendor) {
    if (vendor != Vendor::amd) return *metrics::select_metrics("nvidia");
    std::vector<metrics::Selected> all = *metrics::select_metrics("all");
    std::erase_if(all, [](const metrics::Selected& one) {
        return one.metric->vendor == Vendor::nvidia ||
               std::ranges::find(one.metric->groups, "what-if") != one.metric->groups.end();
    });
    return all;
}

std::vector<std::optional<double>> metric_values(const MeasuredLaunch& launch) {
    const Vendor own = vendor_of(launch.compute_capability);
    std::vector<std::optional<double>> values;
    for (const metrics::Metric& metric : metrics::metrics())
        values.push_back(metric.vendor == Vendor::both || metric.vendor == own ? value_in(launch, metric, own)
                                                                               : std::nullopt);
    return values;
}

}  // namespace lockstep::measure
