// What is seen from near of a replay.
#include "timing/close-up.h"

#include <gtest/gtest.h>

#include <map>

#include "timing/close-up-json.h"
#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

class CloseUpTest : public testing::Test, public HandMade {
  protected:
    // Two warps, of which one has half its lanes in the middle; they meet at a barrier.
    std::vector<BlockTrace> two_warps() {
        const std::uint32_t begin = region({alu({0}), alu({1}, {0})});
        const std::uint32_t load = region({memory(true, {2}), fma({3}, {2})});
        const std::uint32_t meet = region({barrier()});
        BlockTrace made = block(std::vector<WarpTrace>(2));
        for (std::size_t w = 0; w < 2; ++w) {
            WarpTrace& warp = made.warps[w];
            step(warp, begin);
            const std::uint32_t access = global_access(made, 0x1000 + 128 * w);
            LaneAddresses& lanes = made.lanes.emplace_back();
            lanes.access = access;
            lanes.mask = w == 0 ? ~0u : 0xffffu;
            for (std::size_t lane = 0; lane < 32; ++lane) lanes.addresses[lane] = 0x1000 + 128 * w + 4 * lane;
            step(warp, load, {access}, w == 0 ? 32 : 16);
            step(warp, meet);
        }
        return {made};
    }
};

TEST_F(CloseUpTest, HasEveryStepWithItsLanesAndAddresses) {
    CloseUp seen;
    setup.close_up = &seen;
    const auto given = two_warps();
    const ReplayResult replayed = run(given);
    ASSERT_EQ(seen.issues().size(), 10u);
    EXPECT_EQ(static_cast<double>(seen.issues().size()), replayed.all.sm.instructions);
    EXPECT_EQ(seen.warps, 2u);
    EXPECT_FALSE(seen.cut());
    std::map<std::uint32_t, std::int64_t> last;
    for (const CloseUp::Issue& issue : seen.issues()) {
        EXPECT_GE(issue.cycle, last[issue.warp]);
        EXPECT_LE(issue.ready, issue.cycle);
        EXPECT_LE(issue.ready, issue.free);
        last[issue.warp] = issue.last + 1;
        const bool half = issue.warp == 1 && issue.place.block == 2;
        EXPECT_EQ(issue.lanes, half ? 0xffffu : ~0u);
    }
    ASSERT_EQ(seen.accesses().size(), 2u);
    for (const CloseUp::Issue& issue : seen.issues()) {
        if (issue.access < 0) continue;
        const CloseUp::Access& access = seen.accesses()[static_cast<std::size_t>(issue.access)];
        EXPECT_EQ(access.lanes, issue.lanes);
        EXPECT_EQ(access.addresses[3], 0x1000 + 128 * issue.warp + 12);
        EXPECT_EQ(access.sectors, 4u);
        EXPECT_EQ(access.bytes, 4u);
    }
}

TEST_F(CloseUpTest, StatesOfTheSchedulersAddUp) {
    CloseUp seen;
    setup.close_up = &seen;
    const ReplayResult replayed = run(two_warps());
    std::array<double, warp_states> sums{};
    for (const auto& slices : seen.states().schedulers())
        for (const SchedulerStates::Slice& slice : slices)
            for (std::size_t s = 0; s < warp_states; ++s) sums[s] += slice[s];
    for (std::size_t s = 0; s < warp_states; ++s) EXPECT_DOUBLE_EQ(sums[s], replayed.all.sm.states[s]) << s;
}

TEST_F(CloseUpTest, ChangesNoTime) {
    const auto given = blocks(40, {repeat(region({fma({0}, {0}), alu({1}, {0}), branch()}), 50)});
    setup.sms = 2;
    setup.resident = 2;
    const double without = cycles(given);
    CloseUp seen;
    setup.close_up = &seen;
    EXPECT_EQ(cycles(given), without);
    EXPECT_EQ(seen.blocks().size(), 40u);
    EXPECT_EQ(seen.issues().size(), 150u);  // of the first block alone
}

TEST_F(CloseUpTest, IsBounded) {
    CloseUp seen;
    setup.close_up = &seen;
    run({block({repeat(region({alu({0}, {0})}), 3 * CloseUp::most_issues)})});
    EXPECT_EQ(seen.issues().size(), CloseUp::most_issues);
    EXPECT_TRUE(seen.cut());
    for (const auto& slices : seen.states().schedulers())
        EXPECT_LE(slices.size(), std::size_t{SchedulerStates::slices});
}

TEST_F(CloseUpTest, IsJson) {
    CloseUp seen;
    setup.close_up = &seen;
    run(two_warps());
    const std::string text =
        close_up_json(seen, {1, 1, 1}, {64, 1, 1}, [](const Place& place) { return place.block; });
    EXPECT_NE(text.find(R"("grid":[1,1,1],"block":[64,1,1],"warps":2,"cut":false)"), std::string::npos)
        << text;
    EXPECT_NE(
        text.find(
            R"("memory":"global","kind":"load","bytes":4,"sectors":4,"wavefronts":0,"lanes":65535,"base":4224)"),
        std::string::npos)
        << text;
}

}  // namespace
}  // namespace lockstep::timing
