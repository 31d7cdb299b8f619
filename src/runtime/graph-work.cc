#include "runtime/graph-work.h"

#include <fmt/format.h>

#include "runtime/arguments.h"
#include "runtime/arrays.h"

namespace lockstep::runtime {

using session::AllocationNode;
using session::Box;
using session::ChildNode;
using session::ConditionalNode;
using session::Direction;
using session::EmptyNode;
using session::EventRecord;
using session::EventWait;
using session::Free;
using session::HostFunction;

namespace {

Found<NodeWork> copy_work(Device& device, const Box& to, const Box& from, const session::BoxSize& size,
                          cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return Outcome(Status::invalid_memcpy_direction,
                       fmt::format("{} is no copy direction", static_cast<int>(kind)));
    if (size.empty()) return Outcome(Status::invalid_value, "a memcpy node of no bytes");
    // Nodes go by the addresses, whatever they were told.
    auto copy = device.prepare(to, from, size, Direction::by_address, true);
    if (!copy) return copy.outcome;
    copy.value.direction = static_cast<Direction>(kind);
    return NodeWork(std::move(copy.value));
}

}  // namespace

HostFunction host_function(void (*function)(void*), void* data) {
    return {[function, data](Device& device) {
                const HostFunctionScope scope;
                if (!device.errors().faulted()) function(data);
            },
            function, data};
}

Found<std::shared_ptr<session::GraphMemory>> graph_memory(Device& device, std::uint64_t bytes) {
    const auto address = device.memory().reserve(bytes);
    if (!address) return Outcome(Status::memory_allocation, address.error().message);
    return std::make_shared<session::GraphMemory>(device, *address, bytes);
}

template <class Params>
MakeWork kernel_work(const Params* params) {
    return [=](Device& device) -> Found<NodeWork> {
        if (!params) return null_pointer("params");
        const auto function = device.modules().function(params->func);
        if (!function && params->func && !function.outcome.lacks)
            return Outcome(Status::invalid_handle, function.outcome.reason);
        if (!function) return function.outcome;
        if (params->kernelParams && params->extra)
            return Outcome(Status::invalid_value, "arguments were given twice");
        void** arguments = params->kernelParams;
        std::vector<void*> unpacked;
        if (params->extra) {
            if (Outcome bad = arguments_of(**function, params->extra, unpacked); !bad) return bad;
            arguments = unpacked.data();
        }
        session::LaunchShape shape;
        shape.grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z};
        shape.block = {params->blockDim.x, params->blockDim.y, params->blockDim.z};
        shape.dynamic_shared = params->sharedMemBytes;
        auto kernel = device.prepare(**function, shape, arguments);
        if (!kernel) return Outcome(Status::invalid_value, kernel.outcome.reason);
        return NodeWork(std::move(kernel.value));
    };
}

MakeWork copy_work(const cudaMemcpy3DParms* params) {
    return [=](Device& device) -> Found<NodeWork> {
        if (!params) return null_pointer("params");
        const auto boxes = boxes_of(device, *params);
        if (!boxes) return boxes.outcome;
        return copy_work(device, boxes->to, boxes->from, boxes->size, params->kind);
    };
}

MakeWork line_work(const void* to, const void* from, size_t count, cudaMemcpyKind kind) {
    return [=](Device& device) {
        return copy_work(device, {address_of(to), count, 1}, {address_of(from), count, 1}, {count, 1, 1},
                         kind);
    };
}

// `into`: the variable is the copy's destination.
MakeWork symbol_work(const void* symbol, const void* other, size_t count, size_t offset, cudaMemcpyKind kind,
                     bool into) {
    return [=](Device& device) -> Found<NodeWork> {
        const auto variable = device.modules().variable(symbol);
        if (!variable) return variable.outcome;
        if (offset > variable->size || count > variable->size - offset)
            return Outcome(Status::invalid_value,
                           fmt::format("{} bytes at offset {} of variable '{}', which has {}", count, offset,
                                       variable->name, variable->size));
        const Box part{variable->address + offset, count, 1}, rest{address_of(other), count, 1};
        return copy_work(device, into ? part : rest, into ? rest : part, {count, 1, 1}, kind);
    };
}

template <class Params>
MakeWork fill_work(const Params* params) {
    return [=](Device& device) -> Found<NodeWork> {
        if (!params) return null_pointer("params");
        const unsigned bytes = params->elementSize;
        if (bytes != 1 && bytes != 2 && bytes != 4)
            return Outcome(Status::invalid_value,
                           fmt::format("elements of {} bytes; 1, 2 or 4 are possible", bytes));
        if (params->width == 0 || params->height == 0)
            return Outcome(Status::invalid_value, "a memset node of no bytes");
        const std::uint64_t width = params->width * bytes;
        const auto fill = device.prepare(
            {address_of(params->dst), params->height > 1 ? params->pitch : width, params->height},
            {width, params->height, 1}, params->value, static_cast<int>(bytes), true);
        if (!fill) return fill.outcome;
        return NodeWork(*fill);
    };
}

template <class Params>
MakeWork host_work(const Params* params) {
    return [=](Device&) -> Found<NodeWork> {
        if (!params) return null_pointer("params");
        if (!params->fn) return null_pointer("fn");
        return NodeWork(host_function(params->fn, params->userData));
    };
}

template <class Work>
MakeWork event_work(cudaEvent_t handle) {
    return [=](Device& device) -> Found<NodeWork> {
        const auto event = device.process().find_event(handle);
        if (!event) return Outcome(handle ? Status::invalid_handle : Status::invalid_value, "no such event");
        return NodeWork(Work{event});
    };
}

MakeWork child_work(cudaGraph_t into, cudaGraph_t handle) {
    return [=](Device& device) -> Found<NodeWork> {
        Graph* const child = device.process().graphs().find(handle);
        if (!child || handle == into) return no_graph(handle);
        if (child->contains_memory())
            return Outcome(Status::not_supported,
                           "a graph that allocates or frees memory cannot be part of another");
        return NodeWork(ChildNode{child->clone()});
    };
}

template <class Params>
MakeWork allocation_work(Params* params) {
    return [=](Device& current) -> Found<NodeWork> {
        if (!params) return null_pointer("params");
        if (params->bytesize == 0) return Outcome(Status::invalid_value, "0 bytes");
        const auto& location = params->poolProps.location;
        if (location.type != cudaMemLocationTypeDevice ||
            params->poolProps.allocType != cudaMemAllocationTypePinned)
            return Outcome(Status::invalid_value, "a graph allocates memory of a device, of the type pinned");
        const auto device = device_numbered(current.process(), location.id);
        if (!device) return Outcome(Status::invalid_value, device.outcome.reason);
        const auto memory = graph_memory(**device, params->bytesize);
        if (!memory) return memory.outcome;
        params->dptr = pointer_to((*memory)->address);
        return NodeWork(AllocationNode{*memory});
    };
}

MakeWork free_work(cudaGraph_t graph, void* pointer) {
    return [=](Device& device) -> Found<NodeWork> {
        Graphs& graphs = device.process().graphs();
        if (!graphs.allocation(address_of(pointer)))
            return Outcome(Status::invalid_value,
                           fmt::format("{} is not what a graph's node allocates", pointer));
        for (const auto& node : graphs.find(graph)->nodes())
            if (const auto* free = node->as<Free>(); free && free->address == address_of(pointer))
                return Outcome(Status::invalid_value,
                               fmt::format("{} is freed by the graph already", pointer));
        return NodeWork(Free{address_of(pointer)});
    };
}

MakeWork conditional_work(cudaConditionalNodeParams* params) {
    return [=](Device& device) -> Found<NodeWork> {
        Graphs& graphs = device.process().graphs();
        const auto found = graphs.conditions.find(params->handle);
        const auto condition = found == graphs.conditions.end() ? nullptr : found->second.lock();
        if (!condition) return Outcome(Status::invalid_value, "no such conditional handle");
        if (condition->used)
            return Outcome(Status::invalid_value, "the conditional handle has a node already");
        const unsigned most = params->type == cudaGraphCondTypeIf      ? 2
                              : params->type == cudaGraphCondTypeWhile ? 1
                                                                       : 1 << 20;
        if (params->type < cudaGraphCondTypeIf || params->type > cudaGraphCondTypeSwitch ||
            params->size == 0 || params->size > most)
            return Outcome(Status::invalid_value, "no such conditional node, or not that many bodies");
        ConditionalNode node{condition, static_cast<session::ConditionalKind>(params->type), {}};
        for (unsigned i = 0; i < params->size; ++i) node.bodies.push_back(graphs.create());
        condition->used = true;
        return NodeWork(std::move(node));
    };
}

Found<MakeWork> work_of(cudaGraph_t graph, cudaGraphNodeParams* params) {
    if (!params) return null_pointer("params");
    switch (params->type) {
        case cudaGraphNodeTypeKernel: return kernel_work(&params->kernel);
        case cudaGraphNodeTypeMemcpy: return copy_work(&params->memcpy.copyParams);
        case cudaGraphNodeTypeMemset: return fill_work(&params->memset);
        case cudaGraphNodeTypeHost: return host_work(&params->host);
        case cudaGraphNodeTypeGraph: return child_work(graph, params->graph.graph);
        case cudaGraphNodeTypeEmpty: return MakeWork([](Device&) { return NodeWork(EmptyNode{}); });
        case cudaGraphNodeTypeWaitEvent: return event_work<EventWait>(params->eventWait.event);
        case cudaGraphNodeTypeEventRecord: return event_work<EventRecord>(params->eventRecord.event);
        case cudaGraphNodeTypeMemAlloc: return allocation_work(&params->alloc);
        case cudaGraphNodeTypeMemFree: return free_work(graph, params->free.dptr);
        case cudaGraphNodeTypeConditional: return conditional_work(&params->conditional);
        case cudaGraphNodeTypeExtSemaphoreSignal:
        case cudaGraphNodeTypeExtSemaphoreWait:
            return Outcome::lacking(Status::not_supported, "external semaphores are not implemented");
        default:
            return Outcome(Status::invalid_value,
                           fmt::format("there is no node type {}", static_cast<int>(params->type)));
    }
}

// For what CUDA 12 calls these, and for what a node of any kind has.
template MakeWork kernel_work(const cudaKernelNodeParams*);
template MakeWork fill_work(const cudaMemsetParams*);
template MakeWork host_work(const cudaHostNodeParams*);
template MakeWork allocation_work(cudaMemAllocNodeParams*);
template MakeWork event_work<EventWait>(cudaEvent_t);
template MakeWork event_work<EventRecord>(cudaEvent_t);

}  // namespace lockstep::runtime
