// Which loops wait for what other lanes, warps or blocks write, and so must let them run.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

enum class Waits : std::uint8_t {  // more and more
    no,
    // It looks at memory that others may write meanwhile. That it ends for another reason could not be shown.
    perhaps,
    // It ends when such a look finds something, as far as values can be followed through branches and memory.
    likely,
    // It ends by a value that was just read: a spin lock, a flag. Worth letting lanes of one warp run in
    // turn.
    surely,
    // Surely, and in vain until others have run: each turn does what the last one did, with the same values.
    idly,
};

std::vector<Waits> find_waits(const Function& function);  // by loop

// Whether it has any means by which blocks can tell each other something while they run: atomics, fences,
// accesses that are not plain. What it calls may have, too.
bool meets_others(const Function& function);

// Whether a way that a thread goes depends on what other blocks did in the same launch, as far as values can
// be followed through registers and the block's own memory: on the result of an atomic, or on what was read
// afresh, in memory that blocks share. Or a loop may wait for them.
bool heeds_other_blocks(const Function& function);

}  // namespace lockstep::kernel
