#include "page/metric-list.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "metrics/metrics-doc.h"

namespace lockstep::page {
namespace {

const report::Aggregate* value_of(const report::RunFile& run, const report::KernelResult& kernel,
                                  const metrics::Metric& metric) {
    const auto index = run.metric(metric.names[0]);
    return index && kernel.metrics[*index].count != 0 ? &kernel.metrics[*index] : nullptr;
}

}  // namespace

nlohmann::json number(double value) {
    if (!std::isfinite(value)) return nullptr;
    if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::strtod(text, nullptr);
}

MetricList::MetricList(const std::vector<RunInput>& runs) {
    for (const metrics::Metric& metric : metrics::metrics()) {
        const bool used = std::any_of(runs.begin(), runs.end(), [&](const RunInput& input) {
            return std::any_of(
                input.run->kernels.begin(), input.run->kernels.end(),
                [&](const report::KernelResult& kernel) { return value_of(*input.run, kernel, metric); });
        });
        if (used) metrics_.push_back(&metric);
    }
}

nlohmann::json MetricList::definitions() const {
    nlohmann::json list = nlohmann::json::array();
    for (const metrics::Metric* metric : metrics_)
        list.push_back({{"names", metric->names},
                        {"unit", metrics::unit_name(metric->unit)},
                        {"kind", metrics::kind_name(metric->kind)},
                        {"groups", metric->groups},
                        {"title", metric->title},
                        {"definition", metric->definition}});
    return list;
}

nlohmann::json MetricList::averages(const report::RunFile& run, const report::KernelResult& kernel) const {
    nlohmann::json list = nlohmann::json::array();
    for (const metrics::Metric* metric : metrics_) {
        const report::Aggregate* value = value_of(run, kernel, *metric);
        list.push_back(value ? number(value->average()) : nlohmann::json());
    }
    return list;
}

nlohmann::json MetricList::spreads(const report::RunFile& run, const report::KernelResult& kernel) const {
    nlohmann::json spreads = nlohmann::json::object();
    for (std::size_t m = 0; m < metrics_.size(); ++m)
        if (const report::Aggregate* value = value_of(run, kernel, *metrics_[m]);
            value && value->min != value->max)
            spreads[std::to_string(m)] = {number(value->min), number(value->max)};
    return spreads;
}

}  // namespace lockstep::page
