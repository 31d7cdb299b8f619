#include "timing/bound.h"

#include <algorithm>

#include "timing/fit.h"

namespace lockstep::timing {

using timing::Bound;
using timing::WarpState;

namespace {

struct Use {
    Bound bound{};
    double share = 0;
};

Use busiest_of(const std::vector<Use>& uses) {
    return *std::max_element(uses.begin(), uses.end(),
                             [](const Use& a, const Use& b) { return a.share < b.share; });
}

}  // namespace

timing::Bound find_bound(const ReplaySums& sums, const gpu::GpuModel& gpu, std::uint32_t sms,
                         std::uint32_t used, double overhead) {
    if (overhead > sums.cycles) return Bound::launch_overhead;
    const double sm_cycles = sums.cycles * sms;
    const double scheduler_cycles = sm_cycles * gpu.timing.schedulers;
    std::vector<Use> uses = {
        {Bound::block_rate, sums.launch_busy / sums.cycles},
        {Bound::dram_bandwidth, sums.dram_busy / sums.cycles},
        {Bound::l2_bandwidth, sums.l2_busy / sums.cycles},
        {Bound::atomics, sums.atomics_busy / sums.cycles},
        {sums.sm.shared_busy > sums.sm.l1_busy ? Bound::shared_bandwidth : Bound::l1_bandwidth,
         (sums.sm.l1_busy + sums.sm.shared_busy) / sm_cycles},
        {Bound::constant_memory, sums.sm.constant_busy / sm_cycles},
        {Bound::texture_units, sums.sm.texture_busy / sm_cycles},
        {Bound::issue_slots,
         sums.sm.instructions / (scheduler_cycles * std::max(gpu.timing.issues_per_cycle, 1))},
    };
    for (double busy : sums.sm.pipe_busy) uses.push_back({Bound::arithmetic, busy / scheduler_cycles});
    const Use busiest = busiest_of(uses);
    if (busiest.share >= fit::busy_enough) return busiest.bound;
    // Most SMs have nothing to do: more blocks would take no longer.
    if (used <= fit::tail_sms * gpu.sms) return Bound::tail;
    // Nothing is busy: warps wait.
    const auto waits = [&](WarpState state) { return sums.sm.states[static_cast<std::size_t>(state)]; };
    const Bound queue = busiest_of({{Bound::l1_bandwidth, sums.sm.l1_busy},
                                    {Bound::shared_bandwidth, sums.sm.shared_busy},
                                    {Bound::constant_memory, sums.sm.constant_busy},
                                    {Bound::texture_units, sums.sm.texture_busy}})
                            .bound;
    const std::vector<Use> stalls = {
        {Bound::memory_latency, waits(WarpState::long_scoreboard) + waits(WarpState::drain)},
        {Bound::barriers, waits(WarpState::barrier)},
        {Bound::arithmetic_latency, waits(WarpState::wait) + waits(WarpState::short_scoreboard) +
                                        waits(WarpState::branch_resolving) +
                                        waits(WarpState::no_instruction)},
        {queue, waits(WarpState::lg_throttle) + waits(WarpState::mio_throttle)},
        {Bound::constant_memory, waits(WarpState::imc_miss)},
        {Bound::arithmetic, waits(WarpState::math_pipe_throttle)},
        {Bound::issue_slots, waits(WarpState::not_selected)},
    };
    return busiest_of(stalls).bound;
}

}  // namespace lockstep::timing
