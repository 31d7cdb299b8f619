#include "session/activity-log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/run-schema.h"

namespace lockstep::session {
namespace {

timing::Placement placed(ActivityLog& log, timing::OperationKind kind, double begin, double end) {
    timing::Placement placement;
    placement.operation.kind = kind;
    placement.operation.name = "k()";
    placement.operation.trace = log.trace();
    placement.begin = begin;
    placement.end = end;
    return placement;
}

TEST(ActivityLog, NotesOuterCallsAndWhatTheySubmit) {
    ActivityLog log(true);
    log.begin_call("cuLaunchKernel_ptsz", 10);
    log.begin_call("cudaLaunchKernel", 10);
    const auto kernel = placed(log, timing::OperationKind::kernel, 20, 50);
    EXPECT_FALSE(log.end_call(15));
    EXPECT_FALSE(log.end_call(15));
    log.add(kernel);
    log.add(placed(log, timing::OperationKind::event_record, 50, 50));
    const report::TimeRecords records = log.take();
    ASSERT_EQ(records.calls.size(), 1u);
    EXPECT_EQ(records.calls[0].function, "cuLaunchKernel");
    EXPECT_EQ(records.calls[0].nanoseconds(), 5);
    ASSERT_EQ(records.activities.size(), 1u);
    EXPECT_EQ(records.activities[0].trace.call, records.calls[0].number);
    EXPECT_EQ(records.activity_totals.at("k()").time.sum, 30);
    EXPECT_EQ(log.take().rows(), 0u);
}

TEST(ActivityLog, NotesNothingWhileItIsNotActive) {
    ActivityLog log(false);
    log.begin_call("cudaMemcpy", 0);
    log.add(placed(log, timing::OperationKind::copy_to_device, 0, 1));
    log.set_active(true);  // by this call itself
    log.end_call(1);
    EXPECT_EQ(log.take().rows(), 0u);
    log.begin_call("cudaMemcpy", 2);
    log.end_call(3);
    EXPECT_EQ(log.take().calls.size(), 1u);
}

TEST(ActivityLog, KeepsRowsOfTheFirstAndSumsOfAll) {
    ActivityLog log(true);
    bool full = false;
    for (int i = 0; i < report::most_launch_rows + 10; ++i) {
        log.begin_call("cudaMalloc", i);
        full |= log.end_call(i + 1);
    }
    EXPECT_TRUE(full);
    const report::TimeRecords records = log.take();
    EXPECT_EQ(records.calls.size(), static_cast<std::size_t>(report::most_launch_rows));
    EXPECT_EQ(records.call_totals.at("cudaMalloc").time.count,
              static_cast<std::uint64_t>(report::most_launch_rows) + 10);
    EXPECT_EQ(records.call_totals.at("cudaMalloc").kept,
              static_cast<std::uint64_t>(report::most_launch_rows));
}

TEST(ActivityLog, AForkedProcessHasItsOwn) {
    ActivityLog log(true);
    log.begin_call("cudaMalloc", 0);
    log.end_call(1);
    const pid_t child = fork();
    if (child == 0) _exit(static_cast<int>(log.take().rows()));
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(log.take().rows(), 1u);
}

}  // namespace
}  // namespace lockstep::session
