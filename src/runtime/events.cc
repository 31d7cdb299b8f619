#include "runtime/state.h"

using namespace lockstep::runtime;
using lockstep::session::Event;

namespace {

template <class Body>
cudaError_t with_event(const char* name, Waits waits, cudaEvent_t handle, Body&& body) {
    return call(name, waits, [&](Session& current) -> Outcome {
        Event* event = current.events().find(handle);
        if (!event) return Outcome(Status::invalid_handle, "no such event, or it was destroyed");
        return body(current, *event);
    });
}

// The source of event times: the host's clock at the moment the event is recorded. Since work runs when it is
// submitted, the difference is how long the simulation took.
float host_milliseconds(const Event& start, const Event& end) {
    return std::chrono::duration<float, std::milli>(end.time - start.time).count();
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return call("cudaEventCreateWithFlags", Waits::no, [&](Session& current) -> Outcome {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!handle || (flags & ~known) != 0) return Status::invalid_value;
        if (flags & cudaEventInterprocess)
            return Outcome(Status::not_supported, "events between processes are not implemented", true);
        *handle = reinterpret_cast<cudaEvent_t>(current.events().create(Event{flags, false, {}}));
        return {};
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* handle) {
    return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
    return with_event("cudaEventRecord", Waits::no, handle, [&](Session& current, Event& event) -> Outcome {
        if (!current.is_stream(stream)) return Outcome(Status::invalid_handle, "no such stream");
        return current.record(event);
    });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
    if (flags > cudaEventRecordExternal) return finish("cudaEventRecordWithFlags", Status::invalid_value);
    return cudaEventRecord(handle, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event("cudaEventQuery", Waits::yes, handle, [](Session&, Event&) { return Outcome(); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event("cudaEventSynchronize", Waits::yes, handle, [](Session&, Event&) { return Outcome(); });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call("cudaEventDestroy", Waits::no, [&](Session& current) -> Outcome {
        if (!current.events().destroy(handle)) return Outcome(Status::invalid_handle, "no such event");
        return {};
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
    return with_event(
        "cudaEventElapsedTime", Waits::yes, start_handle, [&](Session& current, Event& start) -> Outcome {
            Event* end = current.events().find(end_handle);
            if (!milliseconds) return Status::invalid_value;
            if (!end || !start.recorded || !end->recorded)
                return Outcome(Status::invalid_handle, "an event that was never recorded");
            if ((start.flags | end->flags) & cudaEventDisableTiming)
                return Outcome(Status::invalid_handle, "an event that was created without timing");
            *milliseconds = host_milliseconds(start, *end);
            return {};
        });
}
}

LOCKSTEP_PER_THREAD(cudaEventRecord, _ptsz);
LOCKSTEP_PER_THREAD(cudaEventRecordWithFlags, _ptsz);
