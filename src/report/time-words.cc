#include "report/time-words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace lockstep::report {
namespace {

using timing::Bound;
using timing::WarpState;

constexpr std::size_t most_states = 3;
constexpr double smallest_share = 0.05;  // that is worth a word

struct BoundWords {
    std::string_view text, explanation;
};

BoundWords words(Bound bound) {
    switch (bound) {
        case Bound::launch_overhead:
            return {"the launch itself", "so little work that starting it takes longer than doing it"};
        case Bound::block_rate:
            return {"the rate at which blocks are started",
                    "blocks end faster than the GPU starts new ones; fewer and larger ones would do more"};
        case Bound::dram_bandwidth:
            return {"memory bandwidth", "device memory moves bytes about as fast as it can"};
        case Bound::l2_bandwidth:
            return {"the L2 cache's bandwidth", "the L2 cache moves sectors about as fast as it can"};
        case Bound::l1_bandwidth:
            return {"the L1 cache's bandwidth",
                    "the SMs' memory units are busy with the sectors and lines of global accesses"};
        case Bound::shared_bandwidth:
            return {"shared memory's bandwidth",
                    "the SMs' memory units are busy with passes over shared memory's banks"};
        case Bound::constant_memory:
            return {"constant memory",
                    "its caches hand out words about as fast as they can, a warp's different ones one after "
                    "the other"};
        case Bound::texture_units:
            return {"the texture units", "they fetch and filter about as fast as they can"};
        case Bound::issue_slots: return {"the schedulers", "they issue an instruction in nearly every cycle"};
        case Bound::arithmetic: return {"an arithmetic pipe", "one kind of arithmetic keeps its units busy"};
        case Bound::memory_latency:
            return {"memory latency",
                    "warps wait for data, and too few accesses are in flight to keep memory busy"};
        case Bound::arithmetic_latency:
            return {"the latency of dependent instructions",
                    "instructions wait for the ones before, and too few warps fill the gaps"};
        case Bound::barriers: return {"barriers", "warps wait there for the last one of their block"};
        case Bound::atomics: return {"atomics", "they wait for each other at the same addresses"};
        case Bound::tail:
            return {"too few blocks", "most SMs are idle, and more blocks would take hardly longer"};
    }
    return {};
}

struct StateWords {
    std::string_view text, word;
};

StateWords words(WarpState state) {
    switch (state) {
        case WarpState::selected: return {"issuing", "issue"};
        case WarpState::not_selected: return {"ready while others issue", "ready"};
        case WarpState::long_scoreboard: return {"waiting for global or local memory", "memory"};
        case WarpState::short_scoreboard:
            return {"waiting for shared memory, constants or special functions", "shared"};
        case WarpState::barrier: return {"at barriers", "barrier"};
        case WarpState::wait: return {"in the fixed latency of instructions", "latency"};
        case WarpState::math_pipe_throttle: return {"waiting for an arithmetic pipe", "pipe"};
        case WarpState::lg_throttle: return {"in the queue of global memory", "memqueue"};
        case WarpState::mio_throttle:
            return {"in the queue of shared memory, constants or special functions", "shqueue"};
        case WarpState::branch_resolving: return {"at branches", "branch"};
        case WarpState::no_instruction: return {"waiting for code", "fetch"};
        case WarpState::drain: return {"waiting for their last stores", "stores"};
        case WarpState::membar: return {"at memory fences", "fence"};
        case WarpState::imc_miss: return {"waiting for constants", "constant"};
    }
    return {};
}

}  // namespace

std::uint64_t total(const WarpCycles& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

WarpState main_state(const WarpCycles& cycles) {
    return static_cast<WarpState>(std::max_element(cycles.begin(), cycles.end()) - cycles.begin());
}

std::string_view bound_text(Bound bound) { return words(bound).text; }
std::string_view bound_explanation(Bound bound) { return words(bound).explanation; }
std::string_view state_text(WarpState state) { return words(state).text; }
std::string_view state_word(WarpState state) { return words(state).word; }

std::string states_text(const WarpCycles& cycles) {
    const auto all = static_cast<double>(total(cycles));
    if (all == 0) return "";
    std::array<std::size_t, timing::warp_states> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cycles[a] > cycles[b]; });
    std::string text;
    for (std::size_t i = 0; i < most_states; ++i) {
        const double share = static_cast<double>(cycles[order[i]]) / all;
        if (share < smallest_share && i != 0) break;
        text += fmt::format("{}{:.0f} % {}", text.empty() ? "" : ", ", 100 * share,
                            state_text(static_cast<WarpState>(order[i])));
    }
    return text;
}

}  // namespace lockstep::report
