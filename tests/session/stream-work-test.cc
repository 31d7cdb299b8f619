#include "session/stream-work.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace lockstep::session {
namespace {

using timing::Operation;
using timing::OperationKind;

class Work : public testing::Test {
  protected:
    Work() {
        work.add_stream(blocking, true);
        work.add_stream(other, true);
        work.add_stream(free, false);
    }
    ~Work() override {
        open_gate();
        work.wait_for_all();
    }
    // A host function that ends when the gate is opened.
    void close_gate(timing::StreamId stream) {
        work.submit({OperationKind::host_function, stream}, [this] { gate.get_future().wait(); });
    }
    void open_gate() {
        if (!std::exchange(opened, true)) gate.set_value();
    }
    bool note(timing::StreamId stream, int number) {
        return work.submit({OperationKind::kernel, stream}, [this, number] {
            const std::lock_guard lock(mutex);
            log.push_back(number);
        });
    }
    bool mark(OperationKind kind, timing::StreamId stream) {
        Operation operation{kind, stream};
        operation.event = 1;
        return work.submit(operation, [] {});
    }

    static constexpr timing::StreamId blocking = 10, other = 11, free = 12;
    std::promise<void> gate;
    bool opened = false;
    std::mutex mutex;
    std::vector<int> log;
    StreamWork work;  // last: its thread uses the others
};

TEST_F(Work, IsDoneAtOnceWhereNothingIsWaitedFor) {
    EXPECT_TRUE(note(blocking, 1));
    EXPECT_TRUE(work.stream_is_done(blocking));
    EXPECT_TRUE(mark(OperationKind::event_record, blocking));
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
    EXPECT_FALSE(note(timing::legacy_stream, 1));
    EXPECT_FALSE(note(other, 2));
    EXPECT_TRUE(note(free, 3));
    EXPECT_FALSE(work.stream_is_done(timing::legacy_stream));
    open_gate();
    work.wait_for_stream(other);
    EXPECT_EQ(log, (std::vector<int>{3, 1, 2}));
}

TEST_F(Work, EventsCarryAWaitToAnotherStream) {
    close_gate(blocking);
    EXPECT_FALSE(mark(OperationKind::event_record, blocking));
    EXPECT_FALSE(work.event_is_done(1));
    EXPECT_FALSE(mark(OperationKind::event_wait, free));
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
    Operation copy{OperationKind::copy_to_host, blocking};
    copy.stops_host = true;
    int done = 0;
    EXPECT_TRUE(work.submit(copy, [&] { done = 1; }));
    EXPECT_EQ(done, 1);
    later.join();
}

TEST_F(Work, ADestroyedStreamsWorkIsStillDone) {
    close_gate(blocking);
    note(blocking, 1);
    work.remove_stream(blocking);
    EXPECT_FALSE(note(timing::legacy_stream, 2));
    open_gate();
    work.wait_for_all();
    EXPECT_EQ(log, (std::vector<int>{1, 2}));
}

TEST_F(Work, HostFunctionsRunOnOneThreadInOrder) {
    std::vector<std::thread::id> threads;
    for (int i = 0; i < 3; ++i)
        work.submit({OperationKind::host_function, i == 1 ? other : blocking},
                    [&] { threads.push_back(std::this_thread::get_id()); });
    work.wait_for_all();
    ASSERT_EQ(threads.size(), 3u);
    EXPECT_EQ(threads[0], threads[2]);
    EXPECT_NE(threads[0], std::this_thread::get_id());
}

}  // namespace
}  // namespace lockstep::session
