// How many registers a thread would get.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/selection.h"

namespace lockstep::machine {

struct RegisterEstimate {
    std::uint32_t wanted = 0;  // with loads issued early
    std::uint32_t values = 0;  // alive at once, as the code stands
    std::uint32_t room = 0;    // for values, while code is put into order
};
RegisterEstimate estimate_registers(Selection& selection, const gpu::GpuModel& gpu);

// By register of the kernel: how many of the machine's it takes while it is alive.
std::vector<int> register_costs(Selection& selection);

}  // namespace lockstep::machine
