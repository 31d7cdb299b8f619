// Texture and surface references: variables of the program to which an object is bound. On the device such a
// variable holds the object's number.
#include <fmt/format.h>

#include <cstring>

#include "runtime/textures.h"

using namespace lockstep::runtime;
namespace exec_ns = lockstep::exec;

namespace {

// What the program registered under the address.
Found<lockstep::session::RegisteredVariable> registered(const void* reference) {
    const std::lock_guard lock(registry().mutex());
    if (auto* image = registry().image_of_variable(reference))
        for (const auto& variable : image->variables)
            if (variable.host == reference && variable.texture) return variable;
    return Outcome(static_cast<Status>(cudaErrorInvalidTexture),
                   fmt::format("{} is no texture or surface reference of this program", reference));
}

// Puts an object, or 0, behind a reference, and ends the one that was there.
Outcome bind(Device& current, const void* reference, std::uint64_t object) {
    const auto variable = current.modules().variable(reference);
    if (!variable) return variable.outcome;
    std::memcpy(pointer_to(variable->address), &object, sizeof object);
    TextureState& known = state().textures;
    const std::lock_guard lock(known.mutex);
    std::uint64_t& bound = known.bound[{&current, reference}];
    if (bound && !current.objects().remove_texture(bound)) (void)current.objects().remove_surface(bound);
    bound = object;
    return {};
}

Outcome bind_texture(Device& current, const textureReference* reference, cudaResourceDesc resource) {
    if (!reference) return null_pointer("texref");
    const auto known = registered(reference);
    if (!known) return known.outcome;
    cudaTextureDesc desc = {};
    for (int a = 0; a < 3; ++a) desc.addressMode[a] = reference->addressMode[a];
    desc.filterMode = reference->filterMode;
    desc.readMode = known->reads_floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.sRGB = reference->sRGB;
    desc.normalizedCoords = reference->normalized;
    desc.maxAnisotropy = reference->maxAnisotropy;
    desc.mipmapFilterMode = reference->mipmapFilterMode;
    desc.mipmapLevelBias = reference->mipmapLevelBias;
    desc.minMipmapLevelClamp = reference->minMipmapLevelClamp;
    desc.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
    const auto object = create_texture(current, resource, desc, nullptr);
    return object ? bind(current, reference, *object) : object.outcome;
}

}  // namespace

namespace lockstep::runtime {

Outcome align(const void*& pointer, size_t* offset) {
    const std::uint64_t address = address_of(pointer), before = address % texture_alignment;
    if (offset)
        *offset = before;
    else if (before != 0)
        return Outcome(Status::invalid_value,
                       fmt::format("{} is no multiple of {} bytes, and there is nowhere to put the offset",
                                   pointer, texture_alignment));
    pointer = pointer_to(address - before);
    return {};
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* reference, const void* pointer,
                            const struct cudaChannelFormatDesc* desc, size_t size) {
    return call("cudaBindTexture", Waits::no, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        const auto memory = current.process().addresses().find(address_of(pointer));
        if (!memory)
            return Outcome(Status::invalid_value,
                           fmt::format("{} is not device memory: it is {}", pointer,
                                       current.process().addresses().describe(address_of(pointer))));
        const std::uint64_t end = std::min(address_of(pointer) + size, memory->end());
        if (Outcome bad = align(pointer, offset); !bad) return bad;
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<void*>(pointer);
        resource.res.linear.desc = *desc;
        resource.res.linear.sizeInBytes = end - address_of(pointer);
        return bind_texture(current, reference, resource);
    });
}

cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* reference, const void* pointer,
                              const struct cudaChannelFormatDesc* desc, size_t width, size_t height,
                              size_t pitch) {
    return call("cudaBindTexture2D", Waits::no, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        if (Outcome bad = align(pointer, offset); !bad) return bad;
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = const_cast<void*>(pointer);
        resource.res.pitch2D.desc = *desc;
        resource.res.pitch2D.width = width;
        resource.res.pitch2D.height = height;
        resource.res.pitch2D.pitchInBytes = pitch;
        return bind_texture(current, reference, resource);
    });
}

cudaError_t cudaBindTextureToArray(const struct textureReference* reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc*) {
    return call("cudaBindTextureToArray", Waits::no, [&](Device& current) -> Outcome {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = const_cast<cudaArray_t>(array);
        return bind_texture(current, reference, resource);
    });
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference* reference,
                                            cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc*) {
    return call("cudaBindTextureToMipmappedArray", Waits::no, [&](Device& current) -> Outcome {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
        return bind_texture(current, reference, resource);
    });
}

cudaError_t cudaUnbindTexture(const struct textureReference* reference) {
    return call("cudaUnbindTexture", Waits::yes, [&](Device& current) -> Outcome {
        if (const auto known = registered(reference); !known) return known.outcome;
        return bind(current, reference, 0);
    });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* reference) {
    return call("cudaGetTextureAlignmentOffset", Waits::no, [&](Device& current) -> Outcome {
        if (!offset) return null_pointer("offset");
        if (const auto known = registered(reference); !known) return known.outcome;
        TextureState& known = state().textures;
        const std::lock_guard lock(known.mutex);
        if (!known.bound[{&current, reference}])
            return Outcome(static_cast<Status>(cudaErrorInvalidTextureBinding),
                           "nothing is bound to the reference");
        *offset = 0;
        return {};
    });
}

// A reference is its own symbol.
cudaError_t cudaGetTextureReference(const struct textureReference** reference, const void* symbol) {
    return call("cudaGetTextureReference", Waits::no, [&](Device&) -> Outcome {
        if (!reference) return null_pointer("texref");
        if (const auto known = registered(symbol); !known) return known.outcome;
        *reference = static_cast<const textureReference*>(symbol);
        return {};
    });
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc*) {
    return call("cudaBindSurfaceToArray", Waits::no, [&](Device& current) -> Outcome {
        if (const auto known = registered(reference); !known) return known.outcome;
        const auto found = array_of(current, array);
        if (!found) return found.outcome;
        if (!((*found)->shape.flags & lockstep::session::ArrayShape::surface))
            return Outcome(Status::invalid_value, "the array was made without cudaArraySurfaceLoadStore");
        return bind(current, reference,
                    current.objects().add(exec_ns::Surface{(*found)->image, (*found)->level}));
    });
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference** reference, const void* symbol) {
    return call("cudaGetSurfaceReference", Waits::no, [&](Device&) -> Outcome {
        if (!reference) return null_pointer("surfref");
        if (const auto known = registered(symbol); !known) return known.outcome;
        *reference = static_cast<const surfaceReference*>(symbol);
        return {};
    });
}
}
