// How a block becomes warps: its threads in the order of x, then y, then z, a warp's lanes at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "gpu/block-limits.h"

namespace lockstep::gpu {

// A box of threads that follow each other in a warp: first and last index in x, y and z.
struct ThreadBox {
    Dimensions first{}, last{};
};

struct WarpLayout {
    std::vector<std::uint32_t> rows;  // of each active lane: y + z * height of the block
    std::vector<ThreadBox> boxes;     // the same threads, as few boxes as the order allows
};

struct BlockLayout {
    Dimensions block{1, 1, 1};
    int warp_size = 32;
    std::vector<WarpLayout> warps;
    int idle_lanes = 0;  // of the last warp
};

BlockLayout block_layout(const Dimensions& block, int warp_size);

// The thread in a lane of a warp; the lane must be active.
Dimensions thread_at(const BlockLayout& layout, int warp, int lane);

}  // namespace lockstep::gpu
