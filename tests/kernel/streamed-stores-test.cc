// Which stores are the last that a kernel does with what they touch.
#include "kernel/streamed-stores.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/kernel.h"
#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

// How many, of a kernel that has read one array (its element in %f1) and has the address of another's in %d4.
std::ptrdiff_t streamed(const std::string& body) {
    auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 from, .param .u64 to, .param .u32 n)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
        "ld.param.u64 %d1, [from];\nld.param.u64 %d2, [to];\nld.param.u32 %r1, [n];\n"
        "mov.u32 %r2, %tid.x;\nmul.wide.u32 %d5, %r2, 4;\nadd.u64 %d3, %d1, %d5;\n"
        "add.u64 %d4, %d2, %d5;\nld.global.f32 %f1, [%d3];\n" +
            body + "\nret;\n}\n",
        "test");
    EXPECT_TRUE(module) << module.error().to_string();
    if (!module) return -1;
    auto kernel = analyse(source_of(*module, 0));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    if (!kernel) return -1;
    std::ptrdiff_t count = 0;
    for (const auto& block : streamed_stores(kernel->functions.front()))
        count += std::count(block.begin(), block.end(), true);
    return count;
}

TEST(StreamedStores, OnceIntoAnArrayThatIsNotRead) {
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;"), 1);
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;\nst.global.f32 [%d4+4096], %f1;"), 2);
    EXPECT_EQ(streamed("setp.lt.u32 %p1, %r2, %r1;\n@!%p1 bra end;\nst.global.f32 [%d4], %f1;\nend:"), 1);
}

TEST(StreamedStores, NotWhereItIsRead) {
    EXPECT_EQ(streamed("st.global.f32 [%d3], %f1;"), 0);
    EXPECT_EQ(streamed("ld.global.f32 %f2, [%d4];\nadd.f32 %f1, %f1, %f2;\nst.global.f32 [%d4], %f1;"), 0);
    // One of two, or it is not known which.
    EXPECT_EQ(streamed("st.global.f32 [%d3], %f1;\nst.global.f32 [%d4], %f1;"), 1);
    EXPECT_EQ(streamed("setp.lt.u32 %p1, %r2, %r1;\nselp.b64 %d6, %d3, %d4, %p1;\nst.global.f32 [%d6], %f1;"),
              0);
}

TEST(StreamedStores, NotInALoop) {
    EXPECT_EQ(streamed("mov.u32 %r3, 0;\nagain:\nst.global.f32 [%d4], %f1;\nadd.u32 %r3, %r3, 1;\n"
                       "setp.lt.u32 %p1, %r3, %r1;\n@%p1 bra again;"),
              0);
}

// Other blocks could look for it before it is there.
TEST(StreamedStores, NotWhereBlocksTellEachOther) {
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;\nmembar.gl;"), 0);
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;\nred.global.add.u32 [%d1], 1;"), 0);
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;\nst.volatile.global.f32 [%d4], %f1;"), 0);
    EXPECT_EQ(streamed("st.global.f32 [%d4], %f1;\nbar.sync 0;"), 1);
}

}  // namespace
}  // namespace lockstep::kernel
