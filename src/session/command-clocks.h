// Which of a program's commands are ordered, and which may run at once on a GPU: happens-before over streams,
// events and what the host waits for, by vector clocks. A clock counts each stream's commands. The order is
// that of StreamOrder; but where that forgets what has been done, which here is all, this keeps it.
//
// All threads of the host are one here: how they wait for each other cannot be seen.
#pragma once
#include <cstdint>
#include <map>

#include "session/stream-order.h"

namespace lockstep::session {

// How many commands of each stream are known to be done.
using Clock = std::map<StreamId, std::uint64_t>;
void join(Clock& clock, const Clock& other);

// A command's place in the order: what is done before it, and which of its stream's commands it is.
struct Stamp {
    StreamId stream = 0;
    std::uint64_t number = 0;
    Clock clock;  // itself included
    bool is_before(const Clock& later) const {
        const auto at = later.find(stream);
        return at != later.end() && number <= at->second;
    }
};

class CommandClocks {
  public:
    // As StreamOrder's.
    void add_stream(StreamId stream, StreamId legacy, bool blocking);
    void remove_stream(StreamId stream);

    Stamp submit(const CommandPlace& place);

    // The host has waited.
    void wait_for_stream(StreamId stream);
    void wait_for_device(StreamId legacy);
    void wait_for_event(EventId event);
    void wait_for(const Stamp& command) { join(host_, command.clock); }

    // What the host knows to be done: everything that is submitted from now on comes after it.
    const Clock& host() const { return host_; }

  private:
    struct Stream {
        StreamId legacy = 0;
        bool blocking = true;
        Clock clock;                // of its last command
        Clock blocking_gone, gone;  // of a device's legacy stream: of streams that were destroyed
    };
    Clock with_blocking(StreamId legacy) const;

    std::map<StreamId, Stream> streams_;
    std::map<EventId, Clock> events_;
    Clock host_;
};

}  // namespace lockstep::session
