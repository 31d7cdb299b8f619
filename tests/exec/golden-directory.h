// Where the conformance cases and what a GPU made of them are.
#pragma once
#include <string>

inline const std::string golden_directory = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/golden";
