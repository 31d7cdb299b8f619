#include "gcn/fetches.h"

#include <gtest/gtest.h>

#include "gcn/encoding.h"
#include "gcn/parse.h"
#include "gcn/segments.h"

namespace lockstep::gcn {
namespace {

std::uint32_t bytes(const std::string& text) {
    const auto read = parse_instructions(text);
    EXPECT_TRUE(read) << text;
    std::uint32_t sum = 0;
    if (read)
        for (const Instruction& one : *read) sum += encoded_bytes(one);
    return sum;
}

// As llvm-mc encodes them.
TEST(Encoding, Bytes) {
    EXPECT_EQ(bytes("s_load_dword s0, s[4:5], 0x2c"), 8u);
    EXPECT_EQ(bytes("s_waitcnt lgkmcnt(0)"), 4u);
    EXPECT_EQ(bytes("s_and_b32 s0, s0, 0xffff"), 8u);
    EXPECT_EQ(bytes("s_and_b32 s0, s0, 64"), 4u);
    EXPECT_EQ(bytes("s_movk_i32 s0, 0x100"), 4u);
    EXPECT_EQ(bytes("s_mov_b32 s0, 0x12345678"), 8u);
    EXPECT_EQ(bytes("v_add_u32_e32 v0, s6, v0"), 4u);
    EXPECT_EQ(bytes("v_add_u32_e32 v0, 0x80, v0"), 8u);
    EXPECT_EQ(bytes("v_mul_f32_e32 v0, 0.5, v0"), 4u);
    EXPECT_EQ(bytes("v_mul_f32_e32 v0, 0x3fc00000, v0"), 8u);
    EXPECT_EQ(bytes("v_mul_f32_e32 v0, 0.15915494, v0"), 4u);
    EXPECT_EQ(bytes("v_lshlrev_b64 v[0:1], 3, v[0:1]"), 8u);
    EXPECT_EQ(bytes("v_readfirstlane_b32 s4, v0"), 4u);
    EXPECT_EQ(bytes("v_madak_f32 v0, v1, v2, 0x41800000"), 8u);
    EXPECT_EQ(bytes("v_add_u32_dpp v1, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf"), 8u);
    EXPECT_EQ(bytes("global_load_dwordx2 v[2:3], v[2:3], off"), 8u);
    EXPECT_EQ(bytes("ds_read_b32 v0, v1"), 8u);
    EXPECT_EQ(bytes("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, 0"), 8u);
    EXPECT_EQ(bytes("v_dual_mov_b32 v4, 0 :: v_dual_add_nc_u32 v3, 0x100, v1"), 12u);
}

// Code of 8-byte instructions with labels before some of them.
struct Program {
    Code code;
    LaunchCounts counts;
    Program(std::vector<std::string> lines, std::vector<std::uint64_t> runs, std::uint64_t waves) {
        for (const std::string& line : lines) {
            if (line.ends_with(":"))
                code.labels[line.substr(0, line.size() - 1)] =
                    static_cast<std::uint32_t>(code.instructions.size());
            else
                code.instructions.push_back(*parse_instruction(line));
        }
        counts.waves = waves;
        for (const std::uint64_t run : runs) counts.segments.push_back({run, 0});
        EXPECT_EQ(segments_of(code).size(), runs.size());
    }
    std::uint64_t fetches() const { return count_fetches(code, counts); }
};
const std::string wide = "v_lshlrev_b64 v[0:1], 3, v[0:1]";

TEST(Fetches, StraightCode) {
    EXPECT_EQ(Program({wide, wide, wide, "s_endpgm"}, {10}, 10).fetches(), 10u);        // 28 bytes
    EXPECT_EQ(Program({wide, wide, wide, wide, "s_endpgm"}, {10}, 10).fetches(), 20u);  // 36 bytes
}

TEST(Fetches, OfABranchThatSomeTake) {
    // 0 … 20 | 20 … 36 | 36 … 40: seven of ten go over the middle, from the first piece into the second.
    const Program skips({wide, wide, "s_cbranch_execz L", wide, wide, "L:", "s_endpgm"}, {10, 3, 10}, 10);
    // The first part: one piece. The middle: two pieces, of which those who fall into it have the first. The
    // end lies in the second piece: whoever falls into it has that, who jumps fetches it.
    EXPECT_EQ(skips.fetches(), 10u + (6 - 3) + (10 - 3));
}

TEST(Fetches, OfALoop) {
    // 0 … 8 | 8 … 28: ten rounds for each of two wavefronts, in one piece; each jump back fetches it again.
    const Program loop({wide, "L:", wide, wide, "s_cbranch_scc1 L", "s_endpgm"}, {2, 20, 2}, 2);
    EXPECT_EQ(loop.fetches(), 2u + 18u);
}

}  // namespace
}  // namespace lockstep::gcn
