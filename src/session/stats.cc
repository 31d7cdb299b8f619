#include "session/stats.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/device.h"

namespace lockstep::session {

std::string Stats::to_string() const {
    return fmt::format(
        "{} launches, {} blocks, {} threads in {:.6f} s; {} warp instructions, {} thread instructions; "
        "{} allocations, at most {} bytes at once; copied {} bytes to the device, {} to the host, {} within "
        "the device",
        launches, blocks, threads, kernel_seconds, warp_instructions, thread_instructions, allocations,
        peak_bytes, copied.to_device, copied.to_host, copied.on_device);
}

void StatsKeeper::done(const Command& command, const Done& done) {
    const std::lock_guard lock(mutex_);
    if (const auto* kernel = command.as<KernelLaunch>(); kernel && done.kernel_seconds) {
        ++stats_.launches;
        stats_.blocks += kernel->shape.grid.count();
        stats_.threads += kernel->shape.threads();
        stats_.warp_instructions += done.executed.warp_instructions;
        stats_.thread_instructions += done.executed.thread_instructions;
        stats_.kernel_seconds += *done.kernel_seconds;
    }
    if (const auto* copy = command.as<Copy>(); copy && done.complete) {
        TransferCounts& counts = stats_.copied;
        std::uint64_t* const by_route[] = {&counts.on_host, &counts.to_device, &counts.to_host,
                                           &counts.on_device};
        *by_route[static_cast<int>(copy->transfer.route)] += copy->transfer.bytes();
    }
}

void StatsKeeper::allocated(const exec::Allocation&) {
    std::uint64_t used = 0;
    for (std::size_t d = 0; d < process_.device_count(); ++d) used += process_.device(d).memory().used();
    const std::lock_guard lock(mutex_);
    ++stats_.allocations;
    stats_.peak_bytes = std::max(stats_.peak_bytes, used);
}

Stats StatsKeeper::now() const {
    const std::lock_guard lock(mutex_);
    return stats_;
}

}  // namespace lockstep::session
