#include "counters/access-pattern.h"

#include <gtest/gtest.h>

#include <functional>

#include "counters/request.h"

namespace lockstep::counters {
namespace {

AccessPattern of(std::uint32_t bytes, const std::function<std::uint64_t(int lane)>& address,
                 std::uint32_t mask = ~0u) {
    std::uint64_t addresses[32];
    for (int lane = 0; lane < 32; ++lane) addresses[lane] = address(lane);
    return pattern_of({kernel::LaneMask(mask), bytes, addresses});
}

TEST(AccessPattern, Kinds) {
    using enum PatternKind;
    EXPECT_EQ(of(4, [](int lane) { return 0x1000 + 4 * lane; }), (AccessPattern{packed, 4, 0}));
    EXPECT_EQ(of(4, [](int lane) { return 0x1004 + 4 * lane; }), (AccessPattern{packed, 4, 0}));
    EXPECT_EQ(of(4, [](int lane) { return 0x2000 - 4 * lane; }), (AccessPattern{packed, -4, 0}));
    EXPECT_EQ(of(8, [](int) { return 0x1000; }), (AccessPattern{same, 0, 0}));
    EXPECT_EQ(of(4, [](int lane) { return 0x1000 + 20 * lane; }), (AccessPattern{strided, 20, 0}));
    EXPECT_EQ(of(4, [](int lane) { return 0x1000 + 4096 * lane; }), (AccessPattern{strided, 4096, 0}));
    EXPECT_EQ(of(4, [](int lane) { return 0x1000 + lane / 8 * 4096 + lane % 8 * 4; }),
              (AccessPattern{rows, 4096, 8}));
    EXPECT_EQ(of(4, [](int lane) { return 0x1000 + lane * 2654435761u % 65536 / 4 * 4; }),
              (AccessPattern{scattered, 0, 0}));
}

TEST(AccessPattern, LanesThatAreNotActiveLeaveAHole) {
    using enum PatternKind;
    const auto neighbours = [](int lane) { return 0x1000 + 4 * lane; };
    EXPECT_EQ(of(4, neighbours, 0x55555555), (AccessPattern{packed, 4, 0}));
    EXPECT_EQ(of(4, neighbours, 0x80000001), (AccessPattern{packed, 4, 0}));
    EXPECT_EQ(of(4, neighbours, 0x00000100).kind, none) << "one lane has no neighbour";
}

TEST(AccessPattern, NamesAreRead) {
    for (const auto kind : {PatternKind::none, PatternKind::packed, PatternKind::same, PatternKind::strided,
                            PatternKind::rows, PatternKind::scattered})
        EXPECT_EQ(find_pattern(pattern_name(kind)), kind);
    EXPECT_FALSE(find_pattern("zigzag"));
}

TEST(AccessPattern, TheCostliestStays) {
    const AccessPattern strided{PatternKind::strided, 64, 0}, packed{PatternKind::packed, 4, 0};
    Patterns patterns;
    patterns.add({packed, 100, 10});
    patterns.add({strided, 1, 28});
    patterns.add({packed, 100, 10});
    EXPECT_EQ(patterns.worst(), (PatternCost{strided, 1, 28}));
    patterns.add({packed, 100, 10});
    EXPECT_EQ(patterns.worst(), (PatternCost{packed, 300, 30}));
}

TEST(AccessPattern, VeryManyPatternsCountAsScattered) {
    Patterns patterns;
    for (int stride = 1; stride <= 100; ++stride) patterns.add({{PatternKind::strided, 8 * stride, 0}, 1, 5});
    EXPECT_EQ(patterns.worst().pattern.kind, PatternKind::scattered);
    EXPECT_GE(patterns.worst().requests, 90u);
}

}  // namespace
}  // namespace lockstep::counters
