// Runs a launch watched: counted, and timed on the model.
#pragma once
#include <optional>

#include "counters/launch-counts.h"
#include "exec/engine.h"
#include "gpu/model.h"
#include "session/modules.h"

namespace lockstep::session {

struct WatchedLaunch {
    std::optional<exec::Fault> fault;
    // Nothing where the kernel cannot be compiled. Without a fault it has a prediction.
    std::optional<counters::LaunchCounts> counts;
};

// `gpu` must outlive the result. `max_registers`: -maxrregcount, or 0.
WatchedLaunch run_watched(Function& function, const exec::Launch& launch, const gpu::GpuModel& gpu,
                          int max_registers, exec::LaunchStats* stats);

}  // namespace lockstep::session
