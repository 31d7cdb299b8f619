// Blocks on several SMs: who is resident when, and sums that must fit each other.
#include "timing/replay.h"

#include <gtest/gtest.h>

#include <random>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

using kernel::SiteKind;
using timing::WarpState;

class ReplayTest : public testing::Test, public HandMade {
  public:
    // Code of all kinds, and blocks that do different things with it.
    std::vector<BlockTrace> mixture(unsigned seed, std::size_t count, std::size_t warps_each) {
        Op division = op(Unit::fma, 6, {3}, {2});
        division.issues = 9;
        division.xu_issues = 1;
        const std::vector<std::uint32_t> plain = {
            region({fma({0}, {0}), alu({1}, {0}), branch()}),
            region({alu({0}), alu({1}), op(Unit::xu, 17, {2}, {1}), division}),
            region({op(Unit::shuffle, 24, {2}, {2}), op(Unit::fp64, 8, {3}, {2})}),
            region({op(Unit::fence, 0), op(Unit::constant, 34, {4}), fma({4}, {4})}),
        };
        const std::uint32_t load = region({memory(true, {0}), fma({1}, {0, 1})});
        const std::uint32_t store = region({memory(false, {}, {1})});
        const std::uint32_t atomic = region({memory(true, {5}, {1})});
        const std::uint32_t shared = region({memory(true, {2}, {2})}, true);
        const std::uint32_t wait = region({barrier()});
        std::mt19937 random(seed);
        std::vector<BlockTrace> made;
        for (std::size_t b = 0; b < count; ++b) {
            BlockTrace& one = made.emplace_back(block(std::vector<WarpTrace>(warps_each), b));
            const std::size_t rounds = random() % 6;
            for (std::size_t round = 0; round < rounds; ++round) {
                for (WarpTrace& warp : one.warps)
                    for (unsigned i = random() % 12; i > 0; --i) {
                        const std::uint64_t address = random() % 100000 * 128;
                        switch (random() % 8) {
                            case 0: step(warp, load, {global_access(one, address, random() % 4 + 1)}); break;
                            case 1:
                                step(warp, store, {global_access(one, address, 2, SiteKind::store)});
                                break;
                            case 2:
                                step(warp, atomic, {global_access(one, address, 1, SiteKind::atomic)});
                                break;
                            case 3: step(warp, shared, {shared_access(one, random() % 8 + 1)}); break;
                            case 4: step(warp, load); break;
                            default: step(warp, plain[random() % plain.size()]);
                        }
                    }
                if (random() % 2)
                    for (WarpTrace& warp : one.warps) step(warp, wait);
            }
        }
        return made;
    }
};

double warp_cycles(const ReplayResult& result) { return sum(result.all.sm.states); }

// In each cycle an active warp does exactly one thing. With one warp a block, its cycles are the block's.
TEST_F(ReplayTest, StatesAddUpToTheWarpsCycles) {
    setup.sms = 2;
    setup.resident = 12;
    for (auto policy : {gpu::SchedulerPolicy::greedy_then_oldest, gpu::SchedulerPolicy::loose_round_robin})
        for (unsigned seed = 1; seed <= 8; ++seed) {
            gpu.timing.policy = policy;
            const ReplayResult result = run(mixture(seed, 60, 1));
            double residence = 0;
            for (const ReplayResult::Block& one : result.blocks)
                residence += static_cast<double>(one.end - one.begin);
            EXPECT_NEAR(warp_cycles(result), residence, 1e-6 * residence) << "seed " << seed;
            EXPECT_NEAR(result.all.sm.warp_cycles, residence, 1e-6 * residence) << "seed " << seed;
        }
}

TEST_F(ReplayTest, StatesOfPlacesAddUpToAll) {
    setup.sms = 2;
    setup.resident = 3;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const ReplayResult result = run(mixture(seed, 40, 5));
        EXPECT_NEAR(warp_cycles(result), result.all.sm.warp_cycles, 1e-6 * warp_cycles(result));
        for (std::size_t s = 0; s < timing::warp_states; ++s) {
            double all = 0;
            for (const auto& place : result.all.places) all += place[s];
            EXPECT_NEAR(all, result.all.sm.states[s], 1e-6 * warp_cycles(result)) << "state " << s;
        }
    }
}

TEST_F(ReplayTest, EveryInstructionIsIssuedOnce) {
    setup.sms = 3;
    setup.resident = 4;
    const auto made = mixture(3, 50, 4);
    double expected = 0;
    for (const BlockTrace& one : made)
        for (const WarpTrace& warp : one.warps)
            for (const Step& step : warp.steps) expected += code.regions[step.region].once.instructions;
    const ReplayResult result = run(made);
    EXPECT_EQ(result.all.sm.instructions, expected);
    EXPECT_EQ(state(result, WarpState::selected), expected);
    EXPECT_EQ(result.blocks.size(), made.size());
}

TEST_F(ReplayTest, TheSameInputGivesTheSameOutput) {
    setup.sms = 2;
    setup.resident = 4;
    const auto made = mixture(5, 50, 4);
    const ReplayResult a = run(made), b = run(made);
    EXPECT_EQ(a.all.cycles, b.all.cycles);
    EXPECT_EQ(a.all.sm.states, b.all.sm.states);
    EXPECT_EQ(a.all.places, b.all.places);
    EXPECT_EQ(a.all.dram_busy, b.all.dram_busy);
    ASSERT_EQ(a.blocks.size(), b.blocks.size());
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        EXPECT_EQ(a.blocks[i].block, b.blocks[i].block);
        EXPECT_EQ(a.blocks[i].end, b.blocks[i].end);
    }
}

TEST_F(ReplayTest, NoMoreBlocksThanFitAreResident) {
    const std::uint32_t chain = region({fma({0}, {0})});
    setup.resident = 3;
    const ReplayResult result = run(blocks(20, {repeat(chain, 300)}));
    ASSERT_EQ(result.blocks.size(), 20u);
    std::vector<std::pair<Cycle, int>> changes;
    for (const ReplayResult::Block& one : result.blocks) {
        changes.emplace_back(one.begin, 1);
        changes.emplace_back(one.end, -1);
    }
    std::sort(changes.begin(), changes.end());
    int resident = 0, most = 0;
    for (const auto& [when, change] : changes) most = std::max(most, resident += change);
    EXPECT_EQ(most, 3);
}

TEST_F(ReplayTest, ABlockStartsSomeTimeAfterAnotherHasEnded) {
    const std::uint32_t chain = region({fma({0}, {0})});
    const ReplayResult result = run(blocks(5, {repeat(chain, 300)}));
    for (std::size_t i = 1; i < 5; ++i) {
        EXPECT_GE(result.blocks[i].begin, result.blocks[i - 1].end + gpu.timing.block_restart_cycles);
        EXPECT_LE(result.blocks[i].begin, result.blocks[i - 1].end + gpu.timing.block_restart_cycles + 40);
    }
}

// While an SM fills, 27 cycles lie between its blocks, and 3.06 for each warp of a large one.
TEST_F(ReplayTest, AnSmFillsAtItsRate) {
    const std::uint32_t chain = region({fma({0}, {0})});
    for (auto [warps, apart] : {std::pair{1u, 27.0}, {32u, 32 * 3.06}}) {
        setup.resident = 2048 / 32 / warps;
        if (setup.resident > 32) setup.resident = 32;
        const ReplayResult result =
            run(blocks(setup.resident, std::vector<WarpTrace>(warps, repeat(chain, 2000))));
        std::vector<Cycle> begins;
        for (const ReplayResult::Block& one : result.blocks) begins.push_back(one.begin);
        std::sort(begins.begin(), begins.end());
        for (std::size_t i = 0; i < begins.size(); ++i)
            EXPECT_NEAR(static_cast<double>(begins[i]), apart * static_cast<double>(i), 1) << warps;
    }
}

// Blocks that do nothing: the GPU starts one every 1.19 cycles, whatever SMs they go to.
TEST_F(ReplayTest, EmptyBlocksStartAtTheRateOfTheGpu) {
    const std::uint32_t nothing = region({branch()});
    setup.sms = static_cast<std::uint32_t>(gpu.sms);
    setup.resident = 32;
    const double few = cycles(blocks(10000, {warp({nothing})}));
    const double many = cycles(blocks(30000, {warp({nothing})}));
    EXPECT_NEAR((many - few) / 20000, gpu.timing.block_launch_cycles, 0.02);
    // A part of the SMs gets its part of the blocks.
    setup.sms = 4;
    setup.sms_used = static_cast<std::uint32_t>(gpu.sms);
    const double part = cycles(blocks(2000, {warp({nothing})})) - cycles(blocks(1000, {warp({nothing})}));
    EXPECT_NEAR(part / 1000, gpu.timing.block_launch_cycles * gpu.sms / 4, 0.5);
}

// Blocks go to the SMs in turn; with few, some have none.
TEST_F(ReplayTest, SmsWithoutBlocksAreNotActive) {
    const std::uint32_t chain = region({fma({0}, {0})});
    setup.sms = 2;
    const ReplayResult two = run(blocks(2, {repeat(chain, 1000)}));
    const ReplayResult three = run(blocks(3, {repeat(chain, 1000)}));
    EXPECT_NEAR(two.all.cycles, 4000, 50);
    EXPECT_NEAR(two.all.sm.active_cycles, 8000, 100);
    // The third runs alone.
    EXPECT_NEAR(three.all.cycles, 8000 + gpu.timing.block_restart_cycles, 100);
    EXPECT_NEAR(three.all.sm.active_cycles, 12000, 150);
}

TEST_F(ReplayTest, TheSteadyPartIsBetweenFillAndTail) {
    const std::uint32_t chain = region({fma({0}, {0})});
    setup.sms = 2;
    setup.resident = 4;
    const ReplayResult result = run(blocks(80, {repeat(chain, 300)}));
    EXPECT_GE(result.first_steady, 8u);
    EXPECT_LE(result.first_steady, 16u);
    EXPECT_GE(result.last_steady, 72u);
    EXPECT_LT(result.steady_begin.cycles, result.steady_end.cycles);
    EXPECT_LT(result.steady_end.cycles, result.all.cycles);
    EXPECT_LE(result.steady_end.sm.instructions, result.all.sm.instructions);
    // Too few blocks: there is none.
    const ReplayResult few = run(blocks(12, {repeat(chain, 300)}));
    EXPECT_EQ(few.first_steady, few.last_steady);
}

// What may come of records that were cut or are strange must end.
TEST_F(ReplayTest, EndsWhateverTheBlocksDo) {
    const std::uint32_t chain = region({fma({0}, {0})}), wait = region({barrier()}), hollow = region({});
    const std::uint32_t load = region({memory(true, {0}, {0})});
    setup.sms = 2;
    setup.resident = 2;
    std::vector<BlockTrace> made;
    // Barriers that not all warps reach: some end before, some have more of them.
    made.push_back(block({warp({chain, wait, chain}), warp({chain}), warp({})}, 0));
    made.push_back(block({warp({wait, wait, wait}), warp({wait}), warp({wait, wait})}, 1));
    made.push_back(block({warp({wait}), warp({})}, 2));
    // Nothing at all, code of nothing, accesses of no lanes.
    made.push_back(block({warp({}), warp({})}, 3));
    made.push_back(block({warp({hollow}), warp({hollow, hollow, chain, hollow})}, 4));
    made.push_back(block({warp({load, load, load})}, 5));
    const ReplayResult result = run(made);
    EXPECT_EQ(result.blocks.size(), made.size());
    EXPECT_NEAR(warp_cycles(result), result.all.sm.warp_cycles, 1e-6);
    EXPECT_LT(result.all.cycles, 3000);
}

TEST_F(ReplayTest, NoBlocksTakeNoTime) {
    const ReplayResult result = run({});
    EXPECT_EQ(result.all.cycles, 0);
    EXPECT_TRUE(result.blocks.empty());
}

// Many cut and uneven traces.
TEST_F(ReplayTest, EndsWithTracesCutAnywhere) {
    setup.sms = 2;
    setup.resident = 3;
    std::mt19937 random(9);
    for (unsigned seed = 20; seed < 40; ++seed) {
        auto made = mixture(seed, 20, 4);
        for (BlockTrace& one : made)
            for (WarpTrace& warp : one.warps)
                if (!warp.steps.empty()) warp.steps.resize(random() % (warp.steps.size() + 1));
        const ReplayResult result = run(made);
        EXPECT_EQ(result.blocks.size(), made.size());
        EXPECT_NEAR(warp_cycles(result), result.all.sm.warp_cycles, 1e-6 * (warp_cycles(result) + 1));
    }
}

}  // namespace
}  // namespace lockstep::timing
