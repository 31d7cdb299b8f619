#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/call.h"
#include "runtime/graph-calls.h"
#include "runtime/libraries.h"
#include "runtime/per-thread.h"
#include "session/checker.h"

using namespace lockstep::runtime;
using lockstep::session::LaunchShape;

namespace {

// Events that a launch records, with the edges that lead from them where the launch is captured.
struct LaunchEvent {
    std::shared_ptr<lockstep::session::Event> event;
    lockstep::session::EdgeKind edge;
    bool external = false;
};
using LaunchEvents = std::vector<LaunchEvent>;

LaunchShape shape_of(dim3 grid, dim3 block, size_t shared) {
    LaunchShape shape;
    shape.grid = {grid.x, grid.y, grid.z};
    shape.block = {block.x, block.y, block.z};
    shape.dynamic_shared = shared;
    return shape;
}

// A launch that fails: the program may not look at the error.
Outcome noted(Device& current, const void* function, Outcome outcome) {
    if (outcome || (!outcome.lacks && !current.process().checker())) return outcome;
    std::string kernel;
    {
        const std::lock_guard lock(registry().mutex());
        if (const auto* image = registry().image_of_function(function))
            kernel = image->functions.at(function);
    }
    if (outcome.lacks)
        current.process().launch_failed(kernel, lockstep::report::FailureKind::unsupported, outcome.reason);
    if (auto* const checker = current.process().checker()) checker->host().launch_failed(kernel, outcome);
    return outcome;
}

Outcome launch(Device& current, const void* function, const LaunchShape& shape, void** arguments,
               cudaStream_t stream) {
    if (auto* const checker = current.process().checker()) checker->host().launching(function);
    const auto in = stream_of(current, stream);
    if (!in) return noted(current, function, Outcome(in.outcome.status, in.outcome.reason, true));
    const auto found = function_on(current, function);
    if (!found) return noted(current, function, found.outcome);
    // What it lacks it has told.
    Outcome outcome = current.launch(**found, shape, arguments, **in);
    // As recorded of CUDA 13.0.
    if (outcome.status == Status::invalid_configuration && runtime_version() >= 13000)
        outcome.status = Status::invalid_value;
    return outcome.lacks ? outcome : noted(current, function, outcome);
}

// CUDA 12.8's, which our header, CUDA 12.5's, does not have.
constexpr int preferred_cluster = 11, nvlink_scheduling = 16;

// Attributes of a launch that change nothing here: they are about scheduling, and work runs in order.
bool is_scheduling_only(cudaLaunchAttributeID id) {
    switch (static_cast<int>(id)) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
        case preferred_cluster:
        case nvlink_scheduling: return true;
        default: return false;
    }
}

// An event that the kernel triggers, or that its last block's start does: recorded behind the kernel, which
// is as late as either may come.
Outcome note_event(Device& current, cudaEvent_t handle, lockstep::session::EdgeKind edge, int flags,
                   LaunchEvents& events) {
    const auto event = current.process().find_event(handle);
    if (!event) {
        note_unknown(handle);
        return Outcome(Status::invalid_handle, "no such event");
    }
    if ((event->flags & cudaEventDisableTiming) == 0 || (event->flags & cudaEventInterprocess) != 0)
        return Outcome(Status::not_supported,
                       "a launch's event has no time (cudaEventDisableTiming) and is of one process");
    events.push_back({event, edge, (flags & cudaEventRecordExternal) != 0});
    return {};
}

// Values that attributes cannot have, as an H200 refuses them.
Outcome check_attribute(const cudaLaunchAttribute& attribute, const LaunchShape& shape) {
    const auto& value = attribute.val;
    const auto refuse = [&](std::int64_t given) {
        return Outcome(Status::invalid_value, fmt::format("launch attribute {} cannot be {}",
                                                          static_cast<int>(attribute.id), given));
    };
    switch (static_cast<int>(attribute.id)) {
        case cudaLaunchAttributeMemSyncDomain:
            if (value.memSyncDomain > cudaLaunchMemSyncDomainRemote) return refuse(value.memSyncDomain);
            break;
        case cudaLaunchAttributePreferredSharedMemoryCarveout:
            if (const int percent = static_cast<int>(value.sharedMemCarveout); percent < -1 || percent > 100)
                return refuse(percent);
            break;
        case cudaLaunchAttributeProgrammaticEvent:
            if (value.programmaticEvent.flags & ~cudaEventRecordExternal)
                return unknown_flags(static_cast<unsigned>(value.programmaticEvent.flags));
            break;
        case cudaLaunchAttributeLaunchCompletionEvent:
            if (value.launchCompletionEvent.flags & ~cudaEventRecordExternal)
                return unknown_flags(static_cast<unsigned>(value.launchCompletionEvent.flags));
            break;
        case preferred_cluster:
            if (!shape.cluster)
                return Outcome(Status::invalid_cluster_size,
                               "clusters are preferred where no size of them is asked for");
            break;
        default: break;
    }
    return {};
}

Outcome apply_attributes(Device& current, LaunchShape& shape, LaunchEvents& events,
                         const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        if (Outcome bad = check_attribute(attribute, shape); !bad) return bad;
        if (is_scheduling_only(attribute.id)) continue;
        if (attribute.id == cudaLaunchAttributeCooperative)
            shape.cooperative = attribute.val.cooperative != 0;
        else if (attribute.id == cudaLaunchAttributeClusterDimension)
            shape.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                             attribute.val.clusterDim.z};
        else if (attribute.id == cudaLaunchAttributePreferredSharedMemoryCarveout)
            shape.shared_carveout = static_cast<int>(attribute.val.sharedMemCarveout);
        else if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            shape.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
        else if (attribute.id == cudaLaunchAttributeProgrammaticEvent ||
                 attribute.id == cudaLaunchAttributeLaunchCompletionEvent) {
            const auto& trigger = attribute.val.programmaticEvent;
            const auto& begun = attribute.val.launchCompletionEvent;
            const bool triggered = attribute.id == cudaLaunchAttributeProgrammaticEvent;
            const lockstep::session::EdgeKind edge = !triggered ? lockstep::session::launch_edge
                                                     : trigger.triggerAtBlockStart
                                                         ? lockstep::session::block_start_edge
                                                         : lockstep::session::programmatic_edge;
            if (Outcome bad = note_event(current, triggered ? trigger.event : begun.event, edge,
                                         triggered ? trigger.flags : begun.flags, events);
                !bad)
                return bad;
        } else if (attribute.id == cudaLaunchAttributeDeviceUpdatableKernelNode) {
            return Outcome(Status::not_supported, "only nodes of graphs can be changed by kernels");
        } else {
            return Outcome(Status::invalid_value,
                           fmt::format("there is no launch attribute {}", static_cast<int>(attribute.id)));
        }
    }
    return {};
}

}  // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
    return call("cudaLaunchKernel", Waits::no, [&](Device& current) {
        return launch(current, function, shape_of(grid, block, shared), arguments, stream);
    });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
    return call("cudaLaunchCooperativeKernel", Waits::no, [&](Device& current) {
        LaunchShape shape = shape_of(grid, block, shared);
        shape.cooperative = true;
        return launch(current, function, shape, arguments, stream);
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    return call("cudaLaunchKernelExC", Waits::no, [&](Device& current) -> Outcome {
        if (!config || (config->numAttrs && !config->attrs))
            return Outcome(Status::invalid_value, "no configuration");
        LaunchShape shape = shape_of(config->gridDim, config->blockDim, config->dynamicSmemBytes);
        LaunchEvents events;
        if (Outcome bad = apply_attributes(current, shape, events, *config); !bad)
            return noted(current, function, bad);
        const auto in = stream_of(current, config->stream);
        if (!in) return in.outcome;
        if (std::any_of(events.begin(), events.end(), [](const LaunchEvent& one) { return one.external; }) &&
            current.process().captures().of(**in))
            return Outcome(Status::not_supported, "a captured launch has no external events");
        if (Outcome bad = launch(current, function, shape, arguments, config->stream); !bad) return bad;
        for (const LaunchEvent& one : events) {
            if (Outcome bad = (*in)->device->record(one.event, **in, one.external, one.edge); !bad)
                return bad;
        }
        return {};
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call("cudaLaunchHostFunc", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (!function) return Outcome(Status::invalid_value, "no function");
        return (*in)->device->host_function(**in, host_function(function, data));
    });
}
}

LOCKSTEP_PER_THREAD(cudaLaunchKernel, _ptsz);
LOCKSTEP_PER_THREAD(__cudaLaunchKernel, _ptsz);
LOCKSTEP_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz);
LOCKSTEP_PER_THREAD(cudaLaunchKernelExC, _ptsz);
LOCKSTEP_PER_THREAD(cudaLaunchHostFunc, _ptsz);
