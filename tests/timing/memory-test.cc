// The L2 cache and device memory of an H200, as all SMs together see them.
#include "timing/memory.h"

#include <gtest/gtest.h>

#include "timing/fit.h"
#include "timing/models.h"

namespace lockstep::timing {
namespace {

constexpr Line line_at(std::uint64_t number, std::uint8_t sectors = 0xf) {
    return {number * line_bytes, sectors};
}

// By a load of one line.
double read(MemorySystem& memory, const Line& line, std::uint32_t accessed, std::uint32_t site, double now) {
    UnderWay alone;
    return memory.read(line, accessed, site, now, alone);
}

// A launch of which a given share of all sectors comes from device memory.
L2Outcome outcome(double miss_share, double read_bytes = 1, double write_bytes = 0) {
    L2Outcome made;
    made.miss_share = {miss_share};
    made.read_bytes = read_bytes;
    made.write_bytes = made.written_bytes = write_bytes;
    return made;
}

class MemoryTest : public testing::Test {
  protected:
    // Bytes a cycle of `count` reads of whole lines that are all asked for at once, after the first has come.
    // Of the last hundred the middle one counts: single reads may wait much longer.
    double read_rate(MemorySystem& memory, int count) {
        std::vector<double> arrivals;
        for (int i = 0; i < count; ++i)
            arrivals.push_back(read(memory, line_at(static_cast<std::uint64_t>(i)), 4, 0, 0));
        std::nth_element(arrivals.end() - 100, arrivals.end() - 50, arrivals.end());
        return (count - 50) * 128.0 / (arrivals[arrivals.size() - 50] - arrivals[0]);
    }
    double peak() const { return gpu.memory_bandwidth_gbs * 1000.0 / gpu.clock_mhz; }

    gpu::GpuModel gpu = h200();
};

TEST_F(MemoryTest, LatencyOfAnIdleMemory) {
    const L2Outcome all = outcome(1), none = outcome(0);
    MemorySystem misses(gpu, 1, &all, 1), hits(gpu, 1, &none, 1), lines(gpu, 1, nullptr, 1);
    EXPECT_NEAR(read(misses, line_at(1, 1), 1, 0, 1000) - 1000, gpu.memory_latency_cycles, 2);
    EXPECT_NEAR(read(hits, line_at(1, 1), 1, 0, 1000) - 1000, gpu.timing.l2_latency, 1);
    // Line by line: first a miss, then a hit.
    EXPECT_NEAR(read(lines, line_at(1), 4, 0, 1000) - 1000, gpu.memory_latency_cycles, 2);
    EXPECT_NEAR(read(lines, line_at(1), 4, 0, 3000) - 3000, gpu.timing.l2_latency, 1);
}

TEST_F(MemoryTest, FurtherLinesOfAWarpComeLater) {
    const L2Outcome all = outcome(1), none = outcome(0);
    MemorySystem misses(gpu, 1, &all, 1), hits(gpu, 1, &none, 1);
    const double each = gpu.timing.dram_line_cycles, most = gpu.timing.dram_most_line_cycles;
    UnderWay cold, warm;
    for (std::uint64_t i = 0; i < 32; ++i) {  // of pages far apart, a half of a line each
        const double more = std::min(static_cast<double>(i) * each, most);
        EXPECT_NEAR(misses.read(line_at(64 * i, 1), 1, 0, 0, cold), gpu.memory_latency_cycles + more, 12);
        EXPECT_NEAR(hits.read(line_at(64 * i, 1), 1, 0, 0, warm), gpu.timing.l2_latency, 2);
    }
    EXPECT_GT(most, 10 * each);
    // When all have come, it begins anew.
    const double later = 3 * gpu.memory_latency_cycles;
    EXPECT_NEAR(misses.read(line_at(9), 4, 0, later, cold) - later, gpu.memory_latency_cycles, 12);
    // A whole line is brought in two pieces; one of the same page costs less.
    EXPECT_NEAR(misses.read(line_at(99), 4, 0, later, cold) - later, gpu.memory_latency_cycles + 2 * each,
                12);
    EXPECT_NEAR(misses.read(line_at(100), 4, 0, later, cold) - later,
                gpu.memory_latency_cycles + (2 + fit::dram_page_share) * each, 12);
}

TEST_F(MemoryTest, ReadsReachTheBandwidthOfDeviceMemory) {
    const L2Outcome all = outcome(1);
    MemorySystem memory(gpu, 1, &all, 1);
    const double expected = peak() * gpu.timing.dram_read_efficiency;
    EXPECT_NEAR(read_rate(memory, 100000), expected, 0.02 * expected);
    EXPECT_EQ(memory.totals().dram_read_bytes, 100000 * 128.0);
    EXPECT_EQ(memory.totals().l2_reads, 400000);
    EXPECT_EQ(memory.totals().l2_hits, 0);
    EXPECT_NEAR(memory.dram_busy(), 100000 * 128 / expected, 1);
}

TEST_F(MemoryTest, HitsReachTheBandwidthOfTheL2) {
    const L2Outcome none = outcome(0);
    MemorySystem memory(gpu, 1, &none, 1);
    // A request of a piece takes less than its reply of 128 bytes.
    EXPECT_NEAR(read_rate(memory, 100000), gpu.timing.l2_read_bytes_per_cycle,
                0.02 * gpu.timing.l2_read_bytes_per_cycle);
    EXPECT_EQ(memory.totals().l2_hits, 400000);
    EXPECT_EQ(memory.dram_busy(), 0);
}

TEST_F(MemoryTest, SomeSmsHaveTheirShareOfTheBandwidth) {
    const L2Outcome all = outcome(1);
    MemorySystem memory(gpu, 0.25, &all, 1);
    const double expected = peak() * gpu.timing.dram_read_efficiency / 4;
    EXPECT_NEAR(read_rate(memory, 20000), expected, 0.02 * expected);
}

TEST_F(MemoryTest, TheShareOfMissesIsKept) {
    for (double share : {0.1, 0.25, 0.5, 0.9}) {
        const L2Outcome some = outcome(share);
        MemorySystem memory(gpu, 1, &some, 1);
        read_rate(memory, 10000);
        EXPECT_NEAR(1 - memory.totals().l2_hits / memory.totals().l2_reads, share, 0.001);
    }
    // What the L1 had counts too: with half of all sectors from there, half of the rest misses where a
    // quarter of all does.
    const L2Outcome some = outcome(0.25);
    MemorySystem memory(gpu, 1, &some, 1);
    for (std::uint64_t i = 0; i < 10000; ++i) {
        memory.note_l1_hits(4, 0, 0);
        read(memory, line_at(i), 4, 0, 0);
    }
    EXPECT_NEAR(memory.totals().l2_hits / memory.totals().l2_reads, 0.5, 0.001);
}

// By the sample one site misses; in the SM another one is first, and brings the lines.
TEST_F(MemoryTest, MissesFollowTheSiteThatBringsTheLine) {
    L2Outcome some = outcome(0);
    some.miss_share = {1, 0};
    MemorySystem memory(gpu, 1, &some, 2);
    for (std::uint64_t i = 0; i < 10000; ++i) {
        read(memory, line_at(i), 4, 1, 0);
        memory.note_l1_hits(4, 0, 1);
    }
    EXPECT_NEAR(memory.totals().l2_hits, 0, 8);
}

TEST_F(MemoryTest, WritesGoInPieces) {
    const L2Outcome none = outcome(0);
    for (bool partial : {false, true}) {
        MemorySystem memory(gpu, 1, &none, 1);
        double last = 0;
        for (std::uint64_t i = 0; i < 50000; ++i) last = std::max(last, memory.write(line_at(i), partial, 0));
        // Four sectors, and one piece more where bytes are missing.
        EXPECT_NEAR(last, 50000.0 * (partial ? 5 : 4) * 32 / gpu.timing.l2_write_bytes_per_cycle, 2);
    }
    EXPECT_EQ(write_pieces(4, false), 4u);
    EXPECT_EQ(write_pieces(1, true), 2u);
}

// streams.csv: arrays that are copied take what is read and what is written one after the other, though no
// byte of them goes back to device memory.
TEST_F(MemoryTest, WhatComesIsWrittenIntoTheL2AsStoresAre) {
    const L2Outcome all = outcome(1);
    constexpr int lines = 50000;
    double apart = 0;
    for (const bool reads : {true, false}) {
        MemorySystem memory(gpu, 1, &all, 1);
        double last = 0;
        for (std::uint64_t i = 0; i < lines; ++i)
            last = std::max(last,
                            reads ? read(memory, line_at(i), 4, 0, 0) : memory.write(line_at(i), false, 0));
        apart += last;
    }
    MemorySystem memory(gpu, 1, &all, 1);
    double together = 0;
    for (std::uint64_t i = 0; i < lines; ++i) {
        together = std::max(together, read(memory, line_at(i), 4, 0, 0));
        together = std::max(together, memory.write(line_at(lines + i), false, 0));
    }
    EXPECT_NEAR(together, apart, 0.1 * apart);
    EXPECT_EQ(memory.totals().dram_write_bytes, 0);
}

// What joined others in the L1 is part of what is written back.
TEST_F(MemoryTest, JoinedStoresAreWrittenBackWithOthers) {
    const L2Outcome written = outcome(0, 0, 1e6);
    MemorySystem memory(gpu, 1, &written, 1);
    memory.note_joined(12);
    memory.write(line_at(1), false, 0);
    memory.write(line_at(2), false, 0);
    EXPECT_EQ(memory.totals().l2_writes, 8);
    EXPECT_EQ(memory.totals().dram_write_bytes, (4 + 12 + 4) * 32.0);
}

TEST_F(MemoryTest, SmsTakeTurnsAtTheirFirstTranslation) {
    for (const double share : {1.0, 0.25}) {
        const L2Outcome none = outcome(0);
        MemorySystem memory(gpu, share, &none, 1);
        const double turn = fit::translation_turn / share;
        for (int sm = 1; sm <= 3; ++sm)
            EXPECT_DOUBLE_EQ(memory.translate(100), 100 + sm * turn + gpu.timing.dram_first_load_cycles);
    }
}

// Another SM has asked for the same line, and it has not come yet.
TEST_F(MemoryTest, WhatIsOnItsWayIsWaitedFor) {
    MemorySystem lines(gpu, 1, nullptr, 1);
    const double first = read(lines, line_at(1), 4, 0, 1000);
    EXPECT_NEAR(read(lines, line_at(1), 4, 0, 1100), first, 2);
    EXPECT_NEAR(read(lines, line_at(1), 4, 0, first) - first, gpu.timing.l2_latency, 1);

    const double more = fit::others_wait * (gpu.memory_latency_cycles - gpu.timing.l2_latency);
    for (const double share : {0.0, 0.5, 1.0}) {
        L2Outcome some = outcome(0);
        some.wait_share = {share};
        MemorySystem memory(gpu, 1, &some, 1);
        double sum = 0;
        for (std::uint64_t i = 0; i < 100; ++i)
            sum += read(memory, line_at(i), 4, 0, 1000.0 * i) - 1000.0 * i - gpu.timing.l2_latency;
        EXPECT_NEAR(sum / 100, share * more, 8) << share;
        EXPECT_EQ(memory.totals().dram_read_bytes, 0);
    }
}

TEST_F(MemoryTest, WritesThatComeBackTakeDeviceMemory) {
    const L2Outcome written = outcome(0, 0, 1e6);
    MemorySystem memory(gpu, 1, &written, 1);
    double last = 0;
    for (std::uint64_t i = 0; i < 100000; ++i) last = std::max(last, memory.write(line_at(i), false, 0));
    const double expected =
        std::min(peak() * gpu.timing.dram_write_efficiency, double(gpu.timing.l2_write_bytes_per_cycle));
    EXPECT_NEAR(100000 * 128 / last, expected, 0.02 * expected);
    EXPECT_EQ(memory.totals().dram_write_bytes, 100000 * 128.0);
}

TEST_F(MemoryTest, EfficiencyOfMixtures) {
    const gpu::TimingFigures& t = gpu.timing;
    EXPECT_DOUBLE_EQ(dram_efficiency(t, 1, 0), t.dram_read_efficiency);
    EXPECT_DOUBLE_EQ(dram_efficiency(t, 0, 1), t.dram_write_efficiency);
    EXPECT_DOUBLE_EQ(dram_efficiency(t, 5, 5), t.dram_mixed_efficiency);
    EXPECT_DOUBLE_EQ(dram_efficiency(t, 0, 0), t.dram_read_efficiency);
    EXPECT_LT(dram_efficiency(t, 3, 1), t.dram_read_efficiency);
    EXPECT_GT(dram_efficiency(t, 3, 1), t.dram_mixed_efficiency);
}

// Reads at a steady rate: the busier the memory, the longer each takes.
TEST_F(MemoryTest, LatencyGrowsWithLoad) {
    double before = 0;
    for (double use : {0.05, 0.3, 0.5, 0.7}) {
        const L2Outcome all = outcome(1);
        MemorySystem memory(gpu, 1, &all, 1);
        const double apart = 128 / (peak() * gpu.timing.dram_read_efficiency * use);
        double now = 0, latency = 0;
        int counted = 0;
        for (std::uint64_t i = 0; now < 30000; ++i, now += apart) {
            const double took = read(memory, line_at(i), 4, 0, now) - now;
            if (now > 20000) latency += took, ++counted;
        }
        latency /= counted;
        EXPECT_GT(latency, before + 1) << use;
        // As the figures say it: so many cycles times u / (1 - u).
        EXPECT_NEAR(latency, gpu.memory_latency_cycles + gpu.timing.dram_queue_read * use / (1 - use), 15)
            << use;
        before = latency;
    }
}

TEST_F(MemoryTest, AMissBringsItsNeighbour) {
    MemorySystem memory(gpu, 1, nullptr, 1);
    read(memory, line_at(1, 1), 1, 0, 0);
    EXPECT_EQ(memory.totals().dram_read_bytes, 64);
    // Sector 1 came with sector 0, the others did not.
    read(memory, line_at(1, 2), 1, 0, 2000);
    EXPECT_EQ(memory.totals().l2_hits, 1);
    read(memory, line_at(1, 4), 1, 0, 4000);
    EXPECT_EQ(memory.totals().l2_hits, 1);
    EXPECT_EQ(memory.totals().dram_read_bytes, 128);
}

TEST_F(MemoryTest, ADirtyLineIsWrittenBackWhenItGoes) {
    gpu.timing.l2_effective_bytes = 16 * line_bytes;
    MemorySystem memory(gpu, 1, nullptr, 1);
    memory.write(line_at(1, 3), false, 0);
    for (std::uint64_t i = 2; i < 17; ++i) read(memory, line_at(i), 4, 0, 1000);
    EXPECT_EQ(memory.totals().dram_write_bytes, 0);
    read(memory, line_at(17), 4, 0, 2000);
    EXPECT_EQ(memory.totals().dram_write_bytes, 64);
}

TEST_F(MemoryTest, AtomicsAtOneAddressAreSlower) {
    const L2Outcome none = outcome(0);
    using Atomic = MemorySystem::Atomic;
    const auto rate = [&](const Atomic& request, std::uint64_t lines) {
        MemorySystem memory(gpu, 1, &none, 1);
        double last = 0;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            Atomic own = request;
            own.block = i;
            last = std::max(last, memory.atomic(line_at(i % lines), own, 0));
        }
        return 20000 * request.lanes / (last - gpu.timing.atomic_latency);
    };
    const double all = gpu.timing.atomics_per_cycle, one = gpu.timing.same_address_atomics_per_cycle;
    const Atomic spread{.lanes = 32, .passes = 4}, meeting{.lanes = 32, .meeting = 32},
        floats{.lanes = 32, .meeting = 32, .adds_floats = true};
    EXPECT_NEAR(rate(spread, 20000), all, 0.02 * all);
    EXPECT_NEAR(rate(meeting, 1), one, 0.02 * one);
    EXPECT_NEAR(rate(floats, 1), one / fit::atomic_float_turns, 0.02 * one);
    EXPECT_NEAR(rate(spread, 1), 32 / (fit::atomic_request + 4 * fit::atomic_pass), 0.2) << "a hot line";
    // As an H200 was measured (crowded.csv), by how many lines there are: the busiest slice takes its time.
    const Atomic one_word{.lanes = 32, .meeting = 32, .passes = 32};
    EXPECT_NEAR(rate(one_word, 4) / one, 2, 0.7);
    EXPECT_NEAR(rate(one_word, 32) / one, 7.4, 3.5);
    EXPECT_NEAR(rate(one_word, 512) / one, 43, 43) << "kilobytes are spread more evenly here";
    MemorySystem memory(gpu, 1, &none, 1);
    EXPECT_NEAR(memory.atomic(line_at(1, 1), {}, 100) - 100, gpu.timing.atomic_latency, 6);
}

// Of sums of which a part of the blocks is replayed: others come to the same lines, or to lines of their own.
TEST_F(MemoryTest, SumsOfOneBlockAloneLeaveOtherSlicesToOthers) {
    const L2Outcome none = outcome(0);
    constexpr double share = 1.0 / 16;
    const MemorySystem::Atomic request{.lanes = 32, .passes = 32};
    const double passes = fit::atomic_request + 32 * fit::atomic_pass;
    const auto each = [&](bool same_lines) {
        MemorySystem memory(gpu, share, &none, 1);
        double last = 0;
        for (std::uint64_t i = 0; i < 8000; ++i) {
            MemorySystem::Atomic own = request;
            own.block = i % 8 * 16;
            const std::uint64_t kilobyte = same_lines ? 0 : own.block;
            last = std::max(last, memory.atomic(line_at(kilobyte * 8 + i / 8 % 8), own, 0));
        }
        return last / 8000;
    };
    EXPECT_NEAR(each(false), passes / (fit::atomic_spread * gpu.timing.l2_slices * share), 0.5)
        << "the slices of all";
    EXPECT_NEAR(each(true), passes / 2 / share, passes) << "all blocks at two slices";
}

// Where all attempts together take longer than a change, rounds are longer, and so is the time between
// changes.
TEST(Memory, ManyThatCompareAndSwapTakeTheLinesTime) {
    const gpu::GpuModel gpu = h200();
    const L2Outcome none = outcome(0);
    const double round = gpu.timing.atomic_latency + fit::swap_round;
    const auto last_of = [&](std::uint32_t warps) {
        MemorySystem memory(gpu, 1, &none, 1);
        const Word word[] = {{64, 1}};
        Access access;
        access.lanes = access.words = 1, access.lines = access.sectors = 1, access.partial = true;
        SwappedWords::Changed last;
        for (std::uint32_t warp = 0; warp < warps; ++warp) last = memory.swap(access, word, warp, 1000);
        double failed = 0;
        for (const auto& [site, rounds] : memory.failed_rounds()) failed += rounds.warps;
        return std::pair(last.at - 1000 - gpu.timing.atomic_latency, failed / warps);
    };
    const auto [few, few_failed] = last_of(4);
    EXPECT_NEAR(few, 3 * round, 1);
    EXPECT_NEAR(few_failed, (0 + 1 + 2 + 3) / 4.0, 0.01);
    const auto [many, many_failed] = last_of(2000);
    EXPECT_GT(many, 2000 * 1.5 * round);
    EXPECT_LT(many_failed, 700) << "a warp tries less often than words change";
    EXPECT_GT(many_failed, 100);
}

// The end of a launch waits until the L2 has what was stored.
TEST(Memory, SettlesWhenTheL2HasTheStores) {
    const gpu::GpuModel gpu = h200();
    const L2Outcome none = outcome(0);
    MemorySystem memory(gpu, 1, &none, 1);
    EXPECT_EQ(memory.settled(), 0);
    memory.write(line_at(1), false, 500);
    EXPECT_NEAR(memory.settled(), 500 + gpu.timing.l2_latency / 2.0, 5);
}

TEST(HostMemory, Ranges) {
    const HostRanges ranges({{0x1000, 0x2000}, {0x5000, 0x5080}});
    for (const std::uint64_t inside : {0x1000, 0x1fff, 0x5000, 0x507f}) EXPECT_TRUE(ranges.has(inside));
    for (const std::uint64_t outside : {0xfff, 0x2000, 0x4fff, 0x5080}) EXPECT_FALSE(ranges.has(outside));
    EXPECT_FALSE(HostRanges().has(0));
}

// Over the bus: none of it is the device's memory's, or kept by the L2.
TEST_F(MemoryTest, TheHosts) {
    const HostRanges host({{0, 1 << 20}});
    MemorySystem memory(gpu, 1, nullptr, 1, &host);
    const gpu::TimingFigures& figures = gpu.timing;
    const double bytes_a_cycle = figures.host_read_gbs * 1000 / gpu.clock_mhz;
    const double first = read(memory, {0, 0xf}, 4, 0, 0);
    EXPECT_GT(first, figures.host_first_cycles + figures.host_latency + figures.l2_latency);
    double last = 0;
    for (int i = 0; i < 1000; ++i) last = read(memory, {0, 0xf}, 4, 0, 1e6);
    EXPECT_NEAR(last - 1e6, 1000 * 128 / bytes_a_cycle + figures.host_latency + figures.l2_latency, 50);
    double apart = 0;
    for (int i = 0; i < 1000; ++i) apart = read(memory, {0, 0x1}, 1, 0, 2e6);
    const double way = figures.host_latency + figures.l2_latency;
    EXPECT_NEAR((apart - 2e6 - way) / (last - 1e6 - way), 0.75, 0.05);
    EXPECT_EQ(memory.totals().dram_read_bytes, 0);
    EXPECT_EQ(memory.totals().l2_hits, 0);
    // What is not in its ranges is not there.
    EXPECT_LT(read(memory, {2 << 20, 0xf}, 4, 0, 3e6) - 3e6, figures.host_latency);
    EXPECT_GT(memory.totals().dram_read_bytes, 0);
}

}  // namespace
}  // namespace lockstep::timing
