#include "session/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "session/device.h"

namespace lockstep::session {
namespace {

// All nodes that these wait for, and they themselves.
std::set<const GraphNode*> with_predecessors(const std::vector<GraphNode*>& nodes) {
    std::set<const GraphNode*> all;
    std::vector<const GraphNode*> todo(nodes.begin(), nodes.end());
    while (!todo.empty()) {
        const GraphNode* const node = todo.back();
        todo.pop_back();
        if (!all.insert(node).second) continue;
        todo.insert(todo.end(), node->after.begin(), node->after.end());
    }
    return all;
}

}  // namespace

void CaptureEnd::add(GraphNode& node, EdgeKind kind) {
    const auto known = std::find(nodes.begin(), nodes.end(), &node);
    if (known == nodes.end()) {
        nodes.push_back(&node);
        kinds.push_back(kind);
    } else if (EdgeKind& old = kinds[static_cast<std::size_t>(known - nodes.begin())]; kind.plain())
        old = kind;
}

void CaptureEnd::add(const CaptureEnd& other) {
    for (std::size_t i = 0; i < other.nodes.size(); ++i) add(*other.nodes[i], other.kinds[i]);
}

void Captures::add(const Stream& stream, const std::shared_ptr<Capture>& capture, CaptureEnd after) {
    streams_[stream.id] = {capture, stream.device, stream.blocking()};
    capture->next_after[stream.id] = std::move(after);
    count_ = streams_.size() + events_.size();
}

Outcome Captures::begin(const Stream& stream, CaptureMode mode, std::shared_ptr<Graph> graph,
                        CaptureEnd after) {
    const std::lock_guard lock(graphs_.mutex);
    if (stream.device->legacy_default_stream()->id == stream.id)
        return Outcome(Status::stream_capture_unsupported, "the legacy default stream cannot be captured");
    if (streams_.contains(stream.id))
        return Outcome(Status::illegal_state, "the stream is capturing already");
    auto capture = std::make_shared<Capture>();
    capture->id = ++captures_so_far_;
    capture->into_existing = graph != nullptr;
    capture->graph = graph ? std::move(graph) : graphs_.create();
    capture->origin = stream.id;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    add(stream, capture, std::move(after));
    return {};
}

// Events that were recorded in it stay: nobody can wait for them until they are recorded anew.
void Captures::finish(const std::shared_ptr<Capture>& capture) {
    std::erase_if(streams_, [&](const auto& entry) { return entry.second.capture == capture; });
    for (auto& [event, recorded] : events_)
        if (recorded.capture == capture) recorded.after = {};
    capture->next_after.clear();
    count_ = streams_.size() + events_.size();
}

Found<std::shared_ptr<Graph>> Captures::end(const Stream& stream) {
    const std::lock_guard lock(graphs_.mutex);
    const auto it = streams_.find(stream.id);
    if (it == streams_.end()) return Outcome(Status::illegal_state, "the stream is not capturing");
    const std::shared_ptr<Capture> capture = it->second.capture;
    if (capture->origin != stream.id)
        return spoil(*capture, Status::stream_capture_unmatched,
                     "a capture ends in the stream in which it began; this one has joined it later");
    const Outcome spoilt(Status::stream_capture_invalidated,
                         "a call during the capture could not be recorded and has spoilt it");
    if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id()) {
        finish(capture);
        if (capture->invalid) return spoilt;
        return Outcome(Status::stream_capture_wrong_thread,
                       "the capture was begun by another thread, and not in relaxed mode");
    }
    const std::map<StreamId, CaptureEnd> ends = capture->next_after;
    finish(capture);
    if (capture->invalid) return spoilt;
    const auto joined = with_predecessors(ends.at(stream.id).nodes);
    for (const auto& [other, end] : ends)
        for (const GraphNode* const node : end.nodes)
            if (!joined.contains(node))
                return Outcome(Status::stream_capture_unjoined,
                               fmt::format("the work of stream {} was not joined again: record an event in "
                                           "it and wait for that in stream {}",
                                           other, stream.id));
    return capture->graph;
}

std::shared_ptr<Capture> Captures::of(const Stream& stream) {
    if (!any()) return nullptr;
    const std::lock_guard lock(graphs_.mutex);
    const auto it = streams_.find(stream.id);
    return it == streams_.end() ? nullptr : it->second.capture;
}

Outcome Captures::set_dependencies(const Stream& stream, const CaptureEnd& next, bool replace) {
    const std::lock_guard lock(graphs_.mutex);
    const auto capture = of(stream);
    if (!capture) return Outcome(Status::illegal_state, "the stream is not capturing");
    for (const GraphNode* const node : next.nodes)
        if (node->graph != capture->graph.get())
            return Outcome(Status::invalid_value, "the node is of another graph than the stream captures");
    CaptureEnd& after = capture->next_after.at(stream.id);
    if (replace) after = {};
    after.add(next);
    return {};
}

bool Captures::goes_on(const Capture& capture) const {
    const auto origin = streams_.find(capture.origin);
    return origin != streams_.end() && origin->second.capture.get() == &capture;
}

Outcome Captures::spoil(Capture& capture, Status status, std::string reason) {
    capture.invalid = true;
    return Outcome(status, std::move(reason));
}

std::optional<Outcome> Captures::check_legacy(const Stream& stream) {
    if (stream.device->legacy_default_stream()->id != stream.id) return std::nullopt;
    std::optional<Outcome> bad;
    for (const auto& [id, one] : streams_)
        if (one.device == stream.device && one.blocking)
            bad = spoil(*one.capture, Status::stream_capture_implicit,
                        fmt::format("work in the legacy default stream would wait for stream {}, which is "
                                    "capturing",
                                    id));
    return bad;
}

std::optional<Outcome> Captures::take(const Stream& stream, Device& device, NodeWork work) {
    if (!any()) return std::nullopt;
    const std::lock_guard lock(graphs_.mutex);
    if (auto bad = check_legacy(stream)) return bad;
    const auto capture = of(stream);
    if (!capture) return std::nullopt;
    if (capture->invalid)
        return Outcome(Status::stream_capture_invalidated, "the capture was spoilt by a call before");
    if (const auto* function = std::get_if<HostFunction>(&work); function && !function->function)
        return spoil(*capture, Status::stream_capture_unsupported, "a stream's callback cannot be captured");
    CaptureEnd& after = capture->next_after.at(stream.id);
    const auto* const kernel = std::get_if<KernelLaunch>(&work);
    const bool is_kernel = kernel != nullptr, programmatic = kernel && kernel->shape.programmatic;
    GraphNode& node = capture->graph->add(device, std::move(work), {});
    if (is_kernel && stream.priority != lowest_priority) node.set_priority(stream.priority);
    for (std::size_t i = 0; i < after.nodes.size(); ++i) {
        GraphNode& from = *after.nodes[i];
        EdgeKind kind = after.kinds[i];
        if (programmatic && kind.plain() && from.as<KernelLaunch>()) kind = programmatic_edge;
        capture->graph->connect(from, node, kind);
    }
    after = {{&node}, {EdgeKind{}}};
    return Outcome();
}

std::optional<Outcome> Captures::record(const Stream& stream, const std::shared_ptr<Event>& event,
                                        EdgeKind kind) {
    if (!any()) return std::nullopt;
    const std::lock_guard lock(graphs_.mutex);
    if (auto bad = check_legacy(stream)) return bad;
    const auto capture = of(stream);
    if (!capture) {
        forget(*event);
        return std::nullopt;
    }
    if (capture->invalid)
        return Outcome(Status::stream_capture_invalidated, "the capture was spoilt by a call before");
    CaptureEnd after = capture->next_after.at(stream.id);
    if (!kind.plain()) after.kinds.assign(after.nodes.size(), kind);
    events_[event->id] = {capture, std::move(after)};
    count_ = streams_.size() + events_.size();
    return Outcome();
}

std::optional<Outcome> Captures::wait(const Stream& stream, const std::shared_ptr<Event>& event) {
    if (!any()) return std::nullopt;
    const std::lock_guard lock(graphs_.mutex);
    if (auto bad = check_legacy(stream)) return bad;
    const auto mine = of(stream);
    if (mine && mine->invalid)
        return Outcome(Status::stream_capture_invalidated, "the capture was spoilt by a call before");
    const auto recorded = events_.find(event->id);
    if (recorded == events_.end()) {
        if (!mine || !event->recorded) return mine ? std::optional(Outcome()) : std::nullopt;
        return spoil(*mine, Status::stream_capture_isolation,
                     "the stream is capturing, and the event was recorded outside of the capture");
    }
    const std::shared_ptr<Capture>& theirs = recorded->second.capture;
    if (theirs->invalid && goes_on(*theirs))
        return Outcome(Status::stream_capture_invalidated,
                       "the event was recorded in a capture that was spoilt");
    if (!goes_on(*theirs)) {
        Outcome bad(Status::invalid_value, "the event was last recorded in a capture that has ended");
        return mine ? spoil(*mine, bad.status, bad.reason) : bad;
    }
    if (mine && mine != theirs) {
        theirs->invalid = true;
        return spoil(*mine, Status::stream_capture_merge,
                     "the stream captures into one graph, and the event was recorded for another");
    }
    if (!mine) {
        if (stream.device->legacy_default_stream()->id == stream.id)
            return spoil(*theirs, Status::stream_capture_unsupported,
                         "the legacy default stream cannot be captured");
        add(stream, theirs, {});
    }
    theirs->next_after.at(stream.id).add(recorded->second.after);
    return Outcome();
}

Outcome Captures::forbid(const Stream& stream, const char* what) {
    if (!any()) return {};
    const std::lock_guard lock(graphs_.mutex);
    if (auto bad = check_legacy(stream)) return *bad;
    const auto capture = of(stream);
    if (!capture) return {};
    return spoil(*capture, Status::stream_capture_unsupported,
                 fmt::format("{} is not possible while the stream is capturing", what));
}

Outcome Captures::forbid(const Event& event) {
    if (!any()) return {};
    const std::lock_guard lock(graphs_.mutex);
    const auto recorded = events_.find(event.id);
    if (recorded == events_.end()) return {};
    if (!goes_on(*recorded->second.capture))
        return Outcome(Status::invalid_value, "the event was last recorded in a capture that has ended");
    return spoil(*recorded->second.capture, Status::captured_event,
                 "the event was last recorded in a stream that was capturing: nothing will ever reach it");
}

Outcome Captures::refuse(const Stream& stream, Outcome refused) {
    if (!any()) return refused;
    const std::lock_guard lock(graphs_.mutex);
    if (const auto capture = of(stream)) return spoil(*capture, Status::invalid_value, refused.reason);
    return refused;
}

bool Captures::is_captured(const Event& event) {
    if (!any()) return false;
    const std::lock_guard lock(graphs_.mutex);
    return events_.contains(event.id);
}

Outcome Captures::forbid_all(const Device& device) {
    if (!any()) return {};
    const std::lock_guard lock(graphs_.mutex);
    Outcome bad;
    for (const auto& [id, one] : streams_)
        if (one.device == &device)
            bad = spoil(*one.capture, Status::stream_capture_unsupported,
                        fmt::format("the device is waited for while stream {} is capturing", id));
    return bad;
}

Outcome Captures::check_unsafe(CaptureMode mode_of_thread, const char* what) {
    if (!any() || mode_of_thread == CaptureMode::relaxed) return {};
    const std::lock_guard lock(graphs_.mutex);
    Outcome bad;
    for (const auto& [id, one] : streams_) {
        Capture& capture = *one.capture;
        const bool own = capture.thread == std::this_thread::get_id();
        const bool stands_in_the_way =
            own ? capture.mode != CaptureMode::relaxed
                : capture.mode == CaptureMode::global && mode_of_thread == CaptureMode::global;
        if (stands_in_the_way)
            bad = spoil(capture, Status::stream_capture_unsupported,
                        fmt::format("{} is not possible while stream {} is capturing (its mode, or "
                                    "cudaThreadExchangeStreamCaptureMode, could allow it)",
                                    what, id));
    }
    return bad;
}

void Captures::forget(const Stream& stream) {
    const std::lock_guard lock(graphs_.mutex);
    const auto it = streams_.find(stream.id);
    if (it == streams_.end()) return;
    const std::shared_ptr<Capture> capture = it->second.capture;
    // What another stream has added stays, and has to be joined like any other's.
    if (capture->origin == stream.id)
        finish(capture);
    else
        streams_.erase(it);
    count_ = streams_.size() + events_.size();
}

void Captures::forget(const Event& event) {
    const std::lock_guard lock(graphs_.mutex);
    events_.erase(event.id);
    count_ = streams_.size() + events_.size();
}

}  // namespace lockstep::session
