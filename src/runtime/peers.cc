// Access of devices to each other's memory. All devices of a process are peers, as those of one machine with
// links between them: addresses are one range for all, so that it is a question of what kernels may reach.
#include "runtime/call.h"

using namespace lockstep::runtime;

namespace {

// Another device than the current one.
Found<Device*> peer_of(Device& current, int peer) {
    const auto other = device_numbered(current.process(), peer);
    if (!other) return other.outcome;
    if (*other == &current) return Outcome(Status::peer_access_unsupported, "a device is not its own peer");
    return other;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return call("cudaDeviceCanAccessPeer", Waits::no, [&](Device& current) -> Outcome {
        if (!can_access) return null_pointer("can_access");
        for (const int number : {device, peer})
            if (const auto asked = device_numbered(current.process(), number); !asked) return asked.outcome;
        *can_access = device != peer;
        return {};
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return call("cudaDeviceEnablePeerAccess", Waits::no, [&](Device& current) -> Outcome {
        if (flags != 0) return unknown_flags(flags);
        const auto other = peer_of(current, peer);
        if (!other) return other.outcome;
        if (current.memory().reaches_peer(peer))
            return Outcome(Status::peer_access_already_enabled,
                           fmt::format("device {} has access to device {} already", current.number(), peer));
        current.memory().reach_peer(peer, true);
        return {};
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call("cudaDeviceDisablePeerAccess", Waits::no, [&](Device& current) -> Outcome {
        if (const auto other = device_numbered(current.process(), peer); !other) return other.outcome;
        if (!current.memory().reaches_peer(peer))
            return Outcome(Status::peer_access_not_enabled,
                           fmt::format("device {} has no access to device {}", current.number(), peer));
        if (Outcome waited = current.synchronize(); !waited) return waited;
        current.memory().reach_peer(peer, false);
        return {};
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int source, int target) {
    return call("cudaDeviceGetP2PAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("value");
        for (const int number : {source, target})
            if (const auto asked = device_numbered(current.process(), number); !asked) return asked.outcome;
        if (source == target) return Outcome(Status::invalid_device, "a device is not its own peer");
        switch (attribute) {
            case cudaDevP2PAttrPerformanceRank: *value = 0; return {};
            case cudaDevP2PAttrAccessSupported:
            case cudaDevP2PAttrNativeAtomicSupported: *value = 1; return {};
            case cudaDevP2PAttrCudaArrayAccessSupported: *value = 0; return {};
        }
        return Outcome(Status::invalid_value, "there is no such attribute");
    });
}
}
