// Stream capture: work of a stream becomes a graph instead of being done.
#include <algorithm>
#include <bit>

#include "runtime/graph-calls.h"
#include "runtime/per-thread.h"
#include "session/capture.h"

using namespace lockstep::runtime;
using lockstep::session::Capture;
using lockstep::session::CaptureMode;

namespace {

Found<lockstep::session::CaptureEnd> end_of(Graphs& graphs, const Graph& graph, const cudaGraphNode_t* nodes,
                                            const cudaGraphEdgeData* edges, size_t count) {
    const auto found = nodes_of(graphs, graph, nodes, count);
    if (!found) return found.outcome;
    lockstep::session::CaptureEnd end;
    for (size_t i = 0; i < count; ++i) {
        const auto kind = edge_kind(edges, i, *(*found)[i], nullptr);
        if (!kind) return kind.outcome;
        end.add(*(*found)[i], *kind);
    }
    return end;
}

cudaError_t begin(const char* name, cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                  const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges, size_t count) {
    return graph_call(name, [&](Device& current, Graphs& graphs) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
            return Outcome(Status::invalid_value, "there is no such mode of capture");
        std::shared_ptr<Graph> graph;
        lockstep::session::CaptureEnd after;
        if (into) {
            Graph* const found = graphs.find(into);
            if (!found) return no_graph(into);
            graph = found->shared_from_this();
            auto found_end = end_of(graphs, *graph, dependencies, edges, count);
            if (!found_end) return found_end.outcome;
            after = std::move(*found_end);
        }
        return current.process().captures().begin(**in, static_cast<CaptureMode>(mode), std::move(graph),
                                                  std::move(after));
    });
}

cudaError_t update(cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                   size_t count, unsigned flags) {
    return graph_call("cudaStreamUpdateCaptureDependencies", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (flags > cudaStreamSetCaptureDependencies) return unknown_flags(flags);
        const auto capture = current.process().captures().of(**in);
        if (!capture) return Outcome(Status::illegal_state, "the stream is not capturing");
        const auto next = end_of(graphs, *capture->graph, dependencies, edges, count);
        if (!next) return next.outcome;
        return current.process().captures().set_dependencies(**in, *next,
                                                             flags == cudaStreamSetCaptureDependencies);
    });
}

template <class Capture>
cudaStreamCaptureStatus status_of(const Capture& capture) {
    return !capture           ? cudaStreamCaptureStatusNone
           : capture->invalid ? cudaStreamCaptureStatusInvalidated
                              : cudaStreamCaptureStatusActive;
}

cudaError_t info(cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id,
                 cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                 size_t* count) {
    return graph_call("cudaStreamGetCaptureInfo", [&](Device& current, Graphs&) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (!status) return null_pointer("status");
        const auto capture = current.process().captures().of(**in);
        *status = status_of(capture);
        if (*status != cudaStreamCaptureStatusActive) return {};
        if (id) *id = capture->id;
        if (graph) *graph = handle_of(*capture->graph);
        const lockstep::session::CaptureEnd& after = capture->next_after.at((*in)->id);
        const bool plain = std::all_of(after.kinds.begin(), after.kinds.end(),
                                       [](lockstep::session::EdgeKind kind) { return kind.plain(); });
        if (dependencies && !edges && !plain) return lossy();
        // The handles are the nodes' addresses: the list itself can be handed out.
        if (dependencies) *dependencies = reinterpret_cast<const cudaGraphNode_t*>(after.nodes.data());
        if (edges) {
            auto& told = capture->told[(*in)->id];
            told.clear();
            for (const auto kind : after.kinds)
                told.push_back(std::bit_cast<std::array<std::uint8_t, 8>>(edge_data(kind)));
            *edges = reinterpret_cast<const cudaGraphEdgeData*>(told.data());
        }
        if (count) *count = after.nodes.size();
        return {};
    });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    return begin("cudaStreamBeginCapture", stream, mode, nullptr, nullptr, nullptr, 0);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                          size_t count, enum cudaStreamCaptureMode mode) {
    if (!graph) return finish("cudaStreamBeginCaptureToGraph", null_pointer("graph"));
    return begin("cudaStreamBeginCaptureToGraph", stream, mode, graph, dependencies, edges, count);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
    return graph_call("cudaStreamEndCapture", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (out) *out = nullptr;
        auto graph = current.process().captures().end(**in);
        if (!graph) return graph.outcome;
        if (!out) return {};
        *out = handle_of(**graph);
        // A body of a conditional node stays the node's.
        if (!(*graph)->inside_of) graphs.owned[graph->get()] = std::move(graph.value);
        return {};
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (!status) return null_pointer("status");
        const auto capture = current.process().captures().of(**in);
        *status = status_of(capture);
        return {};
    });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
    return info(stream, status, id, graph, dependencies, nullptr, count);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                        size_t* count) {
    return info(stream, status, id, graph, dependencies, edges, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                   const cudaGraphEdgeData* edges, size_t count,
                                                   unsigned flags) {
    return update(stream, dependencies, edges, count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
    return call("cudaThreadExchangeStreamCaptureMode", Waits::no, [&](Device&) -> Outcome {
        if (!mode) return null_pointer("mode");
        if (*mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
            return Outcome(Status::invalid_value, "there is no such mode of capture");
        const auto before = static_cast<cudaStreamCaptureMode>(this_thread().capture_mode);
        this_thread().capture_mode = static_cast<CaptureMode>(*mode);
        *mode = before;
        return {};
    });
}
}

LOCKSTEP_PER_THREAD(cudaStreamBeginCapture, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamEndCapture, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamIsCapturing, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetCaptureInfo_v2, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetCaptureInfo_v3, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamUpdateCaptureDependencies_v2, _ptsz);
