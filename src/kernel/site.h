// A place in a kernel that can fault or be observed.
#pragma once
#include <cstdint>

#include "ptx/ast.h"

namespace lockstep::kernel {

enum class SiteKind : std::uint8_t {
    none,  // only a place that can fault
    load,
    store,
    atomic,      // atom: returns the old value
    reduction,   // red: does not
    barrier,     // of the block
    warp_sync,   // lanes of a warp meet: bar.warp.sync, and all *.sync instructions
    fence,       // membar, fence; groups of cp.async and wgmma, of which one is committed or some waited for
    allocation,  // a call of malloc …
    release,     // … and of free
    phase,       // a barrier in shared memory: somebody arrives or waits
    product,     // wgmma: it reads shared memory by itself, which counts as no access of the warp
    slow_way,    // a division or root that calls a routine for some operands (kernel/slow-ways.h)
};

constexpr bool is_access(SiteKind kind) { return kind >= SiteKind::load && kind <= SiteKind::reduction; }
constexpr bool is_atomic(SiteKind kind) { return kind == SiteKind::atomic || kind == SiteKind::reduction; }

struct Site {
    int ptx_line = 0;
    int source = -1;                // into ptx::Module::lines
    std::uint32_t function = 0;     // into Kernel::functions
    std::uint32_t block = 0;        // of that function
    std::uint32_t instruction = 0;  // of that block; their number: its terminator
    std::int32_t bytes = 0;         // that a lane accesses, a vector access all of them together
    SiteKind kind = SiteKind::none;
    ptx::Space space = ptx::Space::none;  // that the instruction names; none: generic, the address decides
    // The variable of shared memory that it may not leave; no bytes: all of the block's.
    std::uint64_t variable_begin = 0, variable_bytes = 0;

    bool writes() const { return is_access(kind) && kind != SiteKind::load; }
};

}  // namespace lockstep::kernel
