#include "base/alarm.h"

#include <gtest/gtest.h>

#include <future>

namespace lockstep::base {
namespace {

TEST(Alarm, RingsWhenTheTimeIsUp) {
    std::promise<void> rang;
    const Alarm alarm(0.01, [&] { rang.set_value(); });
    EXPECT_EQ(rang.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
}

TEST(Alarm, ThatIsNotNeededAnyMoreDoesNotRing) {
    bool rang = false;
    {
        const Alarm alarm(1000, [&] { rang = true; });
    }
    {
        const Alarm never(0, [&] { rang = true; });
    }
    EXPECT_FALSE(rang);
}

}  // namespace
}  // namespace lockstep::base
