#include "gpu/model-checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lockstep::gpu {
namespace {

std::optional<Inconsistency> structure(const GpuModel& m) {
    if (m.warp_size != 32 && m.warp_size != 64) return {{"sm.warp_size", "must be 32 or 64"}};
    if (m.max_threads_per_sm % m.warp_size != 0) return {{"sm.max_threads", "must be whole warps"}};
    if (m.max_threads_per_block > m.max_threads_per_sm)
        return {{"block.max_threads", "is more than an SM has (sm.max_threads)"}};
    if (m.registers_per_block > m.registers_per_sm) return {{"block.registers", "is more than an SM has"}};
    if (m.max_barrier_blocks_per_sm > m.max_blocks_per_sm)
        return {{"sm.max_barrier_blocks", "is more than sm.max_blocks"}};
    if (m.shared_per_block > m.shared_per_block_optin)
        return {{"block.shared_bytes", "is more than what a block may have with opting in"}};
    if (m.shared_per_block_optin + m.shared_reserved_per_block > m.shared_per_sm)
        return {{"block.shared_bytes_optin", "(with the reserved part) is more than an SM has"}};
    if (m.sms > m.sms_full_chip)
        return {{"sm.count", fmt::format("is {}, more than the whole chip has ({}, sm.count_full_chip)",
                                         m.sms, m.sms_full_chip)}};
    const auto& splits = m.shared_configurations;
    if (splits.empty() || splits.back() != m.shared_per_sm ||
        !std::is_sorted(splits.begin(), splits.end(), std::less_equal<>()))
        return {{"sm.shared_configurations", "must ascend and end with all that an SM has"}};
    const WaveFigures& w = m.wave;
    const bool waves = w.vector_units && w.shift64_lanes && w.l1_line_bytes && w.l2_line_bytes &&
                       w.l2_channels && w.shader_engines && w.scalar_caches;
    if (!m.target.empty() && !waves) return {{"wave", "needs all of its figures, for an AMD GPU"}};
    return {};
}

std::optional<Inconsistency> timing(const GpuModel& m) {
    const TimingFigures& t = m.timing;
    if (t.l2_effective_bytes > m.l2_bytes)
        return {{"l2.effective_bytes", fmt::format("is {}, more than the L2 has ({}, l2.bytes)",
                                                   t.l2_effective_bytes, m.l2_bytes)}};
    if (t.l1_shares_with_shared && t.l1_bytes < m.shared_per_sm)
        return {{"l1.bytes", "is less than the shared memory that it holds (sm.shared_bytes)"}};
    constexpr int most_warps = 64;  // that the timing model keeps for a scheduler
    if (m.max_warps_per_sm() > most_warps * t.schedulers)
        return {
            {"scheduler.count",
             fmt::format("is {}: with {} warps an SM (sm.max_threads) a scheduler would have more than {}",
                         t.schedulers, m.max_warps_per_sm(), most_warps)}};
    if (t.l1_latency > t.l2_latency) return {{"l1.latency", "is more than that of the L2 (l2.latency)"}};
    if (t.l2_latency > m.memory_latency_cycles)
        return {{"l2.latency", "is more than that of the memory behind it (dram.latency)"}};
    const TextbookFigures& book = m.textbook;
    const int given = (book.arithmetic_latency > 0) + (book.memory_latency > 0) + (book.memory_clock_mhz > 0);
    if (given != 0 && given != 3)
        return {{"textbook", "needs all of arithmetic_latency, memory_latency and memory_clock_mhz"}};
    return {};
}

}  // namespace

std::optional<Inconsistency> inconsistency(const GpuModel& model) {
    if (auto found = structure(model)) return found;
    return timing(model);
}

}  // namespace lockstep::gpu
