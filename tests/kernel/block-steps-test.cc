// Of which kernels blocks differ by where they are alone, and what has to be looked at for that.
#include "kernel/block-steps.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

using Checked = StepCheck::Kind;

// The block's number in %r3, the thread's in the grid in %r4. Nothing: it is no such kernel.
std::optional<std::vector<StepCheck>> steps(const std::string& body) {
    auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
        "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
        "mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r4, %r3, 256, %r2;\n" +
            body + "\nret;\n}\n",
        "test");
    EXPECT_TRUE(module) << module.error().to_string();
    if (!module) return {};
    auto kernel = analyse(source_of(*module, 0));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    return kernel ? block_steps(*kernel) : std::nullopt;
}

std::vector<Checked> kinds(const std::string& body) {
    const auto checks = steps(body);
    EXPECT_TRUE(checks);
    std::vector<Checked> all;
    if (checks)
        for (const StepCheck& check : *checks) all.push_back(check.kind);
    return all;
}

const std::string store = "mul.wide.u32 %d2, %r4, 4;\nadd.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r2;\n";

TEST(BlockSteps, WideningAndComparisonsAreLookedAt) {
    EXPECT_EQ(kinds(store), std::vector{Checked::widened});
    EXPECT_EQ(kinds("setp.ge.u32 %p1, %r4, %r1;\n@%p1 bra end;\n" + store + "end:"),
              (std::vector{Checked::less, Checked::widened}));
    EXPECT_EQ(kinds("setp.gt.s32 %p1, %r4, %r1;\nsetp.ne.s32 %p2, %r3, 7;\n@%p1 " + store),
              (std::vector{Checked::less_or_equal, Checked::equal, Checked::widened}));
    EXPECT_EQ(kinds("shl.b32 %r4, %r3, 8;\nor.b32 %r4, %r4, %r2;\n" + store),
              (std::vector{Checked::joined, Checked::widened}));
}

TEST(BlockSteps, WhatAllBlocksHaveIsNot) {
    EXPECT_EQ(
        kinds("setp.ge.u32 %p1, %r2, %r1;\nrem.u32 %r5, %r2, 3;\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 " + store),
        std::vector{Checked::widened});
}

TEST(BlockSteps, TheGreatestOfTwoIsComparedAsSuch) {
    const auto checks =
        steps("max.u32 %r5, %r3, %r4;\nsetp.ge.u32 %p1, %r5, %r1;\n@%p1 bra end;\n" + store + "end:");
    ASSERT_TRUE(checks);
    ASSERT_EQ(checks->size(), 3u);
    EXPECT_EQ((*checks)[0].kind, Checked::greatest);
    EXPECT_EQ((*checks)[1].extremes[0], 0u);
    EXPECT_FALSE((*checks)[1].extremes[1]);
    // As a part of an address it has to be the same one in all blocks.
    EXPECT_EQ(kinds("min.u32 %r4, %r4, %r1;\n" + store), (std::vector{Checked::less, Checked::widened}));
}

TEST(BlockSteps, NotWhereSomethingElseIsDoneWithTheBlock) {
    EXPECT_FALSE(steps("shr.u32 %r4, %r4, 1;\n" + store));
    EXPECT_FALSE(steps("mul.lo.u32 %r4, %r3, %r3;\n" + store));
    EXPECT_FALSE(steps("and.b32 %r5, %r3, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 " + store));
    EXPECT_FALSE(steps("cvt.rn.f32.u32 %f1, %r3;\nsetp.lt.f32 %p1, %f1, 0f41000000;\n@%p1 " + store));
    // What is only stored may be anything.
    EXPECT_TRUE(steps("shr.u32 %r5, %r4, 1;\nst.global.u32 [%d1], %r5;"));
}

TEST(BlockSteps, NotWhereDataDecideOrAnyMemoryIsMeant) {
    EXPECT_FALSE(steps("ld.global.u32 %r5, [%d1];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 " + store));
    EXPECT_FALSE(steps("ld.u32 %r5, [%d1];"));
}

}  // namespace
}  // namespace lockstep::kernel
