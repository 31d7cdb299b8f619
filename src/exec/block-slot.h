// One thread block in execution: its warps, their stacks, shared and local memory, and barriers. A worker thread usually
// has one; it opens more when blocks wait for each other.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "exec/fiber.h"
#include "exec/scheduler.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

struct RunState;  // of the whole grid: scheduler.cc

struct BarrierState {
    std::uint32_t arrived = 0;  // warps
    std::uint32_t waiting = 0;  // of them, those that stopped
    std::uint32_t votes = 0, voters = 0;
    std::uint32_t result_votes = 0, result_voters = 0;  // of the last completed round
};

enum class WarpState : std::uint8_t { ready, waiting, done };

struct BlockSlot {
    BlockSlot(RunState& run, int worker);

    // Runs until the block has finished, all its warps spin, or it faulted.
    enum class Outcome { finished, spinning, fault };
    void start(std::uint64_t block);
    Outcome resume();

    // Called from compiled code, on a warp's stack.
    void barrier(WarpContext& warp, std::uint32_t id, std::uint32_t threads, bool arrive_only, std::uint32_t site);
    std::uint32_t reduce(WarpContext& warp, std::uint32_t id, std::uint32_t threads, std::uint32_t votes, std::uint32_t operation,
                         std::uint32_t site);
    void yield(WarpContext& warp);
    void drain(WarpContext& warp);  // hands the warp's records to the observer
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
    bool complete(BarrierState& barrier, std::uint32_t id, std::uint32_t expected);
    void wait(WarpContext& warp, std::uint32_t id, std::uint32_t expected, bool arrive_only, std::uint32_t site);
    void check_release();

    std::uint32_t worker_ = 0;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Entry> entries_;
    std::vector<WarpState> states_;
    std::vector<std::int8_t> waiting_at_;  // barrier id by warp
    std::array<BarrierState, 16> barriers_{};
    std::array<std::uint32_t, 16> expected_{};
    Fiber::Context worker_context_ = nullptr;
    std::vector<std::byte> shared_;
    std::vector<SiteRange> sites_;
    std::byte* local_ = nullptr;
    std::size_t local_bytes_ = 0;
    std::shared_ptr<void> local_owner_;
    std::uint32_t live_ = 0;       // warps that have not finished
    std::uint32_t yields_ = 0;     // in a row, without a barrier or an end
    Outcome outcome_ = Outcome::finished;
    std::vector<std::byte> events_;
};

}  // namespace lockstep::exec
