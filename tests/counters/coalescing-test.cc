#include "counters/coalescing.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lockstep::counters {
namespace {

struct LanePattern {
    const char* name;
    std::uint64_t first;
    std::int64_t stride;
    std::uint32_t bytes, mask;
    std::uint32_t sectors, distinct_bytes;
};

Coalesced of(const LanePattern& pattern) {
    std::uint64_t addresses[32];
    for (int lane = 0; lane < 32; ++lane) addresses[lane] = pattern.first + pattern.stride * lane;
    return coalesce({kernel::LaneMask(pattern.mask), pattern.bytes, addresses});
}

TEST(Coalescing, Patterns) {
    const std::uint32_t all = ~0u;
    const LanePattern patterns[] = {
        {"float, in line", 0x1000, 4, 4, all, 4, 128},
        {"float, one element off", 0x1004, 4, 4, all, 5, 128},
        {"float, every second", 0x1000, 8, 4, all, 8, 128},
        {"float, stride of a sector", 0x1000, 32, 4, all, 32, 128},
        {"float, column of a matrix", 0x1000, 4096, 4, all, 32, 128},
        {"float, backwards", 0x1000 + 31 * 4, -4, 4, all, 4, 128},
        {"one word for all", 0x1010, 0, 4, all, 1, 4},
        {"byte", 0x1000, 1, 1, all, 1, 32},
        {"short", 0x1000, 2, 2, all, 2, 64},
        {"double", 0x1000, 8, 8, all, 8, 256},
        {"float4", 0x1000, 16, 16, all, 16, 512},
        {"float4, every second", 0x1000, 32, 16, all, 32, 512},
        {"one lane", 0x1000, 4, 4, 1, 1, 4},
        {"last lane", 0x1000, 4, 4, 1u << 31, 1, 4},
        {"half a warp", 0x1000, 4, 4, 0xffff, 2, 64},
        {"every second lane", 0x1000, 4, 4, 0x55555555, 4, 64},
        {"lanes of the neighboured reduction, stride 1", 0x1000, 4, 4, 0x11111111, 4, 32},
    };
    for (const LanePattern& pattern : patterns) {
        Coalesced got = of(pattern);
        EXPECT_EQ(got.sectors, pattern.sectors) << pattern.name;
        EXPECT_EQ(got.bytes, pattern.distinct_bytes) << pattern.name;
        EXPECT_EQ(got.ideal_sectors(), (pattern.distinct_bytes + 31) / 32) << pattern.name;
    }
}

// Fermi and Kepler, by hand: transactions of a warp, and the sectors that they move with and without the L1.
TEST(Coalescing, LinesBeforeMaxwell) {
    struct {
        LanePattern pattern;  // its sectors: without the L1
        std::uint32_t transactions;
    } const cases[] = {
        {{"float, in line", 0x1000, 4, 4, ~0u, 4, 128}, 1},
        {{"float, 11 elements off", 0x1000 + 44, 4, 4, ~0u, 5, 128}, 2},
        {{"float, every second", 0x1000, 8, 4, ~0u, 8, 128}, 2},
        {{"float, column of a matrix", 0x1000, 4096, 4, ~0u, 32, 128}, 32},
        {{"one word for all", 0x1010, 0, 4, ~0u, 1, 4}, 1},
        {{"byte, over the end of a line", 0x1000 + 112, 1, 1, ~0u, 2, 32}, 2},
        {{"double: two half-warps", 0x1000, 8, 8, ~0u, 8, 256}, 2},
        {{"double, half a line off", 0x1000 + 64, 8, 8, ~0u, 8, 256}, 4},
        {{"one double for all: asked for twice", 0x1000, 0, 8, ~0u, 2, 8}, 2},
        {{"float4: four quarter-warps", 0x1000, 16, 16, ~0u, 16, 512}, 4},
        {{"float4 of one quarter", 0x1000, 16, 16, 0xff, 4, 128}, 1},
    };
    for (const auto& [pattern, transactions] : cases) {
        std::uint64_t addresses[32];
        for (int lane = 0; lane < 32; ++lane) addresses[lane] = pattern.first + pattern.stride * lane;
        const Request request{kernel::LaneMask(pattern.mask), pattern.bytes, addresses};
        const Coalesced lines = coalesce(request, Transactions::lines);
        EXPECT_EQ(lines.transactions, transactions) << pattern.name;
        EXPECT_EQ(lines.sectors, pattern.sectors) << pattern.name;
        EXPECT_EQ(lines.bytes, pattern.distinct_bytes) << pattern.name;
        const Coalesced whole = coalesce(request, Transactions::whole_lines);
        EXPECT_EQ(whole.transactions, transactions) << pattern.name;
        EXPECT_EQ(whole.sectors, 4 * transactions) << pattern.name;
    }
}

// matmul's naive kernel on an H200: 16×16 blocks, two rows a warp; 56.25 % of the bytes of four sectors.
TEST(Coalescing, BytesThatLanesShareCountOnce) {
    std::uint64_t m[32], n[32];
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
        m[lane] = 0x10000 + lane / 16 * 4096;
        n[lane] = 0x20000 + lane % 16 * 4;
    }
    Coalesced rows = coalesce({kernel::LaneMask::range(0, 32), 4, m}),
              columns = coalesce({kernel::LaneMask::range(0, 32), 4, n});
    EXPECT_EQ(rows, (Coalesced{2, 2, 8}));
    EXPECT_EQ(columns, (Coalesced{2, 2, 64}));
    EXPECT_EQ(100.0 * (rows.bytes + columns.bytes) / (32 * (rows.sectors + columns.sectors)), 56.25);
}

TEST(Coalescing, AgreesWithTheDefinition) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20000; ++round) {
        std::uint32_t bytes = 1u << random() % 6;
        std::uint64_t range = std::uint64_t{1} << (5 + random() % 30);
        std::uint32_t mask = static_cast<std::uint32_t>(random() & (round % 3 ? ~0ull : random()));
        if (!mask) continue;
        std::uint64_t addresses[32];
        std::set<std::uint64_t> sectors, touched;
        for (int lane = 0; lane < 32; ++lane) {
            addresses[lane] = 0x7f0000000000 + random() % range / bytes * bytes;
            if (!(mask >> lane & 1)) continue;
            for (std::uint64_t b = addresses[lane]; b < addresses[lane] + bytes; ++b) {
                touched.insert(b);
                sectors.insert(b / 32);
            }
        }
        Coalesced got = coalesce({kernel::LaneMask(mask), bytes, addresses});
        ASSERT_EQ(got.sectors, sectors.size());
        ASSERT_EQ(got.bytes, touched.size());
    }
}

}  // namespace
}  // namespace lockstep::counters
