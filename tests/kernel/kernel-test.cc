// A kernel as one value: what it holds, and how its parts are numbered.
#include "kernel/kernel.h"

#include <gtest/gtest.h>

#include "kernel/accesses.h"
#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

struct Made {
    ptx::Module module;
    Kernel kernel;
};

std::unique_ptr<Made> make(const std::string& body, const std::string& before = "") {
    auto result = std::make_unique<Made>();
    auto parsed = ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n" + before +
                                 ".visible .entry k(.param .u64 p, .param .align 4 .b8 s[12])\n{\n"
                                 ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
                                 ".shared .align 16 .b8 tile[128];\n" +
                                 body + "\n}\n",
                             "test");
    EXPECT_TRUE(parsed) << parsed.error().to_string();
    if (!parsed) return result;
    result->module = std::move(*parsed);
    const auto entry = static_cast<std::uint32_t>(result->module.functions.size() - 1);
    auto kernel = analyse(source_of(result->module, entry));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    if (kernel) result->kernel = std::move(*kernel);
    return result;
}

TEST(Kernel, SitesAreTheAccessesInOrder) {
    const auto made = make(
        "ld.param.u64 %d1, [p];\n"  // known to be good: no site
        "ld.global.v2.u32 {%r1, %r2}, [%d1];\nst.shared.u32 [tile], %r1;\n"
        "atom.global.add.u32 %r3, [%d1], 1;\nred.shared.add.u32 [tile], 1;\n"
        "cp.async.ca.shared.global [tile], [%d1], 16;\nst.u32 [%d1], %r3;\nret;");
    struct Expected {
        SiteKind kind;
        ptx::Space space;
        int bytes;
    };
    using enum SiteKind;
    const Expected expected[] = {{load, ptx::Space::global, 8},   {store, ptx::Space::shared, 4},
                                 {atomic, ptx::Space::global, 4}, {reduction, ptx::Space::shared, 4},
                                 {load, ptx::Space::global, 16},  {store, ptx::Space::shared, 16},
                                 {store, ptx::Space::none, 4}};
    ASSERT_EQ(made->kernel.sites.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        EXPECT_EQ(made->kernel.sites[i].kind, expected[i].kind) << i;
        EXPECT_EQ(made->kernel.sites[i].space, expected[i].space) << i;
        EXPECT_EQ(made->kernel.sites[i].bytes, expected[i].bytes) << i;
    }
    const Site& copy = made->kernel.sites[5];
    EXPECT_EQ(made->kernel.first_site(0, copy.block, copy.instruction), 4u);
}

TEST(Kernel, ParametersThatAreNotKnownToBeGoodAreSites) {
    const auto sites = [](const std::string& load) { return make(load + "\nret;")->kernel.sites.size(); };
    EXPECT_EQ(sites("ld.param.u32 %r1, [s+8];"), 0u);
    EXPECT_EQ(sites("ld.param.u32 %r1, [s+9];"), 1u);   // misaligned
    EXPECT_EQ(sites("ld.param.u32 %r1, [s+12];"), 1u);  // behind it
    EXPECT_EQ(sites("ld.param.u32 %r1, [s+-4];"), 1u);
    EXPECT_EQ(sites("ld.param.v2.u32 {%r1, %r2}, [s+8];"), 1u);
    EXPECT_EQ(sites("ld.param.u64 %d1, [s];"), 1u);  // aligned to 4 bytes only
}

// Through a pointer, a call may reach what its address is taken of and what has such parameters.
TEST(Kernel, CallsThroughPointersReachWhatFits) {
    const std::string functions =
        ".func (.param .b32 o) one(.param .b32 i) { ret; }\n"
        ".func (.param .b64 o) other(.param .b32 i) { ret; }\n"
        ".func (.param .b32 o) unknown(.param .b32 i) { ret; }\n"
        ".global .u64 table[2] = {one, other};\n";
    const auto made = make(
        "{ .param .b32 i; .param .b32 o; st.param.b32 [i], %r1;\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (o), %d1, (i), proto; }\nret;",
        functions);
    ASSERT_EQ(made->kernel.functions.size(), 2u);
    EXPECT_EQ(made->kernel.functions[1].name, "one");
    EXPECT_EQ(made->kernel.first_block(1), made->kernel.functions[0].blocks.size());
}

TEST(Kernel, BlocksThatAlwaysFollowAreEnteredWithTheirPredecessor) {
    const auto made = make("mov.u32 %r1, %tid.x;\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nret;");
    ASSERT_GE(made->kernel.blocks.size(), 3u);
    for (const NumberedBlock& block : made->kernel.blocks) EXPECT_EQ(block.entered_with, 0u) << block.block;
}

TEST(Kernel, RowsFollowFromTheBlock) {
    EXPECT_EQ(row_lanes(32, 8, 2), 32);
    EXPECT_EQ(row_lanes(20, 1, 1), 32);
    EXPECT_EQ(row_lanes(16, 2, 1), 16);
    EXPECT_EQ(row_lanes(16, 1, 3), 16);
    EXPECT_EQ(row_lanes(8, 3, 1), 8);
    EXPECT_EQ(row_lanes(48, 1, 2), 0);
    EXPECT_EQ(row_lanes(4, 8, 1), 0);
}

}  // namespace
}  // namespace lockstep::kernel
