/* __nv_bfloat16 and __nv_bfloat162: the upper half of a float. */
#ifndef LOCKSTEP_CUDA_BF16_H
#define LOCKSTEP_CUDA_BF16_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#include "cuda_fp16.h"
#include "vector_types.h"
#ifdef __cplusplus
#include "cuda_runtime.h"

#define LOCKSTEP_HD __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                 \
    unsigned short h;                                            \
    asm("cvt." ptx_mode ".bf16.f32 %0, %1;" : "=h"(h) : "f"(v)); \
    return h;
#else
#define LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode) \
    return lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_##mode);
#endif
#define LOCKSTEP_FROM_FLOAT(mode, ptx_mode)                                          \
    static LOCKSTEP_HD unsigned short __lockstep_float_to_bfloat16_##mode(float v) { \
        LOCKSTEP_FROM_FLOAT_BODY(mode, ptx_mode)                                     \
    }
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
#define LOCKSTEP_FROM_INTEGERS(mode)                                                  \
    template <class T>                                                                \
    static LOCKSTEP_HD unsigned short __lockstep_integer_to_bfloat16_##mode(T v) {    \
        return __lockstep_float_to_bfloat16_##mode(lockstep_integer_to_float_odd(v)); \
    }
LOCKSTEP_FROM_INTEGERS(rn)
LOCKSTEP_FROM_INTEGERS(rz)
LOCKSTEP_FROM_INTEGERS(rd)
LOCKSTEP_FROM_INTEGERS(ru)
#undef LOCKSTEP_FROM_INTEGERS
static LOCKSTEP_HD float __lockstep_bfloat16_to_float(unsigned short h) {
    return lockstep_bits_float((unsigned)h << 16);
}
#undef LOCKSTEP_HD

#define LOCKSTEP_H __nv_bfloat16
#define LOCKSTEP_H2 __nv_bfloat162
#define LOCKSTEP_H_RAW __nv_bfloat16_raw
#define LOCKSTEP_H2_RAW __nv_bfloat162_raw
#define LOCKSTEP_H_OTHER __half
#define LOCKSTEP_HN bfloat16
#define LOCKSTEP_HN2 bfloat162
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define LOCKSTEP_H_CONVERTS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define LOCKSTEP_H_OPERATORS
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define LOCKSTEP_H2_OPERATORS
#endif
#define LOCKSTEP_HPTX "bf16"
#define LOCKSTEP_HATOMIC 800
#define LOCKSTEP_H2ATOMIC 800
#define LOCKSTEP_H_INFINITY 0x7f80
#define LOCKSTEP_H_OF __lockstep_bfloat16_of_float
#define LOCKSTEP_F_OF __lockstep_bfloat16_value
#define LOCKSTEP_BITS(h) (h).__x
#define LOCKSTEP_BITS2(v) __lockstep_bfloat16_pair_bits(v)
#define LOCKSTEP_PAIR(bits) __lockstep_bfloat16_pair(bits)
/* In this order: */
/* clang-format off */
#include "lockstep/half-type.h"
#include "lockstep/half-common.h"
#include "lockstep/half-undefine.h"
/* clang-format on */

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#ifndef __CUDA_NO_HALF_CONVERSIONS__
__host__ __device__ __forceinline__ __half::__half(__nv_bfloat16 v)
    : __x(__lockstep_float_to_half_rn(__lockstep_bfloat16_value(v))) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__host__ __device__ __forceinline__ __nv_bfloat16::__nv_bfloat16(__half v)
    : __x(__lockstep_float_to_bfloat16_rn(__lockstep_half_value(v))) {}
#endif
#endif
#endif
