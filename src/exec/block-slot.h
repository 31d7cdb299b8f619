// One thread block in execution: its warps, their stacks, shared and local memory, and barriers. A worker
// thread usually has one; it opens more when blocks wait for each other.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "exec/fiber.h"
#include "exec/scheduler.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

struct RunState;  // of the whole grid: scheduler.cc

// The warps of a block, a bit each; a block has at most 1024 threads.
using WarpSet = std::uint64_t;

struct BarrierState {
    std::uint32_t arrived = 0;   // warps
    std::uint32_t expected = 0;  // threads; 0: all of the block
    WarpSet waiting = 0;         // those that stopped
    std::uint32_t votes = 0, voters = 0;
    std::uint32_t result_votes = 0, result_voters = 0;  // of the last completed round
};

struct BlockSlot {
    BlockSlot(RunState& run, int worker);

    // Runs until the block has finished, all its warps spin, or it faulted.
    enum class Outcome { finished, spinning, fault };
    void start(std::uint64_t block);
    Outcome resume();

    // Called from compiled code, on a warp's stack.
    void barrier(WarpContext& warp, std::uint32_t id, std::uint32_t threads, bool arrive_only,
                 std::uint32_t site);
    std::uint32_t reduce(WarpContext& warp, std::uint32_t id, std::uint32_t threads, std::uint32_t votes,
                         std::uint32_t operation, std::uint32_t site);
    void yield(WarpContext& warp);
    void drain(WarpContext& warp);         // hands the warp's records to the observer
    [[noreturn]] void fault(Fault fault);  // abandons the block

    RunState& run;
    std::vector<WarpContext> warps;

  private:
    struct Entry {
        BlockSlot* slot;
        std::uint32_t warp;
    };
    static void warp_body(void* entry);
    static void block_body(void* slot);
    void warp_finished(std::uint32_t warp);
    void switch_from(std::uint32_t warp);  // to another ready warp, or back to the worker
    bool complete(BarrierState& barrier);  // releases the waiting warps if all have arrived

    std::uint32_t worker_ = 0;
    std::uint64_t block_ = 0;  // in the grid
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Entry> entries_;
    std::array<BarrierState, 16> barriers_{};
    std::uint32_t used_barriers_ = 0;  // a bit each
    WarpSet ready_ = 0;                // the running one included
    Fiber::Context worker_context_;
    std::vector<std::byte> shared_;
    std::vector<SiteRange> sites_;
    std::byte* local_ = nullptr;
    std::size_t local_bytes_ = 0;
    std::shared_ptr<void> local_owner_;
    std::uint32_t live_ = 0;    // warps that have not finished
    std::uint32_t yields_ = 0;  // in a row, without a barrier or an end
    Outcome outcome_ = Outcome::finished;
    std::vector<std::byte> events_;
};

}  // namespace lockstep::exec
