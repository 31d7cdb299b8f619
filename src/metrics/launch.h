// All that metrics are functions of: what was counted of a launch, and what the timing model predicts of it.
#pragma once
#include <optional>

#include "counters/launch-counts.h"
#include "gcn/counts.h"
#include "timing/prediction.h"

namespace lockstep::metrics {

struct Launch : counters::LaunchCounts {
    std::optional<gcn::LaunchCounts> waves;        // of AMD's machine code; nothing: it was PTX
    std::optional<timing::Prediction> prediction;  // nothing: the timing model did not watch
};

}  // namespace lockstep::metrics
