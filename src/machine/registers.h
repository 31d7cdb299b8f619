// How many registers a thread would get.
#pragma once
#include <cstdint>

#include "machine/selection.h"

namespace lockstep::machine {

std::uint32_t estimate_registers(Selection& selection, const gpu::GpuModel& gpu);

}  // namespace lockstep::machine
