// What is known at compile time of a register's value across the lanes of a warp, and what divergence does to
// it.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/graph.h"
#include "kernel/ir.h"
#include "kernel/waits.h"

namespace lockstep::kernel {

// uniform: one value for the warp. affine: base + lane * stride. wide: offset + extend(base32 + lane *
// stride) * scale: a 32-bit affine index made into a 64-bit address; kept apart from affine because the
// 32-bit sum may wrap round.
struct Shape {
    enum class Kind : std::uint8_t { uniform, affine, wide, varying };
    Kind kind = Kind::uniform;
    bool sign_extend = false;  // wide
    std::int64_t stride = 0;
    std::int64_t scale = 1;  // wide
    bool operator==(const Shape&) const = default;

    bool is_uniform() const { return kind == Kind::uniform; }
    bool is_varying() const { return kind == Kind::varying; }
};

struct Shapes {
    std::vector<Shape> registers;
    std::vector<bool> divergent;  // by block: its branch may split the warp
    std::vector<bool> in_region;  // by block: may run while other lanes of the warp wait elsewhere
    std::vector<bool> is_stop;    // by block: lanes may wait at its beginning
    // blend[b][r]: a write of r in b must keep the value of lanes that are not active.
    std::vector<RegisterSet> blend;
    // Lanes may be scheduled out of order (spin loops, irreducible flow, recursion): only values that never
    // change are uniform, and every write blends.
    bool unordered = false;
    std::vector<Waits> waits;  // by loop
};

// `rows`: the x extent of the block is a multiple of the warp size, or the block has one dimension, so that
// tid.x is affine and tid.y, tid.z are uniform.
Shapes find_shapes(const Function& function, bool rows);

// Whether a block of these extents has `rows`.
bool has_rows(std::uint32_t x, std::uint32_t y, std::uint32_t z);

// Whether lanes meet at the block before its instruction: a barrier or *.sync where they may be apart.
bool meets(const Function& function, const Shapes& shapes, BlockId block);

}  // namespace lockstep::kernel
