// What the compiler knows of values across lanes, and which writes must keep the lanes that are not active.
#include "kernel/shapes.h"

#include <gtest/gtest.h>

#include "kernel/ir.h"
#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

using Kind = Shape::Kind;

struct Analysed {
    ptx::Module module;
    Function function;
    Shapes shapes;

    Shape of(const std::string& name) const {
        for (std::size_t r = 0; r < function.registers.size(); ++r)
            if (function.registers[r].name == name) return shapes.registers[r];
        ADD_FAILURE() << "no register " << name;
        return {};
    }
    bool blends(const std::string& name) const {
        for (std::size_t r = 0; r < function.registers.size(); ++r)
            if (function.registers[r].name == name)
                for (const auto& block : shapes.blend)
                    if (block[r]) return true;
        return false;
    }
};

std::unique_ptr<Analysed> analyse(const std::string& body, int row_lanes = warp_lanes) {
    std::string text;
    text.append(".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p, .param .u32 n)\n{\n")
        .append(".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<8>;\n")
        .append(body)
        .append("\n}\n");
    auto parsed = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().to_string());
    if (!parsed) return nullptr;
    auto out = std::make_unique<Analysed>();
    out->module = std::move(*parsed);
    auto function = build(out->module, 0, [](const std::string&) { return false; });
    EXPECT_TRUE(function);
    out->function = std::move(*function);
    out->shapes = find_shapes(out->function, row_lanes);
    return out;
}

// It was taken for uniform where its first source is.
TEST(Shapes, ConversionsThatPackHaveTwoSources) {
    auto a = analyse(R"(
    mov.u32 %r0, %tid.x;
    cvt.rn.f32.u32 %f0, %r0;
    ld.param.u32 %r1, [n];
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f16x2.f32 %r2, %f1, %f0;
    cvt.rn.f16x2.f32 %r3, %f0, %f1;
    cvt.rn.f16x2.f32 %r4, %f1, %f1;
    ret;)");
    ASSERT_TRUE(a);
    EXPECT_TRUE(a->of("%r2").is_varying());
    EXPECT_TRUE(a->of("%r3").is_varying());
    EXPECT_TRUE(a->of("%r4").is_uniform());
}

// A block of 16 columns: two rows in a warp, which have x in common.
TEST(Shapes, EachRowHasABaseOfItsOwn) {
    auto a = analyse(R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %tid.y;
    ld.param.u32 %r2, [n];
    mul.lo.s32 %r3, %r1, %r2;
    add.s32 %r4, %r3, %r0;
    mul.wide.s32 %rd0, %r4, 4;
    ld.param.u64 %rd1, [p];
    add.s64 %rd2, %rd1, %rd0;
    mul.wide.s32 %rd3, %r3, 4;
    add.s64 %rd4, %rd2, %rd3;
    mul.wide.s32 %rd5, %r0, 8;
    sub.s64 %rd6, %rd4, %rd4;
    mov.u32 %r5, %laneid;
    shr.u32 %r6, %r1, 1;
    mul.lo.s32 %r7, %r0, %r1;
    div.u32 %r8, %r1, %r2;
    ret;)",
                     16);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->of("%r0"), (Shape{.kind = Kind::affine, .stride = 1}));
    EXPECT_TRUE(a->of("%r1").is_uniform_by_row());
    EXPECT_FALSE(a->of("%r1").is_uniform());
    EXPECT_TRUE(a->of("%r3").is_uniform_by_row());
    EXPECT_EQ(a->of("%r4"), (Shape{.kind = Kind::affine, .by_row = true, .stride = 1}));
    const Shape wide{.kind = Kind::wide, .sign_extend = true, .by_row = true, .stride = 1, .scale = 4};
    EXPECT_EQ(a->of("%rd2"), wide);
    EXPECT_TRUE(a->of("%rd3").is_uniform_by_row());
    EXPECT_EQ(a->of("%rd4"), wide);
    EXPECT_EQ(a->of("%rd5"), (Shape{.kind = Kind::wide, .sign_extend = true, .stride = 1, .scale = 8}));
    EXPECT_TRUE(a->of("%rd6").is_varying());
    EXPECT_EQ(a->of("%r5"), (Shape{.kind = Kind::affine, .by_row = true, .stride = 1}));
    EXPECT_TRUE(a->of("%r6").is_uniform_by_row());
    EXPECT_TRUE(a->of("%r7").is_varying());
    EXPECT_TRUE(a->of("%r8").is_varying());
}

// What is the same in all rows at first, and not later.
TEST(Shapes, RowsMeetInLoops) {
    auto a = analyse(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, %tid.y;
    mov.u32 %r3, 0;
loop:
    add.u32 %r0, %r0, %r1;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p0, %r3, 10;
    @%p0 bra loop;
    ret;)",
                     8);
    ASSERT_TRUE(a);
    EXPECT_TRUE(a->of("%r0").is_uniform_by_row());
    EXPECT_TRUE(a->of("%r3").is_uniform());
    EXPECT_TRUE(a->of("%p0").is_uniform());
}

TEST(Shapes, OneLanesValueForAllIsUniform) {
    auto a = analyse(R"(
    mov.u32 %r0, %tid.x;
    ld.param.u32 %r1, [n];
    shfl.sync.idx.b32 %r2|%p1, %r0, 3, 31, -1;
    shfl.sync.idx.b32 %r3, %r0, %r1, 31, -1;
    shfl.sync.idx.b32 %r4, %r0, %r0, 31, -1;
    shfl.sync.idx.b32 %r5, %r0, 3, 6175, -1;   // in parts of eight lanes
    shfl.sync.idx.b32 %r6, %r0, 3, 31, %r0;
    shfl.sync.up.b32 %r7, %r0, 3, 0, -1;
    mov.u32 %r8, 31;
    shfl.sync.idx.b32 %r9, %r0, 3, %r8, -1;
    ret;)");
    ASSERT_TRUE(a);
    EXPECT_TRUE(a->of("%r2").is_uniform());
    EXPECT_TRUE(a->of("%r9").is_uniform());
    EXPECT_TRUE(a->of("%p1").is_uniform());
    EXPECT_TRUE(a->of("%r3").is_uniform());
    for (const char* varying : {"%r4", "%r5", "%r6", "%r7"}) EXPECT_TRUE(a->of(varying).is_varying());
}

TEST(Shapes, IndexArithmeticStaysLinear) {
    auto a = analyse(R"(
    ld.param.u64 %rd0, [p];
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %ntid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r0, %r1, %r2;
    mul.wide.s32 %rd1, %r3, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.f32 %f0, [%rd2];
    and.b32 %r4, %r3, 7;
    st.global.f32 [%rd2], %f0;
    st.global.u32 [%rd0], %r4;
    ret;)");
    ASSERT_TRUE(a);
    EXPECT_EQ(a->of("%r1").kind, Kind::uniform);
    EXPECT_EQ(a->of("%r3").kind, Kind::affine);
    EXPECT_EQ(a->of("%r3").stride, 1);
    EXPECT_EQ(a->of("%rd2").kind, Kind::wide);
    EXPECT_EQ(a->of("%rd2").scale, 4);
    EXPECT_TRUE(a->of("%rd2").sign_extend);
    EXPECT_EQ(a->of("%f0").kind, Kind::varying);
    EXPECT_EQ(a->of("%r4").kind, Kind::varying);
}

TEST(Shapes, WithShortRowsTheThreadIndexIsNotLinear) {
    auto a = analyse(
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; st.global.u32 [%rd0], %r0; st.global.u32 [%rd0], %r1; "
        "ret;",
        false);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->of("%r0").kind, Kind::varying);
    EXPECT_EQ(a->of("%r1").kind, Kind::varying);
}

const char* if_then = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 5;
    and.b32 %r2, %r0, 1;
    setp.eq.s32 %p0, %r2, 0;
    @%p0 bra JOIN;
    mov.u32 %r1, 7;
    add.s32 %r3, %r0, 1;
    st.global.u32 [%rd0], %r3;
JOIN:
    st.global.u32 [%rd0], %r1;
    ret;)";

TEST(Shapes, ValuesThatMeetAfterADivergentBranchVary) {
    auto a = analyse(if_then);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->of("%r1").kind, Kind::varying);
    EXPECT_TRUE(a->blends("%r1"));
    // Used only where it was computed: linear, and nobody else's lanes can be hurt.
    EXPECT_EQ(a->of("%r3").kind, Kind::affine);
    EXPECT_FALSE(a->blends("%r3"));
}

TEST(Shapes, AnEarlyExitDoesNotDiverge) {
    auto a = analyse(R"(
    ld.param.u32 %r5, [n];
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p0, %r0, %r5;
    @%p0 bra DONE;
    mov.u32 %r1, 0;
LOOP:
    add.s32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %r5;
    @%p1 bra LOOP;
    st.global.u32 [%rd0], %r1;
DONE:
    ret;)");
    ASSERT_TRUE(a);
    for (bool divergent : a->shapes.divergent) EXPECT_FALSE(divergent);
    EXPECT_EQ(a->of("%r1").kind, Kind::uniform);
}

TEST(Shapes, ALoopCounterIsUniformInsideButVariesForLanesThatLeft) {
    const char* text = R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
LOOP:
    add.s32 %r1, %r1, 1;
    st.global.u32 [%rd0], %r1;
    setp.lt.u32 %p1, %r1, %r0;
    @%p1 bra LOOP;
    )";
    auto inside = analyse(std::string(text).append("ret;"));
    auto outside = analyse(std::string(text).append("st.global.u32 [%rd0], %r1;\nret;"));
    ASSERT_TRUE(inside && outside);
    EXPECT_EQ(inside->of("%r1").kind, Kind::uniform);
    EXPECT_EQ(outside->of("%r1").kind, Kind::varying);
    EXPECT_TRUE(outside->blends("%r1"));
}

TEST(Shapes, SpinningOnALockIsUnordered) {
    auto a = analyse(R"(
    mov.u32 %r0, %tid.x;
LOOP:
    atom.global.cas.b32 %r1, [%rd0], 0, 1;
    setp.ne.s32 %p0, %r1, 0;
    @%p0 bra LOOP;
    st.global.u32 [%rd0], 0;
    ret;)");
    ASSERT_TRUE(a);
    EXPECT_TRUE(a->shapes.unordered);
    // A loop that counts with an atomic but does not wait for its result is an ordinary loop.
    auto b = analyse(R"(
    ld.param.u32 %r5, [n];
    mov.u32 %r0, %tid.x;
LOOP:
    atom.global.add.u32 %r1, [%rd0], 1;
    add.s32 %r0, %r0, 32;
    setp.lt.u32 %p0, %r0, %r5;
    @%p0 bra LOOP;
    ret;)");
    ASSERT_TRUE(b);
    EXPECT_FALSE(b->shapes.unordered);
}

}  // namespace
}  // namespace lockstep::kernel
