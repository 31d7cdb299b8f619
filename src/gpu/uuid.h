// What tells one device from another, as programs and nvidia-smi see it.
#pragma once
#include <array>

#include "gpu/model.h"

namespace lockstep::gpu {

std::array<char, 16> uuid_of(const GpuModel& model, int device);

}  // namespace lockstep::gpu
