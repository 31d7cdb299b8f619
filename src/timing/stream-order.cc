#include "timing/stream-order.h"

#include <algorithm>

namespace lockstep::timing {

void StreamOrder::add_stream(StreamId stream, bool blocking) { streams_[stream] = {blocking, 0}; }

void StreamOrder::remove_stream(StreamId stream) {
    const auto it = streams_.find(stream);
    if (it == streams_.end()) return;
    if (it->second.last) orphans_[it->second.last] = it->second.blocking;
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
    if (operation.stream == legacy_stream) {
        for (const auto& [number, other] : streams_)
            if (number != legacy_stream && other.blocking) add(other.last);
        for (const auto& [other, blocking] : orphans_)
            if (blocking) add(other);
    } else if (stream.blocking) {
        add(last(legacy_stream));
    }
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

std::vector<OperationId> StreamOrder::last_of_all() const {
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
