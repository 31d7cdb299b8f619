// Launches of which most blocks are not watched have the same figures as if all were.
#include "session/moved-launches.h"

#include <gtest/gtest.h>

#include <cstring>

#include "metrics/metric.h"
#include "session/profiled-kernel.h"
#include "session/watched-launch.h"
#include "timing/models.h"

namespace lockstep::session {
namespace {

class MovedLaunch : public testing::Test {
  protected:
    // The thread's column in %r1 and row in %r2, the block's in %r3 and %r4; p in %rd1, n in %r5.
    void load(const std::string& body, int threads) {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.shared .align 16 .b8 tile[4096];\n"
            ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<32>;\n"
            "ld.param.u64 %rd1, [p];\nld.param.u32 %r5, [n];\nmov.u32 %r3, %ctaid.x;\n"
            "mov.u32 %r4, %ctaid.y;\nmov.u32 %r6, %tid.x;\nmov.u32 %r7, %tid.y;\nmov.u32 %r8, %ntid.x;\n"
            "mov.u32 %r9, %ntid.y;\nmad.lo.s32 %r1, %r3, %r8, %r6;\nmad.lo.s32 %r2, %r4, %r9, %r7;\n" +
            body + "\nret;\n}\n";
        auto module = exec::Module::load(text, "test", memory_, gpu_, exec::Options{.threads = threads});
        ASSERT_TRUE(module) << module.error().to_string();
        module_ = std::move(*module);
        function_ = std::make_unique<Function>();
        function_->name = "k";
        function_->kernel = module_->find_kernel("k");
    }
    WatchedLaunch run(const exec::Dim3& grid, const exec::Dim3& block, std::uint32_t n) {
        std::vector<std::byte> params(12);
        std::memcpy(params.data(), &buffer_, 8);
        std::memcpy(params.data() + 8, &n, 4);
        exec::LaunchStats stats;
        return run_watched(*function_, {.grid = grid, .block = block, .params = params}, -1, gpu_,
                           {.repeats = false}, &stats);
    }
    // Watched first and then not; whether most blocks were not watched then.
    bool is_moved(const std::string& body, const exec::Dim3& grid, const exec::Dim3& block, std::uint32_t n) {
        bool moved = true;
        for (const int threads : {1, 2}) {
            load(body, threads);
            MovedLaunches& launches = launches_of_kernel();
            launches.give_up();
            const WatchedLaunch watched = run(grid, block, n);
            launches = MovedLaunches();
            launches.watched(1);
            const WatchedLaunch other = run(grid, block, n);
            EXPECT_FALSE(watched.fault) << watched.fault->message;
            EXPECT_FALSE(other.fault) << other.fault->message;
            if (watched.fault || other.fault) return false;
            for (const metrics::Metric& metric : metrics::metrics()) {
                const auto wanted = metrics::value_of(metric, *watched.counts),
                           got = metrics::value_of(metric, *other.counts);
                // What is not there is no number.
                EXPECT_TRUE(wanted == got || (wanted != wanted && got != got))
                    << metric.names.front() << ' ' << threads;
            }
            moved &= would_move(grid, block);
        }
        return moved;
    }
    MovedLaunches& launches_of_kernel() {
        if (!function_->profile) function_->profile = std::make_shared<ProfiledKernel>();
        return function_->profile->moved;
    }
    bool would_move(const exec::Dim3& grid, const exec::Dim3& block) {
        const exec::Launch launch{.grid = grid, .block = block};
        return launches_of_kernel().checks(**exec::analysed(*function_->kernel), launch) != nullptr;
    }

    gpu::GpuModel gpu_ = timing::h200();
    exec::DeviceMemory memory_{1ull << 26};
    std::uint64_t buffer_ = *memory_.allocate(1 << 25, exec::MemoryKind::device);
    std::unique_ptr<exec::Module> module_;
    std::unique_ptr<Function> function_;
};

// The word of row %r2 and column %r1, in a matrix of n columns.
const std::string word =
    "mad.lo.s32 %r10, %r2, %r5, %r1;\nmul.wide.s32 %rd2, %r10, 4;\nadd.s64 %rd3, %rd1, %rd2;\n";
const std::string add_one =
    "ld.global.u32 %r11, [%rd3];\nadd.u32 %r11, %r11, 1;\nst.global.u32 [%rd3], %r11;\n";

TEST_F(MovedLaunch, OfWholeLines) { EXPECT_TRUE(is_moved(word + add_one, {64, 64}, {32, 4}, 2048)); }

// Large ones from the first on, others when those before have taken long.
TEST_F(MovedLaunch, WhereItIsWorthMoreCode) {
    load(word + add_one, 1);
    EXPECT_TRUE(would_move({64, 64}, {32, 4}));
    EXPECT_FALSE(would_move({16, 8}, {32, 4}));
    launches_of_kernel().watched(1);
    EXPECT_TRUE(would_move({16, 8}, {32, 4}));
    EXPECT_FALSE(would_move({4, 4}, {32, 4}));
}

TEST_F(MovedLaunch, OfPartsOfLines) {
    EXPECT_TRUE(is_moved(word + add_one, {64, 64}, {32, 4}, 2056));
    EXPECT_TRUE(is_moved(word + add_one, {64, 64}, {8, 8}, 515));
    EXPECT_TRUE(is_moved(word + add_one, {20, 16, 16}, {16, 4}, 330));
}

TEST_F(MovedLaunch, WhoseEdgesDoOtherThings) {
    EXPECT_TRUE(is_moved(
        "max.s32 %r12, %r1, %r2;\nsetp.ge.s32 %p1, %r12, %r5;\n@%p1 bra end;\n" + word + add_one + "end:",
        {64, 64}, {16, 16}, 1000));
    // A stencil's.
    EXPECT_TRUE(
        is_moved("setp.eq.s32 %p1, %r1, 0;\nsetp.eq.s32 %p2, %r2, 0;\nor.pred %p3, %p1, %p2;\n"
                 "@%p3 bra end;\n" +
                     word + "ld.global.u32 %r13, [%rd3+-4];\n" + add_one + "end:",
                 {64, 64}, {16, 16}, 1024));
}

// More than the L2's sample holds, spread over all lines or most of them to one.
TEST_F(MovedLaunch, WithManyAccesses) {
    EXPECT_TRUE(is_moved(word + add_one + add_one, {64, 1024}, {32, 4}, 2048));
    for (const std::string line : {"", "+128", "+256", "+384"}) {
        std::string loads;
        for (int i = 0; i < 8; ++i) loads += "ld.volatile.global.u32 %r13, [%rd1" + line + "];\n";
        EXPECT_TRUE(is_moved(word + loads + add_one, {64, 256}, {32, 4}, 2048));
    }
}

// What was told of blocks that have not come to their end is not counted.
TEST_F(MovedLaunch, WithAFault) {
    for (const int threads : {1, 2}) {
        load(word + add_one, threads);
        launches_of_kernel().watched(1);
        const WatchedLaunch launch = run({64, 4096}, {32, 4}, 2048);
        EXPECT_TRUE(launch.fault);
        ASSERT_TRUE(launch.counts);
        EXPECT_FALSE(launch.counts->prediction);
        EXPECT_LT(launch.counts->totals.executed, 64u * 4096);
    }
}

TEST_F(MovedLaunch, WhereSomeBlocksTakeOneTurnMore) {
    const std::string loop =
        "mov.u32 %r14, %nctaid.x;\nmul.lo.u32 %r14, %r14, %r8;\nmov.u32 %r15, %r1;\n"
        "again:\nsetp.ge.u32 %p1, %r15, %r5;\n@%p1 bra end;\nmul.wide.u32 %rd2, %r15, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\n" +
        add_one + "add.u32 %r15, %r15, %r14;\nbra again;\nend:";
    EXPECT_TRUE(is_moved(loop, {512}, {128}, 512 * 128 * 3 + 70 * 128 + 5));
}

TEST_F(MovedLaunch, WhereNumbersWrapRound) {
    EXPECT_TRUE(
        is_moved("mul.lo.u32 %r16, %r3, 16777216;\nsetp.lt.u32 %p1, %r16, 268435456;\n@!%p1 bra end;\n" +
                     word + add_one + "end:",
                 {1024}, {64}, 1));
    EXPECT_TRUE(is_moved(
        "add.u32 %r16, %r1, -4096;\nsetp.gt.u32 %p1, %r16, 65535;\n@%p1 bra end;\n" + word + add_one + "end:",
        {1024}, {64}, 1));
}

TEST_F(MovedLaunch, WhereOneBlockIsSpecial) {
    EXPECT_TRUE(
        is_moved("setp.ne.u32 %p1, %r3, 777;\n@%p1 bra end;\n" + word + add_one + "end:", {2048}, {64}, 1));
    EXPECT_TRUE(is_moved("shl.b32 %r1, %r3, 6;\nor.b32 %r1, %r1, %r6;\n" + word + add_one, {2048}, {64}, 1));
}

TEST_F(MovedLaunch, WithSharedMemoryAndAtomics) {
    EXPECT_TRUE(is_moved(word +
                             "mov.u32 %r20, tile;\nmad.lo.u32 %r21, %r7, 16, %r6;\nshl.b32 %r21, %r21, 2;\n"
                             "add.u32 %r20, %r20, %r21;\nst.shared.u32 [%r20], %r1;\nbar.sync 0;\n"
                             "ld.shared.u32 %r22, [%r20];\nred.global.add.u32 [%rd1], %r22;\n" +
                             add_one,
                         {32, 32}, {16, 16}, 512));
}

TEST_F(MovedLaunch, NotWhereBlocksAreToldApartByMore) {
    EXPECT_FALSE(is_moved(
        "and.b32 %r16, %r3, 1;\nsetp.eq.u32 %p1, %r16, 0;\n@%p1 bra end;\n" + word + add_one + "end:", {1024},
        {64}, 1));
    EXPECT_FALSE(is_moved(word + "atom.global.add.u32 %r11, [%rd1], 1;\n" + add_one, {1024}, {64}, 1));
}

}  // namespace
}  // namespace lockstep::session
