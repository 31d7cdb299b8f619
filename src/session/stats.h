// What a run did, for LOCKSTEP_STATS.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>

#include "session/observer.h"

namespace lockstep::session {

// What the copied bytes are counted as.
struct TransferCounts {
    std::uint64_t to_device = 0, to_host = 0, on_device = 0, on_host = 0;
};

struct Stats {
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    double kernel_seconds = 0;
    std::uint64_t allocations = 0, peak_bytes = 0;
    TransferCounts copied;
    std::string to_string() const;
};

class Process;

// Thread-safe.
class StatsKeeper : public Observer {
  public:
    explicit StatsKeeper(Process& process) : process_(process) {}
    void done(const Command& command, const Done& done) override;
    void allocated(const exec::Allocation& allocation) override;
    Stats now() const;

  private:
    Process& process_;
    mutable std::mutex mutex_;
    Stats stats_;
};

}  // namespace lockstep::session
