// What a profile knows of a kernel before it runs: how the machine sees it, and its instructions with their
// places in PTX and source.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "counters/launch-counts.h"
#include "events/observer.h"
#include "gpu/model.h"
#include "machine/view.h"
#include "report/result.h"
#include "timing/code.h"

namespace lockstep::session {

// One compilation of the kernel: there is one for blocks whose rows are warps, and one for others.
struct ProfiledVariant {
    const events::ObservedKernel* kernel = nullptr;
    std::vector<machine::View> views;
    std::vector<counters::MachineAccess> accesses;
    timing::Code code;
};

struct ProfiledKernel {
    std::vector<ProfiledVariant> variants;
    // Every PTX instruction and terminator, and before each block what the machine adds there. The same for
    // all variants.
    std::vector<report::InstructionCounts> instructions;
    std::vector<std::vector<std::size_t>> first;  // by function and block: where its instructions begin
    std::optional<std::int64_t> id;               // in the run file

    // Of what has function, block and instruction as counters::InstructionCounts.
    std::size_t position(const auto& place) const {
        return first[place.function][place.block] + static_cast<std::size_t>(place.instruction + 1);
    }
    const ProfiledVariant* find(const events::ObservedKernel& kernel) const;
};

// `rows`: as kernel::find_shapes has it. `max_registers`: -maxrregcount, or 0.
ProfiledVariant look_at(const events::ObservedKernel& kernel, const gpu::GpuModel& gpu, bool rows,
                        int max_registers);

// Fills `instructions` and `first`.
void list_instructions(const ProfiledVariant& variant, ProfiledKernel& profiled);

// The counts of a launch, at their places in ProfiledKernel::instructions.
std::vector<report::InstructionCounts> place_counts(const ProfiledKernel& profiled,
                                                    const counters::LaunchCounts& counts);

}  // namespace lockstep::session
