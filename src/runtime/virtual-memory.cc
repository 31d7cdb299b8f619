// Virtual memory management of the driver API.
#include "session/virtual-memory.h"

#include <cstring>

#include "runtime/driver.h"

using namespace lockstep::runtime;

namespace {

auto& virtual_memory() { return state().virtual_memory; }

// Memory is a device's, or the host's: of its first node, which is all that there is.
bool is_of_host(const CUmemLocation& location) {
    return location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
}

Found<Device*> device_for(Device& current, const CUmemAllocationProp* props) {
    if (!props) return null_pointer("prop");
    if (props->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return Outcome(Status::invalid_value, "memory is of the type CU_MEM_ALLOCATION_TYPE_PINNED");
    if (is_of_host(props->location)) {
        if (props->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA && props->location.id != 0)
            return Outcome(Status::invalid_value,
                           fmt::format("there is one NUMA node, number 0, and no {}", props->location.id));
    } else if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return Outcome(Status::invalid_value, fmt::format("memory cannot be at a place of type {}",
                                                          static_cast<int>(props->location.type)));
    if (props->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return Outcome(Status::not_supported, "there are no such handles on this system");
    if (is_of_host(props->location) && props->requestedHandleTypes)
        return Outcome::lacking(Status::not_supported,
                                "memory of the host that processes share, for cuMemMap, is not implemented");
    if (is_of_host(props->location)) return &current;
    return device_numbered(current.process(), props->location.id);
}

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* props,
                                       CUmemAllocationGranularity_flags option) {
    return driver_call("cuMemGetAllocationGranularity", Waits::no, [&](Device& current) -> Outcome {
        if (!granularity) return null_pointer("granularity");
        if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
            return unknown_flags(option);
        const auto device = device_for(current, props);
        if (!device) return device.outcome;
        *granularity = lockstep::session::VirtualMemory::granularity;
        return {};
    });
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
    return driver_call("cuMemAddressReserve", Waits::no, [&](Device& current) -> Outcome {
        if (!pointer) return null_pointer("pointer");
        if (flags != 0) return unknown_flags(static_cast<unsigned>(flags));
        const auto address = virtual_memory().reserve(current, size, alignment);
        if (!address) return address.outcome;
        *pointer = *address;
        return {};
    });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
    return driver_call("cuMemAddressFree", Waits::no,
                       [&](Device&) { return virtual_memory().give_back(pointer, size); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* props,
                     unsigned long long flags) {
    return driver_call("cuMemCreate", Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("handle");
        if (flags != 0) return unknown_flags(static_cast<unsigned>(flags));
        const auto device = device_for(current, props);
        if (!device) return device.outcome;
        const auto made = virtual_memory().create(**device, size, props->requestedHandleTypes != 0,
                                                  is_of_host(props->location));
        if (!made) return made.outcome;
        *handle = *made;
        return {};
    });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return driver_call("cuMemRelease", Waits::no, [&](Device&) { return virtual_memory().release(handle); });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
    return driver_call("cuMemRetainAllocationHandle", Waits::no, [&](Device&) -> Outcome {
        if (!handle) return null_pointer("handle");
        const auto found = virtual_memory().handle_at(address_of(address));
        if (!found) return found.outcome;
        *handle = *found;
        return {};
    });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* props,
                                                CUmemGenericAllocationHandle handle) {
    return driver_call("cuMemGetAllocationPropertiesFromHandle", Waits::no, [&](Device&) -> Outcome {
        if (!props) return null_pointer("prop");
        const auto known = virtual_memory().properties_of(handle);
        if (!known) return known.outcome;
        *props = {};
        props->type = CU_MEM_ALLOCATION_TYPE_PINNED;
        props->location = {CU_MEM_LOCATION_TYPE_DEVICE, known->device};
        if (known->of_host) props->location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
        if (known->shareable) props->requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        return {};
    });
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
    return driver_call("cuMemExportToShareableHandle", Waits::no, [&](Device&) -> Outcome {
        if (!shareable) return null_pointer("shareableHandle");
        if (flags != 0) return unknown_flags(static_cast<unsigned>(flags));
        if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
            return Outcome(Status::invalid_value, "handles are files here");
        const auto file = virtual_memory().show(handle);
        if (!file) return file.outcome;
        std::memcpy(shareable, &*file, sizeof *file);
        return {};
    });
}

// The handle is the file's number, in the place of a pointer.
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
    return driver_call("cuMemImportFromShareableHandle", Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("handle");
        if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
            return Outcome(Status::invalid_value, "handles are files here");
        const auto made = virtual_memory().import(current.process(), static_cast<int>(address_of(shareable)));
        if (!made) return made.outcome;
        *handle = *made;
        return {};
    });
}

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
    return driver_call("cuMemMap", Waits::no, [&](Device&) -> Outcome {
        if (flags != 0) return unknown_flags(static_cast<unsigned>(flags));
        return virtual_memory().map(pointer, size, offset, handle);
    });
}

// What kernels still do with it has to be done.
CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
    return driver_call("cuMemUnmap", Waits::yes, [&](Device& current) -> Outcome {
        for (std::size_t i = 0; i < current.process().device_count(); ++i)
            if (Outcome waited = current.process().device(i).synchronize(); !waited) return waited;
        return virtual_memory().unmap(pointer, size);
    });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* descriptions, size_t count) {
    return driver_call("cuMemSetAccess", Waits::no, [&](Device& current) -> Outcome {
        if (count == 0 || !descriptions) return null_pointer("desc");
        for (size_t i = 0; i < count; ++i) {
            if (const unsigned flags = descriptions[i].flags;
                flags == 2 || flags > CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
                return unknown_flags(flags);
            if (is_of_host(descriptions[i].location)) {
                if (Outcome bad = virtual_memory().allow_host(pointer, size); !bad) return bad;
                continue;
            }
            if (Outcome bad =
                    virtual_memory().allow(current.process(), pointer, size, descriptions[i].location.id,
                                           static_cast<lockstep::exec::DeviceAccess>(descriptions[i].flags));
                !bad)
                return bad;
        }
        return {};
    });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer) {
    return driver_call("cuMemGetAccess", Waits::no, [&](Device& current) -> Outcome {
        if (!flags || !location) return null_pointer("flags or location");
        if (const auto asked = device_numbered(current.process(), location->id); !asked) return asked.outcome;
        if (is_of_host(*location) && virtual_memory().is_of_host(pointer)) {
            *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
            return {};
        }
        const auto access = virtual_memory().access_of(pointer, location->id);
        if (!access) return access.outcome;
        *flags = static_cast<unsigned long long>(*access);
        return {};
    });
}
}
