// Which blocks are kept, and how much of them.
#include "timing/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "timing/records.h"

namespace lockstep::timing {
namespace {

// Whatever the grid: ascending, each once, inside, and every SM of the sample has some.
TEST(BlockChoice, IsSortedUniqueAndWithinTheGrid) {
    for (std::uint64_t blocks : {1u, 2u, 7u, 8u, 9u, 131u, 132u, 133u, 1000u, 5281u, 100000u, 1234567u})
        for (std::uint32_t sms : {1u, 3u, 16u, 132u})
            for (std::uint32_t resident : {1u, 2u, 16u, 32u}) {
                const BlockChoice choice(blocks, sms, resident);
                ASSERT_FALSE(choice.blocks().empty());
                std::set<std::uint32_t> found;
                for (std::size_t i = 0; i < choice.blocks().size(); ++i) {
                    const BlockChoice::Chosen& one = choice.blocks()[i];
                    ASSERT_LT(one.block, blocks);
                    if (i) {
                        ASSERT_GT(one.block, choice.blocks()[i - 1].block);
                    }
                    ASSERT_LT(one.sm, most_sms);
                    found.insert(one.sm);
                    ASSERT_EQ(choice.find(one.block), &one);
                }
                EXPECT_EQ(found.size(), std::min<std::uint64_t>({most_sms, sms, blocks}));
                EXPECT_EQ(choice.find(blocks), nullptr);
                // However large the grid: five fills of eight SMs at most.
                EXPECT_LE(choice.blocks().size(), std::size_t{most_sms} * resident * 5);
            }
}

TEST(BlockChoice, ASmallGridOfFewSmsIsWhole) {
    EXPECT_EQ(BlockChoice(40, 8, 2).blocks().size(), 40u);
    EXPECT_EQ(BlockChoice(5, 132, 16).blocks().size(), 5u);
    // Eight of 132 SMs, all their blocks.
    EXPECT_EQ(BlockChoice(132 * 10, 132, 2).blocks().size(), 80u);
    EXPECT_EQ(BlockChoice(132 * 10, 132, 2).blocks_of_one_sm(), 10u);
}

TEST(BlockChoice, ALargeGridHasStretchesFromBeginToEnd) {
    constexpr std::uint64_t blocks = 132 * 1000;
    const BlockChoice choice(blocks, 132, 4);
    EXPECT_EQ(choice.blocks().size(), 8u * 4 * 5);
    EXPECT_EQ(choice.blocks_of_one_sm(), 20u);
    std::set<std::uint64_t> rounds;  // of the first SM
    for (const auto& one : choice.blocks())
        if (one.sm == 0) rounds.insert(one.block / 132);
    EXPECT_EQ(rounds, (std::set<std::uint64_t>{0,   1,   2,   3,   249, 250, 251, 252, 498, 499,
                                               500, 501, 747, 748, 749, 750, 996, 997, 998, 999}));
}

// Neighbours in the grid go to different SMs, as on a GPU.
// What is watched has all that is chosen, and what the L2's sample follows; the rest stands for the others.
TEST(BlockChoice, AThinSampleWatchesPartsOfTheGrid) {
    for (const std::uint64_t blocks : {5u, 63u, 132u, 1024u, 5000u, 32768u}) {
        const BlockChoice choice(blocks, 132, 4, thin_sampling);
        const auto& watched = choice.watched();
        if (blocks < 64) {
            EXPECT_TRUE(watched.empty()) << "all of it";
            EXPECT_EQ(choice.blocks_a_watched(), 1);
            continue;
        }
        std::uint64_t count = 0, followed = 0;
        double weight = 0;
        for (std::size_t i = 0; i < watched.size(); ++i) {
            ASSERT_LT(watched[i].begin, watched[i].end);
            ASSERT_LE(watched[i].end, blocks);
            ASSERT_TRUE(i == 0 || watched[i - 1].end <= watched[i].begin);
            count += watched[i].end - watched[i].begin;
        }
        for (std::uint64_t b = 0; b < blocks; ++b) {
            followed += choice.is_followed(b);
            weight += choice.is_followed(b) ? choice.l2_weights().of(b) : 0;
        }
        EXPECT_LT(count, blocks * 2 / 3) << blocks;
        EXPECT_LE(followed, count);
        EXPECT_NEAR(choice.blocks_a_watched() * static_cast<double>(count), static_cast<double>(blocks),
                    1e-6);
        EXPECT_NEAR(weight, static_cast<double>(blocks), 1e-6);
        for (const BlockChoice::Chosen& one : choice.blocks())
            EXPECT_TRUE(std::any_of(watched.begin(), watched.end(), [&](const events::BlockRange& range) {
                return one.block >= range.begin && one.block < range.end;
            })) << one.block;
    }
}

TEST(Sampling, FewerSmsAreReplayedWhereAllBlocksDoAsMuch) {
    const auto sms = [](double instructions, bool even, const Sampling& sampling = full_sampling) {
        return sms_to_replay(8, instructions, 0, even, sampling);
    };
    EXPECT_EQ(sms(1e4, true), 8u);
    EXPECT_EQ(sms(9e4, true), 4u);
    EXPECT_EQ(sms(1e6, true), 2u);
    EXPECT_EQ(sms(1e5, false), 8u);
    EXPECT_EQ(sms(1e6, false), 2u);
    EXPECT_EQ(sms(1e7, true), 1u);
    EXPECT_EQ(sms_to_replay(2, 1e4, 0, true, thin_sampling), sms_to_replay(2, 1e4, 0, false, thin_sampling));
}

TEST(BlockChoice, AnSmGetsOneBlockOfEachRound) {
    const BlockChoice choice(132 * 5, 132, 2);
    std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
    for (const auto& one : choice.blocks()) EXPECT_TRUE(seen.emplace(one.block / 132, one.sm).second);
}

TEST(BlockGroup, AnEighthOfADoubling) {
    EXPECT_EQ(group_of(1000), group_of(1010));
    EXPECT_NE(group_of(1000), group_of(1200));
    EXPECT_EQ(group_of(16000) - group_of(1000), 32u);
    EXPECT_EQ(group_of(0), 0u);
}

class RecorderTest : public testing::Test {
  protected:
    // `count` entries of block 0 by a warp.
    static void run(Recorder& recorder, std::uint64_t block, std::uint32_t warp, std::size_t count,
                    std::size_t each = 1) {
        Records records;
        for (std::size_t i = 0; i < each; ++i) records.block(0);
        events::Batch batch;
        batch.records = records.bytes;
        batch.block = block;
        batch.warp = warp;
        for (std::size_t i = 0; i < count; ++i) recorder.records(batch);
    }
    kernel::Kernel kernel;
};

TEST_F(RecorderTest, KeepsChosenBlocksAndCountsAll) {
    const BlockChoice choice(132, 132, 1);
    RecorderState state(choice, 1, 2);
    Recorder recorder(kernel, plain_accesses, state);
    for (std::uint64_t block = 0; block < 132; ++block) {
        run(recorder, block, 0, 3);
        run(recorder, block, 1, 5);
        recorder.block_ended(block);
    }
    const Recorder::Result result = recorder.take();
    ASSERT_EQ(result.blocks.size(), 8u);
    for (const RecordedBlock& one : result.blocks) {
        EXPECT_TRUE(choice.find(one.block));
        ASSERT_EQ(one.warps.size(), 2u);
        EXPECT_EQ(one.warps[0].records.size(), 3 * sizeof(events::BlockRecord));
        EXPECT_EQ(one.warps[1].records.size(), 5 * sizeof(events::BlockRecord));
        EXPECT_EQ(one.record_bytes, 8 * sizeof(events::BlockRecord));
    }
    ASSERT_EQ(result.groups.size(), 1u);
    EXPECT_EQ(result.groups.begin()->second.blocks, 132u);
    EXPECT_EQ(result.groups.begin()->second.record_bytes, 132 * 8 * sizeof(events::BlockRecord));
}

// Blocks that wait for each other take turns on one thread.
TEST_F(RecorderTest, BlocksMayTakeTurns) {
    const BlockChoice choice(4, 132, 1);
    RecorderState state(choice, 1, 1);
    Recorder recorder(kernel, plain_accesses, state);
    for (int turn = 0; turn < 3; ++turn)
        for (std::uint64_t block = 0; block < 4; ++block) run(recorder, block, 0, 1);
    for (std::uint64_t block = 0; block < 4; ++block) recorder.block_ended(block);
    const Recorder::Result result = recorder.take();
    ASSERT_EQ(result.blocks.size(), 4u);
    for (const RecordedBlock& one : result.blocks)
        EXPECT_EQ(one.record_bytes, 3 * sizeof(events::BlockRecord));
    EXPECT_EQ(result.groups.begin()->second.blocks, 4u);
}

// Where batches end does not matter.
TEST_F(RecorderTest, ALongWarpIsCut) {
    const BlockChoice choice(1, 132, 1);
    for (const std::size_t records : {10u, 25u, 500u}) {
        RecorderState state(choice, 1, 1);
        state.most_warp_bytes = 1000;
        Recorder recorder(kernel, plain_accesses, state);
        run(recorder, 0, 0, 500 / records, records);  // of 8 bytes
        recorder.block_ended(0);
        const Recorder::Result result = recorder.take();
        ASSERT_EQ(result.blocks.size(), 1u);
        const RecordedBlock::Warp& warp = result.blocks[0].warps[0];
        EXPECT_TRUE(warp.cut);
        EXPECT_TRUE(state.has_cut);
        EXPECT_EQ(warp.records.size(), 1000u) << records;
        EXPECT_EQ(result.blocks[0].record_bytes, 4000u);
        EXPECT_EQ(result.groups.begin()->second.record_bytes, 4000u);
    }
}

TEST_F(RecorderTest, MemoryIsDividedAmongTheWarpsThatAreKept) {
    const BlockChoice choice(1000, 132, 8);
    EXPECT_EQ(RecorderState(choice, 8, 4).most_warp_bytes * 32, std::uint64_t{128} << 20);
    EXPECT_EQ(RecorderState(choice, 0, 0).most_warp_bytes, std::uint64_t{128} << 20);
}

TEST_F(RecorderTest, TooMuchLeavesFewerSms) {
    const BlockChoice choice(132, 132, 1);
    RecorderState state(choice, 1, 1);
    Recorder recorder(kernel, plain_accesses, state);
    for (std::uint64_t block = 0; block < 132; ++block) {
        run(recorder, block, 0, 1);
        recorder.block_ended(block);
    }
    // As if other threads had kept much.
    constexpr std::uint64_t mib = std::uint64_t{1} << 20;
    state.count(0, 60 * mib);
    EXPECT_EQ(state.sms(), 8u);
    state.count(7, 70 * mib);
    EXPECT_EQ(state.sms(), 4u);
    state.count(3, 80 * mib);
    EXPECT_EQ(state.sms(), 2u);
    state.count(0, 1000 * mib);
    EXPECT_EQ(state.sms(), 1u);
    state.count(0, 1000 * mib);
    EXPECT_EQ(state.sms(), 1u) << "one is always left";
    const Recorder::Result result = recorder.take();
    ASSERT_EQ(result.blocks.size(), 1u);
    EXPECT_EQ(choice.find(result.blocks[0].block)->sm, 0u);
    EXPECT_EQ(result.groups.begin()->second.blocks, 132u);
}

}  // namespace
}  // namespace lockstep::timing
