// The driver API's copies of boxes: rows and slices of memory and of arrays.
#include <algorithm>

#include "runtime/arrays.h"
#include "runtime/driver.h"

using namespace lockstep::runtime;
using lockstep::session::Box;
using lockstep::session::BoxSize;
using lockstep::session::Direction;

namespace {

// One end of a copy, of two dimensions or three.
struct Side {
    CUmemorytype type{};
    const void* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    size_t pitch = 0, rows_per_slice = 0;
    size_t x = 0, y = 0, z = 0, level = 0;

    bool is_device() const { return type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_ARRAY; }
    bool by_address() const { return type == CU_MEMORYTYPE_UNIFIED; }
};

Side source(const CUDA_MEMCPY2D& p) {
    return {p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, p.srcPitch, 0, p.srcXInBytes, p.srcY, 0, 0};
}
Side target(const CUDA_MEMCPY2D& p) {
    return {p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, p.dstPitch, 0, p.dstXInBytes, p.dstY, 0, 0};
}
template <class Copy3D>
Side source(const Copy3D& p) {
    return {p.srcMemoryType, p.srcHost,     p.srcDevice, p.srcArray, p.srcPitch,
            p.srcHeight,     p.srcXInBytes, p.srcY,      p.srcZ,     p.srcLOD};
}
template <class Copy3D>
Side target(const Copy3D& p) {
    return {p.dstMemoryType, p.dstHost,     p.dstDevice, p.dstArray, p.dstPitch,
            p.dstHeight,     p.dstXInBytes, p.dstY,      p.dstZ,     p.dstLOD};
}

Found<Box> box_at(Device& current, const Side& side, const BoxSize& size) {
    if (side.level != 0)
        return Outcome(Status::invalid_value, "srcLOD and dstLOD are 0: a level is an array of its own");
    switch (side.type) {
        case CU_MEMORYTYPE_ARRAY: {
            if (!side.array) return null_pointer("srcArray or dstArray");
            const auto array = array_of(current, side.array);
            if (!array) return array.outcome;
            return box_of(**array, side.x, side.y, side.z);
        }
        case CU_MEMORYTYPE_HOST:
        case CU_MEMORYTYPE_DEVICE:
        case CU_MEMORYTYPE_UNIFIED: {
            const std::uint64_t base = side.type == CU_MEMORYTYPE_HOST ? address_of(side.host) : side.device;
            const std::uint64_t pitch = side.pitch ? side.pitch : size.width;
            // What is not told is as large as the copy.
            const std::uint64_t rows = size.depth == 1 || side.rows_per_slice == 0
                                           ? std::max<std::uint64_t>(side.rows_per_slice, size.height)
                                           : side.rows_per_slice;
            return Box{base + (side.z * rows + side.y) * pitch + side.x, pitch, rows};
        }
    }
    return Outcome(Status::invalid_value,
                   fmt::format("there is no memory of the type {}", static_cast<int>(side.type)));
}

CUresult copy_box(const char* name, const Side& to, const Side& from, const BoxSize& size, CUstream stream,
                  Waits waits) {
    return driver_call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const auto into = box_at(current, to, size), out_of = box_at(current, from, size);
        if (!into) return into.outcome;
        if (!out_of) return out_of.outcome;
        const auto direction = to.by_address() || from.by_address()
                                   ? Direction::by_address
                                   : static_cast<Direction>((from.is_device() ? 2 : 0) + to.is_device());
        return (*in)->device->copy(*into, *out_of, size, direction, **in, waits == Waits::yes);
    });
}

CUresult copy_2d(const char* name, const CUDA_MEMCPY2D* p, CUstream stream, Waits waits) {
    if (!p) return refuse_null("p");
    return copy_box(name, target(*p), source(*p), {p->WidthInBytes, p->Height, 1}, stream, waits);
}

template <class Copy3D>
CUresult copy_3d(const char* name, const Copy3D* p, CUstream stream, Waits waits) {
    if (!p) return refuse_null("p");
    return copy_box(name, target(*p), source(*p), {p->WidthInBytes, p->Height, p->Depth}, stream, waits);
}

CUresult copy_3d_peer(const char* name, const CUDA_MEMCPY3D_PEER* p, CUstream stream, Waits waits) {
    if (!p) return refuse_null("p");
    for (const CUcontext context : {p->srcContext, p->dstContext})
        if (context && !is_context(context)) return refuse_context();
    return copy_3d(name, p, stream, waits);
}

// Bytes of an array of one dimension.
Side bytes_of(CUarray array, size_t offset) {
    Side side;
    side.type = CU_MEMORYTYPE_ARRAY;
    side.array = array;
    side.x = offset;
    return side;
}
Side bytes_of(CUdeviceptr device) {
    Side side;
    side.type = CU_MEMORYTYPE_DEVICE;
    side.device = device;
    return side;
}
Side bytes_of(const void* host) {
    Side side;
    side.type = CU_MEMORYTYPE_HOST;
    side.host = host;
    return side;
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return copy_2d("cuMemcpy2D", copy, nullptr, Waits::yes); }

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
    return copy_2d("cuMemcpy2DUnaligned", copy, nullptr, Waits::yes);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
    return copy_2d("cuMemcpy2DAsync", copy, stream, Waits::no);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return copy_3d("cuMemcpy3D", copy, nullptr, Waits::yes); }

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
    return copy_3d("cuMemcpy3DAsync", copy, stream, Waits::no);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
    return copy_3d_peer("cuMemcpy3DPeer", copy, nullptr, Waits::yes);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
    return copy_3d_peer("cuMemcpy3DPeerAsync", copy, stream, Waits::no);
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t count) {
    return copy_box("cuMemcpyDtoA", bytes_of(to, offset), bytes_of(from), {count, 1, 1}, nullptr, Waits::yes);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t count) {
    return copy_box("cuMemcpyAtoD", bytes_of(to), bytes_of(from, offset), {count, 1, 1}, nullptr, Waits::yes);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t count) {
    return copy_box("cuMemcpyHtoA", bytes_of(to, offset), bytes_of(from), {count, 1, 1}, nullptr, Waits::yes);
}

CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t count) {
    return copy_box("cuMemcpyAtoH", bytes_of(to), bytes_of(from, offset), {count, 1, 1}, nullptr, Waits::yes);
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t count) {
    return copy_box("cuMemcpyAtoA", bytes_of(to, to_offset), bytes_of(from, from_offset), {count, 1, 1},
                    nullptr, Waits::yes);
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t count, CUstream stream) {
    return copy_box("cuMemcpyHtoAAsync", bytes_of(to, offset), bytes_of(from), {count, 1, 1}, stream,
                    Waits::no);
}

CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t count, CUstream stream) {
    return copy_box("cuMemcpyAtoHAsync", bytes_of(to), bytes_of(from, offset), {count, 1, 1}, stream,
                    Waits::no);
}
}
