// What has to wait for what, and when that is.
#include <gtest/gtest.h>

#include "timing/stream-machine.h"

namespace lockstep::timing {
namespace {

TEST(StreamTimes, OneStreamIsInOrder) {
    Program program(h200());
    const StreamId stream = program.stream();
    const OperationId first = program.kernel(stream, 50);
    const OperationId copy = program.copy(OperationKind::copy_to_host, stream, 1 << 20);
    const OperationId last = program.kernel(stream, 50);
    program.finish();
    EXPECT_EQ(program.begin(copy), program.end(first));
    EXPECT_EQ(program.begin(last), program.end(copy));
    EXPECT_EQ(program.placed[last].waits_for, std::vector<OperationId>{copy});
}

TEST(StreamTimes, LegacyDefaultStreamIsABarrierForBlockingStreams) {
    Program program(h200());
    const StreamId blocking = program.stream(true), other = program.stream(true),
                   free = program.stream(false);
    const OperationId before = program.kernel(blocking, 100), beside = program.kernel(free, 400);
    const OperationId legacy = program.kernel(legacy_stream, 100);
    const OperationId after = program.kernel(other, 100), also_beside = program.kernel(free, 10);
    program.finish();
    EXPECT_EQ(program.begin(legacy), program.end(before));
    EXPECT_EQ(program.begin(after), program.end(legacy));
    EXPECT_TRUE(program.overlap(beside, before));
    EXPECT_TRUE(program.overlap(beside, legacy));
    EXPECT_EQ(program.begin(also_beside), program.end(beside)) << "only its own stream holds it up";
}

TEST(StreamTimes, BlockingStreamsDoNotWaitForEachOther) {
    Program program(h200());
    const OperationId a = program.kernel(program.stream(true), 100),
                      b = program.kernel(program.stream(true), 100);
    program.finish();
    EXPECT_TRUE(program.overlap(a, b));
}

TEST(StreamTimes, LegacyStreamWaitsForADestroyedStreamsWork) {
    Program program(h200());
    const StreamId stream = program.stream(true);
    const OperationId work = program.kernel(stream, 100);
    program.timeline.remove_stream(stream);
    const OperationId legacy = program.kernel(legacy_stream, 10);
    program.finish();
    EXPECT_EQ(program.begin(legacy), program.end(work));
}

TEST(StreamTimes, AStreamWaitsForAnEventOfAnother) {
    Program program(h200());
    const StreamId a = program.stream(), b = program.stream();
    const OperationId work = program.kernel(a, 100);
    const OperationId record = program.record(7, a);
    const OperationId later = program.kernel(a, 500);
    const OperationId wait = program.wait(7, b);
    const OperationId dependent = program.kernel(b, 10);
    program.finish();
    EXPECT_EQ(program.end(record), program.end(work));
    EXPECT_EQ(program.end(wait), program.end(record));
    EXPECT_EQ(program.begin(dependent), program.end(work));
    EXPECT_TRUE(program.overlap(dependent, later)) << "not for what came after the record";
    EXPECT_EQ(program.placed[wait].waits_for, std::vector<OperationId>{record});
}

TEST(StreamTimes, AWaitIsForTheLastRecordAtTheTimeOfTheCall) {
    Program program(h200());
    const StreamId a = program.stream(), b = program.stream();
    program.wait(7, b);  // never recorded: no wait
    const OperationId free = program.kernel(b, 10);
    const OperationId work = program.kernel(a, 100);
    program.record(7, a);
    program.wait(7, b);
    program.kernel(a, 1000);
    program.record(7, a);
    const OperationId dependent = program.kernel(b, 10);
    program.finish();
    EXPECT_LT(program.begin(free), program.end(work));
    EXPECT_EQ(program.begin(dependent), program.end(work));
}

TEST(StreamTimes, EventsTellTheTimeBetweenThem) {
    Program program(h200());
    const StreamId stream = program.stream();
    program.record(1, stream);
    program.kernel(stream, 1000);
    program.record(2, stream);
    EXPECT_EQ(program.timeline.time_of(2), std::nullopt) << "the GPU has not got there";
    EXPECT_FALSE(program.timeline.query_event(2));
    program.timeline.wait_for_event(2);
    EXPECT_TRUE(program.timeline.query_event(2));
    EXPECT_EQ(program.timeline.time_of(3), std::nullopt);
    const double elapsed = *program.timeline.time_of(2) - *program.timeline.time_of(1);
    // The kernel, and the calls until it was launched: the H200 measured 6 us around an empty one.
    EXPECT_NEAR(elapsed / 1000, 1000 + h200().timing.kernel_overhead_us + 1.3, 0.01);
    program.record(2, stream);
    EXPECT_EQ(program.timeline.time_of(2), std::nullopt) << "recorded anew, and not yet there";
}

TEST(StreamTimes, AskingAgainAndAgainEnds) {
    Program program(h200());
    const StreamId stream = program.stream();
    const OperationId kernel = program.kernel(stream, 1000);
    int asked = 0;
    while (!program.timeline.query_stream(stream)) ++asked;
    EXPECT_NEAR(asked, 1000 / 0.4, 50);
    EXPECT_GE(program.host(), program.end(kernel));
    EXPECT_EQ(program.calls.size(), static_cast<std::size_t>(asked) + 1);
}

TEST(StreamTimes, WaitingForOneStreamLeavesTheOthers) {
    Program program(h200());
    const StreamId a = program.stream(), b = program.stream();
    const OperationId quick = program.kernel(a, 10);
    program.kernel(b, 10000);
    program.timeline.wait_for_stream(a);
    EXPECT_EQ(program.host(), program.end(quick));
    EXPECT_FALSE(program.timeline.query_stream(b));
}

// Nodes run together unless one waits for the other; what follows in the stream waits for all of them.
TEST(StreamTimes, AGraphIsOneInItsStream) {
    Program program(h200());
    const StreamId stream = program.stream();
    const auto node = [&](std::vector<std::uint32_t> after) {
        Operation operation{OperationKind::kernel, stream, "k"};
        operation.kernel = {50e3, 1, 8, 0, 0};
        return session::StreamTimes::Step{operation, std::move(after)};
    };
    program.timeline.submit_graph(stream, {node({}), node({}), node({0, 1})});
    const double launched = program.host();
    const OperationId next = program.kernel(stream, 10);
    program.finish();
    // Its begin is the first operation, its nodes the next ones, and all of it the one after them.
    const OperationId begin = next - 5;
    EXPECT_NEAR(program.begin(begin + 1), program.begin(begin + 2), 0.01);
    EXPECT_GE(program.begin(begin + 3), program.end(begin + 2));
    EXPECT_EQ(program.placed.at(begin + 4).operation.kind, OperationKind::graph);
    EXPECT_EQ(program.placed.at(begin + 4).operation.nodes, 3u);
    EXPECT_NEAR(program.length(begin + 4), 100, 1);
    EXPECT_GE(program.begin(next), program.end(begin + 4));
    // One call, and cheaper than one launch.
    EXPECT_LT(launched, h200().timing.launch_call_us);
}

TEST(StreamTimes, HostFunctionsRunOneAfterTheOther) {
    Program program(h200());
    const StreamId a = program.stream(), b = program.stream();
    const OperationId kernel = program.kernel(a, 100);
    const OperationId first = program.host_function(a, 50), second = program.host_function(b, 50);
    const OperationId after = program.kernel(a, 10);
    program.finish();
    EXPECT_EQ(program.begin(second), program.placed[second].ready / 1000)
        << "not behind one that still waits";
    EXPECT_EQ(program.begin(first), program.end(kernel));
    EXPECT_EQ(program.begin(after), program.end(first));
    EXPECT_EQ(program.placed[first].engine, Engine::host);
}

TEST(StreamTimes, HostWorkMovesTheClock) {
    Program program(h200());
    const StreamId stream = program.stream();
    program.timeline.host_works(5000);
    const OperationId kernel = program.kernel(stream, 10);
    program.finish();
    EXPECT_NEAR(program.begin(kernel), 5 + h200().timing.launch_latency_us, 1e-6);
}

}  // namespace
}  // namespace lockstep::timing
