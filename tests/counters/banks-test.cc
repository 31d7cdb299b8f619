#include "counters/banks.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

namespace lockstep::counters {
namespace {

struct BankPattern {
    const char* name;
    std::uint32_t bytes, mask;
    std::function<std::uint64_t(std::uint64_t lane)> address;
    std::uint32_t wavefronts, parts;
};

Banked of(const BankPattern& pattern, Sharing sharing = Sharing::parts) {
    std::uint64_t addresses[32];
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = pattern.address(lane);
    return bank_passes({kernel::LaneMask(pattern.mask), pattern.bytes, addresses}, sharing);
}

TEST(Banks, Patterns) {
    const std::uint32_t all = ~0u;
    const BankPattern patterns[] = {
        {"in line", 4, all, [](auto l) { return l * 4; }, 1, 1},
        {"in line, elsewhere", 4, all, [](auto l) { return 76 + l * 4; }, 1, 1},
        {"one word for all", 4, all, [](auto) { return 64; }, 1, 1},
        {"two words of one bank", 4, all, [](auto l) { return l % 2 * 128; }, 2, 1},
        {"stride 2", 4, all, [](auto l) { return l * 8; }, 2, 1},
        {"stride 32: a column", 4, all, [](auto l) { return l * 128; }, 32, 1},
        {"stride 33: a padded column", 4, all, [](auto l) { return l * 132; }, 1, 1},
        {"stride 3", 4, all, [](auto l) { return l * 12; }, 1, 1},
        {"half of them, stride 2", 4, 0x0000ffff, [](auto l) { return l * 8; }, 1, 1},
        {"bytes of one word", 1, all, [](auto l) { return l; }, 1, 1},
        {"bytes 128 apart", 1, all, [](auto l) { return l * 128; }, 32, 1},
        {"shorts in line", 2, all, [](auto l) { return l * 2; }, 1, 1},
        {"doubles in line", 8, all, [](auto l) { return l * 8; }, 2, 2},
        {"doubles, first half only", 8, 0xffff, [](auto l) { return l * 8; }, 1, 1},
        {"doubles, one for all", 8, all, [](auto) { return 8; }, 1, 1},
        {"doubles, stride 2", 8, all, [](auto l) { return l * 16; }, 4, 2},
        {"doubles, pairs share", 8, all, [](auto l) { return l / 2 * 8; }, 1, 1},
        {"doubles, lanes two apart share", 8, all, [](auto l) { return (l / 4 * 2 + l % 2) * 8; }, 1, 1},
        {"doubles, halves share", 8, all, [](auto l) { return l % 16 * 8; }, 2, 2},
        {"float4 in line", 16, all, [](auto l) { return l * 16; }, 4, 4},
        {"float4, one for all", 16, all, [](auto) { return 16; }, 2, 2},
        {"float4, pairs share", 16, all, [](auto l) { return l / 2 * 16; }, 2, 2},
        {"float4, stride 2", 16, all, [](auto l) { return l * 32; }, 8, 4},
        {"float4, one quarter", 16, 0xff00, [](auto l) { return l * 16; }, 1, 1},
        // Inner loops of matmul's tiled and tiledTransposed kernels as ptxas makes them, on an H200.
        {"tiled: a row of a for each half", 16, all, [](auto l) { return l / 16 * 64; }, 2, 2},
        {"tiledTransposed: b[tx][k]", 16, all, [](auto l) { return l % 16 * 64; }, 16, 4},
        {"tiledTransposed: store a[tx][ty]", 4, all, [](auto l) { return l % 16 * 64 + l / 16 * 4; }, 8, 1},
    };
    for (const BankPattern& pattern : patterns) {
        Banked got = of(pattern);
        EXPECT_EQ(got.wavefronts, pattern.wavefronts) << pattern.name;
        EXPECT_EQ(got.parts, pattern.parts) << pattern.name;
    }
}

TEST(Banks, IdealCountsDifferentBytes) {
    auto ideal = [](std::uint32_t bytes, auto address) {
        return of({"", bytes, ~0u, address, 0, 0}).ideal_wavefronts();
    };
    EXPECT_EQ(ideal(4, [](auto l) { return l * 128; }), 1u);
    EXPECT_EQ(ideal(4, [](auto) { return 0; }), 1u);
    EXPECT_EQ(ideal(16, [](auto l) { return l * 16; }), 4u);
    EXPECT_EQ(ideal(8, [](auto l) { return l % 16 * 8; }), 1u);
}

TEST(Banks, PartsOfAStoreDoNotGoTogether) {
    auto stored = [](std::uint32_t bytes, std::uint32_t mask, auto address) {
        Banked got = of({"", bytes, mask, address, 0, 0}, Sharing::words);
        return std::pair(got.wavefronts, got.wavefronts - got.parts);
    };
    // As the probes of these names on an H200.
    EXPECT_EQ(stored(4, ~0u, [](auto) { return 20; }), std::pair(1u, 0u)) << "one word";
    EXPECT_EQ(stored(8, ~0u, [](auto) { return 40; }), std::pair(2u, 0u)) << "int2 one word";
    EXPECT_EQ(stored(16, ~0u, [](auto) { return 80; }), std::pair(4u, 0u)) << "int4 one word";
    EXPECT_EQ(stored(8, 0x55555555, [](auto l) { return l * 8; }), std::pair(2u, 0u)) << "int2 even";
    EXPECT_EQ(stored(16, 0x11111111, [](auto l) { return l * 16; }), std::pair(4u, 0u)) << "every fourth";
    EXPECT_EQ(stored(16, 0xff, [](auto l) { return l * 16; }), std::pair(1u, 0u)) << "int4 eight";
}

TEST(Banks, AtomicsDoNotShareAWord) {
    EXPECT_EQ(of({"", 4, ~0u, [](auto) { return 4; }, 0, 0}, Sharing::nothing).wavefronts, 32u);
    EXPECT_EQ(of({"", 4, ~0u, [](auto l) { return l * 4; }, 0, 0}, Sharing::nothing).wavefronts, 1u);
}

// As an H200 was timed: 98, 195, 395 cycles for strides of 1, 2, 4 words, and so on.
TEST(Banks, AWarpSwapsInAsManyRoundsAsABankHasLanes) {
    const auto rounds = [](std::uint32_t bytes, const std::function<std::uint64_t(std::uint64_t)>& word) {
        std::uint64_t addresses[32];
        for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = bytes * word(lane);
        return swap_rounds({kernel::LaneMask(~0u), bytes, addresses});
    };
    for (std::uint64_t stride : {1, 2, 4, 8, 16, 32}) {
        EXPECT_EQ(rounds(4, [=](auto l) { return l * stride; }), stride);
        EXPECT_EQ(rounds(8, [=](auto l) { return l * stride; }), std::min<std::uint64_t>(stride, 16));
        EXPECT_EQ(rounds(4, [=](auto l) { return l / stride; }), stride);
        EXPECT_EQ(rounds(8, [=](auto l) { return l / stride; }), stride);
        EXPECT_EQ(rounds(8, [=](auto l) { return l % stride; }), 32 / stride);
    }
}

TEST(Banks, FourByteAccessesAgreeWithTheDefinition) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 20000; ++round) {
        std::uint64_t range = std::uint64_t{4} << random() % 12;
        auto mask = static_cast<std::uint32_t>(random() | random());
        std::uint64_t addresses[32];
        std::map<std::uint64_t, std::set<std::uint64_t>> words;
        std::set<std::uint64_t> different;
        for (int lane = 0; lane < 32; ++lane) {
            addresses[lane] = random() % range / 4 * 4;
            if (!(mask >> lane & 1)) continue;
            words[addresses[lane] / 4 % 32].insert(addresses[lane] / 4);
            different.insert(addresses[lane]);
        }
        std::size_t most = 0;
        for (const auto& [bank, set] : words) most = std::max(most, set.size());
        Banked got = bank_passes({kernel::LaneMask(mask), 4, addresses});
        ASSERT_EQ(got.wavefronts, most);
        ASSERT_EQ(got.bytes, 4 * different.size());
    }
}

}  // namespace
}  // namespace lockstep::counters
