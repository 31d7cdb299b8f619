// All that metrics are functions of: what was counted of a launch, and what the timing model predicts of it.
#pragma once
#include <optional>
#include <vector>

#include "counters/launch-counts.h"
#include "gcn/counts.h"
#include "timing/prediction.h"

namespace lockstep::metrics {

struct Launch : counters::LaunchCounts {
    std::optional<gcn::LaunchCounts> waves;  // of AMD's machine code; nothing: it was PTX
    // Words of shared memory that lanes accessed just after another lane of their warp, one of them writing.
    struct Unsynchronised {
        std::uint32_t function = 0, block = 0, instruction = 0;  // of kernel::Kernel
        std::uint64_t meetings = 0;
    };
    std::vector<Unsynchronised> unsynchronised;
    // Blocks that were executed, where not all were: the counts are estimates. 0: all.
    std::uint64_t executed_blocks = 0;
    std::optional<timing::Prediction> prediction;  // nothing: the timing model did not watch
};

}  // namespace lockstep::metrics
