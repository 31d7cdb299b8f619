// Figures of a GPU model that must agree with each other.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "gpu/model.h"

namespace lockstep::gpu {

struct Inconsistency {
    std::string_view key;   // the figure to look at first
    std::string complaint;  // "is more than an SM has"
};

std::optional<Inconsistency> inconsistency(const GpuModel& model);

}  // namespace lockstep::gpu
