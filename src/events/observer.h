// Whoever watches a kernel run. Batches come from the worker thread that made them, in the order of that
// thread's execution; one observer object serves one thread, so it needs no locks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::events {

// A basic block that records refer to.
struct ObservedBlock {
    std::uint32_t function = 0;      // in the PTX module
    std::uint32_t block = 0;         // in the kernel IR
    std::uint32_t instructions = 0;  // executed once on every entry
};

class Observer {
  public:
    virtual ~Observer() = default;
    virtual void block_begins(std::uint32_t /*x*/, std::uint32_t /*y*/, std::uint32_t /*z*/) {}
    virtual void records(std::span<const std::byte> /*batch*/) {}
};

}  // namespace lockstep::events
