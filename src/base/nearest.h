// "Did you mean …?"
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// The names nearest to `word`, best first; none that is too far to be meant.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace lockstep
