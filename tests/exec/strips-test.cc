// Long stretches of arithmetic, which the JIT makes loops over strips of: their results against the same
// operations done here.
#include <fmt/format.h>

#include <array>
#include <random>

#include "exec/warp-context.h"
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

// Operations in a random order over a few registers, as PTX and as a function of a thread's registers.
class Arithmetic {
  public:
    static constexpr int registers = 12, words_out = registers + 1;

    explicit Arithmetic(int operations) {
        std::mt19937 random(static_cast<unsigned>(operations));
        for (int i = 0; i < operations; ++i)
            steps_.push_back({static_cast<unsigned>(random() % 8), pick(random), pick(random), pick(random)});
    }

    // %r2 … of each thread come from its number; results go to out, a row of words a thread.
    std::string ptx() const {
        std::string text =
            ".reg .b32 %v<12>; .reg .b32 %c; .reg .b64 %w<2>; .reg .pred %q<2>;\n"
            "mov.u32 %c, 0;\nmov.u32 %r2, %laneid;\nsetp.gt.u32 %q0, %r1, 7;\n";
        for (int i = 0; i < registers; ++i)
            text +=
                fmt::format("mad.lo.u32 %v{}, %r1, {}, {};\n", i, 0x9e3779b1u + static_cast<unsigned>(i), i);
        for (auto [kind, to, a, b] : steps_) {
            switch (kind) {
                case 0: text += fmt::format("add.u32 %v{}, %v{}, %v{};\n", to, a, b); break;
                case 1: text += fmt::format("xor.b32 %v{}, %v{}, %v{};\n", to, a, b); break;
                case 2: text += fmt::format("mul.lo.u32 %v{}, %v{}, %v{};\n", to, a, b); break;
                case 3: text += fmt::format("shr.u32 %v{}, %v{}, 3;\n", to, a); break;
                case 4:  // a mask that lives on
                    text += fmt::format("setp.lt.s32 %q0, %v{}, %v{};\n", a, b);
                    break;
                case 5: text += fmt::format("selp.b32 %v{}, %v{}, %v{}, %q0;\n", to, a, b); break;
                case 6:  // twice as wide
                    text += fmt::format(
                        "mul.wide.u32 %w0, %v{}, %v{};\nshr.u64 %w0, %w0, 20;\n"
                        "cvt.u32.u64 %v{}, %w0;\n",
                        a, b, to);
                    break;
                case 7:  // lanes that differ by a constant, and a guard
                    text += fmt::format("@%q0 add.u32 %v{}, %v{}, %r2;\n", to, a);
                    break;
            }
        }
        text += fmt::format("mul.wide.u32 %w1, %r1, {};\nadd.s64 %w1, %rd1, %w1;\n", 4 * words_out);
        for (int i = 0; i < registers; ++i) text += fmt::format("st.global.u32 [%w1+{}], %v{};\n", 4 * i, i);
        text += fmt::format("selp.u32 %c, 1, 0, %q0;\nst.global.u32 [%w1+{}], %c;\nret;\n", 4 * registers);
        return text;
    }

    std::array<std::uint32_t, words_out> run(std::uint32_t thread) const {
        std::array<std::uint32_t, words_out> v{};
        bool q = thread > 7;
        for (unsigned i = 0; i < registers; ++i) v[i] = thread * (0x9e3779b1u + i) + i;
        for (auto [kind, to, a, b] : steps_) {
            switch (kind) {
                case 0: v[to] = v[a] + v[b]; break;
                case 1: v[to] = v[a] ^ v[b]; break;
                case 2: v[to] = v[a] * v[b]; break;
                case 3: v[to] = v[a] >> 3; break;
                case 4: q = static_cast<std::int32_t>(v[a]) < static_cast<std::int32_t>(v[b]); break;
                case 5: v[to] = q ? v[a] : v[b]; break;
                case 6: v[to] = static_cast<std::uint32_t>(std::uint64_t{v[a]} * v[b] >> 20); break;
                case 7:
                    if (q) v[to] = v[a] + thread % warp_lanes;
                    break;
            }
        }
        v[registers] = q;
        return v;
    }

  private:
    struct Step {
        unsigned kind, to, a, b;
    };
    static unsigned pick(std::mt19937& random) { return static_cast<unsigned>(random() % registers); }
    std::vector<Step> steps_;
};

class Strips : public KernelRun, public testing::WithParamInterface<int> {};

TEST_P(Strips, ComputeWhatWholeWarpsDo) {
    const Arithmetic arithmetic(GetParam());
    constexpr std::uint32_t threads = 52;  // a whole warp, and a part of one
    auto ending = run(arithmetic.ptx(), threads);
    ASSERT_EQ(ending.text(), "");
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const auto expected = arithmetic.run(thread);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(word(thread * expected.size() + i), expected[i])
                << "thread " << thread << ", register " << i;
    }
}

// Too short for a loop, one loop, and several that hand values on.
INSTANTIATE_TEST_SUITE_P(, Strips, testing::Values(10, 60, 300, 700, 5000));

// Many accesses have their checks out of line. What is wrong with one is still told.
class ManyAccesses : public KernelRun {
  protected:
    static std::string body(int accesses, const std::string& last) {
        std::string text =
            "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r2, 0;\n"
            "setp.lt.u32 %p1, %r1, 5; st.global.u32 [%rd3], %r1;\n";
        for (int i = 0; i < accesses; ++i)
            text += fmt::format(
                "ld.global.u32 %r3, [%rd3]; add.u32 %r2, %r2, %r3; ld.global.u32 %r4, [%rd1+8];\n"
                "add.u32 %r2, %r2, %r4;\n@%p1 st.global.u32 [%rd3+{}], %r2;\n",
                256 * (i % 16 + 1));
        return text + last + "st.global.u32 [%rd3], %r2;\nret;\n";
    }
};

TEST_F(ManyAccesses, ReadAndWriteWhatTheyShould) {
    auto ending = run(body(100, ""), 20);
    ASSERT_EQ(ending.text(), "");
    for (std::uint32_t thread = 0; thread < 20; ++thread) {
        EXPECT_EQ(word(thread), 100 * (thread + 2)) << thread;
        EXPECT_EQ(word(thread + 64 * 4), thread < 5 ? 100 * (thread + 2) : 0) << thread;
    }
}

TEST_F(ManyAccesses, FaultAtTheFirstWrongLane) {
    const std::string far = fmt::format("add.s64 %rd3, %rd3, {};\n", out_bytes - 4 * 20);
    auto ending = run(body(100, far + "ld.global.u32 %r2, [%rd3];\n"), 32);
    expect_fault(ending, FaultKind::illegal_address, "thread (20,0,0)");
}

TEST_F(ManyAccesses, FaultAtAWrongUniformAddress) {
    auto ending = run(body(100, "ld.global.u32 %r2, [%rd1+2];\n"), 32);
    expect_fault(ending, FaultKind::misaligned_address, "thread (0,0,0)");
}

}  // namespace
}  // namespace lockstep::exec
