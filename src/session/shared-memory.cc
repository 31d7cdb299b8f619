#include "session/shared-memory.h"

#include <fmt/format.h>

#include "session/device.h"

namespace lockstep::session {
namespace {

using Kind = SharedHandle::Kind;

exec::DeviceMemory::Shared place_of(const SharedHandle& handle, int file) {
    return {file, handle.offset, handle.size, handle.slot, handle.serial};
}

}  // namespace

Found<SharedHandle> SharedMemory::show(Process& process, std::uint64_t address) {
    const auto found = process.addresses().find(address);
    if (!found || found->kind != exec::MemoryKind::device)
        return Outcome(Status::invalid_value, fmt::format("{:#x} is no memory of cudaMalloc: it is {}",
                                                          address, process.addresses().describe(address)));
    Device& owner = process.device(static_cast<std::size_t>(found->owner));
    if (Outcome waited = owner.synchronize(); !waited) return waited;
    // Its pages change: no kernel may run.
    const std::lock_guard running(process.launching());
    const auto shared = owner.memory().share(*found);
    if (!shared) return Outcome(Status::memory_allocation, shared.error().message);
    SharedHandle handle = handle_of(Kind::memory, shared->file, owner.number());
    handle.offset = shared->offset;
    handle.size = shared->size;
    handle.slot = static_cast<std::uint32_t>(shared->slot);
    handle.serial = shared->serial;
    return handle;
}

Found<std::uint64_t> SharedMemory::open(Process& process, const SharedHandle& handle) {
    if (!is_handle(handle, Kind::memory))
        return Outcome(Status::invalid_value, "this is no handle of memory that cudaIpcGetMemHandle gave");
    const auto file = open_handle(handle);
    if (!file) return file.outcome;
    return open(process, handle, file->number());
}

Found<std::uint64_t> SharedMemory::open(Process& process, const SharedHandle& handle, int file) {
    if (handle.device < 0 || static_cast<std::size_t>(handle.device) >= process.device_count())
        return Outcome(
            Status::invalid_device,
            fmt::format("the memory is of device {}, which this process does not have", handle.device));
    const std::lock_guard lock(mutex_);
    Opened& opened = opened_[{handle.inode, handle.serial}];
    // A reset of the device closes all.
    const auto there = process.addresses().find(opened.address);
    if (opened.times > 0 && there && there->kind == exec::MemoryKind::imported) {
        ++opened.times;
        return opened.address;
    }
    bool gone = false;
    const auto address =
        process.device(static_cast<std::size_t>(handle.device)).memory().import(place_of(handle, file), gone);
    if (!address) {
        opened_.erase({handle.inode, handle.serial});
        return Outcome(gone ? Status::not_permitted : Status::memory_allocation, address.error().message);
    }
    opened = {*address, 1};
    return *address;
}

Outcome SharedMemory::close(Process& process, std::uint64_t address) {
    const auto there = process.addresses().find(address);
    if (there && there->owner != exec::no_device)
        if (Outcome waited = process.device(static_cast<std::size_t>(there->owner)).synchronize(); !waited)
            return waited;
    const std::lock_guard lock(mutex_);
    for (auto it = opened_.begin(); it != opened_.end(); ++it) {
        if (it->second.address != address || !there || there->kind != exec::MemoryKind::imported) continue;
        if (--it->second.times > 0) return {};
        opened_.erase(it);
        process.device(static_cast<std::size_t>(there->owner)).forget_memory(address);
        return {};
    }
    return Outcome(Status::invalid_value,
                   fmt::format("{:#x} was not opened with cudaIpcOpenMemHandle: it is {}", address,
                               process.addresses().describe(address)));
}

}  // namespace lockstep::session
