#include "cli/latency-report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gpu/latency-hiding.h"

namespace lockstep::cli {
namespace {

// 18500 as 18,500.
std::string grouped(std::uint64_t n) {
    std::string text = std::to_string(n);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string line(const char* name, const std::string& value) {
    return fmt::format("  {:<12} {}\n", name, value);
}

std::string verdict(const char* what, int active, int needed) {
    if (active >= needed) return fmt::format("  {:<12} enough: {} warps are needed\n", what, needed);
    const int times = (needed + active - 1) / active;
    return fmt::format("  {:<12} {} warps are needed, or {} independent ones in flight a thread\n", what,
                       needed, times);
}

}  // namespace

std::string latency_text(const gpu::GpuModel& gpu, const LatencyRequest& request) {
    const gpu::ArithmeticParallelism a = gpu::arithmetic_parallelism(gpu);
    const gpu::MemoryParallelism m = gpu::memory_parallelism(gpu, request.bytes_per_thread);
    std::string text =
        fmt::format("{} ({}): parallelism needed = latency x throughput\n\n", gpu.name, gpu.id);
    text += "arithmetic (32-bit multiply-add)\n";
    text += line("latency", fmt::format("{} cycles", a.latency_cycles));
    text += line("throughput", fmt::format("{} operations a cycle an SM", a.per_cycle));
    text += line("needed",
                 fmt::format("{} operations in flight an SM = {} warps", grouped(a.operations), a.warps));
    if (a.warps > gpu.max_warps_per_sm())
        text += line("", fmt::format("an SM holds {} warps: each thread needs {} independent operations",
                                     gpu.max_warps_per_sm(),
                                     (a.warps + gpu.max_warps_per_sm() - 1) / gpu.max_warps_per_sm()));
    text += "\nmemory\n";
    text += line("latency", fmt::format("{} cycles", m.latency_cycles));
    text += line("bandwidth", fmt::format("{} GB/s, at {} MHz {} bytes a cycle", m.bandwidth_gbs, m.clock_mhz,
                                          m.bytes_per_cycle));
    text += line("needed", fmt::format("{} KB in flight on the whole GPU", grouped(m.kilobytes)));
    text += line("", fmt::format("at {} bytes a thread {} threads = {} warps", m.bytes_per_thread,
                                 grouped(m.threads), grouped(m.warps)));
    text += line("", fmt::format("{} warps an SM on {} SMs{}", m.warps_per_sm, gpu.sms,
                                 gpu.sms == gpu.sms_full_chip
                                     ? ""
                                     : fmt::format(" ({} an SM on the whole chip's {})",
                                                   m.warps_per_sm_full_chip, gpu.sms_full_chip)));
    if (request.active_warps && *request.active_warps > 0) {
        text += fmt::format("\nwith this block: {} active warps an SM\n", *request.active_warps);
        text += verdict("arithmetic", *request.active_warps, a.warps);
        text += verdict("memory", *request.active_warps, m.warps_per_sm);
    }
    text += "\nThe model's latencies are estimates; gpus/*.toml names their sources.\n";
    return text;
}

nlohmann::ordered_json latency_json(const gpu::GpuModel& gpu, const LatencyRequest& request) {
    const gpu::ArithmeticParallelism a = gpu::arithmetic_parallelism(gpu);
    const gpu::MemoryParallelism m = gpu::memory_parallelism(gpu, request.bytes_per_thread);
    nlohmann::ordered_json json = {{"gpu", gpu.id},
                                   {"arithmetic",
                                    {{"latency_cycles", a.latency_cycles},
                                     {"operations_per_cycle_per_sm", a.per_cycle},
                                     {"operations_in_flight_per_sm", a.operations},
                                     {"warps_per_sm", a.warps}}},
                                   {"memory",
                                    {{"latency_cycles", m.latency_cycles},
                                     {"bandwidth_gbs", m.bandwidth_gbs},
                                     {"clock_mhz", m.clock_mhz},
                                     {"bytes_per_cycle", m.bytes_per_cycle},
                                     {"kilobytes_in_flight", m.kilobytes},
                                     {"bytes_per_thread", m.bytes_per_thread},
                                     {"threads", m.threads},
                                     {"warps", m.warps},
                                     {"sms", gpu.sms},
                                     {"warps_per_sm", m.warps_per_sm},
                                     {"sms_full_chip", gpu.sms_full_chip},
                                     {"warps_per_sm_full_chip", m.warps_per_sm_full_chip}}}};
    if (request.active_warps) json["active_warps_per_sm"] = *request.active_warps;
    return json;
}

}  // namespace lockstep::cli
