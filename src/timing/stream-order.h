// The order that CUDA asks for: which operations one has to wait for. Nothing here knows of time.
//
// Work of one stream is done in the order of submission. The legacy default stream waits for all work in
// blocking streams, and they for it; non-blocking streams know nothing of it. A thread's default stream is a
// blocking stream like any other. A stream that waits for an event waits for its last record at the time of
// the call.
#pragma once
#include <map>
#include <vector>

#include "timing/stream-operation.h"

namespace lockstep::timing {

class StreamOrder {
  public:
    void add_stream(StreamId stream, bool blocking);
    // Work that was given to it stays.
    void remove_stream(StreamId stream);
    void remove_event(EventId event);

    // Appends an operation; the result is what it has to wait for directly, ascending. A stream that was not
    // added is an error of the caller's.
    std::vector<OperationId> submit(OperationId id, const Operation& operation);

    // The last operation in a stream, and what a wait for the whole device waits for; 0: none.
    OperationId last(StreamId stream) const;
    std::vector<OperationId> last_of_all() const;
    // The operation that last recorded an event; 0: none has.
    OperationId record_of(EventId event) const;

    // An operation is done: nobody will have to wait for it any more.
    void finished(OperationId id);

  private:
    struct Stream {
        bool blocking = true;
        OperationId last = 0;
    };
    std::map<StreamId, Stream> streams_{{legacy_stream, {}}};
    std::map<OperationId, bool> orphans_;  // last work of streams that were destroyed: whether blocking
    std::map<EventId, OperationId> records_;
};

}  // namespace lockstep::timing
