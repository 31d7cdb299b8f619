/* 8-bit floating point in integer arithmetic: e4m3 has no infinity and one NaN, e5m2 is the upper half of
 * binary16. */
#ifndef LOCKSTEP_FP8_BITS_H
#define LOCKSTEP_FP8_BITS_H
#include "lockstep/half-bits.h"

/* From a double, to nearest even, rounded once: everything that can be converted is a double exactly. */
static inline __host__ __device__ unsigned char lockstep_double_to_fp8(double v, int mantissa,
                                                                       bool finite_only, bool saturate) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    const unsigned int sign = (unsigned int)(bits >> 63) << 7;
    const unsigned long long magnitude = bits & 0x7fffffffffffffffull;
    const int bias = finite_only ? 7 : 15;
    const unsigned int largest = finite_only ? 0x7e : 0x7b, beyond = finite_only ? 0x7f : 0x7c;
    /* e5m2 has room for the two highest bits of a NaN, quiet. */
    if (magnitude > 0x7ff0000000000000ull)
        return (unsigned char)(sign | (finite_only ? 0x7f : 0x7e | (unsigned int)(magnitude >> 50 & 3)));
    unsigned int result = 0;
    if (magnitude == 0x7ff0000000000000ull) {
        result = 0xff;
    } else {
        int exponent = (int)(magnitude >> 52) - 1023;
        /* Too small for anything but zero: a half of the smallest number, exactly, is a tie and goes there,
         * too. */
        if (exponent >= 1 - bias - mantissa - 1) {
            unsigned long long whole = (magnitude & 0xfffffffffffffull) | 1ull << 52;
            int dropped = 52 - mantissa;
            int stored = exponent + bias;
            if (stored < 1) {
                dropped += 1 - stored;
                stored = 0;
            }
            unsigned long long kept = whole >> dropped, rest = whole & ((1ull << dropped) - 1),
                               half = 1ull << (dropped - 1);
            if (rest > half || (rest == half && (kept & 1))) ++kept;
            /* A carry goes into the exponent by itself. */
            const unsigned long long code =
                stored == 0 ? kept : ((unsigned long long)(stored - 1) << mantissa) + kept;
            result = code > 0xff ? 0xff : (unsigned int)code;
        }
    }
    if (result > largest) result = saturate ? largest : beyond;
    return (unsigned char)(sign | result);
}

/* The bits of a half. */
static inline __host__ __device__ unsigned short lockstep_fp8_to_half(unsigned char v, bool e4m3) {
    const unsigned int sign = (unsigned int)(v >> 7) << 15, magnitude = v & 0x7f;
    if (!e4m3) return (unsigned short)(magnitude > 0x7c ? 0x7fff : sign | magnitude << 8);
    if (magnitude == 0x7f) return 0x7fff;
    if (magnitude >= 8) return (unsigned short)(sign | ((magnitude << 7) + (8u << 10)));
    /* Subnormal here, normal there: k / 512. */
    unsigned int k = magnitude, exponent = 14 - 8 + 1;
    if (k == 0) return (unsigned short)sign;
    while (k < 8) {
        k <<= 1;
        --exponent;
    }
    return (unsigned short)(sign | ((exponent + 2) << 10) | (k & 7) << 7);
}

#endif
