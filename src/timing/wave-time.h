// The time of a launch of AMD's machine code, from what was counted of it: the busiest unit of a compute
// unit, or the memory, or what its wavefronts wait for where too few of them are there to hide it. No
// wavefront is replayed: it is a model of bounds, which no AMD GPU was at hand to check.
#pragma once
#include <vector>

#include "gcn/counts.h"
#include "gpu/model.h"
#include "gpu/occupancy.h"
#include "timing/prediction.h"

namespace lockstep::timing {

// How a launch is imagined to be, beyond other counts and another GPU (timing/wave-imagine.h).
struct ImaginedWaves {
    bool no_scratch = false;      // nothing is kept in scratch memory
    bool lds_by_name = false;     // flat accesses that reach the LDS are instructions of the LDS
    bool even_blocks = false;     // no compute unit has more of them than another
    bool repeats_in_lds = false;  // what loads find in the L1 comes from the LDS
    std::vector<bool> divisions;  // by instruction: it is part of an integer division, and takes nothing
    std::uint32_t resident = 0;   // blocks of a compute unit at once; 0: as many as fit
};

struct WaveLaunch {
    const gcn::Kernel& kernel;
    const gcn::LaunchCounts& counts;
    const gpu::GpuModel& gpu;
    std::uint32_t block_threads = 1;
    std::uint32_t lds_bytes = 0;  // of a work-group, with what the launch adds
    ImaginedWaves imagined = {};

    bool left_out(std::size_t instruction) const {
        return instruction < imagined.divisions.size() && imagined.divisions[instruction];
    }
    // What the instruction did to memory; null: nothing that was counted.
    const gcn::SiteCounts* site(std::size_t instruction) const {
        return instruction < counts.sites.size() ? &counts.sites[instruction] : nullptr;
    }
};

// How long the vector units are busy, in cycles of one, and lanes in each of these cycles.
struct VectorWork {
    double cycles = 0, lane_cycles = 0;
    double matrix_cycles = 0;  // of the matrix units
};
// Which of AMD's slower rates a vector instruction is executed at.
enum class VectorRate : std::uint8_t { plain, matrix, fp64, special, product, shift64 };
VectorRate vector_rate(const gcn::Instruction& instruction);
VectorWork vector_work(const WaveLaunch& launch);

// Vector registers as the hardware gives them to a lane.
gpu::Occupancy wave_occupancy(const WaveLaunch& launch);
Prediction predict_waves(const WaveLaunch& launch);

}  // namespace lockstep::timing
