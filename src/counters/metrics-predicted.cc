// Metrics of time and of caches. They are known by name, so that asking for one says what it is; the model
// that would give their values does not exist yet.
#include "counters/metric-table.h"

namespace lockstep::counters {

std::vector<Metric> predicted_metrics() {
    std::vector<Metric> out;
    auto metric = [&](std::vector<std::string> names, Unit unit, std::vector<std::string> groups,
                      std::string title, std::string definition) {
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = Kind::predicted,
                       .groups = std::move(groups),
                       .title = std::move(title),
                       .definition = std::move(definition) + " No value yet: there is no timing model.",
                       .value = [](const LaunchCounts&) -> std::optional<double> { return std::nullopt; }});
    };
    metric({"gpu__time_duration.sum", "Time (ns)"}, Unit::nanoseconds, {}, "Duration", "Time of the launch.");
    metric({"sm__cycles_elapsed.max", "elapsed_cycles_sm"}, Unit::cycles, {}, "Elapsed Cycles",
           "Cycles from the first block's start to the last one's end.");
    metric({"achieved_occupancy"}, Unit::ratio, {"occupancy"}, "Achieved Occupancy",
           "Active warps in a cycle with work / the most that an SM holds, on average.");
    metric({"sm__warps_active.avg.pct_of_peak_sustained_active"}, Unit::percent, {"occupancy"},
           "Achieved Occupancy", "100 × achieved_occupancy.");
    metric({"ipc"}, Unit::ratio, {"instructions"}, "Executed IPC",
           "Instructions that an SM executes in a cycle with work.");
    metric({"smsp__inst_executed.avg.per_cycle_active"}, Unit::ratio, {"instructions"}, "Executed IPC",
           "Instructions that one of an SM's schedulers executes in a cycle with work.");
    metric({"smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", "sm_efficiency"}, Unit::percent, {},
           "Multiprocessor Activity", "Cycles in which an SM had work / all cycles.");
    metric({"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "gld_throughput"},
           Unit::bytes_per_second, {"memory"}, "Global Load Throughput",
           "32 × the sectors of global loads / time.");
    metric({"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "gst_throughput"},
           Unit::bytes_per_second, {"memory"}, "Global Store Throughput",
           "32 × the sectors of global stores / time.");
    metric({"gld_requested_throughput"}, Unit::bytes_per_second, {"memory"},
           "Requested Global Load Throughput", "Bytes that global loads asked for / time.");
    metric({"gst_requested_throughput"}, Unit::bytes_per_second, {"memory"},
           "Requested Global Store Throughput", "Bytes that global stores asked for / time.");
    metric({"dram__bytes_read.sum", "dram_read_bytes"}, Unit::bytes, {"memory"}, "Device Memory Read Bytes",
           "Bytes read from device memory.");
    metric({"dram__bytes_write.sum", "dram_write_bytes"}, Unit::bytes, {"memory"},
           "Device Memory Write Bytes", "Bytes written to device memory.");
    metric({"lts__t_sectors_op_read.sum", "l2_read_transactions"}, Unit::count, {"memory"},
           "L2 Read Transactions", "Sectors read from the L2 cache.");
    metric({"lts__t_sectors_op_write.sum", "l2_write_transactions"}, Unit::count, {"memory"},
           "L2 Write Transactions", "Sectors written to the L2 cache.");
    metric({"lts__t_sector_hit_rate.pct"}, Unit::percent, {"memory"}, "L2 Hit Rate",
           "Sectors that the L2 cache had / sectors asked of it.");
    metric({"l1tex__t_sector_hit_rate.pct", "global_hit_rate"}, Unit::percent, {"memory"}, "L1/TEX Hit Rate",
           "Sectors that the L1 cache had / sectors asked of it.");
    metric({"smsp__issue_active.avg.pct_of_peak_sustained_active", "issue_slot_utilization"}, Unit::percent,
           {}, "Issue Slots Busy", "Cycles in which a scheduler issued an instruction / cycles with work.");
    metric({"smsp__warps_eligible.avg.per_cycle_active", "eligible_warps_per_cycle"}, Unit::ratio, {},
           "Eligible Warps Per Active Cycle", "Warps that could issue their next instruction, on average.");
    const struct {
        const char *reason, *title, *what;
    } stalls[] = {
        {"long_scoreboard", "Long Scoreboard", "data of global, local or texture memory"},
        {"short_scoreboard", "Short Scoreboard", "data of shared memory or a special function"},
        {"barrier", "Barrier", "other warps at a barrier"},
        {"wait", "Wait", "a fixed latency"},
        {"math_pipe_throttle", "Math Pipe Throttle", "an arithmetic pipe"},
        {"lg_throttle", "LG Throttle", "the queue of global and local memory"},
        {"mio_throttle", "MIO Throttle", "the queue of shared memory and special functions"},
        {"branch_resolving", "Branch Resolving", "a branch's target"},
        {"not_selected", "Not Selected", "the scheduler, which chose another"},
        {"no_instruction", "No Instruction", "its next instruction to be fetched"},
        {"drain", "Drain", "its last stores"},
        {"membar", "Membar", "a memory fence"},
    };
    for (const auto& [reason, title, what] : stalls)
        metric(
            {std::string("smsp__warp_issue_stalled_") + reason + "_per_warp_active.pct"}, Unit::percent,
            {"stall"}, std::string("Stall ") + title,
            std::string("Cycles in which an active warp waited for ") + what + " / cycles of active warps.");
    for (const char* reason : {"long_scoreboard", "barrier"})
        metric({std::string("smsp__average_warps_issue_stalled_") + reason + "_per_issue_active.ratio"},
               Unit::ratio, {"stall"}, std::string("Warps Stalled on ") + reason,
               std::string("Warps that waited (") + reason + ") / instructions issued.");
    return out;
}

}  // namespace lockstep::counters
