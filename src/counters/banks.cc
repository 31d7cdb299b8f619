#include "counters/banks.h"

#include <algorithm>
#include <array>

namespace lockstep::counters {
namespace {

using kernel::LaneMask;

// Passes over the banks for lanes that go together.
std::uint32_t part_passes(const Request& request, LaneMask mask, Sharing sharing) {
    std::uint32_t width = std::max(request.bytes / bank_bytes, 1u);
    std::uint8_t words[banks] = {};
    std::uint32_t most = 0;
    SeenKeys seen;
    mask.for_each([&](int lane) {
        std::uint64_t word = request.addresses[lane] / bank_bytes;
        if (sharing != Sharing::nothing && !seen.insert(word)) return;
        for (std::uint32_t w = 0; w < width; ++w)
            most = std::max<std::uint32_t>(most, ++words[(word + w) % banks]);
    });
    return most;
}

// Whether lanes that differ only in bit `step` of their number have the same address.
bool pairs_agree(const Request& request, LaneMask mask, int step) {
    bool agree = true;
    mask.for_each([&](int lane) {
        const int other = lane ^ step;
        agree &= !mask.has(other) || request.addresses[lane] == request.addresses[other];
    });
    return agree;
}

// Lanes of which accesses of so many bytes take so many at once.
int lanes_of_part(std::uint32_t bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

}  // namespace

Banked bank_passes(const Request& request, Sharing sharing) {
    Banked result;
    // Lanes in a part, and in the neighbouring parts that may go together.
    int apart = lanes_of_part(request.bytes);
    int together = request.bytes <= 8 ? 32 : 16;
    for (int first = 0; first < kernel::warp_lanes; first += together) {
        const LaneMask lanes = request.mask & LaneMask::range(first, together);
        bool joined =
            sharing == Sharing::parts && (pairs_agree(request, lanes, 1) || pairs_agree(request, lanes, 2));
        int size = joined ? together : apart;
        for (int part = first; part < first + together; part += size)
            if (const LaneMask mask = lanes & LaneMask::range(part, size); !mask.empty()) {
                result.wavefronts += part_passes(request, mask, sharing);
                ++result.parts;
            }
    }
    SeenKeys seen;
    request.mask.for_each([&](int lane) {
        if (seen.insert(request.addresses[lane])) result.bytes += request.bytes;
    });
    return result;
}

std::uint32_t swap_rounds(const Request& request) {
    const int size = lanes_of_part(request.bytes);
    std::uint32_t rounds = 0;
    for (int part = 0; part < kernel::warp_lanes; part += size)
        rounds = std::max(rounds,
                          part_passes(request, request.mask & LaneMask::range(part, size), Sharing::nothing));
    std::array<std::uint32_t, SeenKeys::slots> wanted{};
    SeenKeys words;
    request.mask.for_each([&](int lane) {
        bool is_new;
        rounds = std::max(rounds, ++wanted[words.find(request.addresses[lane], is_new)]);
    });
    return rounds;
}

}  // namespace lockstep::counters
