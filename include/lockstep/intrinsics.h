/* Device intrinsics that clang's own headers leave to CUDA's: dot products and old spellings. */
#ifndef LOCKSTEP_INTRINSICS_H
#define LOCKSTEP_INTRINSICS_H

#define LOCKSTEP_DEVICE static __device__ __forceinline__

template <class To, class From>
LOCKSTEP_DEVICE To __lockstep_bits(From v) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    return __builtin_bit_cast(To, v);
}

/* Dot products of bytes, or of halves with bytes */
#if LOCKSTEP_ARCH >= 610
#define LOCKSTEP_DOT(name, ptx, result, a_type, b_type)                 \
    LOCKSTEP_DEVICE result name(a_type a, b_type b, result c) {         \
        result d;                                                       \
        asm(ptx " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
        return d;                                                       \
    }
LOCKSTEP_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
LOCKSTEP_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
LOCKSTEP_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
LOCKSTEP_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
LOCKSTEP_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
LOCKSTEP_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
#undef LOCKSTEP_DOT

LOCKSTEP_DEVICE int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(__lockstep_bits<int>(a), __lockstep_bits<int>(b), c);
}
LOCKSTEP_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(__lockstep_bits<unsigned int>(a), __lockstep_bits<unsigned int>(b), c);
}
LOCKSTEP_DEVICE int __dp2a_lo(short2 a, char4 b, int c) {
    return __dp2a_lo(__lockstep_bits<int>(a), __lockstep_bits<int>(b), c);
}
LOCKSTEP_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
    return __dp2a_lo(__lockstep_bits<unsigned int>(a), __lockstep_bits<unsigned int>(b), c);
}
LOCKSTEP_DEVICE int __dp2a_hi(short2 a, char4 b, int c) {
    return __dp2a_hi(__lockstep_bits<int>(a), __lockstep_bits<int>(b), c);
}
LOCKSTEP_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
    return __dp2a_hi(__lockstep_bits<unsigned int>(a), __lockstep_bits<unsigned int>(b), c);
}

#endif

/* The hyperbolic tangent as 7.5 and later have it */
LOCKSTEP_DEVICE float __tanhf(float a) {
#if LOCKSTEP_ARCH >= 750
    float r;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
#else
    return ::tanhf(a);
#endif
}
LOCKSTEP_DEVICE int __signbit(double a) { return __signbitd(a); }
LOCKSTEP_DEVICE unsigned short __nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
LOCKSTEP_DEVICE unsigned int __nv_bswap32(unsigned int a) { return __builtin_bswap32(a); }
LOCKSTEP_DEVICE unsigned long long __nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }

/* Arithmetic and conversions whose rounding is an argument */
#define LOCKSTEP_ROUND(mode, function, ...)                   \
    ((mode) == cudaRoundNearest  ? function##_rn(__VA_ARGS__) \
     : (mode) == cudaRoundZero   ? function##_rz(__VA_ARGS__) \
     : (mode) == cudaRoundPosInf ? function##_ru(__VA_ARGS__) \
                                 : function##_rd(__VA_ARGS__))
LOCKSTEP_DEVICE double fma(double a, double b, double c, enum cudaRoundMode mode) {
    return LOCKSTEP_ROUND(mode, __fma, a, b, c);
}
LOCKSTEP_DEVICE double dadd(double a, double b, enum cudaRoundMode mode = cudaRoundNearest) {
    return LOCKSTEP_ROUND(mode, __dadd, a, b);
}
LOCKSTEP_DEVICE double dsub(double a, double b, enum cudaRoundMode mode = cudaRoundNearest) {
    return LOCKSTEP_ROUND(mode, __dsub, a, b);
}
LOCKSTEP_DEVICE double dmul(double a, double b, enum cudaRoundMode mode = cudaRoundNearest) {
    return LOCKSTEP_ROUND(mode, __dmul, a, b);
}
#define LOCKSTEP_CONVERT(name, to, from, standard)                        \
    LOCKSTEP_DEVICE to name(from a, enum cudaRoundMode mode = standard) { \
        return LOCKSTEP_ROUND(mode, __##name, a);                         \
    }
LOCKSTEP_CONVERT(double2int, int, double, cudaRoundZero)
LOCKSTEP_CONVERT(double2uint, unsigned int, double, cudaRoundZero)
LOCKSTEP_CONVERT(double2ll, long long, double, cudaRoundZero)
LOCKSTEP_CONVERT(double2ull, unsigned long long, double, cudaRoundZero)
LOCKSTEP_CONVERT(ll2double, double, long long, cudaRoundNearest)
LOCKSTEP_CONVERT(ull2double, double, unsigned long long, cudaRoundNearest)
LOCKSTEP_CONVERT(float2int, int, float, cudaRoundZero)
LOCKSTEP_CONVERT(float2uint, unsigned int, float, cudaRoundZero)
LOCKSTEP_CONVERT(int2float, float, int, cudaRoundNearest)
LOCKSTEP_CONVERT(uint2float, float, unsigned int, cudaRoundNearest)
#undef LOCKSTEP_CONVERT
#undef LOCKSTEP_ROUND
/* Exact, whatever the rounding */
LOCKSTEP_DEVICE double int2double(int a, enum cudaRoundMode = cudaRoundNearest) { return a; }
LOCKSTEP_DEVICE double uint2double(unsigned int a, enum cudaRoundMode = cudaRoundNearest) { return a; }
LOCKSTEP_DEVICE double float2double(float a, enum cudaRoundMode = cudaRoundNearest) { return a; }

/* Old spellings, still found in programs */
LOCKSTEP_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
LOCKSTEP_DEVICE unsigned int mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
LOCKSTEP_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
LOCKSTEP_DEVICE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
LOCKSTEP_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
LOCKSTEP_DEVICE unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
LOCKSTEP_DEVICE int float_as_int(float a) { return __float_as_int(a); }
LOCKSTEP_DEVICE float int_as_float(int a) { return __int_as_float(a); }
LOCKSTEP_DEVICE unsigned int float_as_uint(float a) { return __float_as_uint(a); }
LOCKSTEP_DEVICE float uint_as_float(unsigned int a) { return __uint_as_float(a); }
LOCKSTEP_DEVICE float saturate(float a) { return __saturatef(a); }

#undef LOCKSTEP_DEVICE

#endif
