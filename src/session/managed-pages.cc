#include "session/managed-pages.h"

#include <algorithm>

#include "session/device.h"

namespace lockstep::session {
namespace {

constexpr std::uint64_t block = exec::DeviceMemory::managed_block;

exec::DeviceMemory& memory_of(Process& process, const exec::Allocation& allocation) {
    return process.device(static_cast<std::size_t>(allocation.owner)).memory();
}

}  // namespace

ManagedPages::Memory& ManagedPages::known(const exec::Allocation& allocation) {
    Memory& memory = memory_[allocation.address];
    memory.allocation = allocation;
    memory.blocks.resize((allocation.size + block - 1) / block);
    return memory;
}

// Blocks come to who touches them, unless the advice says that they stay where they are; those that nobody
// had are just there. The bytes that were fetched.
std::uint64_t ManagedPages::touch(Memory& memory, const std::vector<bool>& touched, Places who, int device) {
    const std::uint64_t begin = memory.allocation.address, end = memory.allocation.end();
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < touched.size() && i < memory.blocks.size(); ++i) {
        Places& places = memory.blocks[i];
        if (!touched[i] || places == who) continue;
        const std::uint64_t at = begin + i * block, size = std::min(block, end - at);
        const Advice advice = advice_.of(at, 1).front();
        const bool elsewhere = places != 0 && !(places & who);
        constexpr int in_device = 1;  // as cudaMemLocationType numbers it
        const bool preferred_here =
            advice.preferred.type == in_device ? advice.preferred.id == device : device < 0;
        // It is read and written where it is.
        if (elsewhere &&
            (advice.accessed_by.contains(device) || (advice.preferred.type != 0 && !preferred_here)))
            continue;
        if (elsewhere) bytes += size;
        places = advice.read_mostly ? places | who : who;
    }
    return bytes;
}

void ManagedPages::host_goes_on() {
    const std::lock_guard lock(mutex_);
    for (auto& [address, memory] : memory_) {
        if (!memory.reached) continue;
        memory_of(process_, memory.allocation).forget_touches(memory.allocation);
        memory.reached = false;
    }
    host_had_turn_ = true;
}

PageMoves ManagedPages::before() {
    const std::lock_guard lock(mutex_);
    PageMoves moves;
    if (!host_had_turn_) return moves;
    host_had_turn_ = false;
    // Memory in the same pages is forgotten together: all is looked at before.
    std::vector<exec::Allocation> looked_at;
    for (const exec::Allocation& allocation : process_.addresses().allocations()) {
        if (allocation.kind != exec::MemoryKind::managed || allocation.owner == exec::no_device) continue;
        const std::vector<bool> touched = memory_of(process_, allocation).touched(allocation);
        if (std::find(touched.begin(), touched.end(), true) == touched.end()) continue;
        moves.to_host += touch(known(allocation), touched, host, -1);
        looked_at.push_back(allocation);
    }
    for (const exec::Allocation& allocation : looked_at)
        memory_of(process_, allocation).forget_touches(allocation);
    return moves;
}

PageMoves ManagedPages::after(Device& device) {
    PageMoves moves;
    const Places who = of_device(device.number());
    for (const std::uint64_t address : device.memory().take_reached()) {
        const auto allocation = process_.addresses().find(address);
        if (!allocation || allocation->owner == exec::no_device) continue;
        const std::lock_guard lock(mutex_);
        Memory& memory = known(*allocation);
        memory.reached = true;
        if (std::all_of(memory.blocks.begin(), memory.blocks.end(), [&](Places p) { return (p & who) != 0; }))
            continue;
        moves.to_device +=
            touch(memory, memory_of(process_, *allocation).touched(*allocation), who, device.number());
    }
    return moves;
}

PageMoves ManagedPages::prefetch(std::uint64_t address, std::uint64_t size, int device) {
    const auto allocation = process_.addresses().find(address, size);
    PageMoves moves;
    if (!allocation || allocation->kind != exec::MemoryKind::managed || allocation->owner == exec::no_device)
        return moves;
    const std::lock_guard lock(mutex_);
    Memory& memory = known(*allocation);
    const Places who = device < 0 ? host : of_device(device);
    const std::uint64_t first = (address - allocation->address) / block;
    const std::uint64_t last = (address + size - 1 - allocation->address) / block;
    std::uint64_t& bytes = device < 0 ? moves.to_host : moves.to_device;
    for (std::uint64_t i = first; i <= last; ++i) {
        Places& places = memory.blocks[i];
        if (places & who) continue;
        const std::uint64_t at = allocation->address + i * block;
        if (places != 0) bytes += std::min(block, allocation->end() - at);
        places = advice_.of(at, 1).front().read_mostly ? places | who : who;
    }
    return moves;
}

void ManagedPages::discard(std::uint64_t address, std::uint64_t size) {
    const auto allocation = process_.addresses().find(address, size);
    if (!allocation || allocation->kind != exec::MemoryKind::managed || allocation->owner == exec::no_device)
        return;
    const std::lock_guard lock(mutex_);
    Memory& memory = known(*allocation);
    const std::uint64_t begin = address - allocation->address, end = begin + size;
    for (std::uint64_t i = (begin + block - 1) / block; i < memory.blocks.size(); ++i)
        if (std::min((i + 1) * block, allocation->size) <= end) memory.blocks[i] = 0;
}

void ManagedPages::ignore(std::uint64_t address) {
    const auto allocation = process_.addresses().find(address);
    if (allocation && allocation->kind == exec::MemoryKind::managed && allocation->owner != exec::no_device)
        memory_of(process_, *allocation).forget_touches(*allocation);
}

void ManagedPages::forget(const exec::Allocation& allocation) {
    const std::lock_guard lock(mutex_);
    memory_.erase(allocation.address);
}

}  // namespace lockstep::session
