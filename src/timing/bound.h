// What bounds a launch: the resource that is busiest, or what its warps wait for where none is busy.
#pragma once
#include "gpu/model.h"
#include "timing/prediction.h"
#include "timing/replay.h"

namespace lockstep::timing {

// `sums` of `sms` SMs; `used`: SMs of the GPU that have any block; `overhead`: cycles that the launch takes
// besides.
timing::Bound find_bound(const ReplaySums& sums, const gpu::GpuModel& gpu, std::uint32_t sms,
                         std::uint32_t used, double overhead);

}  // namespace lockstep::timing
