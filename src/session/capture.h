// Streams whose work is recorded into a graph instead of done (cudaStreamBeginCapture). A capture begins in
// one stream; another joins it when it waits for an event that was recorded in it, and its work must have
// been joined again when the capture ends in the first stream.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "session/graph.h"
#include "session/status.h"
#include "session/streams.h"

namespace lockstep::session {

// As cudaStreamCaptureMode: what else may be done meanwhile.
enum class CaptureMode : int { global = 0, of_thread = 1, relaxed = 2 };

// What the next node of a stream waits for, and by which edges.
struct CaptureEnd {
    std::vector<GraphNode*> nodes;
    std::vector<EdgeKind> kinds;  // of each

    // Of two edges from one node the plain one stays, which waits longer.
    void add(GraphNode& node, EdgeKind kind);
    void add(const CaptureEnd& other);
};

struct Capture {
    std::uint64_t id = 0;
    std::shared_ptr<Graph> graph;
    StreamId origin = 0;
    CaptureMode mode{};
    std::thread::id thread;
    bool invalid = false;
    bool into_existing = false;  // the graph is the program's already
    std::map<StreamId, CaptureEnd> next_after;
    // For who asks for a stream's edges, as cudaGraphEdgeData lies in memory.
    std::map<StreamId, std::vector<std::array<std::uint8_t, 8>>> told;
};

// Thread-safe: the graphs' mutex guards all of it.
class Captures {
  public:
    explicit Captures(Graphs& graphs) : graphs_(graphs) {}

    bool any() const { return count_.load(std::memory_order_acquire) != 0; }

    // `graph`: that it goes into; null: a new one. `after`: nodes of it.
    Outcome begin(const Stream& stream, CaptureMode mode, std::shared_ptr<Graph> graph, CaptureEnd after);
    Found<std::shared_ptr<Graph>> end(const Stream& stream);
    // Null: the stream is not capturing.
    std::shared_ptr<Capture> of(const Stream& stream);
    Outcome set_dependencies(const Stream& stream, const CaptureEnd& after, bool replace);

    // Work for a stream, which may be capturing: then it becomes a node, and the outcome is the call's.
    std::optional<Outcome> take(const Stream& stream, Device& device, NodeWork work);
    // `kind`: of the edges to what waits for the event.
    std::optional<Outcome> record(const Stream& stream, const std::shared_ptr<Event>& event, EdgeKind kind);
    std::optional<Outcome> wait(const Stream& stream, const std::shared_ptr<Event>& event);

    // What a call would do cannot be recorded: the capture is spoilt.
    Outcome forbid(const Stream& stream, const char* what);
    Outcome forbid(const Event& event);
    // A launch was refused: where it would have been captured, it spoils that.
    Outcome refuse(const Stream& stream, Outcome refused);
    bool is_captured(const Event& event);
    // A device is waited for as a whole.
    Outcome forbid_all(const Device& device);
    // Calls that may wait for, or be waited for by, what is captured.
    Outcome check_unsafe(CaptureMode mode_of_thread, const char* what);

    void forget(const Stream& stream);
    void forget(const Event& event);

  private:
    struct Recorded {
        std::shared_ptr<Capture> capture;
        CaptureEnd after;
    };
    struct Capturing {
        std::shared_ptr<Capture> capture;
        const Device* device = nullptr;
        bool blocking = true;
    };
    void add(const Stream& stream, const std::shared_ptr<Capture>& capture, CaptureEnd after);
    // Work in a device's legacy default stream would wait for what its blocking streams capture.
    std::optional<Outcome> check_legacy(const Stream& stream);
    bool goes_on(const Capture& capture) const;
    Outcome spoil(Capture& capture, Status status, std::string reason);
    void finish(const std::shared_ptr<Capture>& capture);

    Graphs& graphs_;
    std::map<StreamId, Capturing> streams_;
    std::map<EventId, Recorded> events_;
    std::uint64_t captures_so_far_ = 0;
    std::atomic<std::size_t> count_{0};  // streams and events above
};

}  // namespace lockstep::session
