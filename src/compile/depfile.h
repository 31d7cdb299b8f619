// The dependency files that compilers write with -MD: Makefile syntax.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::compile {

// What stands right of the first colon.
std::vector<std::filesystem::path> parse_depfile(const std::string& text);

}  // namespace lockstep::compile
