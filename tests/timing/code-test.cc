// From PTX to what is issued.
#include "timing/code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "timing/ptx-kernel.h"

namespace lockstep::timing {
namespace {

std::vector<Op> of_unit(const Section& section, Unit unit) {
    std::vector<Op> found;
    for (const Op& op : section.ops)
        if (op.unit == unit) found.push_back(op);
    return found;
}
bool reads(const Op& op, std::uint16_t slot) {
    return std::find(op.sources.begin(), op.sources.begin() + op.source_count, slot) !=
           op.sources.begin() + op.source_count;
}
std::string head() { return ptx_head; }

TEST(Code, AllOfTheViewIsIssued) {
    const PtxKernel kernel(head() +
                           "ld.global.f32 %f1, [%rd2];\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"
                           "st.global.f32 [%rd2], %f2;\nret;");
    ASSERT_EQ(kernel.variant.code.regions.size(), 1u);
    EXPECT_EQ(kernel.variant.code.issued_with, std::vector<std::uint32_t>{0});
    std::uint32_t issues = 0;
    for (const machine::Instruction& instruction : kernel.variant.views[0].blocks[0].code)
        issues += instruction.issues;
    EXPECT_EQ(kernel.region().once.instructions, issues);
    EXPECT_EQ(kernel.region().unroll, 1u);
    EXPECT_EQ(of_unit(kernel.region().once, Unit::memory).size(), 2u);
    EXPECT_EQ(of_unit(kernel.region().once, Unit::fma).size(), 1u);
}

TEST(Code, LatenciesAreTheModels) {
    const PtxKernel kernel(head() +
                           "ld.global.f32 %f1, [%rd2];\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"
                           "add.s32 %r3, %r1, %r2;\nst.global.f32 [%rd2], %f2;\n"
                           "st.global.u32 [%rd2], %r3;\nret;");
    const Section& code = kernel.region().once;
    ASSERT_EQ(of_unit(code, Unit::fma).size(), 1u);
    EXPECT_EQ(of_unit(code, Unit::fma)[0].latency, kernel.gpu.timing.fma.latency);
    for (const Op& op : of_unit(code, Unit::alu)) EXPECT_EQ(op.latency, kernel.gpu.timing.alu.latency);
    EXPECT_GE(of_unit(code, Unit::alu).size(), 1u);
}

TEST(Code, AnInstructionWaitsForThoseWhoseResultsItReads) {
    const PtxKernel kernel(head() +
                           "ld.global.f32 %f1, [%rd2];\nmul.f32 %f2, %f1, %f1;\n"
                           "st.global.f32 [%rd2], %f2;\nret;");
    const Section& code = kernel.region().once;
    const auto memory = of_unit(code, Unit::memory);
    const Op product = of_unit(code, Unit::fma).at(0), load = memory.at(0), store = memory.at(1);
    EXPECT_TRUE(load.reads_memory);
    EXPECT_FALSE(store.reads_memory);
    ASSERT_EQ(load.target_count, 1);
    EXPECT_TRUE(reads(product, load.targets[0]));
    EXPECT_TRUE(reads(store, product.targets[0]));
    EXPECT_EQ(store.target_count, 0);
}

// The product and the sum of an address are one multiply-add; the constant offset is part of the access.
TEST(Code, FoldedAddressesPassTheWaitOn) {
    const PtxKernel kernel(head() +
                           "add.s64 %rd4, %rd2, 16;\nld.global.f32 %f1, [%rd4];\n"
                           "st.global.f32 [%rd2], %f1;\nret;");
    const Section& code = kernel.region().once;
    const auto address = of_unit(code, Unit::imad);
    ASSERT_EQ(address.size(), 1u);
    for (const Op& op : of_unit(code, Unit::memory)) EXPECT_TRUE(reads(op, address[0].targets[0]));
}

TEST(Code, NeighbouringLoadsAreOne) {
    const std::string start = head() + "mov.u32 %r4, tile;\n";
    const std::string loads =
        "ld.shared.f32 %f1, [%r3];\nld.shared.f32 %f2, [%r3+4];\nld.shared.f32 %f3, [%r3+8];\n"
        "ld.shared.f32 %f4, [%r3+12];\nadd.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\n"
        "add.f32 %f7, %f5, %f6;\nst.global.f32 [%rd2], %f7;\nret;";
    const PtxKernel wide(start + "shl.b32 %r5, %r1, 4;\nadd.s32 %r3, %r4, %r5;\n" + loads);
    const Section& code = wide.region().once;
    ASSERT_EQ(code.sites.size(), 2u);
    EXPECT_TRUE(code.shared[0]);
    EXPECT_FALSE(code.shared[1]);
    const auto memory = of_unit(code, Unit::memory);
    ASSERT_EQ(memory.size(), 2u);
    EXPECT_EQ(memory[0].target_count, 4);
    EXPECT_EQ(wide.variant.accesses[code.sites[0]].bytes, 16u);
    // All who read one of the four wait for it.
    for (const Op& op : of_unit(code, Unit::fma)) EXPECT_GT(op.source_count, 0);
    const PtxKernel narrow(start + "shl.b32 %r5, %r1, 2;\nadd.s32 %r3, %r4, %r5;\n" + loads);
    EXPECT_EQ(of_unit(narrow.region().once, Unit::memory).size(), 5u);
}

// Two loads, with an `if` of `between` before the second.
std::string load_behind_if(const std::string& load, const std::string& between,
                           const std::string& join = "A:\n") {
    return head() + "ld.global.f32 %f1, [%rd2];\nsetp.gt.f32 %p2, %f1, 0f40000000;\n@%p2 bra A;\n" + between +
           join + load + "add.f32 %f4, %f1, %f3;\nst.global.f32 [%rd2], %f4;\nret;";
}
std::size_t loads_at_first(const std::string& code) {
    const PtxKernel kernel(code);
    std::size_t loads = 0;
    for (const Op& op : of_unit(kernel.variant.code.regions[0].once, Unit::memory)) loads += op.reads_memory;
    return loads;
}

// As ptxas moves them up, before branches of which all ways come back.
TEST(Code, LoadsAreIssuedBeforeIfs) {
    const std::string much = repeated("mul.f32 %f1, %f1, %f1;\n", 30),
                      plain = "ld.global.f32 %f3, [%rd2+512];\n";
    EXPECT_EQ(loads_at_first(load_behind_if(plain, much)), 2u);
    // With what its address is computed of, be it a load.
    EXPECT_EQ(loads_at_first(load_behind_if("mad.lo.s32 %r4, %r1, %r2, 5;\nmul.wide.s32 %rd4, %r4, 4;\n"
                                            "add.s64 %rd4, %rd2, %rd4;\nld.global.f32 %f3, [%rd4];\n",
                                            much)),
              1u)
        << "%rd4 is written twice";
    EXPECT_EQ(loads_at_first(load_behind_if("mad.lo.s32 %r4, %r1, %r2, 5;\nmul.wide.s32 %rd4, %r4, 4;\n"
                                            "add.s64 %rd5, %rd2, %rd4;\nld.global.f32 %f3, [%rd5];\n",
                                            much)),
              2u);
    // Stores and barriers hold up what may be written, and an `if` with a barrier, or a fence, all.
    const std::string store = much + "st.global.f32 [%rd2+1024], %f1;\n";
    EXPECT_EQ(loads_at_first(load_behind_if(plain, store)), 1u);
    EXPECT_EQ(loads_at_first(load_behind_if("ld.global.nc.f32 %f3, [%rd2+512];\n", store)), 2u);
    const std::string read_only = "ld.global.nc.f32 %f3, [%rd2+512];\n";
    EXPECT_EQ(loads_at_first(load_behind_if(read_only, much, "A:\nbar.sync 0;\n")), 2u);
    EXPECT_EQ(loads_at_first(load_behind_if(plain, much, "A:\nbar.sync 0;\n")), 1u);
    EXPECT_EQ(loads_at_first(load_behind_if(read_only, much, "A:\nmembar.gl;\n")), 1u);
    EXPECT_EQ(loads_at_first(load_behind_if(read_only, much + "bar.sync 0;\n")), 1u);
    // Not over an `else`, nor for lanes that leave.
    const std::string asks = head() + "ld.global.f32 %f1, [%rd2];\nsetp.gt.f32 %p2, %f1, 0f40000000;\n";
    const std::string sum = plain + "add.f32 %f4, %f1, %f3;\nst.global.f32 [%rd2], %f4;\n";
    EXPECT_EQ(loads_at_first(asks + "@%p2 bra B;\n" + much + "bra.uni A;\nB:\n" + much +
                             "add.f32 %f1, %f1, 0f40000000;\nA:\n" + sum + "ret;"),
              1u);
    EXPECT_EQ(loads_at_first(asks + "@%p2 bra A;\n" + sum + "A:\nret;"), 1u);
}

const char* counted_loop =
    "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nmov.f32 %f1, 0f00000000;\nLOOP:\n%PRAGMA%"
    "ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, -1;\n"
    "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\nst.global.f32 [%rd1], %f1;\nret;";

PtxKernel loop(const std::string& pragma) {
    std::string text = counted_loop;
    text.replace(text.find("%PRAGMA%"), 8, pragma);
    return PtxKernel(text);
}

TEST(Code, UnrolledTurnsAreIssuedTogether) {
    const PtxKernel kernel(loop(""));
    const Region* region = nullptr;
    for (const Region& one : kernel.variant.code.regions)
        if (one.unroll > 1) region = &one;
    ASSERT_TRUE(region);
    ASSERT_EQ(region->unroll, 4u);
    ASSERT_EQ(region->once.sites.size(), 1u);
    EXPECT_EQ(region->unrolled.sites, std::vector<std::uint32_t>(4, region->once.sites[0]));
    // One load and one sum a turn; counting and the branch once.
    EXPECT_EQ(region->unrolled.instructions, region->once.instructions + 3 * 2);
    EXPECT_EQ(of_unit(region->unrolled, Unit::branch).size(), 1u);
    EXPECT_EQ(region->unrolled.ops.back().unit, Unit::branch);
    // All loads before the first sum, each with its own access and its own register.
    std::vector<std::uint16_t> targets, accesses;
    bool summed = false;
    for (const Op& op : region->unrolled.ops) {
        summed |= op.unit == Unit::fma;
        if (op.unit != Unit::memory) continue;
        EXPECT_FALSE(summed);
        targets.push_back(op.targets[0]);
        accesses.push_back(op.access);
    }
    ASSERT_EQ(targets.size(), 4u);
    std::sort(targets.begin(), targets.end());
    EXPECT_EQ(std::unique(targets.begin(), targets.end()), targets.end());
    std::sort(accesses.begin(), accesses.end());
    EXPECT_EQ(accesses, (std::vector<std::uint16_t>{0, 1, 2, 3}));
    for (std::uint16_t slot : targets) EXPECT_LT(slot, kernel.variant.code.slots);
}

TEST(Code, LoopsThatAreNotUnrolledHaveOneSection) {
    const PtxKernel kernel(loop(".pragma \"nounroll\";\n"));
    for (const Region& region : kernel.variant.code.regions) {
        EXPECT_EQ(region.unroll, 1u);
        EXPECT_TRUE(region.unrolled.ops.empty());
    }
}

TEST(Code, PredicatedBlocksAreIssuedWithTheirBranch) {
    const PtxKernel kernel(head() +
                           "@%p1 bra ODD;\nmul.f32 %f1, %f1, %f2;\nbra.uni DONE;\n"
                           "ODD:\nadd.f32 %f1, %f1, %f2;\nDONE:\nst.global.f32 [%rd1], %f1;\nret;");
    const Code& code = kernel.variant.code;
    EXPECT_EQ(code.issued_with[1], 0u);
    EXPECT_EQ(code.issued_with[2], 0u);
    EXPECT_TRUE(code.regions[1].once.ops.empty());
    EXPECT_TRUE(code.regions[2].once.ops.empty());
    const auto both = of_unit(code.regions[0].once, Unit::fma);
    ASSERT_EQ(both.size(), 2u);
    // Both wait for the predicate, which a comparison writes.
    ASSERT_NE(both[0].guard, Op::no_slot);
    EXPECT_EQ(both[0].guard, both[1].guard);
    const auto writes_guard = [&](const Op& op) {
        return std::find(op.targets.begin(), op.targets.begin() + op.target_count, both[0].guard) !=
               op.targets.begin() + op.target_count;
    };
    const auto additions = of_unit(code.regions[0].once, Unit::alu);
    EXPECT_EQ(std::count_if(additions.begin(), additions.end(), writes_guard), 1);
}

TEST(Code, AnInstructionsOwnPredicateGuardsIt) {
    const PtxKernel kernel(head() +
                           "@%p1 mul.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f1, %f2;\n"
                           "st.global.f32 [%rd1], %f3;\nret;");
    const auto both = of_unit(kernel.region().once, Unit::fma);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_NE(both[0].guard, Op::no_slot);
    EXPECT_EQ(both[1].guard, Op::no_slot);
}

// As in the sequence of Collatz: ptxas computes one value, and the other over it under the predicate.
TEST(Code, WhatIsChosenIsIssuedUnderTheChoicesPredicate) {
    const PtxKernel kernel(head() +
                           "ld.global.u32 %r1, [%rd2];\nmad.lo.s32 %r3, %r1, %r1, %r1;\n"
                           "setp.gt.s32 %p1, %r1, 7;\nadd.s32 %r4, %r1, 5;\n"
                           "selp.b32 %r5, %r3, %r4, %p1;\nst.global.u32 [%rd2], %r5;\nret;");
    const Section& code = kernel.region().once;
    const auto guarded = std::ranges::find_if(code.ops, [](const Op& op) { return op.guard != Op::no_slot; });
    ASSERT_NE(guarded, code.ops.end());
    // It stands behind the comparison, whose result the guard is, and waits for it.
    const auto comparison = std::ranges::find_if(code.ops, [&](const Op& op) {
        return std::find(op.targets.begin(), op.targets.begin() + op.target_count, guarded->guard) !=
               op.targets.begin() + op.target_count;
    });
    ASSERT_LT(comparison, guarded);
    EXPECT_GE(code.cycles, static_cast<std::uint32_t>(kernel.gpu.timing.predicate_latency));
    EXPECT_EQ(std::ranges::count_if(code.ops, [](const Op& op) { return op.guard != Op::no_slot; }), 1);
}

// Two conditions that the branch asks at once: it waits for both.
TEST(Code, ABranchWaitsForAllConditionsOfARow) {
    const PtxKernel kernel(head() +
                           "L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r2;\n"
                           "mul.f32 %f1, %f1, %f1;\nsetp.lt.f32 %p2, %f1, 0f40800000;\n"
                           "and.pred %p3, %p1, %p2;\n@%p3 bra L;\nst.global.f32 [%rd2], %f1;\nret;");
    const Section* loop = nullptr;
    for (const Region& region : kernel.variant.code.regions)
        for (const Op& op : region.once.ops)
            if (op.unit == Unit::branch && op.guard != Op::no_slot) loop = &region.once;
    ASSERT_NE(loop, nullptr);
    const Op& branch = loop->ops.back();
    ASSERT_EQ(branch.unit, Unit::branch);
    const auto asked = [&](std::uint16_t slot) { return slot == branch.guard || reads(branch, slot); };
    const auto comparisons = std::ranges::count_if(loop->ops, [&](const Op& op) {
        return std::any_of(op.targets.begin(), op.targets.begin() + op.target_count, asked);
    });
    EXPECT_EQ(comparisons, 2);
}

TEST(Code, ReconvergenceOnlyWhereItSplits) {
    const PtxKernel kernel(head() + "@%p1 bra DONE;\n" + repeated("mul.f32 %f1, %f1, %f2;\n", 30) +
                           "DONE:\nst.global.f32 [%rd1], %f1;\nret;");
    int on_split = 0;
    for (const Region& region : kernel.variant.code.regions)
        for (const Op& op : region.once.ops) on_split += op.only_on_split;
    int expected = 0;
    for (const machine::Block& block : kernel.variant.views[0].blocks)
        for (const machine::Instruction& instruction : block.code) expected += instruction.on_divergence;
    EXPECT_EQ(on_split, expected);
    EXPECT_GT(expected, 0);
}

TEST(Code, LoadsThatMustSeeOthersWritesPassTheL1By) {
    for (auto [load, bypasses] : {std::pair{"ld.global.u32", false},
                                  {"ld.global.nc.u32", false},
                                  {"ld.volatile.global.u32", true},
                                  {"ld.relaxed.gpu.global.u32", true},
                                  {"ld.acquire.gpu.global.u32", true},
                                  {"ld.global.cg.u32", true},
                                  {"ld.global.ca.u32", false}}) {
        const PtxKernel kernel(head() + load + " %r3, [%rd2];\nst.global.u32 [%rd1], %r3;\nret;");
        const auto memory = of_unit(kernel.region().once, Unit::memory);
        ASSERT_EQ(memory.size(), 2u) << load;
        EXPECT_EQ(memory[0].bypasses_l1, bypasses) << load;
        EXPECT_FALSE(memory[1].bypasses_l1) << load;
    }
}

// Each of a wide value's halves is a result of its own; a carry makes the second wait; of the steps of a
// division not all wait.
TEST(Code, HalvesOfWideValuesDoNotWaitForEachOther) {
    const PtxKernel kernel(head() +
                           "ld.global.v2.u64 {%rd5, %rd6}, [%rd2];\nxor.b64 %rd7, %rd5, %rd6;\n"
                           "add.s64 %rd8, %rd7, %rd5;\nst.global.u64 [%rd2], %rd8;\n"
                           "st.global.u64 [%rd2+8], %rd7;\nret;");
    int logic = 0, carries = 0;
    const Op* before = nullptr;
    const std::vector<Op> alu = of_unit(kernel.region().once, Unit::alu);
    for (const Op& op : alu) {
        EXPECT_EQ(op.latency, kernel.gpu.timing.alu.latency);
        if (op.issues == 2) {
            EXPECT_EQ(op.chains, 2);
            ++logic;
        }
        carries += before && before->place == op.place && reads(op, before->targets[0]);
        before = &op;
    }
    EXPECT_EQ(logic, 1);
    EXPECT_EQ(carries, 1);
    const PtxKernel division(
        head() +
        "ld.global.f32 %f1, [%rd2];\ndiv.rn.f32 %f2, %f1, %f1;\nld.global.f32 %f3, [%rd2+4];\n"
        "add.f32 %f4, %f2, %f3;\nst.global.f32 [%rd2], %f4;\nret;");
    // And a load behind it is not begun before it.
    const auto& ops = division.region().once.ops;
    const auto is_division = [](const Op& op) { return op.issues > 2 && op.xu_issues > 0; };
    const auto found = std::ranges::find_if(ops, is_division);
    ASSERT_NE(found, ops.end());
    const int steps = found->issues - found->xu_issues - 1;
    EXPECT_GT(found->gaps, 2 * steps);
    EXPECT_LT(found->gaps, division.gpu.timing.fma.latency * steps);
    EXPECT_EQ(found->branches, 1);
    EXPECT_EQ(std::count_if(ops.begin(), found, [](const Op& op) { return op.unit == Unit::memory; }), 1);
}

TEST(Code, ExpansionsUseTheXu) {
    const PtxKernel kernel(head() +
                           "div.rn.f32 %f3, %f1, %f2;\nrem.u32 %r4, %r1, %r2;\n"
                           "st.global.f32 [%rd1], %f3;\nst.global.u32 [%rd1+4], %r4;\nret;");
    const auto& ops = kernel.region().once.ops;
    const auto divides = std::ranges::find_if(ops, [](const Op& op) { return op.issues > 2; });
    ASSERT_NE(divides, ops.end());
    EXPECT_EQ(divides->issues, 10);
    EXPECT_EQ(divides->xu_issues, 1);
    // Steps of whole numbers stand by themselves.
    const auto step = std::ranges::find_if(ops, [](const Op& op) { return op.further; });
    ASSERT_NE(step, ops.end());
    int steps = 0, on_xu = 0;
    for (const Op& op : ops) {
        if (op.place != step->place) continue;
        ++steps;
        on_xu += op.unit == Unit::xu;
    }
    EXPECT_EQ(steps, 17);
    EXPECT_EQ(on_xu, 3);
    // A reciprocal alone is one instruction of the XU.
    const PtxKernel one(head() + "ex2.approx.ftz.f32 %f3, %f1;\nst.global.f32 [%rd1], %f3;\nret;");
    ASSERT_EQ(of_unit(one.region().once, Unit::xu).size(), 1u);
    EXPECT_EQ(of_unit(one.region().once, Unit::xu)[0].latency, one.gpu.timing.xu.latency);
}

TEST(Code, BarriersKeepTheirPlace) {
    const PtxKernel kernel(head() +
                           "mov.u32 %r4, tile;\nshl.b32 %r5, %r1, 2;\nadd.s32 %r3, %r4, %r5;\n"
                           "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r6, [%r3+4];\n"
                           "st.global.u32 [%rd2], %r6;\nret;");
    std::vector<Unit> order;
    std::vector<bool> loads;
    for (const Region& region : kernel.variant.code.regions)
        for (const Op& op : region.once.ops)
            if (op.unit == Unit::memory || op.unit == Unit::barrier) {
                order.push_back(op.unit);
                loads.push_back(op.reads_memory);
            }
    EXPECT_EQ(order, (std::vector<Unit>{Unit::memory, Unit::barrier, Unit::memory, Unit::memory}));
    EXPECT_EQ(loads, (std::vector<bool>{false, false, true, false}));
}

TEST(Code, LoadsOfTheWholeBlockComeFirst) {
    std::string body = head();
    for (int i = 1; i <= 6; ++i)
        body += "ld.global.f32 %f" + std::to_string(i) + ", [%rd2+" + std::to_string(128 * i) + "];\n" +
                "fma.rn.f32 %f10, %f10, %f10, %f" + std::to_string(i) + ";\n";
    const PtxKernel kernel(body + "st.global.f32 [%rd1], %f10;\nret;");
    int loads = 0;
    for (const Op& op : kernel.region().once.ops) {
        if (op.unit == Unit::fma) break;
        loads += op.reads_memory;
    }
    EXPECT_EQ(loads, 6);
}

// Where lanes may have parted, each exchange between them begins a block of the kernel's. To ptxas it is
// none.
TEST(Code, LoadsPassExchangesBetweenLanes) {
    std::string body = head() + "ld.global.u32 %r4, [%rd2];\nmov.u32 %r5, 0;\nloop:\n";
    for (int i = 1; i <= 4; ++i) {
        const std::string f = "%f" + std::to_string(i);
        body += "shfl.sync.idx.b32 %r6, %r1, " + std::to_string(i) +
                ", 31, -1;\nadd.s32 %r7, %r6, %r5;\nmul.wide.u32 %rd5, %r7, 4;\nadd.s64 %rd6, %rd1, %rd5;\n" +
                "ld.global.f32 " + f + ", [%rd6];\nfma.rn.f32 %f10, %f10, %f10, " + f + ";\n";
    }
    const PtxKernel kernel(body +
                           "add.s32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r4;\n@%p1 bra loop;\n"
                           "st.global.f32 [%rd1], %f10;\nret;");
    ASSERT_GE(kernel.variant.kernel->functions[0].blocks.size(), 6u);
    int loads = 0;
    for (const Op& op : kernel.region().once.ops) {
        if (op.unit == Unit::fma) break;
        loads += op.reads_memory;
    }
    EXPECT_EQ(loads, 4);
}

// A second division of whole numbers takes little more than one, as an H200 has it (expansions.csv: 130
// cycles and 149).
TEST(Code, DivisionsOfWholeNumbersGoSideBySide) {
    const auto cycles = [](const std::string& second) {
        const PtxKernel kernel(head() + "ld.global.v2.u32 {%r4, %r5}, [%rd2];\ndiv.u32 %r6, %r4, %r5;\n" +
                               second + "st.global.v2.u32 [%rd2], {%r6, %r7};\nret;");
        return kernel.region().once.cycles;
    };
    const auto one = cycles("mov.u32 %r7, %r4;\n"), two = cycles("div.u32 %r7, %r5, %r4;\n");
    EXPECT_LT(two, one * 3 / 2);
}

// Products of 64 bits are done step by step; steps of one come between those of another.
TEST(Code, SequencesOfWholeNumbersGoSideBySide) {
    const PtxKernel kernel(head() +
                           "mul.lo.s64 %rd4, %rd1, %rd2;\nmul.lo.s64 %rd5, %rd2, %rd2;\n"
                           "add.s64 %rd6, %rd4, %rd5;\nst.global.u64 [%rd1], %rd6;\nret;");
    std::vector<std::int32_t> products;  // which one each step is of
    for (const Op& op : kernel.region().once.ops) {
        EXPECT_LE(op.issues, 2);
        const std::int32_t instruction = kernel.variant.code.places[op.place].instruction;
        const auto& block = kernel.variant.kernel->functions[0].blocks[0];
        if (instruction >= 0 &&
            block.instructions[static_cast<std::size_t>(instruction)].opcode == ptx::Opcode::mul)
            products.push_back(instruction);
    }
    ASSERT_GE(products.size(), 4u);
    const auto behind = std::find(products.rbegin(), products.rend(), products.front()) - products.rbegin();
    EXPECT_LE(behind, 1);
}

TEST(Code, PlacesAreThoseOfThePtx) {
    const PtxKernel kernel(head() +
                           "ld.global.f32 %f1, [%rd2];\nmul.f32 %f2, %f1, %f1;\n"
                           "st.global.f32 [%rd2], %f2;\nret;");
    const Code& code = kernel.variant.code;
    const auto& instructions = kernel.variant.kernel->functions[0].blocks[0].instructions;
    for (const Op& op : kernel.region().once.ops) {
        ASSERT_LT(op.place, code.places.size());
        const Place& place = code.places[op.place];
        EXPECT_EQ(place.function, 0u);
        EXPECT_EQ(place.block, 0u);
        ASSERT_LE(place.instruction, static_cast<std::int32_t>(instructions.size()));
        if (op.unit == Unit::fma) {
            EXPECT_EQ(instructions[static_cast<std::size_t>(place.instruction)].opcode, ptx::Opcode::mul);
        }
    }
}

}  // namespace
}  // namespace lockstep::timing
