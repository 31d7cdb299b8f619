/* Loads and stores with a cache hint: __ldca __ldcg __ldcs __ldlu __ldcv, __stwb __stcg __stcs __stwt. */
#ifndef LOCKSTEP_CACHE_HINTS_H
#define LOCKSTEP_CACHE_HINTS_H

#define LOCKSTEP_LOAD(name, hint, type, ptx, c, reg)                                  \
    static __device__ __forceinline__ type name(const type* p) {                      \
        reg v;                                                                        \
        asm volatile("ld." hint "." ptx " %0, [%1];" : "=" c(v) : "l"(p) : "memory"); \
        return (type)v;                                                               \
    }
#define LOCKSTEP_LOAD2(name, hint, type, ptx, c, reg)                                                    \
    static __device__ __forceinline__ type name(const type* p) {                                         \
        reg x, y;                                                                                        \
        asm volatile("ld." hint ".v2." ptx " {%0, %1}, [%2];" : "=" c(x), "=" c(y) : "l"(p) : "memory"); \
        type v;                                                                                          \
        v.x = x, v.y = y;                                                                                \
        return v;                                                                                        \
    }
#define LOCKSTEP_LOAD4(name, hint, type, ptx, c, reg)                 \
    static __device__ __forceinline__ type name(const type* p) {      \
        reg x, y, z, w;                                               \
        asm volatile("ld." hint ".v4." ptx " {%0, %1, %2, %3}, [%4];" \
                     : "=" c(x), "=" c(y), "=" c(z), "=" c(w)         \
                     : "l"(p)                                         \
                     : "memory");                                     \
        type v;                                                       \
        v.x = x, v.y = y, v.z = z, v.w = w;                           \
        return v;                                                     \
    }
#define LOCKSTEP_STORE(name, hint, type, ptx, c, reg)                                   \
    static __device__ __forceinline__ void name(type* p, type v) {                      \
        asm volatile("st." hint "." ptx " [%0], %1;" : : "l"(p), c((reg)v) : "memory"); \
    }
#define LOCKSTEP_STORE2(name, hint, type, ptx, c, reg)             \
    static __device__ __forceinline__ void name(type* p, type v) { \
        asm volatile("st." hint ".v2." ptx " [%0], {%1, %2};"      \
                     :                                             \
                     : "l"(p), c((reg)v.x), c((reg)v.y)            \
                     : "memory");                                  \
    }
#define LOCKSTEP_STORE4(name, hint, type, ptx, c, reg)                            \
    static __device__ __forceinline__ void name(type* p, type v) {                \
        asm volatile("st." hint ".v4." ptx " [%0], {%1, %2, %3, %4};"             \
                     :                                                            \
                     : "l"(p), c((reg)v.x), c((reg)v.y), c((reg)v.z), c((reg)v.w) \
                     : "memory");                                                 \
    }

#define LOCKSTEP_ALL_TYPES(S, V2, V4, name, hint)                     \
    S(name, hint, char, "s8", "r", int)                               \
    S(name, hint, signed char, "s8", "r", int)                        \
    S(name, hint, short, "s16", "h", short)                           \
    S(name, hint, int, "s32", "r", int)                               \
    S(name, hint, long, "s64", "l", long)                             \
    S(name, hint, long long, "s64", "l", long long)                   \
    S(name, hint, unsigned char, "u8", "r", unsigned)                 \
    S(name, hint, unsigned short, "u16", "h", unsigned short)         \
    S(name, hint, unsigned int, "u32", "r", unsigned)                 \
    S(name, hint, unsigned long, "u64", "l", unsigned long)           \
    S(name, hint, unsigned long long, "u64", "l", unsigned long long) \
    S(name, hint, float, "f32", "f", float)                           \
    S(name, hint, double, "f64", "d", double)                         \
    V2(name, hint, char2, "s8", "r", int)                             \
    V2(name, hint, short2, "s16", "h", short)                         \
    V2(name, hint, int2, "s32", "r", int)                             \
    V2(name, hint, longlong2, "s64", "l", long long)                  \
    V2(name, hint, uchar2, "u8", "r", unsigned)                       \
    V2(name, hint, ushort2, "u16", "h", unsigned short)               \
    V2(name, hint, uint2, "u32", "r", unsigned)                       \
    V2(name, hint, ulonglong2, "u64", "l", unsigned long long)        \
    V2(name, hint, float2, "f32", "f", float)                         \
    V2(name, hint, double2, "f64", "d", double)                       \
    V4(name, hint, char4, "s8", "r", int)                             \
    V4(name, hint, short4, "s16", "h", short)                         \
    V4(name, hint, int4, "s32", "r", int)                             \
    V4(name, hint, uchar4, "u8", "r", unsigned)                       \
    V4(name, hint, ushort4, "u16", "h", unsigned short)               \
    V4(name, hint, uint4, "u32", "r", unsigned)                       \
    V4(name, hint, float4, "f32", "f", float)

LOCKSTEP_ALL_TYPES(LOCKSTEP_LOAD, LOCKSTEP_LOAD2, LOCKSTEP_LOAD4, __ldca, "ca")
LOCKSTEP_ALL_TYPES(LOCKSTEP_LOAD, LOCKSTEP_LOAD2, LOCKSTEP_LOAD4, __ldcg, "cg")
LOCKSTEP_ALL_TYPES(LOCKSTEP_LOAD, LOCKSTEP_LOAD2, LOCKSTEP_LOAD4, __ldcs, "cs")
LOCKSTEP_ALL_TYPES(LOCKSTEP_LOAD, LOCKSTEP_LOAD2, LOCKSTEP_LOAD4, __ldlu, "lu")
LOCKSTEP_ALL_TYPES(LOCKSTEP_LOAD, LOCKSTEP_LOAD2, LOCKSTEP_LOAD4, __ldcv, "cv")
LOCKSTEP_ALL_TYPES(LOCKSTEP_STORE, LOCKSTEP_STORE2, LOCKSTEP_STORE4, __stwb, "wb")
LOCKSTEP_ALL_TYPES(LOCKSTEP_STORE, LOCKSTEP_STORE2, LOCKSTEP_STORE4, __stcg, "cg")
LOCKSTEP_ALL_TYPES(LOCKSTEP_STORE, LOCKSTEP_STORE2, LOCKSTEP_STORE4, __stcs, "cs")
LOCKSTEP_ALL_TYPES(LOCKSTEP_STORE, LOCKSTEP_STORE2, LOCKSTEP_STORE4, __stwt, "wt")

#undef LOCKSTEP_LOAD
#undef LOCKSTEP_LOAD2
#undef LOCKSTEP_LOAD4
#undef LOCKSTEP_STORE
#undef LOCKSTEP_STORE2
#undef LOCKSTEP_STORE4
#undef LOCKSTEP_ALL_TYPES
#endif
