#include "events/parted-lanes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "events/visit.h"

namespace lockstep::events {
namespace {

// What waits for a part that never comes is told after so much, whatever the order.
constexpr std::size_t most_waiting = std::size_t{64} << 20;

// Records may be shorter than their type.
template <class Record>
Record copy_of(const Record& record) {
    Record copy{};
    std::memcpy(&copy, &record, size_of(record));
    return copy;
}

// The record as those of its lanes tell it that are in `lanes`.
template <class Record>
Record of_lanes(const Record& record, WarpBits lanes) {
    Record part = copy_of(record);
    part.mask &= lanes;
    return part;
}
MatchRecord of_lanes(const MatchRecord& record, WarpBits lanes) {
    MatchRecord part = copy_of(record);
    part.mask &= lanes;
    part.values = std::min(part.values, static_cast<std::uint32_t>(std::popcount(part.mask)));
    return part;
}
SlowWayRecord of_lanes(const SlowWayRecord& record, WarpBits lanes) {
    SlowWayRecord part{};
    part.word = record.word;
    for (std::uint32_t i = 0; i < record.count; ++i)
        if (const WarpBits some = record.lanes[i].mask & lanes)
            part.lanes[part.count++] = {record.lanes[i].path, some};
    return part;
}

WarpBits lanes_of(const SlowWayRecord& record) {
    WarpBits all = 0;
    for (std::uint32_t i = 0; i < record.count; ++i) all |= record.lanes[i].mask;
    return all;
}
template <class Record>
WarpBits lanes_of(const Record& record) {
    return record.mask;
}

// Where all lanes go the usual way there is no record.
bool tells_nothing(const SlowWayRecord& record) {
    return std::ranges::all_of(std::span(record.lanes, record.count), [](const SlowWayRecord::Lanes& lanes) {
        return lanes.path == static_cast<std::uint32_t>(kernel::SlowPath::usual);
    });
}
template <class Record>
bool tells_nothing(const Record&) {
    return false;
}

// Records of several lanes that can be told lane by lane. Others (of what a warp does as a whole, or one of
// its lanes) are told once.
template <class Record>
constexpr bool has_lanes = std::is_same_v<Record, LinearAccess> || std::is_same_v<Record, ScatteredAccess> ||
                           std::is_same_v<Record, RowsAccess> || std::is_same_v<Record, MatchRecord> ||
                           std::is_same_v<Record, SlowWayRecord>;

template <class Record>
WarpBits first_lanes_of(const Record& record) {
    if constexpr (requires { record.mask; })
        return record.mask;
    else
        return WarpBits{1} << record.lane;
}

}  // namespace

Wants PartedLanes::wants() const {
    Wants wants;
    for (const Observer* observer : told_) wants = wants | observer->wants();
    return wants;
}

void PartedLanes::records(const Batch& batch) {
    Warp& warp = warps_[{batch.block, batch.warp}];
    warp.last = batch;
    out_.clear();
    read(warp, batch.records);
    if (warp.waiting > most_waiting) go_on(warp, whole);
    Batch told = batch;
    told.records = out_;
    if (!out_.empty()) pass_on(told);
}

void PartedLanes::block_ended(std::uint64_t block) {
    for (auto at = warps_.lower_bound({block, 0}); at != warps_.end() && at->first.first == block;
         at = warps_.erase(at)) {
        out_.clear();
        go_on(at->second, whole);
        at->second.last.records = out_;
        if (!out_.empty()) pass_on(at->second.last);
    }
    for (Observer* observer : told_) observer->block_ended(block);
}

void PartedLanes::launch_failed() {
    for (Observer* observer : told_) observer->launch_failed();
}

void PartedLanes::pass_on(const Batch& batch) {
    for (Observer* observer : told_) observer->records(batch);
}

void PartedLanes::read(Warp& warp, std::span<const std::byte> records) {
    visit_as_recorded(records, [&]<class Record>(std::uint32_t number, const Record& record) {
        if constexpr (std::is_same_v<Record, BlockRecord>) {
            enter(warp, number, record);
        } else if constexpr (std::is_same_v<Record, SplitRecord>) {
            split(warp, number, record);
        } else if constexpr (has_lanes<Record>) {
            for_each_part(warp, lanes_of(record), [&](std::uint32_t part, WarpBits lanes) {
                const Record some = of_lanes(record, lanes);
                if (!tells_nothing(some)) tell(warp, part, some);
            });
        } else {
            const int lane = std::countr_zero(first_lanes_of(record));
            tell(warp, warp.part_of[static_cast<std::size_t>(lane) % kernel::warp_lanes], record);
        }
    });
}

template <class F>
void PartedLanes::for_each_part(const Warp& warp, WarpBits mask, F&& f) {
    while (mask) {
        const std::uint32_t part = warp.part_of[static_cast<std::size_t>(std::countr_zero(mask))];
        const WarpBits lanes = warp.parts[part].lanes & mask;
        mask &= ~lanes;
        f(part, lanes);
    }
}

template <class Record>
void PartedLanes::tell(Warp& warp, std::uint32_t part, const Record& record) {
    std::vector<std::byte>& to = stream_of(warp, part);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
    to.insert(to.end(), bytes, bytes + size_of(record));
    if (part != whole) warp.waiting += size_of(record);
}

// Lanes come to where they meet others.
void PartedLanes::enter(Warp& warp, std::uint32_t block, const BlockRecord& record) {
    std::vector<std::uint32_t> met;
    for (WarpBits left = record.mask; left; left &= left - 1) {
        const WarpBits lane = left & -left;
        std::uint32_t& part = warp.part_of[static_cast<std::size_t>(std::countr_zero(left))];
        while (part != whole && warp.parts[part].meets == block) {
            warp.parts[part].lanes &= ~lane;
            part = warp.parts[part].of;
            warp.parts[part].lanes |= lane;
            if (std::ranges::find(met, part) == met.end()) met.push_back(part);
        }
    }
    for (const std::uint32_t part : met) go_on(warp, part);
    for_each_part(warp, record.mask,
                  [&](std::uint32_t part, WarpBits lanes) { tell(warp, part, of_lanes(record, lanes)); });
}

// The larger side goes on as it is, or those who stay in a loop that the others leave: these have no part in
// what meets in it.
void PartedLanes::split(Warp& warp, std::uint32_t block, const SplitRecord& record) {
    const kernel::Meeting& meeting = meetings_[block];
    for (WarpBits left = record.mask; left;) {
        const std::uint32_t part = warp.part_of[static_cast<std::size_t>(std::countr_zero(left))];
        SplitRecord some = of_lanes(record, warp.parts[part].lanes);
        some.taken &= some.mask;
        left &= ~some.mask;
        const WarpBits rest = some.mask & ~some.taken;
        if (!some.taken || !rest) continue;
        tell(warp, part, some);
        if (meeting.place == kernel::parts_nobody) continue;
        if (meeting.begin == meeting.end) {
            const bool more = std::popcount(some.taken) >= std::popcount(rest);
            move_to_new(warp, more ? rest : some.taken, part, meeting.place);
        } else {
            std::uint32_t of = part;
            while (of != whole && meeting.is_left(warp.parts[of].meets)) of = warp.parts[of].of;
            move_to_new(warp, meeting.leaves == 0 ? some.taken : rest, of, meeting.place);
        }
    }
}

void PartedLanes::move_to_new(Warp& warp, WarpBits lanes, std::uint32_t of, std::uint32_t meets) {
    auto number = static_cast<std::uint32_t>(warp.parts.size());
    for (std::uint32_t i = 1; i < number; ++i)
        if (warp.parts[i].free) number = i;
    if (number == warp.parts.size()) warp.parts.emplace_back();
    Part& part = warp.parts[number];
    part.of = of, part.meets = meets, part.lanes = lanes, part.free = false;
    for (; lanes; lanes &= lanes - 1) {
        std::uint32_t& before = warp.part_of[static_cast<std::size_t>(std::countr_zero(lanes))];
        warp.parts[before].lanes &= ~(lanes & -lanes);
        before = number;
    }
}

// What its parts have told comes before what it goes on with.
void PartedLanes::go_on(Warp& warp, std::uint32_t part) {
    std::vector<std::byte>& to = stream_of(warp, part);
    const auto collect = [&](const auto& again, std::uint32_t of) -> bool {
        bool any = false;
        for (std::uint32_t i = 1; i < warp.parts.size(); ++i) {
            Part& other = warp.parts[i];
            if (other.free || other.of != of) continue;
            to.insert(to.end(), other.told.begin(), other.told.end());
            if (&to == &out_) warp.waiting -= other.told.size();
            other.told.clear();
            const bool parted = again(again, i);
            other.free = !parted && other.lanes == 0;
            any |= !other.free;
        }
        return any;
    };
    collect(collect, part);
}

}  // namespace lockstep::events
