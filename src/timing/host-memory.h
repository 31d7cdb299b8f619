// The host's memory that kernels reach by its address (cudaHostAlloc, cudaHostRegister): every access crosses
// the bus. The L1 keeps what it brings, the L2 does not.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/model.h"
#include "timing/server.h"

namespace lockstep::timing {

// Which addresses are the host's.
class HostRanges {
  public:
    HostRanges() = default;
    // Begin and end of each, in ascending order.
    explicit HostRanges(std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges)
        : ranges_(std::move(ranges)) {}
    bool empty() const { return ranges_.empty(); }
    bool has(std::uint64_t address) const;
    bool operator==(const HostRanges&) const = default;

  private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

// The bus, as the SMs that are replayed have it: both directions at once.
class HostBus {
  public:
    // `share`: of its bandwidth.
    HostBus(const gpu::GpuModel& gpu, double share);

    // So many bytes of a line. When they are at the SM; when they are on their way.
    double read(std::uint32_t bytes, double now);
    double write(std::uint32_t bytes, double now);
    // Lanes one after the other, each there and back. When the result is at the SM.
    double atomic(std::uint32_t lanes, double now);

  private:
    // The GPU's first access of all has to find the way.
    double known(double now);
    double cycles(std::uint32_t bytes, double gbs) const;

    const gpu::TimingFigures& figures_;
    double cycles_of_gbs_;  // cycles a byte at 1 GB/s
    double known_at_ = -1;
    Server reads_, writes_;
};

}  // namespace lockstep::timing
