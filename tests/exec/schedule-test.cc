// Orders by chance: each block comes once, and the same numbers give the same order. Watched blocks first: in
// the order of the grid, and then the others.
#include "exec/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace lockstep::exec {
namespace {

std::vector<std::uint64_t> order_of(const Schedule& schedule, std::uint64_t blocks) {
    const Chance chance(schedule, blocks);
    std::vector<std::uint64_t> order;
    for (std::uint64_t i = 0; i < blocks; ++i) order.push_back(chance.block(i));
    return order;
}

TEST(Schedule, EveryBlockComesOnce) {
    for (const std::uint64_t blocks : {1, 2, 3, 17, 64, 1000, 65537})
        for (const Schedule& schedule : {Schedule{.seed = 1}, Schedule{.seed = 9, .backward = true}}) {
            const auto order = order_of(schedule, blocks);
            EXPECT_EQ(std::set(order.begin(), order.end()).size(), blocks);
            EXPECT_LT(*std::max_element(order.begin(), order.end()), blocks);
        }
}

TEST(Schedule, SameSeedSameOrder) {
    EXPECT_EQ(order_of({.seed = 5}, 100), order_of({.seed = 5}, 100));
    EXPECT_NE(order_of({.seed = 5}, 100), order_of({.seed = 6}, 100));
    EXPECT_EQ(order_of({.backward = true}, 4), (std::vector<std::uint64_t>{3, 2, 1, 0}));
}

TEST(Schedule, WarpsThatWaitGetTheirTurn) {
    Chance backward({.backward = true}, 1);
    EXPECT_EQ(backward.warp(0b1011, 0), 3u);
    EXPECT_EQ(backward.warp(0b1011, 3), 1u);
    EXPECT_EQ(backward.warp(0b1011, 1), 0u);
    Chance any({.seed = 3}, 1);
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 100; ++i) seen.insert(any.warp(0b1011, 0));
    EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 3}));
}

TEST(Schedule, Stretches) {
    Chance never({.seed = 3}, 1), often({.seed = 3, .stretch = 4}, 1);
    EXPECT_EQ(never.stretch(), 0u);
    for (int i = 0; i < 100; ++i) {
        const std::uint32_t stretch = often.stretch();
        EXPECT_TRUE(stretch >= 1 && stretch <= 8);
    }
}

TEST(WatchedFirst, ThenTheOthersInTheOrderOfTheGrid) {
    const std::vector<events::BlockRange> watched{{0, 2}, {5, 6}, {8, 10}};
    const WatchedFirst order(watched);
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t place = 0; place < 12; ++place) blocks.push_back(order.block(place));
    EXPECT_EQ(blocks, (std::vector<std::uint64_t>{0, 1, 5, 8, 9, 2, 3, 4, 6, 7, 10, 11}));
}

}  // namespace
}  // namespace lockstep::exec
