// What a routine executes for lanes of one path, against what stands in ptxas's code.
#include "machine/slow-ways.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace lockstep::machine {
namespace {

using kernel::SlowPath;
using kernel::SlowWay;

struct Executed {
    int issues = 0, branches = 0;
    bool operator==(const Executed&) const = default;
};

// Beside the usual code.
Executed executed(SlowWay way, std::initializer_list<SlowPath> paths) {
    Executed sum;
    for (const SlowPart& part : slow_parts(way)) {
        bool some = false;
        for (const SlowPath path : paths) some |= part.has(static_cast<std::uint32_t>(path));
        if (!some) continue;
        sum.issues += part.issues;
        sum.branches += part.branches;
    }
    return sum;
}

// The call, with moves before and after it, and the routine up to its RET.
TEST(SlowWays, OfAQuotientOfFloats) {
    const auto divide = [](SlowPath path) { return executed(SlowWay::div_f32, {path}); };
    const int call = 4, entry = 12, end = 2;
    EXPECT_EQ(divide(SlowPath::nan), (Executed{call + entry + 4 + 2 + end, 4}));
    EXPECT_EQ(divide(SlowPath::invalid), (Executed{call + entry + 6 + 3 + end, 6}));
    EXPECT_EQ(divide(SlowPath::infinities), (Executed{call + entry + 10 + 3 + end, 7}));
    EXPECT_EQ(divide(SlowPath::zero), (Executed{call + entry + 13 + 3 + end, 8}));
    EXPECT_EQ(divide(SlowPath::infinite), (Executed{call + entry + 16 + 4 + end, 9}));
    // 22 instructions and what ends them, from where both operands are normal.
    EXPECT_EQ(divide(SlowPath::found), (Executed{call + entry + 22 + 4 + end, 5}));
    EXPECT_EQ(divide(SlowPath::found_large), (Executed{call + entry + 22 + 2 + 3 + 3 + end, 7}));
    EXPECT_EQ(divide(SlowPath::found_nothing), (Executed{call + entry + 22 + 7 + 3 + end, 8}));
    EXPECT_EQ(divide(SlowPath::found_denormal), (Executed{call + entry + 22 + 7 + 22 + 3 + end, 9}));
    EXPECT_EQ(divide(SlowPath::scaled), (Executed{call + entry + 16 + 7 + 22 + 4 + end, 10}));
}

TEST(SlowWays, OfOthers) {
    EXPECT_EQ(executed(SlowWay::sqrt_f32, {SlowPath::zero}), (Executed{3 + 3 + 4 + 1 - 4, 4}));
    EXPECT_EQ(executed(SlowWay::sqrt_f32, {SlowPath::negative}), (Executed{3 + 6 + 4 + 1 - 4, 5}));
    EXPECT_EQ(executed(SlowWay::sqrt_f32, {SlowPath::small}), (Executed{3 + 19 + 4 + 1 - 4, 6}));
    EXPECT_EQ(executed(SlowWay::rcp_f32, {SlowPath::small}), (Executed{4 + 15 + 4 - 4, 5}));
    EXPECT_EQ(executed(SlowWay::div_f64, {SlowPath::zero}), (Executed{8 + 39 + 16 + 4, 7}));
    EXPECT_EQ(executed(SlowWay::div_f64, {SlowPath::found}), (Executed{8 + 39 + 11 + 4, 4}));
    EXPECT_EQ(executed(SlowWay::rcp_f64, {SlowPath::zero}), (Executed{4 + 3 + 6 + 3, 4}));
    EXPECT_EQ(executed(SlowWay::sqrt_f64, {SlowPath::zero}), (Executed{4 + 8 + 2 + 1 + 3, 4}));
    EXPECT_EQ(executed(SlowWay::rsqrt_f64, {SlowPath::zero}), (Executed{2 + 4 + 2 + 4, 3}));
}

// Lanes that do not need it wait at the end, where BSYNC is executed once more; a root's usual code is behind
// the branch, and executed for them.
TEST(SlowWays, OfSomeLanes) {
    EXPECT_EQ(executed(SlowWay::div_f32, {SlowPath::usual, SlowPath::zero}).issues,
              executed(SlowWay::div_f32, {SlowPath::zero}).issues + 1);
    EXPECT_EQ(executed(SlowWay::sqrt_f32, {SlowPath::usual, SlowPath::zero}).issues,
              executed(SlowWay::sqrt_f32, {SlowPath::zero}).issues + 5);
    EXPECT_TRUE(slow_parts(SlowWay::none).empty());
}

}  // namespace
}  // namespace lockstep::machine
