// Which loops wait, and which of them do the same in vain until others have run.
#include "kernel/waits.h"

#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "ptx/parser.h"

namespace lockstep::kernel {
namespace {

// Of the kernel's only loop. p is in %d1, n in %r1.
Waits waits(const std::string& body) {
    auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
        "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [n];\n" +
            body + "\nst.global.u32 [%d1+8], %r2;\nret;\n}\n",
        "test");
    EXPECT_TRUE(module) << module.error().to_string();
    if (!module) return Waits::no;
    auto kernel = analyse(source_of(*module, 0));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    if (!kernel) return Waits::no;
    const std::vector<Waits> found = find_waits(kernel->functions.front());
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Waits::no : found[0];
}

TEST(Waits, OnlyAsks) {
    EXPECT_EQ(waits("again:\nld.acquire.gpu.global.u32 %r2, [%d1];\nsetp.lt.u32 %p1, %r2, %r1;\n"
                    "@%p1 bra again;"),
              Waits::idly);
    EXPECT_EQ(waits("again:\nnanosleep.u32 100;\nld.volatile.global.u32 %r2, [%d1];\nxor.b32 %r3, %r2, %r1;\n"
                    "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra again;"),
              Waits::idly);
    // A lock.
    EXPECT_EQ(
        waits("again:\natom.global.cas.b32 %r2, [%d1], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra again;"),
        Waits::idly);
}

TEST(Waits, DoesSomethingElseNextTime) {
    // It counts how often it asks …
    EXPECT_EQ(waits("mov.u32 %r3, 0;\nagain:\nld.volatile.global.u32 %r2, [%d1];\nadd.u32 %r3, %r3, 1;\n"
                    "setp.lt.u32 %p1, %r2, %r3;\n@%p1 bra again;"),
              Waits::surely);
    // … swaps what it has just seen …
    EXPECT_EQ(waits("ld.global.u32 %r3, [%d1];\nagain:\nmov.u32 %r4, %r3;\nadd.u32 %r5, %r4, 1;\n"
                    "atom.global.cas.b32 %r3, [%d1], %r4, %r5;\nsetp.ne.u32 %p1, %r3, %r4;\n@%p1 bra again;\n"
                    "mov.u32 %r2, %r3;"),
              Waits::surely);
    // … and takes the next piece of work.
    EXPECT_EQ(
        waits("again:\natom.global.add.u32 %r2, [%d1], 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra again;"),
        Waits::surely);
    EXPECT_EQ(waits("again:\nld.volatile.global.u32 %r2, [%d1];\nst.global.u32 [%d1+4], %r2;\n"
                    "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra again;"),
              Waits::surely);
}

TEST(Waits, WaitsForNobody) {
    EXPECT_EQ(
        waits("mov.u32 %r2, 0;\nagain:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra again;"),
        Waits::no);
}

}  // namespace
}  // namespace lockstep::kernel
