/* tex1D … tex3D, surf1Dread … surf3Dwrite, for texture and surface objects and for the references of CUDA 11 and before. */
#ifndef LOCKSTEP_TEXTURES_H
#define LOCKSTEP_TEXTURES_H
#include "../channel_descriptor.h"
#include "../cuda_runtime_api.h"
#include "texture-fetch.h"

/* A variable of this type is an object's number on the device, which cudaBindTexture fills. */
template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __host__ texture(int normalised = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                     enum cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(normalised, filter, address, cudaCreateChannelDesc<T>()) {}
    __host__ texture(int normalised, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                     struct cudaChannelFormatDesc desc)
        : textureReference() {
        this->normalized = normalised;
        this->filterMode = filter;
        for (int a = 0; a < 3; ++a) this->addressMode[a] = address;
        this->channelDesc = desc;
    }
};

template <class T, int dim = 1>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
    __host__ surface() : surfaceReference() { this->channelDesc = cudaCreateChannelDesc<T>(); }
};
template <int dim>
struct __attribute__((device_builtin_surface_type)) surface<void, dim> : public surfaceReference {
    __host__ surface() : surfaceReference() {
        this->channelDesc.x = this->channelDesc.y = this->channelDesc.z = this->channelDesc.w = 0;
        this->channelDesc.f = cudaChannelFormatKindNone;
    }
};

namespace lockstep_textures {

template <class Reference>
__device__ inline object bound_to(Reference reference) {
    object found;
    asm("mov.b64 %0, %1;" : "=l"(found) : "l"(reference));
    return found;
}

/* What a fetch gives: the texel, or numbers from 0 to 1 in its place. */
template <class T, enum cudaTextureReadMode mode>
struct result {
    typedef T type;
};
template <class T>
struct result<T, cudaReadModeNormalizedFloat> {
    typedef typename texel<T>::number type;
};

}  // namespace lockstep_textures

/* LOCKSTEP_TEXTURE(function, geometry of a reference, how it is fetched, parameters, arguments) */
#define LOCKSTEP_TEXTURE(name, geometry, fetched, parameters, ...)                                                     \
    template <class T>                                                                                                 \
    __device__ inline T name(cudaTextureObject_t t, LOCKSTEP_STRIP parameters) {                                       \
        typedef lockstep_textures::texel<T> texel;                                                                     \
        return texel::pick(lockstep_textures::fetch<typename texel::raw>::fetched(t, __VA_ARGS__));                    \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    __device__ inline void name(T* result, cudaTextureObject_t t, LOCKSTEP_STRIP parameters) {                         \
        *result = name<T>(t, __VA_ARGS__);                                                                             \
    }                                                                                                                  \
    template <class T, enum cudaTextureReadMode mode>                                                                  \
    __device__ inline typename lockstep_textures::result<T, mode>::type name(texture<T, geometry, mode> t,             \
                                                                             LOCKSTEP_STRIP parameters) {              \
        return name<typename lockstep_textures::result<T, mode>::type>(lockstep_textures::bound_to(t), __VA_ARGS__);   \
    }
#define LOCKSTEP_STRIP(...) __VA_ARGS__

LOCKSTEP_TEXTURE(tex1Dfetch, cudaTextureType1D, index, (int x), x)
LOCKSTEP_TEXTURE(tex1D, cudaTextureType1D, d1, (float x), x)
LOCKSTEP_TEXTURE(tex2D, cudaTextureType2D, d2, (float x, float y), x, y)
LOCKSTEP_TEXTURE(tex3D, cudaTextureType3D, d3, (float x, float y, float z), x, y, z)
LOCKSTEP_TEXTURE(tex1DLayered, cudaTextureType1DLayered, a1d, (float x, int layer), x, layer)
LOCKSTEP_TEXTURE(tex2DLayered, cudaTextureType2DLayered, a2d, (float x, float y, int layer), x, y, layer)
LOCKSTEP_TEXTURE(texCubemap, cudaTextureTypeCubemap, cube, (float x, float y, float z), x, y, z)
LOCKSTEP_TEXTURE(texCubemapLayered, cudaTextureTypeCubemapLayered, acube, (float x, float y, float z, int layer), x, y, z, layer)
LOCKSTEP_TEXTURE(tex1DLod, cudaTextureType1D, level_1d, (float x, float level), x, level)
LOCKSTEP_TEXTURE(tex2DLod, cudaTextureType2D, level_2d, (float x, float y, float level), x, y, level)
LOCKSTEP_TEXTURE(tex3DLod, cudaTextureType3D, level_3d, (float x, float y, float z, float level), x, y, z, level)
LOCKSTEP_TEXTURE(tex1DLayeredLod, cudaTextureType1DLayered, level_a1d, (float x, int layer, float level), x, layer, level)
LOCKSTEP_TEXTURE(tex2DLayeredLod, cudaTextureType2DLayered, level_a2d, (float x, float y, int layer, float level), x, y, layer, level)
LOCKSTEP_TEXTURE(texCubemapLod, cudaTextureTypeCubemap, level_cube, (float x, float y, float z, float level), x, y, z, level)
LOCKSTEP_TEXTURE(texCubemapLayeredLod, cudaTextureTypeCubemapLayered, level_acube, (float x, float y, float z, int layer, float level), x, y, z, layer, level)
LOCKSTEP_TEXTURE(tex1DGrad, cudaTextureType1D, grad_1d, (float x, float dx, float dy), x, dx, dy)
LOCKSTEP_TEXTURE(tex2DGrad, cudaTextureType2D, grad_2d, (float x, float y, float2 dx, float2 dy), x, y, dx, dy)
LOCKSTEP_TEXTURE(tex3DGrad, cudaTextureType3D, grad_3d, (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx, dy)
LOCKSTEP_TEXTURE(tex1DLayeredGrad, cudaTextureType1DLayered, grad_a1d, (float x, int layer, float dx, float dy), x, layer, dx, dy)
LOCKSTEP_TEXTURE(tex2DLayeredGrad, cudaTextureType2DLayered, grad_a2d, (float x, float y, int layer, float2 dx, float2 dy), x, y, layer, dx, dy)
#undef LOCKSTEP_TEXTURE

/* Four texels of one channel; the result has four elements of the texels' type. */
template <class T>
__device__ inline T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0) {
    typedef lockstep_textures::texel<T> texel;
    return texel::pick(lockstep_textures::fetch<typename texel::raw>::gather(t, x, y, channel));
}
template <class T>
__device__ inline void tex2Dgather(T* result, cudaTextureObject_t t, float x, float y, int channel = 0) {
    *result = tex2Dgather<T>(t, x, y, channel);
}

/* LOCKSTEP_SURFACE(name, geometry of a reference, how it is accessed, parameters, arguments) */
#define LOCKSTEP_SURFACE(name, geometry, accessed, parameters, ...)                                                     \
    template <class T>                                                                                                  \
    __device__ inline T name##read(cudaSurfaceObject_t s, LOCKSTEP_STRIP parameters,                                    \
                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
        unsigned words[4];                                                                                              \
        lockstep_textures::surface<sizeof(T)>::load_##accessed(words, s, mode, __VA_ARGS__);                            \
        return lockstep_textures::from_words<T>(words);                                                                 \
    }                                                                                                                   \
    template <class T>                                                                                                  \
    __device__ inline void name##read(T* result, cudaSurfaceObject_t s, LOCKSTEP_STRIP parameters,                      \
                                      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
        *result = name##read<T>(s, __VA_ARGS__, mode);                                                                  \
    }                                                                                                                   \
    template <class T>                                                                                                  \
    __device__ inline void name##write(T value, cudaSurfaceObject_t s, LOCKSTEP_STRIP parameters,                       \
                                       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
        unsigned words[4] = {};                                                                                         \
        lockstep_textures::to_words(words, value);                                                                      \
        lockstep_textures::surface<sizeof(T)>::store_##accessed(words, s, mode, __VA_ARGS__);                           \
    }                                                                                                                   \
    template <class T>                                                                                                  \
    __device__ inline T name##read(surface<void, geometry> s, LOCKSTEP_STRIP parameters,                                \
                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
        return name##read<T>(lockstep_textures::bound_to(s), __VA_ARGS__, mode);                                        \
    }                                                                                                                   \
    template <class T>                                                                                                  \
    __device__ inline void name##read(T* result, surface<void, geometry> s, LOCKSTEP_STRIP parameters,                  \
                                      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
        *result = name##read<T>(lockstep_textures::bound_to(s), __VA_ARGS__, mode);                                     \
    }                                                                                                                   \
    template <class T>                                                                                                  \
    __device__ inline void name##write(T value, surface<void, geometry> s, LOCKSTEP_STRIP parameters,                   \
                                       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
        name##write<T>(value, lockstep_textures::bound_to(s), __VA_ARGS__, mode);                                       \
    }
LOCKSTEP_SURFACE(surf1D, cudaSurfaceType1D, 1d, (int x), x)
LOCKSTEP_SURFACE(surf2D, cudaSurfaceType2D, 2d, (int x, int y), x, y)
LOCKSTEP_SURFACE(surf3D, cudaSurfaceType3D, 3d, (int x, int y, int z), x, y, z)
LOCKSTEP_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, a1d, (int x, int layer), x, layer)
LOCKSTEP_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, a2d, (int x, int y, int layer), x, y, layer)
LOCKSTEP_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, a2d, (int x, int y, int face), x, y, face)
LOCKSTEP_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, a2d, (int x, int y, int layer_face), x, y, layer_face)
#undef LOCKSTEP_SURFACE
#undef LOCKSTEP_STRIP

/* The old functions that bind references, by their types. */
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                          const struct cudaChannelFormatDesc& desc, size_t size = 0xffffffffu) {
    return cudaBindTexture(offset, static_cast<const textureReference*>(&t), pointer, &desc, size);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                          size_t size = 0xffffffffu) {
    return cudaBindTexture(offset, t, pointer, t.channelDesc, size);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                            const struct cudaChannelFormatDesc& desc, size_t width, size_t height,
                                            size_t pitch) {
    return cudaBindTexture2D(offset, static_cast<const textureReference*>(&t), pointer, &desc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& t, const void* pointer,
                                            size_t width, size_t height, size_t pitch) {
    return cudaBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& t, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc& desc) {
    return cudaBindTextureToArray(static_cast<const textureReference*>(&t), array, &desc);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& t, cudaArray_const_t array) {
    struct cudaChannelFormatDesc desc;
    const cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindTextureToArray(t, array, desc) : error;
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& t,
                                                          cudaMipmappedArray_const_t array,
                                                          const struct cudaChannelFormatDesc& desc) {
    return cudaBindTextureToMipmappedArray(static_cast<const textureReference*>(&t), array, &desc);
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& t) {
    return cudaUnbindTexture(static_cast<const textureReference*>(&t));
}
template <class T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, type, mode>& t) {
    return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&t));
}
template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& s, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc& desc) {
    return cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&s), array, &desc);
}
template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& s, cudaArray_const_t array) {
    struct cudaChannelFormatDesc desc;
    const cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindSurfaceToArray(s, array, desc) : error;
}

#endif
