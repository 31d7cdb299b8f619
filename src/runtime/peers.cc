// Access of devices to each other's memory, which is not implemented: there is none.
#include "runtime/call.h"

using namespace lockstep::runtime;

namespace {

// Why a device is not the peer of the current one.
Outcome no_peer(Device& current, int peer) {
    const auto other = device_numbered(current.process(), peer);
    if (current.process().device_count() == 1)
        return Outcome(Status::invalid_device, "there is one device, and it is not its own peer");
    if (!other) return other.outcome;
    if (*other == &current) return Outcome(Status::invalid_device, "a device is not its own peer");
    return Outcome::lacking(Status::peer_access_unsupported,
                            "access to the memory of other devices is not implemented");
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return call("cudaDeviceCanAccessPeer", Waits::no, [&](Device& current) -> Outcome {
        if (!can_access) return null_pointer("can_access");
        for (const int number : {device, peer})
            if (const auto asked = device_numbered(current.process(), number); !asked) return asked.outcome;
        *can_access = 0;
        return {};
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return call("cudaDeviceEnablePeerAccess", Waits::no,
                [&](Device& current) { return no_peer(current, peer); });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call("cudaDeviceDisablePeerAccess", Waits::no, [&](Device& current) -> Outcome {
        if (const auto other = device_numbered(current.process(), peer); !other) return other.outcome;
        return Outcome(Status::peer_access_not_enabled, no_peer(current, peer).reason);
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr, int, int peer) {
    return call("cudaDeviceGetP2PAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("value");
        return no_peer(current, peer);
    });
}
}
