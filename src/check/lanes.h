// Lanes as records have them, and a loop over them.
#pragma once
#include <bit>
#include <cstdint>

#include "kernel/lanes.h"

namespace lockstep::check {

using kernel::warp_lanes;
using Lanes = std::uint32_t;              // a bit each
constexpr std::uint32_t most_warps = 64;  // of a block

// Calls f(lane) for each, lowest first.
template <class F>
void each_lane(Lanes lanes, F f) {
    for (; lanes; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

}  // namespace lockstep::check
