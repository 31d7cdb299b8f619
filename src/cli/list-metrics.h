// The list of metrics, for `--list-metrics`.
#pragma once
#include <span>
#include <string>

#include "metrics/metric.h"

namespace lockstep::cli {

std::string list_metrics(std::span<const metrics::Selected> selected);
std::string list_metrics_json(std::span<const metrics::Selected> selected);

}  // namespace lockstep::cli
