// What the parser makes of good text.
#include "ptx/parser.h"

#include <gtest/gtest.h>

#include "ptx/printer.h"

namespace lockstep::ptx {
namespace {

constexpr std::string_view head = ".version 8.5\n.target sm_90\n.address_size 64\n";

Module parsed(std::string_view text) {
    ParseOutcome outcome = parse_all(std::string(head) + std::string(text), "test");
    for (const Error& error : outcome.errors) ADD_FAILURE() << error.to_string();
    return std::move(outcome.module);
}

// The instructions of a body, one a line, as the printer writes them.
std::string body(std::string_view text) {
    Module module = parsed(
        ".global .align 16 .b8 g[64];\n.shared .b32 s[16];\n"
        ".entry k(.param .u64 p)\n{\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 "
        "%fd<9>;\n" +
        std::string(text) + "\n}\n");
    std::string out;
    for (const Instruction& i : module.functions.at(0).instructions)
        out += print(i, module, module.functions[0]) + "\n";
    return out;
}

TEST(Parser, ReadsTheHead) {
    Module module = parse(".version 9.0 .target sm_90a, debug .address_size 32", "x").operator*();
    EXPECT_EQ(module.version_major, 9);
    EXPECT_EQ(module.version_minor, 0);
    EXPECT_EQ(module.target, "sm_90a");
    EXPECT_EQ(module.target_options, std::vector<std::string>{"debug"});
    EXPECT_EQ(module.address_size, 32);
}

TEST(Parser, FillsInstructions) {
    Module module =
        parsed(".entry k() { .reg .pred %p<3>; .reg .b32 %r<4>;\n  @!%p1 add.sat.s32 %r1, %r2, -5; }");
    const Instruction& i = module.functions[0].instructions.at(0);
    EXPECT_EQ(i.opcode, Opcode::add);
    EXPECT_TRUE(i.has(Modifier::sat));
    EXPECT_EQ(i.type(), Type::s32);
    ASSERT_TRUE(i.guard);
    EXPECT_TRUE(i.guard->negated);
    EXPECT_EQ(module.functions[0].registers[i.guard->reg].name, "%p1");
    ASSERT_EQ(i.operands.size(), 3u);
    EXPECT_EQ(i.operands[2].kind, Operand::Kind::integer);
    EXPECT_EQ(i.operands[2].bits, static_cast<std::uint64_t>(-5));
    EXPECT_EQ(i.line, 5);
    EXPECT_EQ(i.column, 3);
    EXPECT_EQ(i.syntax().syntax, "add.sat.s32 d, a, b");
}

TEST(Parser, GivesLiteralsTheTypeOfTheirPlace) {
    EXPECT_EQ(
        body("add.f32 %f1, %f2, 1.5; add.f32 %f1, %f2, 0d3FF8000000000000; add.f64 %fd1, %fd2, 0f3FC00000;"
             "mov.b32 %r1, 0f3FC00000; mov.f32 %f1, -1.5; add.f64 %fd1, %fd1, 1e3;"),
        "add.f32 %f1, %f2, 0f3FC00000;\nadd.f32 %f1, %f2, 0f3FC00000;\n"
        "add.f64 %fd1, %fd2, 0d3FF8000000000000;\nmov.b32 %r1, 0f3FC00000;\nmov.f32 %f1, 0fBFC00000;\n"
        "add.f64 %fd1, %fd1, 0d408F400000000000;\n");
}

TEST(Parser, EvaluatesConstantExpressions) {
    EXPECT_EQ(body("mov.u32 %r1, (1<<4)|3; mov.s32 %r1, -7/2; mov.s32 %r1, -7 % 3; mov.u64 %rd1, "
                   "0xFFFFFFFFFFFFFFFF/2;"
                   "mov.s32 %r1, 1 ? 2 : 3; mov.s32 %r1, ~0; mov.s32 %r1, !5 + 2*3; mov.u32 %r1, 017; "
                   "mov.u32 %r1, 0b101U;"
                   "mov.s64 %rd1, (.s64)0x8000000000000000 >> 63; mov.s32 %r1, 3 > 2 && 2 >= 2;"),
              "mov.u32 %r1, 19;\nmov.s32 %r1, -3;\nmov.s32 %r1, -1;\nmov.u64 %rd1, 9223372036854775807;\n"
              "mov.s32 %r1, 2;\nmov.s32 %r1, -1;\nmov.s32 %r1, 6;\nmov.u32 %r1, 15;\nmov.u32 %r1, 5;\n"
              "mov.s64 %rd1, -1;\nmov.s32 %r1, 1;\n");
}

TEST(Parser, ReadsAddresses) {
    EXPECT_EQ(body("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1+8]; ld.global.u32 %r1, [%rd1+-8];"
                   "ld.global.u32 %r1, [g+4]; ld.shared.u32 %r1, s[2]; st.shared.b32 [16], %r1; ld.param.u64 "
                   "%rd1, [p];"
                   "mov.u64 %rd1, g+8; mov.u32 %r1, s; ld.u32 %r1, [%rd1].unified;"),
              "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r1, [%rd1+8];\nld.global.u32 %r1, [%rd1+-8];\n"
              "ld.global.u32 %r1, [g+4];\nld.shared.u32 %r1, [s+8];\nst.shared.b32 [16], %r1;\nld.param.u64 "
              "%rd1, [p];\n"
              "mov.u64 %rd1, g+8;\nmov.u32 %r1, s;\nld.u32 %r1, [%rd1];\n");
}

TEST(Parser, ReadsOperandsOfEveryShape) {
    EXPECT_EQ(
        body("ld.global.v4.b32 {%r1, %r2, _, %r4}, [g]; mov.b64 {%r1, %r2}, %rd1; mov.b64 %rd1, {%r1, 0};"
             "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;"
             "vadd.u32.s32.u32.sat %r1, %r2.b3, %r3.h1; vadd4.u32.u32.u32 %r1.b310, %r2.b7654, %r3, %r4;"
             "vmad.s32.s32.s32 %r1, -%r2, %r3, %r4; atom.global.add.u32 _, [g], 1; mov.u32 %r1, %tid.x;"
             "mov.u32 %r1, WARP_SZ; bar.red.popc.u32 %r1, 0, 64, %p1; bar.red.popc.u32 %r1, 0, !%p1;"
             "lop3.or.b32 _|%p1, %r1, %r2, %r3, 0x80, %p2;"),
        "ld.global.v4.b32 {%r1, %r2, _, %r4}, [g];\nmov.b64 {%r1, %r2}, %rd1;\nmov.b64 %rd1, {%r1, 0};\n"
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;\nshfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;\n"
        "vadd.u32.s32.u32.sat %r1, %r2.b3, %r3.h1;\nvadd4.u32.u32.u32 %r1.b310, %r2.b7654, %r3, %r4;\n"
        "vmad.s32.s32.s32 %r1, -%r2, %r3, %r4;\natom.global.add.u32 _, [g], 1;\nmov.u32 %r1, %tid.x;\n"
        "mov.u32 %r1, WARP_SZ;\nbar.red.popc.u32 %r1, 0, 64, %p1;\nbar.red.popc.u32 %r1, 0, !%p1;\n"
        "lop3.or.b32 _|%p1, %r1, %r2, %r3, 128, %p2;\n");
}

TEST(Parser, AcceptsWordsInAnyOrderAndBlanksBetweenThem) {
    EXPECT_EQ(body("atom.global.gpu.relaxed.add.u32 %r1, [g], 1; ld.global .volatile\n.u32 %r1, [g]; "
                   "prmt.f4e.b32 %r1,%r2,%r3,%r4;"),
              "atom.relaxed.gpu.global.add.u32 %r1, [g], 1;\nld.volatile.global.u32 %r1, [g];\n"
              "prmt.b32.f4e %r1, %r2, %r3, %r4;\n");
}

TEST(Parser, ScopesShadow) {
    EXPECT_EQ(
        body(
            ".reg .b32 x; mov.u32 x, 1; { .reg .b64 x; mov.u64 x, 2; { .reg .f32 %r<3>; mov.f32 %r1, "
            "0f00000000; }"
            " mov.u64 x, 3; } mov.u32 x, 4; mov.u32 %r1, 5; { .reg .u32 g; mov.u32 g, 6; } mov.u64 %rd1, g;"),
        "mov.u32 x, 1;\nmov.u64 x$1, 2;\nmov.f32 %r1, 0f00000000;\nmov.u64 x$1, 3;\nmov.u32 x, 4;\n"
        "mov.u32 %r1$1, 5;\nmov.u32 g$1, 6;\nmov.u64 %rd1, g;\n");
}

TEST(Parser, LabelsBelongToTheirScope) {
    EXPECT_EQ(body("again: { again: bra again; bra out; } { again: bra again; } bra again; out: ret;"),
              "bra again$1;\nbra out;\nbra again$2;\nbra again;\nret;\n");
}

TEST(Parser, ReadsVectorRegisters) {
    EXPECT_EQ(body(".reg .v4 .f32 v; ld.global.v4.f32 v, [g]; add.f32 v.x, v.y, v.w; mov.f32 v.r, v.g;"),
              "ld.global.v4.f32 {v_x, v_y, v_z, v_w}, [g];\nadd.f32 v_x, v_y, v_w;\nmov.f32 v_x, v_y;\n");
}

TEST(Parser, RegistersComeFromOverlappingFamilies) {
    EXPECT_EQ(
        body(".reg .f32 %a<4>; .reg .f64 %a1<4>; mov.f32 %a3, 0f00000000; mov.f64 %a12, 0d0000000000000000;"),
        "mov.f32 %a3, 0f00000000;\nmov.f64 %a12, 0d0000000000000000;\n");
}

TEST(Parser, ManyDeclaredRegistersCostNothing) {
    Module module = parsed(".entry k() { .reg .b32 %r<1000000000>; mov.u32 %r999999999, 1; }");
    EXPECT_EQ(module.functions[0].registers.size(), 1u);
}

TEST(Parser, ReadsVariables) {
    Module module = parsed(
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".visible .global .attribute(.managed) .align 8 .u64 tbl[3] = {generic(f)+8, g, generic(g)};\n"
        ".func f() { ret; }\n.global .b32 g = 7;\n.const .f32 c[2][2] = {{1.0}, {2.0, 0f40400000}};\n"
        ".global .b8 bytes[4] = {0xFF(g), 0xFF00(g+2), 3};\n.weak .global .v2 .f32 v = {1.0, -2.0};\n.global "
        ".b16 open[] = {1,2,3};\n");
    ASSERT_EQ(module.variables.size(), 7u);
    EXPECT_EQ(module.variables[0].size(), 0u);
    EXPECT_EQ(module.variables[0].linkage, Linkage::external);
    const Variable& table = module.variables[1];
    EXPECT_TRUE(table.managed);
    EXPECT_EQ(table.size(), 24u);
    EXPECT_EQ(table.init[0].kind, InitElement::Kind::function);
    EXPECT_EQ(table.init[0].bits, 8u);
    EXPECT_TRUE(table.init[0].generic);
    EXPECT_EQ(table.init[1].kind, InitElement::Kind::variable);
    EXPECT_FALSE(table.init[1].generic);
    EXPECT_EQ(table.init[1].id, 2u);
    const Variable& matrix = module.variables[3];
    ASSERT_EQ(matrix.init.size(), 4u);
    EXPECT_EQ(matrix.init[1].bits, 0u);
    EXPECT_EQ(matrix.init[2].bits, 0x40000000u);
    EXPECT_EQ(matrix.init[3].bits, 0x40400000u);
    EXPECT_EQ(module.variables[4].init[1].mask, 0xFF00u);
    EXPECT_EQ(module.variables[4].init[1].bits, 2u);
    EXPECT_EQ(module.variables[5].size(), 8u);
    EXPECT_EQ(module.variables[5].align(), 8u);
    EXPECT_EQ(module.variables[6].extents, std::vector<std::uint64_t>{3});
}

TEST(Parser, ReadsFunctionsAndCalls) {
    Module module = parsed(
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
        ".func spin() .noreturn { l: bra l; }\n"
        ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[24])\n.maxntid "
        "256\n.minnctapersm 2\n"
        ".reqntid 8, 4, 2\n.maxnreg 32\n{ .reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
        "{ .param .b64 param0; .param .b64 param1; .param .b32 retval0;\n"
        "st.param.b64 [param0+0], %rd1; call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r1, "
        "[retval0+0]; }\n"
        "{ .param .b64 param0; pr : .callprototype (.param .b32 _) _ (.param .b64 _); .param .b32 retval0;\n"
        "call (retval0), %rd2, (param0), pr; }\ncall spin; ret; }\n");
    const Function& spin = module.functions[1];
    EXPECT_TRUE(spin.noreturn);
    const Function& k = module.functions[2];
    EXPECT_TRUE(k.entry);
    EXPECT_EQ(k.max_threads, (std::array<std::uint32_t, 3>{256, 1, 1}));
    EXPECT_EQ(k.required_threads, (std::array<std::uint32_t, 3>{8, 4, 2}));
    EXPECT_EQ(k.min_blocks_per_sm, 2u);
    EXPECT_EQ(k.max_registers, 32u);
    EXPECT_TRUE(k.variables[k.params[0]].pointer_param);
    EXPECT_EQ(k.variables[k.params[0]].pointer_space, Space::global);
    EXPECT_EQ(k.variables[k.params[1]].size(), 24u);
    const Instruction& direct = k.instructions[1];
    ASSERT_EQ(direct.operands.size(), 3u);
    EXPECT_EQ(direct.operands[1].id, 0u);
    EXPECT_EQ(direct.operands[2].elements.size(), 2u);
    const Instruction& indirect = k.instructions[3];
    ASSERT_EQ(indirect.operands.size(), 4u);
    EXPECT_EQ(indirect.operands[1].kind, Operand::Kind::reg);
    EXPECT_EQ(indirect.operands[3].kind, Operand::Kind::prototype);
    EXPECT_EQ(k.prototypes[0].params.size(), 1u);
    const Instruction& plain = k.instructions[4];
    EXPECT_EQ(plain.operands.size(), 3u);
    EXPECT_TRUE(plain.operands[0].elements.empty());
}

TEST(Parser, ReadsBranchTables) {
    Module module = parsed(
        ".entry k() { .reg .b32 %r<2>;\n$L_brx_0: .branchtargets a, b, a;\nbrx.idx %r1, $L_brx_0;\na: "
        "ret;\nb: exit;\nend: }");
    const Function& k = module.functions[0];
    EXPECT_EQ(k.branch_tables.at(0).labels, (std::vector<std::uint32_t>{0, 1, 0}));
    EXPECT_EQ(k.labels[1].instruction, 2u);
    EXPECT_EQ(k.labels[2].instruction, 3u);
    EXPECT_EQ(k.instructions[0].operands[1].kind, Operand::Kind::table);
}

TEST(Parser, ReadsSourceLines) {
    Module module = parsed(
        ".file 1 \"a.cu\"\n.entry k() {\n.loc 1 10 5\nret;\n.loc 1 3 7, function_name $L__info_string0, "
        "inlined_at 1 10 5\n"
        "ret;\nret;\n.loc 1 99 1\n}\n.section .debug_str\n{\n$L__info_string0:\n.b8 102\n.b8 111,111,0\n}\n"
        ".section .debug_abbrev { .b8 1 .b32 x+4 }\n");
    const Function& k = module.functions[0];
    ASSERT_EQ(module.lines.size(), 2u);
    EXPECT_EQ(module.lines[0], (SourceLine{1, 10, 5, -1, ""}));
    EXPECT_EQ(module.lines[1], (SourceLine{1, 3, 7, 0, "foo"}));
    EXPECT_EQ(k.instructions[0].source, 0);
    EXPECT_EQ(k.instructions[1].source, 1);
    EXPECT_EQ(k.instructions[2].source, 1);
    EXPECT_EQ(module.files[1], "a.cu");
}

TEST(Parser, ReadsFileNamesWithQuotesAndBackslashes) {
    const Module module = parsed(".file 1 \"a\\\"b.cu\"\n.file 2 \"c\\\\\"\n.file 3 \"gr\\303\\274n.cu\"\n");
    EXPECT_EQ(module.files[1], "a\"b.cu");
    EXPECT_EQ(module.files[3], "gr\303\274n.cu");
    EXPECT_EQ(module.files[2], "c\\");
    EXPECT_EQ(parse_all(print(module), "printed").module.files, module.files);
}

TEST(Parser, ReadsWhatItSkips) {
    parsed(
        ".pragma \"nounroll\";\n.func a(); .func b() { .pragma \"x\"; ret; } .alias a, b;\n"
        ".global .texref t; .global .samplerref s = { filter_mode = nearest };\n/* a\ncomment */ // another\n"
        ".entry c() .blocksareclusters .reqntid 32 .reqnctapercluster 2 { ret; }");
}

// What ptxas refuses, too: shapes and types that do not go together, layouts, numbers and types of registers.
TEST(Parser, MatricesHaveTheirShapesTypesAndRegisters) {
    const std::string entry =
        ".entry k() { .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n ";
    const std::string product = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ";
    const std::string d = "{%f0,%f1,%f2,%f3}", a = "{%r0,%r1,%r2,%r3}", b = "{%r4,%r5}";
    parsed(entry + product + d + ", " + a + ", " + b + ", " + d + ";\n}");
    parsed(entry + product + a + ", " + a + ", " + b + ", {0f00000000,0f00000000,0f00000000,0f00000000};\n}");
    parsed(entry + "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, " + b +
           ", " + b + ", {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n}");
    parsed(entry + "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + d +
           ", %rd1, %rd2, %p1, 1, -1, 0, 1;\n}");
    auto refused = [&](const std::string& instruction, const std::string& why) {
        ParseOutcome outcome = parse_all(std::string(head) + entry + instruction + ";\n}", "test");
        ASSERT_FALSE(outcome.errors.empty()) << instruction;
        const std::string said = outcome.errors[0].to_string();
        EXPECT_NE(said.find(why), std::string::npos) << said;
        EXPECT_TRUE(said.starts_with("test:5:")) << said;
    };
    refused("mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 " + d + ", " + a + ", " + b + ", " + d,
            "'.col.row' cannot stand here");
    refused("mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 " + d + ", " + a + ", " + b + ", " + d,
            "cannot stand here");
    refused(product + d + ", " + b + ", " + b + ", " + d,
            "operand 2 must have 4 registers of .f16 elements, found 2");
    refused(product + d + ", " + d + ", " + b + ", " + d, "operand 2 must be .u32; %f0 is .f32");
    refused(product + "%f0, " + a + ", " + b + ", " + d, "operand 1");
    refused("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 " + d + ", %rd1, %rd2, %p1, 1, 1, 0, 0",
            "'.m64n12k16' cannot stand here");
}

TEST(Parser, NamesWhatIsNotExecuted) {
    Module module = parsed(
        ".entry k() { .reg .b32 %r<9>; .reg .b64 %rd<3>;\n add.s32 %r1, %r1, 1;\n"
        " tcgen05.wait::ld.sync.aligned;\n"
        " tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 1;\n fence.proxy.tensormap;\n"
        " istypep.texref %r1, %rd1;\n}");
    std::vector<Error> errors = unsupported(module, module.functions[0]);
    ASSERT_EQ(errors.size(), 4u);
    EXPECT_EQ(errors[0].to_string(),
              "test:6:2: instruction 'tcgen05.wait::ld.sync.aligned' is not implemented (in k)");
    EXPECT_EQ(errors[2].to_string(),
              "test:8:2: instruction 'fence.proxy.tensormap' is not implemented (in k)");
}

}  // namespace
}  // namespace lockstep::ptx
