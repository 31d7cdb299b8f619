// Metrics of time and of caches: what the timing model says.
#include "counters/metric-table.h"

namespace lockstep::counters {
namespace {

// A launch that the timing model did not watch, or that failed, has no such number.
template <auto of>
std::optional<double> predicted(const LaunchCounts& c) {
    if (!c.prediction) return std::nullopt;
    return of(*c.prediction, c);
}

using P = const Prediction&;
using C = const LaunchCounts&;

std::optional<double> per(double part, double whole, double scale = 1) {
    if (whole <= 0) return std::nullopt;
    return scale * part / whole;
}

template <WarpState state>
std::optional<double> state_percent(P p, C) {
    return 100 * p.state(state);
}
// Of all warps in the cycles in which the scheduler issues: the share of this state / the share of selected.
template <WarpState state>
std::optional<double> state_per_issue(P p, C) {
    return per(p.state(state), p.state(WarpState::selected));
}

template <AccessType type>
std::optional<double> sector_rate(P p, C c) {
    const AccessCounts& accesses = c.totals.of(Memory::global, type).accesses;
    return per(32e9 * static_cast<double>(accesses.sectors), p.nanoseconds);
}
template <AccessType type>
std::optional<double> requested_rate(P p, C c) {
    const AccessCounts& accesses = c.totals.of(Memory::global, type).accesses;
    return per(1e9 * static_cast<double>(accesses.bytes), p.nanoseconds);
}

class Table {
  public:
    void add(std::vector<std::string> names, Unit unit, std::vector<std::string> groups, std::string title,
             std::string definition, std::optional<double> (*value)(C)) {
        metrics.push_back({.names = std::move(names),
                           .unit = unit,
                           .kind = Kind::predicted,
                           .groups = std::move(groups),
                           .title = std::move(title),
                           .definition = std::move(definition),
                           .value = value});
    }
    template <WarpState state>
    void add_state(const std::string& name, const std::string& title, const std::string& what) {
        const bool waits = state != WarpState::selected;
        const std::string prefix = waits ? "smsp__warp_issue_stalled_" : "smsp__warp_issue_";
        add({prefix + name + "_per_warp_active.pct"}, Unit::percent, {"stall"}, "Stall " + title,
            "Cycles in which an active warp " + what + " / cycles of active warps.",
            predicted<state_percent<state>>);
        add({"smsp__average_warps_issue_stalled_" + name + "_per_issue_active.ratio"}, Unit::ratio, {"stall"},
            "Warps: " + title, "Warps that " + what + " / instructions issued.",
            predicted<state_per_issue<state>>);
    }
    std::vector<Metric> metrics;
};

void add_time(Table& table) {
    table.add({"gpu__time_duration.sum", "Time (ns)"}, Unit::nanoseconds, {"time", "default"}, "Duration",
              "Time of the launch, from the begin of its work on the GPU to the end.",
              predicted<[](P p, C) -> std::optional<double> { return p.nanoseconds; }>);
    table.add({"sm__cycles_elapsed.max", "elapsed_cycles_sm"}, Unit::cycles, {"time"}, "Elapsed Cycles",
              "The same time in cycles of the SM clock.",
              predicted<[](P p, C) -> std::optional<double> { return p.cycles; }>);
    table.add({"sm__warps_active.avg.pct_of_peak_sustained_active"}, Unit::percent, {"occupancy"},
              "Achieved Occupancy", "100 × achieved_occupancy.",
              predicted<[](P p, C c) { return per(p.warps_active, c.gpu->max_warps_per_sm(), 100); }>);
    table.add({"achieved_occupancy"}, Unit::ratio, {"occupancy"}, "Achieved Occupancy",
              "Active warps in a cycle with work / the most that an SM holds, on average.",
              predicted<[](P p, C c) { return per(p.warps_active, c.gpu->max_warps_per_sm()); }>);
    table.add({"ipc"}, Unit::ratio, {"instructions"}, "Executed IPC",
              "Instructions that an SM executes in a cycle with work.",
              predicted<[](P p, C) { return per(p.instructions, p.active_cycles); }>);
    table.add(
        {"smsp__inst_executed.avg.per_cycle_active"}, Unit::ratio, {"instructions"}, "Executed IPC",
        "Instructions that one of an SM's schedulers executes in a cycle with work.",
        predicted<[](P p, C c) { return per(p.instructions, p.active_cycles * c.gpu->timing.schedulers); }>);
    table.add({"smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", "sm_efficiency"}, Unit::percent,
              {"time"}, "Multiprocessor Activity", "Cycles in which an SM had work / all cycles.",
              predicted<[](P p, C) { return per(p.active_cycles, p.cycles, 100); }>);
    table.add({"smsp__issue_active.avg.pct_of_peak_sustained_active", "issue_slot_utilization"},
              Unit::percent, {"time"}, "Issue Slots Busy",
              "Cycles in which a scheduler issued an instruction / cycles with work.",
              predicted<[](P p, C c) {
                  return per(p.instructions, p.active_cycles * c.gpu->timing.schedulers, 100);
              }>);
    table.add({"smsp__warps_eligible.avg.per_cycle_active", "eligible_warps_per_cycle"}, Unit::ratio,
              {"time"}, "Eligible Warps Per Active Cycle",
              "Warps of a scheduler that could issue their next instruction, on average.",
              predicted<[](P p, C) -> std::optional<double> { return p.warps_eligible; }>);
}

void add_memory(Table& table) {
    table.add({"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "gld_throughput"},
              Unit::bytes_per_second, {"memory"}, "Global Load Throughput",
              "32 × the sectors of global loads / time.", predicted<sector_rate<AccessType::load>>);
    table.add({"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "gst_throughput"},
              Unit::bytes_per_second, {"memory"}, "Global Store Throughput",
              "32 × the sectors of global stores / time.", predicted<sector_rate<AccessType::store>>);
    table.add({"gld_requested_throughput"}, Unit::bytes_per_second, {"memory"},
              "Requested Global Load Throughput", "Bytes that global loads asked for / time.",
              predicted<requested_rate<AccessType::load>>);
    table.add({"gst_requested_throughput"}, Unit::bytes_per_second, {"memory"},
              "Requested Global Store Throughput", "Bytes that global stores asked for / time.",
              predicted<requested_rate<AccessType::store>>);
    table.add({"dram__bytes_read.sum", "dram_read_bytes"}, Unit::bytes, {"memory"},
              "Device Memory Read Bytes", "Bytes read from device memory.",
              predicted<[](P p, C) -> std::optional<double> { return p.dram_read_bytes; }>);
    table.add({"dram__bytes_write.sum", "dram_write_bytes"}, Unit::bytes, {"memory"},
              "Device Memory Write Bytes",
              "Bytes written to device memory before the launch ended; what stays in the L2 is not.",
              predicted<[](P p, C) -> std::optional<double> { return p.dram_write_bytes; }>);
    table.add({"dram__bytes_read.sum.per_second", "dram_read_throughput"}, Unit::bytes_per_second, {"memory"},
              "Device Memory Read Throughput", "Bytes read from device memory / time.",
              predicted<[](P p, C) { return per(1e9 * p.dram_read_bytes, p.nanoseconds); }>);
    table.add({"dram__bytes_write.sum.per_second", "dram_write_throughput"}, Unit::bytes_per_second,
              {"memory"}, "Device Memory Write Throughput", "Bytes written to device memory / time.",
              predicted<[](P p, C) { return per(1e9 * p.dram_write_bytes, p.nanoseconds); }>);
    table.add({"dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram_utilization"}, Unit::percent,
              {"memory", "default"}, "Device Memory Throughput",
              "Bytes read from and written to device memory / time, of the peak bandwidth.",
              predicted<[](P p, C c) {
                  return per(100 * (p.dram_read_bytes + p.dram_write_bytes),
                             p.nanoseconds * c.gpu->memory_bandwidth_gbs);
              }>);
    table.add({"lts__t_sectors_op_read.sum", "l2_read_transactions"}, Unit::count, {"memory"},
              "L2 Read Transactions", "Sectors read from the L2 cache.",
              predicted<[](P p, C) -> std::optional<double> { return p.l2_read_sectors; }>);
    table.add({"lts__t_sectors_op_write.sum", "l2_write_transactions"}, Unit::count, {"memory"},
              "L2 Write Transactions", "Sectors written to the L2 cache.",
              predicted<[](P p, C) -> std::optional<double> { return p.l2_write_sectors; }>);
    table.add({"lts__t_sector_hit_rate.pct", "l2_tex_hit_rate"}, Unit::percent, {"memory"}, "L2 Hit Rate",
              "Sectors that the L2 cache had, or took to write / sectors asked of it.",
              predicted<[](P p, C) { return per(p.l2_hits, p.l2_read_sectors + p.l2_write_sectors, 100); }>);
    table.add({"l1tex__t_sector_hit_rate.pct", "global_hit_rate"}, Unit::percent, {"memory"},
              "L1/TEX Hit Rate", "Sectors that the L1 cache had / sectors asked of it.",
              predicted<[](P p, C) { return per(p.l1_hits, p.l1_sectors, 100); }>);
}

}  // namespace

std::vector<Metric> predicted_metrics() {
    Table table;
    add_time(table);
    add_memory(table);
    table.add_state<WarpState::selected>("selected", "Selected", "issued");
    table.add_state<WarpState::long_scoreboard>("long_scoreboard", "Long Scoreboard",
                                                "waited for data of global or local memory");
    table.add_state<WarpState::short_scoreboard>("short_scoreboard", "Short Scoreboard",
                                                 "waited for data of shared memory or a special function");
    table.add_state<WarpState::barrier>("barrier", "Barrier", "waited for other warps at a barrier");
    table.add_state<WarpState::wait>("wait", "Wait", "waited for a fixed latency");
    table.add_state<WarpState::math_pipe_throttle>("math_pipe_throttle", "Math Pipe Throttle",
                                                   "waited for an arithmetic pipe");
    table.add_state<WarpState::lg_throttle>("lg_throttle", "LG Throttle",
                                            "waited for the queue of global and local memory");
    table.add_state<WarpState::mio_throttle>("mio_throttle", "MIO Throttle",
                                             "waited for the queue of shared memory and special functions");
    table.add_state<WarpState::branch_resolving>("branch_resolving", "Branch Resolving",
                                                 "waited for a branch's target");
    table.add_state<WarpState::not_selected>("not_selected", "Not Selected",
                                             "could issue while the scheduler chose another");
    table.add_state<WarpState::no_instruction>("no_instruction", "No Instruction",
                                               "waited for its next instruction");
    table.add_state<WarpState::drain>("drain", "Drain", "waited for its last stores");
    table.add_state<WarpState::membar>("membar", "Membar", "waited at a memory fence");
    return std::move(table.metrics);
}

}  // namespace lockstep::counters
