// Which accesses of a launch come before which, whatever the schedule: barriers, lanes that meet, fences with
// atomics. An access belongs to a segment of its warp: what it does from one synchronisation to the next.
// Records come in the order in which things happened (one worker), so that an acquiring access finds what it
// acquires.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/lanes.h"

namespace lockstep::check {

struct Segment {
    std::uint32_t block = 0;     // in the grid
    std::uint32_t warp = 0;      // in the block
    std::uint32_t epoch = 0;     // barriers of the whole block before it
    std::uint32_t sequence = 0;  // of the warp's segments
};

// How an earlier segment stands to what a warp does now.
enum class Relation : std::uint8_t {
    before,     // all of it comes first
    same_warp,  // what the same lane did does; of other lanes Order::lane_before tells
    unordered,  // nothing does, unless Order::acquired tells so
};

class Order {
  public:
    explicit Order(std::uint32_t warps_per_block) : warps_(warps_per_block) {}

    // Whatever a warp does is told in order; `block` and `warp` are who does it.
    void at(std::uint64_t block, std::uint32_t warp) {
        ++turn_;
        if (!block_ || block != block_number_) come_to(block);
        warp_ = &block_->warps[warp];
        warp_number_ = warp;
        if (warp_->now.epoch != block_->epoch) pass_barrier();
    }
    void block_ended(std::uint64_t block);

    // Lanes come to a barrier of all threads of the block, or only arrive at one (`waits` false) …
    void arrive_all(Lanes lanes) {
        warp_->at_barrier |= lanes;
        warp_->barrier_epoch = block_->epoch;
        next_segment();
    }
    // … or all warps of the block have come to it, each with all that it did before.
    void all_came() { complete_barrier(); }
    // … or to one of so many warps, that has a number of its own.
    void arrive(std::uint64_t barrier, Lanes lanes, bool waits, std::uint32_t warps);
    // The same of a cluster, to which all its threads come.
    void arrive_at_cluster(std::uint64_t barrier, Lanes lanes);
    // Lanes do something: those that waited have been let go.
    void go_on(Lanes lanes) {
        if (lanes & warp_->at_barrier) {
            warp_->at_barrier &= ~lanes;
            if (warp_->barrier_epoch == block_->epoch) complete_barrier();
        }
        if (!warp_->waiting.empty()) let_go(lanes);
    }
    // Of the warp, those that wait; all: some do.
    Lanes waiting() const { return warp_->waiting.empty() ? warp_->at_barrier : ~Lanes{0}; }
    // Lanes have met. `orders_memory`: what they did before is seen by the others.
    void meet(Lanes lanes, bool orders_memory);
    void fence(Lanes lanes, bool of_block = false);
    // A lane publishes at an address, or looks there. `released`: with all that it did before, else with what
    // came before its last fence.
    void publish(std::uint64_t where, int lane, bool released, bool of_block = false);
    void acquire(std::uint64_t where, int lane, bool of_block = false);
    // Some fences or accesses have a block's scope only (`of_block`): what they publish is kept apart.
    void has_block_scopes() { block_scopes_ = true; }
    // The same for a phase of a barrier in shared memory: with what lanes did that these have met.
    void arrive_phase(std::uint32_t phase, Lanes lanes);
    void wait_phase(std::uint32_t phase, Lanes lanes);
    // Whether the lane has waited for its end, or knows who has.
    bool knows_phase(std::uint32_t phase, int lane) const;

    bool begins_epoch() const { return block_->marked != block_->epoch; }
    // A number that the block keeps until its next barrier: the first that it is given.
    std::uint32_t mark(std::uint32_t number) {
        if (block_->marked != block_->epoch) {
            block_->marked = block_->epoch;
            block_->mark = number;
        }
        return block_->mark;
    }
    // Grows whenever somebody else may do something.
    std::uint64_t turn() const { return turn_; }
    std::uint32_t block() const { return static_cast<std::uint32_t>(block_number_); }
    std::uint32_t warp() const { return warp_number_; }
    // Of what the warp does now: each has a number of its own.
    std::uint32_t number() {
        if (warp_->number == 0) warp_->number = ++numbers_;
        return warp_->number;
    }
    const Segment& segment() const { return warp_->now; }

    Relation relation(const Segment& segment) const {
        if (segment.block != block_number_) return Relation::unordered;
        if (segment.epoch < block_->epoch) return Relation::before;
        if (segment.warp != warp_number_) return Relation::unordered;
        return segment.sequence < warp_->together ? Relation::before : Relation::same_warp;
    }
    bool lane_before(const Segment& earlier, int its_lane, int lane) const {
        if (its_lane == lane) return true;
        return warp_->met &&
               earlier.sequence <
                   (*warp_->met)[static_cast<std::size_t>(lane)][static_cast<std::size_t>(its_lane)];
    }
    // The slow way: whether the lane has acquired what that one did.
    bool acquired(const Segment& earlier, int its_lane, int lane) const {
        return (!block_->knows.empty() || warp_->knows) && has_acquired(earlier, its_lane, lane);
    }
    // What lane_before and acquired say depends on nothing but whether it is the same lane.
    bool is_plain() const { return !warp_->met && !warp_->knows && block_->knows.empty(); }
    bool is_running(std::uint32_t block) const { return blocks_.contains(block); }
    bool is_alone() const { return blocks_.size() == 1; }

  private:
    // What threads published at one place, one after the other.
    struct Log;
    struct Release {
        std::uint32_t block = 0, warp = 0, lane = 0;
        std::uint32_t sequence = 0;  // the thread's segments before this one …
        std::uint32_t epoch = 0;     // … and those of its block before so many barriers
    };
    // That far into each of these logs.
    using Knowledge = std::vector<std::pair<Log*, std::uint32_t>>;
    struct Log {
        std::vector<Release> entries;
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_thread, by_block;
        // What who published had acquired before: from this entry on.
        std::vector<std::pair<std::uint32_t, std::pair<Log*, std::uint32_t>>> more;
    };
    // Of some threads, or of a cluster. What is published there behind a phase's end belongs to the next: a
    // thread may be there again before another has gone on. A phase of some warps ends when so many have
    // come; one of a cluster, some of whose threads may have exited, when the first is let go.
    struct Barrier {
        Log log;
        std::uint64_t came = 0;           // warps, in this phase
        std::vector<std::uint32_t> ends;  // of phases: that far into the log
        std::uint32_t phase() const { return static_cast<std::uint32_t>(ends.size()); }
        void end_phase() {
            ends.push_back(static_cast<std::uint32_t>(log.entries.size()));
            came = 0;
        }
    };
    struct Wait {
        Lanes lanes = 0;
        std::uint64_t barrier = 0;
        std::uint32_t phase = 0;
    };
    struct Warp {
        Segment now;
        std::uint32_t number = 0;    // of the segment; 0: not given yet
        std::uint32_t together = 0;  // all lanes have met before this one
        Lanes at_barrier = 0;        // that wait for the whole block …
        std::uint32_t barrier_epoch = 0;
        std::vector<Wait> waiting;  // … or at others
        // Which segments of each lane the others know: only where some have met without the rest.
        std::unique_ptr<std::array<std::array<std::uint32_t, warp_lanes>, warp_lanes>> met;
        using ByLane = std::array<std::uint32_t, warp_lanes>;
        std::unique_ptr<ByLane> fenced, fenced_epoch;
        std::unique_ptr<ByLane> fenced_in_block, fenced_in_block_epoch;  // the same by any fence
        std::unique_ptr<std::array<Knowledge, warp_lanes>> knows;
    };
    struct Block {
        std::uint32_t epoch = 1;
        bool tells = false;                  // some warp knows what others published, or has fenced
        std::uint32_t marked = 0, mark = 0;  // in which epoch, and with what
        std::vector<Warp> warps;
        Knowledge knows;  // since its last barrier all its threads do
    };

    void come_to(std::uint64_t block);
    void let_go(Lanes lanes);
    bool has_acquired(const Segment& earlier, int its_lane, int lane) const;
    static void learn(Knowledge& knowledge, Log* log, std::uint32_t length);
    static void learn(Knowledge& knowledge, const Knowledge& other);
    void next_segment() {
        ++warp_->now.sequence;
        warp_->number = 0;
    }
    // The warp is behind the last barrier of its block.
    void pass_barrier() {
        warp_->now.epoch = block_->epoch;
        next_segment();
        warp_->together = 0;
        warp_->met.reset();
    }
    std::array<Knowledge, warp_lanes>& knows();
    void complete_barrier() {
        ++block_->epoch;
        pass_barrier();
        if (block_->tells) share_knowledge();
    }
    void share_knowledge();
    void publish(Log& log, int lane, std::uint32_t sequence, std::uint32_t epoch);
    void publish_all(Log& log, Lanes lanes);  // all that the lanes did before
    // With what the lanes did that this one has met.
    void publish_met(Log& log, int lane, std::uint32_t sequence, std::uint32_t epoch,
                     const Warp::ByLane* fenced);
    // Whether f(log, length) holds for what is known, or for what its publishers had acquired before.
    template <class F>
    static bool any_known(const Knowledge& knowledge, const F& f);
    static bool covers(const Knowledge& knowledge, const Segment& segment, int lane,
                       const std::vector<std::uint32_t>* fenced);
    const std::vector<std::uint32_t>* fenced_of(std::uint32_t block) const;

    std::uint32_t warps_;
    std::vector<std::vector<Warp>> unused_;  // of blocks that have ended
    std::uint32_t numbers_ = 0;
    std::unordered_map<std::uint64_t, Block> blocks_;  // that run
    // By warp of a block: what lanes had fenced when a barrier let the block go on.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> fenced_;
    std::unordered_map<std::uint64_t, Log> logs_;                        // by address
    std::map<std::pair<std::uint64_t, std::uint64_t>, Log> block_logs_;  // by block and address
    bool block_scopes_ = false;
    std::unordered_map<std::uint64_t, Barrier> barriers_;  // by number
    std::unordered_map<std::uint64_t, Log> phases_;        // by block and phase
    std::uint64_t turn_ = 0;
    std::uint64_t block_number_ = 0;
    std::uint32_t warp_number_ = 0;
    Block* block_ = nullptr;
    Warp* warp_ = nullptr;
};

}  // namespace lockstep::check
