/* __half and __half2: IEEE binary16, which clang has as _Float16. */
#ifndef LOCKSTEP_HIP_FP16_H
#define LOCKSTEP_HIP_FP16_H
#define HIP_INCLUDE_HIP_HIP_FP16_H
#include "hip_vector_types.h"
#ifdef __cplusplus
#include "hip_runtime.h"
#include "lockstep/half-bits.h"

#define LOCKSTEP_HD static __host__ __device__ __forceinline__
#ifdef __HIP_DEVICE_COMPILE__
LOCKSTEP_HD unsigned short __lockstep_float16_bits(_Float16 v) {
    unsigned short h;
    __builtin_memcpy(&h, &v, sizeof h);
    return h;
}
LOCKSTEP_HD _Float16 __lockstep_float16_of(unsigned short h) {
    _Float16 v;
    __builtin_memcpy(&v, &h, sizeof v);
    return v;
}
LOCKSTEP_HD unsigned short __lockstep_float_to_half_rn(float v) {
    return __lockstep_float16_bits((_Float16)v);
}
template <class T>
LOCKSTEP_HD unsigned short __lockstep_integer_to_half_rn(T v) {
    return __lockstep_float16_bits((_Float16)v);
}
LOCKSTEP_HD float __lockstep_half_to_float(unsigned short h) { return (float)__lockstep_float16_of(h); }
#else
LOCKSTEP_HD unsigned short __lockstep_float_to_half_rn(float v) {
    return lockstep_round_to_half(lockstep_float_bits(v), lockstep_round_rn);
}
template <class T>
LOCKSTEP_HD unsigned short __lockstep_integer_to_half_rn(T v) {
    return __lockstep_float_to_half_rn(lockstep_integer_to_float_odd(v));
}
LOCKSTEP_HD float __lockstep_half_to_float(unsigned short h) { return lockstep_half_to_float(h); }
#endif
#define LOCKSTEP_DIRECTED(mode)                                                       \
    LOCKSTEP_HD unsigned short __lockstep_float_to_half_##mode(float v) {             \
        return lockstep_round_to_half(lockstep_float_bits(v), lockstep_round_##mode); \
    }                                                                                 \
    template <class T>                                                                \
    LOCKSTEP_HD unsigned short __lockstep_integer_to_half_##mode(T v) {               \
        return __lockstep_float_to_half_##mode(lockstep_integer_to_float_odd(v));     \
    }
LOCKSTEP_DIRECTED(rz)
LOCKSTEP_DIRECTED(rd)
LOCKSTEP_DIRECTED(ru)
#undef LOCKSTEP_DIRECTED
#undef LOCKSTEP_HD

#define LOCKSTEP_H __half
#define LOCKSTEP_H2 __half2
#define LOCKSTEP_H_RAW __half_raw
#define LOCKSTEP_H2_RAW __half2_raw
#define LOCKSTEP_H_OTHER __hip_bfloat16
#define LOCKSTEP_HN half
#define LOCKSTEP_HN2 half2
#ifndef __HIP_NO_HALF_CONVERSIONS__
#define LOCKSTEP_H_CONVERTS
#endif
#ifndef __HIP_NO_HALF_OPERATORS__
#define LOCKSTEP_H_OPERATORS
#define LOCKSTEP_H2_OPERATORS
#endif
#define LOCKSTEP_H_INFINITY 0x7c00
#define LOCKSTEP_H_OF __lockstep_half_of_float
#define LOCKSTEP_F_OF __lockstep_half_value
#define LOCKSTEP_BITS(h) (h).__x
#define LOCKSTEP_BITS2(v) __lockstep_half_pair_bits(v)
#define LOCKSTEP_PAIR(bits) __lockstep_half_pair(bits)
#define LOCKSTEP_H_SATURATES
#ifdef __HIP_DEVICE_COMPILE__
#define LOCKSTEP_H_FUSED(a, b, c)                                                                    \
    (float)__builtin_elementwise_fma(__lockstep_float16_of((a).__x), __lockstep_float16_of((b).__x), \
                                     __lockstep_float16_of((c).__x))
#endif
/* In this order: */
/* clang-format off */
#include "lockstep/half-type.h"
#include "lockstep/half-common.h"
#include "lockstep/half-undefine.h"
/* clang-format on */

typedef __half half;
typedef __half2 half2;

#define HIPRT_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define HIPRT_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define HIPRT_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define HIPRT_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#endif

#endif
