// Tables with double lines around their heads, as omniperf prints them. Numbers stand at the right.
#pragma once
#include <string>
#include <vector>

namespace lockstep::report {

struct FancyColumn {
    std::string name;
    bool right = false;
};

// Cells may have several lines.
std::string fancy_grid(const std::vector<FancyColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace lockstep::report
