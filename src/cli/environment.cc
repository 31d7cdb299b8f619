#include "cli/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lockstep::cli {

void set_variables(const Variables& variables) {
    for (const auto& [name, value] : variables)
        if (value.empty())
            unsetenv(name.c_str());
        else
            setenv(name.c_str(), value.c_str(), 1);
}

std::vector<std::string> environment_with(const Variables& variables,
                                          const std::vector<std::string>& without) {
    std::vector<std::string> result;
    for (char** at = environ; *at; ++at) {
        const std::string_view text = *at, name = text.substr(0, text.find('='));
        const bool changed = std::any_of(variables.begin(), variables.end(),
                                         [&](const auto& variable) { return variable.first == name; });
        const bool stays = std::any_of(without.begin(), without.end(),
                                       [&](const std::string& prefix) { return name.starts_with(prefix); });
        if (!changed && !stays) result.emplace_back(text);
    }
    for (const auto& [name, value] : variables)
        if (!value.empty()) result.push_back(name + "=" + value);
    return result;
}

}  // namespace lockstep::cli
