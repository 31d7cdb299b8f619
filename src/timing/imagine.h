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
    std::uint32_t resident = 1;  // blocks of an SM
    L2Outcome l2;
};

// The launch without that; nothing where it has nothing of the kind. `full_resident`: the blocks that an SM
// would hold if only their warps counted.
std::optional<Replayable> without(Change change, const Replayable& launch, const kernel::Kernel& kernel,
                                  std::uint32_t full_resident);

}  // namespace lockstep::timing
