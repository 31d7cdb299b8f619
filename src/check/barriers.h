// Whether all threads that have to come to a barrier do, and all lanes that a warp function names.
#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/code.h"
#include "check/findings.h"
#include "check/order.h"

namespace lockstep::check {

class Barriers {
  public:
    using Who = std::function<std::string(std::uint32_t block, std::uint32_t warp, int lane)>;
    Barriers(const KernelCode& code, std::uint32_t threads, Findings& findings, Who who);

    // What follows is done by threads of this block.
    void at(std::uint64_t block) {
        if (current_ && block == number_) return;
        const auto found = blocks_.find(block);
        current_ = found == blocks_.end() ? nullptr : &found->second;
        number_ = block;
    }
    // Lanes come to a barrier of the whole block …
    void arrive(std::uint32_t warp, std::uint32_t site, Lanes lanes) {
        if (!current_) begin();
        Block& block = *current_;
        block.threads += static_cast<std::uint32_t>(std::popcount(lanes));
        block.together &= block.here.empty() || block.here.front().site == site;
        block.here.push_back({warp, site, lanes});
        Warp& at = block.warps[warp];
        at.waiting |= lanes;
        at.since = block.turn;
    }
    // … or wait at one of some threads, or of a cluster …
    void wait(std::uint32_t warp, std::uint32_t site, Lanes lanes) {
        if (!current_) begin();
        Warp& at = current_->warps[warp];
        at.elsewhere |= lanes;
        at.site = site;
    }
    // … and do something again.
    void go_on(std::uint32_t warp, Lanes lanes) {
        if (!(lanes & waiting(warp))) return;
        Warp& at = current_->warps[warp];
        at.elsewhere &= ~lanes;
        if (!(lanes & at.waiting)) return;
        at.waiting &= ~lanes;
        if (at.since == current_->turn) complete(number_, *current_);
    }
    Lanes waiting(std::uint32_t warp) const {
        return current_ ? current_->warps[warp].waiting | current_->warps[warp].elsewhere : 0;
    }
    void block_ended(std::uint64_t block);
    // Lanes are together at an instruction that names `named` (of those that have not exited; 0: not known).
    // `unanswered`: they ask for a value of a lane that is not there.
    void meet(std::uint32_t warp, std::uint32_t site, Lanes lanes, Lanes named, Lanes unanswered);

    // Where threads of a block that will never go on are: for the report of a deadlock.
    std::vector<Place> waiting() const;

  private:
    struct Arrival {
        std::uint32_t warp = 0, site = 0;
        Lanes lanes = 0;
    };
    struct Warp {
        Lanes waiting = 0;
        std::uint32_t since = 0;  // the turn in which it came
        Lanes elsewhere = 0;      // that wait at other barriers …
        std::uint32_t site = 0;   // … the last of which this is
    };
    struct Block {
        std::vector<Arrival> here;  // since the barrier last let them go
        std::uint32_t threads = 0;  // of those
        bool together = true;       // they are all at one site
        std::vector<Warp> warps;
        std::uint32_t turn = 0;
    };
    void begin();
    void complete(std::uint64_t number, Block& block) {
        ++block.turn;
        if (!block.together || block.threads != threads_) tell(number, block);
        block.here.clear();
        block.threads = 0;
        block.together = true;
    }
    void tell(std::uint64_t number, const Block& block);

    const KernelCode& code_;
    std::uint32_t threads_, warps_;
    Findings& findings_;
    Who who_;
    std::unordered_map<std::uint64_t, Block> blocks_;  // that run and have come to a barrier
    std::vector<Block> unused_;                        // of blocks that have ended
    std::uint64_t number_ = 0;
    Block* current_ = nullptr;
};

}  // namespace lockstep::check
