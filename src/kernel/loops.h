// Loops, and the order of blocks that reconvergence relies on.
#pragma once
#include "kernel/ir.h"

namespace lockstep::kernel {

// Drops unreachable blocks, finds the natural loops, gives each loop a single latch, and renumbers the blocks
// so that every edge but a back edge goes forward and a loop's blocks are contiguous. When a warp's lanes are
// at several blocks, the lowest runs first; so lanes that left a loop wait behind it, and lanes of an if-else
// wait at its end.
void order_blocks(Function& function);

bool is_reducible(const Function& function);

}  // namespace lockstep::kernel
