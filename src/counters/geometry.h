// How memory is cut up: lines and sectors, the words of local memory, and the parts of both that one memory
// instruction of a warp touches. What counts, what makes traces and what samples the L2 all ask here.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "counters/request.h"
#include "events/observer.h"

namespace lockstep::counters {

constexpr std::uint32_t line_bytes = 128, sector_bytes = 32;
constexpr std::uint32_t line_sectors = line_bytes / sector_bytes;
constexpr std::uint32_t constant_line_bytes = 64;  // of the cache of constant memory

using Sectors = std::uint8_t;  // of one line, a bit each

// How many they are. (Plain x86-64 has no instruction for it.)
constexpr std::uint32_t count_of(Sectors sectors) {
    constexpr std::uint64_t counts = 0x4332'3221'3221'2110;  // by number, four bits each
    return static_cast<std::uint32_t>(counts >> (sectors & 15u) * 4 & 15);
}

// Those from the one that holds the line's byte `first` to the one that holds its byte `last`.
constexpr Sectors sectors_between(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint32_t all = (1u << line_sectors) - 1;
    return static_cast<Sectors>((all >> (line_sectors - 1 - last / sector_bytes)) &
                                (all << first / sector_bytes));
}

struct Line {
    std::uint64_t address = 0;  // a multiple of line_bytes
    Sectors sectors = 0;
};

// The lines that a request touches, appended to `out`, each once.
void find_lines(const Request& request, std::vector<Line>& out);

// Calls f with each line of bytes that follow each other, in order.
template <class F>
void for_each_line(std::uint64_t address, std::uint64_t bytes, F f) {
    const std::uint64_t end = address + bytes;
    for (std::uint64_t line = address / line_bytes * line_bytes; line < end; line += line_bytes) {
        const std::uint64_t first = std::max(line, address) - line,
                            last = std::min(line + line_bytes, end) - line;
        f(Line{line, sectors_between(first, last - 1)});
    }
}

// Local memory: word w of a warp's lanes lies together, so that lanes at the same place in their own memory
// are next to each other. An access of more than one word is one to each: calls f with the request for each
// word, whose addresses begin with 0 for the first byte of lane 0.
template <class F>
void for_each_local_word(const Request& request, const events::Windows& windows, F f) {
    constexpr std::uint32_t word_bytes = 4;
    std::uint64_t placed[kernel::most_lanes];
    for (std::uint32_t w = 0; w < std::max(request.bytes / word_bytes, 1u); ++w) {
        request.mask.for_each([&](int lane) {
            const std::uint64_t own = request.addresses[lane] - windows.local.begin -
                                      static_cast<std::uint64_t>(lane) * windows.local_bytes + w * word_bytes;
            placed[lane] = own / word_bytes * line_bytes + static_cast<std::uint64_t>(lane) * word_bytes +
                           own % word_bytes;
        });
        f(Request{request.mask, std::min(request.bytes, word_bytes), placed});
    }
}

}  // namespace lockstep::counters
