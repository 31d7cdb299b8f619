// A timeline of what a tool recorded of a real GPU: operations and the calls that submitted them.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "report/timeline-file.h"

namespace lockstep::measure {

class TraceTimeline {
  public:
    // `start`: of the first record. Nanoseconds since a machine's start, or since 1970, have more digits than
    // a double. `runtime`: what the names of the runtime's functions begin with, "cuda".
    TraceTimeline(report::TimelineInfo info, std::uint64_t start, std::string runtime)
        : start_(start), runtime_(std::move(runtime)) {
        timeline_.info = std::move(info);
    }

    struct Times {
        std::uint64_t begin = 0, end = 0;
    };
    // `call`: the number of the call that submitted it. What is returned holds until the next one is added.
    timing::Placement& add(timing::OperationKind kind, Times times, int device, timing::StreamId stream,
                           std::uint64_t call);
    // Of a kernel, whose shape is known by then.
    static void describe_kernel(timing::Placement& one, std::string name);
    void add_call(std::uint64_t number, Times times, std::string function);

    // `incomplete`: records are missing. Times are then nanoseconds since the first call that gives the GPU
    // something to do.
    report::Timeline finish(bool incomplete);

  private:
    struct Call {
        double begin = 0, end = 0;
        std::string function;
    };
    double since_start(std::uint64_t time) const { return static_cast<double>(time - start_); }

    report::Timeline timeline_;
    std::uint64_t start_;
    std::string runtime_;
    std::map<std::uint64_t, Call> calls_;  // by the tool's number for what belongs together
    std::map<timing::StreamId, int> streams_;
};

}  // namespace lockstep::measure
