#include "session/launch-sample.h"

#include <gtest/gtest.h>

namespace lockstep::session {
namespace {

using Ranges = std::vector<events::BlockRange>;

TEST(LaunchSample, StandsForTheWholeGrid) {
    for (const std::uint64_t blocks : {1024ull, 1025ull, 4096ull, 65537ull, 1ull << 22, 1ull << 40}) {
        const Ranges timed = {{0, 100}, {blocks / 2, blocks / 2 + 100}};
        const LaunchSample sample(blocks, timed);
        std::uint64_t last = 0, executed = 0, all = 0;
        std::vector<std::uint64_t> in_part(sample.parts().size());
        bool first = true;
        for (const events::BlockRange& range : sample.executed()) {
            EXPECT_LT(range.begin, range.end);
            EXPECT_TRUE(first || range.begin >= last) << "no block twice";
            first = false;
            last = range.end;
            for (std::uint64_t b = range.begin; b < range.end; ++b, ++executed) ++in_part[sample.part_of(b)];
        }
        EXPECT_EQ(last, blocks);
        EXPECT_EQ(executed, sample.count());
        for (std::size_t p = 0; p < sample.parts().size(); ++p) {
            EXPECT_EQ(sample.parts()[p].executed, in_part[p]);
            EXPECT_GE(in_part[p], std::min<std::uint64_t>(8, sample.parts()[p].blocks));
            all += sample.parts()[p].blocks;
        }
        EXPECT_EQ(all, blocks);
    }
}

TEST(LaunchSample, TheFirstAndTheLastBlockStandForThemselves) {
    const LaunchSample sample(100'000, Ranges{{0, 50}});
    EXPECT_EQ(sample.part_of(0), 0u);
    EXPECT_EQ(sample.parts().front().blocks, 1u);
    EXPECT_EQ(sample.part_of(99'999), sample.parts().size() - 1);
    EXPECT_EQ(sample.parts().back().blocks, 1u);
    EXPECT_NE(sample.part_of(1), 0u);
    EXPECT_NE(sample.part_of(99'998), sample.parts().size() - 1);
}

TEST(LaunchSample, IsWorthItOfLargeGridsOnly) {
    EXPECT_FALSE(LaunchSample(1000, Ranges{{0, 50}}).worth_it());
    EXPECT_TRUE(LaunchSample(10'000, Ranges{{0, 50}}).worth_it());
    EXPECT_FALSE(LaunchSample(10'000, Ranges{{0, 5000}}).worth_it());
}

TEST(Estimate, ScalesEveryCount) {
    counters::RawCounts some;
    some.blocks = {{10, 320, 2, 30}};
    some.sites.resize(1);
    some.sites[0][0] = {7, 6, 5, 4, 3, 2, 1, 8, 9};
    some.patterns.resize(1);
    some.patterns[0].add({{counters::PatternKind::strided, 8, 0}, 7, 70});
    const counters::RawCounts all = counters::estimate(some, {.blocks = 1000, .executed = 10});
    EXPECT_EQ(all.blocks[0], (counters::BlockCounts{1000, 32000, 200, 3000}));
    EXPECT_EQ(all.sites[0][0], some.sites[0][0] * 100);
    EXPECT_EQ(all.patterns[0].worst().surplus, 7000u);
    EXPECT_EQ(counters::estimate(some, {.blocks = 10, .executed = 10}).blocks[0], some.blocks[0]);
}

}  // namespace
}  // namespace lockstep::session
