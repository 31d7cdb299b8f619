// Why one row of a sweep is slower than the best one, in a few words. Only what was counted or predicted and
// the GPU's figures decide; nothing is known of the row's name.
#pragma once
#include <string>

#include "gpu/model.h"
#include "sweep/outcome.h"

namespace lockstep::sweep {

struct Facts {
    const KernelOutcome& kernel;
    const gpu::GpuModel& gpu;
};

// `ratio` is the row's time over the best one's. Empty where nothing that we know tells them apart.
std::string why_slower(const Facts& row, const Facts& best, double ratio);

}  // namespace lockstep::sweep
