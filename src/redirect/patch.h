// Makes functions of this process lead to others, by writing over their first instructions.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace lockstep::redirect {

struct Redirection {
    std::string name;           // for messages
    std::uint64_t address = 0;  // of the function in this process
    std::uint64_t room = 0;     // bytes that may be written there
    std::uint64_t target = 0;
    // Called instead of what the caller gave, where that is not 0: target(argument).
    std::uint64_t argument = 0;
};

// All of them or none. Nobody may be executing any of the functions.
Result<void> redirect(std::span<const Redirection> redirections);

}  // namespace lockstep::redirect
