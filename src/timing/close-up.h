// A launch seen closely, for pictures: what the warps of its first block issued, when, and with which lanes;
// the addresses of their accesses; what all warps of that SM did; which blocks were on which SM. A replay
// fills it, and it stays small whatever the launch does. Everything but lanes and addresses is predicted.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "counters/machine-access.h"
#include "events/records.h"
#include "kernel/site.h"
#include "timing/code.h"
#include "timing/prediction.h"
#include "timing/trace.h"

namespace lockstep::timing {

// Who did what from one cycle to another, by scheduler: sums in a fixed number of slices of time, which
// become longer as time goes on.
class SchedulerStates {
  public:
    static constexpr std::size_t slices = 96;
    using Slice = std::array<double, warp_states>;  // warp cycles

    void add(std::size_t scheduler, WarpState state, std::int64_t begin, std::int64_t end);
    std::int64_t width() const { return width_; }  // cycles of a slice
    // By scheduler; as many slices as there is anything in.
    const std::vector<std::vector<Slice>>& schedulers() const { return schedulers_; }

  private:
    void widen();

    std::int64_t width_ = 16;
    std::vector<std::vector<Slice>> schedulers_;
};

class CloseUp {
  public:
    static constexpr std::uint64_t shown_block = 0;
    // That are kept of this block, and of its SM until no more is looked at.
    static constexpr std::size_t most_issues = 4000, most_accesses = 1200, most_of_sm = 60'000;
    static constexpr std::size_t most_blocks = 1500;

    struct Issue {
        std::int64_t cycle = 0, last = 0;  // of its first machine instruction, and of its last
        std::uint32_t warp = 0;            // of the block
        Place place;
        events::WarpBits lanes = 0;  // active
        // Before, the warp waited for `reason` until `ready`, then for `throttle` until `free`; then others
        // went first.
        WarpState reason{}, throttle{};
        std::int64_t ready = 0, free = 0;
        std::int32_t access = -1;  // into accesses()
    };
    struct Access {
        events::WarpBits lanes = 0;  // that take part
        counters::Memory memory{};
        kernel::SiteKind kind{};
        std::uint32_t bytes = 0;  // of a lane
        std::uint32_t sectors = 0, wavefronts = 0;
        std::array<std::uint64_t, kernel::warp_lanes> addresses{};  // in shared memory, from its begin
    };
    struct Block {
        std::uint64_t block = 0;
        std::uint32_t sm = 0;
        std::int64_t begin = 0, end = 0;
    };

    // A warp of the block issues; `access`: into BlockTrace::accesses.
    void issue(const BlockTrace& block, const Issue& issue, std::size_t access);
    // Another machine instruction of the operation that the warp issued last.
    void goes_on(const BlockTrace& block, std::uint32_t warp, std::int64_t cycle);
    void state(std::size_t scheduler, WarpState state, std::int64_t begin, std::int64_t end);
    void ended(const Block& block);
    static bool looks_at(const BlockTrace& block) { return block.block == shown_block; }

    const std::vector<Issue>& issues() const { return issues_; }
    const std::vector<Access>& accesses() const { return accesses_; }
    const std::vector<Block>& blocks() const { return blocks_; }  // in the order of their ends
    const SchedulerStates& states() const { return states_; }
    bool cut() const { return cut_; }  // the block issued more than is kept

    std::uint32_t warps = 0;  // of the block
    std::uint32_t sms = 0, sms_used = 0,
                  resident = 0;  // SMs that were replayed, of those with work; blocks of one
    std::uint64_t grid_blocks = 0;

  private:
    std::vector<Issue> issues_;
    std::vector<std::size_t> last_;  // by warp: its last issue
    std::vector<Access> accesses_;
    std::vector<Block> blocks_;
    SchedulerStates states_;
    std::size_t of_sm_ = 0;
    bool cut_ = false;
};

}  // namespace lockstep::timing
