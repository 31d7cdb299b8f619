// Metrics of time: how long a launch takes, and how busy it keeps the SMs.
#include <algorithm>
#include <array>

#include "metrics/predicted-table.h"

namespace lockstep::metrics {
namespace {

std::optional<double> issue_share(double instructions, double cycles, C c) {
    return per(instructions, cycles * c.gpu->timing.schedulers, 100);
}

double warp_cycles(P p) { return p.warps_active * p.active_cycles; }

// Pipes that take an instruction of a warp for a known number of cycles.
std::optional<double> sm_throughput(P p, C c) {
    using machine::Pipe;
    const gpu::TimingFigures& timing = c.gpu->timing;
    const std::array<std::pair<Pipe, int>, 5> pipes = {{{Pipe::alu, timing.alu.lanes},
                                                        {Pipe::fma, timing.fma.lanes},
                                                        {Pipe::half, timing.half.lanes},
                                                        {Pipe::fp64, timing.fp64.lanes},
                                                        {Pipe::xu, timing.xu.lanes}}};
    std::optional<double> largest = issue_share(p.instructions, p.cycles, c);
    for (const auto& [pipe, lanes] : pipes) {
        const auto executed = static_cast<double>(c.totals.by_pipe[static_cast<std::size_t>(pipe)]);
        const auto busy =
            per(executed * c.gpu->warp_size, static_cast<double>(lanes) * c.gpu->sms * p.cycles, 100);
        if (busy && (!largest || *busy > *largest)) largest = busy;
    }
    return largest;
}

void add_duration(PredictedTable& table) {
    table
        .add({"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max", "Time (ns)"},
             Unit::nanoseconds, {"time", "default", "amd"}, "Duration",
             "Time of the launch, from the begin of its work on the GPU to the end.",
             predicted<[](P p, C) -> std::optional<double> { return p.nanoseconds; }>)
        .vendor = Vendor::both;
    table.add({"sm__cycles_elapsed.max", "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg",
               "gpc__cycles_elapsed.avg"},
              Unit::cycles, {"time"}, "Elapsed Cycles", "The same time in cycles of the SM clock.",
              predicted<[](P p, C) -> std::optional<double> { return p.cycles; }>);
    table.add({"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second",
               "gpc__cycles_elapsed.avg.per_second"},
              Unit::hertz, {"time"}, "SM Frequency", "Cycles of the SM clock in a second.",
              predicted<[](P p, C) { return per(p.cycles, p.nanoseconds, 1e9); }>);
    table.add({"dram__cycles_elapsed.avg.per_second"}, Unit::hertz, {"time"}, "DRAM Frequency",
              "Cycles of device memory's clock in a second, as the GPU model has it.",
              predicted<[](P, C c) -> std::optional<double> { return c.gpu->memory_clock_mhz * 1e6; }>);
    table.add({"elapsed_cycles_sm"}, Unit::cycles, {"time"}, "Elapsed Cycles of all SMs",
              "The same, summed over the SMs.",
              predicted<[](P p, C c) -> std::optional<double> { return p.cycles * c.gpu->sms; }>);
    table.add({"sm__cycles_active.avg", "smsp__cycles_active.avg"}, Unit::cycles, {"time"},
              "SM Active Cycles", "Cycles in which an SM had work, average over all SMs.",
              predicted<[](P p, C) -> std::optional<double> { return p.active_cycles; }>);
    table.add({"sm__cycles_active.sum", "active_cycles"}, Unit::cycles, {"time"}, "Active Cycles of all SMs",
              "The same, summed over the SMs.",
              predicted<[](P p, C c) -> std::optional<double> { return p.active_cycles * c.gpu->sms; }>);
    table.add({"smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", "sm_efficiency"}, Unit::percent,
              {"time"}, "Multiprocessor Activity", "Cycles in which an SM had work / all cycles.",
              predicted<[](P p, C) { return per(p.active_cycles, p.cycles, 100); }>);
    table.add({"sm__throughput.avg.pct_of_peak_sustained_elapsed"}, Unit::percent, {"time"},
              "Compute (SM) Throughput",
              "How busy the SMs' busiest part was, of all cycles: the schedulers, or one of the pipes for "
              "integers, f32, f16, f64 and special functions.",
              predicted<sm_throughput>);
}

void add_warps(PredictedTable& table) {
    table
        .add({"sm__warps_active.avg.pct_of_peak_sustained_active"}, Unit::percent,
             {"time", "occupancy", "default", "amd"}, "Achieved Occupancy", "100 × achieved_occupancy.",
             predicted<[](P p, C c) { return per(p.warps_active, c.gpu->max_warps_per_sm(), 100); }>)
        .vendor = Vendor::both;
    table.add({"achieved_occupancy"}, Unit::ratio, {"time", "occupancy"}, "Achieved Occupancy",
              "Active warps in a cycle with work / the most that an SM holds, on average.",
              predicted<[](P p, C c) { return per(p.warps_active, c.gpu->max_warps_per_sm()); }>);
    table.add({"sm__warps_active.avg.per_cycle_active"}, Unit::ratio, {"time", "occupancy"},
              "Achieved Active Warps Per SM", "Active warps of an SM in a cycle with work.",
              predicted<[](P p, C) -> std::optional<double> { return p.warps_active; }>);
    table.add({"sm__warps_active.sum", "active_warps"}, Unit::count, {"time", "occupancy"}, "Active Warps",
              "Active warps, summed over the cycles of all SMs.",
              predicted<[](P p, C c) -> std::optional<double> { return warp_cycles(p) * c.gpu->sms; }>);
    table.add({"smsp__warps_active.avg.per_cycle_active"}, Unit::ratio, {"time", "occupancy"},
              "Active Warps Per Scheduler", "Active warps of one scheduler in a cycle with work.",
              predicted<[](P p, C c) { return per(p.warps_active, c.gpu->timing.schedulers); }>);
    table.add({"smsp__warps_eligible.avg.per_cycle_active"}, Unit::ratio, {"time"},
              "Eligible Warps Per Scheduler",
              "Warps of one scheduler that could issue their next instruction, in a cycle with work.",
              predicted<[](P p, C) -> std::optional<double> { return p.warps_eligible; }>);
    table.add({"eligible_warps_per_cycle"}, Unit::ratio, {"time"}, "Eligible Warps Per Active Cycle",
              "Warps of an SM that could issue their next instruction, in a cycle with work.",
              predicted<[](P p, C c) -> std::optional<double> {
                  return p.warps_eligible * c.gpu->timing.schedulers;
              }>);
}

void add_issue(PredictedTable& table) {
    table.add({"sm__inst_executed.avg.per_cycle_active", "sm__inst_issued.avg.per_cycle_active", "ipc"},
              Unit::ratio, {"time", "instructions", "default"}, "Executed IPC",
              "Instructions that an SM executes in a cycle with work.",
              predicted<[](P p, C) { return per(p.instructions, p.active_cycles); }>);
    table.add({"sm__inst_executed.avg.per_cycle_elapsed"}, Unit::ratio, {"time", "instructions"},
              "Executed IPC Elapsed", "Instructions that an SM executes in a cycle, of all cycles.",
              predicted<[](P p, C) { return per(p.instructions, p.cycles); }>);
    table.add(
        {"smsp__inst_executed.avg.per_cycle_active", "smsp__issue_active.avg.per_cycle_active"}, Unit::ratio,
        {"time", "instructions"}, "Issued Warp Per Scheduler",
        "Instructions that one of an SM's schedulers executes in a cycle with work.",
        predicted<[](P p, C c) { return per(p.instructions, p.active_cycles * c.gpu->timing.schedulers); }>);
    table.add({"smsp__issue_active.avg.pct_of_peak_sustained_active",
               "sm__inst_issued.avg.pct_of_peak_sustained_active", "issue_slot_utilization"},
              Unit::percent, {"time"}, "Issue Slots Busy",
              "Cycles in which a scheduler issued an instruction / cycles with work.",
              predicted<[](P p, C c) { return issue_share(p.instructions, p.active_cycles, c); }>);
    table.add({"smsp__issue_inst0.sum"}, Unit::cycles, {"time"}, "Cycles Without Issue",
              "Cycles with work in which a scheduler issued nothing, summed over the schedulers of all SMs.",
              predicted<[](P p, C c) -> std::optional<double> {
                  return std::max(0.0,
                                  (p.active_cycles * c.gpu->timing.schedulers - p.instructions) * c.gpu->sms);
              }>);
    table.add({"smsp__issue_inst0.avg.pct_of_peak_sustained_active"}, Unit::percent, {"time"}, "No Eligible",
              "Cycles in which a scheduler issued nothing / cycles with work.",
              predicted<[](P p, C c) -> std::optional<double> {
                  const auto issued = issue_share(p.instructions, p.active_cycles, c);
                  if (!issued) return std::nullopt;
                  return std::max(0.0, 100 - *issued);
              }>);
    table.add({"smsp__average_warp_latency_per_inst_issued.ratio",
               "smsp__average_warps_active_per_inst_executed.ratio"},
              Unit::cycles, {"time"}, "Warp Cycles Per Issued Instruction",
              "Cycles of active warps / instructions issued.",
              predicted<[](P p, C) { return per(warp_cycles(p), p.instructions); }>);
}

}  // namespace

std::vector<Metric> time_metrics() {
    PredictedTable table;
    add_duration(table);
    add_warps(table);
    add_issue(table);
    return std::move(table.metrics);
}

}  // namespace lockstep::metrics
