// Blocks from threads that execute them to the replay.
#include "timing/block-feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace lockstep::timing {
namespace {

BlockTrace block(std::uint64_t number) {
    BlockTrace made;
    made.block = number;
    return made;
}

TEST(BlockFeed, GivesBlocksInTheOrderOfTheGrid) {
    BlockFeed feed(10);
    for (std::uint64_t number : {2, 0, 3, 1}) feed.put(block(number));
    feed.close();
    for (std::uint64_t number = 0; number < 4; ++number) {
        const BlockTrace* given = feed.next();
        ASSERT_TRUE(given);
        EXPECT_EQ(given->block, number);
        feed.release(given);
    }
    EXPECT_EQ(feed.next(), nullptr);
    EXPECT_EQ(feed.next(), nullptr);
}

TEST(BlockFeed, WaitsForTheNextBlock) {
    BlockFeed feed(10);
    feed.put(block(1));
    std::atomic<bool> given{false};
    std::thread replay([&] {
        EXPECT_EQ(feed.next()->block, 0u);
        given = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(given) << "block 1 is not the next";
    feed.put(block(0));
    replay.join();
    EXPECT_TRUE(given);
}

// Execution may be so far ahead and no farther.
TEST(BlockFeed, HoldsExecutionBack) {
    BlockFeed feed(3);
    std::atomic<std::uint64_t> put{0};
    std::thread execution([&] {
        for (std::uint64_t number = 0; number < 10; ++number) {
            feed.put(block(number));
            ++put;
        }
        feed.close();
    });
    const auto settle = [&] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    settle();
    EXPECT_EQ(put, 3u);
    feed.release(feed.next());
    settle();
    EXPECT_EQ(put, 4u);
    std::uint64_t last = 0;
    while (const BlockTrace* given = feed.next()) {
        last = given->block;
        feed.release(given);
    }
    EXPECT_EQ(last, 9u);
    execution.join();
}

// A launch that failed: what is missing never comes.
TEST(BlockFeed, EndsWhereBlocksAreMissing) {
    BlockFeed feed(10);
    feed.put(block(0));
    feed.put(block(2));
    feed.close();
    EXPECT_EQ(feed.next()->block, 0u);
    EXPECT_EQ(feed.next(), nullptr);
}

// The same, for a thread that is far ahead.
TEST(BlockFeed, LetsExecutionGoWhereBlocksAreMissing) {
    BlockFeed feed(3);
    std::thread execution([&] { feed.put(block(5)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    feed.close();
    execution.join();
    EXPECT_EQ(feed.next(), nullptr);
}

}  // namespace
}  // namespace lockstep::timing
