// Launches without one thing: what of the records changes, and what stays.
#include "timing/imagine.h"

#include <set>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using kernel::SiteKind;

class Imagine : public testing::Test {
  protected:
    HandMade made;
    kernel::Kernel kernel;

    static Access access(Memory memory, SiteKind kind, std::uint16_t lanes = 32) {
        Access one;
        one.memory = memory;
        one.kind = kind;
        one.lanes = static_cast<std::uint8_t>(lanes);
        one.lane_bytes = 4;
        return one;
    }
    // Of a block with one warp that makes these accesses in one region, and whose sites miss a half.
    Replayable launch(BlockTrace block) const {
        Replayable result{made.gpu, made.code, {std::move(block)}, 4, {}};
        result.l2.miss_share.assign(made.setup.sites, 0.5);
        return result;
    }
};

TEST_F(Imagine, BankConflictsAreThePassesBeyondTheBytes) {
    const std::uint32_t region = made.region({made.memory(true, {1})}, true);
    BlockTrace block;
    block.accesses.push_back(access(Memory::shared, SiteKind::load));
    block.accesses[0].wavefronts = 8;
    made.step(block.warps.emplace_back(), region, {0});
    const auto without_them = without(Change::bank_conflicts, launch(block), kernel, 4);
    ASSERT_TRUE(without_them);
    EXPECT_EQ(without_them->traces[0].accesses[0].wavefronts, 1);
    block.accesses[0].lane_bytes = 16;  // 512 bytes take four passes anyway
    block.accesses[0].wavefronts = 4;
    EXPECT_FALSE(without(Change::bank_conflicts, launch(block), kernel, 4));
}

TEST_F(Imagine, FieldsOfStructuresAreFetchedWithoutTheirNeighbours) {
    const std::uint32_t region = made.region({made.memory(true, {1})});
    BlockTrace block;
    Access scattered = access(Memory::global, SiteKind::load);
    scattered.lines = scattered.sectors = 32;
    for (std::uint64_t lane = 0; lane < 32; ++lane) block.lines.push_back({lane * line_bytes, 1});
    block.accesses.push_back(scattered);
    made.step(block.warps.emplace_back(), region, {0});
    const auto gathered = without(Change::scattered_accesses, launch(block), kernel, 4);
    ASSERT_TRUE(gathered);
    const Access& one = gathered->traces[0].accesses[0];
    EXPECT_EQ(one.sectors, 4);
    EXPECT_EQ(one.lines, 1);
    EXPECT_FALSE(one.partial);
    // An eighth of what was fetched is used, and an eighth is asked for: the share of misses stays.
    EXPECT_DOUBLE_EQ(gathered->l2.miss_share[0], 0.5);
    EXPECT_FALSE(without(Change::scattered_accesses, launch(gathered->traces[0]), kernel, 4));
}

TEST_F(Imagine, WhatLaterTurnsUseIsFetchedThen) {
    // A thread a row: eight turns use the same 32 sectors, each other bytes of them.
    const std::uint32_t region = made.region({made.memory(true, {1})});
    BlockTrace block;
    for (std::uint64_t lane = 0; lane < 32; ++lane) block.lines.push_back({lane * line_bytes, 1});
    WarpTrace& warp = block.warps.emplace_back();
    for (std::uint32_t turn = 0; turn < 8; ++turn) {
        Access scattered = access(Memory::global, SiteKind::load);
        scattered.lines = scattered.sectors = 32;
        block.accesses.push_back(scattered);
        made.step(warp, region, {turn});
    }
    Replayable rows = launch(block);
    rows.l2.miss_share[0] = 0.125;  // the first turn's
    const auto gathered = without(Change::scattered_accesses, rows, kernel, 4);
    ASSERT_TRUE(gathered);
    std::set<std::uint64_t> lines;
    for (const Access& one : gathered->traces[0].accesses) {
        EXPECT_EQ(one.sectors, 4);
        for (std::uint32_t i = 0; i < one.lines; ++i)
            lines.insert(gathered->traces[0].lines[one.first_line + i].address);
    }
    EXPECT_EQ(lines.size(), 8u);
    EXPECT_DOUBLE_EQ(gathered->l2.miss_share[0], 1.0);  // all that is asked for comes from device memory
}

TEST_F(Imagine, DataThatTheBlockHasComeFromSharedMemory) {
    const std::uint32_t region = made.region({made.memory(true, {1})});
    BlockTrace block;
    block.lines = {{0, 15}, {0, 15}};
    for (std::uint32_t turn = 0; turn < 2; ++turn) {
        Access load = access(Memory::global, SiteKind::load);
        load.first_line = turn, load.lines = 1, load.sectors = 4;
        block.accesses.push_back(load);
        made.step(block.warps.emplace_back(), region, {turn});
    }
    const auto kept = without(Change::repeated_loads, launch(block), kernel, 4);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->traces[0].accesses[0].memory, Memory::global);
    EXPECT_EQ(kept->traces[0].accesses[1].memory, Memory::shared);
    EXPECT_DOUBLE_EQ(kept->l2.miss_share[0], 1.0);  // as many misses, of half as many sectors
}

TEST_F(Imagine, LanesThatDoTheSameArePackedAcrossWarps) {
    const std::uint32_t all = made.region({made.alu()}), some = made.region({made.memory(true, {1})});
    BlockTrace block;
    block.warps.resize(2);
    for (std::uint32_t w = 0; w < 2; ++w) {
        Access half = access(Memory::global, SiteKind::load, 16);
        half.first_line = w, half.lines = 1, half.sectors = 2;
        block.lines.push_back({w * line_bytes, 3});
        block.accesses.push_back(half);
        made.step(block.warps[w], all);
        made.step(block.warps[w], some, {w}, 16);
    }
    const auto packed = without(Change::divergence, launch(block), kernel, 4);
    ASSERT_TRUE(packed);
    const BlockTrace& result = packed->traces[0];
    EXPECT_EQ(result.warps[0].steps.size(), 2u);
    EXPECT_EQ(result.warps[1].steps.size(), 1u);
    EXPECT_EQ(result.accesses[0].lanes, 32);
    EXPECT_EQ(result.accesses[0].lines, 2);
    EXPECT_EQ(result.accesses[0].sectors, 4);
}

TEST_F(Imagine, WarpsThatMeetAtABarrierAreNotPacked) {
    const std::uint32_t all = made.region({made.alu()}), some = made.region({made.barrier()});
    BlockTrace block;
    block.warps.resize(2);
    for (WarpTrace& warp : block.warps) {
        made.step(warp, all);
        made.step(warp, some, {}, 16);
    }
    EXPECT_FALSE(without(Change::divergence, launch(block), kernel, 4));
    const auto free = without(Change::barriers, launch(block), kernel, 4);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->code.regions[some].once.ops[0].unit, Unit::none);
}

TEST_F(Imagine, AnSmThatIsFullHasNoLimit) {
    made.region({made.alu()});
    BlockTrace block;
    made.step(block.warps.emplace_back(), 0);
    EXPECT_FALSE(without(Change::occupancy_limit, launch(block), kernel, 4));
    const auto fuller = without(Change::occupancy_limit, launch(block), kernel, 8);
    ASSERT_TRUE(fuller);
    EXPECT_EQ(fuller->resident, 8u);
}

}  // namespace
}  // namespace lockstep::timing
