#include "session/block-override.h"

#include <algorithm>
#include <limits>

namespace lockstep::session {
namespace {

std::uint32_t blocks(std::uint32_t grid, std::uint32_t asked, std::uint32_t block) {
    const std::uint64_t extent = std::uint64_t{grid} * asked;
    // What no grid can have stays more than any GPU's limit: the launch check then names that.
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(extent / block + (extent % block != 0),
                                                              std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

LaunchShape with_block(const LaunchShape& asked, const gpu::Dimensions& block) {
    LaunchShape shape = asked;
    shape.block = {block[0], block[1], block[2]};
    shape.grid = {blocks(asked.grid.x, asked.block.x, block[0]),
                  blocks(asked.grid.y, asked.block.y, block[1]),
                  blocks(asked.grid.z, asked.block.z, block[2])};
    return shape;
}

}  // namespace lockstep::session
