// Whole launches in time, from PTX to prediction, on an H200.
#include "timing/predict.h"

#include <gtest/gtest.h>

#include "timing/fit.h"
#include "timing/ptx-kernel.h"

namespace lockstep::timing {
namespace {

using timing::Bound;
using timing::Prediction;
using timing::WarpState;

// n rounds of 64 multiply-adds that wait for each other.
const std::string chain =
    "ld.param.u32 %r3, [n];\nmov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f3F800000;\nLOOP:\n"
    ".pragma \"nounroll\";\n" +
    repeated("fma.rn.f32 %f1, %f1, %f2, %f1;\n", 64) +
    "add.s32 %r3, %r3, -1;\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra LOOP;\n"
    "ld.param.u64 %rd1, [p];\nst.global.f32 [%rd1], %f1;\nret;";

// Every thread adds one to its word.
const std::string increment =
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r5, [%rd3];\nadd.s32 %r6, %r5, 1;\nst.global.u32 [%rd3], %r6;\nret;";

// Shared memory, barriers, a branch that splits, an atomic: what differs from block to block.
const std::string mixture =
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, tile;\nshl.b32 %r4, %r1, 2;\nadd.s32 %r5, %r3, %r4;\nmul.wide.u32 %rd2, %r1, 4;\n"
    "mul.wide.u32 %rd4, %r2, 512;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd3, %rd3, %rd4;\n"
    "and.b32 %r7, %r2, 3;\nadd.s32 %r9, %r9, %r7;\n"
    "LOOP:\n.pragma \"nounroll\";\nld.global.u32 %r6, [%rd3];\nst.shared.u32 [%r5], %r6;\nbar.sync 0;\n"
    "ld.shared.u32 %r8, [%r5];\nand.b32 %r10, %r1, 1;\nsetp.eq.s32 %p1, %r10, 0;\n@%p1 bra EVEN;\n" +
    repeated("mul.f32 %f1, %f1, %f2;\n", 30) +
    "EVEN:\nbar.sync 0;\nred.global.add.u32 [%rd1], %r8;\nadd.s32 %r9, %r9, -1;\n"
    "setp.ne.s32 %p2, %r9, 0;\n@%p2 bra LOOP;\nst.global.f32 [%rd3], %f1;\nret;";

// Every seventh block does twenty times as much.
const std::string uneven =
    "mov.u32 %r1, %ctaid.x;\nrem.u32 %r2, %r1, 7;\nsetp.eq.s32 %p1, %r2, 0;\nselp.b32 %r3, 100, 5, %p1;\n"
    "mov.f32 %f1, 0f3F800000;\nLOOP:\n.pragma \"nounroll\";\n" +
    repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 16) +
    "add.s32 %r3, %r3, -1;\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra LOOP;\n"
    "ld.param.u64 %rd1, [p];\nst.global.f32 [%rd1], %f1;\nret;";

// Block n does two thousand rounds, the others five.
const std::string straggler =
    "ld.param.u32 %r4, [n];\nmov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, %r4;\n"
    "selp.b32 %r3, 2000, 5, %p1;\nmov.f32 %f1, 0f3F800000;\nLOOP:\n.pragma \"nounroll\";\n" +
    repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 16) +
    "add.s32 %r3, %r3, -1;\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra LOOP;\n"
    "ld.param.u64 %rd1, [p];\nst.global.f32 [%rd1], %f1;\nret;";

void expect_same(const Prediction& a, const Prediction& b) {
    EXPECT_EQ(a.nanoseconds, b.nanoseconds);
    EXPECT_EQ(a.cycles, b.cycles);
    EXPECT_EQ(a.active_cycles, b.active_cycles);
    EXPECT_EQ(a.warps_active, b.warps_active);
    EXPECT_EQ(a.instructions, b.instructions);
    EXPECT_EQ(a.warps_eligible, b.warps_eligible);
    EXPECT_EQ(a.states, b.states);
    EXPECT_EQ(a.l1_sectors, b.l1_sectors);
    EXPECT_EQ(a.l1_hits, b.l1_hits);
    EXPECT_EQ(a.l2_read_sectors, b.l2_read_sectors);
    EXPECT_EQ(a.l2_write_sectors, b.l2_write_sectors);
    EXPECT_EQ(a.l2_hits, b.l2_hits);
    EXPECT_EQ(a.dram_read_bytes, b.dram_read_bytes);
    EXPECT_EQ(a.dram_write_bytes, b.dram_write_bytes);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.blocks_replayed, b.blocks_replayed);
    EXPECT_EQ(a.instructions_replayed, b.instructions_replayed);
    ASSERT_EQ(a.places.size(), b.places.size());
    for (std::size_t p = 0; p < a.places.size(); ++p) EXPECT_EQ(a.places[p].states, b.places[p].states);
}

// States add up, and those of places to all of them.
void expect_sound(const Prediction& prediction) {
    EXPECT_GT(prediction.nanoseconds, 0);
    double all = 0;
    for (double share : prediction.states) all += share;
    EXPECT_NEAR(all, 1, 1e-9);
    double sum = 0;
    std::array<double, timing::warp_states> places{};
    for (const Prediction::Place& place : prediction.places)
        for (std::size_t s = 0; s < places.size(); ++s) places[s] += place.states[s], sum += place.states[s];
    for (std::size_t s = 0; s < places.size(); ++s)
        EXPECT_NEAR(places[s] / sum, prediction.states[s], 1e-6) << "state " << s;
    EXPECT_LE(prediction.l1_hits, prediction.l1_sectors * (1 + 1e-9));
}

// And the time in which the ends of its blocks are noted, one after the other.
TEST(Predict, AnEmptyKernelTakesTheOverhead) {
    PtxKernel kernel("ret;");
    for (std::uint32_t blocks : {1u, 132u, 2112u}) {
        const Prediction prediction = kernel.predict(blocks, 32);
        const double ends =
            (blocks - 1) * kernel.gpu.timing.block_launch_cycles * 1000 / kernel.gpu.clock_mhz;
        EXPECT_NEAR(prediction.nanoseconds, kernel.gpu.timing.kernel_overhead_us * 1000 + ends, 70);
        EXPECT_EQ(prediction.bound, Bound::launch_overhead);
    }
}

// Changes of one word by many warps are a way to the L2 and back apart, unless they only look for the
// largest.
TEST(Predict, ALoopThatComparesAndSwapsTakesTurns) {
    const auto loop = [](const std::string& change, const std::string& address) {
        return "ld.param.u64 %rd1, [p];\nmov.u32 %r4, %tid.x;\nmul.wide.u32 %rd2, %r4, 4;\n" + address +
               "ld.global.u32 %r1, [%rd1];\nLOOP:\n" + change +
               "atom.global.cas.b32 %r3, [%rd1], %r1, %r2;\nsetp.ne.s32 %p1, %r3, %r1;\nmov.u32 %r1, %r3;\n"
               "@%p1 bra LOOP;\nret;";
    };
    const std::string add = "add.s32 %r2, %r1, 1;\n", own = "add.s64 %rd1, %rd1, %rd2;\n";
    PtxKernel one_word(loop(add, "")), own_words(loop(add, own)),
        largest(loop("max.s32 %r2, %r1, %r4;\n", ""));
    const double round = one_word.gpu.timing.atomic_latency + fit::swap_round;
    EXPECT_GT(one_word.predict(1, 128).cycles, 128 * round);
    EXPECT_LT(own_words.predict(1, 128).cycles, 10 * round);
    EXPECT_LT(largest.predict(1, 128).cycles, 64 * round);
}

// Rounds that fail because of other warps are in the counts: of four warps that meet at each word they fail
// 0 + 1 + 2 + 3 times.
TEST(Predict, RoundsThatFailAreCounted) {
    const std::string loop =
        "ld.param.u64 %rd1, [p];\nmov.u32 %r4, %tid.x;\nand.b32 %r4, %r4, 31;\nmul.wide.u32 %rd2, %r4, 4;\n"
        "add.s64 %rd1, %rd1, %rd2;\nld.global.u32 %r1, [%rd1];\nLOOP:\nadd.s32 %r2, %r1, 1;\n"
        "atom.global.cas.b32 %r3, [%rd1], %r1, %r2;\nsetp.ne.s32 %p1, %r3, %r1;\nmov.u32 %r1, %r3;\n"
        "@%p1 bra LOOP;\nret;";
    PtxKernel kernel(loop);
    const session::WatchedLaunch alone = kernel.run(1, 32), four = kernel.run(1, 128);
    const auto failed = [](const session::WatchedLaunch& launch) {
        double sum = 0;
        for (const auto& [site, rounds] : launch.counts->prediction->failed) sum += rounds.warps;
        return sum;
    };
    EXPECT_EQ(failed(alone), 0);
    EXPECT_NEAR(failed(four), 6, 0.5);
    EXPECT_EQ(alone.counts->totals.branches, 1u);
    EXPECT_EQ(four.counts->totals.branches, 4u + 6u);
    const auto in_loop = (four.counts->totals.executed - 4 * alone.counts->totals.executed) / 6;
    EXPECT_GE(in_loop, 5u);
    EXPECT_LE(in_loop, 7u);
    using counters::AccessType;
    EXPECT_EQ(four.counts->totals.of(counters::Memory::global, AccessType::atomic).instructions, 4u + 6u);
}

// Of shared memory ptxas makes the loop: of eight lanes at one word each tries until it is its turn.
TEST(Predict, SumsOfFloatsInSharedMemoryAreRounds) {
    const auto sum = [](const std::string& lanes) {
        return "mov.u32 %r1, %tid.x;\nmov.u32 %r3, tile;\n" + lanes +
               "add.u32 %r3, %r3, %r1;\nmov.f32 %f1, 0f3F800000;\nred.shared.add.f32 [%r3], %f1;\nret;";
    };
    PtxKernel apart(sum("shl.b32 %r1, %r1, 2;\n")), one(sum("mov.u32 %r1, 0;\n"));
    const auto counts = [](PtxKernel& kernel) { return kernel.run(1, 32).counts->totals; };
    EXPECT_EQ(counts(apart).branches, 1u);
    EXPECT_EQ(counts(one).branches, 32u);
    PtxKernel integers(
        "mov.u32 %r1, %tid.x;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r1;\n"
        "red.shared.add.u32 [%r3], %r1;\nret;");
    EXPECT_EQ(counts(integers).branches, 0u);
}

// Once, however many loads there are.
TEST(Predict, TheFirstLoadWaitsForItsTranslation) {
    PtxKernel kernel(increment, 1, 1 << 20);
    for (std::uint32_t blocks : {1u, 132u}) {
        double cycles[2];
        for (int wait : {0, 1}) {
            kernel.gpu.timing.dram_first_load_cycles = 500 * wait;
            cycles[wait] = kernel.predict(blocks, 256).cycles;
        }
        EXPECT_NEAR(cycles[1] - cycles[0], 500, 40) << blocks;
    }
}

TEST(Predict, ADependentMultiplyAddTakesFourCycles) {
    PtxKernel kernel(chain);
    const Prediction few = kernel.predict(1, 32, 100), many = kernel.predict(1, 32, 300);
    // 64 of four cycles a round, and the loop's branch.
    const double each = (many.cycles - few.cycles) / 200;
    EXPECT_GE(each, 64 * 4);
    EXPECT_LE(each, 64 * 4 + 16);
    EXPECT_EQ(many.bound, Bound::tail);  // one block: nearly all SMs are idle
    expect_sound(many);
}

TEST(Predict, ManyWarpsAreBoundByIssueSlotsOrThePipe) {
    PtxKernel kernel(chain);
    kernel.gpu.timing.policy = gpu::SchedulerPolicy::loose_round_robin;  // all end together
    const Prediction prediction = kernel.predict(132 * 8, 256, 100);
    // 16 warps a scheduler, 64 instructions a round that all issue: one a cycle.
    EXPECT_NEAR(kernel.work(prediction) * kernel.gpu.clock_mhz / 1000, 100 * 16 * 66, 0.1 * 100 * 16 * 66);
    EXPECT_TRUE(prediction.bound == Bound::issue_slots || prediction.bound == Bound::arithmetic);
    EXPECT_EQ(prediction.resident_blocks, 8u);
    EXPECT_NEAR(prediction.warps_active, 64, 4);
    expect_sound(prediction);
}

// Two fills of the SMs and twenty.
TEST(Predict, AGridTenTimesLargerTakesTenTimesAsLong) {
    PtxKernel kernel(chain, 2);
    const std::uint32_t fill = 132 * 8;
    const Prediction some = kernel.predict(fill * 2, 256, 10), many = kernel.predict(fill * 20, 256, 10);
    EXPECT_NEAR(kernel.work(many) / kernel.work(some), 10, 0.5);
    EXPECT_LT(many.blocks_replayed, fill * 20 / 10);
    // Counted for the whole launch, however few blocks were replayed.
    EXPECT_NEAR(many.instructions / some.instructions, 10, 0.1);
    expect_sound(many);
}

TEST(Predict, TheSameWithOneThreadAndTwo) {
    for (const std::string& body : {mixture, increment}) {
        PtxKernel one(body, 1, 1 << 22), two(body, 2, one);
        // Small and whole; large and sampled.
        for (std::uint32_t blocks : {3u, 140u, 5500u}) {
            const Prediction a = one.predict(blocks, 128, 3);
            expect_sound(a);
            expect_same(a, one.predict(blocks, 128, 3));
            expect_same(a, two.predict(blocks, 128, 3));
        }
    }
}

// With two threads watched blocks run first, and the replay beside the others.
TEST(Predict, WhoOnlyWantsTheTimeGetsTheSameWithOneThreadAndTwo) {
    for (const std::string& body : {mixture, increment, uneven}) {
        PtxKernel one(body, 1, 1 << 24), two(body, 2, one);
        for (std::uint32_t blocks : {140u, 5500u, 20000u}) {
            const session::TimedLaunch a = one.run_timed(blocks, 128, 3), b = two.run_timed(blocks, 128, 3);
            ASSERT_TRUE(a.prediction && b.prediction);
            expect_same(*a.prediction, *b.prediction);
        }
    }
}

// The last blocks trap, while the replay of those that were watched is under way.
TEST(Predict, ALaunchThatFailsAfterItsWatchedBlocks) {
    PtxKernel kernel("mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 15000;\n@%p1 ret;\ntrap;", 2);
    const session::TimedLaunch launch = kernel.run_timed(20000, 128);
    ASSERT_TRUE(launch.fault);
    EXPECT_EQ(launch.fault->kind, exec::FaultKind::trap);
    EXPECT_FALSE(launch.prediction);
}

// Each waits for the one before it, and a GPU holds few: they must begin in the order of the grid.
TEST(Predict, BlocksThatWaitForTheFirstRunInTheOrderOfTheGrid) {
    PtxKernel kernel(
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nadd.u32 %r4, %r1, 1;\nWAIT:\n"
        "ld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p1, %r2, %r1;\n@%p1 bra WAIT;\n"
        "st.volatile.global.u32 [%rd1], %r4;\nret;",
        2);
    kernel.gpu.sms = 2;
    const session::TimedLaunch launch = kernel.run_timed(3000, 1);
    EXPECT_FALSE(launch.fault);
    EXPECT_TRUE(launch.prediction);
}

TEST(Predict, StreamingReadsItsBytes) {
    constexpr std::uint32_t blocks = 16384, threads = 256;
    PtxKernel kernel(increment, 2, std::uint64_t{blocks} * threads * 4);
    const Prediction prediction = kernel.predict(blocks, threads);
    const double bytes = double{blocks} * threads * 4;
    EXPECT_NEAR(prediction.dram_read_bytes, bytes, 0.03 * bytes);
    EXPECT_NEAR(prediction.l1_sectors, 2 * bytes / 32, 0.02 * bytes / 32);
    EXPECT_NEAR(prediction.l2_read_sectors, bytes / 32, 0.02 * bytes / 32);
    EXPECT_NEAR(prediction.l2_write_sectors, bytes / 32, 0.02 * bytes / 32);
    // What a thread loads, it stores again.
    EXPECT_NEAR(prediction.l1_hits, bytes / 32, 0.02 * bytes / 32);
    // 16 MiB in, out of which the L2 writes nothing back while it fits: at most what the memory can do.
    EXPECT_GT(kernel.work(prediction), bytes / kernel.gpu.memory_bandwidth_gbs);
    expect_sound(prediction);
}

// Every block on every SM, against the sample: on a small GPU, so that the sample is of some blocks of all
// SMs.
TEST(Predict, DetailedAndSampledAgree) {
    for (const std::string* body : {&chain, &mixture, &increment, &uneven}) {
        PtxKernel kernel(*body, 2, 1 << 21);
        kernel.gpu.sms = 8;
        const Prediction sampled = kernel.predict(1600, 256, 5),
                         detailed = kernel.predict(1600, 256, 5, true);
        EXPECT_EQ(detailed.blocks_replayed, 1600);
        EXPECT_LT(sampled.blocks_replayed, 400);
        const auto name = [&] { return body->substr(0, 200); };
        EXPECT_NEAR(kernel.work(sampled) / kernel.work(detailed), 1, 0.07) << name();
        EXPECT_NEAR(sampled.instructions / detailed.instructions, 1, 0.02) << name();
        EXPECT_NEAR(sampled.l1_sectors / detailed.l1_sectors, 1, 0.02) << name();
        EXPECT_NEAR(sampled.l2_write_sectors / detailed.l2_write_sectors, 1, 0.02) << name();
        EXPECT_NEAR(sampled.warps_active / detailed.warps_active, 1, 0.07) << name();
        for (std::size_t s = 0; s < timing::warp_states; ++s)
            EXPECT_NEAR(sampled.states[s], detailed.states[s], 0.05) << name() << " state " << s;
        expect_sound(detailed);
    }
}

// No replayed SM has it, and the launch does not end before it does; which is later where it begins later.
TEST(Predict, ALaunchEndsWithItsLongestBlock) {
    PtxKernel one(straggler), two(straggler, 2, one);
    constexpr std::uint32_t blocks = 40000, none = ~0u;
    const double even = one.work(one.predict(blocks, 32, none));
    double before = 2 * even;
    for (const std::uint32_t number : {46u, 20020u, 39999u}) {
        const Prediction sampled = one.predict(blocks, 32, number);
        EXPECT_GT(one.work(sampled), before) << number;
        before = one.work(sampled);
        EXPECT_NEAR(one.work(sampled) / one.work(one.predict(blocks, 32, number, true)), 1, 0.1) << number;
        expect_same(sampled, two.predict(blocks, 32, number));
        expect_sound(sampled);
    }
}

// Blocks that wait for each other are executed in turns; each is one block all the same.
TEST(Predict, BlocksThatWaitForEachOther) {
    PtxKernel kernel(
        "ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 1;\nWAIT:\n"
        "ld.volatile.global.u32 %r2, [%rd1];\nsetp.lt.u32 %p1, %r2, 20;\n@%p1 bra WAIT;\nret;");
    const Prediction prediction = kernel.predict(20, 1);
    EXPECT_EQ(prediction.blocks_replayed, 8);
    EXPECT_GT(prediction.instructions_replayed, 8 * 5);
    expect_sound(prediction);
}

// The first block takes long and fails. The others, on another thread, are as far ahead by then as they may
// be: nobody waits for the first one any more.
TEST(Predict, ALaunchThatFailsWhileBlocksAreFarAhead) {
    PtxKernel kernel(
        "mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nmov.u32 %r2, 0;\n"
        "LOOP:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 20000000;\n@%p2 bra LOOP;\ntrap;",
        2);
    kernel.gpu.sms = 1;
    const session::WatchedLaunch launch = kernel.run(1000, 32, 0, true);
    ASSERT_TRUE(launch.fault);
    EXPECT_EQ(launch.fault->kind, exec::FaultKind::trap);
}

TEST(Predict, ASecondModelIsSlower) {
    PtxKernel kernel(chain);
    const double before = kernel.predict(132 * 8, 256, 50).nanoseconds;
    kernel.gpu.clock_mhz /= 2;
    EXPECT_GT(kernel.predict(132 * 8, 256, 50).nanoseconds, 1.8 * before);
}

// A chain of divisions of zero calls a routine of 34 instructions for each, which is counted and takes time.
TEST(Predict, SlowWaysOfDivisionsTakeTime) {
    constexpr int divisions = 16, more = 34;
    PtxKernel kernel(std::string(ptx_head) + "ld.param.u32 %r3, [n];\ncvt.rn.f32.u32 %f1, %r3;\n" +
                     repeated("div.rn.f32 %f1, %f1, 0f40400000;\n", divisions) +
                     "st.global.f32 [%rd2], %f1;\nret;");
    const session::WatchedLaunch slow = kernel.run(1, 32, 0), usual = kernel.run(1, 32, 1);
    ASSERT_FALSE(slow.fault || usual.fault);
    EXPECT_EQ(slow.counts->totals.executed - usual.counts->totals.executed, divisions * more);
    const double cycles = (kernel.work(*slow.counts->prediction) - kernel.work(*usual.counts->prediction)) *
                          kernel.gpu.clock_mhz / 1000;
    EXPECT_GT(cycles, divisions * more);
    EXPECT_LT(cycles, divisions * more * kernel.gpu.timing.branch_latency);
}

}  // namespace
}  // namespace lockstep::timing
