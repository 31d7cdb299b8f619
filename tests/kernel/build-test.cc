// From PTX to basic blocks: inlining, parameters in registers, the order of blocks.
#include <gtest/gtest.h>

#include "kernel/graph.h"
#include "kernel/ir.h"
#include "kernel/loops.h"
#include "kernel/meeting-places.h"
#include "kernel/print.h"
#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

const std::string header = ".version 8.0\n.target sm_90\n.address_size 64\n";

bool no_externals(const std::string&) { return false; }

struct Built {
    ptx::Module module;
    Function function;
};

std::unique_ptr<Built> build_text(const std::string& text, const std::string& name = "k") {
    std::string whole = header;
    whole.append(text);
    auto parsed = ptx::parse(whole, "test.ptx");
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().to_string());
    if (!parsed) return nullptr;
    auto built = std::make_unique<Built>();
    built->module = std::move(*parsed);
    for (std::uint32_t f = 0; f < built->module.functions.size(); ++f) {
        if (built->module.functions[f].name != name) continue;
        auto function = build(built->module, f, &no_externals);
        EXPECT_TRUE(function) << (function ? "" : function.error().to_string());
        if (function) built->function = std::move(*function);
    }
    return built;
}

std::size_t count(const Function& function, ptx::Opcode opcode) {
    std::size_t n = 0;
    for (const Block& block : function.blocks)
        for (const auto& inst : block.instructions) n += inst.opcode == opcode;
    return n;
}

const char* two_calls = R"(
.func (.param .b32 r) twice (.param .b32 a)
{
    .reg .b32 %x<3>;
    ld.param.b32 %x0, [a];
    add.s32 %x1, %x0, %x0;
    st.param.b32 [r], %x1;
    ret;
}
.entry k(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [out];
    mov.u32 %r0, 3;
    { .param .b32 p0; .param .b32 q0;
      st.param.b32 [p0], %r0;
      call (q0), twice, (p0);
      ld.param.b32 %r1, [q0]; }
    { .param .b32 p0; .param .b32 q0;
      st.param.b32 [p0], %r1;
      call (q0), twice, (p0);
      ld.param.b32 %r2, [q0]; }
    st.global.u32 [%rd0], %r2;
    ret;
}
)";

TEST(Build, InlinesCallsAndPassesParametersInRegisters) {
    auto built = build_text(two_calls);
    ASSERT_TRUE(built);
    EXPECT_EQ(count(built->function, ptx::Opcode::call), 0u);
    EXPECT_EQ(count(built->function, ptx::Opcode::add), 2u);
    // Only the kernel's own parameter is still loaded from parameter space.
    EXPECT_EQ(count(built->function, ptx::Opcode::ld), 1u);
    EXPECT_EQ(built->function.local_bytes, 0u);
}

TEST(Build, KeepsRecursiveCalls) {
    auto built = build_text(R"(
.func f (.param .b32 a)
{
    { .param .b32 p; call f, (p); }
    ret;
}
.entry k()
{
    { .param .b32 p; call f, (p); }
    ret;
}
)");
    ASSERT_TRUE(built);
    EXPECT_EQ(count(built->function, ptx::Opcode::call), 1u);
}

TEST(Build, ALabelThatNothingJumpsToDividesNoBlock) {
    const auto built = build_text(R"(.visible .entry k(.param .u64 p) {
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
$L__tmp0:
    add.s32 %r2, %r1, 1;
    ret;
})");
    ASSERT_TRUE(built);
    EXPECT_EQ(built->function.blocks[0].instructions.size(), 2u);
}

TEST(Build, NamesAFunctionThatIsDefinedNowhere) {
    std::string text = header;
    text.append(".extern .func missing ();\n.entry k() { call missing; ret; }\n");
    auto parsed = ptx::parse(text, "test.ptx");
    ASSERT_TRUE(parsed) << parsed.error().to_string();
    for (std::uint32_t f = 0; f < parsed->functions.size(); ++f) {
        if (!parsed->functions[f].entry) continue;
        auto function = build(*parsed, f, &no_externals);
        ASSERT_FALSE(function);
        EXPECT_NE(function.error().message.find("missing"), std::string::npos);
    }
}

const char* loop_with_continue = R"(
.entry k(.param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
HEAD:
    add.s32 %r2, %r2, 1;
    setp.eq.s32 %p0, %r1, %r2;
    @%p0 bra HEAD;
    setp.lt.s32 %p1, %r2, %r0;
    @%p1 bra HEAD;
    ret;
}
)";

TEST(Loops, SeveralBackEdgesGetOneLatch) {
    auto built = build_text(loop_with_continue);
    ASSERT_TRUE(built);
    const Function& f = built->function;
    ASSERT_EQ(f.loops.size(), 1u);
    int back_edges = 0;
    for (BlockId b = 0; b < f.blocks.size(); ++b)
        for (BlockId s : successors(f.blocks[b])) back_edges += s <= b;
    EXPECT_EQ(back_edges, 1);
    EXPECT_TRUE(is_reducible(f));
}

TEST(Loops, BlocksBehindALoopComeAfterAllItsBlocks) {
    auto built = build_text(R"(
.entry k(.param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    mov.u32 %r1, %tid.x;
HEAD:
    setp.eq.s32 %p0, %r1, 3;
    @%p0 bra OUT;
    setp.eq.s32 %p1, %r1, 5;
    @%p1 bra OTHER;
    add.s32 %r1, %r1, 1;
    bra HEAD;
OTHER:
    add.s32 %r1, %r1, 2;
    bra HEAD;
OUT:
    ret;
}
)");
    ASSERT_TRUE(built);
    const Function& f = built->function;
    ASSERT_EQ(f.loops.size(), 1u);
    BlockId last_inside = 0, first_behind = no_block;
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        if (f.loops[0].contains[b])
            last_inside = b;
        else if (b > f.loops[0].header && first_behind == no_block)
            first_behind = b;
    }
    EXPECT_LT(last_inside, first_behind);
}

TEST(Graph, ExitsDoNotCountForPostDominators) {
    auto built = build_text(R"(
.entry k(.param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    mov.u32 %r1, %tid.x;
    setp.eq.s32 %p0, %r1, 3;
    @%p0 bra THEN;
    add.s32 %r1, %r1, 1;
    setp.eq.s32 %p1, %r1, 9;
    @%p1 exit;
    bra JOIN;
THEN:
    add.s32 %r1, %r1, 2;
JOIN:
    add.s32 %r1, %r1, 4;
    ret;
}
)");
    ASSERT_TRUE(built);
    std::vector<BlockId> ipdom = post_dominators(built->function);
    EXPECT_NE(ipdom[0], no_block) << print(built->function);
}

std::vector<Meeting> meetings_of(const Function& function) {
    return meeting_places(function, std::vector<bool>(function.blocks.size(), true));
}

constexpr const char* loop_head = R"(
.entry k(.param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
LOOP:
    add.s32 %r2, %r2, %r1;
    setp.eq.s32 %p1, %r2, 7;
)";

// The block that the text's label begins is the one with this addition.
BlockId block_that_adds(const Function& function, std::uint64_t what) {
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        for (const ptx::Instruction& inst : function.blocks[b].instructions)
            if (inst.opcode == ptx::Opcode::add && inst.operands[2].kind == ptx::Operand::Kind::integer &&
                inst.operands[2].bits == what)
                return b;
    return no_block;
}

TEST(Meetings, WhoLeavesALoopForWorkMeetsTheOthersBehindIt) {
    auto built = build_text(loop_head + std::string(R"(
    @%p1 bra FOUND;
    setp.lt.s32 %p2, %r2, 100;
    @%p2 bra LOOP;
    bra END;
FOUND:
    add.s32 %r2, %r2, 1000;
END:
    add.s32 %r2, %r2, 2000;
    ret;
}
)"));
    ASSERT_TRUE(built);
    const Function& f = built->function;
    const auto meetings = meetings_of(f);
    ASSERT_FALSE(meetings.empty());
    const BlockId end = block_that_adds(f, 2000), found = block_that_adds(f, 1000);
    int leaving = 0;
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        if (f.blocks[b].terminator.kind != Terminator::Kind::branch) continue;
        EXPECT_EQ(meetings[b].place, end) << print(f);
        EXPECT_LT(meetings[b].begin, meetings[b].end);
        EXPECT_TRUE(meetings[b].is_left(b));
        EXPECT_FALSE(meetings[b].is_left(found));
        leaving += f.blocks[b].terminator.targets[meetings[b].leaves] == found;
    }
    EXPECT_EQ(leaving, 1);
}

// Lanes that stay in a loop meet in each turn, though others leave it between.
TEST(Meetings, ThoseInALoopMeetInIt) {
    auto built = build_text(loop_head + std::string(R"(
    @%p1 bra OTHER;
    add.s32 %r2, %r2, 500;
    bra NEXT;
OTHER:
    setp.eq.s32 %p3, %r1, 9;
    @%p3 bra OUT;
    add.s32 %r2, %r2, 600;
NEXT:
    add.s32 %r2, %r2, 700;
    setp.lt.s32 %p2, %r2, 100;
    @%p2 bra LOOP;
    bra END;
OUT:
    add.s32 %r2, %r2, 1000;
END:
    add.s32 %r2, %r2, 2000;
    ret;
}
)"));
    ASSERT_TRUE(built);
    const Function& f = built->function;
    const auto meetings = meetings_of(f);
    ASSERT_FALSE(meetings.empty());
    const BlockId head = f.blocks[block_that_adds(f, 500)].predecessors[0];
    EXPECT_EQ(meetings[head].place, block_that_adds(f, 700)) << print(f);
    EXPECT_EQ(meetings[head].begin, meetings[head].end);
    EXPECT_EQ(post_dominators(f)[head], block_that_adds(f, 2000)) << "of all ways";
}

TEST(Meetings, NothingToTellWhereAllWaysLeadToOnePlace) {
    auto built = build_text(loop_head + std::string(R"(
    @%p1 bra END;
    setp.lt.s32 %p2, %r2, 100;
    @!%p2 bra NEXT;
    add.s32 %r2, %r2, 600;
NEXT:
    setp.lt.s32 %p3, %r2, 200;
    @%p3 bra LOOP;
END:
    add.s32 %r2, %r2, 2000;
    ret;
}
)"));
    ASSERT_TRUE(built);
    EXPECT_TRUE(meetings_of(built->function).empty()) << print(built->function);
}

}  // namespace
}  // namespace lockstep::kernel
