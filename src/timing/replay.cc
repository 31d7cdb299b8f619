#include "timing/replay.h"

#include <algorithm>

namespace lockstep::timing {
namespace {

// SMs run this many cycles before the others catch up: less than anything takes that passes between them.
constexpr Cycle quantum = 32;

void add(SmTotals& sum, const SmTotals& one) {
    for (std::size_t s = 0; s < sum.states.size(); ++s) sum.states[s] += one.states[s];
    for (std::size_t u = 0; u < sum.pipe_busy.size(); ++u) sum.pipe_busy[u] += one.pipe_busy[u];
    sum.instructions += one.instructions;
    sum.warp_cycles += one.warp_cycles;
    sum.active_cycles += one.active_cycles;
    sum.l1_sectors += one.l1_sectors;
    sum.l1_hits += one.l1_hits;
    sum.l1_global += one.l1_global;
    sum.l1_local += one.l1_local;
    sum.l1_busy += one.l1_busy;
    sum.shared_busy += one.shared_busy;
    sum.constant_busy += one.constant_busy;
    sum.texture_busy += one.texture_busy;
    counters::add(sum.failed, one.failed);
}

}  // namespace

ReplayResult replay(const ReplaySetup& setup, const std::function<const BlockTrace*()>& next,
                    const std::function<void(const BlockTrace*)>& done) {
    const gpu::TimingFigures& figures = setup.gpu->timing;
    ReplayResult result;
    std::vector<std::array<double, timing::warp_states>> places(setup.code->places.size() + 1);
    const double share = static_cast<double>(setup.sms) / setup.sms_used;
    MemorySystem memory(*setup.gpu, share, setup.l2, setup.sites, setup.host);
    std::vector<Sm> sms;
    sms.reserve(setup.sms);
    for (std::uint32_t s = 0; s < setup.sms; ++s)
        sms.emplace_back(s, *setup.gpu, *setup.code, setup.l1_bytes, memory, places);
    if (setup.close_up) sms.front().watch(setup.close_up);

    const auto launch_cycles = [&](const BlockTrace& block) {
        return std::max(figures.block_fill_cycles,
                        figures.block_launch_cycles_per_warp * static_cast<double>(block.warps.size()));
    };
    // At first every SM gets one block, then every SM another.
    std::vector<double> free(setup.sms);  // when the SM has set up its last block
    const BlockTrace* block = next();
    for (std::uint32_t r = 0; r < setup.resident && block; ++r)
        for (std::uint32_t s = 0; s < setup.sms && block; ++s) {
            sms[s].start(*block, static_cast<Cycle>(free[s]));
            free[s] += launch_cycles(*block);
            block = next();
        }
    // One distributor for the whole GPU notes where blocks have ended, and starts the next ones there.
    Server distributor;
    std::vector<EndedBlock> ended;
    const auto sums = [&](double cycles) {
        ReplaySums now;
        now.cycles = cycles;
        for (const Sm& sm : sms) add(now.sm, sm.totals());
        now.memory = memory.totals();
        now.dram_busy = memory.dram_busy();
        now.l2_busy = memory.l2_busy();
        now.atomics_busy = memory.atomics_busy();
        now.launch_busy = distributor.busy;
        now.places = places;
        return now;
    };
    // Blocks follow each other steadily from when the distributor has noted the ends of the first ones: these
    // come at once, and the blocks in their places start one after the other.
    const std::uint64_t full = std::uint64_t{setup.resident} * setup.sms;
    const std::uint64_t steady_first = full, steady_last = setup.blocks > 2 * full ? setup.blocks - full : 0;
    double last_end = 0, steady_from = 0, steady_until = 0;
    Cycle now = 0;
    for (bool busy = true; busy; now += quantum) {
        busy = false;
        ended.clear();
        for (Sm& sm : sms) {
            sm.run_until(now + quantum, ended);
            busy |= !sm.idle();
        }
        std::sort(ended.begin(), ended.end(), [](const EndedBlock& a, const EndedBlock& b) {
            return std::pair(a.end, a.trace->block) < std::pair(b.end, b.trace->block);
        });
        for (const EndedBlock& one : ended) {
            result.blocks.push_back(
                {one.trace->block, one.trace->record_bytes, one.trace->kept, one.begin, one.end});
            if (setup.close_up) setup.close_up->ended({one.trace->block, one.sm, one.begin, one.end});
            const double noted =
                distributor.take(static_cast<double>(one.end), figures.block_launch_cycles / share);
            last_end = std::max(last_end, noted);
            if (result.blocks.size() == steady_first) steady_from = noted;
            if (result.blocks.size() == steady_last) steady_until = noted;
            done(one.trace);
            if (!block) continue;
            const double begun = std::max(noted + figures.block_restart_cycles, free[one.sm]);
            free[one.sm] = begun + launch_cycles(*block);
            sms[one.sm].start(*block, std::max(static_cast<Cycle>(begun), sms[one.sm].now()));
            block = next();
            busy = true;
        }
        if (!steady_last) continue;
        const auto at = static_cast<double>(now + quantum);
        if (!result.first_steady && result.blocks.size() >= steady_first && at >= steady_from) {
            result.first_steady = result.blocks.size();
            result.steady_begin = sums(at);
        }
        if (!result.last_steady && result.blocks.size() >= steady_last && at >= steady_until) {
            result.last_steady = result.blocks.size();
            result.steady_end = sums(at);
        }
    }
    result.all = sums(std::max(last_end, memory.settled()));
    counters::add(result.all.sm.failed, memory.failed_rounds());
    return result;
}

}  // namespace lockstep::timing
