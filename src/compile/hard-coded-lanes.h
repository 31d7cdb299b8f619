// A port from CUDA that takes a wavefront for a warp of 32 lanes: it compiles, and gives wrong sums.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::compile {

struct LaneSource {
    std::string file;  // for messages
    std::string text;
};

// Warnings, with files and lines, of places in a HIP program's own sources where 32 stands for the number of
// lanes. Only in functions that exchange values between the lanes of a whole wavefront, and in their callers:
// elsewhere 32 may be any number, and a width of 32 that is said to __shfl makes it right.
std::string hard_coded_lanes(const std::vector<LaneSource>& sources);

}  // namespace lockstep::compile
