/* Fetches from textures and accesses to surfaces, in PTX: four channels of one type, by geometry. */
#ifndef LOCKSTEP_TEXTURE_FETCH_H
#define LOCKSTEP_TEXTURE_FETCH_H
#include "../driver_types.h"
#include "../surface_types.h"
#include "../vector_types.h"

namespace lockstep_textures {

/* What a texel's type is made of: the type that a fetch has for it, and how many channels. */
template <class T>
struct texel;
template <class Raw>
struct fetch;

#define LOCKSTEP_TEXEL(element, vector1, vector2, vector4, raw4)                                                   \
    template <>                                                                                                    \
    struct texel<element> {                                                                                        \
        typedef raw4 raw;                                                                                          \
        typedef float number;                                                                                      \
        static __device__ inline element pick(raw4 v) { return (element)v.x; }                                     \
    };                                                                                                             \
    template <>                                                                                                    \
    struct texel<vector1> {                                                                                        \
        typedef raw4 raw;                                                                                          \
        typedef float1 number;                                                                                     \
        static __device__ inline vector1 pick(raw4 v) { return vector1{(element)v.x}; }                            \
    };                                                                                                             \
    template <>                                                                                                    \
    struct texel<vector2> {                                                                                        \
        typedef raw4 raw;                                                                                          \
        typedef float2 number;                                                                                     \
        static __device__ inline vector2 pick(raw4 v) { return vector2{(element)v.x, (element)v.y}; }              \
    };                                                                                                             \
    template <>                                                                                                    \
    struct texel<vector4> {                                                                                        \
        typedef raw4 raw;                                                                                          \
        typedef float4 number;                                                                                     \
        static __device__ inline vector4 pick(raw4 v) {                                                            \
            return vector4{(element)v.x, (element)v.y, (element)v.z, (element)v.w};                                \
        }                                                                                                          \
    }
LOCKSTEP_TEXEL(signed char, char1, char2, char4, int4);
LOCKSTEP_TEXEL(unsigned char, uchar1, uchar2, uchar4, uint4);
LOCKSTEP_TEXEL(short, short1, short2, short4, int4);
LOCKSTEP_TEXEL(unsigned short, ushort1, ushort2, ushort4, uint4);
LOCKSTEP_TEXEL(int, int1, int2, int4, int4);
LOCKSTEP_TEXEL(unsigned int, uint1, uint2, uint4, uint4);
LOCKSTEP_TEXEL(float, float1, float2, float4, float4);
#undef LOCKSTEP_TEXEL
template <>
struct texel<char> {
    typedef int4 raw;
    typedef float number;
    static __device__ inline char pick(int4 v) { return (char)v.x; }
};

typedef cudaTextureObject_t object;

#define LOCKSTEP_FETCH(instruction, type, constraint, coordinates, ...)                               \
    raw v;                                                                                            \
    asm(instruction "." type " {%0, %1, %2, %3}, [%4, " coordinates ";"                               \
        : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w)          \
        : "l"(t), __VA_ARGS__);                                                                       \
    return v
#define LOCKSTEP_FETCHES(raw4, type, c)                                                                               \
    template <>                                                                                                       \
    struct fetch<raw4> {                                                                                              \
        typedef raw4 raw;                                                                                             \
        static __device__ inline raw index(object t, int x) {                                                         \
            LOCKSTEP_FETCH("tex.1d.v4", type ".s32", c, "{%5}]", "r"(x));                                             \
        }                                                                                                             \
        static __device__ inline raw d1(object t, float x) {                                                          \
            LOCKSTEP_FETCH("tex.1d.v4", type ".f32", c, "{%5}]", "f"(x));                                             \
        }                                                                                                             \
        static __device__ inline raw d2(object t, float x, float y) {                                                 \
            LOCKSTEP_FETCH("tex.2d.v4", type ".f32", c, "{%5, %6}]", "f"(x), "f"(y));                                 \
        }                                                                                                             \
        static __device__ inline raw d3(object t, float x, float y, float z) {                                        \
            LOCKSTEP_FETCH("tex.3d.v4", type ".f32", c, "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z));                 \
        }                                                                                                             \
        static __device__ inline raw a1d(object t, float x, int layer) {                                              \
            LOCKSTEP_FETCH("tex.a1d.v4", type ".f32", c, "{%5, %6}]", "r"(layer), "f"(x));                            \
        }                                                                                                             \
        static __device__ inline raw a2d(object t, float x, float y, int layer) {                                     \
            LOCKSTEP_FETCH("tex.a2d.v4", type ".f32", c, "{%5, %6, %7, %7}]", "r"(layer), "f"(x), "f"(y));            \
        }                                                                                                             \
        static __device__ inline raw cube(object t, float x, float y, float z) {                                      \
            LOCKSTEP_FETCH("tex.cube.v4", type ".f32", c, "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z));               \
        }                                                                                                             \
        static __device__ inline raw acube(object t, float x, float y, float z, int layer) {                          \
            LOCKSTEP_FETCH("tex.acube.v4", type ".f32", c, "{%5, %6, %7, %8}]", "r"(layer), "f"(x), "f"(y), "f"(z));  \
        }                                                                                                             \
        static __device__ inline raw level_1d(object t, float x, float l) {                                           \
            LOCKSTEP_FETCH("tex.level.1d.v4", type ".f32", c, "{%5}], %6", "f"(x), "f"(l));                           \
        }                                                                                                             \
        static __device__ inline raw level_2d(object t, float x, float y, float l) {                                  \
            LOCKSTEP_FETCH("tex.level.2d.v4", type ".f32", c, "{%5, %6}], %7", "f"(x), "f"(y), "f"(l));               \
        }                                                                                                             \
        static __device__ inline raw level_3d(object t, float x, float y, float z, float l) {                         \
            LOCKSTEP_FETCH("tex.level.3d.v4", type ".f32", c, "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z),        \
                           "f"(l));                                                                                   \
        }                                                                                                             \
        static __device__ inline raw level_a1d(object t, float x, int layer, float l) {                               \
            LOCKSTEP_FETCH("tex.level.a1d.v4", type ".f32", c, "{%5, %6}], %7", "r"(layer), "f"(x), "f"(l));          \
        }                                                                                                             \
        static __device__ inline raw level_a2d(object t, float x, float y, int layer, float l) {                      \
            LOCKSTEP_FETCH("tex.level.a2d.v4", type ".f32", c, "{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y),   \
                           "f"(l));                                                                                   \
        }                                                                                                             \
        static __device__ inline raw level_cube(object t, float x, float y, float z, float l) {                       \
            LOCKSTEP_FETCH("tex.level.cube.v4", type ".f32", c, "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z),      \
                           "f"(l));                                                                                   \
        }                                                                                                             \
        static __device__ inline raw level_acube(object t, float x, float y, float z, int layer, float l) {           \
            LOCKSTEP_FETCH("tex.level.acube.v4", type ".f32", c, "{%5, %6, %7, %8}], %9", "r"(layer), "f"(x), "f"(y), \
                           "f"(z), "f"(l));                                                                           \
        }                                                                                                             \
        static __device__ inline raw grad_1d(object t, float x, float dx, float dy) {                                 \
            LOCKSTEP_FETCH("tex.grad.1d.v4", type ".f32", c, "{%5}], {%6}, {%7}", "f"(x), "f"(dx), "f"(dy));          \
        }                                                                                                             \
        static __device__ inline raw grad_2d(object t, float x, float y, float2 dx, float2 dy) {                      \
            LOCKSTEP_FETCH("tex.grad.2d.v4", type ".f32", c, "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y),        \
                           "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y));                                               \
        }                                                                                                             \
        static __device__ inline raw grad_3d(object t, float x, float y, float z, float4 dx, float4 dy) {             \
            LOCKSTEP_FETCH("tex.grad.3d.v4", type ".f32", c,                                                          \
                           "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y), "f"(z),     \
                           "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z));                         \
        }                                                                                                             \
        static __device__ inline raw grad_a1d(object t, float x, int layer, float dx, float dy) {                     \
            LOCKSTEP_FETCH("tex.grad.a1d.v4", type ".f32", c, "{%5, %6}], {%7}, {%8}", "r"(layer), "f"(x), "f"(dx),   \
                           "f"(dy));                                                                                  \
        }                                                                                                             \
        static __device__ inline raw grad_a2d(object t, float x, float y, int layer, float2 dx, float2 dy) {          \
            LOCKSTEP_FETCH("tex.grad.a2d.v4", type ".f32", c, "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", "r"(layer),  \
                           "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y));                               \
        }                                                                                                             \
        static __device__ inline raw gather(object t, float x, float y, int channel) {                                \
            switch (channel) {                                                                                        \
                case 1: return gather_g(t, x, y);                                                                     \
                case 2: return gather_b(t, x, y);                                                                     \
                case 3: return gather_a(t, x, y);                                                                     \
                default: return gather_r(t, x, y);                                                                    \
            }                                                                                                         \
        }                                                                                                             \
        static __device__ inline raw gather_r(object t, float x, float y) {                                           \
            LOCKSTEP_FETCH("tld4.r.2d.v4", type ".f32", c, "{%5, %6}]", "f"(x), "f"(y));                              \
        }                                                                                                             \
        static __device__ inline raw gather_g(object t, float x, float y) {                                           \
            LOCKSTEP_FETCH("tld4.g.2d.v4", type ".f32", c, "{%5, %6}]", "f"(x), "f"(y));                              \
        }                                                                                                             \
        static __device__ inline raw gather_b(object t, float x, float y) {                                           \
            LOCKSTEP_FETCH("tld4.b.2d.v4", type ".f32", c, "{%5, %6}]", "f"(x), "f"(y));                              \
        }                                                                                                             \
        static __device__ inline raw gather_a(object t, float x, float y) {                                           \
            LOCKSTEP_FETCH("tld4.a.2d.v4", type ".f32", c, "{%5, %6}]", "f"(x), "f"(y));                              \
        }                                                                                                             \
    }
LOCKSTEP_FETCHES(float4, "f32", "f");
LOCKSTEP_FETCHES(int4, "s32", "r");
LOCKSTEP_FETCHES(uint4, "u32", "r");
#undef LOCKSTEP_FETCHES
#undef LOCKSTEP_FETCH

/* So many bytes of a surface, in words. The mode is known when it is compiled. */
template <int bytes>
struct surface;

#define LOCKSTEP_MODES(access, geometry, point, ...)                                        \
    if (mode == cudaBoundaryModeTrap)                                                       \
        access(geometry, point, "trap", __VA_ARGS__);                                       \
    else if (mode == cudaBoundaryModeClamp)                                                 \
        access(geometry, point, "clamp", __VA_ARGS__);                                      \
    else                                                                                    \
        access(geometry, point, "zero", __VA_ARGS__)
#define LOCKSTEP_SURFACE(bytes, count, load_, store_)                                                                 \
    template <>                                                                                                       \
    struct surface<bytes> {                                                                                           \
        static constexpr int words = count;                                                                           \
        typedef cudaSurfaceBoundaryMode Mode;                                                                         \
        static __device__ inline void load_1d(unsigned* v, object s, Mode mode, int x) {                              \
            LOCKSTEP_MODES(load_, "1d", "{%[x]}", [x] "r"(x));                                                        \
        }                                                                                                             \
        static __device__ inline void load_2d(unsigned* v, object s, Mode mode, int x, int y) {                       \
            LOCKSTEP_MODES(load_, "2d", "{%[x], %[y]}", [x] "r"(x), [y] "r"(y));                                      \
        }                                                                                                             \
        static __device__ inline void load_3d(unsigned* v, object s, Mode mode, int x, int y, int z) {                \
            LOCKSTEP_MODES(load_, "3d", "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z));              \
        }                                                                                                             \
        static __device__ inline void load_a1d(unsigned* v, object s, Mode mode, int x, int z) {                      \
            LOCKSTEP_MODES(load_, "a1d", "{%[z], %[x]}", [x] "r"(x), [z] "r"(z));                                     \
        }                                                                                                             \
        static __device__ inline void load_a2d(unsigned* v, object s, Mode mode, int x, int y, int z) {               \
            LOCKSTEP_MODES(load_, "a2d", "{%[z], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [z] "r"(z));             \
        }                                                                                                             \
        static __device__ inline void store_1d(const unsigned* v, object s, Mode mode, int x) {                       \
            LOCKSTEP_MODES(store_, "1d", "{%[x]}", [x] "r"(x));                                                       \
        }                                                                                                             \
        static __device__ inline void store_2d(const unsigned* v, object s, Mode mode, int x, int y) {                \
            LOCKSTEP_MODES(store_, "2d", "{%[x], %[y]}", [x] "r"(x), [y] "r"(y));                                     \
        }                                                                                                             \
        static __device__ inline void store_3d(const unsigned* v, object s, Mode mode, int x, int y, int z) {         \
            LOCKSTEP_MODES(store_, "3d", "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z));             \
        }                                                                                                             \
        static __device__ inline void store_a1d(const unsigned* v, object s, Mode mode, int x, int z) {               \
            LOCKSTEP_MODES(store_, "a1d", "{%[z], %[x]}", [x] "r"(x), [z] "r"(z));                                    \
        }                                                                                                             \
        static __device__ inline void store_a2d(const unsigned* v, object s, Mode mode, int x, int y, int z) {        \
            LOCKSTEP_MODES(store_, "a2d", "{%[z], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [z] "r"(z));            \
        }                                                                                                             \
    }
#define LOCKSTEP_LOAD(type, geometry, point, bound, ...)                                                  \
    asm volatile("suld.b." geometry type "." bound " %[a], [%[s], " point "];"                            \
                 : [a] "=r"(v[0])                                                                         \
                 : [s] "l"(s), __VA_ARGS__                                                                \
                 : "memory")
#define LOCKSTEP_STORE(type, geometry, point, bound, ...)                                                 \
    asm volatile("sust.b." geometry type "." bound " [%[s], " point "], %[a];" ::[a] "r"(v[0]), [s] "l"(s), \
                 __VA_ARGS__                                                                              \
                 : "memory")
#define LOCKSTEP_LOAD_1(...) LOCKSTEP_LOAD(".b8", __VA_ARGS__)
#define LOCKSTEP_LOAD_2(...) LOCKSTEP_LOAD(".b16", __VA_ARGS__)
#define LOCKSTEP_LOAD_4(...) LOCKSTEP_LOAD(".b32", __VA_ARGS__)
#define LOCKSTEP_LOAD_8(geometry, point, bound, ...)                                                      \
    asm volatile("suld.b." geometry ".v2.b32." bound " {%[a], %[b]}, [%[s], " point "];"                  \
                 : [a] "=r"(v[0]), [b] "=r"(v[1])                                                         \
                 : [s] "l"(s), __VA_ARGS__                                                                \
                 : "memory")
#define LOCKSTEP_LOAD_16(geometry, point, bound, ...)                                                     \
    asm volatile("suld.b." geometry ".v4.b32." bound " {%[a], %[b], %[c], %[d]}, [%[s], " point "];"      \
                 : [a] "=r"(v[0]), [b] "=r"(v[1]), [c] "=r"(v[2]), [d] "=r"(v[3])                         \
                 : [s] "l"(s), __VA_ARGS__                                                                \
                 : "memory")
#define LOCKSTEP_STORE_1(...) LOCKSTEP_STORE(".b8", __VA_ARGS__)
#define LOCKSTEP_STORE_2(...) LOCKSTEP_STORE(".b16", __VA_ARGS__)
#define LOCKSTEP_STORE_4(...) LOCKSTEP_STORE(".b32", __VA_ARGS__)
#define LOCKSTEP_STORE_8(geometry, point, bound, ...)                                                     \
    asm volatile("sust.b." geometry ".v2.b32." bound " [%[s], " point "], {%[a], %[b]};" ::[a] "r"(v[0]), \
                 [b] "r"(v[1]), [s] "l"(s), __VA_ARGS__                                                   \
                 : "memory")
#define LOCKSTEP_STORE_16(geometry, point, bound, ...)                                                    \
    asm volatile("sust.b." geometry ".v4.b32." bound " [%[s], " point "], {%[a], %[b], %[c], %[d]};" ::[a] \
                 "r"(v[0]), [b] "r"(v[1]), [c] "r"(v[2]), [d] "r"(v[3]), [s] "l"(s), __VA_ARGS__          \
                 : "memory")
LOCKSTEP_SURFACE(1, 1, LOCKSTEP_LOAD_1, LOCKSTEP_STORE_1);
LOCKSTEP_SURFACE(2, 1, LOCKSTEP_LOAD_2, LOCKSTEP_STORE_2);
LOCKSTEP_SURFACE(4, 1, LOCKSTEP_LOAD_4, LOCKSTEP_STORE_4);
LOCKSTEP_SURFACE(8, 2, LOCKSTEP_LOAD_8, LOCKSTEP_STORE_8);
LOCKSTEP_SURFACE(16, 4, LOCKSTEP_LOAD_16, LOCKSTEP_STORE_16);
#undef LOCKSTEP_SURFACE
#undef LOCKSTEP_MODES
#undef LOCKSTEP_LOAD
#undef LOCKSTEP_STORE
#undef LOCKSTEP_LOAD_1
#undef LOCKSTEP_LOAD_2
#undef LOCKSTEP_LOAD_4
#undef LOCKSTEP_LOAD_8
#undef LOCKSTEP_LOAD_16
#undef LOCKSTEP_STORE_1
#undef LOCKSTEP_STORE_2
#undef LOCKSTEP_STORE_4
#undef LOCKSTEP_STORE_8
#undef LOCKSTEP_STORE_16

template <class T>
__device__ inline T from_words(const unsigned* words) {
    T value;
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}
template <class T>
__device__ inline void to_words(unsigned* words, const T& value) {
    __builtin_memcpy(words, &value, sizeof value);
}

}  // namespace lockstep_textures

#endif
