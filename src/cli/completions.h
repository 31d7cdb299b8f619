// Scripts by which shells complete the command line, made from what the commands say of themselves.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command-line.h"

namespace lockstep::cli {

// `shell`: bash, zsh or fish. `models`: names of GPU models, for --gpu.
Result<std::string> completions(const std::string& shell, const std::vector<DescribedCommand>& commands,
                                const std::vector<std::string>& models);

}  // namespace lockstep::cli
