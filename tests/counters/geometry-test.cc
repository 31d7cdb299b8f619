// Lines, sectors, and the words of local memory.
#include "counters/geometry.h"

#include <gtest/gtest.h>

namespace lockstep::counters {
namespace {

// Lanes whose addresses are first + lane * stride.
std::vector<std::uint64_t> lanes(std::uint64_t first, std::int64_t stride, int count = 32) {
    std::vector<std::uint64_t> made;
    for (int lane = 0; lane < count; ++lane)
        made.push_back(first + static_cast<std::uint64_t>(stride * lane));
    return made;
}

std::vector<Line> lines_of(std::uint32_t mask, std::uint32_t bytes,
                           const std::vector<std::uint64_t>& addresses) {
    std::vector<Line> out;
    find_lines({kernel::LaneMask(mask), bytes, addresses.data()}, out);
    return out;
}

TEST(FindLines, NeighboursShareALine) {
    const auto lines = lines_of(~0u, 4, lanes(1024, 4));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].address, 1024u);
    EXPECT_EQ(lines[0].sectors, 0xf);
}

TEST(FindLines, AShiftTakesAnotherLine) {
    const auto lines = lines_of(~0u, 4, lanes(1028, 4));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].sectors, 0xf);
    EXPECT_EQ(lines[1].address, 1152u);
    EXPECT_EQ(lines[1].sectors, 0x1);
}

TEST(FindLines, AStrideOfALineTakesOneSectorOfEach) {
    const auto lines = lines_of(~0u, 4, lanes(4096 + 64, 128));
    ASSERT_EQ(lines.size(), 32u);
    for (const Line& line : lines) EXPECT_EQ(line.sectors, 0x4);
}

TEST(FindLines, OnlyLanesOfTheMask) {
    const auto lines = lines_of(0x80000001, 4, lanes(0, 128));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].address, 0u);
    EXPECT_EQ(lines[1].address, 31 * 128u);
}

TEST(FindLines, WideAccesses) {
    const auto lines = lines_of(~0u, 16, lanes(0, 16));
    ASSERT_EQ(lines.size(), 4u);
    for (const Line& line : lines) EXPECT_EQ(line.sectors, 0xf);
    // More than a sector a lane.
    EXPECT_EQ(lines_of(1, 64, {32})[0].sectors, 0x6);
    const auto crossing = lines_of(1, 64, {96});
    ASSERT_EQ(crossing.size(), 2u);
    EXPECT_EQ(crossing[0].sectors, 0x8);
    EXPECT_EQ(crossing[1].sectors, 0x1);
}

TEST(FindLines, LinesThatComeAgainAreOne) {
    EXPECT_EQ(lines_of(~0u, 4, std::vector<std::uint64_t>(32, 500)).size(), 1u);
    std::vector<std::uint64_t> alternating;
    for (int lane = 0; lane < 32; ++lane) alternating.push_back(lane % 2 ? 0 : 4096);
    EXPECT_EQ(lines_of(~0u, 4, alternating).size(), 2u);
}

TEST(FindLines, EarlierRequestsAreLeftAlone) {
    std::vector<Line> out = {{0, 1}};
    const std::uint64_t address[] = {0};
    find_lines({kernel::LaneMask::of(0), 4, address}, out);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0].sectors, 1);
}

TEST(Sectors, BetweenTwoBytes) {
    EXPECT_EQ(sectors_between(0, 127), 0xf);
    EXPECT_EQ(sectors_between(31, 32), 0x3);
    EXPECT_EQ(sectors_between(96, 96), 0x8);
}

// Lanes at the same place of their own memory are neighbours.
TEST(LocalMemory, WordsOfTheLanesLieTogether) {
    constexpr std::uint64_t begin = 0x10000;
    constexpr std::uint32_t own = 64;
    std::uint64_t addresses[32];
    for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = begin + lane * own + 8;
    const events::Windows windows{.local = {begin, 32 * own}, .local_bytes = own};
    std::vector<std::uint64_t> first;
    for_each_local_word({kernel::LaneMask::range(0, 32), 8, addresses}, windows, [&](const Request& word) {
        EXPECT_EQ(word.bytes, 4u);
        first.push_back(word.addresses[0]);
        std::vector<Line> touched;
        find_lines(word, touched);
        ASSERT_EQ(touched.size(), 1u);
        EXPECT_EQ(touched[0].sectors, 0xf);
    });
    EXPECT_EQ(first, (std::vector<std::uint64_t>{2 * line_bytes, 3 * line_bytes}));
}

}  // namespace
}  // namespace lockstep::counters
