// Texture and surface objects of the driver API: the runtime API's, described in other words.
#include "runtime/driver-textures.h"

#include <algorithm>

namespace lockstep::runtime {
namespace {

Found<cudaResourceDesc> resource_of(const CUDA_RESOURCE_DESC& p) {
    if (p.flags != 0) return unknown_flags(p.flags);
    cudaResourceDesc resource = {};
    resource.resType = static_cast<cudaResourceType>(p.resType);
    switch (p.resType) {
        case CU_RESOURCE_TYPE_ARRAY:
            resource.res.array.array = reinterpret_cast<cudaArray_t>(p.res.array.hArray);
            return resource;
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
            resource.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(p.res.mipmap.hMipmappedArray);
            return resource;
        case CU_RESOURCE_TYPE_LINEAR: {
            const auto format = format_of(p.res.linear.format, p.res.linear.numChannels);
            if (!format) return format.outcome;
            resource.res.linear = {at(p.res.linear.devPtr), desc_of(*format), p.res.linear.sizeInBytes};
            return resource;
        }
        case CU_RESOURCE_TYPE_PITCH2D: {
            const auto& rows = p.res.pitch2D;
            const auto format = format_of(rows.format, rows.numChannels);
            if (!format) return format.outcome;
            resource.res.pitch2D = {at(rows.devPtr), desc_of(*format), rows.width, rows.height,
                                    rows.pitchInBytes};
            return resource;
        }
    }
    return Outcome(Status::invalid_value,
                   fmt::format("there is no resource of type {}", static_cast<int>(p.resType)));
}

CUDA_RESOURCE_DESC described(const cudaResourceDesc& p) {
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = static_cast<CUresourcetype>(p.resType);
    // What was made has a format that is known.
    const auto format = [](const cudaChannelFormatDesc& desc) { return *format_of(desc); };
    switch (p.resType) {
        case cudaResourceTypeArray:
            resource.res.array.hArray = reinterpret_cast<CUarray>(p.res.array.array);
            break;
        case cudaResourceTypeMipmappedArray:
            resource.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(p.res.mipmap.mipmap);
            break;
        case cudaResourceTypeLinear:
            resource.res.linear = {address_of(p.res.linear.devPtr), format_name(format(p.res.linear.desc)),
                                   format(p.res.linear.desc).channels, p.res.linear.sizeInBytes};
            break;
        case cudaResourceTypePitch2D: {
            const auto& rows = p.res.pitch2D;
            resource.res.pitch2D = {address_of(rows.devPtr),
                                    format_name(format(rows.desc)),
                                    format(rows.desc).channels,
                                    rows.width,
                                    rows.height,
                                    rows.pitchInBytes};
            break;
        }
    }
    return resource;
}

// A driver does not know how far memory goes.
void clamp_to_memory(Device& current, cudaResourceDesc& resource) {
    if (resource.resType != cudaResourceTypeLinear) return;
    auto& linear = resource.res.linear;
    if (const auto memory = current.process().addresses().find(address_of(linear.devPtr)))
        linear.sizeInBytes = std::min<size_t>(linear.sizeInBytes, memory->end() - address_of(linear.devPtr));
}

cudaTextureDesc texture_of(const CUDA_TEXTURE_DESC& p) {
    cudaTextureDesc desc = {};
    for (int a = 0; a < 3; ++a) desc.addressMode[a] = static_cast<cudaTextureAddressMode>(p.addressMode[a]);
    desc.filterMode = static_cast<cudaTextureFilterMode>(p.filterMode);
    desc.readMode = p.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    desc.sRGB = (p.flags & CU_TRSF_SRGB) != 0;
    std::copy_n(p.borderColor, 4, desc.borderColor);
    desc.normalizedCoords = (p.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    desc.maxAnisotropy = p.maxAnisotropy;
    desc.mipmapFilterMode = static_cast<cudaTextureFilterMode>(p.mipmapFilterMode);
    desc.mipmapLevelBias = p.mipmapLevelBias;
    desc.minMipmapLevelClamp = p.minMipmapLevelClamp;
    desc.maxMipmapLevelClamp = p.maxMipmapLevelClamp;
    desc.disableTrilinearOptimization = (p.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
    desc.seamlessCubemap = (p.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    return desc;
}

CUDA_TEXTURE_DESC described(const cudaTextureDesc& p) {
    CUDA_TEXTURE_DESC desc = {};
    for (int a = 0; a < 3; ++a) desc.addressMode[a] = static_cast<CUaddress_mode>(p.addressMode[a]);
    desc.filterMode = static_cast<CUfilter_mode>(p.filterMode);
    desc.flags = (p.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
                 (p.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (p.sRGB ? CU_TRSF_SRGB : 0) |
                 (p.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
                 (p.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
    desc.maxAnisotropy = p.maxAnisotropy;
    desc.mipmapFilterMode = static_cast<CUfilter_mode>(p.mipmapFilterMode);
    desc.mipmapLevelBias = p.mipmapLevelBias;
    desc.minMipmapLevelClamp = p.minMipmapLevelClamp;
    desc.maxMipmapLevelClamp = p.maxMipmapLevelClamp;
    std::copy_n(p.borderColor, 4, desc.borderColor);
    return desc;
}

cudaResourceViewDesc view_of(const CUDA_RESOURCE_VIEW_DESC& p) {
    return {static_cast<cudaResourceViewFormat>(p.format),
            p.width,
            p.height,
            p.depth,
            p.firstMipmapLevel,
            p.lastMipmapLevel,
            p.firstLayer,
            p.lastLayer};
}

}  // namespace

Found<std::uint64_t> create_texture(Device& current, const CUDA_RESOURCE_DESC& resource,
                                    const CUDA_TEXTURE_DESC& desc, const CUDA_RESOURCE_VIEW_DESC* view) {
    constexpr unsigned most_flags = 0x7f;
    if (desc.flags > most_flags) return unknown_flags(desc.flags);
    auto source = resource_of(resource);
    if (!source) return source.outcome;
    clamp_to_memory(current, source.value);
    const cudaResourceViewDesc seen = view ? view_of(*view) : cudaResourceViewDesc{};
    cudaTextureDesc read = texture_of(desc);
    cudaTextureDesc plain = read;
    plain.readMode = cudaReadModeElementType;
    plain.filterMode = cudaFilterModePoint;
    const auto looked_at = texture_of(current, *source, plain, view ? &seen : nullptr);
    if (!looked_at) return looked_at.outcome;
    // Integers of 32 bits are never read as numbers from 0 to 1, and what is read as integers is never
    // filtered, whatever the program says.
    const exec::TexelFormat format = looked_at->image->format;
    if (format.bits == 32) read.readMode = cudaReadModeElementType;
    const bool filters = desc.filterMode == CU_TR_FILTER_MODE_LINEAR;
    if (filters && format.kind != exec::ChannelKind::floating && read.readMode == cudaReadModeElementType)
        read.filterMode = cudaFilterModePoint;
    return create_texture(current, *source, read, view ? &seen : nullptr, &desc);
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* desc, const CUDA_RESOURCE_VIEW_DESC* view) {
    return driver_call("cuTexObjectCreate", Waits::no, [&](Device& current) -> Outcome {
        if (!texture || !resource || !desc) return null_pointer("texture, resource or desc");
        auto object = create_texture(current, *resource, *desc, view);
        // What is no array is a wrong description here.
        if (object.outcome.status == Status::invalid_handle) object.outcome.status = Status::invalid_value;
        if (!object) return object.outcome;
        *texture = *object;
        return {};
    });
}

// As an H200's driver: what is none is no error.
CUresult cuTexObjectDestroy(CUtexObject texture) {
    return driver_call("cuTexObjectDestroy", Waits::yes, [&](Device& current) -> Outcome {
        (void)current.objects().remove_texture(texture);
        return {};
    });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject texture) {
    return driver_call("cuTexObjectGetResourceDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!resource) return null_pointer("resource");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        *resource = described(known->resource);
        return {};
    });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* desc, CUtexObject texture) {
    return driver_call("cuTexObjectGetTextureDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        *desc = known->driver ? *known->driver : described(known->texture);
        return {};
    });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject texture) {
    return driver_call("cuTexObjectGetResourceViewDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!view) return null_pointer("view");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        const cudaResourceViewDesc seen = known->view.value_or(cudaResourceViewDesc{});
        *view = {static_cast<CUresourceViewFormat>(seen.format),
                 seen.width,
                 seen.height,
                 seen.depth,
                 seen.firstMipmapLevel,
                 seen.lastMipmapLevel,
                 seen.firstLayer,
                 seen.lastLayer,
                 {}};
        return {};
    });
}

// Whether the array was made for surfaces an H200's driver does not ask.
CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
    return driver_call("cuSurfObjectCreate", Waits::no, [&](Device& current) -> Outcome {
        if (!surface || !resource) return null_pointer("surface or resource");
        const auto source = resource_of(*resource);
        if (!source) return source.outcome;
        if (source->resType != cudaResourceTypeArray)
            return Outcome(Status::invalid_value, "a surface is made of an array");
        const auto array = array_of(current, source->res.array.array);
        if (!array) return Outcome(Status::invalid_value, array.outcome.reason);
        *surface = add_surface(current, *source, **array);
        return {};
    });
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    return driver_call("cuSurfObjectDestroy", Waits::yes, [&](Device& current) -> Outcome {
        (void)current.objects().remove_surface(surface);
        return {};
    });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject surface) {
    cudaResourceDesc source = {};
    const CUresult result = forward([&] { return cudaGetSurfaceObjectResourceDesc(&source, surface); });
    if (result != CUDA_SUCCESS) return result;
    if (!resource) return refuse_null("resource");
    *resource = described(source);
    return CUDA_SUCCESS;
}
}
