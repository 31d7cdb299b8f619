#include "timing/prediction.h"

namespace lockstep::timing {
namespace {

// In the order of Bound.
constexpr std::array<std::string_view, 15> bound_names = {
    "launch_overhead",  "block_rate",         "dram_bandwidth", "l2_bandwidth", "l1_bandwidth",
    "shared_bandwidth", "constant_memory",    "texture_units",  "issue_slots",  "arithmetic",
    "memory_latency",   "arithmetic_latency", "barriers",       "atomics",      "tail",
};
static_assert(bound_names.size() == static_cast<std::size_t>(Bound::tail) + 1);

// In the order of WarpState.
constexpr std::array<std::string_view, warp_states> state_names = {
    "selected",
    "not_selected",
    "long_scoreboard",
    "short_scoreboard",
    "barrier",
    "wait",
    "math_pipe_throttle",
    "lg_throttle",
    "mio_throttle",
    "branch_resolving",
    "no_instruction",
    "drain",
    "membar",
    "imc_miss",
};
static_assert(warp_states == static_cast<std::size_t>(WarpState::imc_miss) + 1);

}  // namespace

std::string_view state_name(WarpState state) { return state_names[static_cast<std::size_t>(state)]; }

std::optional<WarpState> find_state(std::string_view name) {
    for (std::size_t s = 0; s < state_names.size(); ++s)
        if (state_names[s] == name) return static_cast<WarpState>(s);
    return {};
}

std::string_view bound_name(Bound bound) { return bound_names[static_cast<std::size_t>(bound)]; }

std::optional<Bound> find_bound(std::string_view name) {
    for (std::size_t b = 0; b < bound_names.size(); ++b)
        if (bound_names[b] == name) return static_cast<Bound>(b);
    return {};
}

}  // namespace lockstep::timing
