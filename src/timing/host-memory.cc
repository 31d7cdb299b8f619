#include "timing/host-memory.h"

#include <algorithm>

namespace lockstep::timing {

bool HostRanges::has(std::uint64_t address) const {
    const auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t one, const auto& range) { return one < range.first; });
    return after != ranges_.begin() && address < std::prev(after)->second;
}

HostBus::HostBus(const gpu::GpuModel& gpu, double share)
    : figures_(gpu.timing), cycles_of_gbs_(gpu.clock_mhz / 1000.0 / share) {}

double HostBus::known(double now) {
    if (known_at_ < 0) known_at_ = now + figures_.host_first_cycles;
    return std::max(now, known_at_);
}

double HostBus::cycles(std::uint32_t bytes, double gbs) const {
    return std::max(bytes, static_cast<std::uint32_t>(figures_.host_line_bytes)) * cycles_of_gbs_ / gbs;
}

double HostBus::read(std::uint32_t bytes, double now) {
    const double cost = cycles(bytes, figures_.host_read_gbs);
    return reads_.take(known(now), cost) + cost + figures_.host_latency;
}

double HostBus::write(std::uint32_t bytes, double now) {
    const double cost = cycles(bytes, figures_.host_write_gbs);
    return writes_.take(known(now), cost) + cost;
}

double HostBus::atomic(std::uint32_t lanes, double now) {
    const double cost = lanes * cycles(0, figures_.host_read_gbs);
    const double begun = std::max(reads_.take(known(now), cost), writes_.take(now, cost));
    return begun + cost + figures_.host_latency;
}

}  // namespace lockstep::timing
