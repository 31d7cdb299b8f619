// Reading a buffer of records: the one place that knows how they follow each other.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "events/records.h"

namespace lockstep::events {

// Functions of a number and a record as one visitor; kinds of records that none of them takes are passed
// over: visit(records, Visitor{[&](std::uint32_t block, const BlockRecord& record) {…}, …}).
struct PassOver {
    template <class Record>
    void operator()(std::uint32_t /*number*/, const Record&) const {}
};
template <class... Functions>
struct Visitor : PassOver, Functions... {
    explicit Visitor(Functions... functions) : Functions(functions)... {}
    using PassOver::operator();
    using Functions::operator()...;
};

template <class Record>
constexpr std::size_t size_of(const Record& record) {
    if constexpr (requires { record.size(); })
        return record.size();
    else
        return sizeof(Record);
}

namespace detail {

// Records lie at multiples of eight bytes, so none is copied.
template <class Record, class F>
const std::byte* take(const std::byte* at, std::uint32_t number, F& f) {
    const auto& record = *reinterpret_cast<const Record*>(at);
    f(number, record);
    return at + size_of(record);
}

}  // namespace detail

// Calls f(number, record) for each record, in order.
template <class F>
void visit_as_recorded(std::span<const std::byte> records, F&& f) {
    const std::byte* at = records.data();
    const std::byte* const end = at + records.size();
    while (at < end) {
        const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at);
        const std::uint32_t number = number_of(word);
        const Tag tag = tag_of(word);
        // By far the most are these, and what comes first costs least.
        if (tag == Tag::block) {
            at = detail::take<BlockRecord>(at, number, f);
            continue;
        }
        if (tag == Tag::linear_access) {
            at = detail::take<LinearAccess>(at, number, f);
            continue;
        }
        switch (tag) {
            case Tag::block:
            case Tag::linear_access: break;
            case Tag::scattered_access: at = detail::take<ScatteredAccess>(at, number, f); break;
            case Tag::rows_access: at = detail::take<RowsAccess>(at, number, f); break;
            case Tag::texture_access: at = detail::take<TextureAccess>(at, number, f); break;
            case Tag::texel_access: at = detail::take<TexelAccess>(at, number, f); break;
            case Tag::bulk_access: at = detail::take<BulkAccess>(at, number, f); break;
            case Tag::phase: at = detail::take<PhaseRecord>(at, number, f); break;
            case Tag::split: at = detail::take<SplitRecord>(at, number, f); break;
            case Tag::barrier: at = detail::take<BarrierRecord>(at, number, f); break;
            case Tag::fence: at = detail::take<FenceRecord>(at, number, f); break;
            case Tag::allocation: at = detail::take<AllocationRecord>(at, number, f); break;
            case Tag::release: at = detail::take<ReleaseRecord>(at, number, f); break;
            case Tag::arithmetic: at = detail::take<ArithmeticRecord>(at, number, f); break;
            case Tag::slow_way: at = detail::take<SlowWayRecord>(at, number, f); break;
            case Tag::values: at = detail::take<ValuesRecord>(at, number, f); break;
            case Tag::match: at = detail::take<MatchRecord>(at, number, f); break;
        }
    }
}

// The same, with all accesses of rows as scattered ones.
template <class F>
void visit(std::span<const std::byte> records, F&& f) {
    visit_as_recorded(records, [&]<class Record>(std::uint32_t number, const Record& record) {
        if constexpr (std::is_same_v<Record, RowsAccess>)
            f(number, record.scattered());
        else
            f(number, record);
    });
}

// Who has to want something for such a record to be made.
constexpr Wants::Kind wanted_by(Tag tag) {
    switch (tag) {
        case Tag::block: return Wants::blocks;
        case Tag::linear_access:
        case Tag::scattered_access:
        case Tag::rows_access:
        case Tag::texture_access:
        case Tag::bulk_access:
        case Tag::phase: return Wants::accesses;
        case Tag::texel_access: return Wants::texels;
        case Tag::split: return Wants::splits;
        case Tag::barrier: return Wants::barriers;
        case Tag::fence: return Wants::fences;
        case Tag::allocation:
        case Tag::release: return Wants::allocations;
        // By one or the other: whoever wants either takes both.
        case Tag::arithmetic: return Wants::arithmetic;
        case Tag::slow_way: return Wants::slow_ways;
        case Tag::values: return Wants::values;
        case Tag::match: return Wants::matches;
    }
    return Wants::blocks;
}

// The records that `wants` asks for, of a buffer that may have others too, accesses of rows as scattered
// ones.
inline std::vector<std::byte> only(std::span<const std::byte> records, Wants wants) {
    std::vector<std::byte> kept;
    visit(records, [&]<class Record>(std::uint32_t, const Record& record) {
        if (!wants.has(wanted_by(Record::tag))) return;
        const auto* bytes = reinterpret_cast<const std::byte*>(&record);
        kept.insert(kept.end(), bytes, bytes + size_of(record));
    });
    return kept;
}

// The bytes of these records, accesses of rows as scattered ones: how much was done, however it was recorded.
inline std::size_t whole_bytes(std::span<const std::byte> records) {
    std::size_t bytes = 0;
    visit_as_recorded(records, [&]<class Record>(std::uint32_t, const Record& record) {
        bytes += std::is_same_v<Record, RowsAccess> ? sizeof(ScatteredAccess) : size_of(record);
    });
    return bytes;
}

// The first ones, as many as take no more than so many bytes as whole_bytes has it; one at least.
inline std::span<const std::byte> first_of(std::span<const std::byte> records, std::uint64_t most) {
    std::uint64_t whole = 0;
    std::size_t kept = 0;
    visit_as_recorded(records, [&]<class Record>(std::uint32_t, const Record& record) {
        whole += std::is_same_v<Record, RowsAccess> ? sizeof(ScatteredAccess) : size_of(record);
        if (whole <= most || kept == 0) kept += size_of(record);
    });
    return records.first(kept);
}

}  // namespace lockstep::events
