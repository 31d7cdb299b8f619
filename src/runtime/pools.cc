// Stream-ordered allocation. Work runs when it is submitted, so an allocation in a stream is just an
// allocation; pools only count what is taken from them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "runtime/call.h"
#include "runtime/graph-calls.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;

namespace {

Pools& pools() { return state().pools; }

// A device's own pool stays; a program may make others. With the pools' mutex held, like the next.
bool is_standard(cudaMemPool_t pool) {
    for (const DeviceState& device : state().devices)
        if (pool == &device.standard_pool) return true;
    return false;
}

bool is_known(cudaMemPool_t pool) { return is_standard(pool) || pools().made.count(pool) != 0; }

Outcome no_attribute(cudaMemPoolAttr attribute) {
    return Outcome(Status::invalid_value, fmt::format("pools have no attribute {} that could be used so",
                                                      static_cast<int>(attribute)));
}

Outcome take(Device& current, void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    if (!pointer) return null_pointer("pointer");
    if (size == 0) {
        *pointer = nullptr;
        return {};
    }
    const auto in = stream_of(current, stream);
    if (!in) return in.outcome;
    const std::lock_guard lock(pools().mutex);
    if (!pool) pool = state_of(*(*in)->device).current_pool;
    if (!is_known(pool)) return Outcome(Status::invalid_value, "no such memory pool");
    if (pool->import)
        return Outcome(Status::invalid_value, "memory of another process's pool is allocated there");
    Device& owner = current.process().device(static_cast<std::size_t>(pool->device));
    if (current.process().captures().of(**in)) {
        const auto memory = graph_memory(owner, size);
        if (!memory) return memory.outcome;
        *pointer = pointer_to((*memory)->address);
        return *current.process().captures().take(**in, owner, lockstep::session::AllocationNode{*memory});
    }
    if (Outcome bad = check_capture(current, "an allocation in another stream"); !bad) return bad;
    const auto address = owner.allocate(size, lockstep::exec::MemoryKind::device);
    if (!address) return address.outcome;
    *pointer = pointer_to(*address);
    pools().taken[*pointer] = {pool, size};
    for (const int peer : pool->peers)
        owner.memory().allow(*address, size, peer, lockstep::exec::DeviceAccess::read_write);
    pool->take(size);
    return {};
}

// The device whose pools a place means. A GPU has pools of the host's and of managed memory as well.
Found<Device*> device_of(Device& current, const cudaMemLocation* location, cudaMemAllocationType type) {
    if (!location) return null_pointer("location");
    if (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged)
        return Outcome(Status::invalid_value,
                       fmt::format("there are no pools of type {}", static_cast<int>(type)));
    if (location->type != cudaMemLocationTypeDevice || type == cudaMemAllocationTypeManaged)
        return Outcome::lacking(Status::not_supported,
                                "pools of the host's or of managed memory are not implemented");
    auto device = device_numbered(current.process(), location->id);
    if (!device) return Outcome(Status::invalid_value, device.outcome.reason);
    return device;
}

template <class Body>
cudaError_t with_pool(const char* name, cudaMemPool_t pool, Body&& body) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const std::lock_guard lock(pools().mutex);
        if (!is_known(pool)) return Outcome(Status::invalid_value, "no such memory pool");
        return body(current);
    });
}

}  // namespace

namespace {

constexpr std::uint64_t pool_piece = 32 << 20;  // bytes that a pool takes at once
std::uint64_t in_pieces(std::uint64_t bytes) { return (bytes + pool_piece - 1) / pool_piece * pool_piece; }

}  // namespace

void CUmemPoolHandle_st::take(std::uint64_t bytes) {
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, in_pieces(used));
    reserved_high = std::max(reserved_high, reserved);
}

void CUmemPoolHandle_st::give_back(std::uint64_t bytes) {
    used -= std::min(used, bytes);
    keep_at_most(release_threshold);
}

void CUmemPoolHandle_st::keep_at_most(std::uint64_t bytes) {
    if (reserved > bytes) reserved = std::max(in_pieces(used), bytes / pool_piece * pool_piece);
}

namespace lockstep::runtime {

void reset_pools(Device& device) {
    const std::lock_guard lock(pools().mutex);
    const auto is_of_device = [&](cudaMemPool_t pool) { return pool->device == device.number(); };
    std::erase_if(pools().taken, [&](const auto& entry) { return is_of_device(entry.second.first); });
    std::erase_if(pools().imported,
                  [&](void* pointer) { return !device.process().addresses().find(address_of(pointer)); });
    std::erase_if(pools().made, [&](const auto& entry) { return is_of_device(entry.first); });
    DeviceState& kept = state_of(device);
    kept.standard_pool = {.device = device.number()};
    kept.current_pool = &kept.standard_pool;
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
    return call("cudaMallocAsync", Waits::no,
                [&](Device& current) { return take(current, pointer, size, nullptr, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return call("cudaMallocFromPoolAsync", Waits::no, [&](Device& current) -> Outcome {
        if (!pool) return null_pointer("pool");
        return take(current, pointer, size, pool, stream);
    });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (auto freed = free_imported(current.process(), pointer)) return *freed;
        Outcome freed = (*in)->device->release(address_of(pointer), **in);
        if (!freed) return freed;
        const std::lock_guard lock(pools().mutex);
        const auto it = pools().taken.find(pointer);
        if (it == pools().taken.end()) return freed;
        const auto [pool, size] = it->second;
        if (is_known(pool)) pool->give_back(size);
        pools().taken.erase(it);
        return freed;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetDefaultMemPool", Waits::no, [&](Device& current) -> Outcome {
        const auto asked = device_numbered(current.process(), device);
        if (!asked) return asked.outcome;
        if (!pool) return null_pointer("pool");
        *pool = &state_of(**asked).standard_pool;
        return {};
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetMemPool", Waits::no, [&](Device& current) -> Outcome {
        const auto asked = device_numbered(current.process(), device);
        if (!asked) return asked.outcome;
        if (!pool) return null_pointer("pool");
        const std::lock_guard lock(pools().mutex);
        *pool = state_of(**asked).current_pool;
        return {};
    });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return with_pool("cudaDeviceSetMemPool", pool, [&](Device& current) -> Outcome {
        const auto asked = device_numbered(current.process(), device);
        if (!asked) return asked.outcome;
        if (pool->device != device)
            return Outcome(Status::invalid_value, fmt::format("the pool is of device {}", pool->device));
        state_of(**asked).current_pool = pool;
        return {};
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* props) {
    return call("cudaMemPoolCreate", Waits::no, [&](Device& current) -> Outcome {
        if (!pool || !props) return null_pointer("pool or props");
        if (props->handleTypes & ~cudaMemHandleTypePosixFileDescriptor)
            return Outcome(Status::invalid_value, "there are no such handles on this system");
        if (const auto asked = device_of(current, &props->location, props->allocType); !asked)
            return asked.outcome;
        const std::lock_guard lock(pools().mutex);
        auto made = std::make_unique<CUmemPoolHandle_st>();
        made->device = props->location.id;
        made->shareable = props->handleTypes == cudaMemHandleTypePosixFileDescriptor;
        *pool = made.get();
        pools().made.emplace(*pool, std::move(made));
        return {};
    });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
    return call("cudaMemGetDefaultMemPool", Waits::no, [&](Device& current) -> Outcome {
        if (!pool) return null_pointer("pool");
        const auto device = device_of(current, location, type);
        if (!device) return device.outcome;
        *pool = &state_of(**device).standard_pool;
        return {};
    });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
    return call("cudaMemGetMemPool", Waits::no, [&](Device& current) -> Outcome {
        if (!pool) return null_pointer("pool");
        const auto device = device_of(current, location, type);
        if (!device) return device.outcome;
        const std::lock_guard lock(pools().mutex);
        *pool = state_of(**device).current_pool;
        return {};
    });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
    return with_pool("cudaMemSetMemPool", pool, [&](Device& current) -> Outcome {
        const auto device = device_of(current, location, type);
        if (!device) return device.outcome;
        if (pool->device != (*device)->number())
            return Outcome(Status::invalid_value, "the pool is another device's");
        state_of(**device).current_pool = pool;
        return {};
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return with_pool("cudaMemPoolDestroy", pool, [&](Device&) -> Outcome {
        if (is_standard(pool)) return Outcome(Status::invalid_value, "the default pool stays");
        DeviceState& device = state().devices[static_cast<std::size_t>(pool->device)];
        if (device.current_pool == pool) device.current_pool = &device.standard_pool;
        pools().made.erase(pool);
        return {};
    });
}

// Nothing is kept back in a pool, so there is nothing to trim.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
    return with_pool("cudaMemPoolTrimTo", pool, [&](Device&) {
        pool->keep_at_most(bytes);
        return Outcome();
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
    return with_pool("cudaMemPoolSetAttribute", pool, [&](Device&) -> Outcome {
        if (!value) return null_pointer("value");
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                std::memcpy(&pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies], value,
                            sizeof(int));
                return {};
            case cudaMemPoolAttrReleaseThreshold:
                std::memcpy(&pool->release_threshold, value, sizeof pool->release_threshold);
                return {};
            case cudaMemPoolAttrUsedMemHigh:
            case cudaMemPoolAttrReservedMemHigh: {
                std::uint64_t mark;
                std::memcpy(&mark, value, sizeof mark);
                if (mark != 0) return Outcome(Status::invalid_value, "a high watermark can only be set to 0");
                if (attribute == cudaMemPoolAttrUsedMemHigh)
                    pool->used_high = pool->used;
                else
                    pool->reserved_high = pool->reserved;
                return {};
            }
            default: return no_attribute(attribute);
        }
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
    return with_pool("cudaMemPoolGetAttribute", pool, [&](Device&) -> Outcome {
        if (!value) return null_pointer("value");
        const auto put = [&](std::uint64_t number) {
            std::memcpy(value, &number, sizeof number);
            return Outcome();
        };
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                std::memcpy(value, &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies],
                            sizeof(int));
                return {};
            case cudaMemPoolAttrReleaseThreshold: return put(pool->release_threshold);
            case cudaMemPoolAttrReservedMemCurrent: return put(pool->reserved);
            case cudaMemPoolAttrUsedMemCurrent: return put(pool->used);
            case cudaMemPoolAttrReservedMemHigh: return put(pool->reserved_high);
            case cudaMemPoolAttrUsedMemHigh: return put(pool->used_high);
        }
        return no_attribute(attribute);
    });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* descriptions,
                                 size_t count) {
    return with_pool("cudaMemPoolSetAccess", pool, [&](Device& current) -> Outcome {
        for (size_t i = 0; i < count; ++i) {
            const auto& location = descriptions[i].location;
            if (const auto asked = device_numbered(current.process(), location.id); !asked)
                return asked.outcome;
            if (location.type != cudaMemLocationTypeDevice)
                return Outcome(Status::invalid_value, "only devices can be given access to a pool");
            const bool allowed = descriptions[i].flags == cudaMemAccessFlagsProtReadWrite;
            if (!allowed && descriptions[i].flags != cudaMemAccessFlagsProtNone)
                return Outcome(Status::invalid_value, "a device can use all of a pool, or nothing");
            if (location.id == pool->device && !allowed)
                return Outcome(Status::invalid_value, "a device can always access its own pool");
            if (location.id == pool->device) continue;
            if (allowed)
                pool->peers.insert(location.id);
            else
                pool->peers.erase(location.id);
            Device& owner = current.process().device(static_cast<std::size_t>(pool->device));
            for (const auto& [pointer, from] : pools().taken)
                if (from.first == pool)
                    owner.memory().allow(address_of(pointer), from.second, location.id,
                                         allowed ? lockstep::exec::DeviceAccess::read_write
                                                 : lockstep::exec::DeviceAccess::none);
        }
        return {};
    });
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation* location) {
    return with_pool("cudaMemPoolGetAccess", pool, [&](Device&) -> Outcome {
        if (!flags || !location) return null_pointer("flags or location");
        const bool own = location->type == cudaMemLocationTypeDevice &&
                         (location->id == pool->device || pool->peers.contains(location->id));
        *flags = own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
        return {};
    });
}
}

LOCKSTEP_PER_THREAD(cudaMallocAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMallocFromPoolAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaFreeAsync, _ptsz);
