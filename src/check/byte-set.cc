#include "check/byte-set.h"

#include <algorithm>

namespace lockstep::check {

std::size_t ByteSet::first_behind(std::uint64_t address) const {
    const auto at = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](std::uint64_t a, const Range& range) { return a < range.end; });
    return static_cast<std::size_t>(at - ranges_.begin());
}

void ByteSet::add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    if (ranges_.empty() || ranges_.back().end < begin) {
        ranges_.push_back({begin, end});
        return;
    }
    // Neighbours become one: those that end at its begin, too.
    const auto first = std::lower_bound(ranges_.begin(), ranges_.end(), begin,
                                        [](const Range& range, std::uint64_t a) { return range.end < a; });
    auto last = first;
    Range whole{begin, end};
    for (; last != ranges_.end() && last->begin <= end; ++last)
        whole = {std::min(whole.begin, last->begin), std::max(whole.end, last->end)};
    if (first == last) {
        ranges_.insert(first, whole);
        return;
    }
    *first = whole;
    ranges_.erase(first + 1, last);
}

void ByteSet::add(const ByteSet& other) {
    if (ranges_.empty()) {
        ranges_ = other.ranges_;
        return;
    }
    if (other.empty()) return;
    std::vector<Range> all;
    all.reserve(ranges_.size() + other.ranges_.size());
    std::merge(ranges_.begin(), ranges_.end(), other.ranges_.begin(), other.ranges_.end(),
               std::back_inserter(all), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    ranges_.clear();
    for (const Range& range : all)
        if (!ranges_.empty() && range.begin <= ranges_.back().end)
            ranges_.back().end = std::max(ranges_.back().end, range.end);
        else
            ranges_.push_back(range);
}

void ByteSet::remove(std::uint64_t begin, std::uint64_t end) {
    if (!touches(begin, end)) return;
    std::vector<Range> left;
    for (const Range& range : ranges_) {
        if (range.begin < std::min(range.end, begin))
            left.push_back({range.begin, std::min(range.end, begin)});
        if (std::max(range.begin, end) < range.end) left.push_back({std::max(range.begin, end), range.end});
    }
    ranges_ = std::move(left);
}

std::uint64_t ByteSet::bytes() const {
    std::uint64_t sum = 0;
    for (const Range& range : ranges_) sum += range.end - range.begin;
    return sum;
}

bool ByteSet::touches(std::uint64_t begin, std::uint64_t end) const {
    const std::size_t at = first_behind(begin);
    return begin < end && at < ranges_.size() && ranges_[at].begin < end;
}

bool ByteSet::contains(std::uint64_t begin, std::uint64_t end) const {
    const std::size_t at = first_behind(begin);
    return begin >= end || (at < ranges_.size() && ranges_[at].begin <= begin && end <= ranges_[at].end);
}

bool ByteSet::contains(const ByteSet& other) const {
    return std::all_of(other.ranges_.begin(), other.ranges_.end(),
                       [&](const Range& range) { return contains(range.begin, range.end); });
}

std::optional<ByteSet::Range> ByteSet::meets(const ByteSet& other) const {
    std::size_t a = 0, b = 0;
    while (a < ranges_.size() && b < other.ranges_.size()) {
        const Range both{std::max(ranges_[a].begin, other.ranges_[b].begin),
                         std::min(ranges_[a].end, other.ranges_[b].end)};
        if (both.begin < both.end) return both;
        if (ranges_[a].end <= other.ranges_[b].end)
            ++a;
        else
            ++b;
    }
    return std::nullopt;
}

}  // namespace lockstep::check
