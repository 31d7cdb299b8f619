// Managed memory: what a program says of where it will be used, and asks of it again.
#include "runtime/managed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/per-thread.h"
#include "session/managed-advice.h"

using namespace lockstep::runtime;
using lockstep::exec::MemoryKind;
using lockstep::session::Advice;
using lockstep::session::MemoryPlace;

namespace {

Outcome check_location(Device& current, cudaMemLocation location) {
    const bool host =
        location.type >= cudaMemLocationTypeHost && location.type <= cudaMemLocationTypeHostNumaCurrent;
    const bool device = location.type == cudaMemLocationTypeDevice;
    if (host || (device && device_numbered(current.process(), location.id))) return {};
    return Outcome(Status::invalid_device, "no such device");
}

// A device's number, or the host's.
int number_of(const MemoryPlace& place) {
    if (place.type == 0) return cudaInvalidDeviceId;
    return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
}

Outcome give_attribute(Device& current, void* data, size_t size, cudaMemRangeAttribute attribute,
                       const void* pointer, size_t count) {
    if (!data) return null_pointer("data");
    if (Outcome bad = check_managed(current, pointer, count); !bad) return bad;
    const bool list = attribute == cudaMemRangeAttributeAccessedBy;
    if (list ? size == 0 || size % sizeof(int) != 0 : size != sizeof(int))
        return Outcome(Status::invalid_value, fmt::format("the attribute does not have {} bytes", size));
    const std::vector<Advice> all = current.process().managed_advice().of(address_of(pointer), count);
    // Where parts of the range differ, there is no one place.
    const auto place = [&](MemoryPlace Advice::* which) {
        for (const Advice& advice : all)
            if (advice.*which != all.front().*which) return MemoryPlace{};
        return all.front().*which;
    };
    int value = 0;
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            value = 1;
            for (const Advice& advice : all) value &= advice.read_mostly;
            break;
        case cudaMemRangeAttributePreferredLocation: value = number_of(place(&Advice::preferred)); break;
        case cudaMemRangeAttributeLastPrefetchLocation:
            value = number_of(place(&Advice::prefetched_to));
            break;
        case cudaMemRangeAttributePreferredLocationType: value = place(&Advice::preferred).type; break;
        case cudaMemRangeAttributePreferredLocationId: value = place(&Advice::preferred).id; break;
        case cudaMemRangeAttributeLastPrefetchLocationType: value = place(&Advice::prefetched_to).type; break;
        case cudaMemRangeAttributeLastPrefetchLocationId: value = place(&Advice::prefetched_to).id; break;
        case cudaMemRangeAttributeAccessedBy: {
            std::vector<int> devices(all.front().accessed_by.begin(), all.front().accessed_by.end());
            for (const Advice& advice : all)
                std::erase_if(devices, [&](int device) { return !advice.accessed_by.contains(device); });
            // The host comes last.
            std::rotate(devices.begin(),
                        std::find_if(devices.begin(), devices.end(), [](int d) { return d >= 0; }),
                        devices.end());
            devices.resize(size / sizeof(int), cudaInvalidDeviceId);
            std::memcpy(data, devices.data(), size);
            return {};
        }
        default:
            return Outcome(Status::invalid_value, fmt::format("there is no attribute {} of managed memory",
                                                              static_cast<int>(attribute)));
    }
    std::memcpy(data, &value, sizeof value);
    return {};
}

}  // namespace

namespace lockstep::runtime {

Outcome check_managed(Device& current, const void* pointer, size_t count) {
    if (count == 0) return Outcome(Status::invalid_value, "no bytes of managed memory are named");
    const auto found = current.process().addresses().find(address_of(pointer), count);
    if (found && (found->kind == MemoryKind::managed || found->kind == MemoryKind::host)) return {};
    return Outcome(Status::invalid_value,
                   fmt::format("{} bytes at {} are not managed memory: it is {}", count, pointer,
                               current.process().addresses().describe(address_of(pointer))));
}

Outcome prefetch(Device& current, const session::Stream& stream, const void* pointer, size_t count,
                 cudaMemLocation place) {
    if (Outcome bad = check_location(current, place); !bad) return bad;
    if (Outcome bad = check_managed(current, pointer, count); !bad) return bad;
    current.process().managed_advice().change(
        address_of(pointer), count, [&](Advice& advice) { advice.prefetched_to = {place.type, place.id}; });
    const bool to_device = place.type == cudaMemLocationTypeDevice;
    return stream.device->prefetch(address_of(pointer), count, to_device ? place.id : -1, stream);
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, struct cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream) {
    return call("cudaMemPrefetchAsync", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (flags != 0) return unknown_flags(flags);
        return prefetch(current, **in, pointer, count, location);
    });
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) {
    return call("cudaMemAdvise", Waits::no, [&](Device& current) -> Outcome {
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
            return Outcome(Status::invalid_value,
                           fmt::format("there is no advice {}", static_cast<int>(advice)));
        const bool needs_location = advice == cudaMemAdviseSetPreferredLocation ||
                                    advice == cudaMemAdviseSetAccessedBy ||
                                    advice == cudaMemAdviseUnsetAccessedBy;
        if (needs_location)
            if (const Outcome bad = check_location(current, location); !bad)
                return {Status::invalid_value, bad.reason};
        if (Outcome bad = check_managed(current, pointer, count); !bad) return bad;
        const MemoryPlace place{location.type, location.id};
        current.process().managed_advice().change(address_of(pointer), count, [&](Advice& known) {
            switch (advice) {
                case cudaMemAdviseSetReadMostly: known.read_mostly = true; break;
                case cudaMemAdviseUnsetReadMostly: known.read_mostly = false; break;
                case cudaMemAdviseSetPreferredLocation: known.preferred = place; break;
                case cudaMemAdviseUnsetPreferredLocation: known.preferred = {}; break;
                case cudaMemAdviseSetAccessedBy: known.accessed_by.insert(number_of(place)); break;
                case cudaMemAdviseUnsetAccessedBy: known.accessed_by.erase(number_of(place)); break;
            }
        });
        return {};
    });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count) {
    return call("cudaMemRangeGetAttribute", Waits::no, [&](Device& current) {
        return give_attribute(current, data, size, attribute, pointer, count);
    });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, enum cudaMemRangeAttribute* attributes,
                                      size_t number, const void* pointer, size_t count) {
    return call("cudaMemRangeGetAttributes", Waits::no, [&](Device& current) -> Outcome {
        if (!data || !sizes || !attributes || number == 0) return null_pointer("data, sizes or attributes");
        for (size_t i = 0; i < number; ++i)
            if (Outcome bad = give_attribute(current, data[i], sizes[i], attributes[i], pointer, count); !bad)
                return bad;
        return {};
    });
}
}

LOCKSTEP_PER_THREAD(cudaMemPrefetchAsync_v2, _ptsz);
