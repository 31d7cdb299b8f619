// The kernels of a run as data for the page's script.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "explain/finding.h"
#include "page/metric-list.h"
#include "report/run-reader.h"

namespace lockstep::page {

// Kernels with code and pictures, and with metrics: those that take most time. Of others the page has time,
// bound and findings.
inline constexpr std::size_t most_detailed_kernels = 100, most_measured_kernels = 1000;
// Rows of launches in the page, of one kernel.
inline constexpr std::size_t most_launches = 200;

struct KernelsData {
    nlohmann::json kernels;          // those that take most time first
    nlohmann::json program;          // what was found in it as a whole, and between the steps of a ladder
    std::vector<std::string> files;  // sources, by the number that instructions have
};

Result<KernelsData> kernels_data(const report::RunFile& run, const MetricList& metrics,
                                 const explain::Explanation& explained);

}  // namespace lockstep::page
