#include "runtime/arrays.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;
using lockstep::session::Box;
using lockstep::session::BoxSize;
using lockstep::session::Direction;

namespace {

cudaError_t copy(const char* name, Waits waits, const Box& to, const Box& from, const BoxSize& size,
                 enum cudaMemcpyKind kind, cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        return (*in)->device->copy(to, from, size, static_cast<Direction>(kind), **in, waits == Waits::yes);
    });
}

cudaError_t fill(const char* name, Waits waits, const Box& to, const BoxSize& size, int value,
                 cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        return (*in)->device->fill(to, size, static_cast<std::uint32_t>(value), 1, **in);
    });
}

Box line(const void* pointer, size_t count) { return {address_of(pointer), count, 1}; }

cudaError_t check_peers(const char* name, int destination, int source) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        for (const int number : {destination, source})
            if (const auto device = device_numbered(current.process(), number); !device)
                return device.outcome;
        return {};
    });
}

cudaError_t copy_3d(const char* name, Waits waits, const cudaMemcpy3DParms* p, cudaStream_t stream) {
    if (!p) return finish(name, null_pointer("p"));
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const auto boxes = boxes_of(current, *p);
        if (!boxes) return boxes.outcome;
        return (*in)->device->copy(boxes->to, boxes->from, boxes->size, static_cast<Direction>(p->kind), **in,
                                   waits == Waits::yes);
    });
}

cudaError_t copy_3d_peer(const char* name, Waits waits, const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
    if (!p) return finish(name, null_pointer("p"));
    if (const cudaError_t bad = check_peers(name, p->dstDevice, p->srcDevice)) return bad;
    cudaMemcpy3DParms plain = {};
    plain.srcArray = p->srcArray, plain.srcPos = p->srcPos, plain.srcPtr = p->srcPtr;
    plain.dstArray = p->dstArray, plain.dstPos = p->dstPos, plain.dstPtr = p->dstPtr;
    plain.extent = p->extent;
    plain.kind = cudaMemcpyDefault;
    return copy_3d(name, waits, &plain, stream);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind) {
    return copy("cudaMemcpy", Waits::yes, line(to, count), line(from, count), {count, 1, 1}, kind, nullptr);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy("cudaMemcpyAsync", Waits::no, line(to, count), line(from, count), {count, 1, 1}, kind,
                stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count) {
    if (const cudaError_t bad = check_peers("cudaMemcpyPeer", to_device, from_device)) return bad;
    return copy("cudaMemcpyPeer", Waits::yes, line(to, count), line(from, count), {count, 1, 1},
                cudaMemcpyDeviceToDevice, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count,
                                cudaStream_t stream) {
    if (const cudaError_t bad = check_peers("cudaMemcpyPeerAsync", to_device, from_device)) return bad;
    return copy("cudaMemcpyPeerAsync", Waits::no, line(to, count), line(from, count), {count, 1, 1},
                cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    return copy("cudaMemcpy2D", Waits::yes, {address_of(to), to_pitch, height},
                {address_of(from), from_pitch, height}, {width, height, 1}, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy("cudaMemcpy2DAsync", Waits::no, {address_of(to), to_pitch, height},
                {address_of(from), from_pitch, height}, {width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters) {
    return copy_3d("cudaMemcpy3D", Waits::yes, parameters, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return copy_3d("cudaMemcpy3DAsync", Waits::no, parameters, stream);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters) {
    return copy_3d_peer("cudaMemcpy3DPeer", Waits::yes, parameters, nullptr);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return copy_3d_peer("cudaMemcpy3DPeerAsync", Waits::no, parameters, stream);
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
    return fill("cudaMemset", Waits::no, line(pointer, count), {count, 1, 1}, value, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
    return fill("cudaMemsetAsync", Waits::no, line(pointer, count), {count, 1, 1}, value, stream);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    return fill("cudaMemset2D", Waits::no, {address_of(pointer), pitch, height}, {width, height, 1}, value,
                nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return fill("cudaMemset2DAsync", Waits::no, {address_of(pointer), pitch, height}, {width, height, 1},
                value, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
    return fill("cudaMemset3D", Waits::no, corner(pitched, {}), {extent.width, extent.height, extent.depth},
                value, nullptr);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
    return fill("cudaMemset3DAsync", Waits::no, corner(pitched, {}),
                {extent.width, extent.height, extent.depth}, value, stream);
}
}

LOCKSTEP_PER_THREAD(cudaMemcpy, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy2D, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpy2DAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy3D, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpy3DAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy3DPeer, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemset, _ptds);
LOCKSTEP_PER_THREAD(cudaMemsetAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemset2D, _ptds);
LOCKSTEP_PER_THREAD(cudaMemset2DAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemset3D, _ptds);
LOCKSTEP_PER_THREAD(cudaMemset3DAsync, _ptsz);
