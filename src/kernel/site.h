// A place in a kernel that can fault or be observed.
#pragma once
#include <cstdint>

#include "ptx/ast.h"

namespace lockstep::kernel {

enum class AccessKind : std::uint8_t {
    none,  // not a memory instruction
    load,
    store,
    atomic,     // atom: returns the old value
    reduction,  // red: does not
};

struct Site {
    int ptx_line = 0;
    int source = -1;                // into ptx::Module::lines
    std::uint32_t function = 0;     // into Kernel::functions
    std::uint32_t block = 0;        // of that function
    std::uint32_t instruction = 0;  // of that block; their number: its terminator
    std::int32_t bytes = 0;         // that a lane accesses, a vector access all of them together
    AccessKind kind = AccessKind::none;
    ptx::Space space = ptx::Space::none;  // that the instruction names; none: generic, the address decides

    bool writes() const { return kind != AccessKind::none && kind != AccessKind::load; }
};

}  // namespace lockstep::kernel
