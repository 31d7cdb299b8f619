// What a warp executes when its usual code for a division or root is not good for a lane: the call of a
// routine, and the parts of that through which some lane goes.
#pragma once
#include <span>

#include "kernel/slow-ways.h"
#include "machine/opcode.h"

namespace lockstep::machine {

// A part of the code: all of it is executed if some lane goes one of its paths.
struct SlowPart {
    Opcode opcode{};          // of most of its instructions
    std::int16_t issues = 0;  // machine instructions; below 0: those of the usual code that are not executed
    std::uint8_t branches = 0;  // among them, calls and returns too
    std::uint32_t paths = 0;    // a bit each, by kernel::SlowPath

    bool has(std::uint32_t path) const { return paths >> path & 1; }
};

std::span<const SlowPart> slow_parts(kernel::SlowWay way);

}  // namespace lockstep::machine
