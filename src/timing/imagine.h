// A launch as it would be without one thing that costs it time. What was recorded is changed, and replayed by
// the same model: the difference is what that thing costs.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/model.h"
#include "timing/changes.h"
#include "timing/code.h"
#include "timing/l2-sample.h"
#include "timing/trace.h"

namespace lockstep::timing {

// What a replay is made of.
struct Replayable {
    gpu::GpuModel gpu;
    Code code;
    std::vector<BlockTrace> traces;
    std::uint32_t resident = 1;       // blocks of an SM
    std::uint32_t sms = 1;            // that are replayed …
    std::uint32_t sms_used = 1;       // … of those that have work
    std::uint32_t block_threads = 1;  // of a block
    std::uint64_t grid_blocks = 1;
    L2Outcome l2;
    double times = 1;  // that it takes as long, beyond what every launch takes
};

// The launch without that; nothing where it has nothing of the kind. `full_resident`: the blocks that an SM
// would hold if only their warps counted.
std::optional<Replayable> without(Change change, const Replayable& launch, const kernel::Kernel& kernel,
                                  std::uint32_t full_resident);

}  // namespace lockstep::timing
