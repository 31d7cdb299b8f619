// What the workers of one launch share.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>

#include "exec/scheduler.h"

namespace lockstep::exec {

struct RunState {
    const Grid& grid;
    std::uint64_t blocks = 0;
    std::uint32_t warps_per_block = 0;
    std::atomic<std::uint64_t> next_block{0};
    std::uint32_t stop = 0;                       // polled by compiled code; set by the watchdog
    std::vector<std::uint32_t> thread_tables[3];  // threadIdx by warp and lane
    std::vector<std::byte> params;
    const std::vector<events::Observer*>& observers;

    std::mutex mutex;
    std::optional<Fault> fault;  // the first
    std::atomic<bool> failed{false};

    void report(Fault f) {
        std::lock_guard lock(mutex);
        if (!fault) fault = std::move(f);
        failed = true;
    }
};

}  // namespace lockstep::exec
