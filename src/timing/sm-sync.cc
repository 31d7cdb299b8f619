// Where warps of an SM wait for each other, or for work that they have begun: barriers, barriers in shared
// memory, groups of copies and products.
#include <algorithm>
#include <utility>

#include "timing/sm.h"

namespace lockstep::timing {

void Sm::arrive_at_phase(Block& block, std::uint32_t number, double when) {
    if (number >= block.phases.size()) return;
    Phase& phase = block.phases[number];
    phase.ended = std::max(phase.ended, when);
    if (phase.missing == 0 || --phase.missing > 0) return;
    wake_schedulers();
    for (const std::uint32_t waiting : std::exchange(phase.waiting, {})) {
        Warp& warp = warps_[waiting];
        warp.at_phase = false;
        warp.fetched = std::max(warp.fetched, cycle_of(phase.ended));
        warp.fetch_reason = State::long_scoreboard;
        ++warp.op;
        warp.sub = 0;
        advance(warp);
    }
}

// Whether it has ended, or will at a time that is known; else the warp goes on when it has.
bool Sm::wait_for_phase(std::uint32_t number, const Access& access) {
    Warp& warp = warps_[number];
    Block& block = blocks_[warp.block];
    if (access.phase >= block.phases.size()) return true;
    Phase& phase = block.phases[access.phase];
    if (phase.missing == 0) {
        if (cycle_of(phase.ended) > warp.fetched) {
            warp.fetched = cycle_of(phase.ended);
            warp.fetch_reason = State::long_scoreboard;
        }
        return true;
    }
    phase.waiting.push_back(number);
    warp.at_phase = true;
    set_ready(warp, never, State::long_scoreboard);
    return false;
}

bool Sm::leave_phases() {
    bool left = false;
    for (Block& block : blocks_)
        for (std::uint32_t i = 0; i < block.phases.size(); ++i) {
            if (block.phases[i].waiting.empty()) continue;
            left = true;
            block.phases[i].missing = 1;
            arrive_at_phase(block, i, static_cast<double>(now_));
        }
    return left;
}

void Sm::follow_async(Warp& warp, const Op& op) {
    AsyncGroups& groups = warp.async[static_cast<std::size_t>(op.async_kind)];
    if (op.async == Async::commits) groups.committed.push_back(std::exchange(groups.open, 0));
    if (op.async != Async::waits) return;
    double until = 0;
    while (groups.committed.size() > op.pending) {
        until = std::max(until, groups.committed.front());
        groups.committed.erase(groups.committed.begin());
    }
    if (cycle_of(until) <= warp.fetched) return;
    warp.fetched = cycle_of(until);
    warp.fetch_reason = op.async_kind == AsyncKind::products ? State::wait : State::long_scoreboard;
}

void Sm::arrive(Warp& warp, bool of_cluster) {
    Block& block = blocks_[warp.block];
    const double each = of_cluster ? figures_.cluster_barrier_per_warp : figures_.barrier_per_warp;
    const double taken = barrier_.take(static_cast<double>(now_), each);
    block.last_arrival = std::max(block.last_arrival, cycle_of(taken + each));
    // The cluster's barrier is a release: what the warp has stored is there.
    if (of_cluster) block.last_arrival = std::max(block.last_arrival, cycle_of(warp.stores_done));
    block.at_cluster = of_cluster;
    warp.at_barrier = true;
    set_ready(warp, never, State::barrier);
    ++block.waiting;
    release(block);
}

// When all warps that are left have come.
void Sm::release(Block& block) {
    if (block.waiting == 0 || block.waiting < block.warps_left) return;
    // What other blocks of the cluster do is not known here: they are taken to arrive together.
    const int latency = block.at_cluster && figures_.cluster_barrier_latency
                            ? figures_.cluster_barrier_latency
                            : figures_.barrier_latency;
    const Cycle at = block.last_arrival + latency;
    wake_schedulers();
    for (std::uint32_t number : block.members) {
        Warp& warp = warps_[number];
        if (!warp.at_barrier) continue;
        warp.at_barrier = false;
        warp.fetched = at;
        warp.fetch_reason = State::barrier;
        ++warp.op;
        warp.sub = 0;
        advance(warp);
    }
    block.waiting = 0;
    block.last_arrival = 0;
}

}  // namespace lockstep::timing
