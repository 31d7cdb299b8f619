#include "growing-kernels.h"

#include <fmt/format.h>

namespace bench {
namespace {

// `body` finds out's address of its thread in %d4, a's in %d3, some loaded values in %f0 to %f15 and %r0 to
// %r15, and may use `registers` more of each.
std::string kernel(int registers, const std::string& body) {
    std::string text = fmt::format(
        ".version 7.8\n.target sm_80\n.address_size 64\n"
        ".visible .entry kernel(.param .u64 a, .param .u64 out) {{\n"
        ".reg .b32 %r<{0}>; .reg .f32 %f<{0}>; .reg .b64 %d<8>; .reg .pred %p<{0}>; .reg .b32 %t<4>;\n"
        ".shared .align 4 .b8 tile[4096];\n"
        "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [out]; mov.u32 %t0, %tid.x;\n"
        "mul.wide.u32 %d2, %t0, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;\n",
        registers + 16);
    for (int i = 0; i < 16; ++i)
        text += fmt::format("ld.global.f32 %f{0}, [%d3+{1}]; mov.b32 %r{0}, %f{0};\n", i, 4 * i);
    return text + body + "ret;\n}\n";
}

std::string repeat(int n, auto&& line) {
    std::string text;
    for (int i = 0; i < n; ++i) text += line(i);
    return text;
}

std::string store_float(int reg) { return fmt::format("st.global.f32 [%d4], %f{};\n", reg); }
std::string store_word(int reg) { return fmt::format("st.global.u32 [%d4], %r{};\n", reg); }

// Many values live at a time.
std::string fma(int n) {
    return kernel(n, repeat(n, [](int i) {
                         return fmt::format("fma.rn.f32 %f{}, %f{}, %f0, %f{};\n", 16 + i, 8 + i, 13 + i);
                     }) + store_float(15 + n));
}

// Each needs the one before.
std::string chain(int n) {
    return kernel(1, "add.rn.f32 %f16, %f1, %f2;\n" + repeat(n, [](int) {
                         return "fma.rn.f32 %f16, %f16, %f0, %f2;\n";
                     }) + store_float(16));
}

std::string add(int n) {
    return kernel(n, repeat(n, [](int i) {
                         return fmt::format("add.s32 %r{}, %r{}, %r{};\n", 16 + i, 8 + i, 13 + i);
                     }) + store_word(15 + n));
}

std::string loads(int n) {
    return kernel(n + 1, "add.rn.f32 %f16, %f1, %f2;\n" + repeat(n, [](int i) {
                             return fmt::format(
                                 "ld.global.f32 %f{0}, [%d3+{1}];\n"
                                 "fma.rn.f32 %f16, %f{0}, %f{2}, %f16;\n",
                                 17 + i, i % 64 * 4, i ? 16 + i : 0);
                         }) + store_float(16));
}

std::string stores(int n) {
    return kernel(0, repeat(n, [](int i) {
                      return fmt::format("add.s32 %r1, %r1, %r2;\nst.global.u32 [%d4+{}], %r1;\n",
                                         i % 64 * 4);
                  }));
}

// Conditions that lanes agree on or not, one after the other.
std::string branches(int n) {
    return kernel(0, repeat(n, [](int i) {
                         return fmt::format(
                             "setp.gt.s32 %p0, %r{1}, {0};\n@%p0 bra L{0};\n"
                             "xor.b32 %r1, %r1, %r3;\nadd.s32 %r2, %r2, %r1;\nL{0}:\n",
                             i, 2 + i % 8);
                     }) + store_word(2));
}

// Loops that lanes leave at different times, in branches, with a vote behind.
std::string divergent_loops(int n) {
    return kernel(0, repeat(n, [](int i) {
                         return fmt::format(
                             "setp.gt.s32 %p0, %r{1}, {0};\n@%p0 bra E{0};\n"
                             "H{0}:\nadd.s32 %r1, %r1, %r4;\nsetp.lt.s32 %p1, %r1, %r{1};\n"
                             "setp.eq.s32 %p2, %r1, {0};\n@%p2 bra X{0};\n@%p1 bra H{0};\nX{0}:\n"
                             "vote.sync.ballot.b32 %r2, %p1, -1;\nadd.s32 %r3, %r3, %r2;\nE{0}:\n",
                             i, 5 + i % 8);
                     }) + store_word(3));
}

std::string barriers(int n) {
    return kernel(0, repeat(n, [](int i) {
                         return fmt::format(
                             "mov.u32 %r5, 0;\nH{0}:\nst.shared.u32 [tile], %r1;\nbar.sync 0;\n"
                             "ld.shared.u32 %r2, [tile];\nadd.s32 %r1, %r1, %r2;\nbar.sync 0;\n"
                             "add.s32 %r5, %r5, 1;\nsetp.lt.u32 %p0, %r5, 4;\n@%p0 bra H{0};\n",
                             i);
                     }) + store_word(1));
}

// Functions that run lane by lane.
std::string functions(int n) {
    return kernel(0, repeat(n, [](int i) {
                         return fmt::format("{}.approx.f32 %f1, %f1;\nadd.rn.f32 %f1, %f1, %f2;\n",
                                            i % 2 ? "sin" : "ex2");
                     }) + store_float(1));
}

}  // namespace

const std::vector<GrowingKernel>& growing_kernels() {
    static const std::vector<GrowingKernel> all = {
        {"fma", 500, fma},
        {"chain", 500, chain},
        {"add", 1000, add},
        {"loads", 125, loads},
        {"stores", 125, stores},
        {"branches", 30, branches},
        {"loops", 4, divergent_loops},
        {"barriers", 8, barriers},
        {"functions", 50, functions},
    };
    return all;
}

}  // namespace bench
