// Whoever watches a kernel run. Batches come from the worker thread that made them, each from one warp, a
// warp's batches in the order of its execution; one observer object serves one thread, so it needs no locks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::events {

// How much a launch tells.
enum class Detail : std::uint8_t {
    nothing,
    blocks,  // block records only
    everything,
};

// A range of addresses.
struct Window {
    std::uint64_t begin = 0, size = 0;
    bool contains(std::uint64_t address) const { return address - begin < size; }
};

struct Batch {
    std::span<const std::byte> records;
    std::uint64_t block = 0;  // in the grid, x first
    std::uint32_t warp = 0;   // in the block
    // What an address means is decided by where it lies; outside of these it is global memory.
    Window shared;                  // the block's
    Window local;                   // the warp's: lane 0's memory, then lane 1's …
    std::uint32_t local_bytes = 0;  // … each of this size
    Window params;                  // the kernel's parameters: constant memory
};

class Observer {
  public:
    virtual ~Observer() = default;
    virtual void records(const Batch& /*batch*/) {}
    // All records of the block have come. Blocks that wait for each other take turns: their batches mix.
    virtual void block_ended(std::uint64_t /*block*/) {}
    // A block has failed, perhaps one of another thread: some blocks never end, so nobody may wait for them.
    virtual void launch_failed() {}
};

}  // namespace lockstep::events
