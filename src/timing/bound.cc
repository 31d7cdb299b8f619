#include "timing/bound.h"

#include <algorithm>

#include "timing/fit.h"

namespace lockstep::timing {

using timing::Bound;
using timing::WarpState;

timing::Bound find_bound(const ReplaySums& sums, const gpu::GpuModel& gpu, std::uint32_t sms,
                         std::uint32_t used, double overhead) {
    if (overhead > sums.cycles) return Bound::launch_overhead;
    const double sm_cycles = sums.cycles * sms;
    const double scheduler_cycles = sm_cycles * gpu.timing.schedulers;
    struct Use {
        Bound bound{};
        double share = 0;
    };
    std::vector<Use> uses = {
        {Bound::block_rate, sums.launch_busy / sums.cycles},
        {Bound::dram_bandwidth, sums.dram_busy / sums.cycles},
        {Bound::l2_bandwidth, sums.l2_busy / sums.cycles},
        {Bound::atomics, sums.atomics_busy / sums.cycles},
        {sums.sm.shared_busy > sums.sm.l1_busy ? Bound::shared_bandwidth : Bound::l1_bandwidth,
         (sums.sm.l1_busy + sums.sm.shared_busy) / sm_cycles},
        {Bound::issue_slots,
         sums.sm.instructions / (scheduler_cycles * std::max(gpu.timing.issues_per_cycle, 1))},
    };
    for (double busy : sums.sm.pipe_busy) uses.push_back({Bound::arithmetic, busy / scheduler_cycles});
    const Use busiest = *std::max_element(uses.begin(), uses.end(),
                                          [](const Use& a, const Use& b) { return a.share < b.share; });
    if (busiest.share >= fit::busy_enough) return busiest.bound;
    // Most SMs have nothing to do: more blocks would take no longer.
    if (used <= fit::tail_sms * gpu.sms) return Bound::tail;
    // Nothing is busy: warps wait.
    const auto waits = [&](WarpState state) { return sums.sm.states[static_cast<std::size_t>(state)]; };
    const std::vector<Use> stalls = {
        {Bound::memory_latency, waits(WarpState::long_scoreboard) + waits(WarpState::drain)},
        {Bound::barriers, waits(WarpState::barrier)},
        {Bound::arithmetic_latency, waits(WarpState::wait) + waits(WarpState::short_scoreboard) +
                                        waits(WarpState::branch_resolving) +
                                        waits(WarpState::no_instruction)},
        {sums.sm.shared_busy > sums.sm.l1_busy ? Bound::shared_bandwidth : Bound::l1_bandwidth,
         waits(WarpState::lg_throttle) + waits(WarpState::mio_throttle)},
        {Bound::arithmetic, waits(WarpState::math_pipe_throttle)},
        {Bound::issue_slots, waits(WarpState::not_selected)},
    };
    return std::max_element(stalls.begin(), stalls.end(),
                            [](const Use& a, const Use& b) { return a.share < b.share; })
        ->bound;
}

}  // namespace lockstep::timing
