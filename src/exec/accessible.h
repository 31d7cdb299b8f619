// Where a thread of a kernel may read and write, and the fault where it may not: what compiled code asks for
// an address that it does not know as good, and all that reaches memory on its behalf.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "exec/engine.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

struct Window {
    std::uint64_t begin = 0, size = 0;
    std::uint32_t space = 0;  // as isspacep counts them: jit/move.cc
    bool writable = false;
    bool remembered = true;  // by the instruction, for lanes and turns to come
};

// Memory outside the allocation table that generic addresses may point to: the
// block's shared memory, the warp's local memory, the kernel's parameters, and
// shared memory of other blocks of its cluster.
std::optional<Window> find_window(const WarpContext& ctx, std::uint64_t address);

// BlockSlot::fault leaves the warp's stack for good, and what lies on it is never destroyed. So a fault is
// made by a statement of its own, or a function, and then handed over by a move.
Fault fault_at(const WarpContext& ctx, FaultKind kind, std::uint32_t site, int lane, const std::string& what);

// Where `bytes` at `address` may be accessed by this instruction of this lane; a fault where they may not.
std::variant<Window, Fault> find_accessible(const WarpContext& ctx, std::uint32_t site, std::uint64_t address,
                                            std::uint64_t bytes, std::uint32_t lane);

// The same, asked on behalf of `lanes`. Where they may not: null, if the kernel goes on behind such accesses
// (Launch::bad_accesses); else it does not return.
std::optional<Window> accessible(WarpContext& ctx, std::uint32_t site, std::uint64_t address,
                                 std::uint64_t bytes, std::uint32_t lane, std::uint32_t lanes);

// For what cannot be left out: does not return where they may not.
Window must_be_accessible(WarpContext& ctx, std::uint32_t site, std::uint64_t address, std::uint64_t bytes,
                          std::uint32_t lane);

}  // namespace lockstep::exec
