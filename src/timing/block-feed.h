// Hands blocks from the threads that execute them to the replay, in the order of the grid, and lets execution
// run ahead only so far.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "timing/trace.h"

namespace lockstep::timing {

class BlockFeed {
  public:
    // `ahead`: blocks that may wait here. Blocks that wait for each other must all fit.
    explicit BlockFeed(std::uint64_t ahead) : ahead_(ahead) {}

    // Waits until the block is near enough to the next one that is wanted, or until no more are.
    void put(BlockTrace block);
    // No more will come that anybody needs.
    void close();
    // The next block of the grid, when it is there; null: there are no more.
    const BlockTrace* next();
    // A block that was given out is not needed any more.
    void release(const BlockTrace* block);

  private:
    std::uint64_t ahead_;
    std::mutex mutex_;
    std::condition_variable came_, taken_;
    std::map<std::uint64_t, std::unique_ptr<BlockTrace>> waiting_, given_out_;  // by block
    std::uint64_t wanted_ = 0;
    bool closed_ = false;
};

}  // namespace lockstep::timing
