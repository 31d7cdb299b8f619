// What a program had its GPU do, and which calls of CUDA's API it made, in simulated time: what nvprof's
// traces and summary show. The run file keeps rows of the first of each name, and sums of all.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/result.h"
#include "timing/stream-operation.h"

namespace lockstep::report {

// A kernel, a copy or a fill.
struct Activity {
    std::string name;           // a kernel's; otherwise as nvprof has it, "[CUDA memcpy HtoD]"
    double begin = 0, end = 0;  // nanoseconds since the program's first call
    int device = 0;
    timing::StreamId stream = 0;
    std::uint64_t bytes = 0;     // of a copy or a fill
    std::string source, target;  // of a copy or a fill: "Pageable", "Pinned", "Device"; empty: none
    timing::OperationTrace trace;

    bool is_kernel() const { return trace.block[0] != 0; }
    double nanoseconds() const { return end - begin; }
};

struct ApiCall {
    std::string function;
    std::uint64_t number = 0;  // of the process's calls, from 1 on
    double begin = 0, end = 0;
    double nanoseconds() const { return end - begin; }
};

// All activities, or calls, of one name.
struct TimeTotal {
    std::string name;
    Aggregate time;          // nanoseconds
    std::uint64_t kept = 0;  // that have a row
};

// What a process has to write down.
struct TimeRecords {
    std::vector<Activity> activities;
    std::vector<ApiCall> calls;
    std::map<std::string, TimeTotal> activity_totals, call_totals;  // of those since the last time

    std::size_t rows() const { return activities.size() + calls.size(); }
};

// Nothing where an operation takes no time of the GPU's: events, host functions.
std::optional<Activity> activity_of(const timing::Placement& placement);

// As NVIDIA's tools number streams: 7 is the default stream, the first that a program makes 13.
std::uint64_t tool_stream(timing::StreamId stream);
timing::StreamId stream_of_tool(std::uint64_t number);

}  // namespace lockstep::report
