// Code that is run again: near enough, or fetched once more.
#include "timing/code-caches.h"

#include <gtest/gtest.h>

#include "timing/hand-made.h"

namespace lockstep::timing {
namespace {

class CodeCachesTest : public testing::Test, public HandMade {
  public:
    const gpu::CodeCacheFigures& figures = gpu.timing.code;
    const std::uint32_t line = static_cast<std::uint32_t>(gpu.timing.code_line_instructions);

    CodeCaches caches(std::uint32_t lines) const {
        return CodeCaches(figures, gpu.timing.code_line_instructions, gpu.timing.schedulers, lines * line);
    }
    // Issued at once a cycle.
    Section section(std::uint32_t first_line, std::uint32_t lines) const {
        Section made;
        made.begin = first_line * line;
        made.instructions = made.cycles = lines * line;
        return made;
    }
};

TEST_F(CodeCachesTest, ShortCodeStaysWithTheSchedulers) {
    CodeCaches few = caches(static_cast<std::uint32_t>(figures.scheduler_lines));
    for (int turn = 0; turn < 3; ++turn) EXPECT_EQ(few.wait(0, section(0, 48), true), 0);
}

TEST_F(CodeCachesTest, JumpsToWhatASchedulerHasLostAreWaitedFor) {
    CodeCaches many = caches(200);
    const auto round = [&](std::uint32_t scheduler) {
        double waited = 0;
        for (std::uint32_t at = 0; at < 200; ++at) waited += many.wait(scheduler, section(at, 1), true);
        return waited;
    };
    round(0);
    EXPECT_EQ(round(0), 200 * figures.sm_jump) << "the SM has it";
    EXPECT_EQ(round(1), 200 * figures.sm_jump) << "another scheduler never had it";
    EXPECT_EQ(many.wait(0, section(199, 1), true), 0) << "it was just there";
}

TEST_F(CodeCachesTest, StraightCodeIsAskedForInAdvance) {
    CodeCaches caches_of_loop = caches(4000);
    const auto turn = [&](std::uint32_t lines) {
        caches_of_loop.wait(0, section(0, lines), false);
        return caches_of_loop.wait(0, section(0, lines), false);
    };
    EXPECT_EQ(turn(200), 0) << "what the SM has comes as fast as it is issued";
    EXPECT_NEAR(turn(700), 700 * (figures.shared_line - line), 200 * figures.shared_line);
    EXPECT_NEAR(turn(3000), 3000 * (figures.far_line - line), 700 * figures.far_line);
}

TEST_F(CodeCachesTest, SlowCodeIsThereWhenItIsNeeded) {
    CodeCaches loop = caches(1000);
    Section slow = section(0, 1000);
    slow.cycles = static_cast<std::uint32_t>(1000 * (figures.far_line + 1));
    loop.wait(0, slow, false);
    EXPECT_EQ(loop.wait(0, slow, false), 0);
}

TEST_F(CodeCachesTest, AModelWithoutFiguresKeepsAllCode) {
    const gpu::CodeCacheFigures none;
    CodeCaches caches_without(none, 8, 4, 100'000);
    EXPECT_EQ(caches_without.wait(0, section(9000, 10), true), 0);
}

}  // namespace
}  // namespace lockstep::timing
