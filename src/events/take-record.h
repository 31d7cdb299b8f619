// Reading a buffer of records, one after the other.
#pragma once
#include <cstddef>

#include "events/records.h"

namespace lockstep::events {

// The record at `at`, which moves behind it. Records lie at multiples of eight bytes, so none is copied.
template <class Record>
const Record& take(const std::byte*& at) {
    const std::byte* here = at;
    at += sizeof(Record);
    return *reinterpret_cast<const Record*>(here);
}

// Of every lane, whether it takes part or not.
inline void lane_addresses(const LinearAccess& access, std::uint64_t (&addresses)[32]) {
    for (int lane = 0; lane < 32; ++lane)
        addresses[lane] = access.first + static_cast<std::uint64_t>(access.stride * lane);
}

}  // namespace lockstep::events
