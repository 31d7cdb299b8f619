// Kernels that try to leave their box: each ends in a fault that says what it did, or is not loaded at all.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "kernel-run.h"

namespace lockstep::exec {
namespace {

using Box = KernelRun;

// ---- parameters

TEST_F(Box, ParametersEndWhereTheyEnd) {
    expect_fault(run("ld.param.u64 %rd2, [out+100000]; st.global.u64 [%rd1], %rd2; ret;"),
                 FaultKind::illegal_address, "read of 8 bytes at offset 100000 of the parameters");
    expect_fault(run("ld.param.u64 %rd2, [out+-8]; st.global.u64 [%rd1], %rd2; ret;"),
                 FaultKind::illegal_address, "offset -8 of the parameters");
    expect_fault(run("ld.param.v2.u32 {%r2, %r3}, [out+8]; st.global.u32 [%rd1], %r2; ret;"),
                 FaultKind::illegal_address, "offset 8 of the parameters is out of bounds: the kernel has 8");
    expect_fault(run("ld.param.u64 %rd2, [out+4294967296]; st.global.u64 [%rd1], %rd2; ret;"),
                 FaultKind::illegal_address, "of the parameters");
}

TEST_F(Box, ALoadThatNobodyExecutesIsNoFault) {
    EXPECT_EQ(run("setp.eq.u32 %p1, %r1, 77; @%p1 ld.param.u64 %rd2, [out+64]; st.global.u32 [%rd1], 5; ret;")
                  .text(),
              "");
    EXPECT_EQ(word(0), 5u);
}

TEST_F(Box, ParametersThroughAddresses) {
    expect_fault(run("mov.u64 %rd2, out; ld.param.u64 %rd3, [%rd2+64]; st.global.u64 [%rd1], %rd3; ret;"),
                 FaultKind::illegal_address, "offset 64 of the parameters");
    expect_fault(
        run("mov.u64 %rd2, out; cvta.param.u64 %rd3, %rd2; ld.u64 %rd4, [%rd3+64]; st.global.u64 [%rd1], "
            "%rd4; ret;"),
        FaultKind::illegal_address, "out of bounds");
    expect_fault(run("mov.u64 %rd2, out; cvta.param.u64 %rd3, %rd2; st.u64 [%rd3], %rd1; ret;"),
                 FaultKind::illegal_address, "read-only");
    EXPECT_EQ(run("mov.u64 %rd2, out; cvta.param.u64 %rd3, %rd2; ld.u64 %rd4, [%rd3]; st.global.u64 [%rd4], "
                  "7; ret;")
                  .text(),
              "");
    EXPECT_EQ(word(0), 7u);
}

TEST_F(Box, CallParametersOutsideOfTheVariable) {
    const std::string f =
        ".func (.param .b32 r) f(.param .b32 a) { .reg .u32 %r<3>; ld.param.u32 %r1, [a+-64]; st.param.b32 "
        "[r+-64], "
        "%r1; ret; }\n";
    expect_fault(
        run("{ .param .b32 q; .param .b32 z; st.param.b32 [q], %r1; call (z), f, (q); ld.param.b32 %r2, [z]; "
            "st.global.u32 [%rd1], %r2; }\nret;",
            32, 1, f),
        FaultKind::illegal_address, "local memory");
    expect_fault(
        run("{ .param .b8 q[4]; st.param.b32 [q+100000], %r1; ld.param.b32 %r2, [q+400000]; st.global.u32 "
            "[%rd1], %r2; }\nret;"),
        FaultKind::illegal_address, "local memory");
    // The same in a function that is really called, where values go through a buffer.
    const std::string g =
        ".func (.param .b32 r) g(.param .b32 a) { .reg .u32 %r<9>; .reg .pred %p<2>; ld.param.u32 %r1, "
        "[a+4096];\n"
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra END; { .param .b32 q; .param .b32 z; st.param.b32 [q], 0; call "
        "(z), g, (q); "
        "ld.param.b32 %r2, [z]; }\nEND: st.param.b32 [r+8192], %r1; ret; }\n";
    // A called thread has 64 KiB of stack behind it: inside that, such an access is wrong but harms only
    // itself.
    EXPECT_NO_FATAL_FAILURE(
        run("{ .param .b32 q; .param .b32 z; st.param.b32 [q], %r1; call (z), g, (q); ld.param.b32 %r2, [z]; "
            "}\nret;",
            32, 1, g));
}

TEST_F(Box, MoreParametersThanAKernelMayHave) {
    expect_refused(run_module(".visible .entry k(.param .align 8 .b8 p[1000000]) { ret; }"),
                   "its parameters take 1000000 bytes; the limit is 4096");
    expect_refused(run_module(".visible .entry k(.param .u64 a, .param .align 8 .b8 p[4092]) { ret; }"),
                   "4100");
    EXPECT_EQ(run_module(".visible .entry k(.param .u64 a, .param .align 8 .b8 p[4088]) { ret; }").text(),
              "");
}

// ---- shared memory

TEST_F(Box, SharedVariablesOfOneNameAreDifferent) {
    // In two functions, in the kernel and in two blocks of statements.
    const std::string functions =
        ".func one(.param .b32 v) { .shared .b32 s; .reg .b32 %r<2>; ld.param.b32 %r1, [v]; st.shared.b32 "
        "[s], %r1; "
        "ret; }\n"
        ".func (.param .b32 r) two(.param .b32 v) { .shared .b32 s; .reg .b32 %r<3>; ld.param.b32 %r1, [v];\n"
        "ld.shared.b32 %r2, [s]; st.shared.b32 [s], %r1; st.param.b32 [r], %r2; ret; }\n";
    const std::string two =
        "{ .param .b32 v; .param .b32 r; st.param.b32 [v], %r3; call (r), two, (v); "
        "ld.param.b32 %r2, [r]; }\n";
    EXPECT_EQ(run(".shared .b32 s; st.shared.b32 [s], 7; mov.u32 %r3, 5;\n" + two +
                      "{ .param .b32 v; st.param.b32 [v], 9; call one, (v); }\n" + two +
                      "st.global.u32 [%rd1], %r2; ld.shared.b32 %r2, [s]; st.global.u32 [%rd1+4], %r2;\n"
                      "{ .shared .b32 t; st.shared.b32 [t], 1; { .shared .b32 t; st.shared.b32 [t], 2; }\n"
                      "ld.shared.b32 %r2, [t]; } st.global.u32 [%rd1+8], %r2; ret;",
                  1, 1, functions)
                  .text(),
              "");
    EXPECT_EQ(word(0), 5u);
    EXPECT_EQ(word(1), 7u);
    EXPECT_EQ(word(2), 1u);
}

// ---- local memory

TEST_F(Box, LocalAddressesHave32Bits) {
    const std::string own = ".local .align 4 .b8 mine[128]; mov.u64 %rd2, mine;\n";
    const std::string tell =
        "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r2; ret;";
    // One address for all, 4 GiB and 8 bytes behind the variable.
    EXPECT_EQ(
        run(own + "add.u64 %rd3, %rd2, 4294967304; st.local.u32 [%rd3], %r1; ld.local.u32 %r2, [mine+8];" +
            tell)
            .text(),
        "");
    for (std::uint32_t lane : {0u, 31u}) EXPECT_EQ(word(lane), lane);
    // p[~i] from the variable's middle, as the compiler makes it of an unsigned i: p[-1 - i].
    EXPECT_EQ(
        run(own +
            "not.b32 %r3, %r1; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd2, %rd3; add.u32 %r4, %r1, 70;\n"
            "st.local.u32 [%rd4+128], %r4; mul.wide.u32 %rd3, %r1, 4; sub.u64 %rd4, %rd2, %rd3;\n"
            "ld.local.u32 %r2, [%rd4+124];" +
            tell)
            .text(),
        "");
    for (std::uint32_t lane : {0u, 31u}) EXPECT_EQ(word(lane), lane + 70);
    expect_fault(run(own + "add.u64 %rd3, %rd2, 4294967424; st.local.u32 [%rd3], %r1; ret;"),
                 FaultKind::illegal_address, "local address 0x80 is out of bounds");
}

// One thread's generic address of its local memory, known to all: no instruction lets another one use it,
// however the address comes to them.
TEST_F(Box, OneAddressOfOneThreadsLocalMemoryForAll) {
    const std::string shared = ".shared .align 8 .b8 s[8];\n";
    const std::string tell_all =
        ".local .align 4 .b8 mine[64]; mov.u64 %rd2, mine; cvta.local.u64 %rd3, %rd2; st.local.u32 [mine], "
        "%r1;\n"
        "setp.eq.u32 %p1, %r1, 5; @%p1 st.shared.u64 [s], %rd3; bar.sync 0; ld.shared.u64 %rd4, [s];\n";
    const std::string use[] = {"ld.u32 %r2, [%rd4]; st.global.u32 [%rd1], %r2;", "st.u32 [%rd4], 9;"};
    for (const std::string& access : use) {
        expect_fault(run(tell_all + access + "ret;", 32, 1, shared), FaultKind::illegal_address,
                     "which is another thread's local memory");
        // Its owner is the first of those that try.
        expect_fault(run(tell_all + "setp.lt.u32 %p2, %r1, 5; @%p2 ret;" + access + "ret;", 32, 1, shared),
                     FaultKind::illegal_address, "thread (31,0,0)");
        EXPECT_EQ(run(tell_all + "@!%p1 ret;" + access + "ret;", 32, 1, shared).text(), "");
    }
}

TEST_F(Box, LocalMemoryIsTheThreadsOwn) {
    const std::string own = ".local .align 4 .b8 mine[64]; mov.u64 %rd2, mine;\n";
    EXPECT_EQ(
        run(own +
            "st.local.u32 [%rd2+60], %r1; ld.local.u32 %r2, [mine+60]; mul.wide.u32 %rd3, %r1, 4; add.u64 "
            "%rd4, %rd1, %rd3; st.global.u32 [%rd4], %r2; ret;")
            .text(),
        "");
    EXPECT_EQ(word(31), 31u);
    expect_fault(
        run(own + "st.local.u32 [%rd2+64], %r1; ret;"), FaultKind::illegal_address,
        "write of 4 bytes at local address 0x40 is out of bounds: the thread has 64 bytes of local memory");
    expect_fault(run(own + "st.local.u32 [%rd2+-4], %r1; ret;"), FaultKind::illegal_address, "local memory");
    expect_fault(run(own + "ld.local.v4.u32 {%r2,%r3,%r4,%r5}, [%rd2+64]; ret;"), FaultKind::illegal_address,
                 "local memory");
    // Only one lane goes astray, into the next one's memory.
    expect_fault(
        run(own +
            "setp.eq.u32 %p1, %r1, 7; selp.u64 %rd3, 64, 0, %p1; add.u64 %rd3, %rd3, %rd2; st.local.u32 "
            "[%rd3], %r1; ret;"),
        FaultKind::illegal_address, "thread (7,0,0)");
    // … and one that does not take part is not asked.
    EXPECT_EQ(run(own + "setp.eq.u32 %p1, %r1, 7; selp.u64 %rd3, 64, 0, %p1; add.u64 %rd3, %rd3, %rd2; @!%p1 "
                        "st.local.u32 [%rd3], %r1; ret;")
                  .text(),
              "");
    expect_fault(run(own + "atom.add.u32 %r2, [%rd1+65536], 1; ret;"), FaultKind::illegal_address,
                 "just after the end");
}

TEST_F(Box, AKernelWithoutLocalVariablesHasNoLocalMemory) {
    expect_fault(run("st.local.u32 [%rd1], %r1; ret;"), FaultKind::illegal_address,
                 "0 bytes of local memory");
    expect_fault(run("mov.u64 %rd2, 0; ld.local.u32 %r2, [%rd2]; st.global.u32 [%rd1], %r2; ret;"),
                 FaultKind::illegal_address, "0 bytes of local memory");
    expect_fault(run("mov.u64 %rd2, -8; st.local.u64 [%rd2], %rd1; ret;"), FaultKind::illegal_address,
                 "local memory");
}

TEST_F(Box, LocalAddressesOfAnotherThreadThatComeAsNumbers) {
    // The address of lane 0's variable, made generic and handed to all.
    const std::string body =
        ".local .align 4 .b8 mine[64]; mov.u64 %rd2, mine; cvta.local.u64 %rd3, %rd2; mov.b64 {%r2, %r3}, "
        "%rd3;\n"
        "shfl.sync.idx.b32 %r2, %r2, 0, 31, -1; shfl.sync.idx.b32 %r3, %r3, 0, 31, -1; mov.b64 %rd4, {%r2, "
        "%r3};\n";
    expect_fault(run(body + "cvta.to.local.u64 %rd5, %rd4; st.local.u32 [%rd5], %r1; ret;"),
                 FaultKind::illegal_address, "local memory");
    expect_fault(run(body + "st.u32 [%rd4], %r1; ret;"), FaultKind::illegal_address,
                 "thread (1,0,0): write of 4 bytes");
    expect_fault(run(body + "setp.gt.u32 %p1, %r1, 3; @%p1 atom.add.u32 %r4, [%rd4], %r1; ret;"),
                 FaultKind::illegal_address, "another thread's local memory");
    EXPECT_EQ(
        run(body +
            "st.u32 [%rd3+60], %r1; ld.local.u32 %r4, [%rd2+60]; atom.add.u32 %r5, [%rd3+60], 1; setp.gt.u32 "
            "%p1, %r1, 3; @%p1 ld.u32 %r4, [%rd3+60]; mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd1, %rd6; "
            "st.u32 [%rd7], %r4; ret;")
            .text(),
        "");
    EXPECT_EQ(word(3), 3u);
    EXPECT_EQ(word(31), 32u);
    expect_fault(run(body + "st.u32 [%rd3+64], %r1; ret;"), FaultKind::illegal_address,
                 "another thread's local memory");
}

TEST_F(Box, HugeVariables) {
    expect_refused(run(".local .b8 l[1073741824]; st.local.u32 [l], %r1; ret;"), "the limit is 524288");
    expect_refused(run(".local .b8 l[8589934592]; st.local.u32 [l], %r1; ret;"),
                   "local variables take 8589934592");
    expect_refused(run("mov.u64 %rd2, s; ret;", 32, 1, ".shared .b8 s[1099511627776];\n"),
                   "1099511627776 bytes of static shared memory");
    EXPECT_EQ(run("ret;", 32, 1, ".shared .b8 s[1099511627776];\n").text(), "") << "it is not used";
    expect_refused(run("ret;", 32, 1, ".global .b8 g[1099511627776];\n"), "out of device memory");
    expect_refused(run("ret;", 32, 1, ".global .b8 g[4294967296][4294967296];\n"), "larger than 2^40");
}

// ---- shared and constant memory

TEST_F(Box, SharedInstructionsReachSharedMemoryOnly) {
    const std::string tile = ".shared .align 4 .b8 tile[64];\n";
    expect_fault(run("mov.u64 %rd2, tile; st.shared.u32 [%rd2+64], %r1; ret;", 32, 1, tile),
                 FaultKind::illegal_address, "64 bytes of shared memory");
    // An offset from the window to the global allocation.
    expect_fault(
        run("mov.u64 %rd2, tile; cvta.shared.u64 %rd3, %rd2; sub.u64 %rd4, %rd1, %rd3; st.shared.u32 [%rd4], "
            "%r1; ret;",
            32, 1, tile),
        FaultKind::illegal_address, "shared address");
    expect_fault(run("st.shared.u32 [%rd1], %r1; ret;"), FaultKind::illegal_address,
                 "0 bytes of shared memory");
}

TEST_F(Box, ConstantsEndAndStay) {
    const std::string c = ".const .align 4 .u32 c = 5;\n";
    expect_fault(run("ld.const.u32 %r2, [c+1000000]; st.global.u32 [%rd1], %r2; ret;", 32, 1, c),
                 FaultKind::illegal_address, "read of 4 bytes");
    for (const char* write : {"st.u32 [%rd3], %r1;", "red.add.u32 [%rd3], 1;", "atom.add.u32 %r2, [%rd3], 1;",
                              "st.global.u32 [%rd3], %r1;"})
        expect_fault(
            run("mov.u64 %rd2, c; cvta.const.u64 %rd3, %rd2; " + std::string(write) + " ret;", 32, 1, c),
            FaultKind::illegal_address, "read-only");
}

// ---- branches and calls

TEST_F(Box, BranchTablesEnd) {
    const std::string table = "T: .branchtargets A, B;\n";
    const std::string ends = "A: mov.u32 %r2, 1; B: st.global.u32 [%rd1], %r2; ret;";
    expect_fault(run(table + "mov.u32 %r3, 77; brx.idx %r3, T; " + ends), FaultKind::invalid_call,
                 "brx.idx with the index 77, but its table has 2 targets");
    expect_fault(run(table + "brx.idx %r1, T; " + ends), FaultKind::invalid_call,
                 "thread (2,0,0): brx.idx with the "
                 "index 2");
    expect_fault(run(table + "mov.u32 %r3, -1; brx.idx %r3, T; " + ends), FaultKind::invalid_call,
                 "4294967295");
    EXPECT_EQ(run(table + "and.b32 %r3, %r1, 1; brx.idx %r3, T; " + ends).text(), "");
    // A guard that is off branches nowhere.
    EXPECT_EQ(run(table + "setp.eq.u32 %p1, %r1, 77; @%p1 brx.idx %r1, T; " + ends).text(), "");
}

TEST_F(Box, BranchTablesThatLeadBackOrOut) {
    // A block that some lanes leave to itself, and others to the end of the kernel.
    EXPECT_EQ(
        run("mov.u32 %r2, %r1; T: .branchtargets L, M, E;\n"
            "L: setp.eq.u32 %p1, %r2, 0; @%p1 bra Q; sub.u32 %r2, %r2, 1; Q: min.u32 %r3, %r2, 0; "
            "setp.gt.u32 %p2, "
            "%r2, 3; selp.u32 %r4, 0, %r3, %p2; setp.gt.u32 %p3, %r1, 16; selp.u32 %r4, %r4, 1, %p2; brx.idx "
            "%r4, "
            "T;\nM: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2;\nE: ret;")
            .text(),
        "");
    EXPECT_EQ(word(31), 3u);
}

TEST_F(Box, IndirectCallsGoToFunctionsOfTheirType) {
    const std::string functions =
        ".func (.param .b32 r) small(.param .b32 a) { st.param.b32 [r], 1; ret; }\n"
        ".func (.param .align 8 .b8 r[4096]) large(.param .b32 a) { .reg .b64 %rd<3>; mov.u64 %rd1, -1; "
        "st.param.b64 "
        "[r+4088], %rd1; ret; }\n"
        ".func (.param .b32 r, .param .b32 s) two() { st.param.b32 [s], 1; ret; }\n"
        ".global .u64 table[3] = {small, large, two};\n";
    auto call = [&](const std::string& index) {
        return run("ld.global.u64 %rd2, [table+" + index +
                       "]; P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                       "{ .param .b32 q; .param .b32 z; st.param.b32 [q], %r1; call (z), %rd2, (q), P; "
                       "ld.param.b32 %r2, "
                       "[z]; st.global.u32 [%rd1], %r2; }\nret;",
                   32, 1, functions);
    };
    EXPECT_EQ(call("0").text(), "");
    EXPECT_EQ(word(0), 1u);
    expect_fault(call("8"), FaultKind::invalid_call, "no device function of this type");
    expect_fault(call("16"), FaultKind::invalid_call, "no device function of this type");
    expect_refused(
        run("P: .callprototype (.param .b64 _) _ (.param .b32 _);\n"
            "{ .param .b32 q; .param .b32 z; st.param.b32 [q], %r1; call (z), %rd1, (q), P; }\nret;",
            32, 1, functions),
        "return value 1 of 'P' has 8 bytes, found 4");
    expect_refused(run("P: .callprototype _ (.param .b32 _, .param .b32 _);\n"
                       "{ .param .b32 q; st.param.b32 [q], %r1; call %rd1, (q), P; }\nret;"),
                   "'P' has 2 parameters, found 1");
    expect_fault(run("P: .callprototype _ (); call %rd1, (), P; ret;"), FaultKind::invalid_call,
                 "no device function");
}

TEST_F(Box, FunctionsReadTheirParametersByAddress) {
    const std::string functions =
        ".func (.param .b32 r) second(.param .align 4 .b8 a[16]) { .reg .b64 %rd<4>; .reg .b32 %r<3>;\n"
        "mov.b64 %rd1, a; mov.u64 %rd2, %rd1; ld.param.u32 %r1, [%rd2+8]; st.param.b32 [r], %r1; ret; }\n"
        ".global .u64 table[1] = {second};\n";
    const std::string passed =
        "{ .param .align 4 .b8 q[16]; .param .b32 z; st.param.b32 [q], 1; st.param.b32 [q+4], 2; "
        "st.param.b32 [q+8], %r1; st.param.b32 [q+12], 4; ";
    const std::string stored =
        "ld.param.b32 %r2, [z]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], "
        "%r2; }\nret;";
    for (const std::string& call : {std::string("call (z), second, (q); "),
                                    std::string("ld.global.u64 %rd2, [table]; call (z), %rd2, (q), P; ")}) {
        const std::string prototype =
            "mov.u32 %r1, %tid.x; P: .callprototype (.param .b32 _) _ (.param .align 4 .b8 _[16]);\n";
        EXPECT_EQ(run(prototype + passed + call + stored, 32, 1, functions).text(), "");
        EXPECT_EQ(word(7), 7u);
    }
}

// ---- the library's pointers

TEST_F(Box, LibraryFunctionsWriteNoFurtherThanChecked) {
    struct Case {
        const char *name, *declaration, *call;
        int bytes;
    };
    const Case cases[] = {
        {"__nv_modf", "(.param .b64 r) __nv_modf (.param .b64 a, .param .b64 p)",
         "{ .param .b64 r; .param .b64 a; .param .b64 p; st.param.b64 [a], %rd1; st.param.b64 [p], %rd2; "
         "call (r), "
         "__nv_modf, (a, p); }",
         8},
        {"__nv_modff", "(.param .b32 r) __nv_modff (.param .b32 a, .param .b64 p)",
         "{ .param .b32 r; .param .b32 a; .param .b64 p; st.param.b32 [a], %r1; st.param.b64 [p], %rd2; call "
         "(r), "
         "__nv_modff, (a, p); }",
         4},
        {"__nv_frexp", "(.param .b64 r) __nv_frexp (.param .b64 a, .param .b64 p)",
         "{ .param .b64 r; .param .b64 a; .param .b64 p; st.param.b64 [a], %rd1; st.param.b64 [p], %rd2; "
         "call (r), "
         "__nv_frexp, (a, p); }",
         4},
        {"__nv_remquo", "(.param .b64 r) __nv_remquo (.param .b64 a, .param .b64 b, .param .b64 p)",
         "{ .param .b64 r; .param .b64 a; .param .b64 b; .param .b64 p; st.param.b64 [a], %rd1; st.param.b64 "
         "[b], %rd1; "
         "st.param.b64 [p], %rd2; call (r), __nv_remquo, (a, b, p); }",
         4},
        {"__nv_sincos", "__nv_sincos (.param .b64 a, .param .b64 s, .param .b64 c)",
         "{ .param .b64 a; .param .b64 s; .param .b64 c; st.param.b64 [a], %rd1; st.param.b64 [s], %rd1; "
         "st.param.b64 "
         "[c], %rd2; call __nv_sincos, (a, s, c); }",
         8},
        {"__nv_sincosf", "__nv_sincosf (.param .b32 a, .param .b64 s, .param .b64 c)",
         "{ .param .b32 a; .param .b64 s; .param .b64 c; st.param.b32 [a], %r1; st.param.b64 [s], %rd1; "
         "st.param.b64 [c], "
         "%rd2; call __nv_sincosf, (a, s, c); }",
         4},
    };
    for (const Case& each : cases) {
        const std::string declaration = ".extern .func " + std::string(each.declaration) + ";\n";
        auto at = [&](std::uint64_t offset) {
            return run("add.u64 %rd2, %rd1, " + std::to_string(offset) + "; " + each.call + "\nret;", 1, 1,
                       declaration);
        };
        EXPECT_EQ(at(out_bytes - static_cast<std::uint64_t>(each.bytes)).text(), "") << each.name;
        const auto beyond = at(out_bytes);
        expect_fault(beyond, FaultKind::illegal_address, "write of " + std::to_string(each.bytes) + " bytes");
        if (each.bytes == 8)
            expect_fault(at(out_bytes - 4), FaultKind::misaligned_address, "write of 8 bytes");
    }
}

TEST_F(Box, LibraryFunctionsReadNoFurtherThanChecked) {
    auto norm = [&](int count, std::uint64_t offset) {
        return run("add.u64 %rd2, %rd1, " + std::to_string(offset) + "; mov.u32 %r2, " +
                       std::to_string(count) +
                       "; { .param .b64 r; .param .b32 n; .param .b64 p; st.param.b32 [n], %r2; st.param.b64 "
                       "[p], %rd2; call "
                       "(r), __nv_norm, (n, p); ld.param.b64 %rd3, [r]; st.global.u64 [%rd1], %rd3; }\nret;",
                   1, 1, ".extern .func (.param .b64 r) __nv_norm (.param .b32 n, .param .b64 p);\n");
    };
    EXPECT_EQ(norm(8, out_bytes - 64).text(), "");
    expect_fault(norm(9, out_bytes - 64), FaultKind::illegal_address, "read of 72 bytes");
    expect_fault(norm(0x7fffffff, 0), FaultKind::illegal_address, "read of 17179869176 bytes");
    EXPECT_EQ(norm(0, out_bytes).text(), "");
    EXPECT_EQ(norm(-1, 12345).text(), "");

    const std::string nan = ".extern .func (.param .b64 r) __nv_nan (.param .b64 p);\n";
    expect_fault(
        run("{ .param .b64 r; .param .b64 p; st.param.b64 [p], 12345; call (r), __nv_nan, (p); }\nret;", 1, 1,
            nan),
        FaultKind::illegal_address, "read of 1 bytes");
    expect_fault(run("add.u64 %rd2, %rd1, 65535; st.global.u8 [%rd2], 48; { .param .b64 r; .param .b64 p; "
                     "st.param.b64 [p], "
                     "%rd2; call (r), __nv_nan, (p); }\nret;",
                     1, 1, nan),
                 FaultKind::illegal_address, "read of 2 bytes");
}

// ---- the heap

const std::string heap =
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n";
const std::string take =
    "{ .param .b64 r; .param .b64 n; st.param.b64 [n], 64; call (r), malloc, (n); ld.param.b64 %rd2, [r]; "
    "}\n";
std::string give(const std::string& pointer) {
    return "{ .param .b64 p; st.param.b64 [p], " + pointer + "; call free, (p); }\n";
}

TEST_F(Box, OnlyTheHeapIsFreed) {
    EXPECT_EQ(run(take + give("%rd2") + "ret;", 32, 4, heap).text(), "");
    expect_fault(run(give("%rd1") + "ret;", 1, 1, heap), FaultKind::illegal_address,
                 "which is not a pointer from malloc");
    EXPECT_TRUE(memory.find(out));
    expect_fault(run(take + give("%rd2") + give("%rd2") + "ret;", 1, 1, heap), FaultKind::freed_twice,
                 "which was freed before: it points to 0 bytes inside the 64-byte allocation");
    expect_fault(run(take + "add.u64 %rd2, %rd2, 8;" + give("%rd2") + "ret;", 1, 1, heap),
                 FaultKind::illegal_address, "8 bytes inside the 64-byte allocation");
    EXPECT_EQ(run(give("0") + "ret;", 1, 1, heap).text(), "");
}

TEST_F(Box, WhatIsFreedIsNotKnownAsGood) {
    // One and the same store, before the free and after it.
    expect_fault(
        run(take + "mov.u32 %r2, 0; L: st.global.u32 [%rd2], %r2; setp.eq.u32 %p1, %r2, 1; @%p1 bra E;\n" +
                give("%rd2") + "mov.u32 %r2, 1; bra L; E: ret;",
            1, 1, heap),
        FaultKind::illegal_address, "which was freed");
    // Another thread's store, of a block that runs in turn with the one that frees.
    expect_fault(run("mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 0; @%p1 bra OWNER;\n"
                     "W: ld.volatile.global.u64 %rd2, [%rd1]; setp.eq.u64 %p2, %rd2, 0; @%p2 bra W;\n"
                     "mov.u32 %r2, 0; L: st.global.u32 [%rd2], %r2; setp.eq.u32 %p3, %r2, 1; @%p3 bra E;\n"
                     "st.volatile.global.u32 [%rd1+8], 1; V: ld.volatile.global.u32 %r3, [%rd1+12]; "
                     "setp.eq.u32 %p4, %r3, 0; @%p4 "
                     "bra V; mov.u32 %r2, 1; bra L;\nOWNER: " +
                         take +
                         "st.volatile.global.u64 [%rd1], %rd2; X: ld.volatile.global.u32 %r4, [%rd1+8]; "
                         "setp.eq.u32 %p5, %r4, 0; "
                         "@%p5 bra X;\n" +
                         give("%rd2") + "st.volatile.global.u32 [%rd1+12], 1;\nE: ret;",
                     1, 2, heap),
                 FaultKind::illegal_address, "which was freed");
}

// ---- stacks

TEST_F(Box, LargeFrames) {
    // Each call leaves a buffer of 32 lanes in the caller's frame: more than 4 MiB of them.
    std::string body = "P: .callprototype _ (.param .align 8 .b8 _[32760]);\n ld.global.u64 %rd2, [table];\n";
    for (int i = 0; i < 5; ++i)
        body += "{ .param .align 8 .b8 q[32760]; st.param.b64 [q+8], %rd1; call %rd2, (q), P; }\n";
    const std::string f =
        ".func f(.param .align 8 .b8 q[32760]) { .reg .b64 %rd<3>; ld.param.b64 %rd1, [q+8]; "
        "red.global.add.u32 [%rd1], 1; "
        "ret; }\n.global .u64 table[1] = {f};\n";
    EXPECT_EQ(run(body + "ret;", 64, 1, f).text(), "");
    EXPECT_EQ(word(0), 5u * 64);
    expect_refused(
        run("{ .param .b8 q[1073741824]; st.param.b64 [q+8], %rd1; ld.param.b64 %rd2, [q+8]; }\nret;", 1, 1,
            ".func g(.param .b8 q[1073741824]) { call g, (q); ret; }\n.global .u64 t[1] = {g};\n"),
        "limit");
}

TEST_F(Box, RecursionWithLargeFrames) {
    const std::string f =
        ".func f(.param .align 8 .b8 q[32000]) { .reg .b64 %rd<9>; ld.param.b64 %rd1, [q+8]; ld.param.b64 "
        "%rd2, "
        "[q+31992]; { .param .align 8 .b8 z[32000]; st.param.b64 [z+8], %rd1; st.param.b64 [z+31992], %rd2; "
        "call f, (z); "
        "}\n ret; }\n";
    expect_fault(
        run("{ .param .align 8 .b8 q[32000]; st.param.b64 [q+8], %rd1; st.param.b64 [q+31992], %rd1; call f, "
            "(q); }\nret;",
            64, 1, f),
        FaultKind::stack_overflow, "nested too deeply");
}

// ---- barriers

TEST_F(Box, BarriersAreApart) {
    // Half a warp waits at barrier 1, the other half at barrier 2, and the other warp is at both in the other
    // order.
    EXPECT_EQ(run("setp.ge.u32 %p1, %r1, 32; @%p1 bra SECOND; setp.ge.u32 %p2, %r1, 16; @%p2 bra HALF;\n"
                  "bar.sync 1, 64; bra END;\nHALF: bar.sync 2, 64; bra END;\n"
                  "SECOND: bar.sync 2, 64; bar.sync 1, 64;\nEND: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, "
                  "%rd1, %rd2; "
                  "st.global.u32 [%rd3], 9; ret;",
                  64)
                  .text(),
              "");
    EXPECT_EQ(word(0), 9u);
    EXPECT_EQ(word(63), 9u);
    expect_fault(run("setp.eq.u32 %p1, %r1, 0; @%p1 bar.sync 1, 64; st.global.u32 [%rd1], %r1; ret;"),
                 FaultKind::barrier_deadlock, "warps 0 wait at barrier 1");
    // Lanes of a warp that wait at barrier 3 are not helped by an arrival at barrier 0.
    expect_fault(run("setp.ge.u32 %p1, %r1, 32; @%p1 bra SECOND; setp.ge.u32 %p2, %r1, 16; @%p2 bra END; "
                     "bar.sync 3, 64; "
                     "bra END;\nSECOND: bar.sync 0, 64;\nEND: ret;",
                     64),
                 FaultKind::barrier_deadlock, "barrier 3");
    expect_fault(run("bar.sync 16; ret;"), FaultKind::barrier_deadlock, "barrier 16 does not exist");
    expect_fault(run("mov.u32 %r2, -1; barrier.sync %r2; ret;"), FaultKind::barrier_deadlock,
                 "does not exist");
    expect_fault(run("mov.u32 %r2, -1; barrier.sync 1, %r2; ret;"), FaultKind::barrier_deadlock, "barrier 1");
}

TEST_F(Box, AGuardedBarrierIsForThoseWhoseGuardIsOn) {
    // The second warp does not take part: with it, the third one would wait for a fourth.
    EXPECT_EQ(
        run("shr.u32 %r2, %r1, 5; setp.ne.u32 %p1, %r2, 1; @%p1 bar.sync 1, 64; st.global.u32 [%rd1], 4; "
            "ret;",
            96)
            .text(),
        "");
    EXPECT_EQ(word(0), 4u);
}

TEST_F(Box, ReductionsOfLanesThatAreApart) {
    EXPECT_EQ(run("setp.lt.u32 %p2, %r1, 10; setp.ge.u32 %p1, %r1, 16; @%p1 bra HALF;\n"
                  "barrier.red.popc.u32 %r2, 0, %p2; bra END;\nHALF: barrier.red.popc.u32 %r2, 0, %p1;\n"
                  "END: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; ret;",
                  32)
                  .text(),
              "");
    EXPECT_EQ(word(0), 26u);
    EXPECT_EQ(word(31), 26u);
}

TEST_F(Box, ABarrierInAFunctionThatSomeLanesCall) {
    const std::string f =
        ".func (.param .b32 r) f(.param .b32 a) { bar.sync 0; st.param.b32 [r], 3; ret; }\n"
        ".func (.param .b32 r) g(.param .b32 a) { bar.sync 0; st.param.b32 [r], 4; ret; }\n"
        ".global .u64 table[2] = {f, g};\n";
    EXPECT_EQ(
        run("and.b32 %r3, %r1, 1; mul.wide.u32 %rd4, %r3, 8; mov.u64 %rd5, table; add.u64 %rd5, %rd5, %rd4; "
            "ld.global.u64 %rd2, [%rd5]; P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
            "{ .param .b32 q; .param .b32 z; st.param.b32 [q], %r1; call (z), %rd2, (q), P; ld.param.b32 "
            "%r2, [z]; }\n"
            "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; ret;",
            64, 1, f)
            .text(),
        "");
    EXPECT_EQ(word(0), 3u);
    EXPECT_EQ(word(63), 4u);
}

// ---- warp functions

TEST_F(Box, AGuardedWarpFunctionWhereLanesMeet) {
    // Both halves come to it by themselves, from a branch before, and some lanes of each leave it out.
    EXPECT_EQ(run("setp.lt.u32 %p1, %r1, 16; and.b32 %r3, %r1, 3; setp.eq.u32 %p2, %r3, 0; mov.u32 %r2, 1;\n"
                  "selp.b32 %r4, 65535, -65536, %p1; mov.u32 %r5, 0;\n"
                  "setp.lt.u32 %p4, %r1, 7; @%p4 bra X; add.u32 %r6, %r1, 5; bra Y; X: add.u32 %r6, %r1, 6;\n"
                  "@%p1 bra Z; add.u32 %r6, %r1, 7; Z: Y: st.global.u32 [%rd1+256], %r6;\n"
                  "L: @%p1 bra M; add.u32 %r5, %r5, 1; M: @!%p2 match.any.sync.b32 %r2, %r3, %r4;\n"
                  "add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 4; @%p3 bra L;\n"
                  "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; ret;")
                  .text(),
              "");
    EXPECT_EQ(word(0), 1u);
    EXPECT_EQ(word(1), 0x2222u);
    EXPECT_EQ(word(31), 0x88880000u);
}

TEST_F(Box, AMaskWithoutCallersWhereSomeLeaveItOut) {
    const std::string vote = "setp.lt.u32 %p1, %r1, 16; @%p1 vote.sync.ballot.b32 %r2, %p1, 255; ret;";
    expect_fault(run(vote), FaultKind::illegal_instruction, "thread (8,0,0): the mask 0x000000ff");
}

// ---- time

TEST_F(Box, EveryLoopSeesTheTimeLimit) {
    options.timeout_seconds = 0.2;
    for (const char* loop :
         {"L: bra L;", "L: add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, %r1; @%p1 bra L; bra L;",
          "T: .branchtargets L, M; L: and.b32 %r2, %r1, 1; brx.idx %r2, T; M: bra L;",
          "T: .branchtargets L, L; L: and.b32 %r2, %r1, 1; brx.idx %r2, T;",
          "T: .branchtargets L; L: mov.u32 %r2, 0; brx.idx %r2, T;", "L: bar.sync 0; bra L;",
          "L: nanosleep.u32 20; bra L;", "L: atom.global.add.u32 %r2, [%rd1], 1; bra L;"})
        expect_fault(run(loop + std::string(" ret;"), 64, 3), FaultKind::timeout,
                     "still running after 0.2 seconds");
}

TEST_F(Box, RecursionAndManyBlocksSeeTheTimeLimit) {
    options.timeout_seconds = 0.3;
    const std::string f =
        ".func f(.param .b32 n) { .reg .u32 %r<9>; .reg .pred %p<2>; ld.param.u32 %r1, [n]; setp.eq.u32 %p1, "
        "%r1, 0; "
        "@%p1 ret; sub.u32 %r1, %r1, 1; { .param .b32 q; st.param.b32 [q], %r1; call f, (q); }\n { .param "
        ".b32 q; "
        "st.param.b32 [q], %r1; call f, (q); }\n ret; }\n";
    expect_fault(run("{ .param .b32 q; st.param.b32 [q], 40; call f, (q); }\nret;", 32, 1, f),
                 FaultKind::timeout, "still running after 0.3 seconds");
    expect_fault(run("ret;", 32, 2147483647), FaultKind::timeout, "of its 2147483647 blocks begun");
}

// ---- what the host has

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Box, AHostWithoutMemoryIsAFaultOfTheLaunch) {
    ASSERT_EQ(run("ret;").text(), "");
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit tight{pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (300ull << 20),
                       before.rlim_max};
    setrlimit(RLIMIT_AS, &tight);
    const Ending ending = run(".local .b8 l[524288]; st.local.u32 [l+524280], %r1; ret;", 1024, 4);
    setrlimit(RLIMIT_AS, &before);
    expect_fault(ending, FaultKind::host_exhausted, "no memory left to run a block of 1024 threads");
}
#endif

// ---- sizes

TEST_F(Box, LargeProgramsEndInAMessage) {
    std::string blocks;
    for (int i = 0; i < 25000; ++i)
        blocks += "L" + std::to_string(i) + ": setp.eq.u32 %p1, %r1, " + std::to_string(i) + "; @%p1 bra L" +
                  std::to_string(i / 2) + ";\n";
    expect_refused(run(blocks + "ret;"), "basic blocks; the limit is");
    EXPECT_EQ(
        run_module(
            ".visible .entry k(.param .u64 p) { .reg .u32 %r<1000000000>; mov.u32 %r999999999, 1; ret; }")
            .text(),
        "");
    // 2^30 calls, were all of them inlined.
    std::string tree = ".func f0() { .reg .u32 %r<9>; mov.u32 %r1, 1; ret; }\n";
    for (int i = 1; i <= 30; ++i) {
        const std::string callee = "call f" + std::to_string(i - 1) + "; ";
        tree += ".func f" + std::to_string(i) + "() { " + callee + callee + "ret; }\n";
    }
    EXPECT_FALSE(run("setp.eq.u32 %p1, %r1, 77; @%p1 bra E; ret; E: call f30; ret;", 32, 1, tree).fault);
}

}  // namespace
}  // namespace lockstep::exec
