#include "session/block-override.h"

#include <gtest/gtest.h>

#include "session/kernel-selection.h"

namespace lockstep::session {
namespace {

LaunchShape changed(exec::Dim3 grid, exec::Dim3 block, const gpu::Dimensions& to) {
    return with_block({grid, block, 16, true}, to);
}

void expect_dim(const exec::Dim3& actual, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    EXPECT_EQ(actual.x, x);
    EXPECT_EQ(actual.y, y);
    EXPECT_EQ(actual.z, z);
}

TEST(BlockOverride, ExtentsStay) {
    const LaunchShape shape = changed({512, 512, 1}, {32, 32, 1}, {64, 2, 1});
    expect_dim(shape.grid, 256, 8192, 1);
    expect_dim(shape.block, 64, 2, 1);
    EXPECT_EQ(shape.dynamic_shared, 16u);
    EXPECT_TRUE(shape.cooperative);
    expect_dim(changed({4, 4, 4}, {8, 8, 4}, {16, 4, 2}).grid, 2, 8, 8);
}

TEST(BlockOverride, BlocksThatDoNotDivideReachBeyond) {
    expect_dim(changed({3, 1, 1}, {32, 1, 1}, {64, 1, 1}).grid, 2, 1, 1);
    expect_dim(changed({10, 1, 1}, {100, 1, 1}, {32, 16, 1}).grid, 32, 1, 1);
    expect_dim(changed({1, 1, 1}, {1, 1, 1}, {1024, 1, 1}).grid, 1, 1, 1);
}

TEST(BlockOverride, NoGridHoldsMoreThanANumberCan) {
    expect_dim(changed({4294967295u, 1, 1}, {1024, 1, 1}, {1, 1, 1}).grid, 4294967295u, 1, 1);
    expect_dim(changed({0, 1, 1}, {32, 1, 1}, {64, 1, 1}).grid, 0, 1, 1);  // no blocks: still refused
}

TEST(KernelSelection, ByDemangledName) {
    KernelSelection some("^sum.*\\(float"), all("");
    EXPECT_TRUE(some.matches("_Z9sumMatrixPf"));
    EXPECT_TRUE(some.matches("_Z9sumMatrixPf"));
    EXPECT_FALSE(some.matches("_Z9sumMatrixPi"));
    EXPECT_FALSE(some.matches("_Z4copyPf"));
    EXPECT_TRUE(all.matches("_Z4copyPf"));
}

}  // namespace
}  // namespace lockstep::session
