/* Texture references: variables of a program to which memory or an array is bound, as in CUDA. On the device
 * such a variable begins with the number of the object that is bound to it. */
#ifndef LOCKSTEP_HIP_TEXTURE_REFERENCES_H
#define LOCKSTEP_HIP_TEXTURE_REFERENCES_H
#include "../../hip/channel_descriptor.h"
#include "textures.h"

template <class T, int type = hipTextureType1D, enum hipTextureReadMode mode = hipReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    texture(int normalised = 0, enum hipTextureFilterMode filter = hipFilterModePoint,
            enum hipTextureAddressMode address = hipAddressModeClamp)
        : texture(normalised, filter, address, hipCreateChannelDesc<T>()) {}
    texture(int normalised, enum hipTextureFilterMode filter, enum hipTextureAddressMode address,
            struct hipChannelFormatDesc desc)
        : textureReference() {
        this->normalized = normalised;
        this->filterMode = filter;
        for (int a = 0; a < 3; ++a) this->addressMode[a] = address;
        this->channelDesc = desc;
        this->readMode = mode;
    }
};

namespace __lockstep_texture {
/* What a fetch gives: the element, or floats from 0 to 1 of it. */
template <class T, enum hipTextureReadMode mode>
struct Fetched {
    typedef T Type;
};
template <class T>
struct Fetched<T, hipReadModeNormalizedFloat> {
    typedef float Type;
};
template <class T, unsigned n>
struct Fetched<HIP_vector_type<T, n>, hipReadModeNormalizedFloat> {
    typedef HIP_vector_type<float, n> Type;
};
__attribute__((device, always_inline)) static inline hipTextureObject_t object_of(
    const textureReference& reference) {
    return *(const hipTextureObject_t*)&reference;
}
}  // namespace __lockstep_texture

#define LOCKSTEP_HIP_LIST(...) __VA_ARGS__
#define LOCKSTEP_HIP_FETCH(name, dimensions, parameters, names)                                              \
    template <class T, enum hipTextureReadMode mode>                                                         \
    __attribute__((device, always_inline)) static inline typename __lockstep_texture::Fetched<T, mode>::Type \
    name(const texture<T, dimensions, mode>& reference, LOCKSTEP_HIP_LIST parameters) {                      \
        return name<typename __lockstep_texture::Fetched<T, mode>::Type>(                                    \
            __lockstep_texture::object_of(reference), LOCKSTEP_HIP_LIST names);                              \
    }
LOCKSTEP_HIP_FETCH(tex1Dfetch, hipTextureType1D, (int x), (x))
LOCKSTEP_HIP_FETCH(tex1D, hipTextureType1D, (float x), (x))
LOCKSTEP_HIP_FETCH(tex2D, hipTextureType2D, (float x, float y), (x, y))
LOCKSTEP_HIP_FETCH(tex3D, hipTextureType3D, (float x, float y, float z), (x, y, z))
LOCKSTEP_HIP_FETCH(texCubemap, hipTextureTypeCubemap, (float x, float y, float z), (x, y, z))
LOCKSTEP_HIP_FETCH(tex1DLayered, hipTextureType1DLayered, (float x, int layer), (x, layer))
LOCKSTEP_HIP_FETCH(tex2DLayered, hipTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
LOCKSTEP_HIP_FETCH(tex1DLod, hipTextureType1D, (float x, float level), (x, level))
LOCKSTEP_HIP_FETCH(tex2DLod, hipTextureType2D, (float x, float y, float level), (x, y, level))
LOCKSTEP_HIP_FETCH(tex3DLod, hipTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
#undef LOCKSTEP_HIP_FETCH
#undef LOCKSTEP_HIP_LIST

/* What is bound to a reference. */
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                        const struct hipChannelFormatDesc& desc, size_t size = 0xffffffffu) {
    return ::hipBindTexture(offset, (const textureReference*)&t, pointer, &desc, size);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                        size_t size = 0xffffffffu) {
    return hipBindTexture(offset, t, pointer, t.channelDesc, size);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture2D(size_t* offset, const texture<T, type, mode>& t,
                                          const void* pointer, const struct hipChannelFormatDesc& desc,
                                          size_t width, size_t height, size_t pitch) {
    return ::hipBindTexture2D(offset, (const textureReference*)&t, pointer, &desc, width, height, pitch);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture2D(size_t* offset, const texture<T, type, mode>& t,
                                          const void* pointer, size_t width, size_t height, size_t pitch) {
    return hipBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToArray(const texture<T, type, mode>& t, hipArray_const_t array,
                                               const struct hipChannelFormatDesc& desc) {
    return ::hipBindTextureToArray((const textureReference*)&t, array, &desc);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToArray(const texture<T, type, mode>& t, hipArray_const_t array) {
    struct hipChannelFormatDesc desc;
    const hipError_t error = hipGetChannelDesc(&desc, array);
    return error == hipSuccess ? hipBindTextureToArray(t, array, desc) : error;
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToMipmappedArray(const texture<T, type, mode>& t,
                                                        hipMipmappedArray_const_t array,
                                                        const struct hipChannelFormatDesc& desc) {
    return ::hipBindTextureToMipmappedArray((const textureReference*)&t, array, &desc);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipUnbindTexture(const texture<T, type, mode>& t) {
    return ::hipUnbindTexture((const textureReference*)&t);
}
template <class T, int type, enum hipTextureReadMode mode>
static inline hipError_t hipGetTextureAlignmentOffset(size_t* offset, const texture<T, type, mode>& t) {
    return ::hipGetTextureAlignmentOffset(offset, (const textureReference*)&t);
}

#endif
