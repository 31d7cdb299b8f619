// What nvprof calls a transaction of global memory (coalescing.h says how requests become them).
#pragma once
#include <cstdint>

#include "gpu/model.h"

namespace lockstep::counters {

enum class Transactions : std::uint8_t { sectors, lines, whole_lines };

inline bool transactions_are_lines(const gpu::GpuModel& gpu) { return gpu.compute_major < 5; }

}  // namespace lockstep::counters
