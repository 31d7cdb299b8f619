// A device's streams and events.
#include <algorithm>

#include "session/checker.h"
#include "session/device.h"
#include "session/simulated-clock.h"

namespace lockstep::session {

std::shared_ptr<Stream> Device::default_stream_of_thread() {
    const std::lock_guard lock(thread_streams_mutex_);
    std::shared_ptr<Stream>& stream = thread_streams_[std::this_thread::get_id()];
    if (!stream) {
        stream = std::make_shared<Stream>(Stream{this, process_.new_stream()});
        add(*stream, true);
    }
    return stream;
}

Stream* Device::create_stream(unsigned flags, int priority) {
    Stream* stream = streams_.create(Stream{this, process_.new_stream(), flags, priority});
    add(*stream, false);
    return stream;
}

void Device::set_priority(Stream& stream, int priority) {
    stream.priority = std::clamp(priority, highest_priority, lowest_priority);
    if (process_.clock()) process_.clock()->set_priority(stream);
}

bool Device::destroy_stream(const void* handle) {
    const auto stream = streams_.find(handle);
    if (!stream || !streams_.destroy(handle)) return false;
    if (HostChecks* const host = checks()) host->destroyed(stream, "stream");
    forget(*stream);
    return true;
}

void Device::add(const Stream& stream, bool of_thread) {
    process_.work().add_stream(stream.id, legacy_->id, stream.blocking());
    if (process_.clock()) process_.clock()->add_stream(stream, of_thread);
    if (HostChecks* const host = checks()) host->add_stream(stream.id, legacy_->id, stream.blocking());
}

void Device::forget(const Stream& stream) {
    process_.captures().forget(stream);
    process_.work().remove_stream(stream.id);
    if (process_.clock()) process_.clock()->remove_stream(stream);
    if (HostChecks* const host = checks()) host->remove_stream(stream.id);
}

void Device::forget(const Event& event) {
    process_.captures().forget(event);
    process_.work().remove_event(event.id);
    if (process_.clock()) process_.clock()->remove_event(event);
}

void Device::host_goes_on() {
    if (ManagedPages* const pages = process_.managed_pages()) pages->host_goes_on();
}

Outcome Device::synchronize(const Stream& stream) {
    if (Outcome bad = process_.captures().forbid(stream, "waiting for the stream"); !bad) return bad;
    process_.work().wait_for_stream(stream.id);
    if (process_.clock()) process_.clock()->wait_for(stream);
    if (HostChecks* const host = checks()) host->host_waited_for_stream(stream.id);
    host_goes_on();
    return errors_.at_call(true);
}

Outcome Device::synchronize() {
    if (Outcome bad = process_.captures().forbid_all(*this); !bad) return bad;
    process_.work().wait_for_device(legacy_->id);
    if (process_.clock()) process_.clock()->wait_for(*this);
    if (HostChecks* const host = checks()) host->host_waited_for_device(legacy_->id);
    host_goes_on();
    return errors_.at_call(true);
}

Outcome Device::query(const Stream& stream) {
    if (Outcome bad = process_.captures().forbid(stream, "a question about the stream"); !bad) return bad;
    if (!process_.work().stream_is_done(stream.id) || (process_.clock() && !process_.clock()->query(stream)))
        return Status::not_ready;
    if (HostChecks* const host = checks()) host->host_waited_for_stream(stream.id);
    return errors_.at_call(true);
}

Outcome Device::host_function(const Stream& stream, HostFunction function) {
    return submit(stream, std::move(function));
}

Event* Device::create_event(unsigned flags, std::shared_ptr<SharedEvent> shared) {
    return events_.create(this, process_.new_event(), flags, std::move(shared));
}

bool Device::destroy_event(const void* handle) {
    const auto event = events_.find(handle);
    if (!event || !events_.destroy(handle)) return false;
    if (HostChecks* const host = checks()) host->destroyed(event, "event");
    forget(*event);
    return true;
}

Outcome Device::record(const std::shared_ptr<Event>& event, const Stream& stream, bool external,
                       EdgeKind kind) {
    if (event->device != this)
        return Outcome(Status::invalid_handle, "the event and the stream are of different devices");
    if (HostChecks* const host = checks()) host->recorded(event->id);
    if (external && process_.captures().of(stream)) return submit(stream, EventRecord{event});
    if (const auto captured = process_.captures().record(stream, event, kind)) return *captured;
    event->recorded = true;
    return submit(stream, EventRecord{event, event->shared ? event->shared->record() : 0});
}

Outcome Device::wait_event(const Stream& stream, const std::shared_ptr<Event>& event, bool external) {
    if (HostChecks* const host = checks()) host->waited_for(*event);
    if (external && process_.captures().of(stream)) return submit(stream, EventWait{event});
    if (const auto captured = process_.captures().wait(stream, event)) return *captured;
    // What another process has submitted and not done yet is waited for beside the program.
    if (const auto shared = event->shared; shared && process_.work().event_is_done(event->id))
        if (const std::uint64_t last = shared->last(); !shared->is_reached(last))
            return host_function(stream, {[shared, last](Device&) { (void)shared->wait_for(last); }});
    return submit(stream, EventWait{event});
}

Outcome Device::synchronize(const Event& event) {
    if (Outcome bad = process_.captures().forbid(event); !bad) return bad;
    process_.work().wait_for_event(event.id);
    if (process_.clock()) process_.clock()->wait_for(event);
    if (HostChecks* const host = checks()) {
        host->waited_for(event);
        host->host_waited_for_event(event.id);
    }
    host_goes_on();
    if (event.shared && !event.shared->wait_for(event.shared->last()))
        return Outcome(Status::launch_failure,
                       "the process that recorded the event has ended before its stream got there");
    return errors_.at_call(true);
}

Outcome Device::query(const Event& event) {
    if (Outcome bad = process_.captures().forbid(event); !bad) return bad;
    if (!process_.work().event_is_done(event.id) || (process_.clock() && !process_.clock()->query(event)))
        return Status::not_ready;
    if (event.shared && !event.shared->is_reached(event.shared->last())) return Status::not_ready;
    if (HostChecks* const host = checks()) host->host_waited_for_event(event.id);
    return errors_.at_call(true);
}

Found<float> Device::milliseconds(const Event& start, const Event& end) {
    const Outcome early(Status::not_ready, "an event that its stream has not reached");
    if (!process_.work().event_is_done(start.id) || !process_.work().event_is_done(end.id)) return early;
    if (HostChecks* const host = checks())
        for (const Event* event : {&start, &end}) host->host_waited_for_event(event->id);
    if (!process_.clock())
        return std::chrono::duration<float, std::milli>(end.time.load() - start.time.load()).count();
    const auto begun = process_.clock()->time_of(start), ended = process_.clock()->time_of(end);
    if (!begun || !ended) return early;
    return static_cast<float>((*ended - *begun) / 1e6);
}

}  // namespace lockstep::session
