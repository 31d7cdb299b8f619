// The words for what the timing model says: what bounds a launch, what warps do. The only place that has
// them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "counters/prediction.h"

namespace lockstep::report {

// Warp cycles by counters::WarpState.
using WarpCycles = std::array<std::uint64_t, counters::warp_states>;

std::uint64_t total(const WarpCycles& cycles);
counters::WarpState main_state(const WarpCycles& cycles);

// "memory bandwidth", after "bound by".
std::string_view bound_text(counters::Bound bound);
// What that means, in a line.
std::string_view bound_explanation(counters::Bound bound);

// "waiting for global or local memory"
std::string_view state_text(counters::WarpState state);
// The same in a word of at most eight letters: "memory".
std::string_view state_word(counters::WarpState state);

// The largest states, three at most: "62 % waiting for global or local memory, 11 % at barriers". Empty where
// no warp ran.
std::string states_text(const WarpCycles& cycles);

}  // namespace lockstep::report
