#include "timing/stream-order.h"

#include <algorithm>

namespace lockstep::timing {

void StreamOrder::add_stream(StreamId stream, bool blocking) { streams_[stream] = {blocking, 0}; }

void StreamOrder::remove_stream(StreamId stream, bool work_left) {
    const auto it = streams_.find(stream);
    if (it == streams_.end()) return;
    if (work_left) orphans_[it->second.last] = it->second.blocking;
    streams_.erase(it);
}

void StreamOrder::remove_event(EventId event) { records_.erase(event); }

std::vector<OperationId> StreamOrder::submit(OperationId id, const Operation& operation) {
    Stream& stream = streams_.at(operation.stream);
    std::vector<OperationId> waits;
    const auto add = [&](OperationId other) {
        if (other) waits.push_back(other);
    };
    add(stream.last);
    if (operation.stream == legacy_stream)
        add_blocking(waits);
    else if (stream.blocking)
        add(last(legacy_stream));
    if (operation.kind == OperationKind::event_wait) add(record_of(operation.event));
    if (operation.kind == OperationKind::event_record) records_[operation.event] = id;
    stream.last = id;
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    return waits;
}

OperationId StreamOrder::last(StreamId stream) const {
    const auto it = streams_.find(stream);
    return it == streams_.end() ? 0 : it->second.last;
}

void StreamOrder::add_blocking(std::vector<OperationId>& operations) const {
    for (const auto& [number, stream] : streams_)
        if (number != legacy_stream && stream.blocking && stream.last) operations.push_back(stream.last);
    for (const auto& [operation, blocking] : orphans_)
        if (blocking) operations.push_back(operation);
}

std::vector<OperationId> StreamOrder::work_of(StreamId stream) const {
    std::vector<OperationId> operations = {last(stream)};
    if (stream == legacy_stream) add_blocking(operations);
    return operations;
}

std::vector<OperationId> StreamOrder::all_work() const {
    std::vector<OperationId> all;
    for (const auto& [number, stream] : streams_)
        if (stream.last) all.push_back(stream.last);
    for (const auto& [operation, blocking] : orphans_) all.push_back(operation);
    return all;
}

OperationId StreamOrder::record_of(EventId event) const {
    const auto it = records_.find(event);
    return it == records_.end() ? 0 : it->second;
}

void StreamOrder::finished(OperationId id) { orphans_.erase(id); }

}  // namespace lockstep::timing
