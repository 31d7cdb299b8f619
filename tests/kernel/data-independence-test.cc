// Which kernels do the same whatever their data are.
#include "kernel/data-independence.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

bool independent(const std::string& body, const std::string& before = "") {
    auto module = ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n" + before +
                                 ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                                 ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
                                 ".shared .align 4 .b8 tile[128];\n"
                                 "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
                                 "mul.wide.u32 %d2, %r2, 4;\nadd.u64 %d3, %d1, %d2;\n" +
                                 body + "\nret;\n}\n",
                             "test");
    EXPECT_TRUE(module) << module.error().to_string();
    if (!module) return false;
    const auto entry = static_cast<std::uint32_t>(module->functions.size() - 1);
    auto kernel = analyse(source_of(*module, entry));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    return kernel && is_data_independent(*kernel);
}

TEST(DataIndependence, WaysAndAddressesByShapeAndParameters) {
    EXPECT_TRUE(independent("ld.global.u32 %r3, [%d3];\nadd.u32 %r3, %r3, 1;\nst.global.u32 [%d3], %r3;"));
    EXPECT_TRUE(
        independent("setp.lt.u32 %p1, %r2, %r1;\n@!%p1 bra end;\nred.global.add.u32 [%d1], 1;\nend:\n"
                    "bar.sync 0;"));
    EXPECT_TRUE(
        independent("ld.global.f32 %f1, [%d3];\nshfl.sync.down.b32 %f2, %f1, 1, 31, -1;\n"
                    "add.f32 %f1, %f1, %f2;\nst.global.f32 [%d3], %f1;"));
}

TEST(DataIndependence, NotWhereDataDecideAWay) {
    EXPECT_FALSE(
        independent("ld.global.u32 %r3, [%d3];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra end;\n"
                    "st.global.u32 [%d3], 1;\nend:"));
    EXPECT_FALSE(
        independent("ld.global.u32 %r3, [%d3];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 st.global.u32 [%d3], 1;"));
    // Also by way of a shared variable, of other lanes and of a sum.
    EXPECT_FALSE(
        independent("ld.shared.u32 %r3, [tile];\nadd.u32 %r4, %r3, %r2;\nsetp.eq.u32 %p1, %r4, 0;\n"
                    "@%p1 bra end;\nst.global.u32 [%d3], 1;\nend:"));
    EXPECT_FALSE(
        independent("activemask.b32 %r3;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra end;\n"
                    "st.global.u32 [%d3], 1;\nend:"));
}

TEST(DataIndependence, NotWhereDataArePartOfAnAddress) {
    EXPECT_FALSE(
        independent("ld.global.u32 %r3, [%d3];\nmul.wide.u32 %d4, %r3, 4;\nadd.u64 %d5, %d1, %d4;\n"
                    "st.global.u32 [%d5], 1;"));
    EXPECT_FALSE(independent("ld.global.u64 %d4, [%d3];\nld.global.u32 %r3, [%d4];"));
    EXPECT_FALSE(
        independent("atom.global.add.u32 %r3, [%d1], 1;\nmul.wide.u32 %d4, %r3, 4;\n"
                    "add.u64 %d5, %d1, %d4;\nst.global.u32 [%d5], 1;"));
    // A constant may be another one in the next launch.
    EXPECT_FALSE(independent(
        "ld.const.u32 %r3, [c];\nmul.wide.u32 %d4, %r3, 4;\nadd.u64 %d5, %d1, %d4;\nst.global.u32 [%d5], 1;",
        ".const .u32 c;\n"));
}

// Whether a lane divides zero decides whether its warp calls a routine.
TEST(DataIndependence, NotWhereDataAreDivided) {
    EXPECT_FALSE(independent(
        "ld.global.f32 %f1, [%d3];\ndiv.rn.f32 %f2, %f1, 0f40400000;\nst.global.f32 [%d3], %f2;"));
    EXPECT_FALSE(independent("ld.global.f32 %f1, [%d3];\nsqrt.rn.f32 %f2, %f1;\nst.global.f32 [%d3], %f2;"));
    EXPECT_TRUE(
        independent("cvt.rn.f32.u32 %f1, %r2;\ndiv.rn.f32 %f2, %f1, 0f40400000;\nst.global.f32 [%d3], %f2;"));
    EXPECT_TRUE(independent(
        "ld.global.f32 %f1, [%d3];\ndiv.approx.f32 %f2, %f1, 0f40400000;\nst.global.f32 [%d3], %f2;"));
}

TEST(DataIndependence, NotByTheMoment) {
    EXPECT_FALSE(
        independent("mov.u32 %r3, %clock;\nsetp.lt.u32 %p1, %r3, %r1;\n@%p1 bra end;\n"
                    "st.global.u32 [%d3], 1;\nend:"));
    EXPECT_TRUE(independent("mov.u32 %r3, %clock;\nst.global.u32 [%d3], %r3;"));
}

TEST(DataIndependence, NotByWhatIsNotKnown) {
    EXPECT_FALSE(independent("trap;"));
    EXPECT_FALSE(independent("{\n.param .b64 a;\nst.param.b64 [a], %d1;\ncall.uni other, (a);\n}",
                             ".extern .func other(.param .b64 a);\n"));
}

}  // namespace
}  // namespace lockstep::kernel
