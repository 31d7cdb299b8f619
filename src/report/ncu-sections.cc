#include "report/ncu-sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/pattern.h"

namespace lockstep::report {
namespace {

// clang-format off
const std::vector<NcuSection> all_sections = {
    {"SpeedOfLight", "GPU Speed Of Light Throughput", {
        {"DRAM Frequency", "dram__cycles_elapsed.avg.per_second", ""},
        {"SM Frequency", "smsp__cycles_elapsed.avg.per_second", ""},
        {"Elapsed Cycles", "gpc__cycles_elapsed.max", ""},
        {"Memory Throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", ""},
        {"DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", ""},
        {"Duration", "gpu__time_duration.sum", ""},
        {"L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active", ""},
        {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed", ""},
        {"SM Active Cycles", "sm__cycles_active.avg", ""},
        {"Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed", ""}}},
    {"ComputeWorkloadAnalysis", "Compute Workload Analysis", {
        {"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active", "inst/cycle"},
        {"Executed Ipc Elapsed", "sm__inst_executed.avg.per_cycle_elapsed", "inst/cycle"},
        {"Issue Slots Busy", "sm__inst_issued.avg.pct_of_peak_sustained_active", ""},
        {"Issued Ipc Active", "sm__inst_issued.avg.per_cycle_active", "inst/cycle"},
        {"SM Busy", "sm__instruction_throughput.avg.pct_of_peak_sustained_active", ""}}},
    {"MemoryWorkloadAnalysis", "Memory Workload Analysis", {
        {"Memory Throughput", "dram__bytes.sum.per_second", ""},
        {"Mem Busy", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed", ""},
        {"Max Bandwidth", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed", ""},
        {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct", ""},
        {"L2 Hit Rate", "lts__t_sector_hit_rate.pct", ""},
        {"Mem Pipes Busy", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed", ""}}},
    {"SchedulerStats", "Scheduler Statistics", {
        {"One or More Eligible", "smsp__issue_active.avg.pct_of_peak_sustained_active", ""},
        {"Issued Warp Per Scheduler", "smsp__issue_active.avg.per_cycle_active", ""},
        {"No Eligible", "smsp__issue_inst0.avg.pct_of_peak_sustained_active", ""},
        {"Active Warps Per Scheduler", "smsp__warps_active.avg.per_cycle_active", "warp"},
        {"Eligible Warps Per Scheduler", "smsp__warps_eligible.avg.per_cycle_active", "warp"}}},
    {"WarpStateStats", "Warp State Statistics", {
        {"Warp Cycles Per Issued Instruction", "smsp__average_warp_latency_per_inst_issued.ratio", "cycle"},
        {"Warp Cycles Per Executed Instruction", "smsp__average_warps_active_per_inst_executed.ratio", "cycle"},
        {"Avg. Active Threads Per Warp", "smsp__thread_inst_executed_per_inst_executed.ratio", ""},
        {"Avg. Not Predicated Off Threads Per Warp", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", ""}}},
    {"InstructionStats", "Instruction Statistics", {
        {"Avg. Executed Instructions Per Scheduler", "smsp__inst_executed.avg", ""},
        {"Executed Instructions", "smsp__inst_executed.sum", ""},
        {"Avg. Issued Instructions Per Scheduler", "smsp__inst_issued.avg", ""},
        {"Issued Instructions", "smsp__inst_issued.sum", ""}}},
    {"LaunchStats", "Launch Statistics", {
        {"Block Size", "launch__block_size", ""},
        {"Function Cache Configuration", "launch__func_cache_config", ""},
        {"Grid Size", "launch__grid_size", ""},
        {"Registers Per Thread", "launch__registers_per_thread", ""},
        {"Shared Memory Configuration Size", "launch__shared_mem_config_size", ""},
        {"Driver Shared Memory Per Block", "launch__shared_mem_per_block_driver", ""},
        {"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic", ""},
        {"Static Shared Memory Per Block", "launch__shared_mem_per_block_static", ""},
        {"Threads", "launch__thread_count", ""},
        {"Waves Per SM", "launch__waves_per_multiprocessor", ""}}},
    {"Occupancy", "Occupancy", {
        {"Block Limit SM", "launch__occupancy_limit_blocks", ""},
        {"Block Limit Registers", "launch__occupancy_limit_registers", ""},
        {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem", ""},
        {"Block Limit Warps", "launch__occupancy_limit_warps", ""},
        {"Theoretical Active Warps per SM", "sm__maximum_warps_avg_per_active_cycle", "warp"},
        {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct", ""},
        {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", ""},
        {"Achieved Active Warps Per SM", "sm__warps_active.avg.per_cycle_active", "warp"}}},
    {"SourceCounters", "Source Counters", {
        {"Branch Instructions Ratio", "smsp__inst_executed_op_branch_pct", ""},
        {"Branch Instructions", "smsp__inst_executed_op_branch.sum", ""},
        {"Branch Efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", ""},
        {"Avg. Divergent Branches", "smsp__sass_branch_targets_threads_divergent.avg", ""}}},
};

const std::vector<NcuSet> all_sets = {
    {"basic", {"SpeedOfLight", "LaunchStats", "Occupancy"}},
    {"default", {"SpeedOfLight", "LaunchStats", "Occupancy"}},
    {"detailed", {"SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "LaunchStats", "Occupancy",
                  "SourceCounters"}},
    {"full", {"SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "SchedulerStats", "WarpStateStats",
              "InstructionStats", "LaunchStats", "Occupancy", "SourceCounters"}},
};
// clang-format on

template <class Items, class Name>
std::vector<std::string> names_of(const Items& items, Name name) {
    std::vector<std::string> names;
    for (const auto& item : items) names.emplace_back(item.*name);
    return names;
}

std::string ncu_suggestion(const std::string& name, const std::vector<std::string>& names) {
    const auto near = nearest(name, names);
    return near.empty() ? "" : fmt::format("; did you mean {}?", near.front());
}

}  // namespace

std::span<const NcuSection> ncu_sections() { return all_sections; }
std::span<const NcuSet> ncu_sets() { return all_sets; }

Result<std::vector<const NcuSection*>> find_ncu_sections(const std::string& name) {
    std::vector<const NcuSection*> found;
    constexpr std::string_view prefix = "regex:";
    if (name.starts_with(prefix)) {
        const auto pattern = base::Pattern::create(name.substr(prefix.size()));
        if (!pattern) return Error{fmt::format("{}: {}", name, pattern.error().message), {}};
        for (const NcuSection& section : all_sections)
            if (pattern->found_in(section.id)) found.push_back(&section);
    } else {
        for (const NcuSection& section : all_sections)
            if (name == section.id) found.push_back(&section);
    }
    if (found.empty())
        return Error{fmt::format("lockstep has no section {}{} (--list-sections has them all)", name,
                                 ncu_suggestion(name, names_of(all_sections, &NcuSection::id))),
                     {}};
    return found;
}

Result<std::vector<const NcuSection*>> find_ncu_set(const std::string& name) {
    for (const NcuSet& set : all_sets) {
        if (name != set.name) continue;
        std::vector<const NcuSection*> found;
        for (const char* id : set.sections)
            for (const NcuSection& section : all_sections)
                if (std::string_view(id) == section.id) found.push_back(&section);
        return found;
    }
    return Error{fmt::format("lockstep has no set {}{} (--list-sets has them all)", name,
                             ncu_suggestion(name, names_of(all_sets, &NcuSet::name))),
                 {}};
}

}  // namespace lockstep::report
