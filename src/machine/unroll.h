// Loops that ptxas unrolls once more.
#pragma once
#include <set>
#include <vector>

#include "machine/machine-blocks.h"
#include "machine/selection.h"
#include "machine/view.h"

namespace lockstep::machine {

// r = r + constant.
bool is_step(const ptx::Instruction& instruction);

struct UnrolledLoop {
    kernel::BlockId header = 0;
    kernel::BlockId closing = 0;          // where its branch goes back
    std::vector<kernel::BlockId> blocks;  // that every turn executes
    Unrolling how;
    std::set<const ptx::Instruction*> constants;  // that need no work where its turns are straight code
    bool asks_more = false;  // one more question on the way in: unsigned counters, where nothing is loaded
};

// Loops of one block of the machine that are unrolled.
std::vector<UnrolledLoop> unrolled_loops(const Selection& selection, const MachineBlocks& machine);

// Loops of a known number of turns that are left in their middle and become straight code: nvcc makes them of
// odd numbers of turns, two at once.
std::vector<UnrolledLoop> loops_left_in_the_middle(const Selection& selection, const MachineBlocks& machine);

// Whether an instruction of such a loop is overhead: needed once for all copies of the body.
bool is_loop_overhead(const kernel::Function& function, const UnrolledLoop& loop,
                      const ptx::Instruction& instruction);

}  // namespace lockstep::machine
