// From records to steps, accesses, lines.
#include "timing/trace.h"

#include <gtest/gtest.h>

#include <numeric>

#include "events/visit.h"
#include "timing/records.h"

namespace lockstep::timing {
namespace {

using counters::MachineAccess;
using counters::Memory;
using kernel::SiteKind;

// Three blocks: 0 with two memory instructions, 1 a loop with one, 2 issued with 0.
class TraceTest : public testing::Test {
  protected:
    TraceTest() {
        kernel.functions.resize(1);
        kernel.functions[0].blocks.resize(3);
        kernel.blocks.resize(3);
        for (std::uint32_t b = 0; b < 3; ++b) {
            kernel.blocks[b].block = kernel.blocks[b].entered_with = b;
            code.issued_with.push_back(b == 2 ? 0 : b);
        }
        code.regions.resize(3);
        code.follows.resize(3);
        site(0, ptx::Space::global, 4, SiteKind::load);
        site(0, ptx::Space::global, 4, SiteKind::store);
        site(1, ptx::Space::none, 4, SiteKind::load);
    }
    void site(std::uint32_t block, ptx::Space space, std::uint32_t bytes, SiteKind kind) {
        kernel::Site made;
        made.block = block;
        made.space = space;
        made.bytes = static_cast<std::int32_t>(bytes);
        made.kind = kind;
        code.regions[block].once.sites.push_back(static_cast<std::uint32_t>(kernel.sites.size()));
        kernel.sites.push_back(made);
        MachineAccess& access = accesses.emplace_back();
        access.bytes = bytes;
        access.kind = kind;
    }
    BlockTrace trace(const std::vector<Records>& warps) {
        RecordedBlock recorded;
        recorded.block = 7;
        for (const Records& records : warps) {
            RecordedBlock::Warp& warp = recorded.warps.emplace_back();
            warp.records = records.bytes;
            warp.windows.shared = {0x1000, 0x1000};
            warp.windows.local = {0x100000, 32 * 64};
            warp.windows.local_bytes = 64;
            warp.windows.params = {0x3000, 0x100};
            recorded.record_bytes += events::whole_bytes(records.bytes);
        }
        recorded.record_bytes *= more_bytes;
        return TraceMaker(code, kernel, accesses, most, each).trace(recorded);
    }
    // The access of a step, or null.
    static const Access* access_of(const BlockTrace& trace, std::size_t step, std::size_t ordinal) {
        const WarpTrace& warp = trace.warps[0];
        const std::uint32_t index = warp.accesses.at(warp.steps.at(step).first_access + ordinal);
        return index == WarpTrace::no_access ? nullptr : &trace.accesses.at(index);
    }

    kernel::Kernel kernel;
    Code code;
    std::vector<MachineAccess> accesses;
    std::uint64_t more_bytes = 1;
    double most = INFINITY;
    bool each = true;
};

TEST_F(TraceTest, StepsAndAccesses) {
    const BlockTrace made =
        trace({Records().block(0).linear(0, 4096, 4).linear(1, 8192, 4, 0xffff).block(1)});
    EXPECT_EQ(made.block, 7u);
    ASSERT_EQ(made.warps.size(), 1u);
    ASSERT_EQ(made.warps[0].steps.size(), 2u);
    EXPECT_EQ(made.warps[0].steps[0].region, 0u);
    EXPECT_EQ(made.warps[0].steps[1].region, 1u);
    const Access* load = access_of(made, 0, 0);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->site, 0u);
    EXPECT_EQ(load->kind, SiteKind::load);
    EXPECT_EQ(load->memory, Memory::global);
    EXPECT_EQ(load->lanes, 32);
    EXPECT_EQ(load->lane_bytes, 4);
    EXPECT_EQ(load->lines, 1);
    EXPECT_EQ(load->sectors, 4);
    EXPECT_FALSE(load->partial);
    EXPECT_FALSE(load->one_address);
    EXPECT_EQ(made.lines[load->first_line].address, 4096u);
    const Access* store = access_of(made, 0, 1);
    ASSERT_TRUE(store);
    EXPECT_EQ(store->lanes, 16);
    EXPECT_EQ(store->sectors, 2);
    EXPECT_EQ(made.lines[store->first_line].address, 8192u);
    EXPECT_EQ(access_of(made, 1, 0), nullptr) << "no lane took part";
}

// What accesses in rows touch is found once for all that begin at the same place of a line, and must be what
// their lanes touch.
TEST_F(TraceTest, RegularAccessesAreAsTheirLanes) {
    site(0, ptx::Space::shared, 4, SiteKind::load);  // 3
    Records regular, by_lanes;
    const auto add = [&](std::uint32_t block, std::uint32_t site, std::uint64_t first, std::int32_t stride,
                         const std::vector<std::int64_t>& distances, std::uint32_t mask) {
        regular.block(block);
        by_lanes.block(block);
        std::vector<std::uint64_t> lanes;
        const std::size_t width = 32 / (distances.size() + 1);
        for (std::size_t lane = 0; lane < 32; ++lane)
            lanes.push_back(first +
                            static_cast<std::uint64_t>((lane / width ? distances[lane / width - 1] : 0) +
                                                       static_cast<std::int64_t>(lane % width) * stride));
        by_lanes.scattered(site, lanes, mask);
        if (distances.empty())
            regular.linear(site, first, stride, mask);
        else
            regular.rows(site, first, stride, distances, mask);
    };
    for (const std::uint32_t mask : {~0u, 0xff00ffu, 0x80000000u})
        for (const std::uint64_t first : {0x10000u, 0x10020u, 0x20000u, 0x20004u, 0x20074u, 0x30000u}) {
            for (const std::int32_t stride : {0, 4, 8, 256}) {
                add(0, 0, first, stride, {}, mask);
                add(0, 1, first, stride, {0x1000}, mask);
                add(0, 0, first, stride, {0x40, 0x80, -0x80}, mask);
            }
            add(0, 3, 0x1000 + first % 256, 4, {}, mask);
            add(0, 3, 0x1000 + first % 256, 0, {64}, mask);
            add(0, 3, 0x1000 + first % 256, 128, {4}, mask);
        }
    const BlockTrace made = trace({regular}), expected = trace({by_lanes});
    ASSERT_EQ(made.accesses.size(), expected.accesses.size());
    ASSERT_EQ(made.lines.size(), expected.lines.size());
    for (std::size_t i = 0; i < made.accesses.size(); ++i) {
        const Access &one = made.accesses[i], &other = expected.accesses[i];
        EXPECT_EQ(one.site, other.site);
        EXPECT_EQ(one.memory, other.memory);
        EXPECT_EQ(one.first_line, other.first_line) << i;
        EXPECT_EQ(one.lines, other.lines) << i;
        EXPECT_EQ(one.sectors, other.sectors) << i;
        EXPECT_EQ(one.wavefronts, other.wavefronts) << i;
        EXPECT_EQ(one.lanes, other.lanes);
        EXPECT_EQ(one.one_address, other.one_address);
        EXPECT_EQ(one.partial, other.partial);
    }
    for (std::size_t i = 0; i < made.lines.size(); ++i) {
        EXPECT_EQ(made.lines[i].address, expected.lines[i].address) << i;
        EXPECT_EQ(made.lines[i].sectors, expected.lines[i].sectors) << i;
    }
    EXPECT_EQ(made.warps[0].accesses, expected.warps[0].accesses);
    EXPECT_DOUBLE_EQ(made.kept, 1.0);
}

// Where nobody changes them.
TEST_F(TraceTest, SharedAccessesThatAreTheSameStandOnce) {
    site(0, ptx::Space::shared, 4, SiteKind::load);  // 3
    const auto records = Records()
                             .block(0)
                             .linear(3, 0x1000, 4)
                             .linear(0, 0x10000, 4)
                             .block(0)
                             .linear(3, 0x1020, 4)
                             .linear(0, 0x10000, 4);
    const auto other = Records().block(0).linear(3, 0x1000, 8).block(0).linear(3, 0x1100, 4);
    const BlockTrace apart = trace({records, other, records});
    each = false;
    const BlockTrace once = trace({records, other, records});
    EXPECT_LT(once.accesses.size(), apart.accesses.size());
    EXPECT_EQ(once.lines.size(), apart.lines.size());
    for (std::size_t w = 0; w < apart.warps.size(); ++w) {
        ASSERT_EQ(once.warps[w].accesses.size(), apart.warps[w].accesses.size());
        for (std::size_t i = 0; i < apart.warps[w].accesses.size(); ++i) {
            const std::uint32_t one = once.warps[w].accesses[i], same = apart.warps[w].accesses[i];
            ASSERT_EQ(one == WarpTrace::no_access, same == WarpTrace::no_access);
            if (one == WarpTrace::no_access) continue;
            const Access &kept = once.accesses.at(one), &expected = apart.accesses.at(same);
            EXPECT_EQ(kept.site, expected.site);
            EXPECT_EQ(kept.memory, expected.memory);
            EXPECT_EQ(kept.wavefronts, expected.wavefronts);
            EXPECT_EQ(kept.lines, expected.lines);
            if (kept.lines) {
                EXPECT_EQ(kept.first_line, expected.first_line);
            }
        }
    }
}

TEST_F(TraceTest, AWarpIsCutAfterTooManyInstructions) {
    code.regions[0].once.instructions = 10;
    code.regions[1].once.instructions = 5;
    const auto records = Records().block(0).block(1).linear(2, 0x8000, 4).block(1).block(2).block(0);
    most = 20;
    const BlockTrace made = trace({records});
    ASSERT_EQ(made.warps[0].steps.size(), 3u) << "10, 5 and 5 instructions";
    EXPECT_NE(access_of(made, 1, 0), nullptr);
    EXPECT_GT(made.kept, 0.5);
    EXPECT_LT(made.kept, 1);
    most = 1;  // less than a block has
    EXPECT_EQ(trace({records}).warps[0].steps.size(), 1u);
    EXPECT_GT(trace({records}).kept, 0);
    most = 30;
    EXPECT_EQ(trace({records}).kept, 1);
}

TEST_F(TraceTest, EachEntryHasItsOwnAccesses) {
    const BlockTrace made =
        trace({Records().block(1).linear(2, 0x8000, 4).block(0).block(1).linear(2, 0x9000, 128)});
    ASSERT_EQ(made.warps[0].steps.size(), 3u);
    EXPECT_EQ(access_of(made, 0, 0)->lines, 1);
    EXPECT_EQ(access_of(made, 1, 0), nullptr);
    EXPECT_EQ(access_of(made, 2, 0)->lines, 32);
}

TEST_F(TraceTest, StoresOfPartsOfSectors) {
    // Every second word; half a sector; a byte.
    for (auto [stride, mask, partial] : {std::tuple{std::int64_t{8}, ~0u, true},
                                         {std::int64_t{4}, 0xfu, true},
                                         {std::int64_t{4}, 0xffu, false},
                                         {std::int64_t{4}, 1u, true}}) {
        const BlockTrace made = trace({Records().block(0).linear(1, 0, stride, mask)});
        EXPECT_EQ(access_of(made, 0, 1)->partial, partial) << stride << " " << mask;
    }
}

TEST_F(TraceTest, GenericAddressesSayWhichMemory) {
    const auto memory = [&](std::uint64_t address) {
        return access_of(trace({Records().block(1).linear(2, address, 4)}), 0, 0)->memory;
    };
    EXPECT_EQ(memory(0x1000), Memory::shared);
    EXPECT_EQ(memory(0x100000), Memory::local);
    EXPECT_EQ(memory(0x3000), Memory::constant);
    EXPECT_EQ(memory(0x9000), Memory::global);
}

TEST_F(TraceTest, SharedMemoryHasWavefrontsAndNoLines) {
    const BlockTrace straight = trace({Records().block(1).linear(2, 0x1000, 4)});
    EXPECT_EQ(access_of(straight, 0, 0)->wavefronts, 1);
    EXPECT_EQ(access_of(straight, 0, 0)->lines, 0);
    // A stride of two words: two lanes a bank.
    EXPECT_EQ(access_of(trace({Records().block(1).linear(2, 0x1000, 8)}), 0, 0)->wavefronts, 2);
    // All lanes in one bank, different words.
    EXPECT_EQ(access_of(trace({Records().block(1).linear(2, 0x1000, 128)}), 0, 0)->wavefronts, 32);
    // All lanes at one word: it is broadcast.
    EXPECT_EQ(access_of(trace({Records().block(1).linear(2, 0x1000, 0)}), 0, 0)->wavefronts, 1);
}

// Lane after lane 64 bytes in the records, but a word of all lanes together lies in one line.
TEST_F(TraceTest, LocalMemoryIsInterleaved) {
    const BlockTrace word = trace({Records().block(1).linear(2, 0x100000 + 8, 64)});
    const Access* access = access_of(word, 0, 0);
    EXPECT_EQ(access->memory, Memory::local);
    EXPECT_EQ(access->lines, 1);
    EXPECT_EQ(access->sectors, 4);
    accesses[2].bytes = 8;
    EXPECT_EQ(access_of(trace({Records().block(1).linear(2, 0x100000, 64)}), 0, 0)->lines, 2);
    accesses[2].bytes = 4;
    // Another word is another line, another warp has memory of its own, and the same word is the same line.
    const auto line = [&](const BlockTrace& made, std::size_t access) {
        return made.lines[made.accesses[access].first_line].address;
    };
    const BlockTrace more = trace({Records()
                                       .block(1)
                                       .linear(2, 0x100000, 64)
                                       .block(1)
                                       .linear(2, 0x100004, 64)
                                       .block(1)
                                       .linear(2, 0x100000, 64),
                                   Records().block(1).linear(2, 0x100000, 64)});
    EXPECT_EQ(line(more, 1), line(more, 0) + 128);
    EXPECT_EQ(line(more, 2), line(more, 0));
    EXPECT_NE(line(more, 3), line(more, 0));
}

TEST_F(TraceTest, LanesThatMeetAtOneWord) {
    accesses[1].kind = SiteKind::reduction;
    const BlockTrace all = trace({Records().block(0).linear(1, 4096, 0)});
    EXPECT_TRUE(access_of(all, 0, 1)->one_address);
    EXPECT_EQ(access_of(all, 0, 1)->lanes, 32);
    // ptxas lets one lane act for all.
    accesses[1].one_lane_for_all = true;
    const BlockTrace one = trace({Records().block(0).linear(1, 4096, 0)});
    EXPECT_EQ(access_of(one, 0, 1)->lanes, 1);
    const BlockTrace spread = trace({Records().block(0).linear(1, 4096, 4)});
    EXPECT_FALSE(access_of(spread, 0, 1)->one_address);
    EXPECT_EQ(access_of(spread, 0, 1)->lanes, 32);
}

// What the L2 does for an atomic: parts of lines, and more for lanes that want the same word.
TEST_F(TraceTest, PassesOfAtomics) {
    accesses[1].kind = SiteKind::reduction;
    const auto passes = [&](const Records& records) {
        return int{access_of(trace({Records(records)}), 0, 1)->passes};
    };
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 4)), 4) << "a line";
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 0)), 32) << "one word";
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 128)), 32) << "a line a lane";
    EXPECT_EQ(passes(Records().block(0).scattered(1, {0, 4, 4, 8, 32, 36, 32, 32})), 2 + 3);
    accesses[1].compares = true;
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 4)), 8);
    accesses[1].compares = false;
    accesses[1].bytes = 8;
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 8)), 16);
    accesses[1].adds_floats = true;
    EXPECT_EQ(passes(Records().block(0).linear(1, 4096, 8)), 32);
}

TEST_F(TraceTest, ScatteredAddresses) {
    const BlockTrace made = trace({Records().block(0).scattered(0, {0, 1000, 5000, 1004})});
    EXPECT_EQ(access_of(made, 0, 0)->lanes, 4);
    EXPECT_EQ(access_of(made, 0, 0)->lines, 3);
    EXPECT_EQ(access_of(made, 0, 0)->sectors, 3);
    EXPECT_EQ(access_of(made, 0, 0)->wavefronts, 1) << "words of banks 0, 26, 2 and 27";
}

TEST_F(TraceTest, LoadsOfOneBank) {
    const BlockTrace made = trace({Records().block(0).scattered(0, {0, 128, 1024, 1028})});
    EXPECT_EQ(access_of(made, 0, 0)->wavefronts, 3);
}

// What became part of a wide access has no bytes of its own.
TEST_F(TraceTest, NothingWhereAnotherAccessHasTheBytes) {
    accesses[0].bytes = 0;
    const BlockTrace made = trace({Records().block(0).linear(0, 4096, 4)});
    EXPECT_EQ(access_of(made, 0, 0), nullptr);
    EXPECT_TRUE(made.accesses.empty());
}

TEST_F(TraceTest, BlocksIssuedWithAnotherAreNoSteps) {
    site(0, ptx::Space::global, 4, SiteKind::load);  // site 3, third of region 0 …
    kernel.sites[3].block = 2;                       // … from block 2
    const BlockTrace made = trace({Records().block(0).block(2).linear(3, 4096, 4)});
    ASSERT_EQ(made.warps[0].steps.size(), 1u);
    ASSERT_TRUE(access_of(made, 0, 2));
    EXPECT_EQ(access_of(made, 0, 2)->site, 3u);
}

TEST_F(TraceTest, OneRecordForBlocksThatFollow) {
    code.follows[0] = {1};
    const BlockTrace made = trace({Records().block(0).linear(0, 4096, 4).linear(2, 0x9000, 4)});
    ASSERT_EQ(made.warps[0].steps.size(), 2u);
    EXPECT_TRUE(access_of(made, 0, 0));
    EXPECT_TRUE(access_of(made, 1, 0));
}

TEST_F(TraceTest, Splits) {
    const BlockTrace made = trace({Records().block(0).split(0, ~0u, 0xff).block(1).block(0)});
    EXPECT_TRUE(made.warps[0].steps[0].split);
    EXPECT_FALSE(made.warps[0].steps[1].split);
    EXPECT_FALSE(made.warps[0].steps[2].split);
}

// Ten turns of a loop that was unrolled four times: two times four, and two alone.
TEST_F(TraceTest, TurnsOfAnUnrolledLoopAreJoined) {
    code.regions[1].unroll = 4;
    Records records;
    records.block(0);
    for (std::uint64_t i = 0; i < 10; ++i) records.block(1).linear(2, 0x9000 + i * 128, 4);
    records.block(0);
    const BlockTrace made = trace({records});
    const auto& steps = made.warps[0].steps;
    ASSERT_EQ(steps.size(), 1u + 2 + 2 + 1);
    EXPECT_FALSE(steps[0].unrolled);
    EXPECT_TRUE(steps[1].unrolled);
    EXPECT_TRUE(steps[2].unrolled);
    EXPECT_FALSE(steps[3].unrolled);
    EXPECT_FALSE(steps[4].unrolled);
    EXPECT_EQ(steps[5].region, 0u);
    // The accesses of a joined step follow each other, turn by turn.
    for (std::size_t turn = 0; turn < 4; ++turn)
        EXPECT_EQ(made.lines[access_of(made, 2, turn)->first_line].address, 0x9000 + (4 + turn) * 128);
    EXPECT_EQ(made.lines[access_of(made, 3, 0)->first_line].address, 0x9000u + 8 * 128);
}

TEST_F(TraceTest, TheShareThatWasKept) {
    more_bytes = 4;
    const BlockTrace made = trace({Records().block(0)});
    EXPECT_DOUBLE_EQ(made.kept, 0.25);
    more_bytes = 1;
    EXPECT_DOUBLE_EQ(trace({Records().block(0)}).kept, 1);
}

TEST_F(TraceTest, WarpsWithoutRecords) {
    const BlockTrace made = trace({Records().block(0), Records()});
    ASSERT_EQ(made.warps.size(), 2u);
    EXPECT_TRUE(made.warps[1].steps.empty());
}

}  // namespace
}  // namespace lockstep::timing
