#include "exec/address-map.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "exec/host-available.h"
#include "exec/memory.h"

namespace lockstep::exec {
namespace {

constexpr std::uint64_t page = 4096;      // below this address: a null pointer with an offset
constexpr std::size_t freed_kept = 4096;  // freed allocations remembered for messages
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

// Whether the process has memory mapped there at all; only then is it likely that the program meant a host
// address.
bool mapped_in_process(std::uint64_t address) {
    const std::uint64_t size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(address / size * size), size, &resident) == 0;
}

}  // namespace

void Accessors::set(int device, DeviceAccess access) {
    const std::uint32_t bit = 1u << device;
    read = access == DeviceAccess::none ? read & ~bit : read | bit;
    write = access == DeviceAccess::read_write ? write | bit : write & ~bit;
}

DeviceAccess Accessors::of(int device) const {
    if ((write >> device) & 1) return DeviceAccess::read_write;
    return (read >> device) & 1 ? DeviceAccess::read : DeviceAccess::none;
}

const char* name_of(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::device: return "device memory";
        case MemoryKind::managed: return "managed memory";
        case MemoryKind::pinned: return "pinned host memory";
        case MemoryKind::host: return "registered host memory";
        case MemoryKind::variable: return "a variable";
        case MemoryKind::runtime: return "the runtime";
        case MemoryKind::heap: return "the kernels' heap";
        case MemoryKind::mapped: return "mapped memory";
        case MemoryKind::located: return "mapped host memory";
        case MemoryKind::imported: return "device memory of another process";
    }
    return "memory";
}

AddressMap::AddressMap(MemoryRules rules) : rules_(rules), host_limit_(host_available()) {}

std::string AddressMap::noun(const Allocation& a) const {
    if ((a.kind == MemoryKind::variable || a.kind == MemoryKind::runtime) && !a.name.empty())
        return fmt::format("the {}-byte variable '{}' at {:#x}", a.size, a.name, a.address);
    // Whose it is goes without saying where there is one device.
    const bool several = devices_.size() > 1 && a.owner != no_device;
    return fmt::format("the {}-byte allocation at {:#x} ({}{})", a.size, a.address, name_of(a.kind),
                       several ? fmt::format(" of device {}", a.owner) : "");
}

const Allocation* AddressMap::holder(std::uint64_t address, std::uint64_t size) const {
    const auto after = live_.upper_bound(address);
    if (after == live_.begin()) return nullptr;
    const Allocation& candidate = std::prev(after)->second;
    if (address > candidate.end() || size > candidate.end() - address) return nullptr;
    // An empty access at the very end belongs to no allocation.
    if (address == candidate.end() && candidate.size != 0) return nullptr;
    return &candidate;
}

std::optional<Allocation> AddressMap::find(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(mutex_);
    const Allocation* found = holder(address, size);
    return found ? std::optional(*found) : std::nullopt;
}

bool AddressMap::is_in_range(std::uint64_t address) const {
    return std::any_of(devices_.begin(), devices_.end(), [&](const DeviceMemory* device) {
        return device && address >= device->begin_ && address < device->end_;
    });
}

bool AddressMap::in_device_range(std::uint64_t address) const {
    if (address < lowest_.load() || address >= highest_.load()) return false;
    const std::lock_guard lock(mutex_);
    return is_in_range(address);
}

bool AddressMap::is_reserved(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(devices_.begin(), devices_.end(), [&](const DeviceMemory* device) {
        return device && device->is_reserved(address, size);
    });
}

Result<void> AddressMap::register_host(std::uint64_t address, std::uint64_t size, int owner) {
    const std::lock_guard lock(mutex_);
    if (size == 0 || address == 0 || address + size < address)
        return Error{"no memory there to register", {}};
    for (const DeviceMemory* device : devices_)
        if (device && address < device->end_ && address + size > device->begin_)
            return Error{"this is device memory already", {}};
    const auto after = live_.lower_bound(address);
    const bool overlaps_next = after != live_.end() && after->first < address + size;
    const bool overlaps_previous = after != live_.begin() && std::prev(after)->second.end() > address;
    if (overlaps_next || overlaps_previous) return Error{"part of this memory is registered already", {}};
    live_[address] = Allocation{address, size, MemoryKind::host, {}, false, owner};
    return {};
}

bool AddressMap::release(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(address);
    if (it == live_.end()) return false;
    forget(it);
    return true;
}

void AddressMap::forget(Table::iterator it) {
    const Allocation& old = it->second;
    if (old.owner != no_device) devices_[static_cast<std::size_t>(old.owner)]->give_back(old);
    if (freed_.size() == freed_kept) freed_.erase(freed_.begin(), freed_.begin() + freed_kept / 2);
    freed_.push_back(old);
    live_.erase(it);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> AddressMap::host_ranges() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [address, allocation] : live_)
        if (allocation.kind == MemoryKind::pinned || allocation.kind == MemoryKind::host ||
            allocation.kind == MemoryKind::located)
            ranges.emplace_back(address, allocation.end());
    return ranges;
}

std::vector<Allocation> AddressMap::allocations() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> all;
    all.reserve(live_.size());
    for (const auto& [address, allocation] : live_) all.push_back(allocation);
    return all;
}

std::string AddressMap::describe(std::uint64_t address) const {
    if (address == 0) return "the null pointer";
    if (address < page) return fmt::format("{} bytes after the null pointer", address);
    const std::lock_guard lock(mutex_);

    const auto after = live_.upper_bound(address);
    const Allocation* previous = after == live_.begin() ? nullptr : &std::prev(after)->second;
    const Allocation* next = after == live_.end() ? nullptr : &after->second;
    if (previous && address < previous->end())
        return fmt::format("{} bytes inside {}", address - previous->address, noun(*previous));
    for (auto old = freed_.rbegin(); old != freed_.rend(); ++old)
        if (address >= old->address && address < old->end())
            return fmt::format("{} bytes inside {}, which was freed", address - old->address, noun(*old));

    // Registered host memory may lie anywhere; its neighbourhood is worth naming only when it is close.
    const bool in_range = is_in_range(address);
    const std::uint64_t near = in_range ? endless : 1 << 20;
    const std::uint64_t beyond = previous ? address - previous->end() : endless;
    const std::uint64_t before = next ? next->address - address : endless;
    if (beyond <= before && beyond < near) {
        if (beyond == 0) return fmt::format("just after the end of {}", noun(*previous));
        return fmt::format("{} bytes after the end of {}", beyond, noun(*previous));
    }
    if (before < near) return fmt::format("{} bytes before {}", before, noun(*next));
    if (in_range) return "device memory, but nothing is allocated";
    if (mapped_in_process(address))
        return "host memory, which kernels cannot access (copy it with cudaMemcpy, or allocate it with "
               "cudaMallocManaged or cudaMallocHost)";
    return "no memory at all";
}

}  // namespace lockstep::exec
