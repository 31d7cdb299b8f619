/* __half and __half2: IEEE binary16. */
#ifndef LOCKSTEP_CUDA_FP16_H
#define LOCKSTEP_CUDA_FP16_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__
#include "lockstep/half-bits.h"
#include "vector_types.h"
#ifdef __cplusplus
#include "cuda_runtime.h"

#define LOCKSTEP_HD __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                \
    unsigned short h;                                           \
    asm("cvt." ptx_mode ".f16.f32 %0, %1;" : "=h"(h) : "f"(v)); \
    return h;
#else
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode) \
    return lockstep_round_to_half(lockstep_float_bits(v), lockstep_round_##mode);
#endif
#define LOCKSTEP_FROM_FLOAT(mode, ptx_mode)                                      \
    static LOCKSTEP_HD unsigned short __lockstep_float_to_half_##mode(float v) { \
        LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                                 \
    }
LOCKSTEP_FROM_FLOAT(rn, "rn")
LOCKSTEP_FROM_FLOAT(rz, "rz")
LOCKSTEP_FROM_FLOAT(rd, "rm")
LOCKSTEP_FROM_FLOAT(ru, "rp")
#undef LOCKSTEP_FROM_FLOAT
#undef LOCKSTEP_FROM_FLOAT_BODY

#ifdef __CUDA_ARCH__
#define LOCKSTEP_FROM_INTEGER(type, ptx, c, mode, ptx_mode)                       \
    static LOCKSTEP_HD unsigned short __lockstep_integer_to_half_##mode(type v) { \
        unsigned short h;                                                         \
        asm("cvt." ptx_mode ".f16." ptx " %0, %1;" : "=h"(h) : c(v));             \
        return h;                                                                 \
    }
#define LOCKSTEP_FROM_INTEGERS(mode, ptx_mode)                        \
    LOCKSTEP_FROM_INTEGER(short, "s16", "h", mode, ptx_mode)          \
    LOCKSTEP_FROM_INTEGER(unsigned short, "u16", "h", mode, ptx_mode) \
    LOCKSTEP_FROM_INTEGER(int, "s32", "r", mode, ptx_mode)            \
    LOCKSTEP_FROM_INTEGER(unsigned int, "u32", "r", mode, ptx_mode)   \
    LOCKSTEP_FROM_INTEGER(long, "s64", "l", mode, ptx_mode)           \
    LOCKSTEP_FROM_INTEGER(unsigned long, "u64", "l", mode, ptx_mode)  \
    LOCKSTEP_FROM_INTEGER(long long, "s64", "l", mode, ptx_mode)      \
    LOCKSTEP_FROM_INTEGER(unsigned long long, "u64", "l", mode, ptx_mode)
#else
#define LOCKSTEP_FROM_INTEGERS(mode, ptx_mode)                                    \
    template <class T>                                                            \
    static LOCKSTEP_HD unsigned short __lockstep_integer_to_half_##mode(T v) {    \
        return __lockstep_float_to_half_##mode(lockstep_integer_to_float_odd(v)); \
    }
#endif
LOCKSTEP_FROM_INTEGERS(rn, "rn")
LOCKSTEP_FROM_INTEGERS(rz, "rz")
LOCKSTEP_FROM_INTEGERS(rd, "rm")
LOCKSTEP_FROM_INTEGERS(ru, "rp")
#undef LOCKSTEP_FROM_INTEGERS
#undef LOCKSTEP_FROM_INTEGER

static LOCKSTEP_HD float __lockstep_half_to_float(unsigned short h) {
#ifdef __CUDA_ARCH__
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
    return v;
#else
    return lockstep_half_to_float(h);
#endif
}
#undef LOCKSTEP_HD

#define LOCKSTEP_H __half
#define LOCKSTEP_H2 __half2
#define LOCKSTEP_H_RAW __half_raw
#define LOCKSTEP_H2_RAW __half2_raw
#define LOCKSTEP_H_OTHER __nv_bfloat16
#define LOCKSTEP_HN half
#define LOCKSTEP_HN2 half2
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define LOCKSTEP_H_CONVERTS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define LOCKSTEP_H_OPERATORS
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define LOCKSTEP_H2_OPERATORS
#endif
#define LOCKSTEP_HPTX "f16"
#define LOCKSTEP_HATOMIC 700
#define LOCKSTEP_H2ATOMIC 600
#define LOCKSTEP_H_INFINITY 0x7c00
#define LOCKSTEP_H_OF __lockstep_half_of_float
#define LOCKSTEP_F_OF __lockstep_half_value
#define LOCKSTEP_BITS(h) (h).__x
#define LOCKSTEP_BITS2(v) __lockstep_half_pair_bits(v)
#define LOCKSTEP_PAIR(bits) __lockstep_half_pair(bits)
#define LOCKSTEP_H_SATURATES
/* In this order: */
/* clang-format off */
#include "lockstep/half-type.h"
#include "lockstep/half-common.h"
#include "lockstep/half-undefine.h"
/* clang-format on */

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#endif
#endif
