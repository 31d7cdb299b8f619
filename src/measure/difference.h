// Predicted and measured side by side: launch by launch, metric by metric, and which part of the model is the
// likely cause where the times differ.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "report/document.h"
#include "report/run-reader.h"

namespace lockstep::measure {

struct MetricDifference {
    const metrics::Metric* metric = nullptr;
    std::string name;
    double predicted = 0, measured = 0;  // on average over the launches that have both

    // Of a percentage in points; else in relation to what was measured, nothing where that is 0.
    std::optional<double> error() const;
    // To sort by: a difference of 10 points is as bad as one of 10 %; of small figures it counts less.
    double badness() const;
};

struct KernelDifference {
    std::string kernel;
    std::uint64_t launches = 0;  // that were paired: the same shape, in the same order
    std::uint64_t only_predicted = 0, only_measured = 0;
    double predicted_time = 0, measured_time = 0;  // ns, of all paired launches
    std::vector<double> launch_errors;             // of each paired launch's time, relative
    std::vector<MetricDifference> metrics;         // the worst first
    std::string cause;                             // a sentence; empty: the times agree

    std::optional<double> time_error() const;  // relative
};

// From which difference of times on a cause is looked for.
constexpr double agreement = 0.05;

// Kernels that are in both, the worst time first; those of one run alone stand behind.
Result<std::vector<KernelDifference>> differences(const report::RunFile& predicted,
                                                  const report::RunFile& measured,
                                                  std::span<const metrics::Selected> selected);

struct DifferenceView {
    std::size_t most_metrics = 8;  // of a kernel
    double least = agreement;      // smaller differences are left out
    std::size_t width = 80;        // of the terminal
};
report::Document difference_report(const report::RunFile& predicted, const report::RunFile& measured,
                                   std::span<const KernelDifference> kernels, const DifferenceView& view);
std::string difference_json(const report::RunFile& predicted, const report::RunFile& measured,
                            std::span<const KernelDifference> kernels);

}  // namespace lockstep::measure
