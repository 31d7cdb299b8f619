// What the lanes of an atomic operation see of each other: as if one came after the other, whether they have
// one address, few or as many as they are, and whoever else can see the memory.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "kernel-run.h"

namespace lockstep::exec {
namespace {

using Words = std::map<std::uint32_t, std::uint32_t>;

struct Operation {
    const char* name;
    const char* type;
    // The new value.
    std::function<std::uint32_t(std::uint32_t old, std::uint32_t operand, std::uint32_t other)> next;
    bool takes_two = false;
};

class Atomics : public KernelRun {
  protected:
    static constexpr std::uint32_t threads = 64, words = 128;

    Atomics() { options.draft_threads = ~std::uint64_t{0}; }  // many kernels, each for one launch

    // p[f(t)] is changed by t's operands; where `returns`, the old value goes to out[words + t].
    std::string body(const Operation& operation, const std::string& word, bool shared, bool returns) {
        const char* space = shared ? "shared" : "global";
        const std::string operands = operation.takes_two ? "%r4, %r5" : "%r4";
        std::string text =
            fmt::format("{} mul.lo.u32 %r4, %r1, 7; and.b32 %r4, %r4, 63; add.u32 %r5, %r1, 3;\n",
                        word);  // the word's number in %r2
        if (shared)
            text +=
                "mov.u32 %r6, tile; shl.b32 %r7, %r2, 2; add.u32 %r6, %r6, %r7; cvt.u64.u32 %rd2, %r6;\n"
                "mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7; mov.u32 %r8, 0;\n"
                "st.shared.u32 [%r6], %r8; st.shared.u32 [%r6+256], %r8; bar.sync 0;\n";
        else
            text += "mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2;\n";
        // All but a few lanes.
        text += "setp.ne.u32 %p1, %r1, 5;\n";
        text += fmt::format("mov.u32 %r9, 77;\n@%p1 atom.{}.{}.{} {}, [%rd2], {};\n", space, operation.name,
                            operation.type, returns ? "%r9" : "%r10", operands);
        if (shared)
            text +=
                "bar.sync 0; ld.shared.u32 %r11, [%r6]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd1, "
                "%rd3;\n"
                "st.global.u32 [%rd3], %r11; ld.shared.u32 %r11, [%r6+256]; st.global.u32 [%rd3+256], "
                "%r11;\n";
        return text +
               "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd1, %rd4; st.global.u32 [%rd4+512], %r9;\nret;";
    }

    void check(const Operation& operation, const std::string& text,
               const std::function<std::uint32_t(std::uint32_t)>& word_of) {
        for (const bool shared : {false, true})
            for (const bool returns : {false, true}) {
                const Ending ending = run(body(operation, text, shared, returns), threads, 1,
                                          ".shared .align 4 .b8 tile[512];\n");
                ASSERT_EQ(ending.text(), "");
                Words expected;
                for (std::uint32_t t = 0; t < threads; ++t) {
                    std::uint32_t result = 77;
                    if (t != 5) {
                        std::uint32_t& value = expected[word_of(t)];
                        if (returns) result = value;
                        value = operation.next(value, t * 7 & 63, t + 3);
                    }
                    EXPECT_EQ(word(words + t), result) << operation.name << text << shared << " lane " << t;
                }
                for (std::uint32_t w = 0; w < words; ++w)
                    EXPECT_EQ(word(w), expected[w]) << operation.name << text << shared << " word " << w;
            }
    }
};

TEST_F(Atomics, LanesComeOneAfterTheOther) {
    auto number = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    auto real = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    using u32 = std::uint32_t;
    const Operation operations[] = {
        {"add", "u32", [](u32 old, u32 b, u32) { return old + b; }},
        {"add", "f32", [=](u32 old, u32 b, u32) { return number(real(old) + real(b)); }},
        {"max", "s32", [](u32 old, u32 b, u32) { return std::max(old, b); }},
        {"min", "u32", [](u32 old, u32 b, u32) { return std::min(old, b); }},
        {"xor", "b32", [](u32 old, u32 b, u32) { return old ^ b; }},
        {"exch", "b32", [](u32, u32 b, u32) { return b; }},
        {"inc", "u32", [](u32 old, u32 b, u32) { return old >= b ? 0 : old + 1; }},
        {"dec", "u32", [](u32 old, u32 b, u32) { return old == 0 || old > b ? b : old - 1; }},
        {"cas", "b32", [](u32 old, u32 b, u32 c) { return old == b ? c : old; }, true},
    };
    for (const Operation& operation : operations) {
        check(operation, "mov.u32 %r2, 9;", [](u32) { return 9; });
        check(operation, "and.b32 %r2, %r1, 3;", [](u32 t) { return t & 3; });
        check(operation, "shr.u32 %r2, %r1, 5;", [](u32 t) { return t >> 5; });
        check(operation, "xor.b32 %r2, %r1, 21;", [](u32 t) { return t ^ 21; });
        // The first lane's and the last one's are the same, those between are not.
        check(operation, "mul.lo.u32 %r2, %r1, %r1; and.b32 %r2, %r2, 60; shr.u32 %r2, %r2, 1;",
              [](u32 t) { return (t * t & 60) >> 1; });
    }
}

TEST_F(Atomics, OneAddressThatNobodyHasIsToldWithItsLane) {
    const Ending ending =
        run("mov.u64 %rd2, 4096; mov.u32 %r2, 1; setp.gt.u32 %p1, %r1, 3;\n"
            "@%p1 red.global.add.u32 [%rd2], %r2;\nret;");
    ASSERT_TRUE(ending.fault);
    EXPECT_NE(ending.fault->message.find("thread (4"), std::string::npos) << ending.fault->message;
}

}  // namespace
}  // namespace lockstep::exec
