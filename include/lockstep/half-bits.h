/* 16-bit floating point in integer arithmetic, for host code: any rounding, no help from the compiler or the
 * CPU. */
#ifndef LOCKSTEP_HALF_BITS_H
#define LOCKSTEP_HALF_BITS_H
#include "host_defines.h"

#ifdef __cplusplus
enum lockstep_rounding { lockstep_round_rn, lockstep_round_rz, lockstep_round_rd, lockstep_round_ru };

static inline __host__ __device__ unsigned int lockstep_float_bits(float v) {
    unsigned int bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline __host__ __device__ float lockstep_bits_float(unsigned int bits) {
    float v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

/* `dropped` low bits of `value` go; does the rest have to grow by one? */
static inline __host__ __device__ unsigned int lockstep_shift_rounded(unsigned int value, int dropped,
                                                                      unsigned int negative,
                                                                      lockstep_rounding rounding) {
    if (dropped > 31) dropped = 31;
    unsigned int kept = value >> dropped, rest = value & ((1u << dropped) - 1), half = 1u << (dropped - 1);
    bool up = rounding == lockstep_round_rn   ? rest > half || (rest == half && (kept & 1))
              : rounding == lockstep_round_rd ? negative && rest
              : rounding == lockstep_round_ru ? !negative && rest
                                              : false;
    return kept + up;
}

static inline __host__ __device__ unsigned short lockstep_round_to_half(unsigned int bits,
                                                                        lockstep_rounding rounding) {
    unsigned int negative = bits >> 31, sign = negative << 15, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff; /* NVIDIA's canonical NaN */
    if (magnitude == 0x7f800000) return (unsigned short)(sign | 0x7c00);
    int exponent = (int)(magnitude >> 23) - 127;
    unsigned int result;
    if (exponent >= 16)
        result = 0x7c00;
    else if (exponent >= -14)
        result = lockstep_shift_rounded(magnitude - (112u << 23), 13, negative, rounding);
    else if (magnitude == 0)
        result = 0;
    else
        result = lockstep_shift_rounded(exponent < -126 ? 1u : (magnitude & 0x7fffff) | 0x800000,
                                        exponent < -126 ? 31 : -exponent - 1, negative, rounding);
    /* Overflow stops at the largest finite number where the rounding points towards zero. */
    bool towards_zero = rounding == lockstep_round_rz || (rounding == lockstep_round_rd && !negative) ||
                        (rounding == lockstep_round_ru && negative);
    if (result >= 0x7c00 && towards_zero) result = 0x7bff;
    return (unsigned short)(sign | result);
}

static inline __host__ __device__ unsigned short lockstep_round_to_bfloat16(unsigned int bits,
                                                                            lockstep_rounding rounding) {
    unsigned int negative = bits >> 31, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;
    unsigned int result = lockstep_shift_rounded(magnitude, 16, negative, rounding);
    return (unsigned short)(negative << 15 | result);
}

static inline __host__ __device__ float lockstep_half_to_float(unsigned short h) {
    unsigned int sign = (unsigned int)(h >> 15) << 31, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    if (exponent == 31) return lockstep_bits_float(mantissa ? 0x7fffffff : sign | 0x7f800000);
    if (exponent) return lockstep_bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
    float v = (float)mantissa * 5.9604644775390625e-8f;
    return sign ? -v : v;
}

static inline __host__ __device__ float __lockstep_saturate(float v) {
    return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f;
}

/* double to float, the last bit set where anything was dropped: rounding that again, to fewer bits, rounds
 * correctly. */
static inline __host__ __device__ float lockstep_double_to_float_odd(double v) {
    float f = (float)v;
    if ((double)f == v || v != v) return f;
    unsigned int bits = lockstep_float_bits(f);
    double up = (double)f, av = v < 0 ? -v : v, af = up < 0 ? -up : up;
    if (af > av) --bits; /* towards zero */
    return lockstep_bits_float(bits | 1);
}

/* An integer to float in the same way */
template <class T>
static inline __host__ __device__ float lockstep_integer_to_float_odd(T v) {
    bool negative = v < (T)1 && v != (T)0;
    unsigned long long magnitude = negative ? 0ull - (unsigned long long)v : (unsigned long long)v;
    if (magnitude < 1u << 24) return negative ? -(float)magnitude : (float)magnitude;
    int top = 63 - __builtin_clzll(magnitude), dropped = top - 23;
    unsigned int kept = (unsigned int)(magnitude >> dropped);
    if (magnitude & ((1ull << dropped) - 1)) kept |= 1;
    return lockstep_bits_float((negative ? 1u << 31 : 0u) | (unsigned int)(127 + top) << 23 |
                               (kept & 0x7fffff));
}

/* A float to an integer, towards zero, as the instructions do it: what is too large gives the largest, and a
 * NaN gives 0, or the highest bit alone where the integer has 64 of them. */
template <class T>
static inline __host__ __device__ T lockstep_float_to_integer(float v) {
    const bool is_signed = (T)-1 < (T)1;
    const T highest = (T)(~0ull >> (64 - sizeof(T) * 8 + is_signed)),
            lowest = is_signed ? (T)(-highest - 1) : (T)0;
#ifdef __CUDA_ARCH__
    if (sizeof(T) == 8) return is_signed ? (T)__nvvm_f2ll_rz(v) : (T)__nvvm_f2ull_rz(v);
    if (sizeof(T) == 4) return is_signed ? (T)__nvvm_f2i_rz(v) : (T)__nvvm_f2ui_rz(v);
    int whole = __nvvm_f2i_rz(v);
    return whole<(int)lowest ? lowest : whole>(int) highest ? highest : (T)whole;
#else
    if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    return v <= (float)lowest ? lowest : v >= (float)highest ? highest : (T)v;
#endif
}
#endif

#endif
