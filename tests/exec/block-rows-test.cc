// Blocks of 16 and of 8 columns: a warp has several rows, each with a base of its own. Whatever shape a block
// has, a thread does the same.
#include <fmt/format.h>

#include "kernel-run.h"

namespace lockstep::exec {
namespace {

class BlockRows : public KernelRun {
  protected:
    // %r1 is x, %r2 is y, %r3 the number of columns, %r4 the thread's number; the body sees %rd1, out.
    Ending run_rows(const std::string& body, std::uint32_t columns, std::uint32_t high,
                    const std::string& before = "") {
        rows = high;
        return run("mov.u32 %r2, %tid.y;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n" + body,
                   columns * high, 1, before);
    }

    static constexpr std::uint32_t widths[] = {16, 8, 32, 4, 12};
};

TEST_F(BlockRows, NeighboursAndRowsAndColumns) {
    for (std::uint32_t columns : widths) {
        const std::uint32_t high = 96 / columns;
        // out[y][x], then what lies in the row's first column, the column's first row and the thread's own.
        const Ending ending = run_rows(R"(
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    mad.lo.u32 %r5, %r2, 100, %r1;
    st.global.u32 [%rd3], %r5;
    bar.sync 0;
    mul.lo.u32 %r6, %r2, %r3;
    mul.wide.u32 %rd4, %r6, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.u32 %r7, [%rd5+4];
    mul.wide.u32 %rd6, %r1, 4;
    add.s64 %rd7, %rd1, %rd6;
    ld.global.u32 %r8, [%rd7];
    ld.global.u32 %r9, [%rd3];
    mov.u32 %r10, %laneid;
    st.global.u32 [%rd3+1024], %r7;
    st.global.u32 [%rd3+2048], %r8;
    st.global.u32 [%rd3+3072], %r9;
    st.global.u32 [%rd3+4096], %r10;
    ret;)",
                                       columns, high);
        ASSERT_EQ(ending.text(), "");
        for (std::uint32_t t = 0; t < columns * high; ++t) {
            const std::uint32_t x = t % columns, y = t / columns;
            EXPECT_EQ(word(t), y * 100 + x) << columns;
            EXPECT_EQ(word(256 + t), y * 100 + 1) << columns;
            EXPECT_EQ(word(512 + t), x) << columns;
            EXPECT_EQ(word(768 + t), y * 100 + x) << columns;
            EXPECT_EQ(word(1024 + t), t % 32) << columns;
        }
    }
}

TEST_F(BlockRows, SharedMemoryInALoopWithBarriers) {
    for (std::uint32_t columns : widths) {
        const std::uint32_t high = 96 / columns;
        // Each turn a thread takes its right neighbour's value and adds the first of its row.
        const Ending ending = run_rows(R"(
    mov.u32 %r5, tile;
    shl.b32 %r6, %r4, 2;
    add.u32 %r7, %r5, %r6;
    mul.lo.u32 %r8, %r2, %r3;
    shl.b32 %r8, %r8, 2;
    add.u32 %r8, %r8, %r5;
    mov.u32 %r9, 0;
    mov.u32 %r10, %r4;
again:
    st.shared.u32 [%r7], %r10;
    bar.sync 0;
    ld.shared.u32 %r11, [%r7+4];
    ld.shared.u32 %r12, [%r8];
    add.u32 %r10, %r11, %r12;
    bar.sync 0;
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p1, %r9, 5;
    @%p1 bra again;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r10;
    ret;)",
                                       columns, high, ".shared .align 16 .b8 tile[512];\n");
        ASSERT_EQ(ending.text(), "");
        std::vector<std::uint32_t> value(columns * high + 1);
        for (std::uint32_t t = 0; t < columns * high; ++t) value[t] = t;
        for (int turn = 0; turn < 5; ++turn) {
            std::vector<std::uint32_t> next = value;
            for (std::uint32_t t = 0; t < columns * high; ++t)
                next[t] = value[t + 1] + value[t / columns * columns];
            value = next;
        }
        for (std::uint32_t t = 0; t < columns * high; ++t) EXPECT_EQ(word(t), value[t]) << columns;
    }
}

TEST_F(BlockRows, SomeLanesStoreAndLoad) {
    for (std::uint32_t columns : widths) {
        const std::uint32_t high = 96 / columns;
        const Ending ending = run_rows(R"(
    mul.wide.u32 %rd2, %r4, 8;
    add.s64 %rd3, %rd1, %rd2;
    add.u32 %r5, %r1, %r2;
    and.b32 %r6, %r5, 1;
    setp.eq.u32 %p1, %r6, 1;
    @%p1 st.global.v2.u32 [%rd3], {%r1, %r2};
    mov.u32 %r7, 7;
    mov.u32 %r8, 7;
    @%p1 ld.global.v2.u32 {%r7, %r8}, [%rd3];
    st.global.v2.u32 [%rd3+4096], {%r7, %r8};
    ret;)",
                                       columns, high);
        ASSERT_EQ(ending.text(), "");
        for (std::uint32_t t = 0; t < columns * high; ++t) {
            const std::uint32_t x = t % columns, y = t / columns;
            const bool odd = (x + y) % 2;
            EXPECT_EQ(word(2 * t), odd ? x : 0) << columns;
            EXPECT_EQ(word(2 * t + 1), odd ? y : 0) << columns;
            EXPECT_EQ(word(1024 + 2 * t), odd ? x : 7) << columns;
            EXPECT_EQ(word(1024 + 2 * t + 1), odd ? y : 7) << columns;
        }
    }
}

// An index of 32 bits that wraps round inside a row: what looks like neighbours is not.
TEST_F(BlockRows, IndicesWrapRound) {
    for (std::uint32_t columns : widths) {
        const std::uint32_t high = 96 / columns;
        const Ending ending = run_rows(R"(
    mul.lo.u32 %r5, %r2, 16;
    add.u32 %r6, %r1, 0xfffffffc;
    add.u32 %r7, %r6, %r5;
    setp.lt.u32 %p1, %r7, 0x10000;
    mul.wide.u32 %rd2, %r7, 4;
    add.s64 %rd3, %rd1, %rd2;
    @%p1 st.global.u32 [%rd3], %r4;
    mov.u32 %r8, 0;
    @%p1 ld.global.u32 %r8, [%rd3];
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5+32768], %r8;
    ret;)",
                                       columns, high);
        ASSERT_EQ(ending.text(), "");
        for (std::uint32_t t = 0; t < columns * high; ++t) {
            const std::uint32_t x = t % columns, y = t / columns, index = x + y * 16 - 4;
            const bool takes_part = index < 0x10000;
            if (columns > 16) continue;  // rows overlap
            EXPECT_EQ(word(8192 + t), takes_part ? t : 0) << columns;
            if (takes_part) {
                EXPECT_EQ(word(index), t) << columns;
            }
        }
    }
}

TEST_F(BlockRows, WildAccessesAreFaultsOfTheirThread) {
    for (std::uint32_t columns : {16u, 8u}) {
        // A row behind the end, a row with one element there, columns that reach it, a misaligned row.
        expect_fault(run_rows(R"(
    mul.lo.u32 %r5, %r2, 32752;
    add.u32 %r5, %r5, %r1;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;)",
                              columns, 4),
                     FaultKind::illegal_address, "thread (0,1,0)");
        expect_fault(run_rows(R"(
    mul.wide.u32 %rd2, %r2, 65528;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r5, [%rd3];
    st.global.u32 [%rd1], %r5;
    ret;)",
                              columns, 4),
                     FaultKind::illegal_address, "thread (0,2,0)");
        expect_fault(run_rows(R"(
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r5, [%rd3+65520];
    st.global.u32 [%rd1], %r5;
    ret;)",
                              columns, 4),
                     FaultKind::illegal_address, "thread (4,0,0)");
        expect_fault(run_rows(R"(
    mov.u32 %r6, tile;
    mad.lo.u32 %r5, %r1, 4, %r2;
    add.u32 %r5, %r5, %r6;
    st.shared.u32 [%r5+64], %r5;
    ret;)",
                              columns, 2, ".shared .align 16 .b8 tile[512];\n"),
                     FaultKind::misaligned_address, "thread (0,1,0)");
        expect_fault(run_rows(R"(
    mov.u32 %r6, tile;
    mad.lo.u32 %r5, %r1, 4, %r6;
    mad.lo.u32 %r5, %r2, 496, %r5;
    st.shared.u32 [%r5], %r5;
    ret;)",
                              columns, 2, ".shared .align 16 .b8 tile[512];\n"),
                     FaultKind::illegal_address, "thread (4,1,0)");
    }
}

}  // namespace
}  // namespace lockstep::exec
