// Metrics of what warps wait for: each active warp is in one state in each cycle.
#include <fmt/format.h>

#include "metrics/predicted-table.h"

namespace lockstep::metrics {
namespace {

template <WarpState state>
std::optional<double> of_active(P p, C) {
    return 100 * p.state(state);
}
// The scheduler issues once for each cycle of a selected warp.
template <WarpState state>
std::optional<double> per_issue(P p, C) {
    return per(p.state(state), p.state(WarpState::selected));
}

// As nvprof has it: of the cycles in which a warp did not issue.
template <WarpState... states>
std::optional<double> of_stalls(P p, C) {
    return per((p.state(states) + ...), 1 - p.state(WarpState::selected), 100);
}

template <WarpState state>
void add_state(PredictedTable& table, const std::string& title, const std::string& what) {
    const std::string name(state_name(state));
    const char* stalled = state == WarpState::selected ? "" : "stalled_";
    table.add({fmt::format("smsp__warp_issue_{}{}_per_warp_active.pct", stalled, name)}, Unit::percent,
              {"stall"}, (state == WarpState::selected ? "" : "Stall ") + title,
              fmt::format("Cycles in which an active warp {} / cycles of active warps.", what),
              predicted<of_active<state>>);
    table.add({fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", name)}, Unit::ratio,
              {"stall"}, title + " Per Issue",
              fmt::format("Cycles in which an active warp {} / instructions issued.", what),
              predicted<per_issue<state>>);
}

template <WarpState... states>
void add_reason(PredictedTable& table, const std::string& name, const std::string& title) {
    std::string list;
    for (const WarpState state : {states...})
        list += (list.empty() ? "" : " + ") + std::string(state_name(state));
    table.add({"stall_" + name}, Unit::percent, {"stall"}, fmt::format("Issue Stall Reasons ({})", title),
              fmt::format("Cycles of warps in {} / their cycles in all states but selected.", list),
              predicted<of_stalls<states...>>);
}

}  // namespace

std::vector<Metric> stall_metrics() {
    using S = WarpState;
    PredictedTable table;
    add_state<S::selected>(table, "Selected", "issued an instruction");
    add_state<S::not_selected>(table, "Not Selected", "could issue while the scheduler chose another");
    add_state<S::long_scoreboard>(table, "Long Scoreboard", "waited for data of global or local memory");
    add_state<S::short_scoreboard>(table, "Short Scoreboard",
                                   "waited for data of shared memory or a special function");
    add_state<S::barrier>(table, "Barrier", "waited for other warps at a barrier");
    add_state<S::wait>(table, "Wait", "waited for a fixed latency");
    add_state<S::math_pipe_throttle>(table, "Math Pipe Throttle", "waited for an arithmetic pipe");
    add_state<S::lg_throttle>(table, "LG Throttle", "waited for the queue of global and local memory");
    add_state<S::mio_throttle>(table, "MIO Throttle",
                               "waited for the queue of shared memory and special functions");
    add_state<S::branch_resolving>(table, "Branch Resolving", "waited for a branch's target");
    add_state<S::no_instruction>(table, "No Instruction", "waited for its next instruction to be fetched");
    add_state<S::drain>(table, "Drain", "waited for its last stores");
    add_state<S::membar>(table, "Membar", "waited at a memory fence");
    add_state<S::imc_miss>(table, "IMC Miss", "waited for a constant that was not in the cache");
    add_reason<S::long_scoreboard>(table, "memory_dependency", "Data Request");
    add_reason<S::drain, S::lg_throttle>(table, "memory_throttle", "Memory Throttle");
    add_reason<S::wait, S::short_scoreboard>(table, "exec_dependency", "Execution Dependency");
    add_reason<S::barrier, S::membar>(table, "sync", "Synchronization");
    add_reason<S::no_instruction>(table, "inst_fetch", "Instructions Fetch");
    add_reason<S::math_pipe_throttle, S::mio_throttle>(table, "pipe_busy", "Pipe Busy");
    add_reason<S::imc_miss>(table, "constant_memory_dependency", "Immediate constant");
    add_reason<S::not_selected>(table, "not_selected", "Not Selected");
    add_reason<S::branch_resolving>(table, "other", "Other");
    return std::move(table.metrics);
}

}  // namespace lockstep::metrics
