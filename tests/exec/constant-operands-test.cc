// Bit fields and permutations whose places are constants, for which the JIT has vectors, against exec/scalar.
#include <fmt/format.h>

#include <functional>

#include "exec/scalar/int-ops.h"
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

class ConstantOperands : public KernelRun {
  protected:
    static constexpr std::uint32_t threads = 64;

    static std::uint64_t first(std::uint64_t t) { return (t + 1) * 0x9e3779b97f4a7c15; }
    static std::uint64_t second(std::uint64_t t) { return (t + 1) * 0xc2b2ae3d27d4eb4f; }

    // `operation` makes %rd6, or %r6, of first() in %rd4 and %r4 and of second() in %rd5 and %r5.
    void check(const std::string& operation, bool wide,
               const std::function<std::uint64_t(std::uint64_t)>& expected) {
        const Ending ending =
            run(fmt::format(
                    "add.u32 %r2, %r1, 1; cvt.u64.u32 %rd3, %r2;\n"
                    "mul.lo.u64 %rd4, %rd3, 0x9e3779b97f4a7c15; mul.lo.u64 %rd5, %rd3, 0xc2b2ae3d27d4eb4f;\n"
                    "cvt.u32.u64 %r4, %rd4; cvt.u32.u64 %r5, %rd5;\n{}\n{}"
                    "mul.wide.u32 %rd2, %r1, 8; add.s64 %rd2, %rd1, %rd2; st.global.u64 [%rd2], %rd6; ret;",
                    operation, wide ? "" : "cvt.u64.u32 %rd6, %r6;\n"),
                threads);
        ASSERT_EQ(ending.text(), "") << operation;
        for (std::uint32_t t = 0; t < threads; ++t) {
            const std::uint64_t got = word(2 * t) | std::uint64_t{word(2 * t + 1)} << 32;
            ASSERT_EQ(got, expected(t)) << operation << " of " << first(t) << " and " << second(t);
        }
    }
};

TEST_F(ConstantOperands, FieldsAreThoseOfAnyOperands) {
    struct Field {
        std::uint32_t start, length;
    };
    for (const int width : {32, 64})
        for (const auto& [start, length] : {Field{0, 1},
                                            {3, 7},
                                            {0, 32},
                                            {31, 1},
                                            {5, 27},
                                            {0, 0},
                                            {30, 5},
                                            {0, 64},
                                            {33, 16},
                                            {63, 1},
                                            {40, 200}}) {
            const bool wide = width == 64;
            auto value = [&](std::uint64_t v) { return wide ? v : v & 0xffffffff; };
            const char* letters = wide ? "rd" : "r";
            for (const bool is_signed : {false, true})
                check(fmt::format("bfe.{}{} %{}6, %{}4, {}, {};", is_signed ? 's' : 'u', width, letters,
                                  letters, start, length),
                      wide, [&, start = start, length = length](std::uint64_t t) {
                          return value(bfe(value(first(t)), start, length, width, is_signed));
                      });
            check(fmt::format("bfi.b{0} %{1}6, %{1}4, %{1}5, {2}, {3};", width, letters, start, length), wide,
                  [&, start = start, length = length](std::uint64_t t) {
                      return value(bfi(value(first(t)), value(second(t)), start, length, width));
                  });
        }
}

TEST_F(ConstantOperands, BytesArePermuted) {
    for (const std::uint32_t selector :
         {0x3210u, 0x7654u, 0x0123u, 0x3250u, 0xba98u, 0xfedcu, 0x8080u, 0x4c6au})
        check(fmt::format("prmt.b32 %r6, %r4, %r5, {};", selector), false, [&](std::uint64_t t) {
            return prmt(static_cast<std::uint32_t>(first(t)), static_cast<std::uint32_t>(second(t)),
                        selector);
        });
}

}  // namespace
}  // namespace lockstep::exec
