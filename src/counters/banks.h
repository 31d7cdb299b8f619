// Shared memory: 32 banks of four bytes. A wavefront reads or writes each bank once; lanes at the same word
// share it. A request needs as many wavefronts as the busiest bank has different words.
//
// Wide accesses go in parts. Eight bytes a lane: two half-warps. Sixteen: four quarter-warps. Two
// neighbouring parts of a load go together if the lanes of each pair (i, i xor 1), or of each pair (i, i xor
// 2), have the same address wherever both take part: then the parts together touch no more than one would. A
// part in which no lane takes part costs nothing. Wavefronts beyond one a part are what an H200 counts as
// bank conflicts.
#pragma once
#include <cstdint>

#include "counters/request.h"
#include "kernel/site.h"

namespace lockstep::counters {

constexpr std::uint32_t banks = 32, bank_bytes = 4;
constexpr std::uint32_t wavefront_bytes = banks * bank_bytes;

struct Banked {
    std::uint32_t wavefronts = 0;
    std::uint32_t parts = 0;  // wavefronts without conflicts
    std::uint32_t bytes = 0;  // different ones
    // The wavefronts that these bytes would need if they lay together.
    std::uint32_t ideal_wavefronts() const { return (bytes + wavefront_bytes - 1) / wavefront_bytes; }
    bool operator==(const Banked&) const = default;
};

enum class Sharing {
    parts,    // loads: lanes at the same word share a pass, and parts may go together
    words,    // stores: lanes at the same word share a pass, and one of them stays
    nothing,  // atomic operations: each lane has a pass of its own
};

// How lanes of such an access share.
constexpr Sharing sharing_of(kernel::SiteKind kind) {
    return kernel::is_atomic(kind)           ? Sharing::nothing
           : kind == kernel::SiteKind::store ? Sharing::words
                                             : Sharing::parts;
}

Banked bank_passes(const Request& request, Sharing sharing = Sharing::parts);

// Rounds until each lane has swapped its word, if only they do: in a round one of each bank, in each part of
// the request, and of those that want the same word one.
std::uint32_t swap_rounds(const Request& request);

}  // namespace lockstep::counters
