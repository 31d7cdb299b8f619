// Where lanes of a warp wait while others run, and how they go on. Pure: the plan that control.cc and
// waiting.cc follow.
#pragma once
#include <vector>

#include "kernel/ir.h"
#include "kernel/shapes.h"

namespace lockstep::exec::jit {

struct Stops {
    bool any_divergence = false;          // without it nobody ever waits, and the rest is empty
    std::vector<kernel::BlockId> blocks;  // at whose beginning lanes may wait, in order
    std::vector<int> index;               // by block: its place in `blocks`, or -1
    std::vector<bool> parked;             // by block: lanes are put there to wait
    // By block: lanes that wait there may be taken up by the dispatcher, from anywhere, so that their
    // registers have to be in memory. Elsewhere they are only ever joined by lanes that come along an edge.
    std::vector<bool> dispatched;

    // Whether lanes may wait at blocks behind `from`, before `to`.
    bool any_between(kernel::BlockId from, kernel::BlockId to) const;
};

// Whether a block is a loop's beginning at which lanes are put aside (kernel::Waits::surely and above).
bool is_spin_header(const kernel::Function& function, const kernel::Shapes& shapes, kernel::BlockId block);

// Whether the function holds instructions at which a warp can wait only by keeping its stack: calls that were
// not inlined, and what stops in the middle of a block.
bool needs_stack(const kernel::Function& function);

Stops find_stops(const kernel::Function& function, const kernel::Shapes& shapes);

}  // namespace lockstep::exec::jit
