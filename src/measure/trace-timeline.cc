#include "measure/trace-timeline.h"

#include <algorithm>
#include <set>

namespace lockstep::measure {
namespace {

using timing::OperationKind;

timing::Engine engine_of(OperationKind kind) {
    switch (kind) {
        case OperationKind::copy_to_device: return timing::Engine::copy_to_device;
        case OperationKind::copy_to_host: return timing::Engine::copy_to_host;
        case OperationKind::copy_on_host: return timing::Engine::host;
        default: return timing::Engine::sms;
    }
}

}  // namespace

timing::Placement& TraceTimeline::add(OperationKind kind, Times times, int device, timing::StreamId stream,
                                      std::uint64_t call) {
    timing::Placement one;
    one.operation.kind = kind;
    one.begin = since_start(times.begin);
    one.end = since_start(times.end);
    one.device = device;
    one.operation.stream = stream;
    one.operation.trace.emplace().call = call;
    one.engine = engine_of(kind);
    streams_.try_emplace(stream, device);
    return timeline_.operations.emplace_back(std::move(one));
}

void TraceTimeline::describe_kernel(timing::Placement& one, std::string name) {
    const timing::OperationTrace& trace = *one.operation.trace;
    one.operation.name = std::move(name);
    one.operation.kernel.nanoseconds = one.end - one.begin;
    one.operation.kernel.blocks = std::uint64_t{trace.grid[0]} * trace.grid[1] * trace.grid[2];
}

void TraceTimeline::add_call(std::uint64_t number, Times times, std::string function) {
    calls_[number] = {since_start(times.begin), since_start(times.end), std::move(function)};
}

report::Timeline TraceTimeline::finish(bool incomplete) {
    auto& operations = timeline_.operations;
    std::stable_sort(operations.begin(), operations.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::set<std::uint64_t> submitting;
    double start = operations.empty() ? 0 : operations.front().begin;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        timing::Placement& one = operations[i];
        one.id = i + 1;
        const std::uint64_t call = one.operation.trace->call;
        submitting.insert(call);
        if (const auto found = calls_.find(call); found != calls_.end())
            one.submitted = found->second.begin, one.returned = found->second.end;
        else
            one.submitted = one.returned = one.begin;
        start = std::min(start, one.submitted);
    }
    // What comes before is the runtime's own begin, which takes longer than all the rest of a small program.
    for (timing::Placement& one : operations) {
        for (double* time : {&one.submitted, &one.returned, &one.begin, &one.end}) *time -= start;
        one.ready = one.begin;
    }
    // The runtime's calls; the driver's are those that the runtime makes, unless there are no others.
    const auto of_runtime = [&](const auto& call) { return call.second.function.starts_with(runtime_); };
    const bool runtime = std::ranges::any_of(calls_, of_runtime);
    for (const auto& call : calls_)
        if (!submitting.contains(call.first) && of_runtime(call) == runtime && call.second.begin >= start)
            timeline_.host_calls.push_back(
                {call.second.function, call.second.begin - start, call.second.end - start});
    for (const auto& [id, device] : streams_)
        timeline_.streams.push_back({.id = id, .device = device, .legacy = id == timing::legacy_stream});
    timeline_.incomplete = incomplete;
    return std::move(timeline_);
}

}  // namespace lockstep::measure
