#include "session/command-clocks.h"

#include <gtest/gtest.h>

#include "session/stream-races.h"

namespace lockstep::session {
namespace {

constexpr StreamId legacy = 1, blocking = 3, free_one = 4, free_two = 5;

CommandClocks clocks() {
    CommandClocks all;
    all.add_stream(legacy, legacy, true);
    all.add_stream(blocking, legacy, true);
    all.add_stream(free_one, legacy, false);
    all.add_stream(free_two, legacy, false);
    return all;
}

TEST(CommandClocks, StreamsAreOrderedByThemselvesAndByTheLegacyStream) {
    CommandClocks all = clocks();
    const Stamp first = all.submit({blocking}), alone = all.submit({free_one});
    const Stamp second = all.submit({legacy}), third = all.submit({blocking});
    EXPECT_TRUE(first.is_before(second.clock));
    EXPECT_TRUE(first.is_before(third.clock));
    EXPECT_TRUE(second.is_before(third.clock));
    EXPECT_FALSE(alone.is_before(third.clock));
    EXPECT_FALSE(second.is_before(alone.clock));
}

TEST(CommandClocks, EventsOrder) {
    CommandClocks all = clocks();
    const Stamp before = all.submit({free_one});
    all.submit({free_one, {7}, {}});
    const Stamp behind = all.submit({free_one});
    all.submit({free_two, {}, {7}});
    const Stamp after = all.submit({free_two});
    EXPECT_TRUE(before.is_before(after.clock));
    EXPECT_FALSE(behind.is_before(after.clock));
}

TEST(CommandClocks, WhatTheHostHasWaitedForIsBeforeEverything) {
    CommandClocks all = clocks();
    const Stamp first = all.submit({free_one});
    EXPECT_FALSE(first.is_before(all.submit({free_two}).clock));
    all.wait_for_stream(free_one);
    EXPECT_TRUE(first.is_before(all.submit({free_two}).clock));
    const Stamp gone = all.submit({free_one});
    all.remove_stream(free_one);
    EXPECT_FALSE(gone.is_before(all.submit({legacy}).clock));
    all.wait_for_device(legacy);
    EXPECT_TRUE(gone.is_before(all.submit({free_two}).clock));
}

CommandRecord record(Stamp stamp, std::uint64_t begin, std::uint64_t end, bool writes) {
    CommandRecord one;
    one.stamp = std::move(stamp);
    one.site.addresses = {begin};
    (writes ? one.touched.written : one.touched.read).add(begin, end);
    return one;
}

TEST(StreamRaces, UnorderedCommandsMustNotTouchTheSameBytesIfOneWrites) {
    CommandClocks all = clocks();
    StreamRaces races;
    EXPECT_TRUE(races.add(record(all.submit({free_one}), 0, 100, true), all.host()).empty());
    EXPECT_TRUE(races.add(record(all.submit({free_two}), 100, 200, true), all.host()).empty());
    const auto found = races.add(record(all.submit({free_two}), 96, 104, false), all.host());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, (check::ByteSet::Range{96, 100}));
    EXPECT_TRUE(found[0].earlier_writes);
    EXPECT_FALSE(found[0].later_writes);
    all.wait_for_stream(free_one);
    EXPECT_TRUE(races.add(record(all.submit({free_two}), 0, 100, true), all.host()).empty());
}

TEST(StreamRaces, ALoopNeedsNoMoreThanItsLastTurn) {
    CommandClocks all = clocks();
    StreamRaces races;
    for (int i = 0; i < 100; ++i) (void)races.add(record(all.submit({free_one}), 0, 100, true), all.host());
    EXPECT_EQ(races.unordered(all.host()).size(), 1u);
    EXPECT_EQ(races.add(record(all.submit({free_two}), 0, 4, true), all.host()).size(), 1u);
}

TEST(ByteSet, JoinsCutsAndMeets) {
    check::ByteSet set;
    set.add(10, 20);
    set.add(30, 40);
    set.add(20, 30);
    EXPECT_EQ(set.ranges(), (std::vector<check::ByteSet::Range>{{10, 40}}));
    set.remove(15, 18);
    EXPECT_EQ(set.ranges(), (std::vector<check::ByteSet::Range>{{10, 15}, {18, 40}}));
    EXPECT_FALSE(set.contains(14, 19));
    EXPECT_TRUE(set.touches(14, 19));
    EXPECT_FALSE(set.touches(15, 18));
    check::ByteSet other;
    other.add(0, 10);
    other.add(16, 19);
    EXPECT_EQ(set.meets(other), (check::ByteSet::Range{18, 19}));
    other.add(set);
    EXPECT_EQ(other.bytes(), 15u + 24u);
    EXPECT_TRUE(other.contains(set));
}

}  // namespace
}  // namespace lockstep::session
