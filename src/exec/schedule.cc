#include "exec/schedule.h"

#include <algorithm>
#include <bit>

namespace lockstep::exec {
namespace {

// Steele, Lea and Flood's SplitMix64: its output function.
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace

Chance::Chance(const Schedule& schedule, std::uint64_t blocks)
    : schedule_(schedule), blocks_(blocks), state_(mixed(schedule.seed)) {
    while (blocks_ > std::uint64_t{1} << (2 * half_bits_)) ++half_bits_;
}

std::uint64_t Chance::next() { return mixed(state_ += 0x9e3779b97f4a7c15); }

// A Feistel network: a permutation of all numbers of 2 * half_bits_ bits that takes no memory.
std::uint64_t Chance::scrambled(std::uint64_t number) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = number >> half_bits_, right = number & mask;
    for (std::uint64_t round = 1; round <= 4; ++round) {
        const std::uint64_t old = right;
        right = left ^ (mixed(schedule_.seed * 8 + round + (right << 32)) & mask);
        left = old;
    }
    return left << half_bits_ | right;
}

std::uint64_t Chance::block(std::uint64_t place) const {
    if (schedule_.backward) return blocks_ - 1 - place;
    // Numbers that are too large are scrambled again, until one is not: that is a permutation, too.
    do place = scrambled(place);
    while (place >= blocks_);
    return place;
}

std::uint32_t Chance::warp(std::uint64_t ready, std::uint32_t last) {
    if (schedule_.backward) {
        // In turn, so that those that wait for others get what they wait for.
        const std::uint64_t before = ready & ((std::uint64_t{1} << last) - 1);
        return static_cast<std::uint32_t>(std::bit_width(before ? before : ready) - 1);
    }
    for (std::uint64_t skip = below(static_cast<std::uint64_t>(std::popcount(ready))); skip > 0; --skip)
        ready &= ready - 1;
    return static_cast<std::uint32_t>(std::countr_zero(ready));
}

std::uint32_t Chance::stretch() {
    return schedule_.stretch ? 1 + static_cast<std::uint32_t>(below(2 * schedule_.stretch)) : 0;
}

WatchedFirst::WatchedFirst(std::span<const events::BlockRange> watched) {
    for (const events::BlockRange& range : watched) {
        ranges_.push_back({range.begin, watched_, range.begin - watched_});
        watched_ += range.end - range.begin;
    }
}

std::uint64_t WatchedFirst::block(std::uint64_t place) const {
    if (place < watched_) {
        const auto behind =
            std::upper_bound(ranges_.begin(), ranges_.end(), place,
                             [](std::uint64_t at, const Range& range) { return at < range.watched_before; });
        return std::prev(behind)->begin + (place - std::prev(behind)->watched_before);
    }
    const std::uint64_t other = place - watched_;
    const auto behind =
        std::upper_bound(ranges_.begin(), ranges_.end(), other,
                         [](std::uint64_t at, const Range& range) { return at < range.others_before; });
    return other + (behind == ranges_.end() ? watched_ : behind->watched_before);
}

}  // namespace lockstep::exec
