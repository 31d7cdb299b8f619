// add, sub, mul and fma of f16 and bf16, which the JIT computes in f32 and f64, against exec/scalar's
// integers: operands of all sizes, near each other, and so small that results are subnormal.
#include <fmt/format.h>

#include "exec/scalar/float-ops.h"
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

struct Range {
    std::uint32_t keep, set;  // of an operand's bits
};

class Half : public KernelRun, public testing::WithParamInterface<const char*> {
  protected:
    static constexpr std::uint32_t threads = 256, blocks = out_bytes / 4 / threads;

    // Two numbers of 32 bits from a thread's, whose halves are operands.
    static std::uint32_t mix(std::uint32_t x, std::uint32_t seed) {
        x = x * 0x9e3779b1u + seed;
        x = (x ^ (x >> 15)) * 0x85ebca77u;
        x = (x ^ (x >> 13)) * 0xc2b2ae3du;
        return x ^ (x >> 16);
    }
    static std::string mix_ptx(const char* to, std::uint32_t seed) {
        return fmt::format(
            "mad.lo.u32 {0}, %r2, {1}, {2};\nshr.u32 %r9, {0}, 15; xor.b32 {0}, {0}, %r9; mul.lo.u32 {0}, "
            "{0}, {3};\n"
            "shr.u32 %r9, {0}, 13; xor.b32 {0}, {0}, %r9; mul.lo.u32 {0}, {0}, {4};\n"
            "shr.u32 %r9, {0}, 16; xor.b32 {0}, {0}, %r9;\n",
            to, 0x9e3779b1u, seed, 0x85ebca77u, 0xc2b2ae3du);
    }

    static std::string body(const std::string& operation, bool three, Range range, std::uint32_t seed) {
        auto half = [&](const char* from, int shift, const char* to) {
            return fmt::format(
                "shr.u32 %r9, {}, {}; and.b32 %r9, %r9, {}; or.b32 %r9, %r9, {}; cvt.u16.u32 {}, %r9;\n",
                from, shift, range.keep, range.set, to);
        };
        return "mov.u32 %r3, %ctaid.x; mad.lo.u32 %r2, %r3, 256, %r1;\n" + mix_ptx("%r4", seed) +
               mix_ptx("%r5", ~seed) + half("%r4", 0, "%h1") + half("%r4", 16, "%h2") +
               half("%r5", 0, "%h3") + operation + (three ? " %h4, %h1, %h2, %h3;\n" : " %h4, %h1, %h2;\n") +
               "cvt.u32.u16 %r6, %h4; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %rd1, %rd2;\n"
               "st.global.u32 [%rd2], %r6;\nret;\n";
    }
};

TEST_P(Half, ArithmeticIsRoundedOnce) {
    const std::string type = GetParam();
    const bool brain = type == "bf16";
    const Range ranges[] = {{0xffff, 0},                                             // anything
                            brain ? Range{0x83ff, 0x3c00} : Range{0x8fff, 0x3000},   // of one size
                            brain ? Range{0x83ff, 0} : Range{0x8fff, 0},             // the smallest
                            brain ? Range{0x81ff, 0x1e00} : Range{0x93ff, 0x1800}};  // whose products are
    for (const char* opcode : {"add", "sub", "mul", "fma"}) {
        const bool three = std::string_view(opcode) == "fma";
        const ScalarFunction* scalar = find_float_op(fmt::format("{}.rn.{}", opcode, type));
        ASSERT_TRUE(scalar);
        for (Range range : ranges)
            for (std::uint32_t seed : {1u, 77u, 12345u}) {
                auto ending =
                    run(body(fmt::format("{}.rn.{}", opcode, type), three, range, seed), threads, blocks);
                ASSERT_EQ(ending.text(), "");
                for (std::uint32_t i = 0; i < threads * blocks; ++i) {
                    std::uint32_t x = mix(i, seed), y = mix(i, ~seed);
                    auto operand = [&](std::uint32_t v) { return (v & range.keep) | range.set; };
                    std::uint32_t a = operand(x & 0xffff), b = operand(x >> 16), c = operand(y & 0xffff);
                    using Two = std::uint32_t (*)(std::uint32_t, std::uint32_t);
                    using Three = std::uint32_t (*)(std::uint32_t, std::uint32_t, std::uint32_t);
                    std::uint32_t expected = three ? reinterpret_cast<Three>(scalar->address)(a, b, c)
                                                   : reinterpret_cast<Two>(scalar->address)(a, b);
                    ASSERT_EQ(word(i), expected & 0xffff)
                        << fmt::format("{}.{} of {:04x}, {:04x}, {:04x}", opcode, type, a, b, c);
                }
            }
    }
}

INSTANTIATE_TEST_SUITE_P(, Half, testing::Values("f16", "bf16"));

}  // namespace
}  // namespace lockstep::exec
