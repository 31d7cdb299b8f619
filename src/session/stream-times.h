// When what a program submits to its streams happens: CUDA's order (stream-order.h) says what each operation
// waits for, the timeline (timing/stream-timeline.h) what the GPU makes of that.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "session/stream-order.h"
#include "timing/stream-timeline.h"

namespace lockstep::session {

class StreamTimes {
  public:
    // The devices, by number; they must outlive it. It begins with the first one's legacy default stream,
    // timing::legacy_stream.
    StreamTimes(std::vector<const gpu::GpuModel*> gpus, int connections,
                timing::StreamTimeline::Watcher watcher);
    StreamTimes(const StreamTimes&) = delete;
    StreamTimes& operator=(const StreamTimes&) = delete;

    // `legacy`: the legacy default stream of its device; a device's first stream is that itself.
    void add_stream(StreamId stream, StreamId legacy, bool blocking, int priority, int device);
    void set_priority(StreamId stream, int priority) { timeline_.set_priority(stream, priority); }
    void remove_stream(StreamId stream);
    bool has_stream(StreamId stream) const { return timeline_.has_stream(stream); }
    void remove_event(EventId event);

    // The host's clock goes on by what the call takes.
    CommandId submit(timing::Operation operation);

    // A graph's launch: its steps, and of each the earlier ones that it waits for.
    struct Step {
        timing::Operation operation;
        std::vector<std::uint32_t> after;
    };
    void submit_graph(StreamId stream, std::vector<Step> steps);

    // The host computes.
    void host_works(double nanoseconds) { timeline_.host_works(nanoseconds); }
    // The host waits: a call that returns when the work is done.
    void wait_for_stream(StreamId stream);
    void wait_for_event(EventId event);
    void wait_for_device(StreamId legacy);
    // The host asks whether it is done, which takes a little time, so that a loop that asks again ends.
    bool query_stream(StreamId stream);
    bool query_event(EventId event);

    // When an event was last recorded; nothing: never, or that is still to come.
    std::optional<double> time_of(EventId event);

    // The program ends: what is still to be done is done.
    void finish() { timeline_.finish(); }

    double host_clock() const { return timeline_.host_clock(); }
    int hardware_queues(int device = 0) const { return timeline_.hardware_queues(device); }

  private:
    void ended(const timing::Placement& placement);

    StreamOrder order_;
    std::map<EventId, double> event_times_;
    std::map<CommandId, double> graph_begins_;
    CommandId last_ = 0;
    std::function<void(const timing::Placement&)> watcher_;
    timing::StreamTimeline timeline_;
};

}  // namespace lockstep::session
