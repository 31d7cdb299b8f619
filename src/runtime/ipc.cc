// Memory and events between processes, in both APIs.
#include <bit>
#include <mutex>

#include "runtime/driver.h"
#include "session/shared-events.h"
#include "session/shared-memory.h"

using namespace lockstep::runtime;
using lockstep::session::SharedEvent;
using lockstep::session::SharedHandle;
using Kind = lockstep::session::SharedHandle::Kind;

namespace {

Outcome own_handle() {
    return Outcome(static_cast<Status>(CUDA_ERROR_INVALID_CONTEXT),
                   "a handle is opened by another process than the one that made it");
}

}  // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
    return call("cudaIpcGetMemHandle", Waits::yes, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("handle");
        {
            const std::lock_guard lock(state().pools.mutex);
            if (state().pools.taken.contains(pointer))
                return Outcome(Status::invalid_value,
                               "memory of a pool is shared with cudaMemPoolExportPointer");
        }
        const auto shown = state().shared_memory.show(current.process(), address_of(pointer));
        if (!shown) return shown.outcome;
        *handle = std::bit_cast<cudaIpcMemHandle_t>(*shown);
        return {};
    });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
    return call("cudaIpcOpenMemHandle", Waits::yes, [&](Device& current) -> Outcome {
        if (!pointer) return null_pointer("pointer");
        if (flags != cudaIpcMemLazyEnablePeerAccess) return unknown_flags(flags);
        const auto shared = std::bit_cast<SharedHandle>(handle);
        if (is_handle(shared, Kind::memory) && is_own(shared)) return own_handle();
        const auto address = state().shared_memory.open(current.process(), shared);
        if (!address) return address.outcome;
        *pointer = pointer_to(*address);
        return {};
    });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
    return call("cudaIpcCloseMemHandle", Waits::yes, [&](Device& current) {
        return state().shared_memory.close(current.process(), address_of(pointer));
    });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
    return call("cudaIpcGetEventHandle", Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("handle");
        const auto found = current.process().find_event(event);
        if (!found) return Outcome(Status::invalid_handle, "no such event, or it was destroyed");
        if (!found->shared)
            return Outcome(Status::invalid_handle, "the event was made without cudaEventInterprocess");
        *handle = std::bit_cast<cudaIpcEventHandle_t>(
            handle_of(Kind::event, found->shared->file(), found->device->number()));
        return {};
    });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
    return call("cudaIpcOpenEventHandle", Waits::no, [&](Device& current) -> Outcome {
        if (!event) return null_pointer("event");
        const auto shared = std::bit_cast<SharedHandle>(handle);
        if (!is_handle(shared, Kind::event))
            return Outcome(Status::map_failed, "this is no handle that cudaIpcGetEventHandle gave");
        if (is_own(shared)) return own_handle();
        const auto device = device_numbered(current.process(), shared.device);
        if (!device) return device.outcome;
        auto file = open_handle(shared);
        if (!file) return file.outcome;
        auto opened = SharedEvent::open(std::move(file.value));
        if (!opened) return Outcome(Status::memory_allocation, "the system refuses to map the event");
        *event = reinterpret_cast<cudaEvent_t>(
            (*device)->create_event(cudaEventInterprocess | cudaEventDisableTiming, std::move(opened)));
        return {};
    });
}

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
    return forward(
        [&] { return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), at(pointer)); });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
    return forward([&] {
        return cudaIpcOpenMemHandle(reinterpret_cast<void**>(pointer),
                                    std::bit_cast<cudaIpcMemHandle_t>(handle), flags);
    });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
    return forward([&] { return cudaIpcCloseMemHandle(at(pointer)); });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
    return forward(
        [&] { return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event); });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
    return forward(
        [&] { return cudaIpcOpenEventHandle(event, std::bit_cast<cudaIpcEventHandle_t>(handle)); });
}
}
