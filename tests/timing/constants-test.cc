// An SM's cache of constants: words one after the other, lines that are not there, and a warp that waits for
// them.
#include "timing/constants.h"

#include <gtest/gtest.h>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

class ConstantsTest : public testing::Test, public HandMade {
  public:
    const gpu::ConstantFigures& figures = gpu.timing.constant;
    static constexpr std::uint64_t line = counters::constant_line_bytes;

    // A load of so many words, each on a line of its own.
    static std::uint32_t words(BlockTrace& block, std::uint16_t count, std::uint64_t first_line = 0,
                               std::uint64_t apart = 1) {
        Access made;
        made.memory = counters::Memory::constant;
        made.lanes = 32;
        made.lane_bytes = 4;
        made.wavefronts = made.lines = count;
        made.first_line = static_cast<std::uint32_t>(block.lines.size());
        for (std::uint64_t i = 0; i < count; ++i) block.lines.push_back({(first_line + i * apart) * line, 0});
        block.accesses.push_back(made);
        return static_cast<std::uint32_t>(block.accesses.size() - 1);
    }
    // When all words of the load have had their turn.
    double end_of(Constants& cache, const BlockTrace& block, std::uint32_t load, double now) {
        double end = -1;
        if (const auto known = cache.load(7, block.accesses[load], block, now)) return *known;
        while (end < 0 && cache.next() < HUGE_VAL)
            cache.advance(cache.next(), [&](std::uint64_t, double at) { end = at; });
        return end;
    }
    // A region that loads constants and waits for them.
    std::uint32_t load_region() {
        Op load = op(Unit::constant, gpu.timing.constant_latency, {0});
        load.access = 0;
        const std::uint32_t made = region({load, alu({1}, {0})});
        code.regions[made].once.sites.push_back(static_cast<std::uint32_t>(setup.sites++));
        code.regions[made].once.shared.push_back(false);
        return made;
    }
};

TEST_F(ConstantsTest, WordsThatAreThereTakeTurns) {
    Constants cache(figures);
    BlockTrace block;
    const std::uint32_t four = words(block, 4);
    end_of(cache, block, four, 0);
    const double now = 10'000;
    EXPECT_EQ(end_of(cache, block, four, now), now + 3 * figures.word_latency);
    EXPECT_EQ(cache.free(), now + 4 * figures.word_cycles);
}

TEST_F(ConstantsTest, ALoadWaitsForItsLinesOneAfterTheOther) {
    Constants cache(figures);
    BlockTrace block;
    const std::uint32_t one = words(block, 1), four = words(block, 4, 8);
    EXPECT_EQ(end_of(cache, block, one, 0), figures.miss_latency);
    const double now = 10'000;
    EXPECT_EQ(end_of(cache, block, four, now), now + 4 * figures.miss_latency + 3 * figures.word_latency);
}

TEST_F(ConstantsTest, WhoWantsWhatIsOnItsWayWaitsWithTheFirst) {
    Constants cache(figures);
    BlockTrace block;
    const std::uint32_t four = words(block, 4);
    std::vector<double> ends;
    for (std::uint64_t warp = 0; warp < 2; ++warp)
        EXPECT_FALSE(cache.load(warp, block.accesses[four], block, 0));
    while (cache.next() < HUGE_VAL)
        cache.advance(cache.next(), [&](std::uint64_t, double at) { ends.push_back(at); });
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_NEAR(ends[0], ends[1], figures.word_cycles);
    EXPECT_EQ(cache.load(2, block.accesses[four], block, 10'000), 10'000 + 3 * figures.word_latency)
        << "all four are there";
}

// What an H200 took for lanes at random in 32 KB, with few warps and with many: constant-loads.csv.
TEST_F(ConstantsTest, ManyWarpsWaitForTheWayToLines) {
    const auto each = [&](std::uint64_t warps) {
        Constants cache(figures);
        BlockTrace block;
        std::vector<std::uint32_t> loads;
        constexpr std::uint64_t times = 20;
        for (std::uint64_t i = 0; i < warps * times; ++i)
            loads.push_back(words(block, 30, i * 7919 % 512, 17));
        std::vector<std::uint64_t> done(warps);
        double last = 0;
        const auto begin = [&](std::uint64_t warp, double at) {
            EXPECT_FALSE(cache.load(warp, block.accesses[loads[warp * times + done[warp]]], block, at));
        };
        for (std::uint64_t warp = 0; warp < warps; ++warp) begin(warp, 0);
        while (cache.next() < HUGE_VAL)
            cache.advance(cache.next(), [&](std::uint64_t warp, double at) {
                last = at + gpu.timing.constant_latency;
                if (++done[warp] < times) begin(warp, last);
            });
        return last / static_cast<double>(warps * times);
    };
    EXPECT_NEAR(each(1), 2400, 200);
    EXPECT_NEAR(each(8), 950, 100);
}

TEST_F(ConstantsTest, AWarpWaitsForAllWordsOfItsLoad) {
    const std::uint32_t waits = load_region();
    const auto takes = [&](std::uint16_t count) {
        std::vector<BlockTrace> given = blocks(1, {WarpTrace()});
        const std::uint32_t load = words(given[0], count);
        step(given[0].warps[0], waits, {load});
        return cycles(given);
    };
    const double further = figures.miss_latency + figures.word_latency;
    EXPECT_NEAR(takes(5) - takes(1), 4 * further, 2);
}

}  // namespace
}  // namespace lockstep::timing
