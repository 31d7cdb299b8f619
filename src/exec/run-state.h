// What the workers of one launch share.
#pragma once
#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "exec/block-slot.h"
#include "exec/launch-progress.h"
#include "exec/nested.h"
#include "exec/schedule.h"
#include "exec/scheduler.h"

namespace lockstep::exec {

struct RunState {
    const Grid& grid;
    std::uint64_t blocks = 0;    // that are executed
    std::uint64_t clusters = 0;  // without any, each block is one
    std::uint32_t warps_per_block = 0;
    std::atomic<std::uint64_t> next_block{0};
    // Blocks in execution beside one for each worker, and how many there may be.
    std::atomic<std::uint64_t> more_blocks{0};
    std::uint64_t most_more_blocks = 0;
    std::optional<Chance> chance;                 // decides the order, where it is not the usual one
    std::optional<WatchedFirst> watched_first;    // … or this, of which no more than `blocks` are taken
    std::uint32_t stop = 0;                       // polled by compiled code; set by the watchdog
    std::vector<std::uint32_t> thread_tables[3];  // threadIdx by warp and lane
    std::vector<std::byte> params;
    std::span<const events::Observers> observers;  // by worker thread; none: nobody watches
    std::span<events::Observer* const> observers_of(std::size_t worker) const {
        return observers.empty() ? std::span<events::Observer* const>() : observers[worker];
    }

    LaunchProgress progress{grid.progress, grid.kernel, blocks};
    std::uint64_t begun() const {
        return std::min(next_block.load(std::memory_order_relaxed), clusters) * grid.launch.cluster.count();
    }

    std::mutex mutex;
    std::optional<Fault> fault;  // the first
    std::atomic<bool> failed{false};

    std::vector<NestedWork> nested;  // what blocks that have ended asked for

    std::vector<BlockSlot*> slots;  // that exist

    // Memory was freed in a kernel: no instruction may know [begin, end) as good any more. Kernels that free
    // have one worker, so that nobody reads what this changes.
    void forget(std::uint64_t begin, std::uint64_t end);

    void report(Fault f) {
        std::lock_guard lock(mutex);
        if (!fault) fault = std::move(f);
        failed = true;
    }
};

}  // namespace lockstep::exec
