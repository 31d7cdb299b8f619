// Where lanes that a branch has parted meet again on a GPU: where its ways come together for good (BSSY names
// the place, BSYNC is there). In a loop that is the end of a turn at the latest, and who leaves the loop has
// no part in it any more (BREAK). The executor lets lanes go on together from wherever they come to the same
// code, which is earlier where a loop or a condition has several exits with work of their own.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

constexpr std::uint32_t parts_nobody = ~0u;      // the block ends in no branch of the GPU's
constexpr std::uint32_t meet_nowhere = ~0u - 1;  // lanes stay apart to their end

// Of the branch that ends a block.
struct Meeting {
    std::uint32_t place = parts_nobody;  // a block, or one of these
    // Lanes that go to its target `leaves` leave a loop: the blocks [begin, end).
    std::uint8_t leaves = 0;
    std::uint32_t begin = 0, end = 0;  // empty: nobody does

    bool is_left(std::uint32_t block) const { return block - begin < end - begin; }
};

// By block. `remains`: by block, whether its branch is one of the GPU's. Empty: lanes come to the same code
// nowhere before they meet, whatever the branches do.
std::vector<Meeting> meeting_places(const Function& function, const std::vector<bool>& remains);

}  // namespace lockstep::kernel
