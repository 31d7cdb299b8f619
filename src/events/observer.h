// Whoever watches a kernel run. Batches come from the worker thread that made them, each from one warp, a
// warp's batches in the order of its execution; one observer object serves one thread, so it needs no locks.
// Of batches of different warps nothing is promised, unless somebody wants what synchronises them
// (Wants::ordered): then what a warp did before a barrier, a fence or a release comes before all that others
// do behind it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "events/wants.h"

namespace lockstep::events {

// A range of addresses.
struct Window {
    std::uint64_t begin = 0, size = 0;
    bool contains(std::uint64_t address) const { return address - begin < size; }
};

// What an address means is decided by where it lies: outside of these it is global memory.
struct Windows {
    Window shared;                  // the block's
    Window local;                   // the warp's: lane 0's memory, then lane 1's …
    std::uint32_t local_bytes = 0;  // … each of this size
    Window params;                  // the kernel's parameters: constant memory
    // Where the shared memory of its cluster's blocks begins; 0: there is none. As large as the block's own.
    std::array<std::uint64_t, 16> cluster{};

    bool in_shared(std::uint64_t address) const {
        if (shared.contains(address)) return true;
        for (const std::uint64_t begin : cluster) {
            if (!begin) return false;
            if (address - begin < shared.size) return true;
        }
        return false;
    }
};

struct Batch {
    std::span<const std::byte> records;
    Wants recorded;           // by all observers together
    std::uint64_t block = 0;  // in the grid, x first
    std::uint32_t warp = 0;   // in the block
    Windows windows;
};

class Observer {
  public:
    virtual ~Observer() = default;
    virtual Wants wants() const = 0;
    // May hold records that only others want.
    virtual void records(const Batch& /*batch*/) {}
    // A round of a block's warps: all have come to a barrier of the whole block, which is the last record of
    // each (where Wants::barriers are recorded). Those of a warp may have come before, and then there are
    // none.
    virtual void round(std::span<const Batch> warps) {
        for (const Batch& batch : warps)
            if (!batch.records.empty()) records(batch);
    }
    // All records of the block have come. Blocks that wait for each other take turns: their batches mix.
    virtual void block_ended(std::uint64_t /*block*/) {}
    // A block has failed, perhaps one of another thread: some blocks never end, so nobody may wait for them.
    virtual void launch_failed() {}
};

// Blocks of a grid, by number: [begin, end).
struct BlockRange {
    std::uint64_t begin = 0, end = 0;
};

// All that watch one launch on one worker thread.
using Observers = std::vector<Observer*>;

}  // namespace lockstep::events
