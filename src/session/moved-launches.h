// Most blocks of a grid mostly do what one of them does, each in another place. Of a kernel of which that can
// be shown (kernel/block-steps.h), a few blocks of a launch are watched, and counters and timing are told of
// the others by how they are moved (events/moved-blocks.h).
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "events/batch-forms.h"
#include "exec/engine.h"
#include "kernel/block-steps.h"

namespace lockstep::session {

// Of one kernel.
class MovedLaunches {
  public:
    // What has to be looked at in blocks that are watched, to tell of the others; null: all blocks of the
    // launch have to be watched, or it does not pay.
    const std::vector<kernel::StepCheck>* checks(const kernel::Kernel& kernel, const exec::Launch& launch);
    // `seconds`: that a launch took, watched.
    void watched(double seconds) { watched_ += seconds; }
    // Too little could be told of blocks that were not seen, or what one tells is too much to be kept.
    void give_up() { given_up_ = true; }

  private:
    bool given_up_ = false;
    const kernel::Kernel* asked_ = nullptr;  // of which it is known
    std::optional<std::vector<kernel::StepCheck>> checks_;
    double watched_ = 0;
};

// The launch to run, as exec::run has it.
struct WatchedGrid {
    const exec::Kernel& code;
    const exec::Launch& launch;
    const kernel::Kernel& kernel;
    std::span<const events::Observers> observers;  // by worker thread
    std::uint64_t most_warp_bytes = 0;             // that a warp may tell
};

// A launch of which some blocks have run, watched.
struct PartlyRun {
    std::optional<exec::Fault> fault;
    std::uint64_t watched = 0;              // blocks
    std::vector<events::BlockRange> left;   // that have not run, and need not be watched:
    std::deque<events::MovedBlocks> moved;  // what they will do
};

// Finds out which blocks do the same, and runs all but these.
PartlyRun run_some(const WatchedGrid& grid, std::span<const kernel::StepCheck> checks);

}  // namespace lockstep::session
