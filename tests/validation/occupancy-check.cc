#include "occupancy-check.h"

#include "gpu/occupancy.h"

namespace lockstep::validation {

std::vector<OccupancyNumber> occupancy_numbers(const Row& recorded, const gpu::GpuModel& gpu) {
    const auto value = [&](const char* metric) { return recorded.values.at(metric); };
    gpu::BlockDemand demand;
    demand.threads = static_cast<int>(recorded.threads());
    demand.registers_per_thread = static_cast<int>(value("launch__registers_per_thread"));
    demand.shared_bytes = static_cast<std::uint64_t>(value("launch__shared_mem_per_block_static") +
                                                     value("launch__shared_mem_per_block_dynamic"));
    const gpu::Occupancy occupancy = gpu::occupancy(gpu, demand);
    std::vector<OccupancyNumber> numbers;
    const auto add = [&](const char* metric, double ours) {
        numbers.push_back({metric, value(metric), ours});
    };
    add("sm__maximum_warps_per_active_cycle_pct", occupancy.percent(gpu, demand.threads));
    add("launch__occupancy_limit_warps", occupancy.by_threads);
    add("launch__occupancy_limit_blocks", occupancy.by_blocks);
    add("launch__occupancy_limit_registers", occupancy.by_registers);
    add("launch__occupancy_limit_shared_mem", gpu::shared_configuration(gpu, demand).blocks);
    add("launch__shared_mem_per_block_allocated",
        static_cast<double>(gpu::allocated_shared(gpu, demand.shared_bytes)));
    return numbers;
}

}  // namespace lockstep::validation
