#include "session/device-limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::session {
namespace {

// As an H200's driver has them (580.159): a heap of at least 4 MiB, in steps of 64 KiB.
constexpr std::uint64_t least_heap = 4 << 20, heap_step = 64 << 10;

constexpr std::uint64_t most_stack = 512 << 10;  // a thread's local memory at most

Outcome unknown(Limit limit) {
    if (limit < Limit::stack || limit > Limit::persisting_l2)
        return Outcome(Status::invalid_value,
                       fmt::format("there is no limit number {}", static_cast<int>(limit)));
    return Outcome(Status::unsupported_limit,
                   fmt::format("this GPU has no limit number {}", static_cast<int>(limit)));
}

}  // namespace

Found<std::uint64_t> DeviceLimits::get(Limit limit) const {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(limit);
    if (found == values_.end()) return unknown(limit);
    return found->second;
}

Outcome DeviceLimits::set(Limit limit, std::uint64_t value) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(limit);
    if (found == values_.end()) return unknown(limit);
    if (limit == Limit::stack && value > most_stack)
        return Outcome(Status::invalid_value,
                       fmt::format("a stack of {} bytes; a thread has at most {}", value, most_stack));
    if (limit == Limit::heap) {
        if (value > memory_.capacity())
            return Outcome(
                Status::memory_allocation,
                fmt::format("a heap of {} bytes; the GPU has {} of memory", value, memory_.capacity()));
        value = (std::max(value, least_heap) + heap_step - 1) / heap_step * heap_step;
        if (!memory_.set_heap_limit(value))
            return Outcome(Status::invalid_value,
                           "the size of the kernels' heap can only be set before a kernel has used malloc or "
                           "free");
    }
    // As an H200's driver takes them (580.159).
    if (limit == Limit::pending_launches) value = std::clamp<std::uint64_t>(value, 32, 599186);
    found->second = value;
    return {};
}

void DeviceLimits::reset() {
    const std::lock_guard lock(mutex_);
    values_ = {{Limit::stack, 1024},
               {Limit::printf_buffer, std::max<std::uint64_t>(1 << 20, gpu_.sms * (64ull << 10))},
               {Limit::heap, exec::default_heap_bytes},
               {Limit::pending_launches, 2048},
               {Limit::l2_granularity, 64},
               // Recorded on an H200; others are not known to differ from none.
               {Limit::persisting_l2, gpu_.compute_major >= 9 ? gpu_.l2_bytes / 16 * 3 : 0}};
    // Since 9.0 a kernel cannot wait for kernels that it launched.
    if (gpu_.compute_major < 9) values_[Limit::sync_depth] = 2;
}

}  // namespace lockstep::session
