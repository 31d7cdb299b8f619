// What ptxas writes between instructions, and that a load which is waited for on the way is time beside it.
#include "timing/stalls.h"

#include <gtest/gtest.h>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

class StallsTest : public testing::Test, public HandMade {
  public:
    std::vector<int> stalls(std::vector<Op> ops) const {
        write_stalls(ops, gpu.timing);
        std::vector<int> result;
        for (const Op& op : ops) result.push_back(op.stall);
        return result;
    }
    static Op under(Op op, std::uint16_t guard) {
        op.guard = guard;
        return op;
    }
};

TEST_F(StallsTest, AResultIsWaitedForByWhoComesBeforeItsReader) {
    EXPECT_EQ(stalls({fma({1}), fma({2}, {1}), fma({3}, {1})}), (std::vector<int>{4, 1, 1}));
    EXPECT_EQ(stalls({fma({1}), fma(), fma(), fma({2}, {1})}), (std::vector<int>{1, 1, 2, 1}));
    const Op real = op(Unit::fp64, gpu.timing.fp64.latency, {1});
    EXPECT_EQ(stalls({real, fma({2}, {1})}), (std::vector<int>{gpu.timing.fp64.latency, 1}));
}

TEST_F(StallsTest, WhatTakesAnUnknownTimeIsNotReckonedWith) {
    EXPECT_EQ(stalls({memory(true, {1}), fma({2}, {1})}), (std::vector<int>{1, 1}));
    EXPECT_EQ(stalls({op(Unit::xu, gpu.timing.xu.latency, {1}), fma({2}, {1})}), (std::vector<int>{1, 1}));
}

TEST_F(StallsTest, APredicateIsThereLater) {
    EXPECT_EQ(stalls({alu({1}), under(fma({2}), 1)}), (std::vector<int>{gpu.timing.predicate_latency, 1}));
}

TEST_F(StallsTest, WhatCostsNothingHandsOn) {
    EXPECT_EQ(stalls({fma({1}), op(Unit::none, 0, {2}, {1}), fma({3}, {2})}), (std::vector<int>{4, 1, 1}));
}

TEST_F(StallsTest, AccessesAreApart) {
    EXPECT_EQ(stalls({memory(true, {1}), memory(true, {2})}), (std::vector<int>{fit::memory_turn, 1}));
}

TEST_F(StallsTest, StraightCodeHasALength) {
    std::vector<Op> ops{fma({1}), fma({2}, {1}), fma({3}, {2})};
    EXPECT_EQ(write_stalls(ops, gpu.timing), 2 * 4 + 1u);
    std::vector<Op> nothing;
    EXPECT_EQ(write_stalls(nothing, gpu.timing), 0u);
}

// A comparison, an access that waits for a load, and a branch on the comparison: the branch comes so long
// after the access as if that had not waited.
TEST_F(StallsTest, ALoadThatIsWaitedForDoesNotShortenThem) {
    const auto cycles_with = [&](bool load) {
        std::vector<Op> ops{alu({1}), load ? fma({2}, {3}) : fma({2}), under(branch(), 1)};
        if (load) ops.insert(ops.begin(), op(Unit::xu, 200, {3}));
        write_stalls(ops, gpu.timing);
        return cycles({block({warp({region(std::move(ops))})})});
    };
    const double without = cycles_with(false);
    EXPECT_NEAR(cycles_with(true) - without, 200, 3);
}

}  // namespace
}  // namespace lockstep::timing
