#include "session/errors.h"

#include <gtest/gtest.h>

#include "session/registry.h"
#include "session/streams.h"

namespace lockstep::session {
namespace {

TEST(DeviceErrors, AFaultShowsWhenSomebodyWaits) {
    DeviceErrors errors;
    EXPECT_EQ(errors.at_call(true), Status::success);
    errors.fault(Status::illegal_address);
    errors.fault(Status::launch_timeout);
    EXPECT_TRUE(errors.faulted());
    EXPECT_EQ(errors.at_call(false), Status::success);
    EXPECT_EQ(errors.sticky(), Status::success);
    EXPECT_EQ(errors.at_call(true), Status::illegal_address) << "the first fault counts";
    EXPECT_EQ(errors.at_call(false), Status::illegal_address);
    errors.clear();
    EXPECT_EQ(errors.at_call(true), Status::success);
    EXPECT_FALSE(errors.faulted());
}

TEST(Handles, KnowTheirOwn) {
    Handles<Event> events;
    Event* event = events.create(nullptr, EventId{1}, 0u);
    int other = 0;
    EXPECT_EQ(events.find(event).get(), event);
    EXPECT_EQ(events.find(&other), nullptr);
    EXPECT_TRUE(events.destroy(event));
    EXPECT_FALSE(events.destroy(event));
}

TEST(Registry, FindsTheImageOfASymbol) {
    Registry registry;
    int stub = 0, shadow = 0, data = 0;
    Image* first = registry.add_image(&data);
    Image* second = registry.add_image(&data);
    second->functions[&stub] = "kernel";
    RegisteredVariable variable;
    variable.host = &shadow;
    first->variables.push_back(variable);
    EXPECT_EQ(registry.image_of_function(&stub), second);
    EXPECT_EQ(registry.image_of_function(&shadow), nullptr);
    EXPECT_EQ(registry.image_of_variable(&shadow), first);
    registry.remove_image(second);
    EXPECT_EQ(registry.image_of_function(&stub), nullptr);
    const auto address = reinterpret_cast<std::uint64_t>(&shadow);
    registry.add_managed_range(address, address + sizeof shadow);
    EXPECT_TRUE(registry.in_managed_range(&shadow));
    EXPECT_FALSE(registry.in_managed_range(&shadow + 1));
}

}  // namespace
}  // namespace lockstep::session
