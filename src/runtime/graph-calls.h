// The frame of graphs' functions: handles, and nodes made from what a program says of them.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "runtime/call.h"
#include "session/graph.h"

namespace lockstep::runtime {

using session::Graph;
using session::GraphExec;
using session::GraphNode;
using session::Graphs;
using session::NodeWork;

// A call that has the graphs to itself.
template <class Body>
cudaError_t graph_call(const char* name, Body&& body) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        Graphs& graphs = current.process().graphs();
        const std::lock_guard lock(graphs.mutex);
        return body(current, graphs);
    });
}

inline Outcome no_graph(const void* handle) {
    note_unknown(handle);
    return {Status::invalid_value, "no such graph, or it was destroyed"};
}
inline Outcome no_node(const void* handle) {
    note_unknown(handle);
    return {Status::invalid_value, "no such node, or it was destroyed"};
}
inline Outcome no_executable(const void* handle) {
    note_unknown(handle);
    return {Status::invalid_value, "no such executable graph, or it was destroyed"};
}

inline cudaGraph_t handle_of(Graph& graph) { return reinterpret_cast<cudaGraph_t>(&graph); }
inline cudaGraphNode_t handle_of(GraphNode& node) { return reinterpret_cast<cudaGraphNode_t>(&node); }

// Nodes of `graph`, as a program gave them.
Found<std::vector<GraphNode*>> nodes_of(Graphs& graphs, const Graph& graph, const cudaGraphNode_t* nodes,
                                        size_t count);
// The kind of the edge number `i` of a list, which may be null, from a node to one with that work; null: that
// which a stream will capture next.
Found<session::EdgeKind> edge_kind(const cudaGraphEdgeData* edges, size_t i, const GraphNode& from,
                                   const NodeWork* to);
cudaGraphEdgeData edge_data(session::EdgeKind kind);
// A question that leaves no place for the kinds of edges.
Outcome lossy();

using MakeWork = std::function<Found<NodeWork>(Device&)>;
cudaError_t add_node(const char* name, cudaGraphNode_t* out, cudaGraph_t graph,
                     const cudaGraphNode_t* dependencies, size_t count, const MakeWork& make,
                     const cudaGraphEdgeData* edges = nullptr);
// `kind`: of the work that is expected, as NodeWork::index.
cudaError_t with_node(const char* name, size_t kind, cudaGraphNode_t node,
                      const std::function<Outcome(GraphNode&)>& body);
cudaError_t set_node(const char* name, size_t kind, cudaGraphNode_t node, const MakeWork& make);
cudaError_t set_executable(const char* name, size_t kind, cudaGraphExec_t exec, cudaGraphNode_t node,
                           const MakeWork& make);

session::HostFunction host_function(void (*function)(void*), void* data);
// Addresses for what a node allocates.
Found<std::shared_ptr<session::GraphMemory>> graph_memory(Device& device, std::uint64_t bytes);

// The number of a kind of work.
template <class Kind>
inline constexpr size_t kind_of_work = []<size_t... i>(std::index_sequence<i...>) {
    size_t found = 0;
    ((std::is_same_v<Kind, std::variant_alternative_t<i, NodeWork>> ? (found = i) : 0), ...);
    return found;
}(std::make_index_sequence<std::variant_size_v<NodeWork>>());

}  // namespace lockstep::runtime
