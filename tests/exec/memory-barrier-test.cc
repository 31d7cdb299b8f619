#include "exec/scalar/memory-barrier.h"

#include <gtest/gtest.h>

namespace lockstep::exec {
namespace {

std::uint64_t pending(std::uint64_t state) { return state >> memory_barrier_pending & memory_barrier_counts; }

struct Barrier {
    explicit Barrier(std::uint64_t expected) { memory_barrier_init(&object, expected, 0); }
    std::uint64_t arrive(std::uint64_t count = 1, std::uint64_t bytes = 0) {
        return memory_barrier_arrive(&object, count, bytes);
    }
    bool over(std::uint64_t state) const { return ((object ^ state) >> memory_barrier_phase) != 0; }
    std::uint64_t object = ~0ull;
};

TEST(MemoryBarrier, PhasesEndWithTheLastArrival) {
    Barrier barrier(3);
    for (int phase = 0; phase < 5; ++phase) {
        const std::uint64_t first = barrier.arrive();
        EXPECT_EQ(pending(first), 3u);
        EXPECT_EQ(pending(barrier.arrive()), 2u);
        EXPECT_FALSE(barrier.over(first));
        EXPECT_EQ(pending(barrier.arrive()), 1u);
        EXPECT_TRUE(barrier.over(first));
    }
}

TEST(MemoryBarrier, WhoDropsIsExpectedNoMore) {
    Barrier barrier(memory_barrier_counts);
    const std::uint64_t state = memory_barrier_drop(&barrier.object, memory_barrier_counts - 2, 0);
    EXPECT_FALSE(barrier.over(state));
    barrier.arrive(2);
    EXPECT_TRUE(barrier.over(state));
    EXPECT_EQ(pending(barrier.object), 2u);
}

TEST(MemoryBarrier, BytesKeepAPhaseOpen) {
    Barrier barrier(1);
    const std::uint64_t state = barrier.arrive(1, 100);
    memory_barrier_complete(&barrier.object, 60, 0);
    EXPECT_FALSE(barrier.over(state));
    memory_barrier_complete(&barrier.object, 40, 0);
    EXPECT_TRUE(barrier.over(state));
    // They may come before they are expected.
    const std::uint64_t next = memory_barrier_look(&barrier.object, 0, 0);
    memory_barrier_complete(&barrier.object, 8, 0);
    memory_barrier_expect(&barrier.object, 8, 0);
    EXPECT_FALSE(barrier.over(next));
    barrier.arrive();
    EXPECT_TRUE(barrier.over(next));
}

}  // namespace
}  // namespace lockstep::exec
