// CUDA arrays of the driver API.
#include "runtime/driver-arrays.h"

using lockstep::exec::ChannelKind;
using lockstep::exec::TexelFormat;
using lockstep::session::ArrayShape;

namespace lockstep::runtime {
namespace {

struct FormatName {
    CUarray_format name;
    ChannelKind kind;
    std::uint8_t bits;
};
constexpr FormatName formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, ChannelKind::unsigned_int, 8},
    {CU_AD_FORMAT_UNSIGNED_INT16, ChannelKind::unsigned_int, 16},
    {CU_AD_FORMAT_UNSIGNED_INT32, ChannelKind::unsigned_int, 32},
    {CU_AD_FORMAT_SIGNED_INT8, ChannelKind::signed_int, 8},
    {CU_AD_FORMAT_SIGNED_INT16, ChannelKind::signed_int, 16},
    {CU_AD_FORMAT_SIGNED_INT32, ChannelKind::signed_int, 32},
    {CU_AD_FORMAT_HALF, ChannelKind::floating, 16},
    {CU_AD_FORMAT_FLOAT, ChannelKind::floating, 32},
};

}  // namespace

Found<TexelFormat> format_of(CUarray_format format, unsigned channels) {
    if (channels != 1 && channels != 2 && channels != 4)
        return Outcome(Status::invalid_value,
                       fmt::format("texels have 1, 2 or 4 channels, not {}", channels));
    for (const FormatName& known : formats)
        if (known.name == format)
            return TexelFormat{known.kind, known.bits, static_cast<std::uint8_t>(channels)};
    // Numbers of 10 bits, compressed blocks, planes of videos, normalised numbers.
    const auto is_in = [&](int first, int last) { return format >= first && format <= last; };
    if (is_in(0x50, 0x50) || is_in(0x91, 0xa9) || is_in(0xb0, 0xb5) || is_in(0xc0, 0xcb))
        return Outcome::lacking(
            Status::not_supported,
            fmt::format("texels of the format {:#x} are not implemented", static_cast<unsigned>(format)));
    return Outcome(Status::invalid_value,
                   fmt::format("there is no format {:#x}", static_cast<unsigned>(format)));
}

CUarray_format format_name(TexelFormat format) {
    for (const FormatName& known : formats)
        if (known.kind == format.kind && known.bits == format.bits) return known.name;
    return CU_AD_FORMAT_MAX;
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

namespace {

Found<ArrayShape> shape_of(const CUDA_ARRAY3D_DESCRIPTOR* desc) {
    if (!desc) return null_pointer("desc");
    const auto format = format_of(desc->Format, desc->NumChannels);
    if (!format) return format.outcome;
    constexpr unsigned lacking = CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT |
                                 CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
    if (desc->Flags & lacking)
        return Outcome::lacking(
            Status::not_supported,
            fmt::format("arrays for depths, for colours of a renderer, sparse ones and those that are mapped "
                        "later (flags {:#x}) are not implemented",
                        desc->Flags & lacking));
    return ArrayShape{*format, {desc->Width, desc->Height, desc->Depth}, desc->Flags};
}

Outcome create(Device& current, CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc) {
    if (!array) return null_pointer("array");
    const auto shape = shape_of(desc);
    if (!shape) return shape.outcome;
    const auto made = current.arrays().create(*shape);
    if (!made) return made.outcome;
    *array = reinterpret_cast<CUarray>(*made);
    return {};
}

template <class Body>
CUresult with_array(const char* name, CUarray handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto array = array_of(current, handle);
        return array ? body(current, **array) : array.outcome;
    });
}

template <class Body>
CUresult with_mipmapped(const char* name, CUmipmappedArray handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto array = mipmapped_of(current, handle);
        return array ? body(current, **array) : array.outcome;
    });
}

// No array here is sparse, has planes or is mapped later, so that the questions about these are wrong.
Outcome not_such(const char* what) {
    return Outcome(Status::invalid_value, fmt::format("the array was not made {}", what));
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* desc) {
    return driver_call("cuArrayCreate", Waits::yes, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        const CUDA_ARRAY3D_DESCRIPTOR flat = {desc->Width,  desc->Height,      0,
                                              desc->Format, desc->NumChannels, 0};
        return create(current, array, &flat);
    });
}

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc) {
    return driver_call("cuArray3DCreate", Waits::yes,
                       [&](Device& current) { return create(current, array, desc); });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* desc, CUarray handle) {
    return with_array("cuArrayGetDescriptor", handle, [&](Device&, const auto& array) -> Outcome {
        if (!desc) return null_pointer("desc");
        const ArrayShape& shape = array.shape;
        *desc = {shape.extent[0], shape.extent[1], format_name(shape.format), shape.format.channels};
        return {};
    });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* desc, CUarray handle) {
    return with_array("cuArray3DGetDescriptor", handle, [&](Device&, const auto& array) -> Outcome {
        if (!desc) return null_pointer("desc");
        const ArrayShape& shape = array.shape;
        *desc = {shape.extent[0],           shape.extent[1],       shape.extent[2],
                 format_name(shape.format), shape.format.channels, shape.flags};
        return {};
    });
}

CUresult cuArrayDestroy(CUarray handle) {
    return driver_call("cuArrayDestroy", Waits::yes, [&](Device& current) -> Outcome {
        const auto array = array_of(current, handle);
        if (!array) return array.outcome;
        // A level goes with its mipmapped array; an H200's driver takes this for granted, too.
        return (*array)->part ? Outcome() : (*array)->device->arrays().destroy(handle);
    });
}

CUresult cuArrayGetPlane(CUarray*, CUarray handle, unsigned) {
    return with_array("cuArrayGetPlane", handle,
                      [](Device&, const auto&) { return not_such("with a format of several planes"); });
}

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray handle) {
    return with_array("cuArrayGetSparseProperties", handle,
                      [](Device&, const auto&) { return not_such("with CUDA_ARRAY3D_SPARSE"); });
}

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray handle, CUdevice) {
    return with_array("cuArrayGetMemoryRequirements", handle,
                      [](Device&, const auto&) { return not_such("with CUDA_ARRAY3D_DEFERRED_MAPPING"); });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc,
                                unsigned levels) {
    return driver_call("cuMipmappedArrayCreate", Waits::yes, [&](Device& current) -> Outcome {
        if (!array) return null_pointer("array");
        const auto shape = shape_of(desc);
        if (!shape) return shape.outcome;
        const auto made = current.arrays().create(*shape, levels);
        if (!made) return made.outcome;
        *array = reinterpret_cast<CUmipmappedArray>(*made);
        return {};
    });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
    return forward([&] {
        return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level),
                                          reinterpret_cast<cudaMipmappedArray_const_t>(array), number);
    });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) {
    return driver_call("cuMipmappedArrayDestroy", Waits::yes, [&](Device& current) -> Outcome {
        const auto array = mipmapped_of(current, handle);
        return array ? (*array)->device->arrays().destroy_mipmapped(handle) : array.outcome;
    });
}

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray handle) {
    return with_mipmapped("cuMipmappedArrayGetSparseProperties", handle,
                          [](Device&, const auto&) { return not_such("with CUDA_ARRAY3D_SPARSE"); });
}

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray handle,
                                               CUdevice) {
    return with_mipmapped("cuMipmappedArrayGetMemoryRequirements", handle, [](Device&, const auto&) {
        return not_such("with CUDA_ARRAY3D_DEFERRED_MAPPING");
    });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* texels, CUarray_format format, unsigned channels,
                                            CUdevice device) {
    const auto known = format_of(format, channels);
    if (!known)
        return driver_call("cuDeviceGetTexture1DLinearMaxWidth", Waits::no,
                           [&](Device&) { return known.outcome; });
    const cudaChannelFormatDesc desc = desc_of(*known);
    return forward([&] { return cudaDeviceGetTexture1DLinearMaxWidth(texels, &desc, device); });
}
}
