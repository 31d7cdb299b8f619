// What the machine does at a memory instruction of the PTX.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "counters/transactions.h"
#include "gpu/model.h"
#include "kernel/kernel.h"
#include "machine/view.h"

namespace lockstep::counters {

struct MachineAccess {
    // That a lane accesses. Of neighbouring accesses that became one wide access, the first has all bytes;
    // the others have 0, and nothing of them is counted.
    std::uint32_t bytes = 0;
    kernel::SiteKind kind = kernel::SiteKind::none;  // an atomic whose result nobody reads is a reduction
    // Where ptxas knows that all lanes have one address, it lets one lane act for them: 32-bit integers,
    // operations whose order does not matter.
    bool one_lane_for_all = false;
    bool compares = false;     // compare and swap …
    bool tries_again = false;  // … in a loop that compares with what the last round found
    bool adds_floats = false;  // an atomic addition of floating-point numbers
    // Of shared memory, that is itself a loop which compares and swaps: what a round issues. 0: it is none.
    std::uint8_t spin_instructions = 0;
    bool copies = false;  // of a copy from global to shared memory (cp.async)
    // Of global memory: a load that the L1 may not serve, and how requests become transactions.
    bool bypasses_l1 = false;
    Transactions transactions{};
};

// One for each of kernel.sites. `views`: one for each of its functions.
std::vector<MachineAccess> machine_accesses(const kernel::Kernel& kernel,
                                            std::span<const machine::View> views, const gpu::GpuModel& gpu);

std::string print(std::span<const MachineAccess> accesses, const kernel::Kernel& kernel);

}  // namespace lockstep::counters
