// What a vendor's tool prints.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compile/process.h"

namespace lockstep::measure {

Result<compile::Finished> ask_tool(const compile::Arguments& command);

// "nvcc 13.0": the tool's name and what its --version prints behind `key`, up to one of `ends`; the name
// alone where it does not say.
std::string name_and_version(const std::filesystem::path& tool, std::string_view key, const char* ends);

}  // namespace lockstep::measure
