// What is said of a name that nobody knows.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/nearest.h"

namespace lockstep::base {

// "there is no command 'profil'; did you mean profile?", or which there are.
inline std::string unknown_name(const std::string& kind, const std::string& name,
                                const std::vector<std::string>& known) {
    const auto near = nearest(name, known);
    return fmt::format("there is no {} '{}'; {}", kind, name,
                       near.empty() ? fmt::format("the {}s are {}", kind, fmt::join(known, ", "))
                                    : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace lockstep::base
