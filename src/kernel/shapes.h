// What is known at compile time of a register's value across the lanes of a warp, and what divergence does to
// it.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/graph.h"
#include "kernel/ir.h"
#include "kernel/lanes.h"
#include "kernel/waits.h"

namespace lockstep::kernel {

// uniform: one value for the warp. affine: base + lane * stride. wide: offset + extend(base32 + lane *
// stride) * scale: a 32-bit affine index made into a 64-bit address; kept apart from affine because the
// 32-bit sum may wrap round. Where a warp has several rows (row_lanes), `lane` is the place in the row.
struct Shape {
    enum class Kind : std::uint8_t { uniform, affine, wide, varying };
    Kind kind = Kind::uniform;
    bool sign_extend = false;  // wide
    bool by_row = false;       // affine and wide: each row has a base and an offset of its own
    std::int64_t stride = 0;   // 0 only by row
    std::int64_t scale = 1;    // wide
    bool operator==(const Shape&) const = default;

    bool is_uniform() const { return kind == Kind::uniform; }
    bool is_varying() const { return kind == Kind::varying; }
    bool is_uniform_by_row() const { return kind == Kind::affine && by_row && stride == 0; }
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

// How the threads of a block lie in its warps: the lanes of a row are so many neighbours along x, with one y
// and one z. 32: a warp is a row, since the block has one dimension or its x extent is a multiple of that.
// 16, 8: the block is so wide, and a warp has several rows, in all of which x is the same. 0: anything else.
int row_lanes(std::uint32_t x, std::uint32_t y, std::uint32_t z);

// How many rows a warp has, of which something is known.
constexpr int rows_of_warp(int row_lanes) { return row_lanes > 0 ? warp_lanes / row_lanes : 1; }

// For blocks with rows of so many lanes.
Shapes find_shapes(const Function& function, int row_lanes);

// Whether lanes meet at the block before its instruction: a barrier or *.sync where they may be apart.
bool meets(const Function& function, const Shapes& shapes, BlockId block);

}  // namespace lockstep::kernel
