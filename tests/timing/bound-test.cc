// What bounds a launch, from sums that say so.
#include "timing/bound.h"

#include <gtest/gtest.h>

#include "timing/models.h"

namespace lockstep::timing {
namespace {

using timing::Bound;
using timing::WarpState;

// 1000 cycles of 2 SMs with 4 schedulers, in which nothing happened.
class BoundTest : public testing::Test {
  protected:
    BoundTest() { sums.cycles = 1000; }
    Bound bound(double overhead = 0, std::uint32_t used = 132) const {
        return find_bound(sums, gpu, 2, used, overhead);
    }
    void wait(WarpState state, double cycles) { sums.sm.states[static_cast<std::size_t>(state)] = cycles; }

    gpu::GpuModel gpu = h200();
    ReplaySums sums;
};

TEST_F(BoundTest, LaunchOverhead) {
    sums.dram_busy = 1000;
    EXPECT_EQ(bound(1001), Bound::launch_overhead);
    EXPECT_EQ(bound(999), Bound::dram_bandwidth);
}

TEST_F(BoundTest, WhatTheGpuHasOnce) {
    for (auto [busy, expected] : {std::pair{&ReplaySums::launch_busy, Bound::block_rate},
                                  {&ReplaySums::dram_busy, Bound::dram_bandwidth},
                                  {&ReplaySums::l2_busy, Bound::l2_bandwidth},
                                  {&ReplaySums::atomics_busy, Bound::atomics}}) {
        sums = {};
        sums.cycles = 1000;
        wait(WarpState::barrier, 1);
        sums.*busy = 900;
        EXPECT_EQ(bound(), expected);
        // Half busy is not what bounds.
        sums.*busy = 500;
        EXPECT_EQ(bound(), Bound::barriers);
    }
}

TEST_F(BoundTest, FewSmsHaveWork) {
    wait(WarpState::barrier, 1);
    EXPECT_EQ(bound(0, 66), Bound::tail);
    EXPECT_EQ(bound(0, 67), Bound::barriers);
    sums.dram_busy = 900;
    EXPECT_EQ(bound(0, 1), Bound::dram_bandwidth);
}

TEST_F(BoundTest, TheBusiestOfSeveral) {
    sums.dram_busy = 800;
    sums.l2_busy = 900;
    EXPECT_EQ(bound(), Bound::l2_bandwidth);
    sums.dram_busy = 950;
    EXPECT_EQ(bound(), Bound::dram_bandwidth);
}

TEST_F(BoundTest, WhatEachSmHas) {
    wait(WarpState::barrier, 1);
    sums.sm.l1_busy = 900;  // of 2000
    EXPECT_EQ(bound(), Bound::barriers);
    sums.sm.l1_busy = 1800;
    EXPECT_EQ(bound(), Bound::l1_bandwidth);
    sums.sm.l1_busy = 200;
    sums.sm.shared_busy = 1700;
    EXPECT_EQ(bound(), Bound::shared_bandwidth);
    // They take turns: together they fill it.
    sums.sm.l1_busy = 900;
    sums.sm.shared_busy = 1000;
    EXPECT_EQ(bound(), Bound::shared_bandwidth);
    // Constants and textures have units of their own.
    sums.sm.constant_busy = 1950;
    EXPECT_EQ(bound(), Bound::constant_memory);
    sums.sm.texture_busy = 1990;
    EXPECT_EQ(bound(), Bound::texture_units);
}

TEST_F(BoundTest, WhatEachSchedulerHas) {
    wait(WarpState::barrier, 1);
    sums.sm.instructions = 4000;  // of 8000
    EXPECT_EQ(bound(), Bound::barriers);
    sums.sm.instructions = 7900;
    EXPECT_EQ(bound(), Bound::issue_slots);
    sums.sm.instructions = 3900;
    sums.sm.pipe_busy[static_cast<std::size_t>(Unit::fp64)] = 7800;
    EXPECT_EQ(bound(), Bound::arithmetic);
}

// One of them busy is not all of them busy.
TEST_F(BoundTest, PipesAreNotAddedUp) {
    wait(WarpState::barrier, 1);
    sums.sm.pipe_busy[static_cast<std::size_t>(Unit::alu)] = 4000;
    sums.sm.pipe_busy[static_cast<std::size_t>(Unit::fma)] = 4000;
    EXPECT_EQ(bound(), Bound::barriers);
}

TEST_F(BoundTest, WhatWarpsWaitForWhereNothingIsBusy) {
    for (auto [state, expected] : {std::pair{WarpState::long_scoreboard, Bound::memory_latency},
                                   {WarpState::drain, Bound::memory_latency},
                                   {WarpState::barrier, Bound::barriers},
                                   {WarpState::wait, Bound::arithmetic_latency},
                                   {WarpState::short_scoreboard, Bound::arithmetic_latency},
                                   {WarpState::branch_resolving, Bound::arithmetic_latency},
                                   {WarpState::math_pipe_throttle, Bound::arithmetic},
                                   {WarpState::not_selected, Bound::issue_slots},
                                   {WarpState::imc_miss, Bound::constant_memory},
                                   {WarpState::lg_throttle, Bound::l1_bandwidth}}) {
        sums = {};
        sums.cycles = 1000;
        for (double& other : sums.sm.states) other = 10;
        wait(state, 1000);
        EXPECT_EQ(bound(), expected) << static_cast<int>(state);
    }
    sums.sm.shared_busy = 1;
    wait(WarpState::lg_throttle, 0);
    wait(WarpState::mio_throttle, 1000);
    EXPECT_EQ(bound(), Bound::shared_bandwidth);
    sums.sm.constant_busy = 2;
    EXPECT_EQ(bound(), Bound::constant_memory);
    sums.sm.texture_busy = 3;
    EXPECT_EQ(bound(), Bound::texture_units);
}

}  // namespace
}  // namespace lockstep::timing
