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

}  // namespace lockstep::events
