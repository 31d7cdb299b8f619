/* __half and __half2: IEEE binary16. */
#ifndef LOCKSTEP_CUDA_FP16_H
#define LOCKSTEP_CUDA_FP16_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_FP16_H__
#include "lockstep/half-bits.h"
#include "vector_types.h"
#ifdef __cplusplus
#include "cuda_runtime.h"

#define LOCKSTEP_HD __host__ __device__ __forceinline__

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

#define LOCKSTEP_FROM_FLOAT(mode, ptx_mode)                                      \
    static LOCKSTEP_HD unsigned short __lockstep_float_to_half_##mode(float v) { \
        LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                                 \
    }
#ifdef __CUDA_ARCH__
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                \
    unsigned short h;                                           \
    asm("cvt." ptx_mode ".f16.f32 %0, %1;" : "=h"(h) : "f"(v)); \
    return h;
#else
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode) \
    return lockstep_round_to_half(lockstep_float_bits(v), lockstep_round_##mode);
#endif
LOCKSTEP_FROM_FLOAT(rn, "rn")
LOCKSTEP_FROM_FLOAT(rz, "rz")
LOCKSTEP_FROM_FLOAT(rd, "rm")
LOCKSTEP_FROM_FLOAT(ru, "rp")
#undef LOCKSTEP_FROM_FLOAT
#undef LOCKSTEP_FROM_FLOAT_BODY

static LOCKSTEP_HD float __lockstep_half_to_float(unsigned short h) {
#ifdef __CUDA_ARCH__
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
    return v;
#else
    return lockstep_half_to_float(h);
#endif
}

struct __attribute__((aligned(2))) __half {
    unsigned short __x;

    __half() = default;
    LOCKSTEP_HD __half(const __half_raw& raw) : __x(raw.x) {}
    LOCKSTEP_HD __half& operator=(const __half_raw& raw) {
        __x = raw.x;
        return *this;
    }
    LOCKSTEP_HD operator __half_raw() const {
        __half_raw raw = {__x};
        return raw;
    }
    LOCKSTEP_HD __half(float v) : __x(__lockstep_float_to_half_rn(v)) {}
    /* To odd first: the bits that float drops still count when the result is rounded. */
    LOCKSTEP_HD __half(double v) : __x(__lockstep_float_to_half_rn(lockstep_double_to_float_odd(v))) {}
    LOCKSTEP_HD operator float() const { return __lockstep_half_to_float(__x); }
    LOCKSTEP_HD __half& operator=(float v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(double v) { return *this = __half(v); }
    LOCKSTEP_HD __half(short v) : __half((double)v) {}
    LOCKSTEP_HD __half(unsigned short v) : __half((double)v) {}
    LOCKSTEP_HD __half(int v) : __half((double)v) {}
    LOCKSTEP_HD __half(unsigned int v) : __half((double)v) {}
    LOCKSTEP_HD __half(long v) : __half((double)v) {}
    LOCKSTEP_HD __half(unsigned long v) : __half((double)v) {}
    LOCKSTEP_HD __half(long long v) : __half((double)v) {}
    LOCKSTEP_HD __half(unsigned long long v) : __half((double)v) {}
    LOCKSTEP_HD operator bool() const { return (__x & 0x7fff) != 0; }
    LOCKSTEP_HD operator char() const { return (char)(float)*this; }
    LOCKSTEP_HD operator signed char() const { return (signed char)(float)*this; }
    LOCKSTEP_HD operator unsigned char() const { return (unsigned char)(float)*this; }
    LOCKSTEP_HD operator short() const { return (short)(float)*this; }
    LOCKSTEP_HD operator unsigned short() const { return (unsigned short)(float)*this; }
    LOCKSTEP_HD operator int() const { return (int)(float)*this; }
    LOCKSTEP_HD operator unsigned int() const { return (unsigned int)(float)*this; }
    LOCKSTEP_HD operator long() const { return (long)(float)*this; }
    LOCKSTEP_HD operator unsigned long() const { return (unsigned long)(float)*this; }
    LOCKSTEP_HD operator long long() const { return (long long)(float)*this; }
    LOCKSTEP_HD operator unsigned long long() const { return (unsigned long long)(float)*this; }
    LOCKSTEP_HD __half& operator=(short v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(unsigned short v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(int v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(unsigned int v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(long v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(unsigned long v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(long long v) { return *this = __half(v); }
    LOCKSTEP_HD __half& operator=(unsigned long long v) { return *this = __half(v); }
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    LOCKSTEP_HD __half2(__half a, __half b) : x(a), y(b) {}
    LOCKSTEP_HD __half2(const __half2_raw& raw) {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    LOCKSTEP_HD operator __half2_raw() const {
        __half2_raw raw = {x.__x, y.__x};
        return raw;
    }
};

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;

static LOCKSTEP_HD __half __lockstep_half_of_bits(unsigned short bits) {
    __half h;
    h.__x = bits;
    return h;
}
static LOCKSTEP_HD __half2 __lockstep_half2_of_bits(unsigned int bits) {
    return __half2(__lockstep_half_of_bits((unsigned short)bits),
                   __lockstep_half_of_bits((unsigned short)(bits >> 16)));
}
static LOCKSTEP_HD unsigned int __lockstep_half2_bits(__half2 v) {
    return v.x.__x | (unsigned int)v.y.__x << 16;
}

/* Conversions */
static LOCKSTEP_HD __half __float2half(float v) { return __half(v); }
static LOCKSTEP_HD __half __float2half_rn(float v) {
    return __lockstep_half_of_bits(__lockstep_float_to_half_rn(v));
}
static LOCKSTEP_HD __half __float2half_rz(float v) {
    return __lockstep_half_of_bits(__lockstep_float_to_half_rz(v));
}
static LOCKSTEP_HD __half __float2half_rd(float v) {
    return __lockstep_half_of_bits(__lockstep_float_to_half_rd(v));
}
static LOCKSTEP_HD __half __float2half_ru(float v) {
    return __lockstep_half_of_bits(__lockstep_float_to_half_ru(v));
}
static LOCKSTEP_HD __half __double2half(double v) { return __half(v); }
static LOCKSTEP_HD float __half2float(__half h) { return (float)h; }
static LOCKSTEP_HD __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
static LOCKSTEP_HD __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
static LOCKSTEP_HD __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
static LOCKSTEP_HD float2 __half22float2(__half2 v) {
    float2 r = {(float)v.x, (float)v.y};
    return r;
}
static LOCKSTEP_HD float __low2float(__half2 v) { return (float)v.x; }
static LOCKSTEP_HD float __high2float(__half2 v) { return (float)v.y; }
static LOCKSTEP_HD __half __low2half(__half2 v) { return v.x; }
static LOCKSTEP_HD __half __high2half(__half2 v) { return v.y; }
static LOCKSTEP_HD __half2 __half2half2(__half h) { return __half2(h, h); }
static LOCKSTEP_HD __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
static LOCKSTEP_HD __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
static LOCKSTEP_HD __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
static LOCKSTEP_HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
static LOCKSTEP_HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
static LOCKSTEP_HD __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
static LOCKSTEP_HD __half2 make_half2(__half a, __half b) { return __half2(a, b); }
static LOCKSTEP_HD short __half_as_short(__half h) { return (short)h.__x; }
static LOCKSTEP_HD unsigned short __half_as_ushort(__half h) { return h.__x; }
static LOCKSTEP_HD __half __short_as_half(short v) { return __lockstep_half_of_bits((unsigned short)v); }
static LOCKSTEP_HD __half __ushort_as_half(unsigned short v) { return __lockstep_half_of_bits(v); }
static LOCKSTEP_HD int __hisinf(__half h) { return (h.__x & 0x7fff) == 0x7c00 ? (h.__x >> 15 ? -1 : 1) : 0; }

/* float holds every value of this type, so its conversions round the same. */
#ifdef __CUDA__
#define LOCKSTEP_TO_INT(name, type, via)                                  \
    static __device__ __forceinline__ type __half2##name##_rn(__half h) { \
        return (type)__float2##via##_rn((float)h);                        \
    }                                                                     \
    static __device__ __forceinline__ type __half2##name##_rd(__half h) { \
        return (type)__float2##via##_rd((float)h);                        \
    }                                                                     \
    static __device__ __forceinline__ type __half2##name##_ru(__half h) { \
        return (type)__float2##via##_ru((float)h);                        \
    }
LOCKSTEP_TO_INT(int, int, int)
LOCKSTEP_TO_INT(uint, unsigned int, uint)
LOCKSTEP_TO_INT(short, short, int)
LOCKSTEP_TO_INT(ushort, unsigned short, uint)
LOCKSTEP_TO_INT(ll, long long, ll)
LOCKSTEP_TO_INT(ull, unsigned long long, ull)
#undef LOCKSTEP_TO_INT
#endif
#define LOCKSTEP_INTS(name, type)                                                      \
    static LOCKSTEP_HD type __half2##name##_rz(__half h) { return (type)(float)h; }    \
    static LOCKSTEP_HD __half __##name##2half_rn(type v) { return __half((double)v); } \
    static LOCKSTEP_HD __half __##name##2half_rz(type v) {                             \
        return __float2half_rz(lockstep_double_to_float_odd((double)v));               \
    }                                                                                  \
    static LOCKSTEP_HD __half __##name##2half_rd(type v) {                             \
        return __float2half_rd(lockstep_double_to_float_odd((double)v));               \
    }                                                                                  \
    static LOCKSTEP_HD __half __##name##2half_ru(type v) {                             \
        return __float2half_ru(lockstep_double_to_float_odd((double)v));               \
    }
LOCKSTEP_INTS(int, int)
LOCKSTEP_INTS(uint, unsigned int)
LOCKSTEP_INTS(short, short)
LOCKSTEP_INTS(ushort, unsigned short)
LOCKSTEP_INTS(ll, long long)
LOCKSTEP_INTS(ull, unsigned long long)
#undef LOCKSTEP_INTS
static LOCKSTEP_HD signed char __half2char_rz(__half h) { return (signed char)(float)h; }
static LOCKSTEP_HD unsigned char __half2uchar_rz(__half h) { return (unsigned char)(float)h; }
#undef LOCKSTEP_HD

#define LOCKSTEP_H __half
#define LOCKSTEP_H2 __half2
#define LOCKSTEP_HPTX "f16"
#define LOCKSTEP_HATOMIC 700
#define LOCKSTEP_H2ATOMIC 600
#define LOCKSTEP_H_OF __half
#define LOCKSTEP_F_OF (float)
#define LOCKSTEP_BITS(h) (h).__x
#define LOCKSTEP_BITS2(v) __lockstep_half2_bits(v)
#define LOCKSTEP_PAIR(bits) __lockstep_half2_of_bits(bits)
#define LOCKSTEP_H_SATURATES
#include "lockstep/half-common.h"
#undef LOCKSTEP_H
#undef LOCKSTEP_H2
#undef LOCKSTEP_HPTX
#undef LOCKSTEP_HATOMIC
#undef LOCKSTEP_H2ATOMIC
#undef LOCKSTEP_H_OF
#undef LOCKSTEP_F_OF
#undef LOCKSTEP_BITS
#undef LOCKSTEP_BITS2
#undef LOCKSTEP_PAIR
#undef LOCKSTEP_H_SATURATES

#endif
#endif
