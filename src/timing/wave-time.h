// The time of a launch of AMD's machine code, from what was counted of it: the busiest unit of a compute
// unit, or the memory, or what its wavefronts wait for where too few of them are there to hide it. No
// wavefront is replayed: it is a model of bounds, which no AMD GPU was at hand to check.
#pragma once
#include "gcn/counts.h"
#include "gpu/model.h"
#include "gpu/occupancy.h"
#include "timing/prediction.h"

namespace lockstep::timing {

struct WaveLaunch {
    const gcn::Kernel& kernel;
    const gcn::LaunchCounts& counts;
    const gpu::GpuModel& gpu;
    std::uint32_t block_threads = 1;
    std::uint32_t lds_bytes = 0;  // of a work-group, with what the launch adds
};

// How long the vector units are busy, in cycles of one, and lanes in each of these cycles.
struct VectorWork {
    double cycles = 0, lane_cycles = 0;
};
VectorWork vector_work(const WaveLaunch& launch);

// Vector registers as the hardware gives them to a lane.
gpu::Occupancy wave_occupancy(const WaveLaunch& launch);
Prediction predict_waves(const WaveLaunch& launch);

}  // namespace lockstep::timing
