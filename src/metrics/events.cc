#include "metrics/events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"

namespace lockstep::metrics {
namespace {

// clang-format off
constexpr std::array all_events = {
    Event{"active_cycles", "sm__cycles_active.sum", 20, 72, "cycles in which an SM has a warp, summed over the SMs"},
    Event{"active_cycles_pm", "sm__cycles_active.sum", 50, 72, "the same, as the power management counts them"},
    Event{"active_warps", "sm__warps_active.sum", 20, 72, "warps on an SM, summed over its cycles and the SMs"},
    Event{"active_warps_pm", "sm__warps_active.sum", 50, 72, "the same, as the power management counts them"},
    Event{"elapsed_cycles_sm", "elapsed_cycles_sm", 30, 72, "cycles of the launch, summed over the SMs"},
    Event{"warps_launched", "smsp__warps_launched.sum", 20, 72, "warps of the grid"},
    Event{"threads_launched", "launch__thread_count", 20, 37, "threads of the grid"},
    Event{"sm_cta_launched", "launch__grid_size", 20, 72, "blocks of the grid"},
    Event{"inst_executed", "smsp__inst_executed.sum", 20, 72, "warp instructions executed"},
    Event{"inst_issued0", "smsp__issue_inst0.sum", 70, 72, "cycles with work in which a scheduler issues nothing"},
    Event{"inst_issued1", "smsp__inst_issued.sum", 70, 72, "cycles in which a scheduler issues an instruction"},
    Event{"thread_inst_executed", "smsp__thread_inst_executed.sum", 30, 72, "active threads, summed over warp instructions"},
    Event{"not_predicated_off_thread_inst_executed", "smsp__thread_inst_executed_pred_on.sum", 30, 72,
          "active threads whose predicate holds, summed over warp instructions"},
    Event{"branch", "smsp__sass_branch_targets.sum", 20, 62, "branch instructions, one a warp"},
    Event{"divergent_branch", "smsp__sass_branch_targets_threads_divergent.sum", 20, 62,
          "branch instructions that part a warp"},
    Event{"gld_request", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 20, 37, "global load instructions with an active thread, one a warp"},
    Event{"gst_request", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 20, 37, "global store instructions with an active thread, one a warp"},
    Event{"l1_global_load_hit", "l1_global_load_hit", 20, 37, "128-byte lines of global loads that the L1 has"},
    Event{"l1_global_load_miss", "l1_global_load_miss", 20, 37, "128-byte lines of global loads that the L1 lacks"},
    Event{"global_store_transaction", "gst_transactions", 20, 37, "transactions of 32 to 128 bytes of global stores"},
    Event{"global_load", "smsp__inst_executed_op_global_ld.sum", 50, 72, "global load instructions, one a warp"},
    Event{"global_store", "smsp__inst_executed_op_global_st.sum", 50, 72, "global store instructions, one a warp"},
    Event{"gld_inst_8bit", "gld_inst_8bit", 20, 62, "threads that execute a global load of 8 bits"},
    Event{"gld_inst_16bit", "gld_inst_16bit", 20, 62, "… of 16 bits"},
    Event{"gld_inst_32bit", "gld_inst_32bit", 20, 62, "… of 32 bits"},
    Event{"gld_inst_64bit", "gld_inst_64bit", 20, 62, "… of 64 bits"},
    Event{"gld_inst_128bit", "gld_inst_128bit", 20, 62, "… of 128 bits"},
    Event{"gst_inst_8bit", "gst_inst_8bit", 20, 62, "threads that execute a global store of 8 bits"},
    Event{"gst_inst_16bit", "gst_inst_16bit", 20, 62, "… of 16 bits"},
    Event{"gst_inst_32bit", "gst_inst_32bit", 20, 62, "… of 32 bits"},
    Event{"gst_inst_64bit", "gst_inst_64bit", 20, 62, "… of 64 bits"},
    Event{"gst_inst_128bit", "gst_inst_128bit", 20, 62, "… of 128 bits"},
    Event{"local_load", "smsp__inst_executed_op_local_ld.sum", 20, 72, "local load instructions, one a warp"},
    Event{"local_store", "smsp__inst_executed_op_local_st.sum", 20, 72, "local store instructions, one a warp"},
    Event{"local_load_transactions", "local_load_transactions", 30, 37, "128-byte lines of local loads"},
    Event{"local_store_transactions", "local_store_transactions", 30, 37, "128-byte lines of local stores"},
    Event{"shared_load", "smsp__inst_executed_op_shared_ld.sum", 20, 72, "shared load instructions, one a warp"},
    Event{"shared_store", "smsp__inst_executed_op_shared_st.sum", 20, 72, "shared store instructions, one a warp"},
    Event{"shared_atom", "smsp__inst_executed_op_shared_atom.sum", 50, 72, "shared atomic instructions, one a warp"},
    Event{"shared_ld_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 50, 72, "passes of shared loads over the banks"},
    Event{"shared_st_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 50, 72, "passes of shared stores over the banks"},
    Event{"shared_ld_bank_conflict", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 50, 72,
          "passes of shared loads that the banks cost"},
    Event{"shared_st_bank_conflict", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 50, 72,
          "passes of shared stores that the banks cost"},
    Event{"l1_shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 30, 37, "passes of shared loads over the banks"},
    Event{"l1_shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 30, 37, "passes of shared stores over the banks"},
    Event{"l1_shared_bank_conflict", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 20, 21,
          "passes over the banks that these cost"},
    Event{"atom_count", "smsp__inst_executed_op_global_atom.sum", 20, 72, "global atomic instructions with a result, one a warp"},
    Event{"gred_count", "smsp__inst_executed_op_global_red.sum", 20, 72, "global atomic instructions without a result, one a warp"},
};
// clang-format on

bool has(const Event& event, int capability) {
    return capability > last_of_nvprof || (event.first <= capability && capability <= event.last);
}

Selected selected(const Event& event) {
    for (const Metric& metric : metrics())
        if (std::find(metric.names.begin(), metric.names.end(), event.metric) != metric.names.end())
            return {&metric, event.name};
    return {};
}

Error unknown_event(const std::string& name, int capability) {
    for (const Event& event : all_events)
        if (name == event.name)
            return {fmt::format(
                        "there is no event {} on compute capability {}.{}: GPUs of {}.{} to {}.{} have it",
                        name, capability / 10, capability % 10, event.first / 10, event.first % 10,
                        event.last / 10, event.last % 10),
                    {}};
    std::vector<std::string> names;
    for (const Event& event : events_of(capability)) names.emplace_back(event.name);
    auto near = nearest(name, names);
    near.resize(std::min<std::size_t>(near.size(), 3));
    const auto metric = select_metrics(name);
    return {fmt::format("lockstep counts no event {}{}", name,
                        metric         ? ", but a metric: --metrics has it"
                        : near.empty() ? " (--query-events lists them)"
                                       : fmt::format("; did you mean {}?", fmt::join(near, ", "))),
            {}};
}

}  // namespace

std::vector<Event> events_of(int compute_capability) {
    std::vector<Event> result;
    for (const Event& event : all_events)
        if (has(event, compute_capability)) result.push_back(event);
    return result;
}

Result<std::vector<Selected>> select_events(std::string_view list, int compute_capability) {
    const std::vector<Event> events = events_of(compute_capability);
    std::vector<Selected> result;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string name(list.substr(at, comma - at));
        at = comma + 1;
        if (name.empty()) continue;
        const std::size_t before = result.size();
        for (const Event& event : events)
            if (name == "all" || name == event.name) result.push_back(selected(event));
        if (result.size() == before) return unknown_event(name, compute_capability);
    }
    if (result.empty()) return Error{"no event was named", {}};
    return result;
}

}  // namespace lockstep::metrics
