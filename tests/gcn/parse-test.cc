#include "gcn/parse.h"

#include <gtest/gtest.h>

#include "gcn/segments.h"

namespace lockstep::gcn {
namespace {

Instruction read(const std::string& text) {
    auto instruction = parse_instruction(text);
    EXPECT_TRUE(instruction) << text << ": " << (instruction ? "" : instruction.error().message);
    return instruction ? *instruction : Instruction{};
}

// Pairs of gfx11: both halves read before either writes.
TEST(Assembly, Pairs) {
    const auto pair = parse_instructions("v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, 1.0, v0");
    ASSERT_TRUE(pair);
    ASSERT_EQ(pair->size(), 2u);
    EXPECT_EQ((*pair)[0].name, "v_add_f32");
    EXPECT_EQ((*pair)[1].name, "v_mul_f32");
    EXPECT_TRUE(!(*pair)[0].joined && (*pair)[1].joined);
    const auto swap = parse_instructions("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0");
    ASSERT_TRUE(swap);
    ASSERT_EQ(swap->size(), 1u);
    EXPECT_EQ(swap->front().name, "v_swap_b32");
    const auto chosen = parse_instructions("v_dual_cndmask_b32 v0, v1, v2 :: v_dual_mov_b32 v5, 0");
    ASSERT_TRUE(chosen);
    EXPECT_EQ((*chosen)[0].operands.back().kind, Operand::Kind::vcc);
    EXPECT_FALSE(parse_instructions("v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v1, v0, v2"));
    EXPECT_FALSE(parse_instructions("v_dual_mov_b32 v0, v1 :: v_mov_b32 v2, v3"));
}

TEST(Assembly, Swizzles) {
    const auto offset = [](const std::string& text) {
        return read("ds_swizzle_b32 v1, v0 offset:" + text).value("offset");
    };
    EXPECT_EQ(offset("swizzle(SWAP,2)"), 0x081f);
    EXPECT_EQ(offset("swizzle(REVERSE,8)"), 0x1c1f);
    EXPECT_EQ(offset("swizzle(BROADCAST,4,1)"), 0x003c);
    EXPECT_EQ(offset("swizzle(QUAD_PERM,3,2,1,0)"), 0x801b);
    EXPECT_EQ(offset("swizzle(BITMASK_PERM,\"01pip\")"), 0x0907);
    EXPECT_EQ(offset("0x1234"), 0x1234);
    EXPECT_FALSE(parse_instruction("ds_swizzle_b32 v1, v0 offset:swizzle(TURN,2)"));
}

TEST(Assembly, OperandsAndModifiers) {
    const Instruction load = read("global_load_dwordx2 v[4:5], v2, s[0:1] offset:-16 glc");
    EXPECT_EQ(load.name, "global_load_dwordx2");
    ASSERT_EQ(load.operands.size(), 3u);
    EXPECT_EQ(load.operands[0].first, 4);
    EXPECT_EQ(load.operands[0].count, 2);
    EXPECT_EQ(load.value("offset"), -16);
    EXPECT_TRUE(load.has("glc"));

    const Instruction fused = read("v_fma_f32 v1, -v2, |v3|, -|s4|");
    EXPECT_TRUE(fused.operands[1].negative);
    EXPECT_TRUE(fused.operands[2].absolute);
    EXPECT_TRUE(fused.operands[3].negative && fused.operands[3].absolute);

    const Instruction part = read(
        "v_add_u32_sdwa v1, sext(v2), v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
        "src1_sel:DWORD");
    EXPECT_TRUE(part.sdwa);
    EXPECT_EQ(part.value("dst_sel"), 1);
    EXPECT_EQ(part.value("dst_unused"), 2);
    EXPECT_EQ(part.value("src0_sel"), 5);
    EXPECT_TRUE(part.operands[1].sign_extended);

    const Instruction moved = read("v_mov_b32_dpp v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0x3");
    EXPECT_TRUE(moved.dpp);
    EXPECT_EQ(moved.modifiers.at("quad_perm"), (std::vector<std::int64_t>{3, 2, 1, 0}));

    const Instruction wait = read("s_waitcnt vmcnt(3) lgkmcnt(0)");
    EXPECT_TRUE(wait.operands.empty());
    EXPECT_EQ(wait.value("vmcnt"), 3);

    const Instruction symbol = read("s_add_u32 s0, s0, table+8@rel32@lo+4");
    EXPECT_EQ(symbol.operands[2].name, "table");
    EXPECT_EQ(symbol.operands[2].integer, 8);
    EXPECT_EQ(symbol.operands[2].part, 0);
}

TEST(Assembly, OffsetsOfSymbolsGoBeyondTheDistanceToTheProgramCounter) {
    EXPECT_EQ(read("s_add_u32 s0, s0, table@rel32@lo+20").operands[2].integer, 16);
    EXPECT_EQ(read("s_addc_u32 s1, s1, table@rel32@hi+28").operands[2].integer, 16);
    const Instruction far = read("s_add_u32 s0, s0, (.LBB0_3-.Lpost_getpc0)&4294967295");
    EXPECT_EQ(far.operands[2].name, ".LBB0_3");
}

TEST(Assembly, KernelsHoldTheFunctionsThatTheyMayCall) {
    const auto module = parse(R"(
        .amdgcn_target "amdgcn-amd-amdhsa--gfx908"
        .text
        .type unused,@function
unused:
        s_setpc_b64 s[30:31]
        .type called,@function
called:
        s_nop 0
        s_setpc_b64 s[30:31]
        .type through_table,@function
through_table:
        s_setpc_b64 s[30:31]
        .type k,@function
k:
        s_getpc_b64 s[4:5]
        s_add_u32 s4, s4, called@rel32@lo+4
        s_addc_u32 s5, s5, called@rel32@hi+12
        s_swappc_b64 s[30:31], s[4:5]
        s_endpgm
        .amdhsa_kernel k
        .end_amdhsa_kernel
        .data
table:
        .quad through_table
)",
                              "test");
    ASSERT_TRUE(module) << module.error().message;
    const Code& code = module->kernels.at(0).code;
    ASSERT_EQ(code.parts.size(), 3u);
    EXPECT_EQ(code.parts[1].number, 2u);
    EXPECT_EQ(code.parts[1].first, 5u);
    EXPECT_EQ(code.parts[2].first, 7u);
    EXPECT_EQ(code.instructions.size(), 8u);
}

TEST(Assembly, WhatIsNoOperandIsNamed) {
    for (const char* text :
         {"v_mov_b32 v1, v999", "v_mov_b32 v1, s[5:2]", "v_mov_b32 v1, 1x", "s_load_dword s0, s[0:1, 0x0"}) {
        const auto instruction = parse_instruction(text);
        ASSERT_FALSE(instruction) << text;
        EXPECT_NE(instruction.error().message.find("is no operand of"), std::string::npos)
            << instruction.error().message;
    }
}

TEST(Assembly, SegmentsEndWhereLanesMayChange) {
    const auto module = parse(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n.type k,@function\nk:\n v_mov_b32_e32 v1, 0\n"
        " s_and_saveexec_b64 s[0:1], vcc\n s_cbranch_execz .L1\n v_mov_b32_e32 v1, 1\n.L1:\n"
        " s_or_b64 exec, exec, s[0:1]\n s_endpgm\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr "
        "2\n.end_amdhsa_kernel\n",
        "test");
    ASSERT_TRUE(module) << module.error().to_string();
    ASSERT_EQ(module->kernels.size(), 1u);
    std::vector<std::uint32_t> counts;
    for (const Segment& segment : segments_of(module->kernels[0].code)) counts.push_back(segment.count);
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 1, 1, 1, 1}));
}

TEST(Assembly, VariablesHaveTheirBytes) {
    const auto module = parse(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n.data\n.p2align 3\ntable:\n .long 0x3fc00000\n .zero "
        "4\n"
        " .quad text+2\n .size table, 16\n.section .rodata.str1.1,\"aMS\"\ntext:\n .asciz \"a;b\\n\\001\" ; "
        "comment\n",
        "test");
    ASSERT_TRUE(module) << module.error().to_string();
    ASSERT_EQ(module->variables.size(), 2u);
    EXPECT_EQ(module->variables[0].size, 16u);
    EXPECT_EQ(module->variables[0].bytes[3], 0x3f);
    ASSERT_EQ(module->variables[0].relocations.size(), 1u);
    EXPECT_EQ(module->variables[0].relocations[0].addend, 2);
    EXPECT_EQ(module->variables[1].bytes, (std::vector<std::uint8_t>{'a', ';', 'b', '\n', 1, 0}));
    EXPECT_TRUE(module->variables[1].read_only);
}

TEST(Assembly, UnitsAreThoseOfTheHardware) {
    EXPECT_EQ(unit_of(read("v_add_u32_e32 v1, v2, v3")), Unit::valu);
    EXPECT_EQ(unit_of(read("s_load_dword s0, s[0:1], 0x0")), Unit::smem);
    EXPECT_EQ(unit_of(read("s_cbranch_scc1 .L1")), Unit::branch);
    EXPECT_EQ(unit_of(read("ds_read_b32 v1, v2")), Unit::lds);
    EXPECT_EQ(unit_of(read("flat_store_dword v[0:1], v2")), Unit::store);
    EXPECT_EQ(unit_of(read("global_atomic_add v0, v1, s[0:1]")), Unit::atomic);
    EXPECT_EQ(unit_of(read("s_waitcnt lgkmcnt(0)")), Unit::internal);
    EXPECT_EQ(unit_of(read("s_and_b64 s[0:1], s[2:3], exec")), Unit::salu);
}

}  // namespace
}  // namespace lockstep::gcn
