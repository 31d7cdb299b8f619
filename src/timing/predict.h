// From what was recorded of a launch to its predicted time.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "counters/launch-counts.h"
#include "counters/prediction.h"
#include "events/observer.h"
#include "timing/code.h"
#include "timing/recorder.h"

namespace lockstep::timing {

// Watches one launch. Make it before, give its observers to the engine, ask it after.
class Predictor {
  public:
    // All must outlive it. `resident`: blocks that an SM holds.
    Predictor(const events::ObservedKernel& kernel, const Code& code,
              std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu,
              const counters::LaunchConfig& config, const gpu::Occupancy& occupancy,
              const gpu::SharedConfiguration& shared, std::size_t workers);

    events::Observer& observer(std::size_t worker) { return recorders_[worker]; }
    counters::Prediction predict();

  private:
    struct Collected;
    Collected collect();

    const events::ObservedKernel& kernel_;
    const Code& code_;
    std::span<const counters::MachineAccess> accesses_;
    const gpu::GpuModel& gpu_;
    std::uint64_t blocks_;
    std::uint32_t resident_, warps_;
    std::uint64_t l1_bytes_;
    BlockChoice choice_;
    RecorderState state_;
    std::vector<Recorder> recorders_;
};

}  // namespace lockstep::timing
