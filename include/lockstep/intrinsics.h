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
LOCKSTEP_DEVICE int float2int(float a) { return __float2int_rz(a); }
LOCKSTEP_DEVICE float int2float(int a) { return __int2float_rn(a); }

#undef LOCKSTEP_DEVICE
/* clang's headers declare it and leave the definition to CUDA's. The tag is not looked at. */
static __device__ __inline__ __attribute__((always_inline)) double nan(const char*) { return __builtin_nan(""); }

#endif
