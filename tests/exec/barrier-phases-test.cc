#include "exec/barrier-phases.h"

#include <gtest/gtest.h>

namespace lockstep::exec {
namespace {

TEST(BarrierPhases, ArrivalsBelongToThePhaseThatTheyEnd) {
    BarrierPhases phases;
    phases.init(64);
    const std::uint32_t first = phases.arrive(64, false);
    EXPECT_EQ(phases.ended(64), 0u);
    EXPECT_EQ(phases.arrive(64, true), first);  // the last one: the parity has changed
    EXPECT_EQ(phases.ended(64), first);
    const std::uint32_t second = phases.arrive(64, true);
    EXPECT_NE(second, first);
    EXPECT_EQ(phases.arrive(64, false), second);
    EXPECT_EQ(phases.ended(64), second);
}

TEST(BarrierPhases, EachBarrierHasItsOwn) {
    BarrierPhases phases;
    phases.init(64), phases.init(72);
    EXPECT_NE(phases.arrive(64, true), phases.arrive(72, false));
    EXPECT_NE(phases.ended(64), 0u);
    EXPECT_EQ(phases.ended(72), 0u);
    phases.init(64);  // made anew: what ended before is forgotten
    EXPECT_EQ(phases.ended(64), 0u);
    EXPECT_EQ(phases.ended(80), 0u);
}

}  // namespace
}  // namespace lockstep::exec
