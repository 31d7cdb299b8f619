// One thread block in execution: its warps, their stacks, shared and local memory, and barriers. A worker
// thread usually has one; it opens more when blocks wait for each other.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "events/observer.h"
#include "exec/barrier-phases.h"
#include "exec/device-runtime.h"
#include "exec/fiber.h"
#include "exec/scheduler.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

struct RunState;  // of the whole grid: scheduler.cc
struct BlockSlot;

// Blocks that see each other's shared memory and have a barrier together. One
// worker runs them all, in turns.
struct Cluster {
    explicit Cluster(std::size_t size) : blocks(size) {}
    std::vector<BlockSlot*> blocks;                    // by rank
    std::vector<std::unique_ptr<BlockSlot>> finished;  // their memory stays until all have
    std::array<const std::byte*, 256> shared{};        // WarpContext::cluster_shared, but for the own
};

// The warps of a block, a bit each; a block has at most 1024 threads.
using WarpSet = std::uint64_t;

struct BarrierState {
    std::uint32_t arrived = 0;   // warps
    std::uint32_t expected = 0;  // threads; 0: all of the block
    WarpSet waiting = 0;         // those that have not been released
    std::uint32_t votes = 0, voters = 0;
    std::uint32_t result_votes = 0, result_voters = 0;  // of the last completed round
};

struct BlockSlot {
    // `watched`: it runs blocks that are.
    BlockSlot(RunState& run, int worker, bool watched);
    ~BlockSlot();
    BlockSlot(const BlockSlot&) = delete;
    BlockSlot& operator=(const BlockSlot&) = delete;

    // Runs until the block has finished, all its warps spin, all have used their
    // slice of time, or it faulted. Waiting: for work of its own, take_awaited().
    // Clustered: for other blocks of its cluster.
    // Preempted: it could go on, and others are to.
    enum class Outcome { finished, spinning, sliced, preempted, waiting, clustered, fault };
    // `cluster`: the one that it is the block `rank` of; null: it has none.
    void start(std::uint64_t block, const std::shared_ptr<Cluster>& cluster, std::uint32_t rank);
    bool can_run() const { return ready_ != 0; }
    const std::shared_ptr<Cluster>& cluster() const { return cluster_; }
    Fault deadlock_message() const;
    Outcome resume();

    // Called from compiled code on a warp's own stack (jit::Code::stacks).
    void barrier(WarpContext& warp, std::uint32_t id, std::uint32_t threads, BarrierRequest::Kind kind,
                 std::uint32_t site);
    std::uint32_t reduce(WarpContext& warp, std::uint32_t id, std::uint32_t threads, std::uint32_t votes,
                         BarrierRequest::Kind kind, std::uint32_t site);
    // Lanes of a warp at several barriers: returns when at least one of them is complete.
    void barriers(WarpContext& warp, std::span<BarrierRequest> requests, std::uint32_t site);
    void yield(WarpContext& warp);
    void slice(WarpContext& warp);    // it has run a good while in a loop that may wait for others
    void preempt(WarpContext& warp);  // in a launch with an order of its own
    void forget(std::uint64_t begin, std::uint64_t end);  // ranges that overlap it are not known as good
    void drain(WarpContext& warp);                        // hands the warp's records to the observers
    void end_round();  // the same for all warps, which have come to the block's barrier together
    // A record that compiled code does not make itself.
    void append(WarpContext& warp, std::span<const std::byte> record);
    [[noreturn]] void fault(Fault fault);  // abandons the block
    // Of `lanes` of the warp. Returns if the kernel goes on behind such faults (Launch::bad_accesses).
    void fault_and_go_on(WarpContext& warp, Fault fault, std::uint32_t lanes);
    // Where an access that may not be happens instead: what is read there are zeros, or, if it is but
    // misaligned, what it would have read.
    std::uint64_t in_place_of(std::uint32_t site, std::uint64_t address);

    // What its threads ask of the device runtime.
    BlockRequests& requests();
    // The warp goes on when this has been done.
    void wait_for(WarpContext& warp, std::vector<NestedWork> work);
    std::vector<NestedWork> take_awaited() { return std::move(awaited_); }
    std::uint64_t number() const { return block_; }

    RunState& run;
    const bool watched;
    const jit::Code& code;
    std::vector<WarpContext> warps;
    BarrierPhases phases;

  private:
    std::span<events::Observer* const> observers() const;
    bool ordered() const;
    void drain_in_order(WarpContext& warp);
    void hand_over(WarpContext& warp, std::span<events::Observer* const> to);
    std::byte* records_of(const WarpContext& warp);  // where those that were not handed over begin
    struct Entry {
        BlockSlot* slot;
        std::uint32_t warp;
    };
    // Warps on stacks of their own …
    static void warp_body(void* entry);
    void switch_from(std::uint32_t warp);  // to another ready warp, or back to the worker
    void give_turn(WarpContext& warp, std::uint32_t weight, Outcome outcome);
    // … and warps that all run on one, from pause to pause.
    static void block_body(void* slot);
    void run_warps();
    void after_pause(WarpContext& warp);
    void arrive(WarpContext& warp);

    void warp_finished(std::uint32_t warp);
    // Whether the warps that can run have used the turns that they have before other blocks do.
    bool turns_are_up(std::uint32_t weight);
    std::uint32_t next_ready(std::uint32_t warp);
    std::uint32_t first_ready();
    // Lanes of a warp at several barriers: they arrive, and whether some may go on.
    void arrive_at(WarpContext& warp, std::span<BarrierRequest> requests, std::uint32_t site);
    bool take_released(const WarpContext& warp, std::span<BarrierRequest> requests);
    [[noreturn]] void deadlock();
    // Nobody can run: leaves for other blocks of the cluster, if it is for them
    // that somebody waits.
    void leave_for_cluster(std::uint32_t fiber);
    Fault no_barrier_message(const WarpContext& warp, std::uint32_t id, std::uint32_t site) const;
    bool complete(BarrierState& barrier);  // releases the waiting warps if all have arrived
    bool complete_cluster();
    void release(BarrierState& barrier);
    BarrierState& barrier_state(WarpContext& warp, std::uint32_t id, std::uint32_t site);
    static std::uint32_t outcome(const BarrierState& barrier, BarrierRequest::Kind kind);

    std::uint32_t worker_ = 0;
    std::uint64_t block_ = 0;  // in the grid
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Entry> entries_;
    std::array<BarrierState, cluster_barrier + 1> barriers_{};
    std::uint32_t used_barriers_ = 0;  // a bit each
    WarpSet ready_ = 0;                // the running one included
    WarpSet at_several_ = 0;           // that wait at several barriers, to be told which are complete
    Fiber::Context worker_context_;
    std::vector<std::byte> shared_, states_;
    std::vector<SiteRange> sites_;
    std::byte* local_ = nullptr;
    std::size_t local_bytes_ = 0;
    std::shared_ptr<void> local_owner_;
    std::uint32_t live_ = 0;    // warps that have not finished
    std::uint32_t yields_ = 0;  // since the block was resumed, or a warp has ended
    Outcome outcome_ = Outcome::finished;
    std::vector<std::byte> events_;
    std::vector<events::Batch> batches_;  // by warp: how its records are handed over
    bool together_ = false;               // compiled code runs all warps, from barrier to barrier
    std::optional<wave::SegmentCounter> segment_counter_;  // WarpContext::wave_counts
    std::optional<wave::MemoryCounter> memory_counter_;
    std::shared_ptr<Cluster> cluster_;
    std::array<const std::byte*, 256> cluster_shared_{};
    std::unique_ptr<BlockRequests> requests_;            // made for the first
    alignas(64) std::array<std::byte, 64> elsewhere_{};  // in_place_of
    std::vector<NestedWork> awaited_;
};

}  // namespace lockstep::exec
