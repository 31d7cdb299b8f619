#include "runtime/call.h"
#include "runtime/per-thread.h"
#include "session/checker.h"

using namespace lockstep::runtime;
using Event = std::shared_ptr<lockstep::session::Event>;

namespace {

template <class Body>
cudaError_t with_event(const char* name, Waits waits, cudaEvent_t handle, Body&& body) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto event = current.process().find_event(handle);
        if (!event) {
            note_unknown(handle);
            return Outcome(Status::invalid_handle, "no such event, or it was destroyed");
        }
        return body(current, event);
    });
}

cudaError_t record(const char* name, cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
    return with_event(name, Waits::no, handle, [&](Device& current, const Event& event) -> Outcome {
        if (flags > cudaEventRecordExternal) return unknown_flags(flags);
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        return (*in)->device->record(event, **in, flags == cudaEventRecordExternal);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return call("cudaEventCreateWithFlags", Waits::no, [&](Device& current) -> Outcome {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!handle) return null_pointer("event");
        if ((flags & ~known) != 0) return unknown_flags(flags);
        std::shared_ptr<lockstep::session::SharedEvent> shared;
        if (flags & cudaEventInterprocess) {
            if (!(flags & cudaEventDisableTiming))
                return Outcome(Status::invalid_value,
                               "events between processes have no time: cudaEventDisableTiming is needed");
            shared = lockstep::session::SharedEvent::create();
            if (!shared) return Outcome(Status::memory_allocation, "the system refuses memory for the event");
        }
        *handle = reinterpret_cast<cudaEvent_t>(current.create_event(flags, std::move(shared)));
        return {};
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* handle) {
    const NotedCall noted(process(), "cudaEventCreate");
    return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    return record("cudaEventRecord", handle, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
    return record("cudaEventRecordWithFlags", handle, stream, flags);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event("cudaEventQuery", Waits::yes, handle,
                      [](Device& current, const Event& event) -> Outcome {
                          if (!current.process().captures().is_captured(*event))
                              if (Outcome bad = check_capture(current, "a question about an event"); !bad)
                                  return bad;
                          return event->device->query(*event);
                      });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event("cudaEventSynchronize", Waits::yes, handle,
                      [](Device& current, const Event& event) -> Outcome {
                          if (!current.process().captures().is_captured(*event))
                              if (Outcome bad = check_capture(current, "waiting for an event"); !bad)
                                  return bad;
                          return event->device->synchronize(*event);
                      });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call("cudaEventDestroy", Waits::no, [&](Device& current) -> Outcome {
        const Event event = current.process().find_event(handle);
        if (!event || !event->device->destroy_event(handle)) {
            note_unknown(handle);
            return Outcome(Status::invalid_handle, "no such event");
        }
        return {};
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
    return with_event("cudaEventElapsedTime", Waits::yes, start_handle,
                      [&](Device& current, const Event& start) -> Outcome {
                          const Event end = current.process().find_event(end_handle);
                          if (!milliseconds) return null_pointer("milliseconds");
                          auto& captures = current.process().captures();
                          if (captures.is_captured(*start) || (end && captures.is_captured(*end)))
                              return Outcome(Status::captured_event,
                                             "an event that was last recorded in a capture has no time");
                          if (!end) note_unknown(end_handle);
                          if (auto* const checker = current.process().checker(); checker && end)
                              for (const Event& event : {start, end}) checker->host().no_time(*event);
                          if (!end || !start->recorded || !end->recorded)
                              return Outcome(Status::invalid_handle, "an event that was never recorded");
                          if ((start->flags | end->flags) & cudaEventDisableTiming)
                              return Outcome(Status::invalid_handle,
                                             "an event that was created without timing");
                          const auto elapsed = current.milliseconds(*start, *end);
                          if (!elapsed) return elapsed.outcome;
                          *milliseconds = *elapsed;
                          return {};
                      });
}
}

LOCKSTEP_PER_THREAD(cudaEventRecord, _ptsz);
LOCKSTEP_PER_THREAD(cudaEventRecordWithFlags, _ptsz);
