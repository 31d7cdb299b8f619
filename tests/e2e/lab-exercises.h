// labs: each has a page with all its parts, and an exercise that can be solved and is not solved yet.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "process.h"

namespace lockstep::e2e {

// Registers a test for each lab of labs/order.txt. `run` runs a command in the project's root.
void register_lab_exercises(const std::filesystem::path& root,
                            const std::function<Outcome(const std::string& command)>& run);

}  // namespace lockstep::e2e
