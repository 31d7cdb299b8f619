// Stores that wait in the L1 for others to the same line.
#include "timing/store-buffer.h"

#include <gtest/gtest.h>

namespace lockstep::timing {
namespace {

// Of a store of block `block`: the sectors that have to be sent.
counters::Sectors store(StoreBuffer& buffer, std::uint64_t line, counters::Sectors sectors = 0xf,
                        std::uint64_t block = 0) {
    return buffer.line(line * counters::line_bytes, block).add(sectors);
}

// Fields of structures, one after the other.
TEST(StoreBuffer, ALineIsSentOnce) {
    StoreBuffer buffer;
    EXPECT_EQ(store(buffer, 1), 0xf);
    EXPECT_EQ(store(buffer, 2, 3), 3);
    for (int field = 1; field < 6; ++field) {
        EXPECT_EQ(store(buffer, 1), 0);
        EXPECT_EQ(store(buffer, 2, 3), 0);
    }
    EXPECT_EQ(store(buffer, 2, 6), 4) << "a sector that was not there";
}

TEST(StoreBuffer, TheLineThatWasUsedLongestAgoGoes) {
    StoreBuffer buffer;
    for (std::uint64_t i = 0; i < fit::open_store_lines; ++i) EXPECT_EQ(store(buffer, i), 0xf);
    EXPECT_EQ(store(buffer, 0), 0);
    EXPECT_EQ(store(buffer, 1000), 0xf);
    EXPECT_EQ(store(buffer, 0), 0) << "used again";
    EXPECT_EQ(store(buffer, 1), 0xf) << "gone";
}

// What a block has stored is on its way when it has ended.
TEST(StoreBuffer, BlocksDoNotShareLines) {
    StoreBuffer buffer;
    EXPECT_EQ(store(buffer, 1, 0xf, 0), 0xf);
    EXPECT_EQ(store(buffer, 1, 0xf, 1), 0xf);
    EXPECT_EQ(store(buffer, 1, 0xf, 0), 0);
    EXPECT_EQ(store(buffer, 1, 0xf, 1), 0);
}

}  // namespace
}  // namespace lockstep::timing
