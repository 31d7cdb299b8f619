// A program that is told what to submit to its streams.
#pragma once
#include <map>
#include <string>

#include "session/stream-times.h"
#include "timing/models.h"

namespace lockstep::timing {

class Program {
  public:
    explicit Program(gpu::GpuModel model, int connections = default_connections)
        : gpu_(std::move(model)),
          timeline({&gpu_}, connections,
                   {[this](const Placement& placement) { placed[placement.id] = placement; },
                    [this](const HostCall& call) { calls.push_back(call); }}) {}

    StreamId stream(bool blocking = false, int priority = 0) {
        timeline.add_stream(next_, legacy_stream, blocking, priority, 0);
        return next_++;
    }
    // Of `us` alone, as a profiler counts it: with the overhead of starting and ending it.
    OperationId kernel(StreamId stream, double us, std::uint64_t blocks = 1, std::uint32_t resident = 8,
                       double dram = 0) {
        Operation operation{OperationKind::kernel, stream, "k"};
        operation.kernel = {(us + gpu_.timing.kernel_overhead_us) * 1000, blocks, resident, dram, 0};
        return timeline.submit(operation);
    }
    OperationId copy(OperationKind kind, StreamId stream, std::uint64_t bytes, bool pageable = false) {
        Operation operation{kind, stream};
        operation.bytes = bytes;
        operation.pageable = pageable;
        return timeline.submit(operation);
    }
    OperationId record(EventId event, StreamId stream) {
        Operation operation{OperationKind::event_record, stream};
        operation.event = event;
        return timeline.submit(operation);
    }
    OperationId wait(EventId event, StreamId stream) {
        Operation operation{OperationKind::event_wait, stream};
        operation.event = event;
        return timeline.submit(operation);
    }
    OperationId host_function(StreamId stream, double us) {
        Operation operation{OperationKind::host_function, stream};
        operation.nanoseconds = us * 1000;
        return timeline.submit(operation);
    }
    void finish() { timeline.wait_for_device(legacy_stream); }

    // Microseconds.
    double begin(OperationId id) const { return placed.at(id).begin / 1000; }
    double end(OperationId id) const { return placed.at(id).end / 1000; }
    double host() const { return timeline.host_clock() / 1000; }
    double length(OperationId id) const { return end(id) - begin(id); }
    // From the first kernel's begin to the last one's end.
    double total() const {
        double first = 1e300, last = 0;
        for (const auto& [id, placement] : placed) {
            first = std::min(first, placement.begin);
            last = std::max(last, placement.end);
        }
        return (last - first) / 1000;
    }
    bool overlap(OperationId a, OperationId b) const { return begin(a) < end(b) && begin(b) < end(a); }

  private:
    gpu::GpuModel gpu_;
    StreamId next_ = 10;

  public:
    std::map<OperationId, Placement> placed;
    std::vector<HostCall> calls;
    session::StreamTimes timeline;
};

}  // namespace lockstep::timing
