// Two runs, or two kernels, side by side.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/run-reader.h"

namespace lockstep::report {

struct Side {
    const RunFile& run;
    std::optional<std::string> kernel;  // the only one, if given; matched as in expectations
    std::string label;
};

struct ComparedMetric {
    std::string name;
    const metrics::Metric* metric = nullptr;
    std::optional<double> a, b;  // averages over the launches
};

struct ComparedKernel {
    std::string a, b;  // names; one is empty where the other run has no such kernel
    std::vector<ComparedMetric> metrics;
};

// Kernels of the same name, or of the same name without parameters; a kernel given for both sides is compared
// with the other whatever their names.
Result<std::vector<ComparedKernel>> compare(const Side& a, const Side& b,
                                            std::span<const metrics::Selected> selected);

Document compare_report(const Side& a, const Side& b, std::span<const ComparedKernel> kernels);
std::string compare_json(const Side& a, const Side& b, std::span<const ComparedKernel> kernels);
std::string compare_csv(std::span<const ComparedKernel> kernels);

}  // namespace lockstep::report
