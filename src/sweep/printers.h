// A sweep as a report, as JSON and as CSV.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "report/document.h"
#include "sweep/arrange.h"

namespace lockstep::sweep {

struct Shown {
    Sorting sorting;
    std::vector<metrics::Selected> metrics;  // columns beside the sorting one
    bool only_with_values = false;           // nobody asked for them by name: empty columns are left out
    std::string measured_on{};               // the real GPU that all points ran on; empty: simulated ones
};

// What is shown where the user names no metrics.
Result<std::vector<metrics::Selected>> default_metrics();

// A table a kernel, with what a reader must know, a line each, below it.
report::Document document(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown);
std::string json(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown);
std::string csv(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown);

}  // namespace lockstep::sweep
