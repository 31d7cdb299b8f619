// The manual page, made from what the commands say of themselves.
#pragma once
#include <string>
#include <vector>

#include "cli/command-line.h"

namespace lockstep::cli {

// For man(1), in its own language.
std::string manual(const std::string& version, const std::string& description, const std::string& examples,
                   const std::vector<DescribedCommand>& commands);

}  // namespace lockstep::cli
