// Instructions that the machine does not have: division, correctly rounded roots, the mathematical functions.
#pragma once
#include <optional>

#include "machine/selection.h"

namespace lockstep::machine {

// What stands for the instruction on its usual way. The other one of divisions and roots is in
// machine/slow-ways.h; that of the math functions (denormals, huge arguments) is not counted.
std::optional<Choice> expand(const ptx::Instruction& instruction, const ptx::Module& module);

// Those of them that make a called math function's constants, and which function it is: code in a loop has
// them before it.
struct LibraryConstants {
    std::uint32_t function = 0;
    int issues = 0;
};
LibraryConstants library_constants(const ptx::Instruction& instruction, const ptx::Module& module);

}  // namespace lockstep::machine
