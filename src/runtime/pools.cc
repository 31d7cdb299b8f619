// Stream-ordered allocation. Work runs when it is submitted, so an allocation in a stream is just an
// allocation; pools only count what is taken from them.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "runtime/per-thread.h"
#include "runtime/state.h"

using namespace lockstep::runtime;

// The type that cudaMemPool_t points to.
struct CUmemPoolHandle_st {
    std::uint64_t used = 0, used_high = 0;
    std::uint64_t release_threshold = 0;
    int reuse[3] = {1, 1, 1};  // the three switches for reuse, which change nothing here
};

namespace {

// Handles outlive the session's memory, so that pools are kept beside it.
struct Pools {
    std::mutex mutex;
    CUmemPoolHandle_st standard;
    cudaMemPool_t current = &standard;
    std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> made;
    std::map<void*, std::pair<cudaMemPool_t, size_t>> taken;

    bool known(cudaMemPool_t pool) const { return pool == &standard || made.count(pool) != 0; }
};

Pools& pools() {
    static Pools* const the_pools = new Pools;
    return *the_pools;
}

Outcome no_attribute(cudaMemPoolAttr attribute) {
    return Outcome(Status::invalid_value, fmt::format("pools have no attribute {} that could be used so",
                                                      static_cast<int>(attribute)));
}

Outcome take(Session& current, void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    if (!pointer) return null_pointer("pointer");
    if (size == 0) return Outcome(Status::invalid_value, "0 bytes");
    if (const auto in = stream_of(current, stream); !in) return in.outcome;
    const std::lock_guard lock(pools().mutex);
    if (!pool) pool = pools().current;
    if (!pools().known(pool)) return Outcome(Status::invalid_value, "no such memory pool");
    const auto address = current.allocate(size, lockstep::exec::MemoryKind::device);
    if (!address) return address.outcome;
    *pointer = pointer_to(*address);
    pools().taken[*pointer] = {pool, size};
    pool->used += size;
    pool->used_high = std::max(pool->used_high, pool->used);
    return {};
}

template <class Body>
cudaError_t with_pool(const char* name, cudaMemPool_t pool, Body&& body) {
    return call(name, Waits::no, [&](Session&) -> Outcome {
        const std::lock_guard lock(pools().mutex);
        if (!pools().known(pool)) return Outcome(Status::invalid_value, "no such memory pool");
        return body();
    });
}

}  // namespace

namespace lockstep::runtime {

void reset_pools() {
    const std::lock_guard lock(pools().mutex);
    pools().taken.clear();
    pools().made.clear();
    pools().standard = {};
    pools().current = &pools().standard;
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
    return call("cudaMallocAsync", Waits::no,
                [&](Session& current) { return take(current, pointer, size, nullptr, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return call("cudaMallocFromPoolAsync", Waits::no, [&](Session& current) -> Outcome {
        if (!pool) return null_pointer("pool");
        return take(current, pointer, size, pool, stream);
    });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", Waits::no, [&](Session& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        Outcome freed = current.release(address_of(pointer), **in);
        if (!freed) return freed;
        const std::lock_guard lock(pools().mutex);
        const auto it = pools().taken.find(pointer);
        if (it == pools().taken.end()) return freed;
        const auto [pool, size] = it->second;
        if (pools().known(pool)) pool->used -= std::min<std::uint64_t>(pool->used, size);
        pools().taken.erase(it);
        return freed;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetDefaultMemPool", Waits::no, [&](Session&) -> Outcome {
        if (device != 0) return no_device(device);
        if (!pool) return null_pointer("pool");
        *pool = &pools().standard;
        return {};
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return call("cudaDeviceGetMemPool", Waits::no, [&](Session&) -> Outcome {
        if (device != 0) return no_device(device);
        if (!pool) return null_pointer("pool");
        const std::lock_guard lock(pools().mutex);
        *pool = pools().current;
        return {};
    });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return with_pool("cudaDeviceSetMemPool", pool, [&]() -> Outcome {
        if (device != 0) return no_device(device);
        pools().current = pool;
        return {};
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* props) {
    return call("cudaMemPoolCreate", Waits::no, [&](Session&) -> Outcome {
        if (!pool || !props) return null_pointer("pool or props");
        if (props->allocType != cudaMemAllocationTypePinned)
            return Outcome(Status::invalid_value, "pools are of the type cudaMemAllocationTypePinned");
        if (props->handleTypes != cudaMemHandleTypeNone)
            return Outcome(Status::not_supported, "pools that other processes share are not implemented",
                           true);
        if (props->location.type != cudaMemLocationTypeDevice || props->location.id != 0)
            return Outcome(Status::invalid_value, "pools are of device 0");
        const std::lock_guard lock(pools().mutex);
        auto made = std::make_unique<CUmemPoolHandle_st>();
        *pool = made.get();
        pools().made.emplace(*pool, std::move(made));
        return {};
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return with_pool("cudaMemPoolDestroy", pool, [&]() -> Outcome {
        if (pool == &pools().standard) return Outcome(Status::invalid_value, "the default pool stays");
        if (pools().current == pool) pools().current = &pools().standard;
        pools().made.erase(pool);
        return {};
    });
}

// Nothing is kept back in a pool, so there is nothing to trim.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return with_pool("cudaMemPoolTrimTo", pool, [] { return Outcome(); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
    return with_pool("cudaMemPoolSetAttribute", pool, [&]() -> Outcome {
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
            case cudaMemPoolAttrReservedMemHigh: pool->used_high = pool->used; return {};
            default: return no_attribute(attribute);
        }
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
    return with_pool("cudaMemPoolGetAttribute", pool, [&]() -> Outcome {
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
            case cudaMemPoolAttrReservedMemCurrent:
            case cudaMemPoolAttrUsedMemCurrent: return put(pool->used);
            case cudaMemPoolAttrReservedMemHigh:
            case cudaMemPoolAttrUsedMemHigh: return put(pool->used_high);
        }
        return no_attribute(attribute);
    });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* descriptions,
                                 size_t count) {
    return with_pool("cudaMemPoolSetAccess", pool, [&]() -> Outcome {
        for (size_t i = 0; i < count; ++i) {
            const auto& location = descriptions[i].location;
            if (location.type != cudaMemLocationTypeDevice || location.id != 0) return no_device(location.id);
            if (descriptions[i].flags != cudaMemAccessFlagsProtReadWrite)
                return Outcome(Status::invalid_value, "a device can always access its own pool");
        }
        return {};
    });
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation* location) {
    return with_pool("cudaMemPoolGetAccess", pool, [&]() -> Outcome {
        if (!flags || !location) return null_pointer("flags or location");
        const bool own = location->type == cudaMemLocationTypeDevice && location->id == 0;
        *flags = own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
        return {};
    });
}
}

LOCKSTEP_PER_THREAD(cudaMallocAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMallocFromPoolAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaFreeAsync, _ptsz);
