// What a profile knows of a kernel before it runs: how the machine sees it, and its instructions with their
// places in PTX and source.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "exec/engine.h"
#include "gpu/model.h"
#include "metrics/launch.h"
#include "pipeline/pipeline.h"
#include "report/result.h"
#include "session/moved-launches.h"
#include "session/repeated-launches.h"

namespace lockstep::session {

struct ProfiledKernel {
    // One for blocks whose rows are warps, and one for others, as they are needed.
    std::deque<pipeline::Derived> variants;  // launches that are under way refer to them
    // Every PTX instruction and terminator, and before each block what the machine adds there. The same for
    // all variants; there once list_instructions has been called.
    std::vector<report::InstructionCounts> instructions;
    std::vector<std::vector<std::size_t>> first;  // by function and block: where its instructions begin
    std::optional<std::int64_t> id;               // in the run file
    RepeatedLaunches repeated;
    MovedLaunches moved;

    // Of what has function, block and instruction as counters::InstructionCounts.
    std::size_t position(const auto& place) const {
        return first[place.function][place.block] + static_cast<std::size_t>(place.instruction + 1);
    }
};

// The kernel as the GPU would run it, derived when a launch first needs it.
const pipeline::Derived& variant_for(ProfiledKernel& profiled, std::shared_ptr<const kernel::Kernel> kernel,
                                     const gpu::GpuModel& gpu);

void list_instructions(ProfiledKernel& profiled);
// Of AMD's machine code.
void list_wave_instructions(ProfiledKernel& profiled, const exec::Kernel& kernel);
std::vector<report::InstructionCounts> place_wave_counts(const exec::Kernel& kernel,
                                                         const metrics::Launch& counts);

// The counts of a launch, at their places in ProfiledKernel::instructions.
std::vector<report::InstructionCounts> place_counts(const ProfiledKernel& profiled,
                                                    const metrics::Launch& counts);

}  // namespace lockstep::session
