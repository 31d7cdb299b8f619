#include "check/order.h"

#include <algorithm>
#include <bit>

namespace lockstep::check {
namespace {

// In place of a lane: all of the warp.
constexpr int all_lanes = warp_lanes;

std::uint64_t thread_key(std::uint32_t block, std::uint32_t warp, std::uint32_t lane) {
    return std::uint64_t{block} << 32 | warp << 8 | lane;
}

// The last of these numbers, which ascend, that is less than `end`.
const std::uint32_t* last_before(const std::vector<std::uint32_t>& numbers, std::uint32_t end) {
    const auto behind = std::lower_bound(numbers.begin(), numbers.end(), end);
    return behind == numbers.begin() ? nullptr : &*std::prev(behind);
}

}  // namespace

void Order::come_to(std::uint64_t block) {
    Block& running = blocks_[block];
    if (running.warps.empty()) {
        if (!unused_.empty()) {
            running.warps = std::move(unused_.back());
            unused_.pop_back();
        }
        running.warps.resize(warps_);
        for (std::uint32_t w = 0; w < warps_; ++w)
            running.warps[w].now = {static_cast<std::uint32_t>(block), w, running.epoch, 1};
    }
    block_ = &running;
    block_number_ = block;
}

void Order::block_ended(std::uint64_t block) {
    const auto ended = blocks_.find(block);
    if (ended == blocks_.end()) return;
    for (Warp& warp : ended->second.warps) warp = Warp{};
    unused_.push_back(std::move(ended->second.warps));
    blocks_.erase(ended);
    block_ = nullptr;
    warp_ = nullptr;
}

std::array<Order::Knowledge, warp_lanes>& Order::knows() {
    block_->tells = true;
    if (!warp_->knows) warp_->knows = std::make_unique<std::array<Knowledge, warp_lanes>>();
    return *warp_->knows;
}

void Order::learn(Knowledge& knowledge, Log* log, std::uint32_t length) {
    for (auto& [known, far] : knowledge)
        if (known == log) {
            far = std::max(far, length);
            return;
        }
    knowledge.emplace_back(log, length);
}

void Order::learn(Knowledge& knowledge, const Knowledge& other) {
    for (const auto& [log, length] : other) learn(knowledge, log, length);
}

void Order::publish_all(Log& log, Lanes lanes) {
    next_segment();
    each_lane(lanes, [&](int lane) { publish(log, lane, warp_->now.sequence, block_->epoch); });
}

void Order::arrive(std::uint64_t number, Lanes lanes, bool waits, std::uint32_t warps) {
    Barrier& barrier = barriers_[number];
    publish_all(barrier.log, lanes);
    if (waits) warp_->waiting.push_back({lanes, number, barrier.phase()});
    barrier.came |= std::uint64_t{1} << warp_number_;
    if (static_cast<std::uint32_t>(std::popcount(barrier.came)) >= warps) barrier.end_phase();
}

void Order::arrive_at_cluster(std::uint64_t number, Lanes lanes) {
    Barrier& barrier = barriers_[number];
    publish_all(barrier.log, lanes);
    warp_->waiting.push_back({lanes, number, barrier.phase()});
}

void Order::let_go(Lanes lanes) {
    std::erase_if(warp_->waiting, [&](const Wait& wait) {
        if (!(wait.lanes & lanes)) return false;
        Barrier& barrier = barriers_[wait.barrier];
        if (wait.phase == barrier.phase()) barrier.end_phase();
        auto& known = knows();
        each_lane(wait.lanes, [&](int lane) {
            learn(known[static_cast<std::size_t>(lane)], &barrier.log, barrier.ends[wait.phase]);
        });
        return true;
    });
}

// All threads of the block know what each of them did and knew.
void Order::share_knowledge() {
    for (std::uint32_t w = 0; w < warps_; ++w) {
        Warp& warp = block_->warps[w];
        if (warp.knows) {
            for (const Knowledge& one : *warp.knows) learn(block_->knows, one);
            warp.knows.reset();
        }
        if (warp.fenced) {
            auto& fenced = fenced_[block_number_];
            fenced.resize(warps_);
            fenced[w] = std::max(fenced[w], *std::max_element(warp.fenced->begin(), warp.fenced->end()));
        }
    }
}

void Order::meet(Lanes lanes, bool orders_memory) {
    if (warp_->knows) {
        Knowledge all;
        each_lane(lanes, [&](int lane) { learn(all, (*warp_->knows)[static_cast<std::size_t>(lane)]); });
        each_lane(lanes, [&](int lane) { (*warp_->knows)[static_cast<std::size_t>(lane)] = all; });
    }
    if (!orders_memory) return;
    next_segment();
    if (lanes == ~Lanes{0}) {
        warp_->together = warp_->now.sequence;
        warp_->met.reset();
        return;
    }
    if (!warp_->met) warp_->met = std::make_unique<std::array<std::array<std::uint32_t, 32>, 32>>();
    auto& met = *warp_->met;
    std::array<std::uint32_t, warp_lanes> all{};
    each_lane(lanes, [&](int lane) {
        const auto& one = met[static_cast<std::size_t>(lane)];
        for (std::size_t i = 0; i < warp_lanes; ++i) all[i] = std::max(all[i], one[i]);
    });
    each_lane(lanes, [&](int lane) { all[static_cast<std::size_t>(lane)] = warp_->now.sequence; });
    each_lane(lanes, [&](int lane) { met[static_cast<std::size_t>(lane)] = all; });
}

void Order::fence(Lanes lanes, bool of_block) {
    next_segment();
    block_->tells = true;
    const auto note = [&](std::unique_ptr<Warp::ByLane>& sequence, std::unique_ptr<Warp::ByLane>& epoch) {
        if (!sequence) {
            sequence = std::make_unique<Warp::ByLane>();
            epoch = std::make_unique<Warp::ByLane>();
        }
        each_lane(lanes, [&](int lane) {
            (*sequence)[static_cast<std::size_t>(lane)] = warp_->now.sequence;
            (*epoch)[static_cast<std::size_t>(lane)] = block_->epoch;
        });
    };
    if (!of_block) note(warp_->fenced, warp_->fenced_epoch);
    if (block_scopes_) note(warp_->fenced_in_block, warp_->fenced_in_block_epoch);
}

void Order::publish(Log& log, int lane, std::uint32_t sequence, std::uint32_t epoch) {
    const auto number = static_cast<std::uint32_t>(log.entries.size());
    const auto block = static_cast<std::uint32_t>(block_number_);
    auto& of_thread = log.by_thread[thread_key(block, warp_number_, static_cast<std::uint32_t>(lane))];
    auto& of_block = log.by_block[block];
    // Who comes here knows what was published before, too.
    if (!of_thread.empty()) sequence = std::max(sequence, log.entries[of_thread.back()].sequence);
    if (!of_block.empty()) epoch = std::max(epoch, log.entries[of_block.back()].epoch);
    log.entries.push_back({block, warp_number_, static_cast<std::uint32_t>(lane), sequence, epoch});
    of_thread.push_back(number);
    of_block.push_back(number);
    const auto pass_on = [&](const Knowledge& knowledge) {
        for (const auto& known : knowledge)
            if (known.first != &log && (log.more.empty() || log.more.back().second != known))
                log.more.emplace_back(number, known);
    };
    pass_on(block_->knows);
    if (warp_->knows && lane < warp_lanes) pass_on((*warp_->knows)[static_cast<std::size_t>(lane)]);
}

// What a lane that this one has met did before, it publishes too: up to where they met, if a fence of its own
// came behind that, else up to the other's own fence before it.
void Order::publish_met(Log& log, int lane, std::uint32_t sequence, std::uint32_t epoch,
                        const Warp::ByLane* fenced) {
    if (!warp_->together && !warp_->met) return;
    if (!warp_->met && warp_->together <= sequence) return publish(log, all_lanes, warp_->together, epoch);
    for (std::size_t i = 0; i < warp_lanes; ++i) {
        if (static_cast<int>(i) == lane) continue;
        std::uint32_t met = warp_->together;
        if (warp_->met) met = std::max(met, (*warp_->met)[static_cast<std::size_t>(lane)][i]);
        const std::uint32_t covered = met <= sequence ? met : fenced && (*fenced)[i] < met ? (*fenced)[i] : 0;
        if (covered) publish(log, static_cast<int>(i), covered, epoch);
    }
}

void Order::publish(std::uint64_t where, int lane, bool released, bool of_block) {
    const auto l = static_cast<std::size_t>(lane);
    if (released) next_segment();
    const auto publish_in = [&](auto log, bool releases, const Warp::ByLane* fenced,
                                const Warp::ByLane* epochs) {
        std::uint32_t sequence = 0, epoch = 0;
        if (releases)
            sequence = warp_->now.sequence, epoch = block_->epoch;
        else if (fenced && (*fenced)[l])
            sequence = (*fenced)[l], epoch = (*epochs)[l];
        else if (fenced_.empty() || !fenced_.contains(block_number_)) {
            if (fenced && (warp_->together || warp_->met)) publish_met(log(), lane, 0, 0, fenced);
            return;
        }
        // With neither it is what others of the block had fenced before a barrier.
        publish(log(), lane, sequence, epoch);
        publish_met(log(), lane, sequence, epoch, fenced);
    };
    publish_in([&]() -> Log& { return logs_[where]; }, released && !of_block, warp_->fenced.get(),
               warp_->fenced_epoch.get());
    if (block_scopes_)
        publish_in([&]() -> Log& { return block_logs_[{block_number_, where}]; }, released,
                   warp_->fenced_in_block.get(), warp_->fenced_in_block_epoch.get());
}

void Order::acquire(std::uint64_t where, int lane, bool of_block) {
    const auto look = [&](auto& logs, const auto& at) {
        if (logs.empty()) return;
        const auto log = logs.find(at);
        if (log == logs.end()) return;
        learn(knows()[static_cast<std::size_t>(lane)], &log->second,
              static_cast<std::uint32_t>(log->second.entries.size()));
    };
    if (!of_block) look(logs_, where);
    if (block_scopes_) look(block_logs_, std::pair{block_number_, where});
}

void Order::arrive_phase(std::uint32_t phase, Lanes lanes) {
    Log& log = phases_[block_number_ << 32 | phase];
    publish_all(log, lanes);
    if (lanes == ~Lanes{0} || (!warp_->together && !warp_->met)) return;
    // What all have met before, the first that arrives tells for all.
    const Lanes tell = warp_->met ? lanes : lanes & -lanes;
    each_lane(tell, [&](int lane) { publish_met(log, lane, warp_->now.sequence, block_->epoch, nullptr); });
}

void Order::wait_phase(std::uint32_t phase, Lanes lanes) {
    Log& log = phases_[block_number_ << 32 | phase];
    auto& known = knows();
    each_lane(lanes, [&](int lane) {
        learn(known[static_cast<std::size_t>(lane)], &log, static_cast<std::uint32_t>(log.entries.size()));
    });
}

template <class F>
bool Order::any_known(const Knowledge& knowledge, const F& f) {
    Knowledge todo = knowledge, seen;
    constexpr std::size_t most = 256;  // beyond that it counts as known: no false alarm
    while (!todo.empty()) {
        const auto [log, length] = todo.back();
        todo.pop_back();
        const auto known =
            std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == log; });
        if (known != seen.end() && known->second >= length) continue;
        if (known != seen.end())
            known->second = length;
        else
            seen.emplace_back(log, length);
        if (seen.size() > most || f(*log, length)) return true;
        for (const auto& [from, more] : log->more)
            if (from < length) todo.push_back(more);
    }
    return false;
}

bool Order::covers(const Knowledge& knowledge, const Segment& segment, int lane,
                   const std::vector<std::uint32_t>* fenced) {
    return any_known(knowledge, [&](const Log& log, std::uint32_t length) {
        if (const auto of_block = log.by_block.find(segment.block); of_block != log.by_block.end())
            if (const std::uint32_t* const last = last_before(of_block->second, length)) {
                if (segment.epoch < log.entries[*last].epoch) return true;
                if (fenced && segment.sequence < (*fenced)[segment.warp]) return true;
            }
        for (const int whose : {lane, all_lanes}) {
            const auto of_thread = log.by_thread.find(
                thread_key(segment.block, segment.warp, static_cast<std::uint32_t>(whose)));
            if (of_thread != log.by_thread.end())
                if (const std::uint32_t* const last = last_before(of_thread->second, length))
                    if (segment.sequence < log.entries[*last].sequence) return true;
        }
        return false;
    });
}

bool Order::knows_phase(std::uint32_t phase, int lane) const {
    const auto found = phases_.find(block_number_ << 32 | phase);
    if (found == phases_.end()) return false;
    const auto is_it = [&](const Log& log, std::uint32_t) { return &log == &found->second; };
    return any_known(block_->knows, is_it) ||
           (warp_->knows && any_known((*warp_->knows)[static_cast<std::size_t>(lane)], is_it));
}

const std::vector<std::uint32_t>* Order::fenced_of(std::uint32_t block) const {
    const auto known = fenced_.find(block);
    return known == fenced_.end() ? nullptr : &known->second;
}

bool Order::has_acquired(const Segment& segment, int its_lane, int lane) const {
    const Knowledge* const own = warp_->knows ? &(*warp_->knows)[static_cast<std::size_t>(lane)] : nullptr;
    if (block_->knows.empty() && (!own || own->empty())) return false;
    const std::vector<std::uint32_t>* const fenced = fenced_of(segment.block);
    return (own && covers(*own, segment, its_lane, fenced)) ||
           covers(block_->knows, segment, its_lane, fenced);
}

}  // namespace lockstep::check
