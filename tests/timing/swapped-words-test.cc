// Warps that compare and swap until it works: when, and how often in vain.
#include "timing/swapped-words.h"

#include <gtest/gtest.h>

namespace lockstep::timing {
namespace {

using Pace = SwappedWords::Pace;

constexpr Pace pace{.apart = 100, .round = 100};

Access access_of(std::uint8_t lanes, bool spins = false) {
    Access access;
    access.site = 3;
    access.lanes = lanes;
    access.spins = spins;
    return access;
}

double failed(SwappedWords& words) {
    words.finish();
    const auto found = words.failed().find(3);
    return found == words.failed().end() ? 0 : found->second.warps;
}

// Who changes a word makes the others try again: changes are a round apart, but for a warp's own.
TEST(SwappedWords, ChangesByDifferentWarpsAreARoundApart) {
    const Word one[] = {{64, 1}}, other[] = {{68, 1}};
    SwappedWords words;
    const Access access = access_of(1);
    EXPECT_EQ(words.change(access, one, 0, 1000, pace).at, 1000);
    EXPECT_EQ(words.change(access, one, 1, 1000, pace).at, 1100);
    const SwappedWords::Changed third = words.change(access, one, 2, 1000, pace);
    EXPECT_EQ(third.at, 1200);
    EXPECT_EQ(third.rounds, 2);
    EXPECT_EQ(words.change(access, other, 2, 1000, pace).at, 1000);
    EXPECT_EQ(words.change(access, one, 2, 1400, pace).at, 1400);
    EXPECT_EQ(failed(words), 0 + 1 + 2);
}

// An access that is itself the loop does it for all of its lanes.
TEST(SwappedWords, LaneByLane) {
    const Word four[] = {{64, 4}};
    SwappedWords words;
    const SwappedWords::Changed changed = words.change(access_of(4, true), four, 1, 2000, pace);
    EXPECT_EQ(changed.at, 2300);
    EXPECT_EQ(changed.rounds, 3);
}

// Lanes whose words lie in one bank take turns, too, and part each time.
TEST(SwappedWords, BankByBank) {
    const Word four[] = {{0, 1}, {128, 1}, {256, 1}, {384, 1}};
    SwappedWords words;
    Access access = access_of(4, true);
    access.rounds = 4;
    const SwappedWords::Changed changed = words.change(access, four, 1, 2000, pace);
    EXPECT_EQ(changed.at, 2300);
    EXPECT_EQ(changed.rounds, 3);
    words.finish();
    EXPECT_EQ(words.failed().at(3).splits, 3);
}

TEST(SwappedWords, InTurnAWarpGoesOnUntilItsLanesAreThrough) {
    const Pace in_turn{.apart = 100, .round = 100, .in_turn = true};
    const Word three[] = {{64, 3}}, two[] = {{64, 2}}, last[] = {{64, 1}};
    SwappedWords words;
    EXPECT_EQ(words.change(access_of(3), three, 0, 1000, in_turn).at, 1000);
    EXPECT_EQ(words.change(access_of(3), three, 1, 1000, in_turn).at, 1300)
        << "behind all of the first one's";
    EXPECT_EQ(words.change(access_of(2), two, 0, 1100, in_turn).at, 1100);
    EXPECT_EQ(words.change(access_of(1), last, 0, 1200, in_turn).at, 1200);
    EXPECT_EQ(words.change(access_of(2), two, 1, 1400, in_turn).at, 1400);
    EXPECT_EQ(failed(words), 3);
}

// Attempts that take longer than a round: each of three warps tries every 150 cycles, two every 100.
TEST(SwappedWords, RoundsAreAsLongAsAllAttempts) {
    const Pace slow{.apart = 100, .round = 50, .attempt = 50};
    const Word word[] = {{64, 1}};
    SwappedWords words;
    for (WarpNumber warp = 0; warp < 4; ++warp) words.change(access_of(1), word, warp, 1000, slow);
    const double first = 100 / 150.0, second = first + 100 / 100.0, third = second + 100 / 50.0;
    EXPECT_NEAR(failed(words), first + second + third, 1e-9);
}

// Those on SMs that are not replayed come before.
TEST(SwappedWords, BlocksThatShareAWordStandForOthers) {
    const Word word[] = {{64, 1}};
    SwappedWords words(4);
    EXPECT_EQ(words.change(access_of(1), word, 0, 1000, pace).at, 1000);
    EXPECT_EQ(words.change(access_of(1), word, most_warps, 1000, pace).at, 1000 + 3 * 100 + 4 * 100);
    EXPECT_GE(words.contenders(word, most_warps, 1000), 8);
}

}  // namespace
}  // namespace lockstep::timing
