// Nodes of graphs: added, asked for and changed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "runtime/arrays.h"
#include "runtime/graph-calls.h"
#include "runtime/graph-work.h"

namespace lockstep::runtime {

using session::AllocationNode;
using session::Box;
using session::ChildNode;
using session::ConditionalNode;
using session::Copy;
using session::EmptyNode;
using session::EventRecord;
using session::EventWait;
using session::Fill;
using session::Free;
using session::Function;
using session::HostFunction;
using session::KernelLaunch;

cudaError_t add_node(const char* name, cudaGraphNode_t* out, cudaGraph_t handle,
                     const cudaGraphNode_t* dependencies, size_t count, const MakeWork& make,
                     const cudaGraphEdgeData* edges) {
    return graph_call(name, [&](Device& current, Graphs& graphs) -> Outcome {
        if (!out) return null_pointer("node");
        Graph* const graph = graphs.find(handle);
        if (!graph) return no_graph(handle);
        const auto after = nodes_of(graphs, *graph, dependencies, count);
        if (!after) return after.outcome;
        auto work = make(current);
        if (!work) return work.outcome;
        std::vector<session::EdgeKind> kinds;
        for (size_t i = 0; i < count; ++i) {
            const auto kind = edge_kind(edges, i, *(*after)[i], &*work);
            if (!kind) return kind.outcome;
            kinds.push_back(*kind);
        }
        GraphNode& made = graph->add(current, std::move(work.value), {});
        for (size_t i = 0; i < count; ++i) graph->connect(*(*after)[i], made, kinds[i]);
        *out = handle_of(made);
        return {};
    });
}

cudaError_t with_node(const char* name, size_t kind, cudaGraphNode_t handle,
                      const std::function<Outcome(GraphNode&)>& body) {
    return graph_call(name, [&](Device&, Graphs& graphs) -> Outcome {
        GraphNode* const node = graphs.find_node(handle);
        if (!node) return no_node(handle);
        if (node->work.index() != kind)
            return Outcome(Status::invalid_value,
                           fmt::format("the node is of another kind: {}", session::name_of(node->work)));
        return body(*node);
    });
}

cudaError_t set_node(const char* name, size_t kind, cudaGraphNode_t handle, const MakeWork& make) {
    return with_node(name, kind, handle, [&](GraphNode& node) -> Outcome {
        auto work = make(*node.device);
        if (work) node.work = std::move(work.value);
        return work.outcome;
    });
}

cudaError_t set_executable(const char* name, size_t kind, cudaGraphExec_t handle, cudaGraphNode_t node,
                           const MakeWork& make) {
    return graph_call(name, [&](Device&, Graphs& graphs) -> Outcome {
        const auto exec = graphs.executable.find(handle);
        if (exec == graphs.executable.end()) return no_executable(handle);
        const auto own = exec->second->copies.find(reinterpret_cast<const GraphNode*>(node));
        if (own == exec->second->copies.end())
            return Outcome(Status::invalid_value, "no node of the graph that this one was made from");
        GraphNode& changed = *own->second;
        if (changed.work.index() != kind)
            return Outcome(Status::invalid_value,
                           fmt::format("the node is of another kind: {}", session::name_of(changed.work)));
        auto work = make(*changed.device);
        if (!work) return work.outcome;
        if (const auto* copy = std::get_if<Copy>(&work.value);
            copy && copy->transfer.route != changed.as<Copy>()->transfer.route)
            return Outcome(
                Status::invalid_value,
                "a memcpy node of an executable graph stays between the kinds of memory it was for");
        if (const auto* fill = std::get_if<Fill>(&work.value);
            fill && (fill->size.height > 1) != (changed.as<Fill>()->size.height > 1))
            return Outcome(Status::invalid_value,
                           "a memset node of an executable graph cannot get rows, or lose them");
        changed.work = std::move(work.value);
        exec->second->plan.reset();
        return {};
    });
}

namespace {

template <class Work>
cudaError_t get_event(const char* name, cudaGraphNode_t node, cudaEvent_t* event) {
    return with_node(name, kind_of_work<Work>, node, [&](GraphNode& found) -> Outcome {
        if (!event) return null_pointer("event");
        *event = reinterpret_cast<cudaEvent_t>(
            const_cast<lockstep::session::Event*>(found.as<Work>()->event.get()));
        return {};
    });
}

std::tuple<unsigned, unsigned, unsigned> dims(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

// Attributes that change nothing here are kept for who asks.
bool is_kept(cudaKernelNodeAttrID attribute) {
    switch (attribute) {
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain: return true;
        default: return false;
    }
}

Outcome check_attribute(cudaKernelNodeAttrID attribute, const cudaKernelNodeAttrValue* value) {
    if (!value) return null_pointer("value");
    if (attribute == cudaLaunchAttributeCooperative || attribute == cudaLaunchAttributeClusterDimension ||
        attribute == cudaLaunchAttributeDeviceUpdatableKernelNode ||
        attribute == cudaLaunchAttributePreferredSharedMemoryCarveout || is_kept(attribute))
        return {};
    return Outcome::lacking(
        Status::not_supported,
        fmt::format("attribute {} of a kernel node is not implemented", static_cast<int>(attribute)));
}

CUgraphDeviceUpdatableNode_st* handle_of(const std::shared_ptr<lockstep::session::UpdatableNode>& node) {
    return reinterpret_cast<CUgraphDeviceUpdatableNode_st*>(node.get());
}

// CUDA tells the handle in what it takes as a constant.
Outcome make_updatable(GraphNode& node, const cudaKernelNodeAttrValue& value) {
    if (value.deviceUpdatableKernelNode.deviceUpdatable == 0) {
        if (!node.changes) return {};
        return Outcome(Status::not_supported, "a node that kernels may change stays one");
    }
    if (!node.changes) {
        node.changes =
            std::make_shared<lockstep::session::UpdatableNode>(node.as<KernelLaunch>()->params.size());
        node.device->process().device_graphs().add(node.changes);
    }
    const_cast<cudaKernelNodeAttrValue&>(value).deviceUpdatableKernelNode.devNode = handle_of(node.changes);
    return {};
}

// As NodeWork::index.
size_t kind_of(cudaGraphNodeType type) {
    constexpr size_t kinds[] = {kind_of_work<KernelLaunch>, kind_of_work<Copy>,       kind_of_work<Fill>,
                                kind_of_work<HostFunction>, kind_of_work<ChildNode>,  kind_of_work<EmptyNode>,
                                kind_of_work<EventWait>,    kind_of_work<EventRecord>};
    return static_cast<size_t>(type) < std::size(kinds) ? kinds[type] : std::variant_size_v<NodeWork>;
}

void tell(GraphNode& node, cudaKernelNodeParams& params) {
    KernelLaunch& kernel = std::get<KernelLaunch>(node.work);
    const Function& function = *kernel.function;
    node.told.clear();
    for (const auto& param : function.info().params) node.told.push_back(kernel.params.data() + param.offset);
    const auto& [grid, block] = std::pair(kernel.shape.grid, kernel.shape.block);
    params = {};
    params.func = const_cast<void*>(function.host ? function.host : static_cast<const void*>(&function));
    params.gridDim = dim3(grid.x, grid.y, grid.z);
    params.blockDim = dim3(block.x, block.y, block.z);
    params.sharedMemBytes = static_cast<unsigned>(kernel.shape.dynamic_shared);
    params.kernelParams = node.told.data();
}

}  // namespace

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* params) {
    const auto make = work_of(graph, params);
    if (!make) return finish("cudaGraphAddNode", make.outcome);
    const cudaError_t error = add_node("cudaGraphAddNode", node, graph, dependencies, count, *make, edges);
    if (error || params->type != cudaGraphNodeTypeConditional) return error;
    return with_node("cudaGraphAddNode", kind_of_work<ConditionalNode>, *node,
                     [&](GraphNode& made) -> Outcome {
                         for (const auto& body : made.as<ConditionalNode>()->bodies)
                             made.told.push_back(body.get());
                         params->conditional.phGraph_out = reinterpret_cast<cudaGraph_t*>(made.told.data());
                         return {};
                     });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    const auto make = work_of(nullptr, params);
    if (!make) return finish("cudaGraphNodeSetParams", make.outcome);
    return set_node("cudaGraphNodeSetParams", kind_of(params->type), node, *make);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
    const auto make = work_of(nullptr, params);
    if (!make) return finish("cudaGraphExecNodeSetParams", make.outcome);
    return set_executable("cudaGraphExecNodeSetParams", kind_of(params->type), exec, node, *make);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* params) {
    return add_node("cudaGraphAddKernelNode", node, graph, dependencies, count, kernel_work(params));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
    return with_node("cudaGraphKernelNodeGetParams", kind_of_work<KernelLaunch>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!params) return null_pointer("params");
                         tell(found, *params);
                         return {};
                     });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    return set_node("cudaGraphKernelNodeSetParams", kind_of_work<KernelLaunch>, node, kernel_work(params));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
    return set_executable("cudaGraphExecKernelNodeSetParams", kind_of_work<KernelLaunch>, exec, node,
                          kernel_work(params));
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return with_node("cudaGraphKernelNodeCopyAttributes", kind_of_work<KernelLaunch>, from,
                     [&](GraphNode& source) -> Outcome {
                         GraphNode* const target = source.graph->all().find_node(to);
                         if (!target || !target->as<KernelLaunch>()) return no_node(to);
                         lockstep::session::LaunchShape& shape = std::get<KernelLaunch>(target->work).shape;
                         shape.cooperative = source.as<KernelLaunch>()->shape.cooperative;
                         shape.cluster = source.as<KernelLaunch>()->shape.cluster;
                         target->attributes = source.attributes;
                         return {};
                     });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
    return with_node(
        "cudaGraphKernelNodeGetAttribute", kind_of_work<KernelLaunch>, node,
        [&](GraphNode& found) -> Outcome {
            // What a stream does with a launch is none of a node's: its edges tell.
            if (attribute == cudaLaunchAttributeProgrammaticStreamSerialization ||
                attribute == cudaLaunchAttributeProgrammaticEvent ||
                attribute == cudaLaunchAttributeLaunchCompletionEvent)
                return Outcome(Status::invalid_value,
                               fmt::format("attribute {} is a launch's in a stream, not a node's",
                                           static_cast<int>(attribute)));
            if (Outcome bad = check_attribute(attribute, value); !bad) return bad;
            *value = {};
            const lockstep::session::LaunchShape& shape = found.as<KernelLaunch>()->shape;
            if (attribute == cudaLaunchAttributeCooperative)
                value->cooperative = shape.cooperative;
            else if (attribute == cudaLaunchAttributeClusterDimension)
                std::tie(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z) =
                    dims(shape.cluster.value_or(lockstep::exec::Dim3{0, 0, 0}));
            else if (attribute == cudaLaunchAttributePreferredSharedMemoryCarveout)
                value->sharedMemCarveout = static_cast<unsigned>(shape.shared_carveout);
            else if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode)
                value->deviceUpdatableKernelNode = {found.changes != nullptr, handle_of(found.changes)};
            else if (const auto kept = found.attributes.find(attribute); kept != found.attributes.end())
                std::memcpy(value, kept->second.data(), sizeof *value);
            return {};
        });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
    return with_node("cudaGraphKernelNodeSetAttribute", kind_of_work<KernelLaunch>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (Outcome bad = check_attribute(attribute, value); !bad) return bad;
                         lockstep::session::LaunchShape& shape = std::get<KernelLaunch>(found.work).shape;
                         if (attribute == cudaLaunchAttributeCooperative) {
                             shape.cooperative = value->cooperative != 0;
                         } else if (attribute == cudaLaunchAttributeClusterDimension) {
                             lockstep::session::LaunchShape changed = shape;
                             changed.cluster = lockstep::exec::Dim3{value->clusterDim.x, value->clusterDim.y,
                                                                    value->clusterDim.z};
                             const Function& function = *found.as<KernelLaunch>()->function;
                             if (const auto obstacle = launch_obstacle(found.device->gpu(), function.info(),
                                                                       function.settings, changed))
                                 return Outcome(Status::invalid_value, obstacle->reason);
                             shape = changed;
                         } else if (attribute == cudaLaunchAttributePreferredSharedMemoryCarveout) {
                             shape.shared_carveout = static_cast<int>(value->sharedMemCarveout);
                         } else if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode) {
                             return make_updatable(found, *value);
                         } else {
                             auto& kept = found.attributes[attribute];
                             static_assert(sizeof *value == sizeof kept);
                             std::memcpy(kept.data(), value, sizeof kept);
                         }
                         return {};
                     });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* params) {
    return add_node("cudaGraphAddMemcpyNode", node, graph, dependencies, count, copy_work(params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count, void* to,
                                     const void* from, size_t count, cudaMemcpyKind kind) {
    return add_node("cudaGraphAddMemcpyNode1D", node, graph, dependencies, dependency_count,
                    line_work(to, from, count, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t dependency_count,
                                           const void* symbol, const void* from, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
    return add_node("cudaGraphAddMemcpyNodeToSymbol", node, graph, dependencies, dependency_count,
                    symbol_work(symbol, from, count, offset, kind, true));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t dependency_count,
                                             void* to, const void* symbol, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
    return add_node("cudaGraphAddMemcpyNodeFromSymbol", node, graph, dependencies, dependency_count,
                    symbol_work(symbol, to, count, offset, kind, false));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
    return with_node(
        "cudaGraphMemcpyNodeGetParams", kind_of_work<Copy>, node, [&](GraphNode& found) -> Outcome {
            if (!params) return null_pointer("params");
            const Copy& copy = *found.as<Copy>();
            const lockstep::session::Transfer& transfer = copy.transfer;
            std::uint64_t texel = 1;
            const auto put = [&](const Box& box, cudaArray_t& array, cudaPos& at, cudaPitchedPtr& pointer) {
                if (const auto known = array_with(*found.device, box)) {
                    texel = box.image->format.bytes();
                    array = reinterpret_cast<cudaArray_t>(known.get());
                    at = {box.at[0] / texel, box.at[1], box.at[2]};
                    return;
                }
                const bool line = transfer.size.height == 1 && transfer.size.depth == 1;
                pointer = line ? cudaPitchedPtr{pointer_to(box.address), 0, 0, 0}
                               : cudaPitchedPtr{pointer_to(box.address), box.pitch, transfer.size.width,
                                                box.rows_per_slice};
            };
            *params = {};
            put(transfer.from, params->srcArray, params->srcPos, params->srcPtr);
            put(transfer.to, params->dstArray, params->dstPos, params->dstPtr);
            params->extent = {transfer.size.width / texel, transfer.size.height, transfer.size.depth};
            params->kind = static_cast<cudaMemcpyKind>(copy.direction);
            return {};
        });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
    return set_node("cudaGraphMemcpyNodeSetParams", kind_of_work<Copy>, node, copy_work(params));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t count,
                                           cudaMemcpyKind kind) {
    return set_node("cudaGraphMemcpyNodeSetParams1D", kind_of_work<Copy>, node,
                    line_work(to, from, count, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t count, size_t offset, cudaMemcpyKind kind) {
    return set_node("cudaGraphMemcpyNodeSetParamsToSymbol", kind_of_work<Copy>, node,
                    symbol_work(symbol, from, count, offset, kind, true));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   size_t count, size_t offset, cudaMemcpyKind kind) {
    return set_node("cudaGraphMemcpyNodeSetParamsFromSymbol", kind_of_work<Copy>, node,
                    symbol_work(symbol, to, count, offset, kind, false));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
    return set_executable("cudaGraphExecMemcpyNodeSetParams", kind_of_work<Copy>, exec, node,
                          copy_work(params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t count, cudaMemcpyKind kind) {
    return set_executable("cudaGraphExecMemcpyNodeSetParams1D", kind_of_work<Copy>, exec, node,
                          line_work(to, from, count, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, size_t count,
                                                     size_t offset, cudaMemcpyKind kind) {
    return set_executable("cudaGraphExecMemcpyNodeSetParamsToSymbol", kind_of_work<Copy>, exec, node,
                          symbol_work(symbol, from, count, offset, kind, true));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t count, size_t offset,
                                                       cudaMemcpyKind kind) {
    return set_executable("cudaGraphExecMemcpyNodeSetParamsFromSymbol", kind_of_work<Copy>, exec, node,
                          symbol_work(symbol, to, count, offset, kind, false));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* params) {
    return add_node("cudaGraphAddMemsetNode", node, graph, dependencies, count, fill_work(params));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
    return with_node("cudaGraphMemsetNodeGetParams", kind_of_work<Fill>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!params) return null_pointer("params");
                         const Fill& fill = *found.as<Fill>();
                         const auto bytes = static_cast<unsigned>(fill.value_bytes);
                         *params = {pointer_to(fill.to.address),
                                    fill.size.height > 1 ? fill.to.pitch : 0,
                                    fill.value,
                                    bytes,
                                    fill.size.width / bytes,
                                    fill.size.height};
                         return {};
                     });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
    return set_node("cudaGraphMemsetNodeSetParams", kind_of_work<Fill>, node, fill_work(params));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
    return set_executable("cudaGraphExecMemsetNodeSetParams", kind_of_work<Fill>, exec, node,
                          fill_work(params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* params) {
    return add_node("cudaGraphAddHostNode", node, graph, dependencies, count, host_work(params));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
    return with_node("cudaGraphHostNodeGetParams", kind_of_work<HostFunction>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!params) return null_pointer("params");
                         *params = {found.as<HostFunction>()->function, found.as<HostFunction>()->data};
                         return {};
                     });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
    return set_node("cudaGraphHostNodeSetParams", kind_of_work<HostFunction>, node, host_work(params));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
    return set_executable("cudaGraphExecHostNodeSetParams", kind_of_work<HostFunction>, exec, node,
                          host_work(params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child) {
    return add_node("cudaGraphAddChildGraphNode", node, graph, dependencies, count, child_work(graph, child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    return with_node("cudaGraphChildGraphNodeGetGraph", kind_of_work<ChildNode>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!graph) return null_pointer("graph");
                         *graph = handle_of(*found.as<ChildNode>()->graph);
                         return {};
                     });
}

// The nodes inside are other nodes afterwards, but the same to who knows those of the graph.
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
    return graph_call("cudaGraphExecChildGraphNodeSetParams", [&](Device&, Graphs& graphs) -> Outcome {
        const auto exec = graphs.executable.find(handle);
        if (exec == graphs.executable.end()) return no_executable(handle);
        const auto own = exec->second->copies.find(reinterpret_cast<const GraphNode*>(node));
        Graph* const with = graphs.find(child);
        if (!with) return no_graph(child);
        if (own == exec->second->copies.end() || !own->second->as<ChildNode>())
            return Outcome(Status::invalid_value, "no child graph node of the executable graph");
        GraphExec part{own->second->as<ChildNode>()->graph, {}, 0, nullptr};
        const auto result = lockstep::session::update(part, *with);
        if (result.result != 0) return Outcome(Status::invalid_value, result.reason);
        exec->second->plan.reset();
        return {};
    });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
    return add_node("cudaGraphAddEmptyNode", node, graph, dependencies, count,
                    [](Device&) { return NodeWork(EmptyNode{}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
    return add_node("cudaGraphAddEventRecordNode", node, graph, dependencies, count,
                    event_work<EventRecord>(event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<EventRecord>("cudaGraphEventRecordNodeGetEvent", node, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_node("cudaGraphEventRecordNodeSetEvent", kind_of_work<EventRecord>, node,
                    event_work<EventRecord>(event));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
    return set_executable("cudaGraphExecEventRecordNodeSetEvent", kind_of_work<EventRecord>, exec, node,
                          event_work<EventRecord>(event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event) {
    return add_node("cudaGraphAddEventWaitNode", node, graph, dependencies, count,
                    event_work<EventWait>(event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return get_event<EventWait>("cudaGraphEventWaitNodeGetEvent", node, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_node("cudaGraphEventWaitNodeSetEvent", kind_of_work<EventWait>, node,
                    event_work<EventWait>(event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
    return set_executable("cudaGraphExecEventWaitNodeSetEvent", kind_of_work<EventWait>, exec, node,
                          event_work<EventWait>(event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* params) {
    return add_node("cudaGraphAddMemAllocNode", node, graph, dependencies, count, allocation_work(params));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
    return with_node("cudaGraphMemAllocNodeGetParams", kind_of_work<AllocationNode>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!params) return null_pointer("params");
                         const auto& memory = *found.as<AllocationNode>()->memory;
                         *params = {};
                         params->poolProps.allocType = cudaMemAllocationTypePinned;
                         params->poolProps.location = {cudaMemLocationTypeDevice, memory.device.number()};
                         params->bytesize = memory.size;
                         params->dptr = pointer_to(memory.address);
                         return {};
                     });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count, void* pointer) {
    return add_node("cudaGraphAddMemFreeNode", node, graph, dependencies, count, free_work(graph, pointer));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return with_node("cudaGraphMemFreeNodeGetParams", kind_of_work<Free>, node,
                     [&](GraphNode& found) -> Outcome {
                         if (!pointer) return null_pointer("pointer");
                         void* const freed = pointer_to(found.as<Free>()->address);
                         std::memcpy(pointer, &freed, sizeof freed);
                         return {};
                     });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t handle,
                                             unsigned first, unsigned flags) {
    return graph_call("cudaGraphConditionalHandleCreate", [&](Device& current, Graphs& graphs) -> Outcome {
        if (!out) return null_pointer("handle");
        Graph* const graph = graphs.find(handle);
        if (!graph) return no_graph(handle);
        if (flags > cudaGraphCondAssignDefault) return unknown_flags(flags);
        const auto address = current.memory().allocate(sizeof(unsigned), lockstep::exec::MemoryKind::managed,
                                                       "a graph's condition");
        if (!address) return Outcome(Status::memory_allocation, address.error().message);
        auto condition = std::make_shared<lockstep::session::Condition>();
        condition->device = &current;
        condition->address = *address;
        condition->first = first;
        condition->resets = flags == cudaGraphCondAssignDefault;
        graphs.conditions[*address] = condition;
        graph->conditions.push_back(condition);
        *out = *address;
        return {};
    });
}

cudaError_t cudaDeviceGraphMemTrim(int number) {
    return graph_call("cudaDeviceGraphMemTrim", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        Graphs::Memory& counts = graphs.memory[*device];
        counts.kept = counts.used;
        return {};
    });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int number, cudaGraphMemAttributeType attribute, void* value) {
    return graph_call("cudaDeviceGetGraphMemAttribute", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        if (!value) return null_pointer("value");
        const Graphs::Memory& counts = graphs.memory[*device];
        const std::uint64_t all[] = {counts.used, counts.most_used, counts.kept, counts.most_kept};
        if (static_cast<size_t>(attribute) >= std::size(all))
            return Outcome(Status::invalid_value, "there is no such attribute of graphs' memory");
        std::memcpy(value, &all[attribute], sizeof all[attribute]);
        return {};
    });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int number, cudaGraphMemAttributeType attribute, void* value) {
    return graph_call("cudaDeviceSetGraphMemAttribute", [&](Device& current, Graphs& graphs) -> Outcome {
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        if (!value) return null_pointer("value");
        std::uint64_t asked = 0;
        std::memcpy(&asked, value, sizeof asked);
        Graphs::Memory& counts = graphs.memory[*device];
        if (asked != 0 ||
            (attribute != cudaGraphMemAttrUsedMemHigh && attribute != cudaGraphMemAttrReservedMemHigh))
            return Outcome(Status::invalid_value, "only the high watermarks can be set, to 0");
        if (attribute == cudaGraphMemAttrUsedMemHigh)
            counts.most_used = counts.used;
        else
            counts.most_kept = counts.kept;
        return {};
    });
}
}
