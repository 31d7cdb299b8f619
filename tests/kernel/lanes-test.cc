#include "kernel/lanes.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockstep::kernel {
namespace {

TEST(LaneMask, IsASetOfUpTo64Lanes) {
    const LaneMask some = LaneMask::of(3) | LaneMask::of(40);
    EXPECT_EQ(some.count(), 2);
    EXPECT_EQ(some.first(), 3);
    EXPECT_EQ(some.last(), 40);
    EXPECT_TRUE(some.has(40));
    EXPECT_FALSE(some.has(4));
    EXPECT_FALSE(some.contiguous());
    EXPECT_EQ(some.only_first(), LaneMask::of(3));
    EXPECT_EQ(some.without(LaneMask::of(3)), LaneMask::of(40));
    std::vector<int> lanes;
    some.for_each([&](int lane) { lanes.push_back(lane); });
    EXPECT_EQ(lanes, (std::vector<int>{3, 40}));
}

TEST(LaneMask, Ranges) {
    EXPECT_EQ(LaneMask::range(0, 32).bits(), 0xffffffffu);
    EXPECT_EQ(LaneMask::range(8, 8).bits(), 0xff00u);
    EXPECT_EQ(LaneMask::range(0, most_lanes).bits(), ~std::uint64_t{0});
    EXPECT_TRUE(LaneMask::range(5, 9).contiguous());
    EXPECT_TRUE(LaneMask().contiguous());
    EXPECT_TRUE(LaneMask().empty());
}

}  // namespace
}  // namespace lockstep::kernel
