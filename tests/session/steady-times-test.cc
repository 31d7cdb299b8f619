#include "session/steady-times.h"

#include <gtest/gtest.h>

#include "timing/fit.h"

namespace lockstep::session {
namespace {

using timing::fit::most_unwatched;
using timing::fit::steady_launches;

LaunchShape steady_shape(unsigned blocks) {
    LaunchShape shape;
    shape.grid.x = blocks;
    return shape;
}

class Steady : public testing::Test {
  protected:
    // Whether it was watched.
    bool launch(double nanoseconds, unsigned blocks = 8) {
        if (const timing::Prediction* expected = times.expected(steady_shape(blocks))) {
            told = expected->nanoseconds;
            return false;
        }
        timing::Prediction prediction;
        prediction.nanoseconds = told = nanoseconds;
        times.watched(steady_shape(blocks), prediction);
        return true;
    }
    int watched_of(int launches, double nanoseconds) {
        int watched = 0;
        for (int i = 0; i < launches; ++i) watched += launch(nanoseconds);
        return watched;
    }
    SteadyTimes times;
    double told = 0;
};

TEST_F(Steady, TheFirstLaunchesAreAllWatched) {
    EXPECT_EQ(watched_of(steady_launches, 1000), steady_launches);
    EXPECT_FALSE(launch(1000));
    EXPECT_EQ(told, 1000);
}

TEST_F(Steady, FewAreWatchedOfManyThatTakeTheSame) {
    EXPECT_LT(watched_of(1000, 1000), steady_launches + 8 + 1000 / most_unwatched);
}

TEST_F(Steady, AnotherTimeIsNoticed) {
    watched_of(20, 1000);
    int launches = 1;
    while (!launch(2000)) ++launches;
    EXPECT_LE(launches, most_unwatched + 1);
    EXPECT_EQ(watched_of(steady_launches - 1, 2000), steady_launches - 1) << "all are watched again";
    EXPECT_FALSE(launch(2000));
    EXPECT_EQ(told, 2000);
}

TEST_F(Steady, EveryShapeIsAnotherLaunch) {
    watched_of(100, 1000);
    EXPECT_TRUE(launch(5000, 9));
}

TEST_F(Steady, ATimeThatVariesIsNeverTakenForGranted) {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(launch(1000 + 100 * (i % 2)));
}

}  // namespace
}  // namespace lockstep::session
