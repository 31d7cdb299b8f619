// Graphs as a program makes, looks at, instantiates and launches them.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/demangle.h"
#include "runtime/graph-calls.h"
#include "runtime/per-thread.h"

namespace lockstep::runtime {

Found<std::vector<GraphNode*>> nodes_of(Graphs& graphs, const Graph& graph, const cudaGraphNode_t* nodes,
                                        size_t count) {
    if (count && !nodes) return null_pointer("dependencies");
    std::vector<GraphNode*> found;
    for (size_t i = 0; i < count; ++i) {
        GraphNode* const node = graphs.find_node(nodes[i]);
        if (!node) return no_node(nodes[i]);
        if (node->graph != &graph) return Outcome(Status::invalid_value, "a node of another graph");
        if (std::find(found.begin(), found.end(), node) != found.end())
            return Outcome(Status::invalid_value, "a node is named twice among those to wait for");
        found.push_back(node);
    }
    return found;
}

Found<session::EdgeKind> edge_kind(const cudaGraphEdgeData* edges, size_t i, const GraphNode& from,
                                   const session::NodeWork* to) {
    if (!edges) return session::EdgeKind{};
    const session::EdgeKind kind{edges[i].from_port, edges[i].to_port, edges[i].type};
    if (kind.plain()) return kind;
    const bool from_kernel = from.as<session::KernelLaunch>() != nullptr;
    const bool to_kernel = !to || std::holds_alternative<session::KernelLaunch>(*to);
    const bool programmatic = kind == session::programmatic_edge || kind == session::block_start_edge;
    if (!from_kernel || !(kind == session::launch_edge || (programmatic && to_kernel)))
        return Outcome(
            Status::invalid_value,
            fmt::format("an edge of type {} from port {} to port {}: there are programmatic ones, from port "
                        "1 or 2 of a kernel to port 0 of another, and plain ones from port 2 of a kernel",
                        kind.type, kind.from_port, kind.to_port));
    return kind;
}

cudaGraphEdgeData edge_data(session::EdgeKind kind) {
    cudaGraphEdgeData data = {};
    data.from_port = kind.from_port;
    data.to_port = kind.to_port;
    data.type = kind.type;
    return data;
}

Outcome lossy() {
    return Outcome(static_cast<Status>(cudaErrorLossyQuery),
                   "edges have data that this form of the question cannot tell");
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

namespace {

bool has_condition(const Graph& graph) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const auto& node) {
        if (const auto* child = node->template as<lockstep::session::ChildNode>())
            return has_condition(*child->graph);
        return node->template as<lockstep::session::ConditionalNode>() != nullptr;
    });
}

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

// How CUDA hands out lists: `count` is the room and becomes the number; beyond that there are nulls.
template <class Fill>
Outcome give_list(size_t* count, size_t there, bool wanted, Fill&& fill) {
    if (!count) return null_pointer("count");
    if (wanted)
        for (size_t i = 0; i < *count; ++i) fill(i, i < there);
    *count = wanted ? std::min(*count, there) : there;
    return {};
}

Outcome give_nodes(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* out, size_t* count) {
    return give_list(count, nodes.size(), out != nullptr,
                     [&](size_t i, bool there) { out[i] = there ? handle_of(*nodes[i]) : nullptr; });
}

template <class Body>
cudaError_t with_graph(const char* name, cudaGraph_t handle, Body&& body) {
    return graph_call(name, [&](Device& current, Graphs& graphs) -> Outcome {
        Graph* const graph = graphs.find(handle);
        if (!graph) return no_graph(handle);
        return body(current, graphs, *graph);
    });
}

template <class Body>
cudaError_t with_executable(const char* name, cudaGraphExec_t handle, Body&& body) {
    return graph_call(name, [&](Device& current, Graphs& graphs) -> Outcome {
        const auto found = graphs.executable.find(handle);
        if (found == graphs.executable.end()) return no_executable(handle);
        return body(current, *found->second);
    });
}

// Kernels launch what was uploaded; for the host's launches there is nothing to do.
void upload(Device& current, GraphExec& exec) {
    if (!exec.plan) exec.make_plan();
    current.process().device_graphs().upload(exec.handle(), exec.plan);
}

cudaError_t instantiate(const char* name, cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long flags,
                        cudaGraphInstantiateParams* told) {
    return with_graph(name, handle, [&](Device& current, Graphs& graphs, Graph&) -> Outcome {
        if (!out) return null_pointer("exec");
        if (told) told->errNode_out = nullptr, told->result_out = cudaGraphInstantiateError;
        if (flags & ~known_flags) return unknown_flags(static_cast<unsigned>(flags));
        if (!told && (flags & (cudaGraphInstantiateFlagUpload)))
            return Outcome(Status::invalid_value,
                           "a graph is uploaded by cudaGraphInstantiateWithParams, which "
                           "is told the stream");
        const auto owned = graphs.owned.find(handle);
        if (owned == graphs.owned.end())
            return Outcome(Status::invalid_value, "the graph is a part of another one");
        if (told && (flags & cudaGraphInstantiateFlagUpload))
            if (const auto in = stream_of(current, told->uploadStream); !in) return in.outcome;
        lockstep::session::InstantiateProblem problem;
        const auto made = lockstep::session::instantiate(
            owned->second, flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload), problem);
        if (told) {
            told->result_out = static_cast<cudaGraphInstantiateResult>(problem.result);
            told->errNode_out = reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode*>(problem.node));
        }
        if (!made) return made.outcome;
        graphs.executable[made->get()] = *made;
        if ((*made)->for_device()) {
            current.process().device_graphs().add((*made)->handle());
            if (flags & cudaGraphInstantiateFlagUpload) upload(current, **made);
        }
        *out = reinterpret_cast<cudaGraphExec_t>(made->get());
        return {};
    });
}

cudaError_t change_edges(const char* name, cudaGraph_t handle, const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to, const cudaGraphEdgeData* edges, size_t count, bool add) {
    return with_graph(name, handle, [&](Device&, Graphs& graphs, Graph& graph) -> Outcome {
        if (count && (!from || !to)) return null_pointer("from or to");
        for (size_t i = 0; i < count; ++i) {
            GraphNode *const a = graphs.find_node(from[i]), *const b = graphs.find_node(to[i]);
            if (!a || !b) return no_node(a ? to[i] : from[i]);
            if (a->graph != &graph || b->graph != &graph)
                return Outcome(Status::invalid_value, "a node of another graph");
            if (a == b) return Outcome(Status::invalid_value, "a node cannot wait for itself");
            if (graph.has_edge(*a, *b) == add)
                return Outcome(Status::invalid_value, add ? "the nodes are connected already"
                                                          : "there is no such edge between the nodes");
            if (graph.contains_memory())
                return Outcome(Status::not_supported,
                               "edges of a graph that allocates or frees memory cannot be changed");
            const auto kind = edge_kind(edges, i, *a, &b->work);
            if (!kind) return kind.outcome;
            if (!add && *kind != Graph::kind_of(*a, *b))
                return Outcome(Status::invalid_value, "the edge between the nodes is of another kind");
            add ? graph.connect(*a, *b, *kind) : graph.disconnect(*a, *b);
        }
        return {};
    });
}

cudaError_t give_edges(const char* name, cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                       cudaGraphEdgeData* data, size_t* count) {
    return with_graph(name, handle, [&](Device&, Graphs&, Graph& graph) -> Outcome {
        std::vector<std::pair<GraphNode*, GraphNode*>> edges;
        for (const auto& node : graph.nodes())
            for (GraphNode* const next : node->before) edges.emplace_back(node.get(), next);
        if ((from != nullptr) != (to != nullptr)) return null_pointer("from or to");
        for (const auto& [a, b] : edges)
            if (from && !data && !Graph::kind_of(*a, *b).plain()) return lossy();
        return give_list(count, edges.size(), from != nullptr, [&](size_t i, bool there) {
            from[i] = there ? handle_of(*edges[i].first) : nullptr;
            to[i] = there ? handle_of(*edges[i].second) : nullptr;
            if (data)
                data[i] = there ? edge_data(Graph::kind_of(*edges[i].first, *edges[i].second))
                                : cudaGraphEdgeData{};
        });
    });
}

// The nodes before or after a node.
cudaError_t give_neighbours(const char* name, cudaGraphNode_t handle, bool after, cudaGraphNode_t* out,
                            cudaGraphEdgeData* data, size_t* count) {
    return graph_call(name, [&](Device&, Graphs& graphs) -> Outcome {
        const GraphNode* const node = graphs.find_node(handle);
        if (!node) return no_node(handle);
        const std::vector<GraphNode*>& others = after ? node->before : node->after;
        const auto kind = [&](size_t i) {
            return after ? Graph::kind_of(*node, *others[i]) : Graph::kind_of(*others[i], *node);
        };
        for (size_t i = 0; i < others.size(); ++i)
            if (out && !data && !kind(i).plain()) return lossy();
        for (size_t i = 0; data && out && count && i < *count; ++i)
            data[i] = i < others.size() ? edge_data(kind(i)) : cudaGraphEdgeData{};
        return give_nodes(others, out, count);
    });
}

std::string label_of(const GraphNode& node, unsigned flags) {
    const bool all = flags & cudaGraphDebugDotFlagsVerbose;
    std::string label = lockstep::session::name_of(node.work);
    if (const auto* kernel = node.as<lockstep::session::KernelLaunch>()) {
        label += "\\n" + lockstep::base::kernel_name(kernel->function->name);
        if (all || (flags & cudaGraphDebugDotFlagsKernelNodeParams))
            label += fmt::format("\\ngrid {},{},{} block {},{},{} shared {}", kernel->shape.grid.x,
                                 kernel->shape.grid.y, kernel->shape.grid.z, kernel->shape.block.x,
                                 kernel->shape.block.y, kernel->shape.block.z, kernel->shape.dynamic_shared);
    }
    if (const auto* copy = node.as<lockstep::session::Copy>();
        copy && (all || (flags & cudaGraphDebugDotFlagsMemcpyNodeParams)))
        label += fmt::format("\\n{:#x} to {:#x}, {} bytes", copy->transfer.from.address,
                             copy->transfer.to.address, copy->transfer.bytes());
    if (const auto* fill = node.as<lockstep::session::Fill>();
        fill && (all || (flags & cudaGraphDebugDotFlagsMemsetNodeParams)))
        label += fmt::format("\\n{:#x}, {} bytes a row, {} rows, value {}", fill->to.address,
                             fill->size.width, fill->size.height, fill->value);
    if (all || (flags & cudaGraphDebugDotFlagsHandles))
        label += fmt::format("\\n{}", static_cast<const void*>(&node));
    return label;
}

void print_nodes(std::ostream& out, const Graph& graph, const std::string& prefix, unsigned flags) {
    size_t number = 0;
    std::map<const GraphNode*, std::string> names;
    for (const auto& node : graph.nodes()) {
        const std::string& name = names[node.get()] = fmt::format("{}_{}", prefix, number++);
        out << fmt::format("\"{}\" [label=\"{}\"];\n", name, label_of(*node, flags));
        const auto inside = [&](const Graph& inner, size_t which) {
            const std::string inner_name = fmt::format("{}_{}", name, which);
            out << fmt::format("subgraph \"cluster_{}\" {{\nlabel=\"{}\";\n", inner_name, name);
            print_nodes(out, inner, inner_name, flags);
            out << "}\n";
        };
        if (const auto* child = node->as<lockstep::session::ChildNode>()) inside(*child->graph, 0);
        if (const auto* conditional = node->as<lockstep::session::ConditionalNode>())
            for (size_t i = 0; i < conditional->bodies.size(); ++i) inside(*conditional->bodies[i], i);
    }
    for (const auto& node : graph.nodes())
        for (const GraphNode* const next : node->before)
            out << fmt::format("\"{}\" -> \"{}\";\n", names.at(node.get()), names.at(next));
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
    return graph_call("cudaGraphCreate", [&](Device&, Graphs& graphs) -> Outcome {
        if (!out) return null_pointer("graph");
        if (flags != 0) return unknown_flags(flags);
        auto graph = graphs.create();
        *out = handle_of(*graph);
        graphs.owned[graph.get()] = std::move(graph);
        return {};
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    return with_graph("cudaGraphDestroy", handle, [&](Device&, Graphs& graphs, Graph& graph) -> Outcome {
        const bool inside = graph.inside_of != nullptr;
        if (const auto taken = graphs.owned.extract(handle)) {
            graphs.forget(*taken.mapped());
            note_destroyed(handle, "graph");
            return {};
        }
        if (inside) return Outcome(Status::invalid_value, "the graph is a part of another one");
        return Outcome(Status::illegal_state, "a stream captures into the graph");
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t handle) {
    return with_graph("cudaGraphClone", handle, [&](Device&, Graphs& graphs, Graph& graph) -> Outcome {
        if (!out) return null_pointer("clone");
        if (graph.contains_memory())
            return Outcome(Status::not_supported, "a graph that allocates or frees memory cannot be cloned");
        if (graph.is_changeable())
            return Outcome(Status::not_supported,
                           "a graph with nodes that kernels may change cannot be cloned");
        if (has_condition(graph))
            return Outcome(Status::not_supported, "a graph with conditional nodes cannot be cloned");
        auto copy = graph.clone();
        *out = handle_of(*copy);
        graphs.owned[copy.get()] = std::move(copy);
        return {};
    });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t clone) {
    return with_graph("cudaGraphNodeFindInClone", clone, [&](Device&, Graphs&, Graph& graph) -> Outcome {
        if (!out) return null_pointer("node");
        for (const auto& node : graph.nodes())
            if (node->copy_of == reinterpret_cast<const GraphNode*>(original) && original) {
                *out = handle_of(*node);
                return {};
            }
        return Outcome(Status::invalid_value, "the graph has no copy of this node");
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType* type) {
    return graph_call("cudaGraphNodeGetType", [&](Device&, Graphs& graphs) -> Outcome {
        const GraphNode* const node = graphs.find_node(handle);
        if (!node) return no_node(handle);
        if (!type) return null_pointer("type");
        *type = static_cast<cudaGraphNodeType>(lockstep::session::type_of(node->work));
        return {};
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return with_graph("cudaGraphGetNodes", handle, [&](Device&, Graphs&, Graph& graph) -> Outcome {
        std::vector<GraphNode*> all;
        for (const auto& node : graph.nodes()) all.push_back(node.get());
        return give_nodes(all, nodes, count);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return with_graph("cudaGraphGetRootNodes", handle, [&](Device&, Graphs&, Graph& graph) -> Outcome {
        std::vector<GraphNode*> roots;
        for (const auto& node : graph.nodes())
            if (node->after.empty()) roots.push_back(node.get());
        return give_nodes(roots, nodes, count);
    });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, size_t* count) {
    return give_edges("cudaGraphGetEdges", graph, from, to, data, count);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                            cudaGraphEdgeData* data, size_t* count) {
    return give_neighbours("cudaGraphNodeGetDependencies", node, false, nodes, data, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                              cudaGraphEdgeData* data, size_t* count) {
    return give_neighbours("cudaGraphNodeGetDependentNodes", node, true, nodes, data, count);
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
    return change_edges("cudaGraphAddDependencies", graph, from, to, data, count, true);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                           size_t count) {
    return change_edges("cudaGraphRemoveDependencies", graph, from, to, data, count, false);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
    return graph_call("cudaGraphDestroyNode", [&](Device&, Graphs& graphs) -> Outcome {
        GraphNode* const node = graphs.find_node(handle);
        if (!node) return no_node(handle);
        if (node->as<lockstep::session::AllocationNode>() || node->as<lockstep::session::Free>())
            return Outcome(Status::not_supported,
                           "a node that allocates or frees memory cannot be destroyed");
        if (node->changes)
            return Outcome(Status::not_supported, "a node that kernels may change cannot be destroyed");
        node->graph->remove(*node);
        note_destroyed(handle, "node of a graph");
        return {};
    });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned flags) {
    return with_graph("cudaGraphDebugDotPrint", handle, [&](Device&, Graphs&, Graph& graph) -> Outcome {
        if (!path) return null_pointer("path");
        std::ofstream file(path);
        file << "digraph dot {\n";
        print_nodes(file, graph, "graph", flags);
        file << "}\n";
        file.close();
        if (!file)
            return Outcome(Status::operating_system, fmt::format("the file {} cannot be written", path));
        return {};
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return instantiate("cudaGraphInstantiate", exec, graph, flags, nullptr);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags, nullptr);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
    if (!params) return finish("cudaGraphInstantiateWithParams", null_pointer("params"));
    return instantiate("cudaGraphInstantiateWithParams", exec, graph, params->flags, params);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
    return with_executable("cudaGraphExecGetFlags", handle, [&](Device&, GraphExec& exec) -> Outcome {
        if (!flags) return null_pointer("flags");
        *flags = exec.flags;
        return {};
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
    return graph_call("cudaGraphExecDestroy", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto gone = graphs.executable.extract(handle);
        if (!gone) return no_executable(handle);
        note_destroyed(handle, "executable graph");
        current.process().device_graphs().remove(gone.mapped()->handle());
        return {};
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t with,
                                cudaGraphExecUpdateResultInfo* told) {
    return graph_call("cudaGraphExecUpdate", [&](Device&, Graphs& graphs) -> Outcome {
        const auto exec = graphs.executable.find(handle);
        if (exec == graphs.executable.end()) return no_executable(handle);
        Graph* const graph = graphs.find(with);
        if (!graph) return no_graph(with);
        const lockstep::session::GraphUpdate result = lockstep::session::update(*exec->second, *graph);
        if (told) {
            told->result = static_cast<cudaGraphExecUpdateResult>(result.result);
            told->errorNode = result.node ? handle_of(*result.node) : nullptr;
            told->errorFromNode = nullptr;
        }
        if (result.result == 0) return {};
        return Outcome(Status::graph_exec_update_failure, result.reason);
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
    return with_executable("cudaGraphUpload", handle, [&](Device& current, GraphExec& exec) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        upload(current, exec);
        return {};
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
    return call("cudaGraphLaunch", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        std::shared_ptr<GraphExec> exec;
        {
            Graphs& graphs = current.process().graphs();
            const std::lock_guard lock(graphs.mutex);
            const auto found = graphs.executable.find(handle);
            if (found == graphs.executable.end()) return no_executable(handle);
            exec = found->second;
            upload(current, *exec);
        }
        return (*in)->device->launch(*exec, **in);
    });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned enabled) {
    return with_executable("cudaGraphNodeSetEnabled", handle, [&](Device&, GraphExec& exec) -> Outcome {
        const auto own = exec.copies.find(reinterpret_cast<const GraphNode*>(node));
        if (own == exec.copies.end())
            return Outcome(Status::invalid_value, "no node of the executable graph");
        const GraphNode& found = *own->second;
        if (!found.as<lockstep::session::KernelLaunch>() && !found.as<lockstep::session::Copy>() &&
            !found.as<lockstep::session::Fill>())
            return Outcome(Status::invalid_value, "only kernel, memcpy and memset nodes can be disabled");
        own->second->enabled = enabled != 0;
        exec.plan.reset();
        return {};
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned* enabled) {
    return with_executable("cudaGraphNodeGetEnabled", handle, [&](Device&, GraphExec& exec) -> Outcome {
        const auto own = exec.copies.find(reinterpret_cast<const GraphNode*>(node));
        if (own == exec.copies.end())
            return Outcome(Status::invalid_value, "no node of the executable graph");
        if (!enabled) return null_pointer("enabled");
        *enabled = own->second->enabled;
        return {};
    });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* data, cudaHostFn_t destroy, unsigned count,
                                 unsigned flags) {
    return graph_call("cudaUserObjectCreate", [&](Device&, Graphs& graphs) -> Outcome {
        if (!out || !destroy) return null_pointer("object or destroy");
        if (flags != cudaUserObjectNoDestructorSync || count == 0)
            return Outcome(Status::invalid_value,
                           "a user object has a reference, and the flag cudaUserObjectNoDestructorSync");
        auto object = std::make_unique<lockstep::session::UserObject>();
        *object = {destroy, data, count};
        *out = reinterpret_cast<cudaUserObject_t>(object.get());
        graphs.objects[object.get()] = std::move(object);
        return {};
    });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
    return graph_call("cudaUserObjectRetain", [&](Device&, Graphs& graphs) -> Outcome {
        const auto found = graphs.objects.find(handle);
        if (found == graphs.objects.end() || count == 0)
            return Outcome(Status::invalid_value, "no such user object, or no reference");
        found->second->references += count;
        return {};
    });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
    return graph_call("cudaUserObjectRelease", [&](Device&, Graphs& graphs) -> Outcome {
        const auto found = graphs.objects.find(handle);
        if (found == graphs.objects.end() || count == 0 || count > found->second->references)
            return Outcome(Status::invalid_value, "no such user object, or not that many references");
        graphs.release(*found->second, count);
        return {};
    });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
    return with_graph("cudaGraphRetainUserObject", handle,
                      [&](Device&, Graphs& graphs, Graph& graph) -> Outcome {
                          const auto found = graphs.objects.find(object);
                          if (found == graphs.objects.end() || count == 0)
                              return Outcome(Status::invalid_value, "no such user object, or no reference");
                          if (flags > cudaGraphUserObjectMove) return unknown_flags(flags);
                          if (flags != cudaGraphUserObjectMove) found->second->references += count;
                          graph.objects[found->second.get()] += count;
                          return {};
                      });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count) {
    return with_graph("cudaGraphReleaseUserObject", handle,
                      [&](Device&, Graphs& graphs, Graph& graph) -> Outcome {
                          const auto found = graphs.objects.find(object);
                          if (found == graphs.objects.end() || count == 0)
                              return Outcome(Status::invalid_value, "no such user object, or no reference");
                          const auto held = graph.objects.find(found->second.get());
                          if (held == graph.objects.end() || held->second < count)
                              return Outcome(Status::invalid_value, "the graph has not that many references");
                          held->second -= count;
                          if (held->second == 0) graph.objects.erase(held);
                          graphs.release(*found->second, count);
                          return {};
                      });
}
}

LOCKSTEP_PER_THREAD(cudaGraphInstantiateWithParams, _ptsz);
LOCKSTEP_PER_THREAD(cudaGraphUpload, _ptsz);
LOCKSTEP_PER_THREAD(cudaGraphLaunch, _ptsz);
