// tests/check: programs with a bug each, and correct ones.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "process.h"

namespace lockstep::e2e {

// Registers a test for each. `run` runs a command in a temporary folder, which it gets too.
using RunInFolder =
    std::function<Outcome(const std::function<std::string(const std::filesystem::path&)>& command,
                          const std::function<void(const std::filesystem::path&)>& after)>;
void register_check_programs(const std::filesystem::path& folder, const RunInFolder& run);

}  // namespace lockstep::e2e
