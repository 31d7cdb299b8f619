#include "session/stream-order.h"

#include <algorithm>

namespace lockstep::session {

void StreamOrder::add_stream(StreamId stream, StreamId legacy, bool blocking) {
    streams_[stream] = {legacy, blocking, 0};
}

void StreamOrder::remove_stream(StreamId stream, bool work_left) {
    const auto it = streams_.find(stream);
    if (it == streams_.end()) return;
    if (work_left) orphans_[it->second.last] = it->second;
    streams_.erase(it);
}

void StreamOrder::remove_event(EventId event) { records_.erase(event); }

std::vector<CommandId> StreamOrder::submit(CommandId id, const CommandPlace& place) {
    Stream& stream = streams_.at(place.stream);
    std::vector<CommandId> waits;
    const auto add = [&](CommandId other) {
        if (other) waits.push_back(other);
    };
    add(stream.last);
    if (place.stream == stream.legacy)
        add_blocking(stream.legacy, waits);
    else if (stream.blocking)
        add(last(stream.legacy));
    for (const EventId event : place.waits_for) add(record_of(event));
    for (const EventId event : place.records) records_[event] = id;
    stream.last = id;
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    return waits;
}

CommandId StreamOrder::last(StreamId stream) const {
    const auto it = streams_.find(stream);
    return it == streams_.end() ? 0 : it->second.last;
}

void StreamOrder::add_blocking(StreamId legacy, std::vector<CommandId>& commands) const {
    for (const auto& [number, stream] : streams_)
        if (stream.legacy == legacy && number != legacy && stream.blocking && stream.last)
            commands.push_back(stream.last);
    for (const auto& [command, stream] : orphans_)
        if (stream.legacy == legacy && stream.blocking) commands.push_back(command);
}

std::vector<CommandId> StreamOrder::work_of(StreamId stream) const {
    std::vector<CommandId> commands = {last(stream)};
    const auto it = streams_.find(stream);
    if (it != streams_.end() && it->second.legacy == stream) add_blocking(stream, commands);
    return commands;
}

std::vector<CommandId> StreamOrder::work_of_device(StreamId legacy) const {
    std::vector<CommandId> all;
    for (const auto& [number, stream] : streams_)
        if (stream.legacy == legacy && stream.last) all.push_back(stream.last);
    for (const auto& [command, stream] : orphans_)
        if (stream.legacy == legacy) all.push_back(command);
    return all;
}

CommandId StreamOrder::record_of(EventId event) const {
    const auto it = records_.find(event);
    return it == records_.end() ? 0 : it->second;
}

void StreamOrder::finished(CommandId id) { orphans_.erase(id); }

}  // namespace lockstep::session
