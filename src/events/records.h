// What execution tells its observers: the only contract between running a kernel and everything that watches
// it. Records follow each other in a buffer; the first word holds the tag and the number of the block or
// memory instruction.
#pragma once
#include <cstdint>

namespace lockstep::events {

enum class Tag : std::uint32_t { block = 0, linear_access = 1, scattered_access = 2 };

constexpr std::uint32_t number_bits = 30;
constexpr std::uint32_t tagged(Tag tag, std::uint32_t number) {
    return static_cast<std::uint32_t>(tag) << number_bits | number;
}
constexpr Tag tag_of(std::uint32_t word) { return static_cast<Tag>(word >> number_bits); }
constexpr std::uint32_t number_of(std::uint32_t word) { return word & ((1u << number_bits) - 1); }

// A warp entered a basic block with these lanes active.
struct BlockRecord {
    std::uint32_t word;
    std::uint32_t mask;
};

// A memory instruction whose lanes' addresses are first + lane * stride.
struct LinearAccess {
    std::uint32_t word;
    std::uint32_t mask;
    std::uint64_t first;
    std::int64_t stride;
};

struct ScatteredAccess {
    std::uint32_t word;
    std::uint32_t mask;
    std::uint64_t addresses[32];
};

constexpr std::size_t largest_record = sizeof(ScatteredAccess);

}  // namespace lockstep::events
