// What an observer wants to be told of. Compiled code tells what somebody wants, and nothing else.
#pragma once
#include <cstdint>

namespace lockstep::events {

class Wants {
  public:
    enum Kind : std::uint16_t {
        blocks = 1,        // basic blocks that warps enter
        accesses = 2,      // memory instructions, with their addresses
        splits = 4,        // branches that send lanes different ways
        barriers = 8,      // arrivals at barriers, and lanes that meet
        fences = 16,       // memory fences
        allocations = 32,  // what threads allocate and free
        arithmetic = 64,   // operations whose result C++ leaves undefined
        nans = 128,        // operations that make a NaN of numbers
        indices = 256,     // that are beyond their array
        overflow = 512,    // signed sums and products that do not fit
        equality = 1024,   // of floats, which rounding has decided
        texels = 2048,     // what each lane of a texture or surface instruction touches, and bulk copies of
                           // shared memory
        slow_ways = 4096,  // divisions and roots whose usual code is not good for a lane
        values = 8192,     // those by which blocks can be told to differ in nothing but where they are
        matches = 16384    // how many values lanes have that look for others with the same
    };
    constexpr Wants() = default;
    constexpr Wants(Kind kind) : kinds_(kind) {}
    friend constexpr Wants operator|(Wants a, Wants b) { return from_bits(a.kinds_ | b.kinds_); }
    constexpr bool operator==(const Wants&) const = default;
    constexpr bool has(Kind kind) const { return (kinds_ & kind) != 0; }
    constexpr bool nothing() const { return kinds_ == 0; }
    // Records of one warp are to be seen before those that others make because of them: buffers are drained
    // where warps synchronise.
    constexpr bool ordered() const { return has(barriers) || has(fences) || has(allocations); }

    constexpr std::uint16_t bits() const { return kinds_; }

  private:
    static constexpr Wants from_bits(int bits) {
        Wants wants;
        wants.kinds_ = static_cast<std::uint16_t>(bits);
        return wants;
    }
    std::uint16_t kinds_ = 0;
};

constexpr Wants operator|(Wants::Kind a, Wants::Kind b) { return Wants(a) | Wants(b); }

// What counters and timing need.
constexpr Wants profile_wants =
    Wants::blocks | Wants::accesses | Wants::splits | Wants::slow_ways | Wants::matches;

}  // namespace lockstep::events
