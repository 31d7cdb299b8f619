#include "check/quiet-rounds.h"

#include <algorithm>
#include <bit>

#include "events/visit.h"

namespace lockstep::check {

QuietRounds::QuietRounds(const RaceJudge& judge) : judge_(judge) {}

bool QuietRounds::Range::is_by_lanes_of(const Range& other) const {
    if (warp != other.warp || !apart || !other.apart) return false;
    return (linear && other.linear && first == other.first && stride == other.stride) ||
           (lanes == other.lanes && std::has_single_bit(lanes));
}

bool QuietRounds::Range::is_between(const Range& other) const {
    if (!linear || !other.linear || stride != other.stride || stride <= 0 || !apart || !other.apart)
        return false;
    const auto distance = static_cast<std::int64_t>(first - other.first);
    const std::int64_t rest = (distance % stride + stride) % stride;
    if (rest != 0) return rest >= other.bytes && stride - rest >= bytes;
    // Lane l is where the other's lane l + steps is.
    const std::int64_t steps = distance / stride;
    if (steps <= -warp_lanes || steps >= warp_lanes) return true;
    return ((steps < 0 ? lanes >> -steps : lanes << steps) & other.lanes) == 0;
}

QuietRounds::Range QuietRounds::range(const events::LinearAccess& record, std::uint32_t bytes,
                                      std::uint32_t warp) {
    int low = std::countr_zero(record.mask), high = warp_lanes - 1 - std::countl_zero(record.mask);
    if (record.stride < 0) std::swap(low, high);
    const auto address = [&](int lane) {
        return record.first + static_cast<std::uint64_t>(record.stride * lane);
    };
    const auto step = static_cast<std::uint64_t>(record.stride < 0 ? -record.stride : record.stride);
    return {.begin = address(low),
            .end = address(high) + bytes,
            .first = record.first,
            .stride = record.stride,
            .linear = true,
            .apart = step >= bytes || low == high,
            .lanes = record.mask,
            .warp = warp,
            .bytes = bytes};
}

QuietRounds::Range QuietRounds::range(const events::RowsAccess& record, std::uint32_t bytes,
                                      std::uint32_t warp) {
    Range all{.begin = ~std::uint64_t{0}, .apart = true, .lanes = record.mask, .warp = warp, .bytes = bytes};
    for (std::uint32_t row = 0; row < record.rows; ++row) {
        const events::LinearAccess one = record.row(row);
        if (!one.mask) continue;
        const Range next = range(one, bytes, warp);
        all.apart &= next.apart && one.stride >= 0 && next.begin >= all.end;
        all.begin = std::min(all.begin, next.begin);
        all.end = std::max(all.end, next.end);
    }
    return all;
}

QuietRounds::Range QuietRounds::range(const events::ScatteredAccess& record, std::uint32_t bytes,
                                      std::uint32_t warp) {
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    bool ascends = true;
    // A stride that only shows when the code runs: from the first two lanes.
    const int lane = std::countr_zero(record.mask) % warp_lanes;  // some lane takes part
    const std::uint64_t address = record.addresses[lane];
    const Lanes rest = record.mask & (record.mask - 1);
    const int next = rest ? std::countr_zero(rest) % warp_lanes : lane + 1;
    const std::int64_t stride =
        rest ? static_cast<std::int64_t>(record.addresses[next] - address) / (next - lane) : 0;
    bool linear = rest != 0;
    each_lane(record.mask, [&](int of) {
        const std::uint64_t here = record.addresses[of];
        ascends &= highest == 0 || here >= highest + bytes;
        linear &= here == address + static_cast<std::uint64_t>(stride * (of - lane));
        lowest = std::min(lowest, here);
        highest = std::max(highest, here);
    });
    return {.begin = lowest,
            .end = highest + bytes,
            .first = address - static_cast<std::uint64_t>(stride * lane),
            .stride = stride,
            .linear = linear,
            .apart = ascends,
            .lanes = record.mask,
            .warp = warp,
            .bytes = bytes};
}

template <class Record>
QuietRounds::Where QuietRounds::where(const RaceJudge::Site& site, const Record& record,
                                      const events::Windows& windows) const {
    if (site.local || site.space == ptx::Space::global) return Where::elsewhere;
    if (site.space == ptx::Space::shared) return Where::shared;
    if constexpr (std::is_same_v<Record, events::LinearAccess>)
        return windows.in_shared(record.first) ? Where::shared : Where::elsewhere;
    if constexpr (std::is_same_v<Record, events::RowsAccess>) return where(site, record.scattered(), windows);
    Where found = Where::elsewhere;
    if constexpr (std::is_same_v<Record, events::ScatteredAccess>)
        each_lane(record.mask, [&](int lane) {
            if (windows.in_shared(record.addresses[lane])) found = Where::unknown;
        });
    return found;
}

template <class Record>
bool QuietRounds::look(const RaceJudge::Site& site, const Record& record, const events::Batch& batch) {
    constexpr std::size_t most = 256;  // more than a look at each of them is worth
    const Where at = where(site, record, batch.windows);
    if (at != Where::shared) return at == Where::elsewhere;
    if (site.facts->strong) return false;
    const Range next = range(record, site.bytes, batch.warp);
    if (!site.facts->writes) return is_apart_from_writes(next);
    if (writes_.empty() || next.begin != writes_.back().begin || next.end != writes_.back().end ||
        !next.is_by_lanes_of(writes_.back()))
        writes_.push_back(next);
    else
        writes_.back().lanes |= next.lanes;
    return writes_.size() <= most;
}

bool QuietRounds::look(const events::Batch& batch, bool at_writes) {
    bool quiet = true;
    const auto access = [&](std::uint32_t number, const auto& record) {
        const RaceJudge::Site& site = judge_.site(number);
        if (site.facts->writes == at_writes || site.facts->strong) quiet = quiet && look(site, record, batch);
    };
    events::visit_as_recorded(
        batch.records,
        events::Visitor{
            [&](std::uint32_t number, const events::LinearAccess& record) { access(number, record); },
            [&](std::uint32_t number, const events::RowsAccess& record) { access(number, record); },
            [&](std::uint32_t number, const events::ScatteredAccess& record) { access(number, record); },
            [&](std::uint32_t, const events::BulkAccess&) { quiet = false; },
            [&](std::uint32_t, const events::PhaseRecord&) { quiet = false; },
        });
    return quiet;
}

// Leaves them in order of where they begin.
bool QuietRounds::writes_are_apart() {
    const auto begins_before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
    if (!std::is_sorted(writes_.begin(), writes_.end(), begins_before))
        std::sort(writes_.begin(), writes_.end(), begins_before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        const Range& next = writes_[i];
        if (!next.apart) return false;
        if (kept && next.begin < writes_[kept - 1].end) {
            Range& before = writes_[kept - 1];
            if (!next.is_by_lanes_of(before)) return false;
            before.linear &= next.linear && next.first == before.first && next.stride == before.stride;
            before.lanes |= next.lanes;
            before.end = std::max(before.end, next.end);
        } else {
            writes_[kept++] = next;
        }
    }
    writes_.resize(kept);
    return true;
}

bool QuietRounds::is_apart_from_writes(const Range& read) const {
    auto write = std::partition_point(writes_.begin(), writes_.end(),
                                      [&](const Range& range) { return range.end <= read.begin; });
    for (; write != writes_.end() && write->begin < read.end; ++write)
        if (!read.is_by_lanes_of(*write) && !read.is_between(*write)) return false;
    return true;
}

bool QuietRounds::is_quiet(std::span<const events::Batch* const> warps) {
    if (judge_.has_copies() || judge_.clustered() || !judge_.order().begins_epoch()) return false;
    if (warps.empty() || warps[0]->windows.shared.size == 0) return true;
    writes_.clear();
    const auto all_quiet = [&](bool at_writes) {
        return std::all_of(warps.begin(), warps.end(),
                           [&](const events::Batch* batch) { return look(*batch, at_writes); });
    };
    return all_quiet(true) && (writes_.empty() || (writes_are_apart() && all_quiet(false)));
}

}  // namespace lockstep::check
