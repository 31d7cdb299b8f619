#include "metrics/events.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::metrics {
namespace {

std::set<std::string> event_names(int capability) {
    std::set<std::string> names;
    for (const Event& event : events_of(capability))
        EXPECT_TRUE(names.insert(event.name).second) << event.name;
    return names;
}

TEST(Events, EachIsACountOfTheTable) {
    const auto all = select_events("all", 90);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->size(), events_of(90).size());
    for (const Selected& one : *all) {
        ASSERT_TRUE(one.metric) << one.name;
        EXPECT_TRUE(one.metric->unit == Unit::count || one.metric->unit == Unit::cycles) << one.name;
    }
}

TEST(Events, AreThoseOfTheGpu) {
    const auto fermi = event_names(20), kepler = event_names(35), pascal = event_names(61),
               volta = event_names(70);
    EXPECT_TRUE(fermi.contains("l1_shared_bank_conflict") && !kepler.contains("l1_shared_bank_conflict"));
    EXPECT_TRUE(kepler.contains("gld_request") && !pascal.contains("gld_request"));
    EXPECT_TRUE(pascal.contains("branch") && !volta.contains("branch"));
    EXPECT_TRUE(volta.contains("inst_issued1") && !pascal.contains("inst_issued1"));
    for (const auto& names : {fermi, kepler, pascal, volta}) EXPECT_TRUE(names.contains("active_warps"));
    // nvprof itself has none for these.
    for (const auto& names : {fermi, kepler, pascal, volta})
        for (const std::string& name : names) EXPECT_TRUE(event_names(90).contains(name)) << name;
}

TEST(Events, WrongOnesAreNamed) {
    const auto wrong = [](const char* list, int capability) {
        return select_events(list, capability).error().message;
    };
    EXPECT_EQ(wrong("branch,divergent_branches", 90),
              "lockstep counts no event divergent_branches; did you mean divergent_branch?");
    EXPECT_EQ(wrong("gld_efficiency", 90),
              "lockstep counts no event gld_efficiency, but a metric: --metrics has it");
    EXPECT_EQ(wrong("gld_request", 61),
              "there is no event gld_request on compute capability 6.1: GPUs of 2.0 to 3.7 have it");
    EXPECT_EQ(wrong(",", 90), "no event was named");
}

}  // namespace
}  // namespace lockstep::metrics
