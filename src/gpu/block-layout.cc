#include "gpu/block-layout.h"

#include <algorithm>

namespace lockstep::gpu {
namespace {

Dimensions index_of(const Dimensions& block, std::uint64_t thread) {
    return {static_cast<std::uint32_t>(thread % block[0]),
            static_cast<std::uint32_t>(thread / block[0] % block[1]),
            static_cast<std::uint32_t>(thread / block[0] / block[1])};
}

// Threads `begin` to `end` (not included) as boxes: the rest of a row, whole rows, whole layers.
std::vector<ThreadBox> boxes_of(const Dimensions& block, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t row = block[0], layer = row * block[1];
    std::vector<ThreadBox> boxes;
    while (begin < end) {
        std::uint64_t size = 0;
        if (begin % layer == 0 && begin + layer <= end)
            size = (end - begin) / layer * layer;
        else if (begin % row == 0 && begin + row <= end)
            size = (std::min(end, (begin / layer + 1) * layer) - begin) / row * row;
        else
            size = std::min(end, (begin / row + 1) * row) - begin;
        boxes.push_back({index_of(block, begin), index_of(block, begin + size - 1)});
        begin += size;
    }
    return boxes;
}

}  // namespace

BlockLayout block_layout(const Dimensions& block, int warp_size) {
    BlockLayout layout{block, warp_size};
    const std::uint64_t threads = count(block);
    const auto lanes = static_cast<std::uint64_t>(warp_size);
    for (std::uint64_t begin = 0; begin < threads; begin += lanes) {
        const std::uint64_t end = std::min(begin + lanes, threads);
        WarpLayout warp;
        for (std::uint64_t thread = begin; thread < end; ++thread)
            warp.rows.push_back(static_cast<std::uint32_t>(thread / block[0]));
        warp.boxes = boxes_of(block, begin, end);
        layout.warps.push_back(std::move(warp));
        layout.idle_lanes = static_cast<int>(begin + lanes - end);
    }
    return layout;
}

Dimensions thread_at(const BlockLayout& layout, int warp, int lane) {
    return index_of(layout.block, static_cast<std::uint64_t>(warp) * layout.warp_size + lane);
}

}  // namespace lockstep::gpu
