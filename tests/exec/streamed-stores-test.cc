// Launches that write so much that compiled code stores past the caches.
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

class StreamedStores : public KernelRun {
  protected:
    static constexpr std::uint32_t threads = 256, blocks = 1 << 15;  // 32 MB of words

    // Each thread writes its number, `words` behind the begin.
    void expect_numbers(std::uint32_t words) {
        if (out == 0) out = *memory.allocate(4ull * threads * blocks + 4096, MemoryKind::device);
        const Ending ending =
            run("mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, " + std::to_string(threads) +
                    ", %r1;\nmul.wide.u32 %rd2, %r3, 4;\nadd.u64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3+" +
                    std::to_string(4 * words) + "], %r3;\nret;",
                threads, blocks);
        EXPECT_EQ(ending.text(), "");
        for (std::uint32_t i = 0; i < threads * blocks; ++i) ASSERT_EQ(word(i + words), i);
    }
};

TEST_F(StreamedStores, AreThereWhenTheLaunchHasEnded) { expect_numbers(0); }

TEST_F(StreamedStores, OfLinesThatNoWarpFills) { expect_numbers(3); }

}  // namespace
}  // namespace lockstep::exec
