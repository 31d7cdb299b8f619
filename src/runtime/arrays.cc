// CUDA arrays, and copies to, from and between them.
#include "runtime/arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/call.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;
using lockstep::session::Array;
using lockstep::session::ArrayShape;
using lockstep::session::Box;
using lockstep::session::BoxSize;
using lockstep::session::Direction;
using lockstep::session::MipmappedArray;

namespace lockstep::runtime {

Found<std::shared_ptr<Array>> array_of(Device& current, const void* handle) {
    for (std::size_t number = 0; number < current.process().device_count(); ++number)
        if (auto array = current.process().device(number).arrays().find(handle)) return array;
    note_unknown(handle);
    return Outcome(Status::invalid_handle, fmt::format("{} is no CUDA array, or was freed", handle));
}

Found<std::shared_ptr<MipmappedArray>> mipmapped_of(Device& current, const void* handle) {
    for (std::size_t number = 0; number < current.process().device_count(); ++number)
        if (auto array = current.process().device(number).arrays().find_mipmapped(handle)) return array;
    note_unknown(handle);
    return Outcome(Status::invalid_handle, fmt::format("{} is no mipmapped array, or was freed", handle));
}

Found<exec::TexelFormat> format_of(const cudaChannelFormatDesc& desc) {
    return session::texel_format({desc.x, desc.y, desc.z, desc.w}, desc.f);
}

cudaChannelFormatDesc desc_of(exec::TexelFormat format) {
    const auto bits = [&](int channel) { return format.channels > channel ? int{format.bits} : 0; };
    return {bits(0), bits(1), bits(2), bits(3), static_cast<cudaChannelFormatKind>(format.kind)};
}

Box box_of(const Array& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
    return {.image = array.image, .level = array.level, .at = {x_bytes, y, z}};
}

std::shared_ptr<Array> array_with(Device& current, const Box& box) {
    for (std::size_t number = 0; box.image && number < current.process().device_count(); ++number)
        if (auto array = current.process().device(number).arrays().find(*box.image, box.level)) return array;
    return nullptr;
}

Box corner(const cudaPitchedPtr& pitched, const cudaPos& at) {
    const std::uint64_t start =
        address_of(pitched.ptr) + (at.z * pitched.ysize + at.y) * pitched.pitch + at.x;
    return {start, pitched.pitch, pitched.ysize};
}

// With an array in it, widths and the array's places are in texels.
Found<Boxes> boxes_of(Device& current, const cudaMemcpy3DParms& p) {
    std::uint64_t texel = 1;
    const auto side = [&](cudaArray_t handle, const cudaPos& at,
                          const cudaPitchedPtr& pointer) -> Found<Box> {
        if (!handle) return corner(pointer, at);
        const auto array = array_of(current, handle);
        if (!array) return array.outcome;
        texel = (*array)->image->format.bytes();
        return box_of(**array, at.x * texel, at.y, at.z);
    };
    auto to = side(p.dstArray, p.dstPos, p.dstPtr), from = side(p.srcArray, p.srcPos, p.srcPtr);
    if (!to) return to.outcome;
    if (!from) return from.outcome;
    // A pointer without a height is legal where there is one slice.
    for (Box* box : {&to.value, &from.value})
        if (!box->image && p.extent.depth == 1)
            box->rows_per_slice = std::max(box->rows_per_slice, p.extent.height);
    return Boxes{*to, *from, {p.extent.width * texel, p.extent.height, p.extent.depth}};
}

Outcome create_array(Device& current, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                     cudaExtent extent, unsigned flags) {
    if (!array || !desc) return null_pointer("array or desc");
    *array = nullptr;
    const auto format = format_of(*desc);
    if (!format) return format.outcome;
    const auto made = current.arrays().create({*format, {extent.width, extent.height, extent.depth}, flags});
    if (!made) return made.outcome;
    *array = reinterpret_cast<cudaArray_t>(*made);
    return {};
}

// Rows of an array one after the other, from a place in the middle of one: what cudaMemcpyToArray counts in.
Outcome for_each_run(const Array& array, std::size_t x, std::size_t y, std::size_t count,
                     const std::function<Outcome(const Box&, const BoxSize&, std::size_t offset)>& copy) {
    const exec::ImageLevel& level = array.image->levels[array.level];
    const std::size_t row = std::size_t{level.extent.width} * array.image->format.bytes();
    if (x >= row && count > 0)
        return Outcome(Status::invalid_value, fmt::format("byte {} of rows of {} bytes", x, row));
    for (std::size_t done = 0; done < count;) {
        const bool whole = x == 0 && count - done >= row;
        const std::size_t rows = whole ? (count - done) / row : 1;
        const std::size_t bytes = whole ? row : std::min(row - x, count - done);
        if (Outcome bad = copy(box_of(array, x, y, 0), {bytes, rows, 1}, done); !bad) return bad;
        done += bytes * rows;
        y += rows;
        x = 0;
    }
    return {};
}

}  // namespace lockstep::runtime

namespace {

Direction direction_of(cudaMemcpyKind kind) { return static_cast<Direction>(kind); }

// Between linear memory and an array.
cudaError_t copy_rows(const char* name, Waits waits, bool into_array, cudaArray_const_t handle, size_t x,
                      size_t y, const void* linear, size_t pitch, const BoxSize& size, cudaMemcpyKind kind,
                      cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const auto array = array_of(current, handle);
        if (!array) return array.outcome;
        const Box texels = box_of(**array, x, y, 0), rows{address_of(linear), pitch, size.height};
        return (*in)->device->copy(into_array ? texels : rows, into_array ? rows : texels, size,
                                   direction_of(kind), **in, waits == Waits::yes);
    });
}

cudaError_t to_array(const char* name, Waits waits, cudaArray_const_t handle, size_t x, size_t y,
                     const void* source, size_t pitch, const BoxSize& size, cudaMemcpyKind kind,
                     cudaStream_t stream) {
    return copy_rows(name, waits, true, handle, x, y, source, pitch, size, kind, stream);
}

cudaError_t from_array(const char* name, Waits waits, void* destination, size_t pitch,
                       cudaArray_const_t handle, size_t x, size_t y, const BoxSize& size, cudaMemcpyKind kind,
                       cudaStream_t stream) {
    return copy_rows(name, waits, false, handle, x, y, destination, pitch, size, kind, stream);
}

// The functions that count bytes over the ends of rows.
cudaError_t bytes_to_array(const char* name, Waits waits, cudaArray_const_t handle, size_t x, size_t y,
                           const void* source, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const auto array = array_of(current, handle);
        if (!array) return array.outcome;
        return for_each_run(**array, x, y, count, [&](const Box& to, const BoxSize& size, size_t offset) {
            return (*in)->device->copy(to, {address_of(source) + offset, size.width, size.height}, size,
                                       direction_of(kind), **in, waits == Waits::yes);
        });
    });
}

cudaError_t bytes_from_array(const char* name, Waits waits, void* destination, cudaArray_const_t handle,
                             size_t x, size_t y, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const auto array = array_of(current, handle);
        if (!array) return array.outcome;
        return for_each_run(**array, x, y, count, [&](const Box& from, const BoxSize& size, size_t offset) {
            return (*in)->device->copy({address_of(destination) + offset, size.width, size.height}, from,
                                       size, direction_of(kind), **in, waits == Waits::yes);
        });
    });
}

cudaError_t between_arrays(const char* name, cudaArray_const_t to, size_t to_x, size_t to_y,
                           cudaArray_const_t from, size_t from_x, size_t from_y, const BoxSize& size,
                           cudaMemcpyKind kind) {
    return call(name, Waits::yes, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, nullptr);
        if (!in) return in.outcome;
        const auto target = array_of(current, to), source = array_of(current, from);
        if (!target) return target.outcome;
        if (!source) return source.outcome;
        return (*in)->device->copy(box_of(**target, to_x, to_y, 0), box_of(**source, from_x, from_y, 0), size,
                                   direction_of(kind), **in, true);
    });
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
    return call("cudaMallocArray", Waits::yes, [&](Device& current) {
        return create_array(current, array, desc, {width, height, 0}, flags);
    });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                              struct cudaExtent extent, unsigned flags) {
    return call("cudaMalloc3DArray", Waits::yes,
                [&](Device& current) { return create_array(current, array, desc, extent, flags); });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const struct cudaChannelFormatDesc* desc,
                                     struct cudaExtent extent, unsigned levels, unsigned flags) {
    return call("cudaMallocMipmappedArray", Waits::yes, [&](Device& current) -> Outcome {
        if (!array || !desc) return null_pointer("array or desc");
        *array = nullptr;
        const auto format = format_of(*desc);
        if (!format) return format.outcome;
        const auto made =
            current.arrays().create({*format, {extent.width, extent.height, extent.depth}, flags}, levels);
        if (!made) return made.outcome;
        *array = reinterpret_cast<cudaMipmappedArray_t>(*made);
        return {};
    });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned number) {
    return call("cudaGetMipmappedArrayLevel", Waits::no, [&](Device& current) -> Outcome {
        if (!level) return null_pointer("level");
        const auto whole = mipmapped_of(current, array);
        if (!whole) return whole.outcome;
        if (number >= (*whole)->levels.size())
            return Outcome(Status::invalid_value,
                           fmt::format("level {} of {}", number, (*whole)->levels.size()));
        *level = reinterpret_cast<cudaArray_t>((*whole)->levels[number]);
        return {};
    });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return call("cudaFreeArray", Waits::yes, [&](Device& current) -> Outcome {
        if (!array) return {};
        const auto found = array_of(current, array);
        if (!found) return found.outcome;
        const Outcome freed = (*found)->device->arrays().destroy(array);
        if (freed) note_destroyed(array, "array");
        return freed;
    });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    return call("cudaFreeMipmappedArray", Waits::yes, [&](Device& current) -> Outcome {
        if (!array) return {};
        const auto found = mipmapped_of(current, array);
        if (!found) return found.outcome;
        const Outcome freed = (*found)->device->arrays().destroy_mipmapped(array);
        if (freed) note_destroyed(array, "mipmapped array");
        return freed;
    });
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* desc, struct cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    return call("cudaArrayGetInfo", Waits::no, [&](Device& current) -> Outcome {
        const auto found = array_of(current, array);
        if (!found) return found.outcome;
        const ArrayShape& shape = (*found)->shape;
        if (desc) *desc = desc_of(shape.format);
        if (extent) *extent = {shape.extent[0], shape.extent[1], shape.extent[2]};
        if (flags) *flags = shape.flags;
        return {};
    });
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    return call("cudaGetChannelDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        const auto found = array_of(current, array);
        if (!found) return found.outcome;
        *desc = desc_of((*found)->shape.format);
        return {};
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void* source, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
    return to_array("cudaMemcpy2DToArray", Waits::yes, array, x, y, source, pitch, {width, height, 1}, kind,
                    nullptr);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return to_array("cudaMemcpy2DToArrayAsync", Waits::no, array, x, y, source, pitch, {width, height, 1},
                    kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void* destination, size_t pitch, cudaArray_const_t array, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
    return from_array("cudaMemcpy2DFromArray", Waits::yes, destination, pitch, array, x, y,
                      {width, height, 1}, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t pitch, cudaArray_const_t array, size_t x,
                                       size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return from_array("cudaMemcpy2DFromArrayAsync", Waits::no, destination, pitch, array, x, y,
                      {width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void* source, size_t count,
                              enum cudaMemcpyKind kind) {
    return bytes_to_array("cudaMemcpyToArray", Waits::yes, array, x, y, source, count, kind, nullptr);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    return bytes_to_array("cudaMemcpyToArrayAsync", Waits::no, array, x, y, source, count, kind, stream);
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t array, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind) {
    return bytes_from_array("cudaMemcpyFromArray", Waits::yes, destination, array, x, y, count, kind,
                            nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t array, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return bytes_from_array("cudaMemcpyFromArrayAsync", Waits::no, destination, array, x, y, count, kind,
                            stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
    return between_arrays("cudaMemcpy2DArrayToArray", to, to_x, to_y, from, from_x, from_y,
                          {width, height, 1}, kind);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t count, enum cudaMemcpyKind kind) {
    return between_arrays("cudaMemcpyArrayToArray", to, to_x, to_y, from, from_x, from_y, {count, 1, 1},
                          kind);
}
}

LOCKSTEP_PER_THREAD(cudaMemcpy2DToArray, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy2DFromArray, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpyToArray, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyToArrayAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpyFromArray, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy2DArrayToArray, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyArrayToArray, _ptds);
