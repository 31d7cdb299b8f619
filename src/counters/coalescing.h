// Global memory: which 32-byte sectors the lanes of a warp touch. An H200 counts one request an instruction
// whatever its width, and each sector once a request; 512 contiguous bytes of a 128-bit load are one request
// with 16 sectors.
//
// Before compute capability 5.0 a warp's request of more than 128 bytes is cut into parts of its lanes, and
// each part into transactions, one for each 128-byte line (CUDA C Programming Guide, compute capability 2.x
// and 3.x). A transaction moves those sectors of its line that are touched; through the L1, the whole line.
#pragma once
#include <cstdint>

#include "counters/geometry.h"
#include "counters/request.h"
#include "counters/transactions.h"

namespace lockstep::counters {

struct Coalesced {
    std::uint32_t sectors = 0;       // that are moved
    std::uint32_t transactions = 0;  // in which they are
    std::uint32_t bytes = 0;         // different ones: what lanes share counts once
    // The sectors that these bytes would fill if they lay together.
    std::uint32_t ideal_sectors() const { return (bytes + sector_bytes - 1) / sector_bytes; }
    bool operator==(const Coalesced&) const = default;
};

Coalesced coalesce(const Request& request, Transactions rule = Transactions::sectors);

// Atomic operations: a sector is asked for as often as lanes meet at one of its addresses.
Coalesced coalesce_atomic(const Request& request);

}  // namespace lockstep::counters
