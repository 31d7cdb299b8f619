#include "session/repeated-launches.h"

#include <gtest/gtest.h>

namespace lockstep::session {
namespace {

RepeatedShape shape_of(std::uint32_t blocks, std::byte param = {}) {
    RepeatedShape shape;
    shape.grid = {blocks, 1, 1};
    shape.params = {param};
    return shape;
}

RepeatedLaunch launch_of(std::uint64_t instructions) {
    RepeatedLaunch launch;
    launch.stats.warp_instructions = instructions;
    return launch;
}

TEST(RepeatedLaunches, OneOfTheSameShapeAndParametersIsFound) {
    RepeatedLaunches launches;
    launches.keep(shape_of(8), launch_of(100), 1);
    launches.keep(shape_of(9), launch_of(200), 1);
    ASSERT_TRUE(launches.find(shape_of(8)));
    EXPECT_EQ(launches.find(shape_of(8))->stats.warp_instructions, 100u);
    EXPECT_EQ(launches.find(shape_of(9))->stats.warp_instructions, 200u);
    EXPECT_FALSE(launches.find(shape_of(10)));
    EXPECT_FALSE(launches.find(shape_of(8, std::byte{1})));
    RepeatedShape with_host = shape_of(8);
    with_host.host = timing::HostRanges({{0x1000, 0x2000}});
    EXPECT_FALSE(launches.find(with_host));
}

TEST(RepeatedLaunches, NoneUntilCodeForThemIsWorthIt) {
    RepeatedLaunches launches;
    int watched = 0;
    while (!launches.find(shape_of(8)) && watched < 1000) {
        launches.keep(shape_of(8), launch_of(100), 0.001);
        ++watched;
    }
    EXPECT_GT(watched, 1);
    EXPECT_LT(watched, 1000);
}

TEST(RepeatedLaunches, TheOldestAreForgotten) {
    RepeatedLaunches launches;
    for (std::uint32_t blocks = 1; blocks <= 100; ++blocks)
        launches.keep(shape_of(blocks), launch_of(blocks), 1);
    EXPECT_FALSE(launches.find(shape_of(1)));
    ASSERT_TRUE(launches.find(shape_of(100)));
    EXPECT_EQ(launches.find(shape_of(100))->stats.warp_instructions, 100u);
}

}  // namespace
}  // namespace lockstep::session
