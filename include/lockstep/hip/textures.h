/* Textures and surfaces by objects. AMD's headers reach the texture unit through descriptors in memory; an
 * object of lockstep's is a number, and a kernel asks for a fetch, a read or a write with an s_trap that the
 * executor answers (docs/hip.md): out come the four channels. */
#ifndef LOCKSTEP_HIP_TEXTURES_H
#define LOCKSTEP_HIP_TEXTURES_H
#include "../../hip/driver_types.h"
#include "vectors.h"

#define LOCKSTEP_HIP_D __attribute__((device, always_inline, nodebug)) static inline
namespace __lockstep_texture {

/* exec/texture-form.h: operation, geometry, level, bits, detail, combine, elements, their bytes. */
enum Operation { fetch = 0, load = 1, store = 2 };
enum Geometry { d1 = 0, d2 = 1, d3 = 2, cube = 3 };
enum Bits { layered = 1, whole_numbers = 2, floats = 4, is_signed = 8 };
enum { zero_outside = 2, no_gathering = 0xff };
constexpr unsigned long long form(Operation operation, Geometry geometry, bool level, unsigned bits,
                                  unsigned detail, unsigned elements, unsigned bytes) {
    return (unsigned long long)operation | (unsigned long long)geometry << 8 |
           (unsigned long long)level << 16 | (unsigned long long)bits << 24 |
           (unsigned long long)detail << 32 | (unsigned long long)elements << 48 |
           (unsigned long long)bytes << 56;
}

template <class T>
struct Texel {
    typedef T Element;
    static constexpr unsigned count = 1;
    LOCKSTEP_HIP_D Element& at(T& texel, unsigned) { return texel; }
};
template <class T, unsigned n>
struct Texel<HIP_vector_type<T, n>> {
    typedef T Element;
    static constexpr unsigned count = n;
    LOCKSTEP_HIP_D Element& at(HIP_vector_type<T, n>& texel, unsigned i) { return (&texel.x)[i]; }
};

/* v[2:3] the object, v[4:5] what is done, from v6 on layer and coordinates, from v12 on what is stored;
 * results from v0 on. */
struct Words {
    unsigned word[4];
};
LOCKSTEP_HIP_D Words ask(const void* object, unsigned long long form, unsigned a, unsigned b = 0,
                         unsigned c = 0, unsigned d = 0, unsigned e = 0) {
    Words result{};
#ifdef __HIP_DEVICE_COMPILE__
    asm volatile(
        "s_trap 68"
        : "={v0}"(result.word[0]), "={v1}"(result.word[1]), "={v2}"(result.word[2]), "={v3}"(result.word[3])
        : "{v[2:3]}"(object), "{v[4:5]}"(form), "{v6}"(a), "{v7}"(b), "{v8}"(c), "{v9}"(d), "{v10}"(e)
        : "memory");
#endif
    return result;
}
LOCKSTEP_HIP_D void put(const void* object, unsigned long long form, const Words& value, unsigned a,
                        unsigned b = 0, unsigned c = 0) {
#ifdef __HIP_DEVICE_COMPILE__
    asm volatile("s_trap 68"
                 :
                 : "{v[2:3]}"(object), "{v[4:5]}"(form), "{v6}"(a), "{v7}"(b), "{v8}"(c),
                   "{v12}"(value.word[0]), "{v13}"(value.word[1]), "{v14}"(value.word[2]),
                   "{v15}"(value.word[3])
                 : "memory", "v0", "v1", "v2", "v3");
#endif
}

template <class T>
LOCKSTEP_HIP_D T texel_of(const Words& words) {
    typedef Texel<T> Of;
    static_assert(sizeof(typename Of::Element) <= 4, "texels have elements of up to 32 bits");
    T result;
    for (unsigned i = 0; i < Of::count; ++i)
        __builtin_memcpy(&Of::at(result, i), &words.word[i], sizeof(typename Of::Element));
    return result;
}
template <class T>
LOCKSTEP_HIP_D Words words_of(T texel) {
    typedef Texel<T> Of;
    static_assert(sizeof(typename Of::Element) <= 4, "texels have elements of up to 32 bits");
    Words words{};
    for (unsigned i = 0; i < Of::count; ++i)
        __builtin_memcpy(&words.word[i], &Of::at(texel, i), sizeof(typename Of::Element));
    return words;
}
LOCKSTEP_HIP_D unsigned bits(float v) { return __builtin_bit_cast(unsigned, v); }

template <class T>
constexpr unsigned long long fetch_form(Geometry geometry, unsigned flags, bool level = false,
                                        unsigned detail = no_gathering) {
    return form(fetch, geometry, level,
                flags | (__is_same(typename Texel<T>::Element, float) ? (unsigned)floats : 0u), detail,
                Texel<T>::count, 4);
}
template <class T>
constexpr unsigned long long surface_form(Operation operation, Geometry geometry, unsigned flags) {
    return form(operation, geometry, false, flags, zero_outside, Texel<T>::count,
                sizeof(typename Texel<T>::Element));
}

}  // namespace __lockstep_texture

/* Fetches: the value, or through a pointer. */
#define LOCKSTEP_HIP_FETCH(name, geometry, flags, level, parameters, names, ...)                          \
    template <class T>                                                                                    \
    LOCKSTEP_HIP_D T name(hipTextureObject_t texture, LOCKSTEP_HIP_LIST parameters) {                     \
        namespace t = __lockstep_texture;                                                                 \
        return t::texel_of<T>(t::ask(texture, t::fetch_form<T>(t::geometry, flags, level), __VA_ARGS__)); \
    }                                                                                                     \
    template <class T>                                                                                    \
    LOCKSTEP_HIP_D void name(T* to, hipTextureObject_t texture, LOCKSTEP_HIP_LIST parameters) {           \
        *to = name<T>(texture, LOCKSTEP_HIP_LIST names);                                                  \
    }
#define LOCKSTEP_HIP_LIST(...) __VA_ARGS__
LOCKSTEP_HIP_FETCH(tex1Dfetch, d1, t::whole_numbers, false, (int x), (x), (unsigned)x)
LOCKSTEP_HIP_FETCH(tex1D, d1, 0, false, (float x), (x), t::bits(x))
LOCKSTEP_HIP_FETCH(tex2D, d2, 0, false, (float x, float y), (x, y), t::bits(x), t::bits(y))
LOCKSTEP_HIP_FETCH(tex3D, d3, 0, false, (float x, float y, float z), (x, y, z), t::bits(x), t::bits(y),
                   t::bits(z))
LOCKSTEP_HIP_FETCH(texCubemap, cube, 0, false, (float x, float y, float z), (x, y, z), t::bits(x), t::bits(y),
                   t::bits(z))
LOCKSTEP_HIP_FETCH(tex1DLayered, d1, t::layered, false, (float x, int layer), (x, layer), (unsigned)layer,
                   t::bits(x))
LOCKSTEP_HIP_FETCH(tex2DLayered, d2, t::layered, false, (float x, float y, int layer), (x, y, layer),
                   (unsigned)layer, t::bits(x), t::bits(y))
LOCKSTEP_HIP_FETCH(tex1DLod, d1, 0, true, (float x, float level), (x, level), t::bits(x), t::bits(level))
LOCKSTEP_HIP_FETCH(tex2DLod, d2, 0, true, (float x, float y, float level), (x, y, level), t::bits(x),
                   t::bits(y), t::bits(level))
LOCKSTEP_HIP_FETCH(tex3DLod, d3, 0, true, (float x, float y, float z, float level), (x, y, z, level),
                   t::bits(x), t::bits(y), t::bits(z), t::bits(level))
#undef LOCKSTEP_HIP_FETCH
template <class T>
LOCKSTEP_HIP_D T tex2Dgather(hipTextureObject_t texture, float x, float y, int channel = 0) {
    namespace t = __lockstep_texture;
    const t::Words words =
        channel == 0   ? t::ask(texture, t::fetch_form<T>(t::d2, 0, false, 0), t::bits(x), t::bits(y))
        : channel == 1 ? t::ask(texture, t::fetch_form<T>(t::d2, 0, false, 1), t::bits(x), t::bits(y))
        : channel == 2 ? t::ask(texture, t::fetch_form<T>(t::d2, 0, false, 2), t::bits(x), t::bits(y))
                       : t::ask(texture, t::fetch_form<T>(t::d2, 0, false, 3), t::bits(x), t::bits(y));
    return t::texel_of<T>(words);
}

/* Surfaces: x in bytes; what lies outside reads as 0 and is not written. */
#define LOCKSTEP_HIP_SURFACE(name, geometry, flags, parameters, ...)                                         \
    template <class T>                                                                                       \
    LOCKSTEP_HIP_D void name##read(T* to, hipSurfaceObject_t surface, LOCKSTEP_HIP_LIST parameters) {        \
        namespace t = __lockstep_texture;                                                                    \
        *to = t::texel_of<T>(t::ask(surface, t::surface_form<T>(t::load, t::geometry, flags), __VA_ARGS__)); \
    }                                                                                                        \
    template <class T>                                                                                       \
    LOCKSTEP_HIP_D void name##write(T value, hipSurfaceObject_t surface, LOCKSTEP_HIP_LIST parameters) {     \
        namespace t = __lockstep_texture;                                                                    \
        t::put(surface, t::surface_form<T>(t::store, t::geometry, flags), t::words_of(value), __VA_ARGS__);  \
    }
LOCKSTEP_HIP_SURFACE(surf1D, d1, 0, (int x), (unsigned)x)
LOCKSTEP_HIP_SURFACE(surf2D, d2, 0, (int x, int y), (unsigned)x, (unsigned)y)
LOCKSTEP_HIP_SURFACE(surf3D, d3, 0, (int x, int y, int z), (unsigned)x, (unsigned)y, (unsigned)z)
LOCKSTEP_HIP_SURFACE(surf1DLayered, d1, t::layered, (int x, int layer), (unsigned)layer, (unsigned)x)
LOCKSTEP_HIP_SURFACE(surf2DLayered, d2, t::layered, (int x, int y, int layer), (unsigned)layer, (unsigned)x,
                     (unsigned)y)
#undef LOCKSTEP_HIP_SURFACE
#undef LOCKSTEP_HIP_LIST
#undef LOCKSTEP_HIP_D

#endif
