// Theoretical occupancy is arithmetic on registers, shared memory and threads: with ptxas' own registers it
// must come out as Nsight Compute reports it.
#pragma once
#include "gpu/model.h"
#include "recording.h"

namespace lockstep::validation {

struct OccupancyNumber {
    std::string metric;
    double recorded = 0, ours = 0;
};

std::vector<OccupancyNumber> occupancy_numbers(const Row& recorded, const gpu::GpuModel& gpu);

}  // namespace lockstep::validation
