// Changes PTX text line by line: a line of PTX is an instruction, so most of what comes out can still be parsed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::fuzz {

std::string mutate_ptx(std::string_view text, std::uint32_t seed);

}  // namespace lockstep::fuzz
