#include "check/order.h"

#include <algorithm>
#include <bit>

namespace lockstep::check {
namespace {

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

void Order::arrive(std::uint64_t barrier, Lanes lanes, bool waits) {
    Log& log = barriers_[barrier];
    next_segment();
    each_lane(lanes, [&](int lane) { publish(log, lane, warp_->now.sequence, block_->epoch); });
    if (waits) warp_->waiting.emplace_back(lanes, barrier);
}

void Order::let_go(Lanes lanes) {
    std::erase_if(warp_->waiting, [&](const auto& wait) {
        if (!(wait.first & lanes)) return false;
        Log& log = barriers_[wait.second];
        auto& known = knows();
        each_lane(wait.first, [&](int lane) {
            learn(known[static_cast<std::size_t>(lane)], &log,
                  static_cast<std::uint32_t>(log.entries.size()));
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

void Order::fence(Lanes lanes) {
    next_segment();
    block_->tells = true;
    if (!warp_->fenced) {
        warp_->fenced = std::make_unique<std::array<std::uint32_t, warp_lanes>>();
        warp_->fenced_epoch = std::make_unique<std::array<std::uint32_t, warp_lanes>>();
    }
    each_lane(lanes, [&](int lane) {
        (*warp_->fenced)[static_cast<std::size_t>(lane)] = warp_->now.sequence;
        (*warp_->fenced_epoch)[static_cast<std::size_t>(lane)] = block_->epoch;
    });
}

void Order::publish(Log& log, int lane, std::uint32_t sequence, std::uint32_t epoch) {
    const auto number = static_cast<std::uint32_t>(log.entries.size());
    const auto block = static_cast<std::uint32_t>(block_number_);
    log.entries.push_back({block, warp_number_, static_cast<std::uint32_t>(lane), sequence, epoch});
    log.by_thread[thread_key(block, warp_number_, static_cast<std::uint32_t>(lane))].push_back(number);
    log.by_block[block].push_back(number);
    const auto pass_on = [&](const Knowledge& knowledge) {
        for (const auto& known : knowledge)
            if (known.first != &log && (log.more.empty() || log.more.back().second != known))
                log.more.emplace_back(number, known);
    };
    pass_on(block_->knows);
    if (warp_->knows) pass_on((*warp_->knows)[static_cast<std::size_t>(lane)]);
}

void Order::publish(std::uint64_t where, int lane, bool released) {
    const auto l = static_cast<std::size_t>(lane);
    if (released) {
        next_segment();
        publish(logs_[where], lane, warp_->now.sequence, block_->epoch);
    } else if (warp_->fenced && (*warp_->fenced)[l]) {
        publish(logs_[where], lane, (*warp_->fenced)[l], (*warp_->fenced_epoch)[l]);
    } else if (!fenced_.empty() && fenced_.contains(block_number_)) {
        publish(logs_[where], lane, 0, 0);  // what others of the block had fenced before a barrier
    }
}

void Order::acquire(std::uint64_t where, int lane) {
    if (logs_.empty()) return;
    const auto log = logs_.find(where);
    if (log == logs_.end()) return;
    learn(knows()[static_cast<std::size_t>(lane)], &log->second,
          static_cast<std::uint32_t>(log->second.entries.size()));
}

void Order::arrive_phase(std::uint32_t phase, Lanes lanes) {
    Log& log = phases_[block_number_ << 32 | phase];
    next_segment();
    each_lane(lanes, [&](int lane) { publish(log, lane, warp_->now.sequence, block_->epoch); });
}

void Order::wait_phase(std::uint32_t phase, Lanes lanes) {
    Log& log = phases_[block_number_ << 32 | phase];
    auto& known = knows();
    each_lane(lanes, [&](int lane) {
        learn(known[static_cast<std::size_t>(lane)], &log, static_cast<std::uint32_t>(log.entries.size()));
    });
}

bool Order::covers(const Knowledge& knowledge, const Segment& segment, int lane,
                   const std::vector<std::uint32_t>* fenced) {
    // Logs that a log's own publishers had acquired from are looked at in their turn.
    Knowledge todo = knowledge, seen;
    constexpr std::size_t most = 256;  // beyond that it counts as ordered: no false alarm
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
        if (seen.size() > most) return true;
        if (const auto of_block = log->by_block.find(segment.block); of_block != log->by_block.end())
            if (const std::uint32_t* const last = last_before(of_block->second, length)) {
                if (segment.epoch < log->entries[*last].epoch) return true;
                if (fenced && segment.sequence < (*fenced)[segment.warp]) return true;
            }
        const auto of_thread =
            log->by_thread.find(thread_key(segment.block, segment.warp, static_cast<std::uint32_t>(lane)));
        if (of_thread != log->by_thread.end())
            if (const std::uint32_t* const last = last_before(of_thread->second, length))
                if (segment.sequence < log->entries[*last].sequence) return true;
        for (const auto& [from, more] : log->more)
            if (from < length) todo.push_back(more);
    }
    return false;
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
