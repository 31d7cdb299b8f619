#include "session/program-time.h"

#include <gtest/gtest.h>

#include "timing/fit.h"

namespace lockstep::session {
namespace {

using timing::fit::clock_look;
constexpr double ms = 1e6;
constexpr double few = 4 * clock_look;  // looks, which take a little each

// What the system says; a test moves it on.
ProgramTime::Reading system_now;

class Time : public testing::Test {
  protected:
    Time() { system_now = {}; }
    static ProgramTime make(bool measured) {
        return ProgramTime(measured, {[] { return system_now.wall; }, [] { return system_now; }});
    }
    static void compute(double nanoseconds) {
        system_now.wall += nanoseconds;
        system_now.processor += nanoseconds;
    }
    static void wait(double nanoseconds) {
        system_now.wall += nanoseconds;
        ++system_now.waits;
    }
    static void be_kept_from_running(double nanoseconds) { system_now.wall += nanoseconds; }

    ProgramTime::Thread thread, other;
};

TEST_F(Time, GoesOnWithEveryLook) {
    ProgramTime time = make(false);
    for (int i = 1; i <= 3; ++i) {
        compute(ms);
        EXPECT_EQ(time.look(thread), i * clock_look) << "what is computed is free";
    }
}

TEST_F(Time, OfAThreadIsWhatItComputesAndWaits) {
    ProgramTime time = make(true);
    double begin = time.look(thread);
    compute(3 * ms);
    EXPECT_NEAR(time.look(thread) - begin, 3 * ms + clock_look, few);
    EXPECT_NEAR(time.processor(), time.now(), few);

    begin = time.now();
    be_kept_from_running(10 * ms);
    EXPECT_NEAR(time.look(thread) - begin, clock_look, few);

    begin = time.now();
    wait(2 * ms);
    EXPECT_NEAR(time.look(thread) - begin, 2 * ms + clock_look, few);
    EXPECT_NEAR(time.processor(), time.now() - 2 * ms, few) << "a wait takes no processor";
}

TEST_F(Time, LockstepsWorkTakesNone) {
    ProgramTime time = make(true);
    time.look(thread);
    time.look(other);
    const double begin = time.now();
    time.enter(thread);
    compute(500 * ms);
    time.leave(thread);
    EXPECT_NEAR(time.now(), begin, few);
    EXPECT_NEAR(time.look(thread), begin + clock_look, few);
    // Another thread has waited for it …
    ++system_now.waits;
    system_now.processor = 0;
    EXPECT_NEAR(time.look(other), begin + 2 * clock_look, few);
}

TEST_F(Time, AroundCallsLittleWorkCountsAsNone) {
    ProgramTime time = make(true);
    const double begin = time.look(thread);
    compute(0.05 * ms);
    time.enter(thread);
    time.reach(begin + ms);
    time.leave(thread);
    compute(0.05 * ms);
    EXPECT_NEAR(time.look(thread), begin + ms + clock_look, few);
    // Between two looks all of it does.
    compute(0.05 * ms);
    EXPECT_NEAR(time.look(thread), begin + 1.05 * ms + 2 * clock_look, few);
    compute(7 * ms);
    time.enter(thread);
    EXPECT_NEAR(time.now(), begin + 8.05 * ms + 2 * clock_look, few) << "and so does much";
    time.leave(thread);
}

// Two threads that compute at the same time take as long as one.
TEST_F(Time, ThreadsRunBesideEachOther) {
    ProgramTime time = make(true);
    const double begin = time.look(thread);
    time.look(other);
    compute(5 * ms);
    time.look(thread);
    EXPECT_NEAR(time.look(other), begin + 5 * ms + 2 * clock_look, few);
}

TEST_F(Time, ASleepLastsAtLeastAsLongAsAskedFor) {
    ProgramTime time = make(true);
    const double begin = time.look(thread);
    wait(2 * ms);
    time.sleep_until(begin + 2 * ms);
    EXPECT_NEAR(time.now(), begin + 2 * ms, few);
    EXPECT_NEAR(time.look(thread), begin + 2 * ms + clock_look, few) << "it counts once";
    time.sleep_until(begin);
    EXPECT_NEAR(time.now(), begin + 2 * ms + clock_look, few) << "never back";
}

}  // namespace
}  // namespace lockstep::session
