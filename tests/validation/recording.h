// What a GPU counted or took: a CSV file with a row for each launch.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::validation {

using Shape = std::array<std::uint32_t, 3>;

struct Row {
    std::string program, kernel;  // the kernel's name as Nsight Compute writes it
    Shape grid{1, 1, 1}, block{1, 1, 1};
    std::string gpu{}, source{};           // where a file has launches of several
    int launches = 1;                      // of which the values are the median
    std::map<std::string, double> values;  // by metric; without those that the GPU did not give

    std::uint64_t blocks() const { return std::uint64_t(grid[0]) * grid[1] * grid[2]; }
    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

// The cells of a CSV text, line by line; cells may be quoted.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// Needs the columns program, kernel, grid and block; may have gpu, source and launches. All others hold
// numbers, and cells without one.
Result<std::vector<Row>> read_recording(const std::filesystem::path& file);

std::string to_string(const Shape& shape);  // "(64,64,1)"

}  // namespace lockstep::validation
