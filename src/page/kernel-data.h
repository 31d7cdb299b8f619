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

// Kernels with code, findings and pictures of their own: those that take most time. Of others the page has
// figures only.
inline constexpr std::size_t most_detailed_kernels = 100;
// Rows of launches in the page, of one kernel.
inline constexpr std::size_t most_launches = 200;

struct KernelsData {
    nlohmann::json kernels;          // those that take most time first
    std::vector<std::string> files;  // sources, by the number that instructions have
};

Result<KernelsData> kernels_data(const report::RunFile& run, const MetricList& metrics,
                                 const std::vector<explain::KernelFindings>& findings);

}  // namespace lockstep::page
