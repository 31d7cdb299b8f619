// Texture and surface references of the driver API: variables of a module to which an object is bound. What
// is set counts from the next launch on, so that each change makes a new object; settings that fit together
// only after a later call leave nothing bound until then.
#include <algorithm>
#include <cstring>

#include "runtime/driver-textures.h"

namespace lockstep::runtime {
namespace {

auto& references_mutex() { return state().textures.references_mutex; }

// The one that stands for a variable; made when it is first asked for.
template <class Reference>
Found<Reference*> reference_to(Device& current, exec::Module* module, const char* name,
                               std::map<const void*, std::unique_ptr<Reference>>& all,
                               exec::VariableInfo::Holds holds) {
    const auto variable = current.modules().variable(module, name);
    if (!variable) return variable.outcome;
    if (variable->holds != holds)
        return Outcome(Status::symbol_not_found, fmt::format("'{}' is no such reference", name));
    const std::lock_guard lock(references_mutex());
    for (const auto& [handle, reference] : all)
        if (reference->device == &current && reference->variable == variable->address) return reference.get();
    auto made = std::make_unique<Reference>();
    made->device = &current;
    made->module = module;
    made->variable = variable->address;
    Reference* const handle = made.get();
    all.emplace(handle, std::move(made));
    return handle;
}

template <class Reference, class Body>
CUresult with(const char* name, const Reference* handle,
              std::map<const void*, std::unique_ptr<Reference>>& all, Body&& body) {
    return driver_call(name, Waits::no, [&](Device&) -> Outcome {
        const std::lock_guard lock(references_mutex());
        const auto found = all.find(handle);
        if (found == all.end())
            return Outcome(Status::invalid_handle, "no such reference, or its module was unloaded");
        return body(*found->second);
    });
}

void put_behind(ModuleReference& reference, std::uint64_t object) {
    if (reference.variable) std::memcpy(pointer_to(reference.variable), &object, sizeof object);
    if (reference.object && !reference.device->objects().remove_texture(reference.object))
        (void)reference.device->objects().remove_surface(reference.object);
    reference.object = object;
}

// A change of what is set.
template <class Body>
CUresult set(const char* name, CUtexref handle, Body&& body) {
    return with(name, handle, state().textures.references, [&](CUtexref_st& reference) -> Outcome {
        if (Outcome bad = body(reference); !bad) return bad;
        if (!reference.resource) return {};
        const auto made = create_texture(*reference.device, *reference.resource, reference.desc, nullptr);
        put_behind(reference, made ? *made : 0);
        return {};
    });
}

template <class Value, class Body>
CUresult get(const char* name, CUtexref handle, Value* out, Body&& body) {
    return with(name, handle, state().textures.references, [&](const CUtexref_st& reference) -> Outcome {
        if (!out) return null_pointer("where the answer goes");
        return body(reference);
    });
}

// What is bound, if it is of that type.
template <class Body>
Outcome bound(const CUtexref_st& reference, CUresourcetype type, Body&& body) {
    if (!reference.resource || reference.resource->resType != type)
        return Outcome(Status::invalid_value, "nothing of that kind is bound to the reference");
    body(reference.resource->res);
    return {};
}

Outcome bind(CUtexref_st& reference, const CUDA_RESOURCE_DESC& resource) {
    // Whether there is such memory, or array, is known now; the settings may still change.
    const CUDA_TEXTURE_DESC plain = {};
    const auto made = create_texture(*reference.device, resource, plain, nullptr);
    if (!made) return made.outcome;
    const exec::TexelFormat format = reference.device->objects().texture(*made)->image->format;
    (void)reference.device->objects().remove_texture(*made);
    reference.resource = resource;
    reference.format = format_name(format);
    reference.channels = format.channels;
    return {};
}

Outcome set_filter(CUfilter_mode& filter, CUfilter_mode mode) {
    if (mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR)
        return Outcome(Status::invalid_value,
                       fmt::format("there is no filter mode {}", static_cast<int>(mode)));
    filter = mode;
    return {};
}

Outcome check_override(unsigned flags) {
    return (flags & ~CU_TRSA_OVERRIDE_FORMAT) ? unknown_flags(flags) : Outcome();
}

}  // namespace

void forget_references(const Device& device, const exec::Module* module) {
    const std::lock_guard lock(references_mutex());
    const auto is_gone = [&](const auto& entry) {
        const ModuleReference& reference = *entry.second;
        return reference.device == &device && reference.module && (!module || reference.module == module);
    };
    std::erase_if(state().textures.references, is_gone);
    std::erase_if(state().textures.surface_references, is_gone);
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

CUresult cuModuleGetTexRef(CUtexref* reference, CUmodule module, const char* name) {
    return driver_call("cuModuleGetTexRef", Waits::no, [&](Device& current) -> Outcome {
        if (!reference || !name) return null_pointer("reference or name");
        const auto found =
            reference_to(current, reinterpret_cast<lockstep::exec::Module*>(module), name,
                         state().textures.references, lockstep::exec::VariableInfo::Holds::texture);
        if (!found) return found.outcome;
        *reference = *found;
        return {};
    });
}

CUresult cuModuleGetSurfRef(CUsurfref* reference, CUmodule module, const char* name) {
    return driver_call("cuModuleGetSurfRef", Waits::no, [&](Device& current) -> Outcome {
        if (!reference || !name) return null_pointer("reference or name");
        const auto found =
            reference_to(current, reinterpret_cast<lockstep::exec::Module*>(module), name,
                         state().textures.surface_references, lockstep::exec::VariableInfo::Holds::surface);
        if (!found) return found.outcome;
        *reference = *found;
        return {};
    });
}

// No kernel can name it: it only holds settings.
CUresult cuTexRefCreate(CUtexref* reference) {
    return driver_call("cuTexRefCreate", Waits::no, [&](Device& current) -> Outcome {
        if (!reference) return null_pointer("reference");
        const std::lock_guard lock(references_mutex());
        auto made = std::make_unique<CUtexref_st>();
        made->device = &current;
        *reference = made.get();
        state().textures.references.emplace(made.get(), std::move(made));
        return {};
    });
}

CUresult cuTexRefDestroy(CUtexref handle) {
    return with("cuTexRefDestroy", handle, state().textures.references,
                [&](CUtexref_st& reference) -> Outcome {
                    if (reference.module)
                        return Outcome(Status::invalid_value, "a module's reference goes with the module");
                    put_behind(reference, 0);
                    state().textures.references.erase(handle);
                    return {};
                });
}

CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned flags) {
    return set("cuTexRefSetArray", handle, [&](CUtexref_st& reference) -> Outcome {
        if (Outcome bad = check_override(flags); !bad) return bad;
        CUDA_RESOURCE_DESC resource = {};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        return bind(reference, resource);
    });
}

CUresult cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array, unsigned flags) {
    return set("cuTexRefSetMipmappedArray", handle, [&](CUtexref_st& reference) -> Outcome {
        if (Outcome bad = check_override(flags); !bad) return bad;
        CUDA_RESOURCE_DESC resource = {};
        resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        resource.res.mipmap.hMipmappedArray = array;
        return bind(reference, resource);
    });
}

CUresult cuTexRefSetAddress(size_t* offset, CUtexref handle, CUdeviceptr pointer, size_t bytes) {
    return set("cuTexRefSetAddress", handle, [&](CUtexref_st& reference) -> Outcome {
        if (bytes == 0) {
            reference.resource.reset();
            put_behind(reference, 0);
            return {};
        }
        const void* begin = at(pointer);
        if (Outcome bad = align(begin, offset); !bad) return bad;
        CUDA_RESOURCE_DESC resource = {};
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear = {address_of(begin), reference.format, reference.channels, bytes};
        return bind(reference, resource);
    });
}

CUresult cuTexRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr pointer,
                              size_t pitch) {
    return set("cuTexRefSetAddress2D", handle, [&](CUtexref_st& reference) -> Outcome {
        if (!desc) return null_pointer("desc");
        CUDA_RESOURCE_DESC resource = {};
        resource.resType = CU_RESOURCE_TYPE_PITCH2D;
        resource.res.pitch2D = {pointer, desc->Format, desc->NumChannels, desc->Width, desc->Height, pitch};
        return bind(reference, resource);
    });
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
    return set("cuTexRefSetFormat", handle, [&](CUtexref_st& reference) -> Outcome {
        const auto known = format_of(format, static_cast<unsigned>(channels));
        if (!known) return known.outcome;
        reference.format = format;
        reference.channels = static_cast<unsigned>(channels);
        if (reference.resource && reference.resource->resType == CU_RESOURCE_TYPE_LINEAR) {
            reference.resource->res.linear.format = format;
            reference.resource->res.linear.numChannels = reference.channels;
        }
        return {};
    });
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
    return set("cuTexRefSetAddressMode", handle, [&](CUtexref_st& reference) -> Outcome {
        if (dimension < 0 || dimension > 2 || mode < CU_TR_ADDRESS_MODE_WRAP ||
            mode > CU_TR_ADDRESS_MODE_BORDER)
            return Outcome(Status::invalid_value,
                           fmt::format("there is no dimension {} or no address mode {}", dimension,
                                       static_cast<int>(mode)));
        reference.desc.addressMode[dimension] = mode;
        return {};
    });
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
    return set("cuTexRefSetFilterMode", handle,
               [&](CUtexref_st& reference) { return set_filter(reference.desc.filterMode, mode); });
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
    return set("cuTexRefSetMipmapFilterMode", handle,
               [&](CUtexref_st& reference) { return set_filter(reference.desc.mipmapFilterMode, mode); });
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
    return set("cuTexRefSetMipmapLevelBias", handle, [&](CUtexref_st& reference) {
        reference.desc.mipmapLevelBias = bias;
        return Outcome();
    });
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most) {
    return set("cuTexRefSetMipmapLevelClamp", handle, [&](CUtexref_st& reference) {
        reference.desc.minMipmapLevelClamp = least;
        reference.desc.maxMipmapLevelClamp = most;
        return Outcome();
    });
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned anisotropy) {
    return set("cuTexRefSetMaxAnisotropy", handle, [&](CUtexref_st& reference) {
        reference.desc.maxAnisotropy = anisotropy;
        return Outcome();
    });
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float* colour) {
    return set("cuTexRefSetBorderColor", handle, [&](CUtexref_st& reference) -> Outcome {
        if (!colour) return null_pointer("colour");
        std::copy_n(colour, 4, reference.desc.borderColor);
        return {};
    });
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned flags) {
    return set("cuTexRefSetFlags", handle, [&](CUtexref_st& reference) -> Outcome {
        constexpr unsigned most_flags = 0x7f;
        if (flags > most_flags) return unknown_flags(flags);
        reference.desc.flags = flags;
        return {};
    });
}

CUresult cuTexRefGetAddress(CUdeviceptr* pointer, CUtexref handle) {
    return get("cuTexRefGetAddress", handle, pointer, [&](const CUtexref_st& reference) {
        if (reference.resource && reference.resource->resType == CU_RESOURCE_TYPE_PITCH2D)
            return bound(reference, CU_RESOURCE_TYPE_PITCH2D,
                         [&](const auto& res) { *pointer = res.pitch2D.devPtr; });
        return bound(reference, CU_RESOURCE_TYPE_LINEAR,
                     [&](const auto& res) { *pointer = res.linear.devPtr; });
    });
}

CUresult cuTexRefGetArray(CUarray* array, CUtexref handle) {
    return get("cuTexRefGetArray", handle, array, [&](const CUtexref_st& reference) {
        return bound(reference, CU_RESOURCE_TYPE_ARRAY, [&](const auto& res) { *array = res.array.hArray; });
    });
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray* array, CUtexref handle) {
    return get("cuTexRefGetMipmappedArray", handle, array, [&](const CUtexref_st& reference) {
        return bound(reference, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                     [&](const auto& res) { *array = res.mipmap.hMipmappedArray; });
    });
}

CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref handle, int dimension) {
    return get("cuTexRefGetAddressMode", handle, mode, [&](const CUtexref_st& reference) -> Outcome {
        if (dimension < 0 || dimension > 2)
            return Outcome(Status::invalid_value, fmt::format("there is no dimension {}", dimension));
        *mode = reference.desc.addressMode[dimension];
        return {};
    });
}

CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref handle) {
    return get("cuTexRefGetFilterMode", handle, mode, [&](const CUtexref_st& reference) {
        *mode = reference.desc.filterMode;
        return Outcome();
    });
}

CUresult cuTexRefGetFormat(CUarray_format* format, int* channels, CUtexref handle) {
    return with("cuTexRefGetFormat", handle, state().textures.references,
                [&](const CUtexref_st& reference) -> Outcome {
                    if (format) *format = reference.format;
                    if (channels) *channels = static_cast<int>(reference.channels);
                    return {};
                });
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode* mode, CUtexref handle) {
    return get("cuTexRefGetMipmapFilterMode", handle, mode, [&](const CUtexref_st& reference) {
        *mode = reference.desc.mipmapFilterMode;
        return Outcome();
    });
}

CUresult cuTexRefGetMipmapLevelBias(float* bias, CUtexref handle) {
    return get("cuTexRefGetMipmapLevelBias", handle, bias, [&](const CUtexref_st& reference) {
        *bias = reference.desc.mipmapLevelBias;
        return Outcome();
    });
}

CUresult cuTexRefGetMipmapLevelClamp(float* least, float* most, CUtexref handle) {
    return with("cuTexRefGetMipmapLevelClamp", handle, state().textures.references,
                [&](const CUtexref_st& reference) -> Outcome {
                    if (!least || !most) return null_pointer("least or most");
                    *least = reference.desc.minMipmapLevelClamp;
                    *most = reference.desc.maxMipmapLevelClamp;
                    return {};
                });
}

CUresult cuTexRefGetMaxAnisotropy(int* anisotropy, CUtexref handle) {
    return get("cuTexRefGetMaxAnisotropy", handle, anisotropy, [&](const CUtexref_st& reference) {
        *anisotropy = static_cast<int>(reference.desc.maxAnisotropy);
        return Outcome();
    });
}

CUresult cuTexRefGetBorderColor(float* colour, CUtexref handle) {
    return get("cuTexRefGetBorderColor", handle, colour, [&](const CUtexref_st& reference) {
        std::copy_n(reference.desc.borderColor, 4, colour);
        return Outcome();
    });
}

CUresult cuTexRefGetFlags(unsigned* flags, CUtexref handle) {
    return get("cuTexRefGetFlags", handle, flags, [&](const CUtexref_st& reference) {
        *flags = reference.desc.flags;
        return Outcome();
    });
}

// Since CUDA 3.2 a kernel knows the references of its module by itself.
CUresult cuParamSetTexRef(CUfunction, int, CUtexref handle) {
    return with("cuParamSetTexRef", handle, state().textures.references,
                [](const CUtexref_st&) { return Outcome(); });
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned flags) {
    return with("cuSurfRefSetArray", handle, state().textures.surface_references,
                [&](CUsurfref_st& reference) -> Outcome {
                    if (flags != 0) return unknown_flags(flags);
                    const auto found = array_of(*reference.device, array);
                    if (!found) return found.outcome;
                    if (!((*found)->shape.flags & lockstep::session::ArrayShape::surface))
                        return Outcome(Status::invalid_value,
                                       "the array was made without CUDA_ARRAY3D_SURFACE_LDST");
                    put_behind(reference, reference.device->objects().add(
                                              lockstep::exec::Surface{(*found)->image, (*found)->level}));
                    reference.array = array;
                    return {};
                });
}

CUresult cuSurfRefGetArray(CUarray* array, CUsurfref handle) {
    return with("cuSurfRefGetArray", handle, state().textures.surface_references,
                [&](const CUsurfref_st& reference) -> Outcome {
                    if (!array) return null_pointer("array");
                    if (!reference.array)
                        return Outcome(Status::invalid_value, "nothing is bound to the reference");
                    *array = reference.array;
                    return {};
                });
}
}
