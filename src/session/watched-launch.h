// Runs a launch watched: counted, and timed on the model.
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

// `gpu` must outlive the result.
WatchedLaunch run_watched(Function& function, const exec::Launch& launch, const gpu::GpuModel& gpu,
                          const WatchOptions& options, exec::LaunchStats* stats);

}  // namespace lockstep::session
