// docs/metrics.md, written from the table so that the two cannot disagree.
#pragma once
#include <string>
#include <string_view>

#include "metrics/metric.h"

namespace lockstep::metrics {

std::string_view unit_name(Unit unit);  // "%", "bytes/s"; empty for counts
std::string_view kind_name(Kind kind);

std::string metrics_document();  // Markdown, with a final newline

}  // namespace lockstep::metrics
