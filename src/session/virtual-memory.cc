#include "session/virtual-memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "session/device.h"
#include "session/shared-files.h"

namespace lockstep::session {
namespace {

const std::string name_of_files = "lockstep memory of device ";

bool is_whole(std::uint64_t value) { return value % VirtualMemory::granularity == 0; }

Outcome not_whole(std::uint64_t size) {
    return {Status::invalid_value,
            fmt::format("{} bytes are no multiple of the granularity, {}", size, VirtualMemory::granularity)};
}

}  // namespace

VirtualMemory::Memory::~Memory() {
    if (file < 0) return;
    close(file);
    if (!imported && !of_host) device->memory().give(size);
}

Found<std::uint64_t> VirtualMemory::reserve(Device& device, std::uint64_t size, std::uint64_t alignment) {
    const std::lock_guard lock(mutex_);
    if (size == 0 || !is_whole(size)) return not_whole(size);
    if ((alignment & (alignment - 1)) != 0)
        return Outcome(Status::invalid_value, fmt::format("an alignment of {}, no power of two", alignment));
    const auto address = device.memory().reserve(size, alignment);
    if (!address) return Outcome(Status::memory_allocation, address.error().message);
    reserved_[*address] = {&device, size};
    return *address;
}

Outcome VirtualMemory::give_back(std::uint64_t address, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    const auto it = reserved_.find(address);
    if (it == reserved_.end() || it->second.size != size)
        return Outcome(Status::invalid_value,
                       fmt::format("{} bytes at {:#x} were not reserved so", size, address));
    const auto inside = mapped_.lower_bound(address);
    if (inside != mapped_.end() && inside->first < address + size)
        return Outcome(Status::invalid_value, "memory is still mapped at these addresses");
    it->second.device->memory().give_back_addresses(address);
    reserved_.erase(it);
    return {};
}

Found<VirtualMemory::Handle> VirtualMemory::create(Device& device, std::uint64_t size, bool shareable,
                                                   bool of_host) {
    const std::lock_guard lock(mutex_);
    if (size == 0 || !is_whole(size)) return not_whole(size);
    if (!of_host)
        if (auto room = device.memory().take(size); !room)
            return Outcome(Status::memory_allocation, room.error().message);
    auto memory = std::make_shared<Memory>();
    memory->device = &device;
    memory->size = size;
    memory->shareable = shareable;
    memory->of_host = of_host;
    memory->file = memfd_create((name_of_files + std::to_string(device.number())).c_str(), MFD_CLOEXEC);
    if (memory->file < 0 || ftruncate(memory->file, static_cast<off_t>(size)) != 0) {
        if (memory->file < 0 && !of_host) device.memory().give(size);
        return Outcome(Status::memory_allocation, fmt::format("the system refuses {} bytes more", size));
    }
    handles_[++last_] = {std::move(memory), 1};
    return last_;
}

Outcome VirtualMemory::release(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto it = handles_.find(handle);
    if (it == handles_.end()) return Outcome(Status::invalid_value, "no such memory, or it was released");
    if (--it->second.second == 0) handles_.erase(it);
    return {};
}

Found<VirtualMemory::Handle> VirtualMemory::handle_at(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    auto it = mapped_.upper_bound(address);
    if (it == mapped_.begin() || address >= (--it)->first + it->second.memory->size)
        return Outcome(Status::invalid_value, fmt::format("no memory is mapped at {:#x}", address));
    auto& held = handles_[it->second.handle];
    held.first = it->second.memory;
    ++held.second;
    return it->second.handle;
}

Found<VirtualMemory::Properties> VirtualMemory::properties_of(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto it = handles_.find(handle);
    if (it == handles_.end()) return Outcome(Status::invalid_value, "no such memory, or it was released");
    const Memory& memory = *it->second.first;
    return Properties{memory.device->number(), memory.shareable, memory.of_host};
}

Found<int> VirtualMemory::show(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto it = handles_.find(handle);
    if (it == handles_.end()) return Outcome(Status::invalid_value, "no such memory, or it was released");
    const Memory& memory = *it->second.first;
    if (!memory.shareable)
        return Outcome(Status::invalid_value, "the memory was made without requestedHandleTypes");
    const int file = fcntl(memory.file, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return Outcome(Status::operating_system, "the system refuses one more open file");
    return file;
}

Found<VirtualMemory::Handle> VirtualMemory::import(Process& process, int file) {
    const int number = number_in(shared_name(file), name_of_files);
    if (number < 0 || static_cast<std::size_t>(number) >= process.device_count())
        return Outcome(Status::unknown,
                       fmt::format("file {} is no memory of cuMemExportToShareableHandle", file));
    struct stat status{};
    auto memory = std::make_shared<Memory>();
    memory->device = &process.device(static_cast<std::size_t>(number));
    memory->shareable = memory->imported = true;
    memory->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (memory->file < 0 || fstat(memory->file, &status) != 0)
        return Outcome(Status::operating_system, "the system refuses one more open file");
    memory->size = static_cast<std::uint64_t>(status.st_size);
    const std::lock_guard lock(mutex_);
    handles_[++last_] = {std::move(memory), 1};
    return last_;
}

const VirtualMemory::Reserved* VirtualMemory::holder(std::uint64_t address, std::uint64_t size) const {
    auto it = reserved_.upper_bound(address);
    if (it == reserved_.begin()) return nullptr;
    --it;
    const bool inside =
        address - it->first < it->second.size && size <= it->second.size - (address - it->first);
    return inside ? &it->second : nullptr;
}

Outcome VirtualMemory::map(std::uint64_t address, std::uint64_t size, std::uint64_t offset, Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = handles_.find(handle);
    if (found == handles_.end()) return Outcome(Status::invalid_value, "no such memory, or it was released");
    const std::shared_ptr<Memory>& memory = found->second.first;
    if (size == 0) return not_whole(size);
    if (offset != 0 || size != memory->size)
        return Outcome(Status::not_supported,
                       fmt::format("CUDA maps memory as a whole: {} bytes from the begin on", memory->size));
    const Reserved* const place = holder(address, size);
    if (!place || !is_whole(address))
        return Outcome(Status::invalid_value,
                       fmt::format("{} bytes at {:#x} are no reserved addresses", size, address));
    const auto after = mapped_.lower_bound(address);
    const bool next = after != mapped_.end() && after->first < address + size;
    const bool previous =
        after != mapped_.begin() && std::prev(after)->first + std::prev(after)->second.memory->size > address;
    if (next || previous) return Outcome(Status::invalid_value, "memory is mapped there already");
    if (!place->device->memory().map(address, size, memory->file, memory->of_host))
        return Outcome(Status::memory_allocation, "the system refuses the mapping");
    mapped_[address] = {memory, handle, {}};
    return {};
}

bool VirtualMemory::is_mapped(std::uint64_t address) const {
    auto it = mapped_.upper_bound(address);
    return it != mapped_.begin() && address < (--it)->first + it->second.memory->size;
}

std::vector<VirtualMemory::Mapped*> VirtualMemory::mapped_in(std::uint64_t address, std::uint64_t size) {
    std::vector<Mapped*> all;
    std::uint64_t at = address;
    for (auto it = mapped_.find(address); it != mapped_.end() && it->first == at && at < address + size;
         ++it) {
        at += it->second.memory->size;
        all.push_back(&it->second);
    }
    if (at != address + size) all.clear();
    return all;
}

Outcome VirtualMemory::unmap(std::uint64_t address, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    const Reserved* const place = holder(address, size);
    const auto first = mapped_.lower_bound(address);
    if (place && (first == mapped_.end() || first->first >= address + size) && !is_mapped(address)) return {};
    if (!place || mapped_in(address, size).empty())
        return Outcome(Status::invalid_value,
                       fmt::format("{} bytes at {:#x} are not just what was mapped there", size, address));
    place->device->memory().unmap(address, size);
    mapped_.erase(mapped_.find(address), mapped_.lower_bound(address + size));
    return {};
}

Outcome VirtualMemory::allow(Process& process, std::uint64_t address, std::uint64_t size, int device,
                             exec::DeviceAccess access) {
    const std::lock_guard lock(mutex_);
    if (device < 0 || static_cast<std::size_t>(device) >= process.device_count())
        return Outcome(Status::invalid_value, fmt::format("there is no device {}", device));
    const Reserved* const place = holder(address, size);
    const std::vector<Mapped*> mapped = mapped_in(address, size);
    if (!place || mapped.empty())
        return Outcome(Status::invalid_value,
                       fmt::format("{} bytes at {:#x} are not all mapped", size, address));
    for (Mapped* const one : mapped) one->access.set(device, access);
    place->device->memory().allow(address, size, device, access);
    return {};
}

bool VirtualMemory::is_of_host(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto after = mapped_.upper_bound(address);
    if (after == mapped_.begin()) return false;
    const auto& [begin, mapped] = *std::prev(after);
    return address < begin + mapped.memory->size && mapped.memory->of_host;
}

Outcome VirtualMemory::allow_host(std::uint64_t address, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    const std::vector<Mapped*> mapped = mapped_in(address, size);
    if (mapped.empty())
        return Outcome(Status::invalid_value,
                       fmt::format("{} bytes at {:#x} are not all mapped", size, address));
    for (const Mapped* const one : mapped)
        if (!one->memory->of_host)
            return Outcome(Status::not_supported, "the host cannot be given access to a device's memory");
    return {};
}

Found<exec::DeviceAccess> VirtualMemory::access_of(std::uint64_t address, int device) {
    const std::lock_guard lock(mutex_);
    auto it = mapped_.upper_bound(address);
    if (it == mapped_.begin() || address >= (--it)->first + it->second.memory->size)
        return Outcome(Status::invalid_value, fmt::format("no memory is mapped at {:#x}", address));
    return it->second.access.of(device);
}

}  // namespace lockstep::session
