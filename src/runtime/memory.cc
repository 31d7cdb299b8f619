#include <fmt/format.h>

#include "runtime/call.h"
#include "runtime/per-thread.h"
#include "session/host-memory.h"

using namespace lockstep::runtime;
using lockstep::exec::MemoryKind;

namespace {

constexpr size_t pitch_unit = 512;

Outcome allocate(Device& current, void** pointer, size_t size, MemoryKind kind) {
    if (!pointer) return null_pointer("pointer");
    *pointer = nullptr;
    if (Outcome bad = check_capture(current, "an allocation"); !bad) return bad;
    if (size == 0) return {};
    const auto address = current.allocate(size, kind);
    if (!address) return address.outcome;
    *pointer = pointer_to(*address);
    return {};
}

// Rows start at multiples of 512 bytes, as a GPU wants them.
Outcome allocate_rows(Device& current, void** pointer, size_t* pitch, size_t width, size_t rows) {
    if (!pointer || !pitch) return null_pointer("pointer or pitch");
    *pointer = nullptr;
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    if (width == 0 || rows == 0) return {};
    if (*pitch < width || rows > ~size_t{0} / *pitch)
        return Outcome(Status::memory_allocation, fmt::format("{} rows of {} bytes", rows, width));
    return allocate(current, pointer, *pitch * rows, MemoryKind::device);
}

Outcome allocate_host(Device& current, void** pointer, size_t size, unsigned flags) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) return unknown_flags(flags);
    return allocate(current, pointer, size, MemoryKind::pinned);
}

bool is_host_memory(MemoryKind kind) {
    return kind == MemoryKind::pinned || kind == MemoryKind::host || kind == MemoryKind::located;
}

Outcome not_pinned(Device& current, const void* host) {
    return Outcome(Status::invalid_value,
                   fmt::format("{} is neither from cudaHostAlloc nor registered: it is {}", host,
                               current.process().addresses().describe(address_of(host))));
}

cudaMemoryType type_of(MemoryKind kind) {
    if (kind == MemoryKind::managed) return cudaMemoryTypeManaged;
    return is_host_memory(kind) ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
    return call("cudaMalloc", Waits::yes,
                [&](Device& current) { return allocate(current, pointer, size, MemoryKind::device); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return call("cudaMallocPitch", Waits::yes,
                [&](Device& current) { return allocate_rows(current, pointer, pitch, width, height); });
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pitched, struct cudaExtent extent) {
    return call("cudaMalloc3D", Waits::yes, [&](Device& current) -> Outcome {
        if (!pitched) return null_pointer("pitched");
        if (extent.height && extent.depth > ~size_t{0} / extent.height)
            return Outcome(Status::invalid_value,
                           fmt::format("{} slices of {} rows", extent.depth, extent.height));
        pitched->xsize = extent.width;
        pitched->ysize = extent.height;
        return allocate_rows(current, &pitched->ptr, &pitched->pitch, extent.width,
                             extent.height * extent.depth);
    });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
    return call("cudaMallocManaged", Waits::yes, [&](Device& current) -> Outcome {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return unknown_flags(flags);
        if (!current.gpu().managed_memory)
            return Outcome(Status::not_supported, fmt::format("{} has no managed memory", current.gpu().name),
                           true);
        return allocate(current, pointer, size, MemoryKind::managed);
    });
}

cudaError_t cudaFree(void* pointer) {
    return call("cudaFree", Waits::yes, [&](Device& current) -> Outcome {
        if (Outcome bad = check_capture(current, "freeing memory"); !bad) return bad;
        if (auto freed = free_imported(current.process(), pointer)) return *freed;
        return current.release(address_of(pointer), false);
    });
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
    return call("cudaHostAlloc", Waits::yes,
                [&](Device& current) { return allocate_host(current, pointer, size, flags); });
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
    return call("cudaMallocHost", Waits::yes,
                [&](Device& current) { return allocate_host(current, pointer, size, cudaHostAllocDefault); });
}

cudaError_t cudaFreeHost(void* pointer) {
    return call("cudaFreeHost", Waits::yes, [&](Device& current) -> Outcome {
        if (Outcome bad = check_capture(current, "freeing memory"); !bad) return bad;
        return current.release(address_of(pointer), true);
    });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
    return call("cudaHostRegister", Waits::no, [&](Device& current) -> Outcome {
        constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                   cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
        if (!pointer) return null_pointer("pointer");
        if (size == 0) return Outcome(Status::invalid_value, "0 bytes");
        if ((flags & ~known) != 0) return unknown_flags(flags);
        if (!lockstep::session::is_host_memory(address_of(pointer), size))
            return Outcome(Status::invalid_value,
                           fmt::format("{} bytes at {} are not all memory of this process", size, pointer));
        if (auto made = current.memory().register_host(address_of(pointer), size); !made)
            return Outcome(Status::host_memory_already_registered, made.error().message);
        return {};
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return call("cudaHostUnregister", Waits::yes, [&](Device& current) -> Outcome {
        const auto found = current.process().addresses().find(address_of(pointer));
        if (!found || found->kind != MemoryKind::host)
            return Outcome(Status::host_memory_not_registered, "this memory was not registered");
        if (found->address != address_of(pointer))
            return Outcome(Status::invalid_value, fmt::format("{} bytes inside of memory that was registered",
                                                              address_of(pointer) - found->address));
        current.process().addresses().release(address_of(pointer));
        return {};
    });
}

// A host pointer that the device may use is a device pointer: both see one range of addresses.
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return call("cudaHostGetDevicePointer", Waits::no, [&](Device& current) -> Outcome {
        if (!device) return null_pointer("device");
        if (flags != 0) return unknown_flags(flags);
        const auto found = current.process().addresses().find(address_of(host));
        if (!found || !is_host_memory(found->kind)) return not_pinned(current, host);
        *device = host;
        return {};
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return call("cudaHostGetFlags", Waits::no, [&](Device& current) -> Outcome {
        const auto found = current.process().addresses().find(address_of(host));
        if (!flags) return null_pointer("flags");
        if (!found || found->kind != MemoryKind::pinned) return not_pinned(current, host);
        *flags = cudaHostAllocMapped;  // all of it is, with unified addresses
        return {};
    });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return call("cudaMemGetInfo", Waits::no, [&](Device& current) -> Outcome {
        if (free) *free = current.memory().available();
        if (total) *total = current.memory().capacity();
        return {};
    });
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", Waits::no, [&](Device& current) -> Outcome {
        if (!attributes) return null_pointer("attributes");
        const auto found = current.process().addresses().find(address_of(pointer));
        void* const same = const_cast<void*>(pointer);
        if (!found) {
            *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, same};
            return {};
        }
        const cudaMemoryType type = type_of(found->kind);
        const bool owned = found->owner != lockstep::exec::no_device;
        *attributes = {type, owned ? found->owner : current.number(), same,
                       type == cudaMemoryTypeDevice ? nullptr : same};
        return {};
    });
}
}
