#include "compile/ptxas.h"

#include <gtest/gtest.h>

namespace lockstep::compile {
namespace {

TEST(Ptxas, ReadsTheReport) {
    const PtxasReport report = parse_ptxas_report(
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function '_Z1bPd' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z1bPd\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 14 registers, used 1 barriers\n"
        "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z4helpf\n"
        "    16 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
        "ptxas info    : Function properties for _Z1aPf\n"
        "    400 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
        "ptxas info    : Used 109 registers, used 1 barriers, 400 bytes cumulative stack size, 256 bytes "
        "smem\n");
    ASSERT_EQ(report.size(), 2u);
    const PtxasKernel& a = report.at("_Z1aPf");
    EXPECT_EQ(a.registers, 109);
    EXPECT_EQ(a.stack_bytes, 400u);
    EXPECT_EQ(a.spill_stores, 12u);
    EXPECT_EQ(a.spill_loads, 20u);
    EXPECT_EQ(a.shared_bytes, 256u);
    EXPECT_EQ(report.at("_Z1bPd").registers, 14);
    EXPECT_EQ(report.at("_Z1bPd").shared_bytes, 0u);
}

TEST(Ptxas, NothingToRead) { EXPECT_TRUE(parse_ptxas_report("").empty()); }

// Where it is installed: a kernel's registers come back, and what it cannot assemble is an error with its
// words.
TEST(Ptxas, Runs) {
    const auto ptxas = find_ptxas();
    if (!ptxas) GTEST_SKIP() << ptxas.error().message;
    const std::string kernel =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
    const auto report = run_ptxas(*ptxas, kernel, {.sm = 90});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GT(report->at("k").registers, 0);
    const auto wrong = run_ptxas(*ptxas, kernel, {.sm = 75});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message.rfind("ptxas: ", 0), 0u) << wrong.error().message;
}

}  // namespace
}  // namespace lockstep::compile
