// Loops that compare and swap until it works: those of the program, and those that ptxas makes of atomics
// which shared memory does not have.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/ir.h"
#include "machine/opcode.h"

namespace lockstep::machine {

struct SwapLoop {
    kernel::BlockId block = 0;           // of the compare and swap …
    std::uint32_t instruction = 0;       // … which every turn passes
    std::vector<kernel::BlockId> round;  // blocks that every turn passes
    bool one_exit = false;
    bool expects_result = false;  // it compares with what it returned the turn before
    bool swaps_extreme = false;   // the larger or smaller one of two: once it is there nothing changes
};

std::vector<SwapLoop> swap_loops(const kernel::Function& function);

// Sums of shared memory that are no 32-bit integers: ptxas makes a loop of each.
bool spins(const ptx::Instruction& atomic);

// What a round of that loop issues, the swap (ATOMS) included.
struct RoundPart {
    Opcode opcode{};
    std::uint16_t issues = 1, branches = 0;
};
std::vector<RoundPart> spin_round(const ptx::Instruction& atomic);

}  // namespace lockstep::machine
