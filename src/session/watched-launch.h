// Runs a launch watched: timed on the model, and counted where somebody wants that.
#pragma once
#include <optional>

#include "exec/engine.h"
#include "gpu/model.h"
#include "metrics/launch.h"
#include "session/modules.h"
#include "session/options.h"

namespace lockstep::session {

struct WatchedLaunch {
    std::optional<exec::Fault> fault;
    // Nothing where the kernel cannot be compiled. Without a fault it has a prediction.
    std::optional<metrics::Launch> counts;
};
struct TimedLaunch {
    std::optional<exec::Fault> fault;
    std::optional<timing::Prediction> prediction;  // unless it faulted
    std::uint64_t executed_blocks = 0;             // as metrics::Launch has it
};

// `gpu` must outlive the result, and is the same for all of a function's launches, as `options` are but for
// the host's memory and whether there is a sample, unless each is to be watched. `carveout`: as
// gpu::BlockDemand has it.
WatchedLaunch run_watched(Function& function, const exec::Launch& launch, int carveout,
                          const gpu::GpuModel& gpu, const WatchOptions& options, exec::LaunchStats* stats);
// From a thinner sample, and little more than it takes unwatched.
TimedLaunch run_timed(Function& function, const exec::Launch& launch, int carveout, const gpu::GpuModel& gpu,
                      const WatchOptions& options);

}  // namespace lockstep::session
