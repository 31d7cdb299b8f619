/* hip_bfloat16: HIP's older type, which only converts; arithmetic is float's. */
#ifndef LOCKSTEP_HIP_BFLOAT16_H
#define LOCKSTEP_HIP_BFLOAT16_H
#define _HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BFLOAT16_H_
#include "hip_runtime.h"
#ifdef __cplusplus
#include "lockstep/half-bits.h"

struct hip_bfloat16 {
    unsigned short data;

    hip_bfloat16() = default;
    explicit __host__ __device__ hip_bfloat16(float v)
        : data(lockstep_round_to_bfloat16(lockstep_float_bits(v), lockstep_round_rn)) {}
    static __host__ __device__ hip_bfloat16 round_to_bfloat16(float v) { return hip_bfloat16(v); }
    __host__ __device__ operator float() const { return lockstep_bits_float((unsigned int)data << 16); }
    __host__ __device__ hip_bfloat16& operator=(float v) { return *this = hip_bfloat16(v); }
    explicit __host__ __device__ operator bool() const { return (data & 0x7fff) != 0; }
};
#define LOCKSTEP_OPERATOR(op, compound)                                                            \
    inline __host__ __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {          \
        return hip_bfloat16(float(a) op float(b));                                                 \
    }                                                                                              \
    inline __host__ __device__ hip_bfloat16& operator compound(hip_bfloat16 & a, hip_bfloat16 b) { \
        return a = a op b;                                                                         \
    }
LOCKSTEP_OPERATOR(+, +=)
LOCKSTEP_OPERATOR(-, -=)
LOCKSTEP_OPERATOR(*, *=)
LOCKSTEP_OPERATOR(/, /=)
#undef LOCKSTEP_OPERATOR
#endif

#endif
