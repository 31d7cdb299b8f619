// A launch that a real GPU ran, with the figures that its vendor's tool tells of it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::measure {

struct MeasuredLaunch {
    std::string kernel;  // demangled
    std::uint64_t process = 0;
    int device = 0;
    std::uint64_t stream = 1;        // timing::StreamId
    std::string compute_capability;  // "9.0", "gfx90a"; empty: not told
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    // By the tool's names; ncu's in its base units: bytes, nanoseconds, hertz, percent.
    std::map<std::string, double, std::less<>> values;

    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    std::uint64_t block_threads() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

// The time of a launch goes by this name, whoever measured it: nanoseconds.
inline constexpr const char* duration_name = "gpu__time_duration.sum";

// "neighbored(int*,int*,unsigned int)" for comparisons: versions of tools and of compilers differ in blanks.
std::string spelled(std::string_view kernel);

}  // namespace lockstep::measure
