// The cache of lines and sectors.
#include "timing/cache.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

namespace lockstep::timing {
namespace {

TEST(Cache, ACacheOfNothingMissesAlways) {
    Cache cache(0);
    EXPECT_EQ(cache.lines(), 0u);
    EXPECT_EQ(cache.find(0), nullptr);
    EXPECT_EQ(cache.find(12345), nullptr);
}

TEST(Cache, ATinyCacheIsOneSet) {
    for (std::uint64_t lines : {1u, 5u, 15u, 16u}) {
        Cache cache(lines);
        EXPECT_EQ(cache.lines(), 16u);
    }
    EXPECT_EQ(Cache(100).lines(), 96u);
    EXPECT_EQ(Cache(2048).lines(), 2048u);
}

TEST(Cache, ANewLineIsEmpty) {
    Cache cache(16);
    CacheLine evicted;
    CacheLine& line = cache.insert(7, evicted);
    EXPECT_EQ(cache.find(7), &line);
    EXPECT_EQ(line.valid, 0);
    EXPECT_EQ(line.dirty, 0);
    EXPECT_EQ(evicted.valid, 0) << "nothing was there";
    EXPECT_EQ(evicted.dirty, 0);
}

TEST(Cache, KeepsWhatWasPutIntoALine) {
    Cache cache(16);
    CacheLine evicted;
    CacheLine& line = cache.insert(7, evicted);
    line.valid = 5;
    line.dirty = 4;
    line.arrives[2] = 100;
    CacheLine* found = cache.find(7);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->valid, 5);
    EXPECT_EQ(found->arrives[2], 100);
    EXPECT_EQ(cache.find(8), nullptr);
    // It is evicted with all that it holds, and comes back empty.
    for (std::uint64_t i = 100; i < 115; ++i) cache.insert(i, evicted);
    cache.insert(115, evicted);
    EXPECT_EQ(evicted.dirty, 4);
    EXPECT_EQ(cache.find(7), nullptr);
    EXPECT_EQ(cache.insert(7, evicted).valid, 0);
}

// One set, against a list that is kept in order of use.
TEST(Cache, TheLeastRecentlyUsedGoesFirst) {
    Cache cache(16);
    std::deque<std::uint64_t> recent;  // last used last
    std::mt19937 random(1);
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t line = random() % 24;
        const auto known = std::find(recent.begin(), recent.end(), line);
        ASSERT_EQ(cache.find(line) != nullptr, known != recent.end()) << i;
        if (known != recent.end()) {
            recent.erase(known);
        } else {
            CacheLine evicted;
            cache.insert(line, evicted).site = static_cast<std::uint32_t>(line);
            if (recent.size() == 16) {
                ASSERT_EQ(evicted.site, recent.front()) << i;
                recent.pop_front();
            }
        }
        recent.push_back(line);
    }
}

// A working set of half the cache stays, whatever its stride: the sets are hashed.
TEST(Cache, StridesDoNotMeetInFewSets) {
    for (std::uint64_t stride : {1u, 2u, 8u, 32u, 1024u, 65536u}) {
        Cache cache(2048);
        const auto pass = [&] {
            int misses = 0;
            for (std::uint64_t i = 0; i < 1024; ++i)
                if (!cache.find(i * stride)) {
                    CacheLine evicted;
                    cache.insert(i * stride, evicted);
                    ++misses;
                }
            return misses;
        };
        EXPECT_EQ(pass(), 1024) << "stride " << stride;
        EXPECT_LT(pass(), 60) << "stride " << stride;
    }
}

// Twice the cache in a circle never hits.
TEST(Cache, TooMuchInACircleMisses) {
    Cache cache(256);
    int hits = 0;
    for (int pass = 0; pass < 4; ++pass)
        for (std::uint64_t i = 0; i < 1024; ++i) {
            CacheLine evicted;
            if (cache.find(i))
                ++hits;
            else
                cache.insert(i, evicted);
        }
    EXPECT_LT(hits, 40);
}

}  // namespace
}  // namespace lockstep::timing
