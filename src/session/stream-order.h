// The order that CUDA asks for: which commands one has to wait for. Nothing here knows what they do, or when.
//
// Work of one stream is done in the order of submission. A device's legacy default stream waits for all work
// in its blocking streams, and they for it; non-blocking streams know nothing of it. A thread's default
// stream is a blocking stream like any other. A stream that waits for an event, of whichever device, waits
// for its last record at the time of the call.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::session {

using StreamId = std::uint64_t;
using EventId = std::uint64_t;
using CommandId = std::uint64_t;  // 1, 2, … in the order of submission

// Where a command stands: its stream, and the events that it records or waits for.
struct CommandPlace {
    StreamId stream = 0;
    std::vector<EventId> records{}, waits_for{};
};

class StreamOrder {
  public:
    // `legacy`: the legacy default stream of its device; a device's first stream is that itself.
    void add_stream(StreamId stream, StreamId legacy, bool blocking);
    // `work_left`: what was given to it last is still to be done.
    void remove_stream(StreamId stream, bool work_left);
    void remove_event(EventId event);

    // Appends a command; the result is what it has to wait for directly, ascending. A stream that was not
    // added is an error of the caller's.
    std::vector<CommandId> submit(CommandId id, const CommandPlace& place);

    // The last command in a stream; 0: none.
    CommandId last(StreamId stream) const;
    // What a wait for a stream waits for, and one for a whole device. Waiting for the legacy default stream
    // is waiting for the blocking ones too.
    std::vector<CommandId> work_of(StreamId stream) const;
    std::vector<CommandId> work_of_device(StreamId legacy) const;
    // An event is recorded by a part of a command that was submitted as a whole.
    void record(EventId event, CommandId id) { records_[event] = id; }
    // The command that last recorded an event; 0: none has.
    CommandId record_of(EventId event) const;

    // A command is done: nobody will have to wait for it any more.
    void finished(CommandId id);

  private:
    void add_blocking(StreamId legacy, std::vector<CommandId>& commands) const;

    struct Stream {
        StreamId legacy = 0;
        bool blocking = true;
        CommandId last = 0;
    };
    std::map<StreamId, Stream> streams_;
    std::map<CommandId, Stream> orphans_;  // last work of streams that were destroyed
    std::map<EventId, CommandId> records_;
};

}  // namespace lockstep::session
