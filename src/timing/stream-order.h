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
    // `work_left`: what was given to it last is still to be done.
    void remove_stream(StreamId stream, bool work_left);
    void remove_event(EventId event);

    // Appends an operation; the result is what it has to wait for directly, ascending. A stream that was not
    // added is an error of the caller's.
    std::vector<OperationId> submit(OperationId id, const Operation& operation);

    // The last operation in a stream; 0: none.
    OperationId last(StreamId stream) const;
    // What a wait for a stream waits for, and one for the whole device. Waiting for the legacy default stream
    // is waiting for the blocking ones too.
    std::vector<OperationId> work_of(StreamId stream) const;
    std::vector<OperationId> all_work() const;
    // The operation that last recorded an event; 0: none has.
    OperationId record_of(EventId event) const;

    // An operation is done: nobody will have to wait for it any more.
    void finished(OperationId id);

  private:
    void add_blocking(std::vector<OperationId>& operations) const;

    struct Stream {
        bool blocking = true;
        OperationId last = 0;
    };
    std::map<StreamId, Stream> streams_{{legacy_stream, {}}};
    std::map<OperationId, bool> orphans_;  // last work of streams that were destroyed: whether blocking
    std::map<EventId, OperationId> records_;
};

}  // namespace lockstep::timing
