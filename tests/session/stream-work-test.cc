#include "session/stream-work.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace lockstep::session {
namespace {

class Work : public testing::Test {
  protected:
    Work()
        : work(
              [this](const Command& command, bool) {
                  if (const auto* function = command.as<HostFunction>()) {
                      function->call(nowhere());
                  } else if (const auto* one = command.as<Free>()) {
                      const std::lock_guard lock(mutex);
                      log.push_back(static_cast<int>(one->address));
                  }
                  return Done{};
              },
              [this](const Command& command, const Done&) {
                  const std::lock_guard lock(mutex);
                  if (const auto* one = command.as<Free>()) late.push_back(static_cast<int>(one->address));
              }) {
        work.add_stream(legacy, legacy, true);
        work.add_stream(blocking, legacy, true);
        work.add_stream(other, legacy, true);
        work.add_stream(free, legacy, false);
        work.add_stream(second_device, second_device, true);
    }
    ~Work() override {
        open_gate();
        work.wait_for_device(legacy);
    }
    // Host functions are given the device; these do not look at it.
    Device& nowhere() { return *reinterpret_cast<Device*>(this); }
    using Wait = StreamWork::Wait;
    bool submit(StreamId stream, decltype(Command::work) what, Wait wait = Wait::no) {
        return work.submit({nullptr, stream, std::move(what)}, wait).has_value();
    }
    // A host function that ends when the gate is opened.
    void close_gate(StreamId stream) {
        submit(stream, HostFunction{[this](Device&) { gate.get_future().wait(); }});
    }
    void open_gate() {
        if (!std::exchange(opened, true)) gate.set_value();
    }
    bool note(StreamId stream, std::uint64_t number, Wait wait = Wait::no) {
        return submit(stream, Free{number}, wait);
    }

    static constexpr StreamId legacy = first_legacy_stream, blocking = 10, other = 11, free = 12,
                              second_device = 20;
    std::promise<void> gate;
    bool opened = false;
    std::mutex mutex;
    std::vector<int> log, late;
    const std::shared_ptr<Event> event = std::make_shared<Event>(nullptr, 1, 0);
    StreamWork work;  // last: its thread uses the others
};

TEST_F(Work, IsDoneAtOnceWhereNothingIsWaitedFor) {
    EXPECT_TRUE(note(blocking, 1));
    EXPECT_TRUE(work.stream_is_done(blocking));
    EXPECT_TRUE(submit(blocking, EventRecord{event}));
    EXPECT_TRUE(work.event_is_done(1));
    EXPECT_EQ(log, std::vector<int>{1});
}

TEST_F(Work, BehindAHostFunctionItWaitsAndTheProgramGoesOn) {
    close_gate(blocking);
    EXPECT_FALSE(note(blocking, 1));
    EXPECT_FALSE(note(blocking, 2));
    EXPECT_TRUE(note(other, 3)) << "blocking streams do not wait for each other";
    EXPECT_TRUE(note(free, 4));
    EXPECT_FALSE(work.stream_is_done(blocking));
    EXPECT_TRUE(work.stream_is_done(free));
    open_gate();
    work.wait_for_stream(blocking);
    EXPECT_EQ(log, (std::vector<int>{3, 4, 1, 2}));
}

TEST_F(Work, LegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
    close_gate(blocking);
    EXPECT_FALSE(note(legacy, 1));
    EXPECT_FALSE(note(other, 2));
    EXPECT_TRUE(note(free, 3));
    EXPECT_FALSE(work.stream_is_done(legacy));
    open_gate();
    work.wait_for_stream(other);
    EXPECT_EQ(log, (std::vector<int>{3, 1, 2}));
}

TEST_F(Work, EventsCarryAWaitToAnotherStream) {
    close_gate(blocking);
    EXPECT_FALSE(submit(blocking, EventRecord{event}));
    EXPECT_FALSE(work.event_is_done(1));
    EXPECT_FALSE(submit(free, EventWait{event}));
    EXPECT_FALSE(note(free, 1));
    open_gate();
    work.wait_for_event(1);
    work.wait_for_stream(free);
    EXPECT_EQ(log, std::vector<int>{1});
}

TEST_F(Work, WhatStopsTheHostHasBeenDone) {
    close_gate(blocking);
    std::thread later([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        open_gate();
    });
    EXPECT_TRUE(note(blocking, 1, Wait::until_done));
    EXPECT_EQ(log, std::vector<int>{1});
    later.join();
}

// Who wants to know when it is done waits a while, and is told later where that was too short.
TEST_F(Work, WhatTakesLongerThanAWhileIsToldLate) {
    EXPECT_TRUE(note(blocking, 1, Wait::a_while));
    close_gate(blocking);
    EXPECT_FALSE(note(blocking, 2, Wait::a_while));
    std::thread later([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        open_gate();
    });
    EXPECT_TRUE(note(blocking, 3, Wait::until_done));
    later.join();
    EXPECT_EQ(log, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(late, std::vector<int>{2});
}

TEST_F(Work, ADestroyedStreamsWorkIsStillDone) {
    close_gate(blocking);
    note(blocking, 1);
    work.remove_stream(blocking);
    EXPECT_FALSE(note(legacy, 2));
    open_gate();
    work.wait_for_device(legacy);
    EXPECT_EQ(log, (std::vector<int>{1, 2}));
}

TEST_F(Work, HostFunctionsRunOnOneThreadInOrder) {
    std::vector<std::thread::id> threads;
    for (int i = 0; i < 3; ++i)
        submit(i == 1 ? other : blocking,
               HostFunction{[&](Device&) { threads.push_back(std::this_thread::get_id()); }});
    work.wait_for_device(legacy);
    ASSERT_EQ(threads.size(), 3u);
    EXPECT_EQ(threads[0], threads[2]);
    EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST_F(Work, DevicesHaveTheirOwnLegacyStreams) {
    close_gate(blocking);
    EXPECT_FALSE(note(legacy, 1));
    EXPECT_TRUE(note(second_device, 2)) << "what is submitted to one device does not wait for another";
    work.wait_for_device(second_device);
    EXPECT_FALSE(submit(blocking, EventRecord{event}));
    EXPECT_FALSE(submit(second_device, EventWait{event})) << "unless it waits for its event";
    EXPECT_FALSE(note(second_device, 3));
    open_gate();
    work.wait_for_device(second_device);
    work.wait_for_device(legacy);
    EXPECT_EQ(log.front(), 2);
    EXPECT_EQ(log.size(), 3u);
}

TEST_F(Work, ACommandCanBeSubmittedAgain) {
    const Command kept{nullptr, blocking, Free{7}};
    work.submit(kept, Wait::no);
    close_gate(blocking);
    work.submit(kept, Wait::no);
    open_gate();
    work.wait_for_stream(blocking);
    EXPECT_EQ(log, (std::vector<int>{7, 7}));
}

}  // namespace
}  // namespace lockstep::session
