// A loop that some warp was in for too long: where it begins, and why no lane leaves it.
#pragma once
#include <cstdint>
#include <string>

#include "check/code.h"

namespace lockstep::check {

struct EndlessLoop {
    Place place;           // without a line where the code says none
    std::string why;       // a sentence, to follow a colon; empty: nothing is known
    bool waits = false;    // it looks at memory that other code of the kernel writes
    bool starves = false;  // for blocks that cannot begin
};

// The innermost loop around a basic block, by its number among all of the kernel.
EndlessLoop endless_loop(const KernelCode& code, std::uint32_t numbered_block);

}  // namespace lockstep::check
