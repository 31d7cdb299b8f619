/* __nv_bfloat16 and __nv_bfloat162: the upper half of a float. */
#ifndef LOCKSTEP_CUDA_BF16_H
#define LOCKSTEP_CUDA_BF16_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_BF16_H__
#include "lockstep/half-bits.h"
#include "vector_types.h"
#ifdef __cplusplus
#include "cuda_runtime.h"

#define LOCKSTEP_HD __host__ __device__ __forceinline__

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
    unsigned short x, y;
};

#define LOCKSTEP_FROM_FLOAT(mode, ptx_mode)                                          \
    static LOCKSTEP_HD unsigned short __lockstep_float_to_bfloat16_##mode(float v) { \
        LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                                     \
    }
#ifdef __CUDA_ARCH__
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                 \
    unsigned short h;                                            \
    asm("cvt." ptx_mode ".bf16.f32 %0, %1;" : "=h"(h) : "f"(v)); \
    return h;
#else
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode) \
    return lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_##mode);
#endif
LOCKSTEP_FROM_FLOAT(rn, "rn")
LOCKSTEP_FROM_FLOAT(rz, "rz")
#undef LOCKSTEP_FROM_FLOAT
#undef LOCKSTEP_FROM_FLOAT_BODY
/* PTX has no directed rounding to bfloat16: the same integer arithmetic on both sides. */
static LOCKSTEP_HD unsigned short __lockstep_float_to_bfloat16_rd(float v) {
    return lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_rd);
}
static LOCKSTEP_HD unsigned short __lockstep_float_to_bfloat16_ru(float v) {
    return lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_ru);
}

static LOCKSTEP_HD float __lockstep_bfloat16_to_float(unsigned short h) {
    return lockstep_bits_float((unsigned)h << 16);
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    LOCKSTEP_HD __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
    LOCKSTEP_HD __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
        __x = raw.x;
        return *this;
    }
    LOCKSTEP_HD operator __nv_bfloat16_raw() const {
        __nv_bfloat16_raw raw = {__x};
        return raw;
    }
    LOCKSTEP_HD __nv_bfloat16(float v) : __x(__lockstep_float_to_bfloat16_rn(v)) {}
    /* To odd first: the bits that float drops still count when the result is rounded. */
    LOCKSTEP_HD __nv_bfloat16(double v)
        : __x(__lockstep_float_to_bfloat16_rn(lockstep_double_to_float_odd(v))) {}
    LOCKSTEP_HD operator float() const { return __lockstep_bfloat16_to_float(__x); }
    LOCKSTEP_HD __nv_bfloat16& operator=(float v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(double v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16(short v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(unsigned short v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(int v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(unsigned int v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(long v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(unsigned long v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(long long v) : __nv_bfloat16((double)v) {}
    LOCKSTEP_HD __nv_bfloat16(unsigned long long v) : __nv_bfloat16((double)v) {}
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
    LOCKSTEP_HD __nv_bfloat16& operator=(short v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(unsigned short v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(int v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(unsigned int v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(long v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(unsigned long v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(long long v) { return *this = __nv_bfloat16(v); }
    LOCKSTEP_HD __nv_bfloat16& operator=(unsigned long long v) { return *this = __nv_bfloat16(v); }
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    LOCKSTEP_HD __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
    LOCKSTEP_HD __nv_bfloat162(const __nv_bfloat162_raw& raw) {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    LOCKSTEP_HD operator __nv_bfloat162_raw() const {
        __nv_bfloat162_raw raw = {x.__x, y.__x};
        return raw;
    }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static LOCKSTEP_HD __nv_bfloat16 __lockstep_bfloat16_of_bits(unsigned short bits) {
    __nv_bfloat16 h;
    h.__x = bits;
    return h;
}
static LOCKSTEP_HD __nv_bfloat162 __lockstep_bfloat162_of_bits(unsigned int bits) {
    return __nv_bfloat162(__lockstep_bfloat16_of_bits((unsigned short)bits),
                          __lockstep_bfloat16_of_bits((unsigned short)(bits >> 16)));
}
static LOCKSTEP_HD unsigned int __lockstep_bfloat162_bits(__nv_bfloat162 v) {
    return v.x.__x | (unsigned int)v.y.__x << 16;
}

/* Conversions */
static LOCKSTEP_HD __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
static LOCKSTEP_HD __nv_bfloat16 __float2bfloat16_rn(float v) {
    return __lockstep_bfloat16_of_bits(__lockstep_float_to_bfloat16_rn(v));
}
static LOCKSTEP_HD __nv_bfloat16 __float2bfloat16_rz(float v) {
    return __lockstep_bfloat16_of_bits(__lockstep_float_to_bfloat16_rz(v));
}
static LOCKSTEP_HD __nv_bfloat16 __float2bfloat16_rd(float v) {
    return __lockstep_bfloat16_of_bits(__lockstep_float_to_bfloat16_rd(v));
}
static LOCKSTEP_HD __nv_bfloat16 __float2bfloat16_ru(float v) {
    return __lockstep_bfloat16_of_bits(__lockstep_float_to_bfloat16_ru(v));
}
static LOCKSTEP_HD __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
static LOCKSTEP_HD float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
static LOCKSTEP_HD __nv_bfloat162 __float2bfloat162_rn(float v) {
    return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v));
}
static LOCKSTEP_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
static LOCKSTEP_HD __nv_bfloat162 __float22bfloat162_rn(float2 v) {
    return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y));
}
static LOCKSTEP_HD float2 __bfloat1622float2(__nv_bfloat162 v) {
    float2 r = {(float)v.x, (float)v.y};
    return r;
}
static LOCKSTEP_HD float __low2float(__nv_bfloat162 v) { return (float)v.x; }
static LOCKSTEP_HD float __high2float(__nv_bfloat162 v) { return (float)v.y; }
static LOCKSTEP_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
static LOCKSTEP_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
static LOCKSTEP_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
static LOCKSTEP_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
static LOCKSTEP_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
static LOCKSTEP_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }
static LOCKSTEP_HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.x, b.x);
}
static LOCKSTEP_HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.y, b.y);
}
static LOCKSTEP_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
static LOCKSTEP_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
static LOCKSTEP_HD short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
static LOCKSTEP_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
static LOCKSTEP_HD __nv_bfloat16 __short_as_bfloat16(short v) {
    return __lockstep_bfloat16_of_bits((unsigned short)v);
}
static LOCKSTEP_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
    return __lockstep_bfloat16_of_bits(v);
}
static LOCKSTEP_HD int __hisinf(__nv_bfloat16 h) {
    return (h.__x & 0x7fff) == 0x7f80 ? (h.__x >> 15 ? -1 : 1) : 0;
}

/* float holds every value of this type, so its conversions round the same. */
#ifdef __CUDA__
#define LOCKSTEP_TO_INT(name, type, via)                                             \
    static __device__ __forceinline__ type __bfloat162##name##_rn(__nv_bfloat16 h) { \
        return (type)__float2##via##_rn((float)h);                                   \
    }                                                                                \
    static __device__ __forceinline__ type __bfloat162##name##_rd(__nv_bfloat16 h) { \
        return (type)__float2##via##_rd((float)h);                                   \
    }                                                                                \
    static __device__ __forceinline__ type __bfloat162##name##_ru(__nv_bfloat16 h) { \
        return (type)__float2##via##_ru((float)h);                                   \
    }
LOCKSTEP_TO_INT(int, int, int)
LOCKSTEP_TO_INT(uint, unsigned int, uint)
LOCKSTEP_TO_INT(short, short, int)
LOCKSTEP_TO_INT(ushort, unsigned short, uint)
LOCKSTEP_TO_INT(ll, long long, ll)
LOCKSTEP_TO_INT(ull, unsigned long long, ull)
#undef LOCKSTEP_TO_INT
#endif
#define LOCKSTEP_INTS(name, type)                                                                        \
    static LOCKSTEP_HD type __bfloat162##name##_rz(__nv_bfloat16 h) { return (type)(float)h; }           \
    static LOCKSTEP_HD __nv_bfloat16 __##name##2bfloat16_rn(type v) { return __nv_bfloat16((double)v); } \
    static LOCKSTEP_HD __nv_bfloat16 __##name##2bfloat16_rz(type v) {                                    \
        return __float2bfloat16_rz(lockstep_double_to_float_odd((double)v));                             \
    }                                                                                                    \
    static LOCKSTEP_HD __nv_bfloat16 __##name##2bfloat16_rd(type v) {                                    \
        return __float2bfloat16_rd(lockstep_double_to_float_odd((double)v));                             \
    }                                                                                                    \
    static LOCKSTEP_HD __nv_bfloat16 __##name##2bfloat16_ru(type v) {                                    \
        return __float2bfloat16_ru(lockstep_double_to_float_odd((double)v));                             \
    }
LOCKSTEP_INTS(int, int)
LOCKSTEP_INTS(uint, unsigned int)
LOCKSTEP_INTS(short, short)
LOCKSTEP_INTS(ushort, unsigned short)
LOCKSTEP_INTS(ll, long long)
LOCKSTEP_INTS(ull, unsigned long long)
#undef LOCKSTEP_INTS
static LOCKSTEP_HD signed char __bfloat162char_rz(__nv_bfloat16 h) { return (signed char)(float)h; }
static LOCKSTEP_HD unsigned char __bfloat162uchar_rz(__nv_bfloat16 h) { return (unsigned char)(float)h; }
#undef LOCKSTEP_HD

#define LOCKSTEP_H __nv_bfloat16
#define LOCKSTEP_H2 __nv_bfloat162
#define LOCKSTEP_HPTX "bf16"
#define LOCKSTEP_HATOMIC 800
#define LOCKSTEP_H2ATOMIC 800
#define LOCKSTEP_H_OF __nv_bfloat16
#define LOCKSTEP_F_OF (float)
#define LOCKSTEP_BITS(h) (h).__x
#define LOCKSTEP_BITS2(v) __lockstep_bfloat162_bits(v)
#define LOCKSTEP_PAIR(bits) __lockstep_bfloat162_of_bits(bits)
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

#endif
#endif
