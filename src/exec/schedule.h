// Other orders of a launch's blocks and warps than the usual one: by chance and yet the same for the same
// numbers, to see whether results depend on it; and with the blocks first that somebody watches.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "events/observer.h"

namespace lockstep::exec {

struct Schedule {
    std::uint64_t seed = 0;
    bool backward = false;      // the last block first, and in it the last warp; else as chance has it
    std::uint32_t stretch = 0;  // memory accesses that a warp makes at a time, about; 0: until it waits
    bool operator==(const Schedule&) const = default;
};

// The decisions of one launch that runs so, on one thread.
class Chance {
  public:
    // Of a grid of so many blocks (or clusters).
    Chance(const Schedule& schedule, std::uint64_t blocks);

    // The block that comes in this place.
    std::uint64_t block(std::uint64_t place) const;
    // Which of the warps runs next, a bit each; `last` ran before.
    std::uint32_t warp(std::uint64_t ready, std::uint32_t last);
    // Accesses until the warp is asked to leave; 0: it is not.
    std::uint32_t stretch();
    bool one_in(std::uint32_t count) { return below(count) == 0; }
    std::uint64_t below(std::uint64_t count) { return next() % count; }

    // Blocks that are begun beside each other, so that they can mix.
    static constexpr std::size_t open_blocks = 6;

  private:
    std::uint64_t next();
    std::uint64_t scrambled(std::uint64_t number) const;

    Schedule schedule_;
    std::uint64_t blocks_;
    int half_bits_ = 1;  // of the numbers that are permuted, of which `blocks_` are taken
    std::uint64_t state_;
};

// Blocks that are watched, then the others, each in the order of the grid.
class WatchedFirst {
  public:
    explicit WatchedFirst(std::span<const events::BlockRange> watched);  // ascending
    std::uint64_t block(std::uint64_t place) const;

  private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t watched_before = 0, others_before = 0;  // blocks of the grid
    };
    std::vector<Range> ranges_;
    std::uint64_t watched_ = 0;
};

}  // namespace lockstep::exec
