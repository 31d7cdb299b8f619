// The words for what the timing model says: what bounds a launch, what warps do. The only place that has
// them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "timing/prediction.h"

namespace lockstep::report {

// Warp cycles by timing::WarpState.
using WarpCycles = std::array<std::uint64_t, timing::warp_states>;

std::uint64_t total(const WarpCycles& cycles);
timing::WarpState main_state(const WarpCycles& cycles);

// "memory bandwidth", after "bound by".
std::string_view bound_text(timing::Bound bound);
// What that means, in a line.
std::string_view bound_explanation(timing::Bound bound);

// "waiting for global or local memory"
std::string_view state_text(timing::WarpState state);
// The same in a word of at most eight letters: "memory".
std::string_view state_word(timing::WarpState state);

// The largest states, three at most: "62 % waiting for global or local memory, 11 % at barriers". Empty where
// no warp ran.
std::string states_text(const WarpCycles& cycles);

}  // namespace lockstep::report
