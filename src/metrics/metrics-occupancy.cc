// The launch itself, and how many of its blocks fit on an SM.
#include <climits>

#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using Counts = const Launch&;

// A resource of which the kernel takes nothing sets no limit.
std::optional<double> limit(int blocks) {
    if (blocks == INT_MAX) return std::nullopt;
    return blocks;
}

}  // namespace

std::vector<Metric> occupancy_metrics() {
    std::vector<Metric> out;
    auto metric = [&](std::vector<std::string> names, Unit unit, Kind kind, bool in_default,
                      std::string title, std::string definition, std::optional<double> (*value)(Counts)) {
        std::vector<std::string> groups{"occupancy"};
        if (in_default) groups.push_back("default");
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = kind,
                       .groups = std::move(groups),
                       .title = std::move(title),
                       .definition = std::move(definition),
                       .value = value,
                       .vendor = Vendor::both});
    };
    const std::string registers =
        " Registers are ptxas's where it was asked, else the machine view's estimate.";
    metric({"sm__maximum_warps_per_active_cycle_pct", "theoretical_occupancy"}, Unit::percent, Kind::modelled,
           true, "Theoretical Occupancy",
           "Warps that fit on an SM at once / the most that it can hold." + registers,
           [](Counts c) -> std::optional<double> {
               return c.occupancy.percent(*c.gpu, static_cast<int>(c.config.threads()));
           });
    metric({"sm__maximum_warps_avg_per_active_cycle"}, Unit::count, Kind::modelled, false,
           "Theoretical Active Warps per SM", "Warps that fit on an SM at once." + registers,
           [](Counts c) -> std::optional<double> {
               return c.occupancy.warps_per_sm(*c.gpu, static_cast<int>(c.config.threads()));
           });
    metric({"launch__occupancy_limit_registers"}, Unit::count, Kind::modelled, false, "Block Limit Registers",
           "Blocks an SM holds as far as registers allow." + registers,
           [](Counts c) { return limit(c.occupancy.by_registers); });
    metric({"launch__occupancy_limit_warps"}, Unit::count, Kind::counted, false, "Block Limit Warps",
           "Blocks an SM holds as far as its number of warps allows.",
           [](Counts c) { return limit(c.occupancy.by_threads); });
    metric({"launch__occupancy_limit_shared_mem"}, Unit::count, Kind::modelled, false,
           "Block Limit Shared Mem",
           "Blocks an SM holds as far as the shared memory allows that the driver gives it for this launch.",
           [](Counts c) { return limit(c.shared.blocks); });
    metric({"launch__occupancy_limit_blocks"}, Unit::count, Kind::counted, false, "Block Limit SM",
           "Blocks an SM holds at most.", [](Counts c) { return limit(c.occupancy.by_blocks); });
    metric({"launch__waves_per_multiprocessor"}, Unit::ratio, Kind::modelled, false, "Waves Per SM",
           "Blocks of the grid / blocks that fit on the whole GPU at once." + registers, [](Counts c) {
               return ratio(c.config.blocks(), static_cast<std::uint64_t>(c.occupancy.blocks_per_sm) *
                                                   static_cast<unsigned>(c.gpu->sms));
           });
    metric({"launch__registers_per_thread"}, Unit::count, Kind::modelled, true, "Registers Per Thread",
           "Registers of a thread." + registers, [](Counts c) -> std::optional<double> {
               if (!c.registers) return std::nullopt;
               return c.registers;
           });
    metric({"launch__grid_size"}, Unit::count, Kind::counted, false, "Grid Size", "Blocks of the grid.",
           [](Counts c) { return number(c.config.blocks()); });
    metric({"launch__block_size"}, Unit::count, Kind::counted, false, "Block Size", "Threads of a block.",
           [](Counts c) { return number(c.config.threads()); });
    metric({"launch__thread_count"}, Unit::count, Kind::counted, false, "Threads", "Threads of the grid.",
           [](Counts c) { return number(c.totals.threads); });
    metric(
        {"launch__thread_count_added"}, Unit::count, Kind::counted, false, "Threads Added",
        "Threads of the grid beyond those that the program asked for, where LOCKSTEP_BLOCK has replaced its "
        "blocks by ones that do not divide the grid.",
        [](Counts c) { return number(c.config.added_threads); });
    metric({"smsp__warps_launched.sum", "warps_launched"}, Unit::count, Kind::counted, false,
           "Warps Launched", "Warps of the grid.", [](Counts c) { return number(c.totals.warps); });
    metric({"launch__shared_mem_per_block_static"}, Unit::bytes, Kind::counted, false,
           "Static Shared Memory Per Block", "Shared memory that the kernel declares.",
           [](Counts c) { return number(c.config.static_shared_bytes); });
    metric({"launch__shared_mem_per_block_dynamic"}, Unit::bytes, Kind::counted, false,
           "Dynamic Shared Memory Per Block", "Shared memory that the launch asks for.",
           [](Counts c) { return number(c.config.dynamic_shared_bytes); });
    metric({"launch__shared_mem_per_block_allocated"}, Unit::bytes, Kind::counted, false,
           "Shared Memory Per Block",
           "Static and dynamic shared memory with what the driver takes, in whole allocation units.",
           [](Counts c) {
               return number(gpu::allocated_shared(
                   *c.gpu, std::uint64_t{c.config.static_shared_bytes} + c.config.dynamic_shared_bytes));
           });
    metric({"launch__shared_mem_config_size"}, Unit::bytes, Kind::modelled, false,
           "Shared Memory Configuration Size", "Shared memory that the driver gives an SM for this launch.",
           [](Counts c) { return number(c.shared.bytes); });
    return out;
}

}  // namespace lockstep::metrics
