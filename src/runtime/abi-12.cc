// What libcudart.so.12 has in another shape than libcudart.so.13.
#include "runtime/per-thread.h"

namespace lockstep::runtime {

int runtime_version() { return 12050; }

}  // namespace lockstep::runtime

namespace {

cudaMemLocation location_of(int device) {
    if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}

}  // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, count, location_of(device), 0, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise_v2(pointer, count, advice, location_of(device));
}
}

LOCKSTEP_PER_THREAD(cudaMemPrefetchAsync, _ptsz);
