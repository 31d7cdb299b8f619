#include "session/stream-times.h"

#include <utility>

namespace lockstep::session {

using timing::OperationKind;

StreamTimes::StreamTimes(const gpu::GpuModel& gpu, int connections, timing::StreamTimeline::Watcher watcher)
    : watcher_(std::move(watcher.ended)),
      timeline_(
          gpu, connections,
          {[this](const timing::Placement& placement) { ended(placement); }, std::move(watcher.called)}) {
    add_stream(timing::legacy_stream, true, 0);
}

void StreamTimes::add_stream(StreamId stream, bool blocking, int priority) {
    order_.add_stream(stream, timing::legacy_stream, blocking);
    timeline_.add_stream(stream, priority);
}

void StreamTimes::remove_stream(StreamId stream) {
    order_.remove_stream(stream, !timeline_.is_done(order_.last(stream)));
    timeline_.remove_stream(stream);
}

void StreamTimes::remove_event(EventId event) {
    order_.remove_event(event);
    event_times_.erase(event);
}

CommandId StreamTimes::submit(timing::Operation operation) {
    const CommandId id = ++last_;
    CommandPlace place{operation.stream};
    if (operation.kind == OperationKind::event_record) place.records = operation.event;
    if (operation.kind == OperationKind::event_wait) place.waits_for = operation.event;
    timeline_.submit(id, std::move(operation), order_.submit(id, place));
    return id;
}

void StreamTimes::ended(const timing::Placement& placement) {
    order_.finished(placement.id);
    const timing::Operation& operation = placement.operation;
    if (operation.kind == OperationKind::event_record && order_.record_of(operation.event) == placement.id)
        event_times_[operation.event] = placement.end;
    if (watcher_) watcher_(placement);
}

void StreamTimes::wait_for_stream(StreamId stream) {
    timeline_.wait_for("wait for a stream", order_.work_of(stream));
}

void StreamTimes::wait_for_event(EventId event) {
    timeline_.wait_for("wait for an event", {order_.record_of(event)});
}

void StreamTimes::wait_for_device() {
    timeline_.wait_for("wait for the device", order_.work_of_device(timing::legacy_stream));
}

bool StreamTimes::query_stream(StreamId stream) {
    return timeline_.query("query a stream", order_.work_of(stream));
}

bool StreamTimes::query_event(EventId event) {
    return timeline_.query("query an event", {order_.record_of(event)});
}

std::optional<double> StreamTimes::time_of(EventId event) {
    timeline_.catch_up();
    const auto it = event_times_.find(event);
    if (it == event_times_.end() || !timeline_.is_done(order_.record_of(event))) return std::nullopt;
    return it->second;
}

}  // namespace lockstep::session
