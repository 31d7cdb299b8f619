// Which operands need a routine, and how they go through it: the limits as ptxas's code has them.
#include "kernel/slow-ways.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double wide_inf = std::numeric_limits<double>::infinity();
constexpr double wide_nan = std::numeric_limits<double>::quiet_NaN();

SlowPath path(SlowWay way, float a, float b = 0) {
    return slow_path(way, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
}
SlowPath path(SlowWay way, double a, double b = 0) {
    return slow_path(way, std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
}

TEST(SlowPaths, OfAQuotientOfFloats) {
    const auto divide = [](float a, float b) { return path(SlowWay::div_f32, a, b); };
    EXPECT_EQ(divide(1, 3), SlowPath::usual);
    EXPECT_EQ(divide(-0x1p-102f, -1), SlowPath::usual);
    EXPECT_EQ(divide(0x1p-103f, 1), SlowPath::found);
    EXPECT_EQ(divide(1, 0x1.8p124f), SlowPath::usual);
    EXPECT_EQ(divide(1, 0x1.8p125f), SlowPath::found);
    EXPECT_EQ(divide(1, 0x1.8p126f), SlowPath::found_denormal);
    EXPECT_EQ(divide(0, 3), SlowPath::zero);
    EXPECT_EQ(divide(-0.0f, 3), SlowPath::zero);
    EXPECT_EQ(divide(3, inf), SlowPath::zero);
    EXPECT_EQ(divide(3, 0), SlowPath::infinite);
    EXPECT_EQ(divide(inf, 3), SlowPath::infinite);
    EXPECT_EQ(divide(0, 0), SlowPath::invalid);
    EXPECT_EQ(divide(inf, -inf), SlowPath::infinities);
    EXPECT_EQ(divide(nan, 0), SlowPath::nan);
    EXPECT_EQ(divide(0, nan), SlowPath::nan);
    EXPECT_EQ(divide(0x1p100f, 0x1p-100f), SlowPath::found_large);
    EXPECT_EQ(divide(0x1p-100f, 0x1p40f), SlowPath::found_denormal);
    EXPECT_EQ(divide(0x1p-100f, 0x1p100f), SlowPath::found_nothing);
    EXPECT_EQ(divide(0x1p-140f, 0x1p-20f), SlowPath::scaled);
    EXPECT_EQ(divide(1, 0x1p-140f), SlowPath::scaled_large);
    EXPECT_EQ(divide(0x1p-140f, 3), SlowPath::scaled_denormal);
    EXPECT_EQ(divide(0x1p-140f, 0x1p100f), SlowPath::scaled_nothing);
}

TEST(SlowPaths, OfAFloatsReciprocalAndRoot) {
    EXPECT_EQ(path(SlowWay::rcp_f32, 3.0f), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rcp_f32, -0x1p-126f), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rcp_f32, 0x1.8p125f), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rcp_f32, -0x1p126f), SlowPath::large);
    EXPECT_EQ(path(SlowWay::rcp_f32, 0.0f), SlowPath::small);
    EXPECT_EQ(path(SlowWay::rcp_f32, 0x1p-127f), SlowPath::small);
    EXPECT_EQ(path(SlowWay::rcp_f32, inf), SlowPath::nan);
    EXPECT_EQ(path(SlowWay::sqrt_f32, 0x1p-101f), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::sqrt_f32, 0x1p-102f), SlowPath::small);
    EXPECT_EQ(path(SlowWay::sqrt_f32, 0x1.8p127f), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::sqrt_f32, 0.0f), SlowPath::zero);
    EXPECT_EQ(path(SlowWay::sqrt_f32, -1.0f), SlowPath::negative);
    EXPECT_EQ(path(SlowWay::sqrt_f32, inf), SlowPath::infinite);
    EXPECT_EQ(path(SlowWay::sqrt_f32, nan), SlowPath::nan);
}

TEST(SlowPaths, OfAQuotientOfDoubles) {
    const auto divide = [](double a, double b) { return path(SlowWay::div_f64, a, b); };
    EXPECT_EQ(divide(1, 3), SlowPath::usual);
    EXPECT_EQ(divide(0x1p-969, 1), SlowPath::usual);
    EXPECT_EQ(divide(0x1p-970, 1), SlowPath::found);
    EXPECT_EQ(divide(1, 0x1p1016), SlowPath::usual);
    EXPECT_EQ(divide(1, 0x1p1017), SlowPath::found);
    EXPECT_EQ(divide(0x1p-20, 0x1p1010), SlowPath::found_denormal);
    EXPECT_EQ(divide(0, 3), SlowPath::zero);
    EXPECT_EQ(divide(3, 0), SlowPath::infinite);
    EXPECT_EQ(divide(0, 0), SlowPath::invalid);
    EXPECT_EQ(divide(wide_inf, wide_inf), SlowPath::infinities);
    EXPECT_EQ(divide(wide_nan, 1), SlowPath::nan);
    EXPECT_EQ(divide(1, wide_nan), SlowPath::nan_divisor);
}

TEST(SlowPaths, OfADoublesReciprocalAndRoots) {
    EXPECT_EQ(path(SlowWay::rcp_f64, 0x1p-1022), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rcp_f64, 0x1p-1024), SlowPath::small);
    EXPECT_EQ(path(SlowWay::rcp_f64, 0x1p1021), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rcp_f64, -0x1p1023), SlowPath::large);
    EXPECT_EQ(path(SlowWay::rcp_f64, 0.0), SlowPath::zero);
    EXPECT_EQ(path(SlowWay::rcp_f64, wide_inf), SlowPath::infinite);
    EXPECT_EQ(path(SlowWay::rcp_f64, wide_nan), SlowPath::nan);
    EXPECT_EQ(path(SlowWay::sqrt_f64, 0x1p-970), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::sqrt_f64, 0x1p-971), SlowPath::small);
    EXPECT_EQ(path(SlowWay::sqrt_f64, 0x1p-1030), SlowPath::denormal);
    EXPECT_EQ(path(SlowWay::sqrt_f64, 0.0), SlowPath::zero);
    EXPECT_EQ(path(SlowWay::sqrt_f64, -1.0), SlowPath::negative);
    EXPECT_EQ(path(SlowWay::sqrt_f64, wide_nan), SlowPath::infinite);
    EXPECT_EQ(path(SlowWay::rsqrt_f64, 0x1p-1022), SlowPath::usual);
    EXPECT_EQ(path(SlowWay::rsqrt_f64, 0x1p-1023), SlowPath::denormal);
    EXPECT_EQ(path(SlowWay::rsqrt_f64, wide_nan), SlowPath::nan);
}

// What compiled code asks first lets nothing through that needs the routine.
TEST(SlowPaths, AreNeverNeededInTheUsualRange) {
    const auto at = [](std::uint32_t exponent, bool full) {
        return std::bit_cast<double>(std::uint64_t{exponent} << 52 |
                                     (full ? (std::uint64_t{1} << 52) - 1 : 0));
    };
    const QuotientRange& range = usual_doubles;
    for (const std::int32_t difference : {range.least_difference, 0, range.most_difference})
        for (std::uint32_t divisor = range.least_divisor; divisor <= range.most_divisor; ++divisor) {
            const std::int64_t dividend = std::int64_t{divisor} + difference;
            if (dividend < range.least_dividend || dividend > range.most_dividend) continue;
            for (const bool first : {false, true})
                for (const bool second : {false, true})
                    ASSERT_EQ(path(SlowWay::div_f64, at(static_cast<std::uint32_t>(dividend), first),
                                   at(divisor, second)),
                              SlowPath::usual)
                        << dividend << " " << divisor;
        }
}

TEST(SlowWays, AreThoseOfRoundedInstructions) {
    const auto way = [](const std::string& instruction) {
        auto module = ptx::parse(
            ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n"
            ".reg .f32 %f<4>; .reg .f64 %d<4>; .reg .b32 %r<4>;\n" +
                instruction + ";\nret;\n}\n",
            "test");
        EXPECT_TRUE(module) << instruction;
        return slow_way(module->functions[0].instructions[0]);
    };
    EXPECT_EQ(way("div.rn.f32 %f1, %f2, %f3"), SlowWay::div_f32);
    EXPECT_EQ(way("div.rn.f64 %d1, %d2, %d3"), SlowWay::div_f64);
    EXPECT_EQ(way("rcp.rn.f32 %f1, %f2"), SlowWay::rcp_f32);
    EXPECT_EQ(way("sqrt.rn.f64 %d1, %d2"), SlowWay::sqrt_f64);
    EXPECT_EQ(way("rsqrt.approx.f64 %d1, %d2"), SlowWay::rsqrt_f64);
    EXPECT_EQ(way("div.full.f32 %f1, %f2, %f3"), SlowWay::none);
    EXPECT_EQ(way("div.approx.f32 %f1, %f2, %f3"), SlowWay::none);
    EXPECT_EQ(way("sqrt.approx.f32 %f1, %f2"), SlowWay::none);
    EXPECT_EQ(way("rsqrt.approx.f32 %f1, %f2"), SlowWay::none);
    EXPECT_EQ(way("div.u32 %r1, %r2, %r3"), SlowWay::none);
}

}  // namespace
}  // namespace lockstep::kernel
