// What never ends by itself is stopped: compilations, grids, loops of every kind.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "kernel-run.h"

namespace lockstep::exec {
namespace {

using Clock = std::chrono::steady_clock;

class TimeoutTest : public KernelRun {
  protected:
    ~TimeoutTest() override {
        while (*options.compiling > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    void expect_stopped(const std::string& body, std::uint32_t threads = 32, const std::string& before = "") {
        SCOPED_TRACE(body);
        // Where the machine has much else to do, the compilation may not be done in time.
        for (options.timeout_seconds = 0.2; options.timeout_seconds < 10; options.timeout_seconds *= 2) {
            const Ending ending = run(body, threads, 1, before);
            if (ending.text().find("being compiled") != std::string::npos) continue;
            return expect_fault(ending, FaultKind::timeout, "(--timeout)");
        }
        FAIL() << "does not compile in 10 s";
    }
};

TEST_F(TimeoutTest, Loops) {
    expect_stopped("L: bra L;");
    expect_stopped("L: bra.uni L;");
    // by some lanes alone, while the others wait behind it
    expect_stopped("setp.eq.u32 %p1, %r1, 3;\nL: @%p1 bra L;\nst.global.u32 [%rd1], %r1;\nret;");
    // of which each lane leaves only to come back
    expect_stopped(
        "A: xor.b32 %r1, %r1, 1;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra A;\nbra B;\n"
        "B: xor.b32 %r1, %r1, 1;\nbra A;");
}

TEST_F(TimeoutTest, LoopsThatWait) {
    expect_stopped("L: ld.volatile.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\nret;");
    expect_stopped("L: atom.global.cas.b32 %r2, [%rd1], 1, 2;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\nret;",
                   128);
    expect_stopped("L: bar.sync 0;\nbra L;", 128);
    expect_stopped("L: bar.warp.sync 0xffffffff;\nbra L;");
    expect_stopped(
        "L: vote.sync.ballot.b32 %r2, 1, 0xffffffff;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\nret;");
    // In turn: a lane that spins, and its neighbours at a barrier for the warp.
    expect_stopped(
        "setp.eq.u32 %p1, %r1, 3;\nL: ld.volatile.global.u32 %r2, [%rd1];\n@%p1 bra L;\n"
        "bar.warp.sync 0xffffffff;\nret;");
}

TEST_F(TimeoutTest, IndirectBranchesAndCalls) {
    expect_stopped("T: .branchtargets A, B;\nand.b32 %r2, %r1, 1;\nA: brx.idx %r2, T;\nB: brx.idx %r2, T;");
    expect_stopped("L: call f;\nbra L;", 32, ".func f()\n{ ret; }\n");
    expect_stopped("call f;\nret;", 32, ".func f()\n{ .reg .b32 %r<3>; L: add.u32 %r1, %r1, 1;\nbra L; }\n");
    expect_stopped("mov.u64 %rd2, f;\nL: call %rd2, (), P;\nbra L;\nP: .callprototype _ ();", 32,
                   ".func f()\n{ ret; }\n");
}

// Blocks that end at once, but are many.
TEST_F(TimeoutTest, Grids) {
    const auto start = Clock::now();
    options.timeout_seconds = 2;
    const Ending ending = run("ret;", 1, 0x7fffffff);
    expect_fault(ending, FaultKind::timeout, "of its 2147483647 blocks begun");
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
}

std::string long_body(int instructions) {
    std::string text;
    for (int i = 0; i < instructions; ++i)
        text +=
            fmt::format("fma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", i % 9, (i + 1) % 9, (i * 7 + 2) % 9, i % 5);
    return text + "st.global.f32 [%rd1], %f1;\nret;";
}

TEST_F(TimeoutTest, Compilations) {
    options.timeout_seconds = 0.001;
    const Ending ending = run(long_body(1000));
    expect_fault(ending, FaultKind::timeout,
                 "kernel k: still being compiled after 0.001 seconds (--timeout)");
}

TEST_F(TimeoutTest, ALongCompilationIsTold) {
    std::string told;
    options.progress = [&](const std::string& text) { told += text + '\n'; };
    options.progress_seconds = 0.001;
    options.timeout_seconds = 0;
    EXPECT_EQ(run(long_body(300)).text(), "");
    EXPECT_EQ(told, "still compiling kernel k\n");
}

// A later launch has what was compiled meanwhile.
TEST_F(TimeoutTest, ACompilationThatWasLeftGoesOn) {
    options.timeout_seconds = 0.001;
    auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<9>; .reg .b64 "
        "%rd1;\nmov.u64 %rd1, 0;\n" +
        long_body(300) + "\n}\n";
    auto loaded = Module::load(text, "test", memory, *model, options);
    ASSERT_TRUE(loaded);
    const Kernel* kernel = (*loaded)->find_kernel("k");
    const Launch nothing{.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const auto first = exec::run(*kernel, nothing);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->kind, FaultKind::timeout);
    while (*options.compiling > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto second = exec::run(*kernel, nothing);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->kind, FaultKind::illegal_address);
}

}  // namespace
}  // namespace lockstep::exec
