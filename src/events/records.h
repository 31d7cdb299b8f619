// What execution tells its observers: the only contract between running a kernel and everything that watches
// it. Records follow each other in a buffer; the first word holds the tag and the number of the block or
// memory instruction.
#pragma once
#include <cstddef>
#include <cstdint>

namespace lockstep::events {

enum class Tag : std::uint32_t { block = 0, linear_access = 1, scattered_access = 2, split = 3 };

constexpr std::uint32_t number_bits = 30;
constexpr std::uint32_t tagged(Tag tag, std::uint32_t number) {
    return static_cast<std::uint32_t>(tag) << number_bits | number;
}
constexpr Tag tag_of(std::uint32_t word) { return static_cast<Tag>(word >> number_bits); }
constexpr std::uint32_t number_of(std::uint32_t word) { return word & ((1u << number_bits) - 1); }

// A warp entered a basic block with these lanes active, and those that are entered with it. Lanes that leave
// at a branch straight into a block that only ends them enter that block too.
struct BlockRecord {
    std::uint32_t word;
    std::uint32_t mask;
};

// A memory instruction, with the lanes that take part (never none), whose addresses are first + lane *
// stride.
struct LinearAccess {
    std::uint32_t word;
    std::uint32_t mask;
    std::uint64_t first;
    std::int64_t stride;
};

struct ScatteredAccess {
    std::uint32_t word;
    std::uint32_t mask;
    std::uint64_t addresses[32];  // those of lanes outside the mask mean nothing
};

// The branch at the end of a block (whose number the word holds) sent lanes different ways. A branch that
// does not split the warp leaves no record: how often it ran is how often its block did.
struct SplitRecord {
    std::uint32_t word;
    std::uint32_t mask;   // lanes at the branch
    std::uint32_t taken;  // those that go to its first target
    std::uint32_t unused = 0;
};

constexpr std::size_t largest_record = sizeof(ScatteredAccess);

}  // namespace lockstep::events
