#include "gpu/block-layout.h"

#include <gtest/gtest.h>

namespace lockstep::gpu {
namespace {

// 80 threads in 3 warps, 16 lanes of the last one idle; the second warp spans two rows.
TEST(BlockLayout, FortyByTwo) {
    const BlockLayout layout = block_layout({40, 2, 1}, 32);
    ASSERT_EQ(layout.warps.size(), 3u);
    EXPECT_EQ(layout.idle_lanes, 16);
    EXPECT_EQ(layout.warps[0].boxes.size(), 1u);
    ASSERT_EQ(layout.warps[1].boxes.size(), 2u);
    EXPECT_EQ(layout.warps[1].boxes[0].first, (Dimensions{32, 0, 0}));
    EXPECT_EQ(layout.warps[1].boxes[0].last, (Dimensions{39, 0, 0}));
    EXPECT_EQ(layout.warps[1].boxes[1].last, (Dimensions{23, 1, 0}));
    EXPECT_EQ(layout.warps[2].rows.size(), 16u);
    EXPECT_EQ(thread_at(layout, 1, 8), (Dimensions{0, 1, 0}));
    EXPECT_EQ(thread_at(layout, 2, 15), (Dimensions{39, 1, 0}));
}

// The boxes hold each thread of a warp once, in the order of its lanes.
TEST(BlockLayout, BoxesAreTheLanes) {
    for (const Dimensions& block : {Dimensions{1024, 1, 1}, Dimensions{32, 32, 1}, Dimensions{3, 7, 11},
                                    Dimensions{1, 256, 1}, Dimensions{2, 2, 64}, Dimensions{5, 1, 9}})
        for (int warp_size : {32, 64}) {
            const BlockLayout layout = block_layout(block, warp_size);
            for (std::size_t w = 0; w < layout.warps.size(); ++w) {
                int lane = 0;
                for (const ThreadBox& box : layout.warps[w].boxes)
                    for (std::uint32_t z = box.first[2]; z <= box.last[2]; ++z)
                        for (std::uint32_t y = box.first[1]; y <= box.last[1]; ++y)
                            for (std::uint32_t x = box.first[0]; x <= box.last[0]; ++x, ++lane) {
                                EXPECT_EQ(thread_at(layout, static_cast<int>(w), lane),
                                          (Dimensions{x, y, z}));
                                EXPECT_EQ(layout.warps[w].rows[lane], y + z * block[1]);
                            }
                EXPECT_EQ(static_cast<std::size_t>(lane), layout.warps[w].rows.size());
            }
        }
}

TEST(BlockLayout, WarpsOf64) {
    const BlockLayout layout = block_layout({40, 2, 1}, 64);
    EXPECT_EQ(layout.warps.size(), 2u);
    EXPECT_EQ(layout.idle_lanes, 48);
}

}  // namespace
}  // namespace lockstep::gpu
