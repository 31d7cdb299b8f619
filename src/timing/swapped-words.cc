#include "timing/swapped-words.h"

#include <algorithm>

namespace lockstep::timing {

SwappedWords::Turns& SwappedWords::turns_of(std::uint64_t address, WarpNumber warp) {
    const auto [found, fresh] = words_.try_emplace(address);
    Turns& turns = found->second;
    if (fresh) {
        turns.last = -1e18;
        turns.warp = warp;
    }
    // Those that the first block's warps stand for come before another block's.
    if (!turns.shared && block_of(turns.warp) != block_of(warp)) {
        turns.shared = true;
        turns.last += (elsewhere_ - 1) * turns.apart;
    }
    return turns;
}

// Those that are through by now have tried while the others did.
void SwappedWords::leave(Turns& turns, double now) {
    const auto go_on = [&](double until) {
        const double many = times(turns) * static_cast<double>(turns.waiting.size());
        const double round = std::max(turns.round, turns.attempt * many);
        if (round > 0 && until > turns.tried_at) turns.tried += (until - turns.tried_at) / round;
        turns.tried_at = std::max(turns.tried_at, until);
    };
    while (!turns.waiting.empty() && turns.waiting.front().end <= now) {
        const Waiting one = turns.waiting.front();
        go_on(one.end);
        if (one.lanes > 0) {
            counters::Rounds& rounds = failed_[one.site];
            rounds.warps += turns.tried - one.tried;
            rounds.lanes += (turns.tried - one.tried) * one.lanes;
        }
        turns.waiting.erase(turns.waiting.begin());
    }
    go_on(now);
}

void SwappedWords::finish() {
    for (auto& [address, turns] : words_)
        if (!turns.waiting.empty()) leave(turns, turns.waiting.back().end);
}

double SwappedWords::contenders(std::span<const Word> words, WarpNumber warp, double now) {
    double most = 1;
    for (const Word& word : words) {
        Turns& turns = turns_of(word.address, warp);
        leave(turns, now);
        most = std::max(most, times(turns) * (1 + static_cast<double>(turns.waiting.size())));
    }
    // Each word has another order: a warp of several tries until its last one, and more are there on average.
    const auto count = static_cast<double>(words.size());
    return most * 2 * count / (count + 1);
}

SwappedWords::Next SwappedWords::next_change(const Word& word, WarpNumber warp, double now, bool all_lanes,
                                             const Pace& pace) {
    if (const auto held = held_.find(warp); held != held_.end()) {
        const auto own = std::ranges::find(held->second, word.address, &Held::address);
        if (own != held->second.end() && now > own->last + pace.apart + pace.round) {
            held->second.erase(own);  // it has left the loop by another way
        } else if (own != held->second.end()) {
            const double at = own->last = std::max(now, own->last + pace.apart);
            if (--own->left == 0) held->second.erase(own);
            if (held->second.empty()) held_.erase(held);
            return {at, at, true, false};
        }
    }
    Turns& turns = turns_of(word.address, warp);
    const bool again = turns.warp == warp && turns.last <= now;  // nobody was in between
    const double others = times(turns) - 1;  // that come before it, of those that it stands for
    const bool holds = pace.in_turn && !all_lanes && word.lanes > 1;
    const double each = all_lanes || holds ? word.lanes : 1;
    const double first = again ? now : std::max(now, turns.last + pace.apart * (1 + others * each));
    if (holds) held_[warp].push_back({word.address, first, word.lanes - 1u});
    turns.warp = warp;
    turns.apart = pace.apart;
    turns.round = pace.round;
    turns.attempt = pace.attempt;
    turns.last = first + (each - 1) * pace.apart;
    return {all_lanes ? turns.last : first, turns.last, holds, true};
}

SwappedWords::Changed SwappedWords::change(const Access& access, std::span<const Word> words, WarpNumber warp,
                                           double now, const Pace& pace) {
    Changed result{now, 0};
    const double many = pace.attempt > 0 ? contenders(words, warp, now) : 0;
    std::vector<Next> next;
    std::size_t last = 0;
    for (const Word& word : words) {
        leave(turns_of(word.address, warp), now);
        next.push_back(next_change(word, warp, now, access.spins, pace));
        if (next.back().at > next[last].at) last = next.size() - 1;
    }
    if (next.empty()) return result;
    const double own = access.spins ? access.rounds - 1 : 0;  // that fail by the warp's own lanes
    result.at = std::max(now + own * pace.apart, next[last].at);
    const double round = std::max(pace.round, pace.attempt * many);
    if (round > 0) result.rounds = std::max(own, (result.at - now) / round);
    // Others that come meanwhile make no round longer, or it is there longer than it fails.
    const bool counted = pace.attempt == 0 || next[last].in_turn;
    if (counted && result.rounds > 0) {
        counters::Rounds& rounds = failed_[access.site];
        rounds.warps += result.rounds;
        rounds.lanes += result.rounds * access.lanes;
        rounds.splits += own;
    }
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (!next[w].comes) continue;
        Turns& turns = turns_of(words[w].address, warp);
        const Waiting one{next[w].end, turns.tried, access.site, w == last && !counted ? access.lanes : 0u};
        turns.waiting.insert(std::ranges::upper_bound(turns.waiting, one.end, {}, &Waiting::end), one);
    }
    return result;
}

}  // namespace lockstep::timing
