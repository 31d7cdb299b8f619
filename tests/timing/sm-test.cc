// One SM of an H200: what its instructions take, by hand.
#include "timing/sm.h"

#include <gtest/gtest.h>

#include <random>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

using kernel::SiteKind;
using timing::WarpState;

class SmTest : public testing::Test, public HandMade {};

TEST_F(SmTest, ADependentMultiplyAddTakesFourCycles) {
    EXPECT_EQ(cycles_each(region({fma({0}, {0})})), 4);
    const ReplayResult result = run({block({repeat(0, 200)})});
    EXPECT_EQ(result.all.sm.instructions, 200);
    EXPECT_EQ(state(result, WarpState::selected), 200);
    EXPECT_NEAR(state(result, WarpState::wait), 199 * 3 + 4, 4);
}

TEST_F(SmTest, DependentInstructionsOfOtherPipes) {
    const gpu::TimingFigures& t = gpu.timing;
    EXPECT_EQ(cycles_each(region({alu({0}, {0})})), 4);
    EXPECT_EQ(cycles_each(region({op(Unit::fp64, t.fp64.latency, {0}, {0})})), 8);
    EXPECT_EQ(cycles_each(region({op(Unit::xu, t.xu.latency, {0}, {0})})), 17);
    EXPECT_EQ(cycles_each(region({op(Unit::shuffle, t.shuffle.latency, {0}, {0})})), 24);
    EXPECT_EQ(cycles_each(region({op(Unit::constant, t.constant_latency, {0}, {0})})), 34);
    EXPECT_EQ(cycles_each(region({branch()})), 10);
    EXPECT_EQ(cycles_each(region({op(Unit::reconverge, t.reconverge_latency)})), 12);
}

TEST_F(SmTest, OneSchedulerIssuesOnceACycle) {
    const std::uint32_t independent = region({fma()});
    EXPECT_EQ(cycles_each(independent, 1), 1);
    EXPECT_EQ(cycles_each(independent, 4), 1) << "four schedulers";
    EXPECT_EQ(cycles_each(independent, 8), 2);
    EXPECT_EQ(cycles_each(independent, 5), 2) << "two share a scheduler";
}

TEST_F(SmTest, FourWarpsHideTheLatency) {
    const std::uint32_t chain = region({fma({0}, {0})});
    EXPECT_EQ(cycles_each(chain, 4), 4);
    EXPECT_EQ(cycles_each(chain, 16), 4);
    EXPECT_EQ(cycles_each(chain, 32), 8);
}

// lanes of 128, 64 and 16 of an SM: every 1, 2 and 8 cycles of a scheduler.
TEST_F(SmTest, PipesStartAtTheirRate) {
    EXPECT_EQ(cycles_each(region({fma()})), 1);
    EXPECT_EQ(cycles_each(region({alu()})), 2);
    EXPECT_EQ(cycles_each(region({op(Unit::imad, 4)})), 2);
    EXPECT_EQ(cycles_each(region({op(Unit::fp64, 8)})), 2);
    EXPECT_EQ(cycles_each(region({op(Unit::xu, 17)})), 8);
    // 102 lanes: five cycles for four.
    EXPECT_NEAR(cycles_each(region({op(Unit::half, 8)})), 128.0 / 102, 0.02);
    // Pipes work side by side.
    EXPECT_EQ(cycles_each(region({fma(), alu()})), 2);
    // One unit for the whole SM: 32 lanes.
    const std::uint32_t shuffle = region({op(Unit::shuffle, 24)});
    EXPECT_EQ(cycles_each(shuffle, 1), 1);
    EXPECT_EQ(cycles_each(shuffle, 4), 4);
}

// One warp alone has to wait a cycle longer than the pipe.
TEST_F(SmTest, ProductsOfMatricesStartAtTheirRate) {
    const gpu::ProductFigures& t = gpu.timing.tensor;
    const std::uint32_t chain = region({op(Unit::tensor, t.latency, {0}, {0})}),
                        alone = region({op(Unit::tensor, t.latency)});
    EXPECT_EQ(cycles_each(chain), 24);
    EXPECT_EQ(cycles_each(alone), 7);
    EXPECT_EQ(cycles_each(alone, 4), 7) << "one a scheduler";
    EXPECT_EQ(cycles_each(alone, 8), 12);
    EXPECT_EQ(cycles_each(region({op(Unit::tensor_short, 17)}), 16), 16);
}

// A group's products follow each other as fast as the tensor cores, or shared memory, allow; who waits for
// them, waits.
TEST_F(SmTest, ProductsOfWarpgroups) {
    const auto product = [&](int columns, bool a_is_shared) {
        Op made = op(Unit::tensor_group, 0);
        made.times = static_cast<std::uint16_t>(columns / 8);
        made.wavefronts = static_cast<std::uint16_t>((a_is_shared ? 16 : 0) + columns / 4);
        made.async = Async::begins;
        made.async_kind = AsyncKind::products;
        return made;
    };
    const auto group = [&](Async async) {
        Op made = op(Unit::uniform, 1);
        made.async = async;
        made.async_kind = AsyncKind::products;
        return made;
    };
    EXPECT_NEAR(cycles_each(region({product(64, true)}), 4), 32, 0.5);
    EXPECT_NEAR(cycles_each(region({product(128, true)}), 4), 64, 0.5);
    EXPECT_NEAR(cycles_each(region({product(8, true)}), 4), 18, 0.5) << "as long as its operands are read";
    EXPECT_NEAR(cycles_each(region({product(32, false)}), 4), 16, 0.5);
    const double waited =
        cycles_each(region({product(64, true), group(Async::commits), group(Async::waits)}), 4);
    EXPECT_NEAR(waited, 32 + gpu.timing.tensor_group.latency - gpu.timing.tensor_group.cycles, 4);
}

TEST_F(SmTest, ABusyPipeHasAName) {
    const std::uint32_t additions = region({alu()});
    const ReplayResult result = run({block(std::vector<WarpTrace>(4, repeat(additions, 500)))});
    // Every other cycle. ptxas knows that a warp's own instruction keeps the pipe busy …
    EXPECT_NEAR(state(result, WarpState::wait), 4 * 499, 8);
    EXPECT_EQ(state(result, WarpState::math_pipe_throttle), 0);
    EXPECT_EQ(result.all.sm.pipe_busy[static_cast<std::size_t>(Unit::alu)], 4 * 500 * 2);
    // … and not that another's does: of the cycles in which one waits for the other, the pipe is busy in
    // every second.
    const ReplayResult two = run({block(std::vector<WarpTrace>(8, repeat(additions, 500)))});
    EXPECT_NEAR(state(two, WarpState::math_pipe_throttle), 4 * 500, 40);
    EXPECT_NEAR(state(two, WarpState::not_selected), 4 * 500, 40);
}

TEST_F(SmTest, AnExpansionIssuesAllItsInstructions) {
    Op division = op(Unit::fma, 6, {0}, {0});
    division.issues = 10;
    division.xu_issues = 1;
    const std::uint32_t made = region({division});
    // 17 cycles of the XU, nine others of 6.
    EXPECT_EQ(cycles_each(made), 17 + 9 * 6);
    EXPECT_EQ(run({block({repeat(made, 3)})}).all.sm.instructions, 30);
    // The XU takes one every 8 cycles.
    EXPECT_EQ(run({block({repeat(made, 3)})}).all.sm.pipe_busy[static_cast<std::size_t>(Unit::xu)], 24);
}

// Branches of a function of the library wait for their targets, as others do.
TEST_F(SmTest, BranchesOfAFunctionTakeTheirTime) {
    Op function = op(Unit::fma, 4, {0}, {0});
    function.issues = 28;
    function.chains = 2;
    const double straight = cycles_each(region({function}));
    function.branches = 3;
    const std::uint32_t branching = region({function});
    EXPECT_NEAR(cycles_each(branching) - straight, 3 * (gpu.timing.branch_latency - 2.5), 5);
    EXPECT_GT(state(run({block({repeat(branching, 100)})}), WarpState::branch_resolving), 0);
}

// The first warps of blocks that have one for each scheduler are at different schedulers.
TEST_F(SmTest, FirstWarpsOfBlocksAreSpread) {
    const std::uint32_t work = region({fma()});
    std::vector<WarpTrace> warps(4, repeat(work, 1));
    warps[0] = repeat(work, 4000);
    setup.resident = 8;
    const double one = cycles({block(warps)}), four = cycles(blocks(4, warps)),
                 eight = cycles(blocks(8, warps));
    EXPECT_NEAR(four, one, 0.2 * one);
    EXPECT_NEAR(eight, 2 * one, 0.2 * one);
}

// By where the warp goes on: to the region behind, elsewhere, or two ways.
TEST_F(SmTest, ABranchThatIsTakenTakesLonger) {
    Op end = branch();
    end.ends_step = true;
    const std::uint32_t first = region({end}), second = region({end});
    code.regions[first].next = second;
    code.regions[second].next = second + 1;
    const auto round = [&](bool splits) {
        const auto turns = [&](std::size_t times) {
            WarpTrace made;
            for (std::size_t i = 0; i < times; ++i) {
                step(made, first);
                made.steps.back().split = splits;
                step(made, second);
            }
            return cycles({block({made})});
        };
        return (turns(200) - turns(100)) / 100;
    };
    const gpu::TimingFigures& t = gpu.timing;
    EXPECT_EQ(round(false), t.passed_branch_latency + t.branch_latency);
    EXPECT_EQ(round(true), t.split_latency + t.branch_latency);
    EXPECT_LT(t.passed_branch_latency, t.branch_latency);
    EXPECT_LT(t.branch_latency, t.split_latency);
}

TEST_F(SmTest, AccessesOfAWarpAreApart) {
    const std::uint32_t one = region({memory(true, {0}), alu()}, true),
                        two = region({memory(true, {0}), memory(true, {1})}, true);
    EXPECT_EQ(cycles_each(one), 2);
    EXPECT_EQ(cycles_each(two), fit::memory_turn + 1);
}

// What an access moves to or from registers keeps the multiply-add unit from its operands.
TEST_F(SmTest, RegistersOfAccessesHoldMultiplyAddsUp) {
    std::vector<Op> ops{memory(true, {0})};
    for (int i = 0; i < 8; ++i) ops.push_back(fma());
    const std::uint32_t made = region(ops, true);
    const auto turns = [&](std::size_t times) {
        BlockTrace both = block({});
        const std::uint32_t access = shared_access(both, 1);
        for (int w = 0; w < 16; ++w) {
            WarpTrace warp;
            for (std::size_t i = 0; i < times; ++i) step(warp, made, {access});
            both.warps.push_back(warp);
        }
        return cycles({both});
    };
    EXPECT_NEAR((turns(200) - turns(100)) / 100, 4 * (8 + 1 + fit::word_moved), 0.5);
}

TEST_F(SmTest, AFenceWaitsForWhatWasStored) {
    Op fence = op(Unit::fence, gpu.timing.fence_latency);
    fence.issues = fence.chains = 3;
    const std::uint32_t fences = region({fence});
    EXPECT_NEAR(cycles_each(fences), gpu.timing.fence_latency + 2, 1);
    const ReplayResult result = run({block({repeat(fences, 10)})});
    EXPECT_NEAR(state(result, WarpState::membar), 10 * gpu.timing.fence_latency, 20);
    Op of_block = op(Unit::fence, 0);
    EXPECT_LE(cycles_each(region({of_block})), 2);
}

TEST_F(SmTest, AGuardIsWaitedForLonger) {
    // A comparison that waits for what it guards: 14 and 4 cycles.
    Op compare = alu({0}, {1});
    Op guarded = alu({1});
    guarded.guard = 0;
    EXPECT_EQ(cycles_each(region({compare, guarded})), gpu.timing.predicate_latency + gpu.timing.alu.latency);
}

TEST_F(SmTest, WhatWasFoldedAwayCostsNothingAndPassesTheWaitOn) {
    Op folded = op(Unit::none, 0, {1}, {0});
    folded.issues = 0;
    EXPECT_EQ(cycles_each(region({op(Unit::fp64, 8, {0}, {1}), folded})), 8);
    EXPECT_EQ(run({block({repeat(0, 5)})}).all.sm.instructions, 5);
}

TEST_F(SmTest, OnlyASplitIssuesReconvergence) {
    Op sync = branch();
    sync.only_on_split = true;
    const std::uint32_t made = region({fma(), sync});
    WarpTrace straight = repeat(made, 50), split = straight;
    for (Step& step : split.steps) step.split = true;
    EXPECT_EQ(run({block({straight})}).all.sm.instructions, 50);
    EXPECT_EQ(run({block({split})}).all.sm.instructions, 100);
}

// 23 cycles, and 2 for each wavefront more.
TEST_F(SmTest, BankConflictsTakeLonger) {
    const std::uint32_t loads = region({memory(true, {0}, {0})}, true);
    for (std::uint16_t ways : {1, 2, 4, 32}) {
        const auto time = [&](int times) {
            BlockTrace made = block({WarpTrace{}});
            for (int i = 0; i < times; ++i) step(made.warps[0], loads, {shared_access(made, ways)});
            return cycles({made});
        };
        EXPECT_EQ((time(200) - time(100)) / 100, std::max(23 + 2 * (ways - 1), int{ways})) << ways;
    }
}

TEST_F(SmTest, SharedMemoryServesAWavefrontACycle) {
    const std::uint32_t loads = region({memory(true, {0})}, true);
    for (std::uint16_t ways : {1, 4}) {
        const auto time = [&](int times) {
            BlockTrace made = block(std::vector<WarpTrace>(8));
            for (int i = 0; i < times; ++i)
                for (WarpTrace& warp : made.warps) step(warp, loads, {shared_access(made, ways)});
            return cycles({made});
        };
        EXPECT_NEAR((time(200) - time(100)) / 100, 8 * ways, 0.1) << ways;
    }
}

TEST_F(SmTest, ALoadThatTheL1HasTakesItsLatency) {
    const std::uint32_t loads = region({memory(true, {0}, {0})});
    const auto time = [&](int times) {
        BlockTrace made = block({WarpTrace{}});
        for (int i = 0; i < times; ++i) step(made.warps[0], loads, {global_access(made, 4096)});
        return run({made});
    };
    EXPECT_EQ((time(200).all.cycles - time(100).all.cycles) / 100, gpu.timing.l1_latency);
    const ReplayResult result = time(100);
    EXPECT_EQ(result.all.sm.l1_sectors, 400);
    EXPECT_EQ(result.all.sm.l1_hits, 396);
    EXPECT_EQ(result.all.memory.l2_reads, 4);
    EXPECT_GT(state(result, WarpState::long_scoreboard), 31 * 99 + 600);
}

TEST_F(SmTest, WithoutAnL1AllGoesToTheL2) {
    Op load = memory(true, {0}, {0});
    for (bool volatile_load : {false, true}) {
        HandMade other;
        other.setup.l1_bytes = volatile_load ? 1 << 18 : 0;
        load.bypasses_l1 = volatile_load;
        const std::uint32_t loads = other.region({load});
        const auto time = [&](int times) {
            BlockTrace made = block({WarpTrace{}});
            for (int i = 0; i < times; ++i) other.step(made.warps[0], loads, {global_access(made, 4096)});
            return other.run({made});
        };
        // The latency of the L2, and its reply of 128 bytes at 121 a cycle.
        EXPECT_NEAR((time(200).all.cycles - time(100).all.cycles) / 100, gpu.timing.l2_latency + 2, 2);
        EXPECT_EQ(time(100).all.sm.l1_hits, 0);
        EXPECT_EQ(time(100).all.memory.l2_hits, 396);
    }
}

// As an H200 was measured (gathers.csv): a pass finds a line in each of four banks of tags, and reads a word
// of each bank of data. Lines at random: 10.6 cycles.
TEST_F(SmTest, LinesGoThroughTheL1ByBanks) {
    const std::uint32_t loads = region({memory(true, {0})});
    struct Case {
        const char* what;
        std::uint16_t lines, wavefronts;
        std::uint64_t apart;  // 0: at random
        double cycles;
    };
    for (const Case& one : {Case{"side by side", 32, 1, 128, 8}, Case{"every eighth", 32, 1, 1024, 8},
                            Case{"half as many", 16, 1, 2048, 4}, Case{"words of one bank", 32, 32, 128, 32},
                            Case{"at random", 32, 3, 0, 10.6}}) {
        const auto time = [&](int times) {
            BlockTrace made = block(std::vector<WarpTrace>(4));
            std::minstd_rand random;
            for (int i = 0; i < times; ++i) {
                const std::uint32_t access = global_access(made, 0, one.lines);
                made.accesses[access].wavefronts = one.wavefronts;
                for (std::uint16_t k = 0; k < one.lines; ++k)
                    made.lines[made.accesses[access].first_line + k].address =
                        one.apart ? k * one.apart : random() % 1024 * line_bytes;
                step(made.warps[static_cast<std::size_t>(i % 4)], loads, {access});
            }
            return cycles({made});
        };
        // The first turns bring the lines.
        EXPECT_NEAR((time(1600) - time(800)) / 800, one.cycles, 0.4) << one.what;
    }
}

// gathers.csv: a warp alone has four loads under way of 32 words of one bank each every 314 cycles, an SM
// with 32 warps one load every 32.
TEST_F(SmTest, AWavefrontTakesAScheduler2Cycles) {
    const std::uint32_t loads = region({memory(true, {0}), memory(true, {1}), memory(true, {2}),
                                        memory(true, {3}), alu({4}, {0, 1, 2}), alu({4}, {3, 4})});
    for (const auto& [warps, measured] : {std::pair{1u, 314.}, {8u, 4 * 8 * 32.}}) {
        const auto time = [&](int times) {
            BlockTrace made = block(std::vector<WarpTrace>(warps));
            const std::uint32_t access = global_access(made, 4096);
            made.accesses[access].wavefronts = 32;
            for (int i = 0; i < times; ++i)
                for (WarpTrace& warp : made.warps) step(warp, loads, {access, access, access, access});
            return cycles({made});
        };
        EXPECT_NEAR((time(200) - time(100)) / 100 / measured, 1, 0.1) << warps;
    }
}

// rows.csv: copies of which each lane has a row of its own take what loads and stores take, one after the
// other; those of whole lines, what the stores take.
TEST_F(SmTest, LoadsWaitBehindStores) {
    const std::uint32_t copies = region({memory(true, {0}), memory(false)});
    for (std::uint16_t lines : {1, 32}) {
        const auto time = [&](int times) {
            BlockTrace made = block(std::vector<WarpTrace>(8));
            const std::uint32_t load = global_access(made, 0, lines);
            made.accesses[load].wavefronts = lines;
            for (int i = 0; i < times; ++i)
                for (std::size_t w = 0; w < made.warps.size(); ++w) {
                    const std::uint64_t place = 8 * static_cast<std::uint64_t>(i) + w + 1;
                    const std::uint32_t store = global_access(made, place << 20, lines, SiteKind::store);
                    step(made.warps[w], copies, {load, store});
                }
            return cycles({made});
        };
        const double pieces = 4. * lines;
        EXPECT_NEAR((time(40) - time(20)) / 160, lines == 1 ? pieces : pieces + 32 - 4, 2) << lines;
    }
}

// rows.csv: what an SM has stored it finds in the L1.
TEST_F(SmTest, WhatIsStoredStaysInTheL1) {
    const std::uint32_t stores = region({memory(false)}), loads = region({memory(true, {0})});
    for (bool keeps : {true, false}) {
        gpu.timing.l1_keeps_stores = keeps;
        BlockTrace made = block({WarpTrace{}});
        for (int turn = 0; turn < 2; ++turn)
            step(made.warps[0], stores, {global_access(made, 4096, 2, SiteKind::store)});
        step(made.warps[0], loads, {global_access(made, 4096, 2)});
        const ReplayResult result = run({made});
        EXPECT_EQ(result.all.sm.l1_sectors, 24);
        EXPECT_EQ(result.all.sm.l1_hits, keeps ? 16 : 0);  // the second store, and the load
    }
}

TEST_F(SmTest, AStoreIsWaitedForOnlyAtTheEnd) {
    const std::uint32_t stores = region({memory(false)});
    const auto time = [&](int times) {
        BlockTrace made = block({WarpTrace{}});
        for (int i = 0; i < times; ++i)
            step(made.warps[0], stores,
                 {global_access(made, static_cast<std::uint64_t>(i) * 128, 1, SiteKind::store)});
        return run({made});
    };
    // 128 bytes at 32 a cycle of one SM.
    EXPECT_NEAR((time(200).all.cycles - time(100).all.cycles) / 100, 4, 0.1);
    EXPECT_EQ(time(100).all.memory.l2_writes, 400);
    const ReplayResult one = time(1);
    EXPECT_GT(state(one, WarpState::drain), 0);
}

// Stores of one warp to the same lines go to the L2 once.
TEST_F(SmTest, StoresToOneLineAreJoined) {
    const std::uint32_t stores = region({memory(false)});
    BlockTrace made = block({WarpTrace{}});
    for (int field = 0; field < 6; ++field)
        step(made.warps[0], stores, {global_access(made, 4096, 6, SiteKind::store)});
    const ReplayResult result = run({made});
    EXPECT_EQ(result.all.memory.l2_writes, 24);
    EXPECT_EQ(result.all.sm.l1_sectors, 6 * 24);
}

// However few bytes they have.
TEST_F(SmTest, LoadsTakeTheL1SomeTime) {
    const std::uint32_t loads = region({memory(true)});
    const auto time = [&](int times) {
        BlockTrace made = block(std::vector<WarpTrace>(8));
        for (WarpTrace& warp : made.warps)
            for (int i = 0; i < times; ++i) step(warp, loads, {global_access(made, 4096)});
        return cycles({made});
    };
    EXPECT_NEAR((time(200) - time(100)) / 800, fit::l1_least_cycles, 0.02);
}

// 12 cycles and 2 for each warp of the block.
TEST_F(SmTest, ABarrierTakesLongerWithMoreWarps) {
    const std::uint32_t barriers = region({barrier()});
    for (std::size_t warps : {1u, 2u, 4u, 16u})
        EXPECT_EQ(cycles_each(barriers, warps), 12 + 2 * warps) << warps;
}

TEST_F(SmTest, ABarrierWaitsForTheLastWarp) {
    const std::uint32_t chain = region({fma({0}, {0})}), wait = region({barrier()}), after = region({fma()});
    std::vector<std::uint32_t> slow(1000, chain);
    slow.push_back(wait);
    slow.push_back(after);
    const ReplayResult result =
        run({block({warp(slow), warp({wait, after}), warp({wait, after}), warp({wait, after})})});
    EXPECT_NEAR(result.all.cycles, 4000 + 12 + 2 + 11, 25);
    EXPECT_NEAR(state(result, WarpState::barrier), 3 * 4000, 150);
}

TEST_F(SmTest, BlocksDoNotWaitForEachOthersBarriers) {
    const std::uint32_t chain = region({fma({0}, {0})}), wait = region({barrier()});
    std::vector<std::uint32_t> slow(1000, chain);
    slow.push_back(wait);
    setup.resident = 2;
    const ReplayResult result = run({block({warp(slow)}, 0), block({warp({wait})}, 1)});
    EXPECT_EQ(result.blocks[0].block, 1u);
    EXPECT_LT(result.blocks[0].end, 200);
    EXPECT_GT(result.blocks[1].end, 4000);
}

// Four of eight warps keep a scheduler busy when each waits four cycles.
TEST_F(SmTest, GreedyThenOldestStarvesTheYoungest) {
    gpu.timing.schedulers = 1;
    gpu.timing.fma.lanes = 32;
    gpu.timing.block_fill_cycles = gpu.timing.block_launch_cycles_per_warp = gpu.timing.block_warp_cycles = 0;
    setup.resident = 8;
    const auto made = blocks(8, {repeat(region({fma({0}, {0})}), 500)});
    const ReplayResult greedy = run(made);
    for (int i = 0; i < 4; ++i) {
        EXPECT_LT(greedy.blocks[i].block, 4u);
        EXPECT_NEAR(static_cast<double>(greedy.blocks[i].end), 2000, 40);
        EXPECT_NEAR(static_cast<double>(greedy.blocks[i + 4].end), 4000, 40);
    }
    gpu.timing.policy = gpu::SchedulerPolicy::loose_round_robin;
    const ReplayResult fair = run(made);
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(static_cast<double>(fair.blocks[i].end), 4000, 40);
}

// A warp that can issue goes on until it cannot.
TEST_F(SmTest, GreedyStaysWithItsWarp) {
    gpu.timing.schedulers = 1;
    gpu.timing.fma.lanes = 32;
    gpu.timing.block_fill_cycles = gpu.timing.block_launch_cycles_per_warp = gpu.timing.block_warp_cycles = 0;
    setup.resident = 2;
    const auto made = blocks(2, {repeat(region({fma()}), 1000)});
    const ReplayResult greedy = run(made);
    EXPECT_NEAR(static_cast<double>(greedy.blocks[0].end), 1000, 20);
    EXPECT_NEAR(static_cast<double>(greedy.blocks[1].end), 2000, 20);
    EXPECT_NEAR(state(greedy, WarpState::not_selected), 1000, 20);
    gpu.timing.policy = gpu::SchedulerPolicy::loose_round_robin;
    const ReplayResult fair = run(made);
    EXPECT_NEAR(static_cast<double>(fair.blocks[0].end), 2000, 20);
    EXPECT_NEAR(state(fair, WarpState::not_selected), 2000, 20);
}

TEST_F(SmTest, TwoIssuesACycle) {
    gpu.timing.issues_per_cycle = 2;
    gpu.timing.fma.lanes = 256;
    const std::uint32_t independent = region({fma()});
    EXPECT_EQ(cycles_each(independent, 4), 1) << "not twice from one warp";
    EXPECT_EQ(cycles_each(independent, 8), 1);
    EXPECT_EQ(cycles_each(independent, 16), 2);
}

// 2.4 cycles an instruction measured, 11 for 8 here, once.
TEST_F(SmTest, NewCodeIsFetchedOnce) {
    const std::uint32_t long_code = region(std::vector<Op>(800, fma()));
    const double once = cycles({block({repeat(long_code, 1)})});
    EXPECT_NEAR(once, 800 + 100 * gpu.timing.instruction_cache_miss, 5);
    EXPECT_NEAR(cycles({block({repeat(long_code, 2)})}) - once, 800, 2);
    // All warps wait for the first code of a kernel, which comes from afar.
    gpu.timing.first_code_cycles = 230;
    const ReplayResult cold = run({block(std::vector<WarpTrace>(4, repeat(long_code, 1)))});
    EXPECT_NEAR(cold.all.cycles - once, 230, 15);
    EXPECT_NEAR(state(cold, WarpState::no_instruction), 4 * (230 + 100 * gpu.timing.instruction_cache_miss),
                40);
}

}  // namespace
}  // namespace lockstep::timing
