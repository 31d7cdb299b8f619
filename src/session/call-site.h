// Where a program called: the addresses of its stack, kept cheaply, from which lines are found when they are
// told (exec/host-lines.h).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "check/finding.h"

namespace lockstep::session {

struct CallSite {
    std::vector<std::uintptr_t> addresses;  // the innermost first; empty: not known
    bool operator==(const CallSite&) const = default;
    auto operator<=>(const CallSite&) const = default;
};

// Of the call of the API that this thread is in; frames of this library are left out.
CallSite calling();

// The place of the call itself with the role, then those that it was called from. Nothing where no line or
// function of it is known.
std::vector<check::Place> places_of(const CallSite& site, const std::string& role);
// … the call itself alone.
check::Place place_of(const CallSite& site, const std::string& role);
// Whether it is kernel<<<…>>>(…), whose error nobody gets.
bool is_triple_chevron(const CallSite& site);

}  // namespace lockstep::session
