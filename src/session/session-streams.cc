// The session's streams and events.
#include "session/session.h"
#include "session/simulated-clock.h"

namespace lockstep::session {

std::shared_ptr<Stream> Session::find_stream(const void* handle, bool null_is_of_thread) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number > 2) return streams_.find(handle);
    if (number == 1 || (number == 0 && !null_is_of_thread)) return legacy_;
    const std::lock_guard lock(thread_streams_mutex_);
    std::shared_ptr<Stream>& stream = thread_streams_[std::this_thread::get_id()];
    if (!stream) {
        stream = std::make_shared<Stream>(Stream{next_stream_++});
        work_.add_stream(stream->id, legacy_stream, true);
        if (clock_) clock_->add_stream(*stream, true);
    }
    return stream;
}

Stream* Session::create_stream(unsigned flags, int priority) {
    Stream* stream = streams_.create(Stream{next_stream_++, flags, priority});
    work_.add_stream(stream->id, legacy_stream, stream->blocking());
    if (clock_) clock_->add_stream(*stream, false);
    return stream;
}

bool Session::destroy_stream(const void* handle) {
    const auto stream = streams_.find(handle);
    if (!stream || !streams_.destroy(handle)) return false;
    forget(*stream);
    return true;
}

void Session::forget(const Stream& stream) {
    work_.remove_stream(stream.id);
    if (clock_) clock_->remove_stream(stream);
}

Outcome Session::synchronize(const Stream& stream) {
    work_.wait_for_stream(stream.id);
    if (clock_) clock_->wait_for(stream);
    return errors_.at_call(true);
}

Outcome Session::synchronize() {
    work_.wait_for_device(legacy_stream);
    if (clock_) clock_->wait_for_device();
    return errors_.at_call(true);
}

Outcome Session::query(const Stream& stream) {
    if (!work_.stream_is_done(stream.id) || (clock_ && !clock_->query(stream))) return Status::not_ready;
    return errors_.at_call(true);
}

Outcome Session::host_function(const Stream& stream, std::function<void(Session&)> function) {
    return submit({this, stream.id, HostFunction{std::move(function)}});
}

Event* Session::create_event(unsigned flags) { return events_.create(next_event_++, flags); }

bool Session::destroy_event(const void* handle) {
    const auto event = events_.find(handle);
    if (!event || !events_.destroy(handle)) return false;
    work_.remove_event(event->id);
    if (clock_) clock_->remove_event(*event);
    return true;
}

Outcome Session::record(const std::shared_ptr<Event>& event, const Stream& stream) {
    event->recorded = true;
    return submit({this, stream.id, EventRecord{event}});
}

Outcome Session::wait_event(const Stream& stream, const std::shared_ptr<Event>& event) {
    return submit({this, stream.id, EventWait{event}});
}

Outcome Session::synchronize(const Event& event) {
    work_.wait_for_event(event.id);
    if (clock_) clock_->wait_for(event);
    return errors_.at_call(true);
}

Outcome Session::query(const Event& event) {
    if (!work_.event_is_done(event.id) || (clock_ && !clock_->query(event))) return Status::not_ready;
    return errors_.at_call(true);
}

Found<float> Session::milliseconds(const Event& start, const Event& end) {
    const Outcome early(Status::not_ready, "an event that its stream has not reached");
    if (!work_.event_is_done(start.id) || !work_.event_is_done(end.id)) return early;
    if (!clock_) return std::chrono::duration<float, std::milli>(end.time.load() - start.time.load()).count();
    const auto begun = clock_->time_of(start), ended = clock_->time_of(end);
    if (!begun || !ended) return early;
    return static_cast<float>((*ended - *begun) / 1e6);
}

void Session::begin_call() {
    if (clock_) clock_->begin_call();
}

void Session::end_call() {
    if (clock_) clock_->end_call();
}

}  // namespace lockstep::session
