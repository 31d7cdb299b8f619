#include "session/command-clocks.h"

#include <algorithm>

namespace lockstep::session {

void join(Clock& clock, const Clock& other) {
    for (const auto& [stream, number] : other) {
        std::uint64_t& known = clock[stream];
        known = std::max(known, number);
    }
}

void CommandClocks::add_stream(StreamId stream, StreamId legacy, bool blocking) {
    streams_[stream] = {legacy, blocking, {}, {}, {}};
}

void CommandClocks::remove_stream(StreamId stream) {
    const auto it = streams_.find(stream);
    if (it == streams_.end()) return;
    Stream& legacy = streams_[it->second.legacy];
    join(it->second.blocking ? legacy.blocking_gone : legacy.gone, it->second.clock);
    streams_.erase(it);
}

Clock CommandClocks::with_blocking(StreamId legacy) const {
    const Stream& first = streams_.at(legacy);
    Clock clock = first.clock;
    join(clock, first.blocking_gone);
    for (const auto& [number, stream] : streams_)
        if (stream.legacy == legacy && stream.blocking) join(clock, stream.clock);
    return clock;
}

Stamp CommandClocks::submit(const CommandPlace& place) {
    Stream& stream = streams_.at(place.stream);
    Clock clock = host_;
    if (place.stream == stream.legacy) {
        join(clock, with_blocking(stream.legacy));
    } else {
        join(clock, stream.clock);
        if (stream.blocking) join(clock, streams_.at(stream.legacy).clock);
    }
    for (const EventId event : place.waits_for)
        if (const auto at = events_.find(event); at != events_.end()) join(clock, at->second);
    const std::uint64_t number = ++clock[place.stream];
    stream.clock = clock;
    for (const EventId event : place.records) events_[event] = clock;
    return {place.stream, number, std::move(clock)};
}

void CommandClocks::wait_for_stream(StreamId stream) {
    const auto it = streams_.find(stream);
    if (it == streams_.end()) return;
    join(host_, it->second.legacy == stream ? with_blocking(stream) : it->second.clock);
}

void CommandClocks::wait_for_device(StreamId legacy) {
    for (const auto& [number, stream] : streams_) {
        if (stream.legacy != legacy) continue;
        join(host_, stream.clock);
        join(host_, stream.blocking_gone);
        join(host_, stream.gone);
    }
}

void CommandClocks::wait_for_event(EventId event) {
    if (const auto at = events_.find(event); at != events_.end()) join(host_, at->second);
}

}  // namespace lockstep::session
