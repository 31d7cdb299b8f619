// A run as data for the page's script: what it holds is documented where it is made, and read in
// assets/data.js.
#pragma once
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "page/metric-list.h"
#include "page/page.h"

namespace lockstep::page {

Result<nlohmann::json> run_data(const RunInput& input, const MetricList& metrics);

}  // namespace lockstep::page
