/* __hip_bfloat16 and __hip_bfloat162: the upper half of a float. */
#ifndef LOCKSTEP_HIP_BF16_H
#define LOCKSTEP_HIP_BF16_H
#include "hip_fp16.h"
#ifdef __cplusplus

#define LOCKSTEP_HD static __host__ __device__ __forceinline__
#define LOCKSTEP_ROUNDED(mode)                                                            \
    LOCKSTEP_HD unsigned short __lockstep_float_to_bfloat16_##mode(float v) {             \
        return lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_##mode); \
    }                                                                                     \
    template <class T>                                                                    \
    LOCKSTEP_HD unsigned short __lockstep_integer_to_bfloat16_##mode(T v) {               \
        return __lockstep_float_to_bfloat16_##mode(lockstep_integer_to_float_odd(v));     \
    }
LOCKSTEP_ROUNDED(rn)
LOCKSTEP_ROUNDED(rz)
LOCKSTEP_ROUNDED(rd)
LOCKSTEP_ROUNDED(ru)
#undef LOCKSTEP_ROUNDED
LOCKSTEP_HD float __lockstep_bfloat16_to_float(unsigned short h) {
    return lockstep_bits_float((unsigned int)h << 16);
}
#undef LOCKSTEP_HD

#define LOCKSTEP_H __hip_bfloat16
#define LOCKSTEP_H2 __hip_bfloat162
#define LOCKSTEP_H_RAW __hip_bfloat16_raw
#define LOCKSTEP_H2_RAW __hip_bfloat162_raw
#define LOCKSTEP_H_OTHER __half
#define LOCKSTEP_HN bfloat16
#define LOCKSTEP_HN2 bfloat162
#define LOCKSTEP_H_CONVERTS
#define LOCKSTEP_H_OPERATORS
#define LOCKSTEP_H2_OPERATORS
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

__host__ __device__ __forceinline__ __hip_bfloat16::__hip_bfloat16(__half v)
    : __x(__lockstep_float_to_bfloat16_rn(__lockstep_half_value(v))) {}
#ifndef __HIP_NO_HALF_CONVERSIONS__
__host__ __device__ __forceinline__ __half::__half(__hip_bfloat16 v)
    : __x(__lockstep_float_to_half_rn(__lockstep_bfloat16_value(v))) {}
#endif
#endif

#endif
