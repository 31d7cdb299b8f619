// One device has no peers.
#include "runtime/state.h"

using namespace lockstep::runtime;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return call("cudaDeviceCanAccessPeer", Waits::no, [&](Session&) -> Outcome {
        if (!can_access) return null_pointer("can_access");
        if (device != 0 || peer != 0) return no_device(device != 0 ? device : peer);
        *can_access = 0;
        return {};
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return call("cudaDeviceEnablePeerAccess", Waits::no, [](Session&) -> Outcome {
        return Outcome(Status::invalid_device, "there is one device, and it is not its own peer");
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call("cudaDeviceDisablePeerAccess", Waits::no, [&](Session&) -> Outcome {
        if (peer != 0) return no_device(peer);
        return Outcome(Status::peer_access_not_enabled, "there is one device, and it is not its own peer");
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr, int, int) {
    return call("cudaDeviceGetP2PAttribute", Waits::no, [&](Session&) -> Outcome {
        if (!value) return null_pointer("value");
        return Outcome(Status::invalid_device, "there is one device, and it is not its own peer");
    });
}
}
