// Settings for the runtime library, as environment variables.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cli {

// Name and value; an empty value: the variable is not there.
using Variables = std::vector<std::pair<std::string, std::string>>;

// In this process.
void set_variables(const Variables& variables);

// For another process: "NAME=value" of this one's, changed. Variables whose name begins with one of
// `without` stay here.
std::vector<std::string> environment_with(const Variables& variables,
                                          const std::vector<std::string>& without);

}  // namespace lockstep::cli
