#include "session/host-heap.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace lockstep::session {
namespace {

constexpr std::uint64_t alignment = 16, header = 16, smallest = 32;
constexpr std::uint64_t is_mapped = 2, is_of_other_arena = 4, flags = 7;

struct Range {
    std::uint64_t begin = 0, end = 0;
};

// The mapping that holds an address, or the program's break (`heap`).
std::optional<Range> mapping(std::uint64_t address, bool heap) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        Range range;
        if (std::sscanf(line.c_str(), "%lx-%lx", &range.begin, &range.end) != 2) continue;
        if (address >= range.begin && address < range.end && (!heap || line.ends_with("[heap]")))
            return range;
    }
    return std::nullopt;
}

// A block's owner may not look before it.
__attribute__((no_sanitize("address"))) std::uint64_t word(std::uint64_t address) {
    return *reinterpret_cast<const volatile std::uint64_t*>(address);
}

// Blocks follow each other: only who has come along all of them knows where one begins.
bool begins_block(std::uint64_t address) {
    const auto heap = mapping(address, true);
    if (!heap) return false;
    for (std::uint64_t at = heap->begin; at < address - header;) {
        const std::uint64_t size = word(at + 8) & ~flags;
        if (size < smallest || size % alignment || size > heap->end - at) return false;
        at += size;
        if (at == address - header) return true;
    }
    return false;
}

}  // namespace

std::optional<std::uint64_t> smaller_heap_block(std::uint64_t address, std::uint64_t needed) {
    const auto page = static_cast<std::uint64_t>(getpagesize());
    // What is before a page's first bytes may be nobody's.
    if (address % alignment || address % page < header) return std::nullopt;
    const std::uint64_t size = word(address - 8) & ~flags, bits = word(address - 8) & flags;
    if (size < smallest || size % alignment || bits & is_of_other_arena) return std::nullopt;
    if (bits & is_mapped) {
        // A large block has pages of its own.
        if (address % page != header || size % page || word(address - header) || needed <= size - header)
            return std::nullopt;
        const auto pages = mapping(address, false);
        if (!pages || size > pages->end - (address - header)) return std::nullopt;
        return size - header;
    }
    const std::uint64_t usable = size - 8;  // the next one's first word is its own while it is in use
    if (needed <= usable || !begins_block(address)) return std::nullopt;
    return usable;
}

}  // namespace lockstep::session
