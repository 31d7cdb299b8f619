// What the machine would issue: each test is a rule of ptxas, in the smallest PTX that shows it.
#include <algorithm>

#include "seen.h"

namespace lockstep::machine {
namespace {

TEST(View, SmallestKernel) { EXPECT_EQ(look_at("ret;")->code(), "LDC EXIT "); }

TEST(View, AnIndexAndABaseAreOneMultiplyAdd) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd4, %rd3, 16;\n"
        "ld.global.u32 %r2, [%rd4];\nst.global.u32 [%rd3], %r2;\nret;");
    // Stack pointer, descriptor, parameter, tid, address; the offset is part of the load.
    EXPECT_EQ(seen->code(), "LDC ULDC.64 LDC S2R IMAD.WIDE LDG STG EXIT ");
}

TEST(View, BeforeHopperParametersAreOperands) {
    const std::string body =
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;";
    EXPECT_EQ(look_at(body, model(8))->code(), "MOV ULDC.64 S2R IMAD.WIDE STG EXIT ");
    EXPECT_EQ(look_at(body, model(7, 5))->code(), "MOV S2R IMAD.WIDE STG EXIT ");
    EXPECT_EQ(look_at(body, model(6, 1))->code(), "MOV S2R LEAx2 STG EXIT ");
}

TEST(View, NeighbouringParametersAreLoadedTogether) {
    const auto seen = look_at(
        "ld.param.u32 %r1, [n];\nld.param.u32 %r2, [m];\nadd.s32 %r3, %r1, %r2;\n"
        "mov.u64 %rd1, 64;\nst.global.u32 [%rd1], %r3;\nret;");
    EXPECT_EQ(seen->code(), "LDC ULDC.64 LDC IADD3 MOVx2 STG EXIT ");
}

TEST(View, SumsOfThreeAreOneAdd) {
    const auto seen = look_at(head +
                              "add.s32 %r3, %r1, %r2;\nadd.s32 %r4, %r3, %r1;\nadd.s32 %r5, %r4, %r2;\n"
                              "add.s32 %r6, %r5, %r1;\nst.global.u32 [%rd1], %r6;\nret;");
    EXPECT_EQ(seen->code(), "LDC ULDC.64 LDC S2R LOP3 ISETP IADD3 IADD3 STG EXIT ");
}

TEST(View, AProductAndASumAreOneMultiplyAddUnlessTheyRound) {
    const auto code = [](const std::string& product, const std::string& sum) {
        return look_at(".reg .f64 %d<8>;\nld.param.u64 %rd1, [p];\nld.global.v2.f64 {%d1, %d2}, [%rd1];\n" +
                       product + ".f64 %d3, %d1, %d2;\n" + sum +
                       ".f64 %d4, %d3, %d1;\nst.global.f64 [%rd1], %d4;\nret;");
    };
    EXPECT_TRUE(code("mul", "sub")->has("DFMA")) << code("mul", "sub")->code();
    EXPECT_FALSE(code("mul", "sub")->has("DMUL"));
    EXPECT_TRUE(code("mul.rn", "sub")->has("DMUL")) << code("mul.rn", "sub")->code();
}

TEST(View, ShiftAndAddIsOneInstruction) {
    const auto seen = look_at(
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
        "shl.b32 %r3, %r2, 4;\nadd.s32 %r4, %r3, %r1;\nst.global.u32 [%rd1], %r4;\nret;");
    EXPECT_TRUE(seen->has("LEA")) << seen->code();
    EXPECT_FALSE(seen->has("SHF")) << seen->code();
}

TEST(View, ParametersAreLoadedWhereTheyAreNeeded) {
    // In each block that reads it, for a loop in front of it: there, not in front of the loop around it.
    const std::string loops =
        "ld.param.u64 %rd1, [p];\nld.param.u32 %r3, [n];\nmov.u32 %r1, 0;\nmov.u32 %r4, %tid.x;\n"
        "OUTER:\n.pragma \"nounroll\";\nmov.u32 %r2, 0;\nINNER:\n.pragma \"nounroll\";\n"
        "st.global.u32 [%rd1], %r4;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r3;\n@%p1 bra INNER;\n"
        "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, %r3;\n@%p2 bra OUTER;\nret;";
    const auto seen = look_at(loops);
    const auto count = [&](std::size_t block, Opcode opcode) {
        return std::ranges::count(seen->view.blocks[block].code, opcode, &Instruction::opcode);
    };
    int before = 0, outer = 0, inner = 0;
    for (kernel::BlockId b = 0; b < seen->function.blocks.size(); ++b) {
        const int loop = seen->function.blocks[b].loop;
        const auto loads = static_cast<int>(count(b, Opcode::ldc_64) + count(b, Opcode::ldc));
        const bool is_inner = loop >= 0 && seen->function.loops[static_cast<std::size_t>(loop)].parent >= 0;
        (loop < 0 ? before : is_inner ? inner : outer) += loads;
    }
    EXPECT_EQ(before, 1) << seen->code();  // the stack pointer
    EXPECT_EQ(outer, 3) << seen->code();   // p and n for the inner loop, n behind it
    EXPECT_EQ(inner, 0) << seen->code();
}

TEST(View, OffsetsAndSharedVariablesArePartOfAccesses) {
    const auto seen = look_at(
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nadd.s32 %r3, %r2, %r1;\nadd.s32 %r4, %r3, -4;\n"
        "ld.shared.u8 %r5, [%r4];\nst.shared.u8 [%r3+8], %r5;\nret;");
    EXPECT_EQ(seen->code(), "LDC ULEAx3 S2R LDS STS EXIT ");
    // Behind a branch that splits the warp the variable's address is in a register of each lane.
    const auto apart =
        look_at(head + "mov.u32 %r2, tile;\n@%p1 bra DONE;\nadd.s32 %r3, %r2, %r1;\n" +
                repeated("st.shared.u8 [%r3], %r1;\nst.shared.u8 [%r3+8], %r1;\n", 8) + "DONE:\nret;");
    EXPECT_TRUE(apart->has("IADD3 STS ")) << apart->code();
}

TEST(View, AShiftThatSeveralAddressesNeedIsDoneOnce) {
    const auto with = [](const std::string& second) {
        return look_at(
            "ld.param.u64 %rd1, [p];\nld.global.u64 %rd2, [%rd1];\nld.global.u64 %rd5, [%rd1+8];\n"
            "shl.b64 %rd3, %rd2, 2;\nadd.s64 %rd4, %rd5, %rd3;\nld.global.u32 %r2, [%rd4];\n" +
            second + "st.global.u32 [%rd1], %r2;\nret;");
    };
    EXPECT_TRUE(with("")->has("LEAx2 ")) << with("")->code();
    const auto two = with("add.s64 %rd6, %rd1, %rd3;\nst.global.u32 [%rd6], %r2;\n");
    EXPECT_TRUE(two->has("SHFx2 IADD3x2 LDG IADD3x2 ")) << two->code();
}

TEST(View, LargestOfASumAndOfThreeAreOneInstruction) {
    const auto with = [](const std::string& first, const std::string& second, int major) {
        return look_at("ld.param.u64 %rd1, [p];\nld.global.v2.u32 {%r1, %r2}, [%rd1];\n" + first +
                           " %r3, %r1, %r2;\n" + second + " %r4, %r3, %r1;\nst.global.u32 [%rd1], %r4;\nret;",
                       model(major))
            ->issues();
    };
    EXPECT_EQ(with("min.s32", "max.s32", 8), with("add.s32", "max.s32", 8));
    EXPECT_EQ(with("min.s32", "max.s32", 9) - with("max.s32", "max.s32", 9), 1);
    EXPECT_EQ(with("max.u32", "max.s32", 9) - with("max.s32", "max.s32", 9), 1);
    EXPECT_EQ(with("min.s32", "max.s32", 9) - with("add.s32", "max.s32", 9), 1);
}

TEST(View, BitsThatDoNotMeetAreASum) {
    const auto with = [](const std::string& mask) {
        return look_at("ld.param.u64 %rd1, [p];\nld.global.v2.u32 {%r1, %r2}, [%rd1];\nand.b32 %r3, %r1, " +
                       mask +
                       ";\nshl.b32 %r4, %r2, 8;\nor.b32 %r5, %r4, %r3;\nst.global.u32 [%rd1], %r5;\nret;");
    };
    EXPECT_TRUE(with("255")->has("LOP3 LEA STG")) << with("255")->code();
    EXPECT_TRUE(with("511")->has("SHF LOP3 STG")) << with("511")->code();
}

TEST(View, InsertingBitsAtAKnownPlaceIsAShiftAndALogicOperation) {
    const auto with = [](const std::string& place) {
        return look_at(
                   "ld.param.u64 %rd1, [p];\nld.global.v2.u32 {%r1, %r2}, [%rd1];\nbfi.b32 %r3, %r1, %r2, " +
                   place + ";\nst.global.u32 [%rd1], %r3;\nret;")
            ->issues();
    };
    EXPECT_EQ(with("8, 4") - with("0, 4"), 1);
    EXPECT_EQ(with("%r1, 4") - with("0, 4"), 6);
}

// An array of `places` words, of which each is set and read by name, and `accesses` in between.
std::unique_ptr<Seen> array_of(int places, const std::string& accesses, bool named = true) {
    std::string set, read;
    for (int k = 0; k < places && named; ++k) {
        set += "st.local.u32 [%rd3+" + std::to_string(4 * k) + "], 0;\n";
        read += "ld.local.u32 %r5, [%rd3+" + std::to_string(4 * k) + "];\nst.global.u32 [%rd1], %r5;\n";
    }
    return look_at(".local .align 16 .b8 depot[" + std::to_string(4 * places) + "];\n.reg .b64 %SPL;\n" +
                   head + "mov.u64 %SPL, depot;\nadd.u64 %rd3, %SPL, 0;\nld.global.u32 %r2, [%rd1];\n" + set +
                   "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd3, %rd4;\n" + accesses + read + "ret;");
}

TEST(View, SmallArraysOfAThreadAreRegisters) {
    const std::string load = "ld.local.u32 %r3, [%rd5];\nst.global.u32 [%rd1], %r3;\n";
    const std::string increment =
        "ld.local.u32 %r3, [%rd5];\nadd.s32 %r3, %r3, 1;\nst.local.u32 [%rd5], %r3;\n";
    const auto small = array_of(4, load);
    EXPECT_FALSE(small->has("LDL")) << small->code();
    EXPECT_FALSE(small->has("STL")) << small->code();
    EXPECT_FALSE(small->has("IMAD.WIDE")) << small->code();
    EXPECT_TRUE(small->has("ISETPx5 ")) << small->code();  // the distance, four comparisons, …
    EXPECT_TRUE(small->has("MOVx4 ")) << small->code();    // … and four moves
    EXPECT_EQ(small->view.array_bytes, 16);
    // A store to what has just been loaded compares no more.
    EXPECT_TRUE(array_of(4, increment)->has("MOVx4 IADD3 MOVx4 ")) << array_of(4, increment)->code();
    // ptxas keeps these in memory: more places, more accesses, none that is named.
    EXPECT_TRUE(array_of(8, repeated(increment, 2))->view.array_bytes);
    EXPECT_TRUE(array_of(8, repeated(increment, 6))->has("LDL"));
    EXPECT_FALSE(array_of(16, load)->has("LDL"));
    EXPECT_TRUE(array_of(32, repeated(load, 16))->has("LDL"));
    EXPECT_FALSE(array_of(24, load)->has("LDL"));
    EXPECT_TRUE(array_of(32, load)->has("LDL"));
    EXPECT_TRUE(array_of(4, load, false)->has("LDL"));
    // Under a condition registers are cheaper, but for those of a switch.
    const auto under = [&](const std::string& other) {
        return array_of(8, "setp.eq.u32 %p2, %r2, 1;\n@%p2 bra A;\nsetp.eq.u32 %p3, " + other +
                               ", 2;\n@%p3 bra B;\nbra.uni C;\nA:\n" + increment + "bra.uni C;\nB:\n" +
                               repeated(increment, 6) + "C:\n");
    };
    EXPECT_FALSE(under("%r1")->has("LDL")) << under("%r1")->code();
    EXPECT_TRUE(under("%r2")->has("LDL")) << under("%r2")->code();
    // However many conditions are around, not those of very many places.
    const auto deep = [&](int places) {
        std::string ask;
        for (int i = 0; i < 6; ++i)
            ask += "setp.lt.s32 %p2, %r" + std::to_string(1 + i % 2) + ", " + std::to_string(i) +
                   ";\n@%p2 bra SKIP;\n";
        return array_of(places, ask + increment + "SKIP:\n");
    };
    EXPECT_FALSE(deep(24)->has("LDL")) << deep(24)->code();
    EXPECT_TRUE(deep(40)->has("LDL")) << deep(40)->code();
    // All arrays of a thread are in registers, or none.
    const std::string loop =
        "LOOP:\n" + repeated(load, 6) + "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra LOOP;\n";
    EXPECT_FALSE(array_of(8, loop)->has("LDL")) << array_of(8, loop)->code();
    EXPECT_TRUE(array_of(48, "add.u64 %rd6, %SPL, 32;\n" + loop)->has("LDL"));
    // … and one whose address is seen by others, or whose elements are wider.
    EXPECT_TRUE(array_of(4, load + "st.global.u64 [%rd1], %rd5;\n")->has("LDL"));
    EXPECT_TRUE(array_of(4, "ld.local.u64 %rd6, [%rd5];\nst.global.u64 [%rd1], %rd6;\n")->has("LDL"));
}

TEST(View, MovesSumsAndShiftsAreSpreadOverTwoUnits) {
    const auto on = [](const std::string& others, Unit unit) {
        const auto seen =
            look_at("ld.param.u64 %rd1, [p];\nld.global.v2.u32 {%r1, %r2}, [%rd1];\n" + others +
                    repeated("add.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\n", 8) + "ret;");
        int sums = 0;
        for (const Block& block : seen->view.blocks)
            for (const Instruction& instruction : block.code)
                sums += instruction.row().mnemonic == "IADD3" && instruction.row().unit == unit;
        return sums;
    };
    EXPECT_EQ(on("", Unit::alu), 4);
    EXPECT_EQ(on("", Unit::imad), 4);
    // Where one unit has other work, the other one does them.
    const std::string logic = "and.b32 %r9, %r1, %r2;\nst.global.u32 [%rd1], %r9;\n";
    const std::string products = "mul.lo.s32 %r9, %r1, %r2;\nst.global.u32 [%rd1], %r9;\n";
    EXPECT_EQ(on(repeated(logic, 8), Unit::imad), 8);
    EXPECT_EQ(on(repeated(products, 8), Unit::alu), 8);
}

TEST(View, ShortBodiesArePredicatedAndLongOnesBranch) {
    const auto with = [](int count) {
        return look_at(head + "@%p1 bra DONE;\n" + repeated("mul.f32 %f1, %f1, %f2;\n", count) +
                       "DONE:\nst.global.f32 [%rd1], %f1;\nret;");
    };
    EXPECT_EQ(with(8)->branches(), 0) << with(8)->code();
    EXPECT_FALSE(with(8)->has("BSSY"));
    EXPECT_EQ(with(9)->branches(), 1) << with(9)->code();
    EXPECT_TRUE(with(9)->has("BSSY BSYNC ")) << with(9)->code();
    EXPECT_EQ(with(9)->issues() - with(8)->issues(), 4);  // the instruction, BRA, BSSY and BSYNC
}

TEST(View, BothSidesOfAnIfArePredicated) {
    const auto seen =
        look_at(head +
                "@%p1 bra ODD;\nmul.f32 %f1, %f1, %f2;\nbra.uni DONE;\nODD:\nadd.f32 %f1, %f1, %f2;\n"
                "DONE:\nst.global.f32 [%rd1], %f1;\nret;");
    EXPECT_EQ(seen->branches(), 0) << seen->code();
    EXPECT_EQ(seen->code(), "LDC S2R LOP3 ISETP [ FMUL ] [ FADD ] ULDC.64 LDC.64 STG EXIT ");
}

TEST(View, ABodyThatWaitsForMemoryBranchesUnlessThereIsOtherWork) {
    const std::string body = head +
                             "cvta.to.global.u64 %rd2, %rd1;\n@%p1 bra DONE;\nld.global.u32 %r3, [%rd2];\n"
                             "add.s32 %r4, %r3, 1;\nst.global.u32 [%rd2], %r4;\nDONE:\n";
    EXPECT_EQ(look_at(body + "bar.sync 0;\nret;")->branches(), 1);
    EXPECT_EQ(
        look_at(body +
                "bar.sync 0;\nmov.u32 %r5, %ctaid.x;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
                "mov.u32 %r6, 1;\nst.global.u32 [%rd4], %r6;\nret;")
            ->branches(),
        0);
}

TEST(View, LeavingIsNoBranch) {
    const auto seen = look_at(head + "@%p1 bra DONE;\nst.global.u32 [%rd1], %r1;\nDONE:\nret;");
    EXPECT_EQ(seen->branches(), 0);
    EXPECT_EQ(seen->code(), "LDC S2R LOP3 ISETP EXIT ULDC.64 LDC.64 STG EXIT ");
}

TEST(View, UniformBranchesNeedNoReconvergence) {
    const auto seen = look_at("ld.param.u32 %r1, [n];\nsetp.eq.s32 %p1, %r1, 1;\n@%p1 bra DONE;\n" +
                              repeated("mul.f32 %f1, %f1, %f2;\n", 30) +
                              "DONE:\nmov.u64 %rd1, 64;\nst.global.f32 [%rd1], %f1;\nret;");
    EXPECT_EQ(seen->branches(), 1);
    EXPECT_FALSE(seen->has("BSSY")) << seen->code();
}

TEST(View, LoadsFromSharedMemoryMerge) {
    const std::string loads =
        "ld.shared.f32 %f1, [%r3];\nld.shared.f32 %f2, [%r3+4];\nld.shared.f32 %f3, [%r3+8];\n"
        "ld.shared.f32 %f4, [%r3+12];\nadd.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\nadd.f32 %f7, %f5, "
        "%f6;\n"
        "st.global.f32 [%rd1], %f7;\nret;";
    const std::string start = "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r4, tile;\n";
    const auto aligned = look_at(start + "shl.b32 %r2, %r1, 4;\nadd.s32 %r3, %r4, %r2;\n" + loads);
    EXPECT_TRUE(aligned->has("LDS.128")) << aligned->code();
    const auto pairs = look_at(start + "shl.b32 %r2, %r1, 3;\nadd.s32 %r3, %r4, %r2;\n" + loads);
    EXPECT_TRUE(pairs->has("LDS.64 LDS.64")) << pairs->code();
    const auto unaligned = look_at(start + "shl.b32 %r2, %r1, 2;\nadd.s32 %r3, %r4, %r2;\n" + loads);
    EXPECT_TRUE(unaligned->has("LDS LDS LDS LDS")) << unaligned->code();
    for (const Block& block : aligned->view.blocks)
        for (const Instruction& instruction : block.code) {
            if (instruction.opcode == Opcode::lds_128) {
                EXPECT_EQ(instruction.access_bytes, 16);
            }
        }
}

TEST(View, CountedLoopsAreUnrolledAgain) {
    const std::string loop =
        "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nmov.f32 %f1, 0f00000000;\nLOOP:\n%PRAGMA%"
        "ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, -1;\n"
        "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\nst.global.f32 [%rd1], %f1;\nret;";
    const auto variant = [&](const std::string& pragma) {
        std::string text = loop;
        text.replace(text.find("%PRAGMA%"), 8, pragma);
        return look_at(text);
    };
    const auto most = [](const Seen& seen) {
        std::uint32_t factor = 1;
        for (const Block& block : seen.view.blocks) factor = std::max(factor, block.unrolling.turns);
        return factor;
    };
    EXPECT_EQ(most(*variant("")), 4u);
    EXPECT_EQ(most(*variant(".pragma \"nounroll\";\n")), 1u);
    const auto unrolled = variant("");
    for (const Block& block : unrolled->view.blocks) {
        if (block.unrolling.turns == 1) continue;
        for (const Instruction& instruction : block.code)
            EXPECT_EQ(instruction.once_a_trip,
                      instruction.opcode != Opcode::ldg && instruction.opcode != Opcode::fadd)
                << instruction.row().mnemonic;
    }
}

TEST(View, DivisionIsExpanded) {
    const auto seen = look_at(head +
                              "div.rn.f32 %f3, %f1, %f2;\nrem.u32 %r4, %r1, %r2;\nst.global.f32 [%rd1], "
                              "%f3;\nst.global.u32 [%rd1+4], %r4;\nret;");
    EXPECT_TRUE(seen->has("DIV.F32x10 REMx17")) << seen->code();
    EXPECT_EQ(seen->branches(), 1);  // the way out for denormals is asked for, not taken
}

TEST(View, AMathFunctionInALoopMakesItsConstantsOnce) {
    const std::string call =
        "{\n.param .b64 x; .param .b64 result;\nst.param.f64 [x], %fd1;\ncall.uni (result), __nv_exp, (x);\n"
        "ld.param.f64 %fd1, [result];\n}\n";
    const std::string loop =
        "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [p];\nld.global.f64 %fd1, [%rd1];\nLOOP:\n" + call +
        call +
        "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\n"
        "st.global.f64 [%rd1], %fd1;\nret;";
    const auto seen = look_at(loop);
    int constants = 0, inside = 0;
    for (kernel::BlockId b = 0; b < seen->view.blocks.size(); ++b)
        for (const Instruction& instruction : seen->view.blocks[b].code) {
            if (instruction.opcode == Opcode::call_f64) inside += instruction.issues;
            if (instruction.issues == 26 && seen->function.blocks[b].loop >= 0)
                constants += instruction.issues;
        }
    EXPECT_EQ(inside, 2 * (49 - 26)) << seen->code();
    EXPECT_EQ(constants, 26) << seen->code();
}

TEST(View, UnoptimisedCodeKeepsItsBranches) {
    const std::string body =
        head + "@%p1 bra DONE;\nmul.f32 %f1, %f1, %f2;\nDONE:\nst.global.f32 [%rd1], %f1;\nret;";
    EXPECT_EQ(look_at(body)->branches(), 0);
    EXPECT_EQ(look_at(body, model(9), {.optimise = false})->branches(), 1);
}

TEST(View, RegistersGrowWithWhatIsAliveAndStopAtTheLimit) {
    std::string loads, sums;
    for (int i = 2; i < 60; ++i) {
        loads += "ld.global.f32 %f" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
        sums += "add.f32 %f1, %f1, %f" + std::to_string(i) + ";\n";
    }
    const std::string body = "ld.param.u64 %rd1, [p];\n" + loads + sums + "st.global.f32 [%rd1], %f1;\nret;";
    EXPECT_EQ(look_at("ret;")->view.registers, 16u);
    const auto free_choice = look_at(body);
    EXPECT_GT(free_choice->view.registers, 58u);
    EXPECT_EQ(free_choice->view.spill_stores(), 0u);
    const auto limited = look_at(body, model(9), {.max_registers = 32});
    EXPECT_EQ(limited->view.registers, 32u);
    EXPECT_GT(limited->view.spill_stores(), 0u);
    // Each is needed once more; %f1 is read before it is written, and was never stored.
    EXPECT_EQ(limited->view.spill_loads(), limited->view.spill_stores() + 4);
    EXPECT_EQ(limited->view.spill_frame(), limited->view.spill_loads());
}

TEST(View, ListingShowsPtxBesideTheMachine) {
    const auto seen = look_at(
        "ld.param.u32 %r1, [n];\nadd.s32 %r2, %r1, 1;\nmov.u64 %rd1, 64;\nst.global.u32 [%rd1], %r2;\nret;");
    const std::string text = to_string(seen->view, seen->function);
    EXPECT_NE(text.find("  IADD3                    add.s32 %r2, %r1, 1;\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep::machine
