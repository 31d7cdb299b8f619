// A port from CUDA that takes a wavefront for a warp of 32 lanes: it compiles, and gives wrong sums.
#pragma once
#include <string>
#include <string_view>

namespace lockstep::compile {

// Warnings, with `file` and lines, of places in HIP's `source` where 32 stands for the number of lanes. Only
// where the source exchanges values between lanes: elsewhere 32 may be any number.
std::string hard_coded_lanes(const std::string& file, std::string_view source);

}  // namespace lockstep::compile
