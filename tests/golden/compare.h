// Is a result the recorded one, or within the case's tolerance of it?
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "golden/cases.h"
#include "golden/inputs.h"

namespace lockstep::golden {

// The first element that differs, in words: operands, what the GPU computed, what we got. Nothing if all
// agree.
std::optional<std::string> first_difference(const Case& c, const Inputs& inputs,
                                            const std::vector<std::uint8_t>& expected,
                                            const std::uint8_t* got);

}  // namespace lockstep::golden
