#include "session/stream-times.h"

#include <algorithm>
#include <utility>

namespace lockstep::session {

using timing::OperationKind;

StreamTimes::StreamTimes(std::vector<const gpu::GpuModel*> gpus, int connections,
                         timing::StreamTimeline::Watcher watcher)
    : watcher_(std::move(watcher.ended)),
      timeline_(
          std::move(gpus), connections,
          {[this](const timing::Placement& placement) { ended(placement); }, std::move(watcher.called)}) {
    add_stream(timing::legacy_stream, timing::legacy_stream, true, 0, 0);
}

void StreamTimes::add_stream(StreamId stream, StreamId legacy, bool blocking, int priority, int device) {
    order_.add_stream(stream, legacy, blocking);
    timeline_.add_stream(stream, priority, device);
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
    if (operation.kind == OperationKind::event_record) place.records = {operation.event};
    if (operation.kind == OperationKind::event_wait) place.waits_for = {operation.event};
    timeline_.submit(id, std::move(operation), order_.submit(id, place));
    return id;
}

void StreamTimes::submit_graph(StreamId stream, std::vector<Step> steps) {
    timing::Operation begin{OperationKind::graph_begin, stream};
    std::vector<bool> waited(steps.size());
    for (const Step& step : steps) {
        begin.nodes += step.operation.kind != OperationKind::graph_step;
        for (const std::uint32_t other : step.after) waited[other] = true;
    }
    begin.branches = static_cast<std::uint64_t>(std::count(waited.begin(), waited.end(), false));
    const CommandId first = submit(begin);
    std::vector<CommandId> ids;
    for (Step& step : steps) {
        std::vector<CommandId> waits;
        for (const std::uint32_t other : step.after) waits.push_back(ids[other]);
        if (waits.empty()) waits.push_back(first);
        const CommandId id = ++last_;
        step.operation.stream = stream;
        step.operation.graph = first;
        if (step.operation.kind == OperationKind::event_wait)
            waits.push_back(order_.record_of(step.operation.event));
        if (step.operation.kind == OperationKind::event_record) order_.record(step.operation.event, id);
        timeline_.submit(id, std::move(step.operation), waits);
        ids.push_back(id);
    }
    timing::Operation all{OperationKind::graph, stream};
    all.graph = first;
    all.nodes = begin.nodes;
    const CommandId id = ++last_;
    std::vector<CommandId> waits = order_.submit(id, {stream});
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (!waited[i]) waits.push_back(ids[i]);
    timeline_.submit(id, std::move(all), waits);
}

void StreamTimes::ended(const timing::Placement& placement) {
    order_.finished(placement.id);
    const timing::Operation& operation = placement.operation;
    if (operation.kind == OperationKind::event_record && order_.record_of(operation.event) == placement.id)
        event_times_[operation.event] = placement.end;
    if (operation.kind == OperationKind::graph_begin) graph_begins_[placement.id] = placement.begin;
    if (!watcher_) return;
    if (operation.kind != OperationKind::graph) return watcher_(placement);
    timing::Placement whole = placement;
    const auto begun = graph_begins_.extract(operation.graph);
    whole.begin = begun.mapped();
    watcher_(whole);
}

void StreamTimes::wait_for_stream(StreamId stream) {
    timeline_.wait_for("wait for a stream", order_.work_of(stream));
}

void StreamTimes::wait_for_event(EventId event) {
    timeline_.wait_for("wait for an event", {order_.record_of(event)});
}

void StreamTimes::wait_for_device(StreamId legacy) {
    timeline_.wait_for("wait for the device", order_.work_of_device(legacy));
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
