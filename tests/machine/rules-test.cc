// Rules of ptxas for whole numbers, loops, nested `if`s and atomics, as it was seen to follow them.
#include <gtest/gtest.h>

#include "seen.h"

namespace lockstep::machine {
namespace {

// Two values in %r3 and %r4, what `body` leaves in %r9 is stored.
std::string integers(const std::string& body) {
    return head + "ld.global.v2.u32 {%r3, %r4}, [%rd1];\n" + body + "st.global.u32 [%rd1], %r9;\nret;";
}
// The same with %rd3 and %rd4, and %rd9.
std::string wide_integers(const std::string& body) {
    return head + "ld.global.v2.u64 {%rd3, %rd4}, [%rd1];\n" + body + "st.global.u64 [%rd1], %rd9;\nret;";
}
int issues_of(const std::string& kernel) { return look_at(kernel)->issues(); }
// More than for a kernel that stores what it has loaded.
int issues_for(const std::string& body) {
    return issues_of(integers(body)) - issues_of(integers("mov.u32 %r9, %r3;\n"));
}
int issues_for_wide(const std::string& body) {
    return issues_of(wide_integers(body)) - issues_of(wide_integers("mov.u64 %rd9, %rd3;\n"));
}

TEST(Rules, LogicOfThreeInputsIsOneInstruction) {
    // The choice function of SHA and MD5: four operations.
    EXPECT_EQ(issues_for("and.b32 %r5, %r3, %r4;\nnot.b32 %r6, %r3;\nand.b32 %r7, %r6, %r1;\n"
                         "or.b32 %r9, %r5, %r7;\n"),
              1);
    // So does a second number.
    EXPECT_EQ(issues_for("and.b32 %r5, %r3, 12345;\nxor.b32 %r9, %r5, 54321;\n"), 2);
    EXPECT_EQ(issues_for("and.b32 %r5, %r3, 12345;\nxor.b32 %r9, %r5, 12345;\n"), 1);
    // A fourth input needs a second one.
    EXPECT_EQ(issues_for("and.b32 %r5, %r3, %r4;\nand.b32 %r7, %r2, %r1;\nor.b32 %r9, %r5, %r7;\n"), 2);
}

TEST(Rules, ConstantsComeInWordsOrPairsOfThem) {
    const auto loads = [](const std::string& load) {
        return issues_of(head + "mov.u64 %rd5, 0;\n" + load + "st.global.u32 [%rd1], %r3;\nret;");
    };
    const int one = loads("ld.const.u32 %r3, [%rd1];\n");
    EXPECT_EQ(loads("ld.const.v2.u32 {%r3, %r4}, [%rd1];\n"), one);
    EXPECT_EQ(loads("ld.const.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1];\n"), one + 1);
    EXPECT_EQ(loads("ld.const.v2.u64 {%rd3, %rd4}, [%rd1];\n"), one + 1);
    // What is narrower than a word is a load an element.
    EXPECT_EQ(loads("ld.const.v2.u8 {%r3, %r4}, [%rd1];\n"), one + 1);
    EXPECT_EQ(loads("ld.const.v4.u16 {%r3, %r4, %r5, %r6}, [%rd1];\n"), one + 3);
}

TEST(Rules, ASumThatIsOnlySelectedIsPredicatedInstead) {
    // A step of a scan over the warp: a shuffle cuts the block.
    const std::string shuffle = "shfl.sync.up.b32 %r5, %r3, 1, 0, -1;\nsetp.gt.u32 %p2, %r1, 1;\n",
                      sum = "add.s32 %r6, %r3, %r5;\n", choice = "selp.b32 %r9, %r6, %r3, %p2;\n";
    EXPECT_EQ(issues_for(shuffle + sum + choice), issues_for(shuffle + sum + "mov.u32 %r9, %r6;\n"));
    // Who reads the other value later has it still.
    const std::string later = "add.s32 %r9, %r9, %r3;\n";
    EXPECT_EQ(issues_for(shuffle + sum + choice + later),
              issues_for(shuffle + sum + "mov.u32 %r9, %r6;\n" + later) + 1);
}

TEST(Rules, AProductThatOnlySumsReadIsPartOfEach) {
    EXPECT_EQ(issues_for("mul.lo.s32 %r5, %r3, %r4;\nadd.s32 %r6, %r5, %r1;\nadd.s32 %r7, %r5, %r2;\n"
                         "xor.b32 %r9, %r6, %r7;\n"),
              3);
    EXPECT_EQ(issues_for("mul.lo.s32 %r5, %r3, %r4;\nadd.s32 %r6, %r5, %r1;\nxor.b32 %r9, %r6, %r5;\n"), 3);
}

TEST(Rules, BothHalvesOfAProductAreOneInstruction) {
    EXPECT_EQ(issues_for("mul.hi.u32 %r5, %r3, %r4;\nmul.lo.s32 %r6, %r4, %r3;\nxor.b32 %r9, %r5, %r6;\n"),
              2);
}

TEST(Rules, LongProductsAreOnePlusOneForEachUpperHalf) {
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd9, %rd3, %rd4;\n"), 4);
    // What is added is part of it, unless it is a constant, which would be moved there.
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd5, %rd3, %rd4;\nadd.s64 %rd9, %rd5, %rd1;\n"), 4);
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd5, %rd3, %rd4;\nadd.s64 %rd9, %rd5, 77;\n"), 6);
    // A product that others read is itself.
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd5, %rd3, %rd4;\nadd.s64 %rd6, %rd5, %rd1;\n"
                              "xor.b64 %rd9, %rd6, %rd5;\n"),
              8);
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd9, %rd3, 1000003;\n"), 3);
    EXPECT_EQ(issues_for_wide("cvt.u64.u32 %rd5, %r1;\nmul.lo.s64 %rd9, %rd3, %rd5;\n"), 3);
    // A number with a sign has an upper half, whatever it was loaded as.
    EXPECT_EQ(
        issues_for_wide("ld.param.u32 %r5, [n];\ncvt.s64.s32 %rd5, %r5;\nmul.lo.s64 %rd9, %rd3, %rd5;\n"),
        issues_for_wide("ld.param.u32 %r5, [n];\ncvt.u64.u32 %rd5, %r5;\nmul.lo.s64 %rd9, %rd3, %rd5;\n") +
            2);
    // A half that is zero is known in the block where it became so.
    const std::string wider = "cvt.u64.u32 %rd5, %r1;\nand.b64 %rd6, %rd3, 255;\n",
                      product = "mul.lo.s64 %rd9, %rd6, %rd5;\n", barrier = "bar.sync 0;\n";
    EXPECT_EQ(issues_for_wide(wider + product), 2);
    EXPECT_EQ(issues_for_wide(wider + barrier + product), 4);
    // The upper half of a product comes with the lower one, if it is the same.
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd5, %rd3, %rd4;\nmul.hi.u64 %rd6, %rd3, %rd4;\n"
                              "xor.b64 %rd9, %rd5, %rd6;\n"),
              7 + 2);
    EXPECT_EQ(issues_for_wide("mul.lo.s64 %rd5, %rd4, %rd3;\nmul.hi.u64 %rd6, %rd3, %rd4;\n"
                              "xor.b64 %rd9, %rd5, %rd6;\n"),
              4 + 7 + 2);
    EXPECT_EQ(issues_for_wide("mul.hi.s64 %rd9, %rd3, %rd4;\n"), 17);
}

TEST(Rules, WhatWasLoadedIsNotLoadedAgain) {
    const std::string first = "ld.shared.u32 %r5, [%r3];\n", again = "ld.shared.u32 %r6, [%r3];\n",
                      sum = "add.s32 %r9, %r5, %r6;\n";
    const auto loads = [](const std::string& body) {
        const auto seen = look_at(integers(body));
        int number = 0;
        for (const Block& block : seen->view.blocks)
            for (const Instruction& instruction : block.code)
                number += instruction.row().access == Access::shared_load;
        return number;
    };
    EXPECT_EQ(loads(first + again + sum), 1);
    EXPECT_EQ(loads(first + "st.shared.u32 [%r4], %r5;\n" + again + sum), 2);
    EXPECT_EQ(loads(first + "add.s32 %r3, %r3, 4;\n" + again + sum), 2);
    EXPECT_EQ(loads("ld.volatile.shared.u32 %r5, [%r3];\nld.volatile.shared.u32 %r6, [%r3];\n" + sum), 2);
}

TEST(Rules, LoadsFromWhatALoopStepsAreWide) {
    const auto is_wide = [](const std::string& step) {
        return look_at(
                   "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nmov.u32 %r2, tile;\n"
                   "LOOP:\n.pragma \"nounroll\";\nld.shared.u32 %r3, [%r2];\nld.shared.u32 %r4, [%r2+4];\n"
                   "add.s32 %r5, %r3, %r4;\nst.global.u32 [%rd1], %r5;\nadd.s32 %r2, %r2, " +
                   step + ";\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\nret;")
            ->has("LDS.64");
    };
    EXPECT_TRUE(is_wide("8"));
    EXPECT_FALSE(is_wide("4"));
}

TEST(Rules, WhatOnlyThoseBehindALoopReadIsMovedThereAsItEnds) {
    // The same loop with its result set in each turn, before it is left in its middle and as it ends.
    const auto moves = [](const std::string& middle, const std::string& end) {
        return issues_of(
            "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nmov.u32 %r7, %tid.x;\n"
            "LOOP:\nld.global.u32 %r3, [%rd1];\nsetp.gt.u32 %p1, %r3, %r7;\n" +
            middle + "@%p1 bra OUT;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, -1;\n" + end +
            "setp.ne.s32 %p2, %r1, 0;\n@%p2 bra LOOP;\nOUT:\nadd.s32 %r10, %r9, %r7;\n"
            "st.global.u32 [%rd1], %r10;\nret;");
    };
    const std::string copy = "mov.u32 %r9, %r3;\n", number = "mov.u32 %r9, 5;\n";
    EXPECT_EQ(moves(copy, number), moves(copy, copy));
    EXPECT_EQ(moves(number, number), moves(copy, number) + 1);
}

TEST(Rules, ARotationAndASumAreOneInstruction) {
    EXPECT_EQ(issues_for("shf.l.wrap.b32 %r5, %r3, %r3, 7;\nadd.s32 %r9, %r5, %r4;\n"), 1);
}

TEST(Rules, AReciprocalIsComputedOnce) {
    const std::string first = "rem.s32 %r5, %r1, %r4;\n";
    EXPECT_EQ(issues_for(first + "rem.s32 %r6, %r3, %r4;\nxor.b32 %r9, %r5, %r6;\n") -
                  issues_for(first + "mov.u32 %r9, %r5;\n"),
              22 - 11 + 1);
}

TEST(Rules, AReciprocalIsComputedBeforeALoop) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
        "mov.u32 %r3, %tid.x;\nLOOP:\n.pragma \"nounroll\";\nrem.u32 %r4, %r3, %r2;\n"
        "xor.b32 %r3, %r3, %r4;\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, %r2;\n"
        "@%p1 bra LOOP;\nst.global.u32 [%rd1], %r3;\nret;");
    EXPECT_TRUE(seen->has("IMADx7")) << seen->code();
    EXPECT_TRUE(seen->has("REMx10")) << seen->code();
}

TEST(Rules, HalvesThatAreZeroNeedNoWork) {
    EXPECT_EQ(issues_for_wide("xor.b64 %rd9, %rd3, %rd4;\n"), 2);
    EXPECT_EQ(issues_for_wide("shr.u64 %rd5, %rd3, 33;\nxor.b64 %rd9, %rd3, %rd5;\n"), 2);  // SHF, LOP3
    EXPECT_EQ(issues_for_wide("and.b64 %rd9, %rd3, 255;\n"), 1);
}

TEST(Rules, ALoadedByteIsZeroBeyondItsBits) {
    const std::string load = head + ".reg .b16 %h<4>;\nld.global.u8 %h1, [%rd1];\n";
    const std::string stored = "st.global.u32 [%rd1], %r9;\nret;";
    EXPECT_EQ(look_at(load + "cvt.u32.u16 %r8, %h1;\nand.b32 %r9, %r8, 255;\n" + stored)->code(),
              "LDC ULDC.64 LDC S2R LOP3 ISETP LDG STG EXIT ");
}

TEST(Rules, SumsOfThreeLongValuesAreOneAdd) {
    EXPECT_EQ(issues_for_wide("add.s64 %rd5, %rd3, %rd4;\nadd.s64 %rd9, %rd5, %rd3;\n"), 2);
}

TEST(Rules, TwoShiftsThatMeetAreARotation) {
    const auto rotation = [](const std::string& left, const std::string& right) {
        return issues_for_wide("shl.b64 %rd5, %rd3, " + left + ";\nshr.u64 %rd6, %rd3, " + right +
                               ";\nadd.s64 %rd9, %rd5, %rd6;\n");
    };
    EXPECT_EQ(rotation("13", "51"), 2);
    EXPECT_EQ(rotation("32", "32"), 0);
}

TEST(Rules, ASignedIndexThatIsShiftedNeedsItsSign) {
    const auto store = [](const std::string& extend) {
        return issues_of(head + "ld.global.u32 %r3, [%rd1];\n" + extend +
                         " %rd2, %r3;\nshl.b64 %rd3, %rd2, 2;\nadd.s64 %rd4, %rd1, %rd3;\n"
                         "st.global.u32 [%rd4], %r3;\nret;");
    };
    EXPECT_EQ(store("cvt.s64.s32") - store("cvt.u64.u32"), 1);
}

TEST(Rules, OnlyTheInnerOfNestedIfsIsPredicated) {
    const auto seen = look_at(head +
                              "and.b32 %r3, %r1, 2;\nsetp.eq.s32 %p2, %r3, 0;\n@%p1 bra DONE;\n"
                              "mul.f32 %f1, %f1, %f2;\n@%p2 bra DONE;\nmul.f32 %f1, %f1, %f3;\n"
                              "DONE:\nst.global.f32 [%rd1], %f1;\nret;");
    EXPECT_EQ(seen->branches(), 1) << seen->code();
    EXPECT_TRUE(seen->has("[ FMUL ]")) << seen->code();
}

// Branches of an `if` with `count` products in it, after `start` and before `end`.
int branches_of_if(const std::string& start, int count, const std::string& end,
                   const std::string& side = "") {
    return look_at(start + "@%p1 bra DONE;\n" + side + repeated("mul.f32 %f1, %f1, %f2;\n", count) +
                   "DONE:\n" + end + "st.global.f32 [%rd1], %f1;\nret;")
        ->branches();
}

TEST(Rules, FewerAreWorthAPredicateWhereTheWarpGoesOneWay) {
    const std::string uniform = "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nsetp.eq.s32 %p1, %r1, 1;\n";
    EXPECT_EQ(branches_of_if(uniform, 6, ""), 0);
    EXPECT_EQ(branches_of_if(uniform, 7, ""), 1);
    // So it is for what comes from one address of memory, and for what all lanes are told.
    for (const std::string loaded :
         {"ld.global.u32 %r1, [%rd1];\n", "mov.u32 %r2, %tid.x;\nshfl.sync.idx.b32 %r1, %r2, 0, 31, -1;\n"}) {
        const std::string start = "ld.param.u64 %rd1, [p];\n" + loaded + "setp.eq.s32 %p1, %r1, 1;\n";
        EXPECT_EQ(branches_of_if(start, 6, ""), 0);
        EXPECT_EQ(branches_of_if(start, 7, ""), 1);
    }
}

TEST(Rules, ParametersThatOnlyASideNeedsArePartOfIt) {
    const std::string use = "ld.param.u32 %r3, [n];\ncvt.rn.f32.s32 %f3, %r3;\nadd.f32 %f1, %f1, %f3;\n";
    EXPECT_EQ(branches_of_if(head, 5, "", use), 0);
    EXPECT_EQ(branches_of_if(head, 6, "", use), 1);
    // What the block before has loaded is there.
    const std::string before =
        head + "ld.param.u32 %r3, [n];\ncvt.rn.f32.s32 %f3, %r3;\nst.global.f32 [%rd1+16], %f3;\n";
    const std::string again = "add.s32 %r4, %r1, %r3;\ncvt.rn.f32.s32 %f3, %r4;\nadd.f32 %f1, %f1, %f3;\n";
    EXPECT_EQ(branches_of_if(before, 5, "", again), 0);
    EXPECT_EQ(branches_of_if(before, 6, "", again), 1);
}

TEST(Rules, MoreIsPredicatedWhileALoadIsUnderWay) {
    const std::string load = head + "ld.global.f32 %f3, [%rd1+64];\n";
    const std::string much = repeated("add.f32 %f3, %f3, %f2;\n", 5) + "st.global.f32 [%rd1+4], %f3;\n";
    EXPECT_EQ(branches_of_if(load, 19, much), 0);
    EXPECT_EQ(branches_of_if(load, 20, much), 1);
    // Too little behind it, and a load that the branch waits for.
    EXPECT_EQ(branches_of_if(load, 9, "st.global.f32 [%rd1+4], %f3;\n"), 1);
    const std::string waits =
        "ld.param.u64 %rd1, [p];\nld.global.f32 %f3, [%rd1+64];\nsetp.gt.f32 %p1, %f3, %f2;\n";
    EXPECT_EQ(branches_of_if(waits, 9, much), 1);
}

TEST(Rules, WorkBehindAnIfIsOnlyMeanwhileWhereNoOtherWayLeads) {
    const auto branches = [](const std::string& other) {
        return look_at(head + "ld.global.u32 %r3, [%rd1];\nsetp.eq.s32 %p2, %r3, 0;\n" + other +
                       "ld.global.u32 %r4, [%rd1+4];\nsetp.eq.s32 %p3, %r4, 0;\n@%p3 bra JOIN;\n"
                       "ld.global.u32 %r5, [%rd1+8];\nadd.s32 %r6, %r5, %r3;\nJOIN:\n" +
                       "mul.lo.s32 %r7, %r1, %r1;\nmul.lo.s32 %r8, %r7, %r1;\nmul.lo.s32 %r9, %r8, %r7;\n"
                       "xor.b32 %r10, %r9, %r8;\nmul.lo.s32 %r11, %r10, %r9;\nst.global.u32 [%rd1], %r6;\n"
                       "st.global.u32 [%rd1+4], %r11;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(""), 0);
    EXPECT_EQ(branches("@%p2 bra JOIN;\n"), 2);
}

TEST(Rules, TheWayToSharedMemoryIsPartOfASide) {
    const std::string store = "st.shared.f32 [tile], %f2;\n";
    EXPECT_EQ(branches_of_if(head, 4, "", store), 0);
    EXPECT_EQ(branches_of_if(head, 5, "", store), 1);
    EXPECT_EQ(branches_of_if(head + store, 7, "", store), 0);
}

TEST(Rules, OfTwoSidesTheFirstAloneMayBePredicated) {
    const auto branches = [](int first, int second) {
        return look_at(head + "@%p1 bra ELSE;\n" + repeated("add.f32 %f1, %f1, %f2;\n", first) +
                       "bra.uni DONE;\nELSE:\n" + repeated("mul.f32 %f1, %f1, %f2;\n", second) +
                       "DONE:\nst.global.f32 [%rd1], %f1;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(7, 8), 0);
    EXPECT_EQ(branches(7, 9), 1);
    EXPECT_EQ(branches(8, 1), 2);
    // The other one loads what is needed at once.
    const auto loads =
        look_at(head +
                "@%p1 bra ELSE;\nmov.u32 %r3, 7;\nbra.uni DONE;\nELSE:\n"
                "ld.global.u32 %r3, [%rd1];\nDONE:\nbar.sync 0;\nst.global.u32 [%rd1], %r3;\nret;");
    EXPECT_EQ(loads->branches(), 1) << loads->code();
}

TEST(Rules, AComparisonThatTakesInOneThatWaitsIsNoWork) {
    // A side loads, and behind it are comparisons that do not need what it loads.
    const auto branches = [](bool joined) {
        std::string behind;
        for (const std::string k : {"2", "3", "4"})
            behind += "setp.gt.u32 %p" + k + ", %r1, " + k + ";\n" +
                      (joined ? "and.pred %p6, %p" + k + ", %p5;\nselp.u32 %r4, %r4, " + k + ", %p6;\n"
                              : "selp.u32 %r4, %r4, " + k + ", %p" + k + ";\n");
        return look_at(head +
                       "@%p1 bra DONE;\nld.global.u32 %r3, [%rd1];\nDONE:\nsetp.eq.u32 %p5, %r3, 5;\n"
                       "selp.u32 %r4, %r3, 7, %p5;\n" +
                       behind + "bar.sync 0;\nst.global.u32 [%rd1], %r4;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(false), 0);
    EXPECT_EQ(branches(true), 1);
}

TEST(Rules, AShortSecondConditionIsPartOfTheFirstBranch) {
    const auto branches = [](const std::string& condition) {
        return look_at(head + "@%p1 bra DONE;\n" + condition + "setp.gt.s32 %p2, %r5, 7;\n@%p2 bra DONE;\n" +
                       repeated("mul.f32 %f1, %f1, %f2;\n", 30) + "DONE:\nst.global.f32 [%rd1], %f1;\nret;")
            ->branches();
    };
    const std::string step = "mad.lo.s32 %r5, %r5, %r1, %r1;\n";
    EXPECT_EQ(branches("mad.lo.s32 %r5, %r1, %r1, %r1;\n" + repeated(step, 3)), 1);
    EXPECT_EQ(branches("mad.lo.s32 %r5, %r1, %r1, %r1;\n" + repeated(step, 4)), 2);
    EXPECT_EQ(branches("ld.shared.u32 %r5, [tile];\n"), 2);
}

TEST(Rules, AsManyConditionsAreOneAsAreShortTogether) {
    // Conditions of `weight` instructions each, as in `a && b && c`.
    const auto branches = [](int conditions, int weight, int body = 30) {
        std::string text = head + "@%p1 bra DONE;\n";
        for (int c = 1; c < conditions; ++c) {
            const std::string value = "%r" + std::to_string(10 + c), asked = "%p" + std::to_string(1 + c);
            text += "mul.lo.s32 " + value + ", %r1, " + std::to_string(c + 2) + ";\n" +
                    repeated("mul.lo.s32 " + value + ", " + value + ", %r1;\n", weight - 2) + "setp.gt.s32 " +
                    asked + ", " + value + ", 7;\n@" + asked + " bra DONE;\n";
        }
        return look_at(text + repeated("mul.f32 %f1, %f1, %f2;\n", body) +
                       "DONE:\nst.global.f32 [%rd1], %f1;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(3, 2), 1);
    EXPECT_EQ(branches(4, 2), 2);
    // From the last one on: the second and third are one.
    EXPECT_EQ(branches(3, 3), 2);
    EXPECT_EQ(branches(5, 3), 3);
    // What they decide on is predicated then.
    EXPECT_EQ(branches(3, 2, 8), 0);
    EXPECT_EQ(branches(3, 2, 9), 1);
    // What others read is computed before its own branch.
    const auto read = [](const std::string& reader) {
        return look_at(head +
                       "@%p1 bra DONE;\nmul.lo.s32 %r5, %r1, 3;\nsetp.gt.s32 %p2, %r5, 7;\n@%p2 bra DONE;\n" +
                       repeated("mul.f32 %f1, %f1, %f2;\n", 30) + reader +
                       "DONE:\nst.global.f32 [%rd1], %f1;\nret;")
            ->branches();
    };
    EXPECT_EQ(read(""), 1);
    EXPECT_EQ(read("st.global.u32 [%rd1+8], %r5;\n"), 2);
}

TEST(Rules, ALoadThatIsWaitedForBeforeTheBranchIsNotUnderWay) {
    const std::string load = head + "ld.global.f32 %f3, [%rd1+64];\n";
    const std::string much = repeated("add.f32 %f4, %f4, %f2;\n", 5) + "st.global.f32 [%rd1+4], %f4;\n";
    EXPECT_EQ(branches_of_if(load + "add.f32 %f3, %f3, %f2;\n", 19, much), 0);
    EXPECT_EQ(branches_of_if(load + "st.global.f32 [%rd1+128], %f3;\n", 9, much), 1);
    EXPECT_EQ(branches_of_if(load + "st.shared.f32 [tile], %f3;\n", 9, much), 1);
    // One behind the `if` that needs nothing of it is.
    const std::string behind = "ld.global.f32 %f5, [%rd1+64];\n";
    EXPECT_EQ(branches_of_if(head, 19, behind + much), 0);
    EXPECT_EQ(branches_of_if(head, 20, behind + much), 1);
    EXPECT_EQ(branches_of_if(head, 9, "bar.sync 0;\n" + behind + much), 1);
    // A barrier is no end of the block.
    EXPECT_EQ(branches_of_if(load + "bar.sync 0;\nadd.f32 %f5, %f5, %f2;\n", 19, much), 0);
}

TEST(Rules, ASideLoadsWithTheBlockBeforeIfNoStoreLiesBetween) {
    const auto branches = [](const std::string& store, const std::string& load) {
        return look_at(head + "ld.global.u32 %r3, [%rd1];\n" + store + " %r3;\n@%p1 bra DONE;\n" + load +
                       " %r4, [%rd1+4];\n" + store + " %r4;\nDONE:\nbar.sync 0;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches("st.shared.u32 [tile],", "ld.global.u32"), 0);
    EXPECT_EQ(branches("st.global.u32 [%rd1+8],", "ld.global.nc.u32"), 0);
    EXPECT_EQ(branches("st.global.u32 [%rd1+8],", "ld.global.u32"), 1);
}

TEST(Rules, LoadsOfTwoIfsInARowGoTogether) {
    const auto branches = [](const std::string& condition, const std::string& end) {
        return look_at(head + "ld.param.u32 %r5, [n];\nsetp.lt.s32 %p2, %r5, %r1;\n@" + condition +
                       " bra SECOND;\nld.global.nc.u32 %r3, [%rd1];\nSECOND:\n@%p2 bra " + end +
                       ";\nld.global.nc.u32 %r4, [%rd1+4];\nDONE:\nbar.sync 0;\n"
                       "st.global.u32 [%rd1+8], %r3;\nst.global.u32 [%rd1+12], %r4;\nEND:\nret;")
            ->branches();
    };
    EXPECT_EQ(branches("%p1", "DONE"), 0);
    // What leaves the kernel is no `if`.
    EXPECT_EQ(branches("%p1", "END"), 1);
}

TEST(Rules, ALoadBehindAnIfGoesWithThatOfItsSide) {
    const auto branches = [](const std::string& between) {
        return look_at(head + "@%p1 bra DONE;\nld.global.nc.u32 %r3, [%rd1];\nDONE:\n" + between +
                       "ld.global.nc.u32 %r4, [%rd1+4];\nadd.s32 %r5, %r3, %r4;\n"
                       "st.global.u32 [%rd1+8], %r5;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(""), 0);
    EXPECT_EQ(branches("bar.sync 0;\n"), 1);
}

TEST(Rules, WhatTheBranchDoesNotNeedIsDoneWhileItsSideLoads) {
    const auto branches = [](int work) {
        return look_at(head + "ld.param.u32 %r5, [n];\n" + repeated("mul.lo.s32 %r5, %r5, %r1;\n", work) +
                       "@%p1 bra DONE;\nld.global.u32 %r3, [%rd1];\nst.shared.u32 [tile], %r3;\nDONE:\n"
                       "bar.sync 0;\nst.global.u32 [%rd1+8], %r5;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(2), 1);
    EXPECT_EQ(branches(3), 0);
    // What its store needs its load does not wait for.
    const auto needed = [](const std::string& side) {
        return look_at(head + repeated("mul.lo.s32 %r5, %r5, %r1;\n", 4) +
                       "cvt.u64.u32 %rd4, %r5;\n@%p1 bra DONE;\n" + side + "DONE:\nbar.sync 0;\nret;")
            ->branches();
    };
    EXPECT_EQ(needed("ld.global.u32 %r3, [%rd1];\nst.shared.u32 [%r5], %r3;\n"), 0);
    EXPECT_EQ(needed("ld.global.u32 %r3, [%rd4];\nst.shared.u32 [tile], %r3;\n"), 1);
}

TEST(Rules, QuestionsOfASwitchAreOneBranchByATable) {
    // A first question behind other instructions, then those with `constants`.
    const auto branches = [](const std::vector<int>& constants, const std::string& between = "") {
        std::string text = head + "ld.global.u32 %r3, [%rd1];\n@%p1 bra OUT;\n", cases;
        int number = 2;
        for (const int constant : constants) {
            const std::string n = std::to_string(number++);
            text += (n == "3" ? between : "") + "setp.eq.s32 %p" + n + ", %r3, " + std::to_string(constant) +
                    ";\n@%p" + n + " bra CASE" + n + ";\n";
            cases += "CASE" + n + ":\n" + repeated("mul.f32 %f1, %f1, %f" + n + ";\n", 12) + "bra.uni OUT;\n";
        }
        return look_at(text + "bra.uni OUT;\n" + cases + "OUT:\nst.global.f32 [%rd1], %f1;\nret;");
    };
    const auto table = [&](const std::vector<int>& constants, const std::string& between = "") {
        return branches(constants, between)->has("BRX");
    };
    EXPECT_FALSE(table({7}));
    EXPECT_TRUE(table({7, 8}));
    EXPECT_TRUE(table({7, 16}));
    EXPECT_FALSE(table({7, 17}));
    EXPECT_TRUE(table({1, 2, 19}));
    EXPECT_FALSE(table({1, 2, 20}));
    EXPECT_FALSE(table({7, 8}, "mov.u32 %r9, %r1;\n"));
    const auto seen = branches({1, 2, 3, 4});
    EXPECT_FALSE(seen->has("ISETP ISETP")) << seen->code();
    EXPECT_TRUE(seen->has("BRXx6")) << seen->code();
}

TEST(Rules, TheLoopThatEndsAKernelHasABranchAndAnExit) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nLOOP:\nld.global.u32 %r3, [%rd1];\n"
        "add.s32 %r1, %r1, %r3;\nst.global.u32 [%rd1], %r1;\nsetp.lt.s32 %p1, %r1, 100;\n"
        "@%p1 bra LOOP;\nret;");
    EXPECT_EQ(seen->branches(), 1) << seen->code();
    EXPECT_TRUE(seen->has("EXIT")) << seen->code();
}

TEST(Rules, LoopsWithPredicatedAccessesAreUnrolled) {
    const std::string loop =
        "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\nmov.f32 %f1, 0f00000000;\n"
        "LOOP:\nand.b32 %r3, %r1, %r2;\nsetp.eq.s32 %p2, %r3, 0;\nld.global.f32 %f3, [%rd1+64];\n"
        "@%p2 bra NEXT;\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nNEXT:\nmul.f32 %f1, %f1, %f3;\n"
        "add.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\n"
        "st.global.f32 [%rd1], %f1;\nret;";
    const auto seen = look_at(loop);
    int unrolled = 0;
    for (const Block& block : seen->view.blocks) unrolled += block.unrolling.turns > 1;
    EXPECT_EQ(unrolled, 3) << seen->code();
}

// How a loop with `body` is unrolled that begins with `start` and goes on while `comparison`.
Unrolling unrolling_of(const std::string& body,
                       const std::string& comparison = "setp.ne.s32 %p1, %r1, %r2;\n",
                       const std::string& start = "mov.u32 %r1, 0;\n") {
    const auto seen = look_at("ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r3, %tid.x;\n" +
                              start + "LOOP:\n" + body + "add.s32 %r1, %r1, 1;\n" + comparison +
                              "@%p1 bra LOOP;\nst.global.f32 [%rd1], %f1;\nret;");
    Unrolling how;
    for (const Block& block : seen->view.blocks)
        if (block.unrolling.turns > 1) how = block.unrolling;
    return how;
}
std::string sums(int count) { return repeated("add.f32 %f1, %f1, %f2;\n", count); }

TEST(Rules, LoopsAreUnrolledUpToAWeight) {
    EXPECT_EQ(unrolling_of(sums(18)).turns, 4u);
    EXPECT_EQ(unrolling_of(sums(19)).turns, 1u);
    // Loads from global memory allow for more, each from shared memory for a little.
    EXPECT_EQ(unrolling_of("ld.global.f32 %f2, [%rd1+64];\n" + sums(45)).turns, 4u);
    EXPECT_EQ(unrolling_of("ld.global.f32 %f2, [%rd1+64];\n" + sums(46)).turns, 1u);
    EXPECT_EQ(unrolling_of("ld.shared.f32 %f2, [%r3];\n" + sums(22)).turns, 4u);
    EXPECT_EQ(unrolling_of("ld.shared.f32 %f2, [%r3];\n" + sums(23)).turns, 1u);
    // Addresses are free there: sums of what is stepped, all steps but one, the sum behind a product.
    const std::string step = "add.s64 %rd1, %rd1, 4;\n", load = "ld.global.f32 %f2, [%rd1+64];\n",
                      other = "add.s64 %rd5, %rd1, %rd2;\nld.global.f32 %f3, [%rd5];\n",
                      gather =
                          "mul.wide.s32 %rd6, %r4, 4;\nadd.s64 %rd7, %rd2, %rd6;\n"
                          "ld.global.u32 %r4, [%rd7];\n";
    EXPECT_EQ(unrolling_of(load + step + sums(44)).turns, 4u);
    EXPECT_EQ(unrolling_of(load + step + sums(45)).turns, 1u);
    EXPECT_EQ(unrolling_of(load + step + other + sums(42)).turns, 4u);
    EXPECT_EQ(unrolling_of(load + step + other + sums(43)).turns, 1u);
    EXPECT_EQ(unrolling_of(load + step + gather + sums(41)).turns, 4u);
    EXPECT_EQ(unrolling_of(load + step + gather + sums(42)).turns, 1u);
    // A store is like any other instruction.
    EXPECT_EQ(unrolling_of("st.global.f32 [%rd1], %f1;\n" + sums(17)).turns, 4u);
    EXPECT_EQ(unrolling_of("st.global.f32 [%rd1], %f1;\n" + sums(18)).turns, 1u);
    // Less than 32 bits are made wider, unless a conversion to a float takes them.
    const std::string half = "ld.global.u16 %rs1, [%rd1+64];\n", wide = "cvt.u32.u16 %r7, %rs1;\n",
                      floating = "cvt.f32.f16 %f2, %rs1;\n", halves = ".reg .b16 %rs<4>;\nmov.u32 %r1, 0;\n",
                      counts = "setp.ne.s32 %p1, %r1, %r2;\n";
    EXPECT_EQ(unrolling_of(half + wide + sums(43), counts, halves).turns, 4u);
    EXPECT_EQ(unrolling_of(half + wide + sums(44), counts, halves).turns, 1u);
    EXPECT_EQ(unrolling_of(half + floating + sums(44), counts, halves).turns, 4u);
    EXPECT_EQ(unrolling_of(half + floating + sums(45), counts, halves).turns, 1u);
    // Barriers and exchanges between lanes are like others if the loop counts to a parameter; a fence forbids
    // it.
    EXPECT_EQ(unrolling_of("bar.sync 0;\n" + sums(4)).turns, 4u);
    const std::string computed = "mov.u32 %r1, 0;\nadd.s32 %r5, %r2, 4;\n",
                      bound = "setp.ne.s32 %p1, %r1, %r5;\n";
    EXPECT_EQ(unrolling_of("bar.sync 0;\n" + sums(4), bound, computed).turns, 1u);
    EXPECT_EQ(unrolling_of(sums(4), bound, computed).turns, 4u);
    EXPECT_EQ(unrolling_of("shfl.sync.down.b32 %r4, %r3, 1, 31, -1;\n" + sums(4)).turns, 4u);
    EXPECT_EQ(unrolling_of("membar.gl;\n" + sums(4)).turns, 1u);
    EXPECT_EQ(unrolling_of("div.rn.f32 %f1, %f1, %f2;\n").turns, 1u);
}

// Instructions that make double constants, before a loop and in it.
struct Made {
    int before = 0, inside = 0;
    bool operator==(const Made&) const = default;
};
bool is_move(Opcode opcode) { return opcode == Opcode::mov || opcode == Opcode::mov_imad; }
Made constants_of(const std::string& body) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
        "ld.global.v2.f64 {%fd1, %fd2}, [%rd1];\nLOOP:\n.pragma \"nounroll\";\n" +
        body +
        "NEXT:\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, %r2;\n@%p1 bra LOOP;\n"
        "st.global.f64 [%rd1], %fd1;\nret;");
    Made made;
    for (kernel::BlockId b = 0; b < seen->view.blocks.size(); ++b)
        for (const Instruction& instruction : seen->view.blocks[b].code)
            if (is_move(instruction.opcode) && instruction.ptx < 0 && instruction.issues == 2)
                (seen->function.blocks[b].loop < 0 ? made.before : made.inside) += instruction.issues;
    return made;
}

TEST(Rules, DoubleConstantsAreMadeBeforeShortLoopsOnly) {
    const std::string one = "fma.rn.f64 %fd1, %fd1, %fd2, 0d3FF0000000003039;\n",
                      negative = "fma.rn.f64 %fd1, %fd1, %fd2, 0dBFF0000000003039;\n",
                      round = "fma.rn.f64 %fd1, %fd1, %fd2, 0d3FF0000000000000;\n";
    EXPECT_EQ(constants_of(one + repeated(round, 8)), (Made{2, 0}));
    EXPECT_EQ(constants_of(one + repeated(round, 12)), (Made{0, 2}));
    EXPECT_EQ(constants_of(repeated(round, 12)), Made{});
    // What is not needed every turn is made where it is.
    EXPECT_EQ(constants_of("setp.gt.f64 %p2, %fd1, %fd2;\n@%p2 bra NEXT;\n" + one), (Made{0, 2}));
    // A block behind another one of the loop has its constants, and their negatives.
    const std::string condition = "setp.gt.f64 %p2, %fd1, %fd2;\n@%p2 bra NEXT;\n" + repeated(round, 12);
    EXPECT_EQ(constants_of(one + condition + negative), (Made{0, 2}));
}

// Instructions that make constants of 32 bits, before a loop and in it.
Made single_constants_of(const std::string& body) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
        "ld.global.v2.f32 {%f1, %f2}, [%rd1];\nLOOP:\n.pragma \"nounroll\";\n" +
        body +
        "NEXT:\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, %r2;\n@%p1 bra LOOP;\n"
        "st.global.f32 [%rd1], %f1;\nret;");
    Made made;
    for (kernel::BlockId b = 0; b < seen->view.blocks.size(); ++b)
        for (const Instruction& instruction : seen->view.blocks[b].code)
            if (is_move(instruction.opcode) && instruction.ptx < 0)
                (seen->function.blocks[b].loop < 0 ? made.before : made.inside) += instruction.issues;
    return made;
}

TEST(Rules, OfTwoConstantsOneIsInARegister) {
    const std::string two = "fma.rn.f32 %f1, %f1, 0f3FA66666, 0f402CCCCD;\n",
                      other = "fma.rn.f32 %f1, %f1, 0f3FB33333, 0f402CCCCD;\n",
                      one = "fma.rn.f32 %f1, %f1, %f2, 0f402CCCCD;\n";
    EXPECT_EQ(single_constants_of(one), Made{});
    EXPECT_EQ(single_constants_of(two), (Made{1, 0}));
    // That which both have.
    EXPECT_EQ(single_constants_of(two + other), (Made{1, 0}));
    // 26 instructions with the constant, and one more.
    EXPECT_EQ(single_constants_of(two + repeated(one, 21)), (Made{1, 0}));
    EXPECT_EQ(single_constants_of(two + repeated(one, 22)), (Made{0, 1}));
    // What is not needed every turn is made where it is; who comes behind one that has it needs nothing.
    EXPECT_EQ(single_constants_of("setp.gt.f32 %p2, %f1, %f2;\n@%p2 bra NEXT;\n" + two), (Made{0, 1}));
    EXPECT_EQ(single_constants_of(two + "setp.gt.f32 %p2, %f1, %f2;\n@%p2 bra NEXT;\nbar.sync 0;\n" + two),
              (Made{1, 0}));
    // In a loop that waits for loads anyway it stays.
    EXPECT_EQ(single_constants_of("ld.global.f32 %f3, [%rd1+64];\nadd.f32 %f1, %f1, %f3;\n" + two),
              (Made{1, 0}));
    EXPECT_EQ(single_constants_of("mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                                  "ld.global.f32 %f3, [%rd4];\nadd.f32 %f1, %f1, %f3;\n" +
                                  two),
              (Made{0, 1}));
    // A choice between two, and whole numbers.
    EXPECT_EQ(single_constants_of("selp.f32 %f1, 0f3FA66666, 0f402CCCCD, %p1;\n"), (Made{1, 0}));
    EXPECT_EQ(single_constants_of("selp.f32 %f1, 0f3FA66666, 0f00000000, %p1;\n"), Made{});
    EXPECT_EQ(single_constants_of("mad.lo.s32 %r3, %r3, 1664525, 1013904223;\n"), (Made{1, 0}));
    EXPECT_EQ(single_constants_of("mad.lo.s32 %r3, %r3, 8, 1013904223;\n"), Made{});
}

// More than for a kernel that stores what it has loaded: two floats in %f1 and %f2, and a word in %r3.
int issues_for_floats(const std::string& body) {
    const auto kernel = [](const std::string& text) {
        return head + "ld.global.v2.f32 {%f1, %f2}, [%rd1];\nld.global.u32 %r3, [%rd1+8];\n" + text +
               "st.global.v2.f32 [%rd1], {%f8, %f9};\nret;";
    };
    return issues_of(kernel(body)) - issues_of(kernel("mov.f32 %f8, %f1;\nmov.f32 %f9, %f2;\n"));
}

TEST(Rules, AFloatProductThatOnlySumsReadIsPartOfEach) {
    const std::string product = "mul.f32 %f3, %f1, %f2;\n",
                      sums = "add.f32 %f8, %f1, %f3;\nsub.f32 %f9, %f1, %f3;\n";
    EXPECT_EQ(issues_for_floats(product + sums), 2);
    EXPECT_EQ(issues_for_floats(product + sums + "st.global.f32 [%rd1+16], %f3;\n"), 4);
}

// What the body takes, with halves of words in %rs0 to %rs9.
int issues_of_narrow(const std::string& body) {
    return issues_of(head + ".reg .b16 %rs<10>;\n" + body + "ret;");
}

TEST(Rules, HalvesOfAWordAreOperands) {
    const std::string floats = "st.global.v2.f32 [%rd1], {%f1, %f2};\n",
                      load = "ld.global.u32 %r3, [%rd1];\n", apart = "mov.b32 {%rs1, %rs2}, %r3;\n";
    const int conversions =
        issues_of_narrow(load + apart + "cvt.f32.f16 %f1, %rs1;\ncvt.f32.f16 %f2, %rs2;\n" + floats);
    EXPECT_EQ(conversions, issues_of_narrow(load + "mov.b32 %f1, %r3;\nmov.b32 %f2, %r3;\n" + floats) + 2);
    EXPECT_EQ(issues_of_narrow("ld.global.v2.u16 {%rs1, %rs2}, [%rd1];\n"
                               "cvt.f32.f16 %f1, %rs1;\ncvt.f32.f16 %f2, %rs2;\n" +
                               floats),
              conversions);
    // Two floats become one word at once.
    const std::string back = "ld.global.v2.f32 {%f1, %f2}, [%rd1];\n", store = "st.global.u32 [%rd1], %r3;\n";
    EXPECT_EQ(issues_of_narrow(back +
                               "cvt.rn.f16.f32 %rs1, %f1;\ncvt.rn.f16.f32 %rs2, %f2;\n"
                               "mov.b32 %r3, {%rs1, %rs2};\n" +
                               store),
              issues_of_narrow(back + "mov.b32 %r3, %f1;\n" + store) + 1);
}

TEST(Rules, TheLargestOfThreePairsOfHalvesIsOneInstruction) {
    const std::string signs = "abs.f16x2 %r5, %r3;\nabs.f16x2 %r6, %r4;\n",
                      largest = "max.f16x2 %r7, %r1, %r5;\nmax.f16x2 %r9, %r7, %r6;\n";
    EXPECT_EQ(issues_for(signs + largest), 1);
    EXPECT_EQ(issues_for(signs + largest + "max.f16x2 %r9, %r9, %r2;\n"), 2);
    EXPECT_EQ(issues_for("abs.f16x2 %r9, %r3;\n"), 1);
}

TEST(Rules, SaturationIsPartOfWhatItFollows) {
    const std::string other = "mov.f32 %f9, %f2;\n", saturate = "cvt.sat.f32.f32 %f8, %f3;\n";
    EXPECT_EQ(issues_for_floats("fma.rn.f32 %f3, %f1, %f2, %f1;\n" + saturate + other), 1);
    EXPECT_EQ(issues_for_floats("add.f32 %f3, %f1, %f2;\n" + saturate + other), 1);
    EXPECT_EQ(issues_for_floats("cvt.sat.f32.f32 %f8, %f1;\n" + other), 1);
}

TEST(Rules, ABytesConversionTakesItOutOfItsWord) {
    const std::string other = "mov.f32 %f9, %f2;\n", convert = "cvt.rn.f32.u32 %f8, %r5;\n";
    EXPECT_EQ(issues_for_floats("and.b32 %r5, %r3, 255;\n" + convert + other), 1);
    EXPECT_EQ(issues_for_floats("shr.u32 %r5, %r3, 24;\n" + convert + other), 1);
    EXPECT_EQ(issues_for_floats("and.b32 %r5, %r3, 15;\n" + convert + other), 2);
    EXPECT_EQ(issues_for_floats("shr.u32 %r4, %r3, 8;\nand.b32 %r5, %r4, 255;\n" + convert + other), 3);
}

TEST(Rules, BytesAreTakenOutOfWordsAndPutIntoThem) {
    const std::string load = "ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd1];\n",
                      copy = "st.global.v4.u8 [%rd1], {%rs1, %rs2, %rs3, %rs4};\n";
    const int copied = issues_of_narrow(load + copy);
    EXPECT_EQ(issues_of_narrow(load + "st.global.v4.u8 [%rd1], {%rs2, %rs1, %rs3, %rs4};\n"), copied + 4 + 3);
    // Each byte that is read, once; that to a float as well, and with a sign by the conversion itself.
    const auto converted = [&](const std::string& by) {
        return issues_of_narrow(load + copy + by + "st.global.f32 [%rd1], %f1;\n");
    };
    EXPECT_EQ(converted("cvt.rn.f32.u16 %f1, %rs2;\n"), copied + 1 + 2);
    EXPECT_EQ(converted("cvt.s16.s8 %rs6, %rs2;\ncvt.rn.f32.s16 %f1, %rs6;\n"), copied + 1 + 1);
    EXPECT_EQ(issues_of_narrow(load + copy +
                               "cvt.u32.u16 %r5, %rs2;\nadd.s32 %r6, %r5, %r1;\n"
                               "add.s32 %r7, %r5, %r2;\nst.global.v2.u32 [%rd1], {%r6, %r7};\n"),
              copied + 1 + 3);
    // Halves are converted from where they are.
    EXPECT_EQ(issues_of_narrow("ld.global.v2.u16 {%rs1, %rs2}, [%rd1];\ncvt.rn.f32.u16 %f1, %rs2;\n"
                               "st.global.f32 [%rd1], %f1;\n"),
              issues_of_narrow("ld.global.u16 %rs2, [%rd1];\ncvt.rn.f32.u16 %f1, %rs2;\n"
                               "st.global.f32 [%rd1], %f1;\n"));
    // Four results are one word after three instructions; making them narrower is none.
    const std::string words = "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1];\n",
                      bytes =
                          "cvt.u16.u32 %rs1, %r3;\ncvt.u16.u32 %rs2, %r4;\ncvt.u16.u32 %rs3, %r5;\n"
                          "cvt.u16.u32 %rs4, %r6;\n";
    EXPECT_EQ(issues_of_narrow(words + bytes + copy),
              issues_of_narrow(words + "st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6};\n") + 3);
    EXPECT_EQ(
        issues_of_narrow("ld.global.u32 %r3, [%rd1];\ncvt.u16.u32 %rs1, %r3;\nst.global.u8 [%rd1], %rs1;\n"),
        issues_of_narrow("ld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd1], %r3;\n"));
}

TEST(Rules, AValueThatIsKeptOrComputedAnewIsPredicated) {
    const auto loop = [](const std::string& choice) {
        return issues_of(
            "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
            "ld.global.u32 %r3, [%rd1];\nLOOP:\n.pragma \"nounroll\";\n" +
            choice +
            "add.s32 %r1, %r1, %r3;\nsetp.ne.s32 %p1, %r1, %r2;\n@%p1 bra LOOP;\n"
            "st.global.u32 [%rd1], %r3;\nret;");
    };
    const std::string ask = "setp.lt.s32 %p2, %r1, %r3;\n", sum = "add.s32 %r4, %r1, 7;\n";
    EXPECT_EQ(loop(ask + sum + "selp.b32 %r3, %r4, %r3, %p2;\n"), loop(ask + sum + "mov.u32 %r3, %r4;\n"));
    EXPECT_EQ(loop(ask + sum + "selp.b32 %r3, %r4, %r2, %p2;\n"),
              loop(ask + sum + "mov.u32 %r3, %r4;\n") + 1);
}

// Of a loop that accesses by pointers which it may step: %rd5, which begins as a parameter, and %rd6.
int issues_of_pointers(const std::string& body) {
    return issues_of(head +
                     "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd6, %rd1, %rd3;\nmov.u64 %rd5, %rd1;\n"
                     "mov.u32 %r5, 0;\nld.param.u32 %r6, [n];\nLOOP:\n.pragma \"nounroll\";\n" +
                     body + "add.s32 %r5, %r5, 1;\nsetp.ne.s32 %p2, %r5, %r6;\n@%p2 bra LOOP;\nret;");
}

TEST(Rules, PointersOfLoopsThatLoadAreCopied) {
    const std::string load = "ld.global.f32 %f1, [%rd6];\n", store = "st.global.f32 [%rd6], %f2;\n",
                      step = "add.s64 %rd6, %rd6, 4;\n";
    constexpr int stepped = 2;
    EXPECT_EQ(issues_of_pointers(load + step), issues_of_pointers(load) + stepped + 1);
    EXPECT_EQ(issues_of_pointers(store + step), issues_of_pointers(store) + stepped);
    EXPECT_EQ(issues_of_pointers(load + store + step), issues_of_pointers(load + store) + stepped + 2);
    // Where it is stepped its beginning is a move, too.
    const std::string given = "ld.global.f32 %f1, [%rd5];\n", given_step = "add.s64 %rd5, %rd5, 4;\n";
    EXPECT_EQ(issues_of_pointers(given + given_step), issues_of_pointers(given) + stepped + 2 + 1);
}

// What steps a pointer outside of a loop may be a loop, too: where the pointer begins is asked once a register.
TEST(Rules, PointersThatAnOuterLoopPassesOnAreCopied) {
    EXPECT_GT(issues_of(head +
                        "mov.u64 %rd5, %rd1;\nmov.u32 %r5, 0;\nld.param.u32 %r6, [n];\nOUTER:\n"
                        "mov.u64 %rd6, %rd5;\nINNER:\n.pragma \"nounroll\";\nld.global.f32 %f1, [%rd6];\n"
                        "add.s64 %rd6, %rd6, 4;\nadd.s32 %r5, %r5, 1;\nsetp.ne.s32 %p2, %r5, %r6;\n@%p2 bra INNER;\n"
                        "add.s64 %rd5, %rd6, 4;\nsetp.lt.s32 %p1, %r5, 100;\n@%p1 bra OUTER;\nret;"),
              0);
}

TEST(Rules, TheComparisonSaysWhatBecomesOfTurnsThatAreLeft) {
    EXPECT_EQ(unrolling_of(sums(12)).rest, Rest::loop);
    const std::string less = "setp.lt.s32 %p1, %r1, %r2;\n";
    EXPECT_EQ(unrolling_of(sums(12), less).rest, Rest::one);
    EXPECT_FALSE(unrolling_of(sums(7), less).last_predicated);
    EXPECT_TRUE(unrolling_of(sums(6), less).last_predicated);
    EXPECT_FALSE(unrolling_of(sums(6), less).half_predicated);
    EXPECT_TRUE(unrolling_of(sums(2), less).half_predicated);
}

TEST(Rules, WhatATurnMakesAConstantPaysForStraightCode) {
    const auto rest = [](const std::string& index) {
        return unrolling_of(sums(100) + repeated("add.s32 %r5, %r1, 7;\n" + index, 8),
                            "setp.ne.s32 %p1, %r1, 4;\n")
            .rest;
    };
    EXPECT_EQ(rest("xor.b32 %r6, %r6, %r5;\n"), Rest::none);
    // As a condition of the counter, which is decided then, and the choice by it.
    EXPECT_EQ(rest("setp.eq.s32 %p2, %r5, 8;\nselp.f32 %f1, %f1, %f2, %p2;\n"), Rest::none);
    EXPECT_NE(unrolling_of(sums(116), "setp.ne.s32 %p1, %r1, 4;\n").rest, Rest::none);
}

TEST(Rules, LoopsOfAKnownNumberOfTurnsBecomeStraightCodeOrLargeOnes) {
    const auto turns = [](int count, int number) {
        return unrolling_of(sums(count), "setp.ne.s32 %p1, %r1, " + std::to_string(number) + ";\n");
    };
    EXPECT_EQ(turns(12, 100).turns, 100u);
    EXPECT_EQ(turns(12, 100).rest, Rest::none);
    // With what is left over no more than 350: 25 and none, 14 and 2, 7 and 2.
    EXPECT_EQ(turns(13, 100).turns, 25u);
    EXPECT_EQ(turns(13, 100).rest, Rest::copies);
    EXPECT_EQ(turns(19, 100).turns, 14u);
    EXPECT_EQ(turns(37, 100).turns, 7u);
    EXPECT_EQ(turns(80, 100).turns, 1u);
    EXPECT_EQ(unrolling_of(sums(20), "setp.lt.s32 %p1, %r1, 100;\n", "mov.u32 %r1, 50;\n").turns, 12u);
}

TEST(Rules, AKnownLoopThatIsLeftInItsMiddleBecomesStraightCode) {
    const auto loop = [](int sums, const std::string& bound = "24") {
        const std::string part = repeated("fma.rn.f32 %f1, %f1, %f2, %f3;\n", sums);
        return look_at(
            "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\nbra.uni HEAD;\nTAIL:\n" +
            part + "add.s32 %r1, %r1, 8;\nHEAD:\n" + part + "setp.eq.s32 %p1, %r1, " + bound +
            ";\n@%p1 bra DONE;\nbra.uni TAIL;\nDONE:\nst.global.f32 [%rd1], %f1;\nret;");
    };
    EXPECT_EQ(loop(20)->branches(), 0) << loop(20)->code();
    EXPECT_FALSE(loop(20)->has("ISETP")) << loop(20)->code();
    EXPECT_GT(loop(80)->branches(), 0);
    EXPECT_GT(loop(20, "%r2")->branches(), 0);
}

TEST(Rules, ALoopsPointerIsCopiedUnlessItIsUnrolled) {
    const auto has_copy = [](const std::string& pragma) {
        return look_at("ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nLOOP:\n" + pragma +
                       "ld.global.u32 %r3, [%rd1];\nadd.s32 %r2, %r2, %r3;\nadd.s64 %rd1, %rd1, 4;\n"
                       "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\n"
                       "st.global.u32 [%rd1], %r2;\nret;")
            ->has("MOV");
    };
    EXPECT_FALSE(has_copy(""));
    EXPECT_TRUE(has_copy(".pragma \"nounroll\";\n"));
}

TEST(Rules, OneLaneActsForAllThatHaveOneAddress) {
    const std::string start = "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n";
    const auto issues = [&](const std::string& atomic, const std::string& result) {
        return issues_of(start + atomic + "st.global.u32 [%rd1+64], " + result + ";\nret;");
    };
    const int plain = issues("", "%r1");
    EXPECT_EQ(issues("red.global.add.u32 [%rd1], 1;\n", "%r1") - plain, 1 + 5);
    EXPECT_EQ(issues("red.global.add.u32 [%rd1], %r1;\n", "%r1") - plain, 1 + 6);
    EXPECT_EQ(issues("red.global.xor.b32 [%rd1], %r1;\n", "%r1") - plain, 1 + 6);
    EXPECT_EQ(issues("atom.global.add.u32 %r2, [%rd1], 1;\n", "%r2") - plain, 1 + 10);
    EXPECT_EQ(issues("atom.global.max.u32 %r2, [%rd1], %r1;\n", "%r2") - plain, 1);
    const auto scanned =
        look_at(start + "atom.global.add.u32 %r2, [%rd1], %r1;\nst.global.u32 [%rd1], %r2;\nret;");
    EXPECT_EQ(scanned->branches(), 1);
}

TEST(Rules, ShufflesWhereLanesMayBeApartAskWhetherTheyAreTogether) {
    const auto behind = [](const std::string& collectives, const std::string& condition = "%p1",
                           const gpu::GpuModel& gpu = model(9)) {
        return look_at(head + "setp.lt.u32 %p2, %r9, 7;\n@" + condition + " bra DONE;\n" + collectives +
                           repeated("add.s32 %r3, %r3, %r1;\nst.global.u32 [%rd1], %r3;\n", 8) +
                           "DONE:\nst.global.u32 [%rd1+4], %r3;\nret;",
                       gpu);
    };
    const auto shuffle = [](const std::string& mode, const std::string& mask = "-1") {
        return "shfl.sync." + mode + ".b32 %r3, %r3, 1, 31, " + mask + ";\n";
    };
    const std::string vote = "vote.sync.ballot.b32 %r3, %p3, -1;\n";
    const auto asks = [](const std::unique_ptr<Seen>& seen) {
        int number = 0;
        for (const Block& block : seen->view.blocks)
            number += static_cast<int>(std::ranges::count(block.code, Opcode::bra_div, &Instruction::opcode));
        return number;
    };
    // Several of a kind, one question; before 9.0 one each.
    const auto several = behind(repeated(shuffle("bfly"), 3));
    EXPECT_EQ(asks(several), 1) << several->code();
    EXPECT_TRUE(several->has("BSSY")) << several->code();
    EXPECT_FALSE(several->has("WARPSYNC")) << several->code();
    EXPECT_EQ(asks(behind(repeated(shuffle("bfly"), 3), "%p1", model(8))), 3);
    // Where the whole warp goes one way there is none.
    EXPECT_EQ(asks(behind(repeated(shuffle("bfly"), 3), "%p2")), 0);
    // One of a kind waits for the whole warp, and those behind it need nothing.
    for (const std::string& first : {shuffle("bfly"), vote}) {
        const auto one = behind(first + (first == vote ? repeated(shuffle("bfly"), 2) : shuffle("up")));
        EXPECT_EQ(asks(one), 0) << one->code();
        EXPECT_TRUE(one->has("WARPSYNC")) << one->code();
        EXPECT_FALSE(one->has("BSSY")) << one->code();
    }
    EXPECT_EQ(asks(behind(repeated(shuffle("bfly"), 2) + vote)), 1);
    // Where lanes meet of which some exchanged values they are not known to be together, up to a barrier.
    const auto twice = [&](const std::string& inside, const std::string& between) {
        return asks(look_at(head + "@%p1 bra MEET;\n" + inside +
                            repeated("add.s32 %r3, %r3, %r1;\nst.global.u32 [%rd1], %r3;\n", 8) + "MEET:\n" +
                            between + repeated(shuffle("bfly"), 2) + "st.global.u32 [%rd1+4], %r3;\nret;"));
    };
    EXPECT_EQ(twice("", ""), 0);
    EXPECT_EQ(twice(repeated(shuffle("bfly"), 2), ""), 2);
    EXPECT_EQ(twice(repeated(shuffle("bfly"), 2), "bar.sync 0;\n"), 1);
    const auto masked = behind(shuffle("bfly", "%r1"));
    EXPECT_TRUE(masked->has("WARPSYNC")) << masked->code();
    EXPECT_TRUE(masked->has("BSSY")) << masked->code();
}

TEST(Rules, MasksThatLanesComputeAreAskedForWhereverTheyAre) {
    const std::string tile = head + "mov.u32 %r4, %laneid;\nand.b32 %r5, %r4, -8;\nshl.b32 %r6, 255, %r5;\n";
    const std::string shuffle = "shfl.sync.bfly.b32 %r3, %r3, 1, 31, %r6;\n",
                      vote = "vote.sync.ballot.b32 %r3, %p1, %r6;\n",
                      end = "st.global.u32 [%rd1], %r3;\nret;";
    const auto issues = [&](const std::string& collectives) { return issues_of(tile + collectives + end); };
    EXPECT_EQ(issues(repeated(shuffle, 3)) - issues(""), 3 + 5);
    EXPECT_EQ(look_at(tile + repeated(shuffle, 3) + end)->branches(), 1);
    // Votes by different masks are elsewhere.
    EXPECT_EQ(issues(repeated(vote, 2)) - issues(""), 2 * (1 + 7) + 4);
    EXPECT_EQ(look_at(tile + repeated(vote, 2) + end)->branches(), 2);
    // Each time that the kind changes.
    EXPECT_EQ(look_at(tile + repeated(shuffle, 2) + repeated(vote, 2) + shuffle + end)->branches(), 4);
    EXPECT_EQ(issues(shuffle) - issues(""), 1 + 1);
    EXPECT_EQ(issues(vote) - issues(""), 1 + 3);
    EXPECT_EQ(look_at(tile + shuffle + vote + end)->branches(), 0);
    // One mask of all lanes.
    EXPECT_EQ(look_at(head + "activemask.b32 %r6;\n" + repeated(shuffle, 3) + end)->branches(), 0);
}

TEST(Rules, WhatWasComputedBeforeIsThere) {
    const auto issues = [](const std::string& between, const std::string& again) {
        return issues_of(head +
                         "mov.u32 %r4, %laneid;\nshr.u32 %r5, %r4, 3;\nxor.b32 %r6, %r5, %r1;\n"
                         "st.global.u32 [%rd1], %r6;\n" +
                         between + "mov.u32 %r7, %laneid;\n" + again +
                         "st.global.u32 [%rd1+4], %r9;\nDONE:\nret;");
    };
    const int other = issues("", "shr.u32 %r8, %r7, 4;\nxor.b32 %r9, %r8, %r1;\n");
    const std::string same = "shr.u32 %r8, %r7, 3;\nxor.b32 %r9, %r8, %r1;\n";
    EXPECT_EQ(issues("", same), other - 2);
    EXPECT_EQ(issues("bar.sync 0;\n", same), other + 1 - 2);
    // A register that is written elsewhere, too, may hold something else.
    EXPECT_EQ(issues("add.s32 %r1, %r1, 1;\n", same), other + 1 - 1);
    // Where only some came by, it is computed.
    EXPECT_EQ(issues_of(head + "@%p1 bra NEXT;\nxor.b32 %r6, %r2, 7;\nst.global.u32 [%rd1], %r6;\nNEXT:\n"
                               "xor.b32 %r7, %r2, 7;\nst.global.u32 [%rd1+4], %r7;\nret;"),
              issues_of(head + "@%p1 bra NEXT;\nxor.b32 %r6, %r2, 7;\nst.global.u32 [%rd1], %r6;\nNEXT:\n"
                               "xor.b32 %r7, %r2, 6;\nst.global.u32 [%rd1+4], %r7;\nret;"));
}

TEST(Rules, OneSignIsPartOfASumOfTwo) {
    const auto issues = [](const std::string& sums) {
        return issues_of(head +
                         "ld.global.u32 %r5, [%rd1];\nld.global.u32 %r6, [%rd1+4];\n"
                         "ld.global.u64 %rd9, [%rd1+8];\nld.global.u64 %rd8, [%rd1+16];\n" +
                         sums + "st.global.u64 [%rd1], %rd7;\nret;");
    };
    const int none = issues("");
    const std::string first = "cvt.s64.s32 %rd4, %r5;\n", second = "cvt.s64.s32 %rd5, %r6;\n";
    EXPECT_EQ(issues(first + "add.s64 %rd7, %rd4, %rd9;\n"), none + 2);
    EXPECT_EQ(issues(first + second + "add.s64 %rd7, %rd4, %rd5;\n"), none + 3);
    EXPECT_EQ(issues(first + "add.s64 %rd6, %rd4, %rd9;\nadd.s64 %rd7, %rd6, %rd8;\n"), none + 3);
    EXPECT_EQ(issues(first + "mul.wide.s32 %rd6, %r6, 4;\nadd.s64 %rd7, %rd6, %rd4;\n"), none + 2);
}

TEST(Rules, SpecialRegistersAreReadAnewWhereTheCodeDoes) {
    const auto more = [](const std::string& between) {
        const auto issues = [&](const std::string& value) {
            return issues_of(head + "st.global.u32 [%rd1], %r1;\n" + between + "mov.u32 %r4, " + value +
                             ";\nst.global.u32 [%rd1+4], %r4;\nDONE:\nret;");
        };
        return issues("%tid.x") - issues("%r1");
    };
    EXPECT_EQ(more(""), 0);
    EXPECT_EQ(more("bar.sync 0;\n"), 0);
    EXPECT_EQ(more("@%p1 bra DONE;\n"), 1);
}

TEST(Rules, ApproximationsScaleTheirOperandInPlaceWhereNobodyElseReadsIt) {
    const auto issues = [](const std::string& code) {
        return issues_of(head + "ld.global.f32 %f1, [%rd1];\n" + code + "st.global.f32 [%rd1], %f2;\nret;");
    };
    const std::string log = "lg2.approx.f32 %f2, %f1;\n", also = "st.global.f32 [%rd1+4], %f1;\n";
    EXPECT_EQ(issues(log) - issues(""), 4);
    EXPECT_EQ(issues(log + also) - issues(also), 5);
    const auto side = [&](const std::string& code) {
        return issues("@%p1 bra DONE;\n" + code + "mov.f32 %f3, 0f3F800000;\nDONE:\n");
    };
    EXPECT_EQ(side(log) - side(""), 6);
    const std::string sine = "sin.approx.f32 %f2, %f1;\n", cosine = "cos.approx.f32 %f3, %f1;\n";
    EXPECT_EQ(issues(sine + cosine) - issues(sine), 1);
}

TEST(Rules, LoopsThatWaitForOthersYield) {
    const auto loop = [](const std::string& expected, const std::string& more) {
        return "ld.param.u64 %rd1, [p];\nld.param.u32 %r5, [n];\nld.global.u32 %r1, [%rd1];\nLOOP:\n"
               "add.s32 %r2, %r1, 1;\natom.global.cas.b32 %r3, [%rd1], " +
               expected + ", %r2;\nsetp.eq.s32 %p1, %r3, " + expected +
               ";\nmov.u32 %r1, %r3;\n@%p1 bra END;\n" + more + "bra LOOP;\nEND:\nret;";
    };
    const std::string counted = "add.s32 %r5, %r5, -1;\nsetp.eq.s32 %p2, %r5, 0;\n@%p2 bra END;\n";
    EXPECT_TRUE(look_at(loop("%r1", ""))->has("YIELD"));
    EXPECT_TRUE(look_at(loop("0", ""))->has("YIELD")) << "a lock";
    EXPECT_FALSE(look_at(loop("0", counted))->has("YIELD"));
    EXPECT_FALSE(look_at(loop("%r1", ""), model(6))->has("YIELD"));
}

TEST(Rules, SumsOfSharedMemoryThatAreNoSmallIntegersAreLoops) {
    const auto issues = [](const std::string& type, const std::string& value) {
        return issues_of(head + "red.shared.add." + type + " [tile], " + value + ";\nret;");
    };
    const auto floats = look_at(head + "red.shared.add.f32 [tile], %f1;\nret;");
    EXPECT_EQ(floats->branches(), 1);
    for (const char* part : {"BSSY", "LDS", "FADD", "ATOMS", "ISETP", "BRA", "BSYNC"})
        EXPECT_TRUE(floats->has(part)) << part;
    EXPECT_EQ(issues("u64", "%rd9"), issues("f32", "%f1") + 2);
}

TEST(Rules, TheWindowIsFoundWhereOnlySomeTurnsNeedIt) {
    const auto branches = [](int count) {
        return look_at(head +
                       "mov.u32 %r5, 0;\nLOOP:\n.pragma \"nounroll\";\nand.b32 %r6, %r5, %r1;\n"
                       "setp.eq.s32 %p2, %r6, 0;\n@%p2 bra NEXT;\n" +
                       repeated("mul.f32 %f1, %f1, %f2;\n", count) +
                       "st.shared.f32 [tile], %f1;\nNEXT:\nadd.s32 %r5, %r5, 1;\nsetp.ne.s32 %p3, %r5, 100;\n"
                       "@%p3 bra LOOP;\nst.global.f32 [%rd1], %f1;\nret;")
            ->branches();
    };
    EXPECT_EQ(branches(4), 1);
    EXPECT_EQ(branches(5), 2);
}

TEST(Rules, AVariableThatIsNotTheFirstTakesOneInstructionMore) {
    const auto issues = [](const std::string& made) {
        return issues_of(".shared .align 4 .b8 first[64];\n.shared .align 4 .b8 second[64];\n" + head + made +
                         "st.shared.u32 [first], %r1;\nst.shared.u32 [second], %r1;\nret;");
    };
    const auto address = [](const std::string& variable) {
        return "mov.u32 %r4, " + variable + ";\nadd.s32 %r4, %r4, %r2;\nst.shared.u32 [%r4], %r1;\n";
    };
    EXPECT_EQ(issues(address("second")) - issues(address("first")), 1);
    EXPECT_EQ(issues(address("second") + address("first")) - issues(address("first") + address("first")), 2);
    // One of unknown size is the first only where there is no other.
    const int alone = issues_of(head + address("dynamic") + "ret;");
    EXPECT_EQ(alone, issues_of(head + address("tile") + "ret;"));
    EXPECT_EQ(issues_of(head + address("dynamic") + "st.shared.u32 [tile], %r1;\nret;"), alone + 2);
}

TEST(Rules, TheWayToSharedMemoryThatFollowsAnywayIsNoPartOfASide) {
    const std::string store = "st.shared.f32 [tile], %f2;\n";
    EXPECT_EQ(branches_of_if(head, 7, store, store), 0);
    EXPECT_EQ(branches_of_if(head, 8, store, store), 1);
}

TEST(Rules, TheWindowOfSharedMemoryIsFoundOnceInABlock) {
    const auto windows = [](const std::string& between) {
        const auto seen = look_at(head + "@!%p1 bra NEXT;\nst.shared.u32 [tile], %r1;\nNEXT:\nbar.sync 0;\n" +
                                  between + "ld.shared.u32 %r3, [tile+4];\nst.global.u32 [%rd1], %r3;\nret;");
        int count = 0;
        for (const Block& block : seen->view.blocks)
            for (const Instruction& instruction : block.code) count += instruction.opcode == Opcode::ulea;
        return count;
    };
    EXPECT_EQ(windows(""), 1);
    EXPECT_EQ(windows("@%p1 bra OUT;\nbra GO;\nOUT:\nret;\nGO:\n"), 2);  // behind an exit it is another block
}

}  // namespace
}  // namespace lockstep::machine
