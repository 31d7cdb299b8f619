/* The types __half and __half2, or __nv_bfloat16 and __nv_bfloat162, and their conversions. Included once for
 * each pair, whose names the including file defines:
 *
 * LOCKSTEP_H, LOCKSTEP_H2, LOCKSTEP_H_RAW, LOCKSTEP_H2_RAW: the types. LOCKSTEP_H_OTHER: the other file's
 * scalar.
 *
 * LOCKSTEP_HN, LOCKSTEP_HN2: how function names call them, half and half2 or bfloat16 and bfloat162. The file
 * has defined
 * __lockstep_float_to_<HN>_rn, _rz, _rd and _ru, __lockstep_integer_to_<HN>_rn and so on, and
 * __lockstep_<HN>_to_float, over the bits.
 *
 * LOCKSTEP_H_CONVERTS: defined unless the program asked for a type without implicit conversions. */

#define LOCKSTEP_HD __host__ __device__ __forceinline__
#define LOCKSTEP_JOIN_(a, b, c) a##b##c
#define LOCKSTEP_JOIN(a, b, c) LOCKSTEP_JOIN_(a, b, c)
#define LOCKSTEP_JOIN4(a, b, c, d) LOCKSTEP_JOIN(a, LOCKSTEP_JOIN(b, c, d), )
/* The bits of a number, and the number of bits */
#define LOCKSTEP_BITS_OF(mode, v) LOCKSTEP_JOIN(__lockstep_float_to_, LOCKSTEP_HN, mode)(v)
#define LOCKSTEP_BITS_OF_INTEGER(mode, v) LOCKSTEP_JOIN(__lockstep_integer_to_, LOCKSTEP_HN, mode)(v)
#define LOCKSTEP_FLOAT_OF(bits) LOCKSTEP_JOIN(__lockstep_, LOCKSTEP_HN, _to_float)(bits)
#if __cplusplus >= 201103L
#define LOCKSTEP_CONSTEXPR constexpr
#else
#define LOCKSTEP_CONSTEXPR
#endif

struct LOCKSTEP_H_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) LOCKSTEP_H2_RAW {
    unsigned short x, y;
};

struct LOCKSTEP_H_OTHER;

struct __attribute__((aligned(2))) LOCKSTEP_H {
    unsigned short __x;

    LOCKSTEP_H() = default;
    LOCKSTEP_HD LOCKSTEP_CONSTEXPR LOCKSTEP_H(const LOCKSTEP_H_RAW& raw) : __x(raw.x) {}
    LOCKSTEP_HD LOCKSTEP_H& operator=(const LOCKSTEP_H_RAW& raw) {
        __x = raw.x;
        return *this;
    }
    LOCKSTEP_HD volatile LOCKSTEP_H& operator=(const LOCKSTEP_H_RAW& raw) volatile {
        __x = raw.x;
        return *this;
    }
    LOCKSTEP_HD volatile LOCKSTEP_H& operator=(const volatile LOCKSTEP_H_RAW& raw) volatile {
        __x = raw.x;
        return *this;
    }
    LOCKSTEP_HD operator LOCKSTEP_H_RAW() const {
        LOCKSTEP_H_RAW raw = {__x};
        return raw;
    }
    LOCKSTEP_HD operator LOCKSTEP_H_RAW() const volatile {
        LOCKSTEP_H_RAW raw = {__x};
        return raw;
    }
#ifdef LOCKSTEP_H_CONVERTS
    LOCKSTEP_HD explicit LOCKSTEP_H(LOCKSTEP_H_OTHER v); /* cuda_bf16.h defines it */
    LOCKSTEP_HD LOCKSTEP_H(float v) : __x(LOCKSTEP_BITS_OF(_rn, v)) {}
    /* To odd first: the bits that float drops still count when the result is rounded. */
    LOCKSTEP_HD LOCKSTEP_H(double v) : __x(LOCKSTEP_BITS_OF(_rn, lockstep_double_to_float_odd(v))) {}
    LOCKSTEP_HD operator float() const { return LOCKSTEP_FLOAT_OF(__x); }
    LOCKSTEP_HD LOCKSTEP_H& operator=(float v) { return *this = LOCKSTEP_H(v); }
    LOCKSTEP_HD LOCKSTEP_H& operator=(double v) { return *this = LOCKSTEP_H(v); }
    LOCKSTEP_HD LOCKSTEP_CONSTEXPR operator bool() const { return (__x & 0x7fff) != 0; }
#define LOCKSTEP_TO(type) \
    LOCKSTEP_HD operator type() const { return lockstep_float_to_integer<type>(LOCKSTEP_FLOAT_OF(__x)); }
#define LOCKSTEP_FROM(type)                                                     \
    LOCKSTEP_HD LOCKSTEP_H(type v) : __x(LOCKSTEP_BITS_OF_INTEGER(_rn, v)) {}   \
    LOCKSTEP_HD LOCKSTEP_H& operator=(type v) { return *this = LOCKSTEP_H(v); } \
    LOCKSTEP_TO(type)
    LOCKSTEP_TO(char)
    LOCKSTEP_TO(signed char)
    LOCKSTEP_TO(unsigned char)
    LOCKSTEP_FROM(short)
    LOCKSTEP_FROM(unsigned short)
    LOCKSTEP_FROM(int)
    LOCKSTEP_FROM(unsigned int)
    LOCKSTEP_FROM(long)
    LOCKSTEP_FROM(unsigned long)
    LOCKSTEP_FROM(long long)
    LOCKSTEP_FROM(unsigned long long)
#undef LOCKSTEP_TO
#undef LOCKSTEP_FROM
#endif
};

struct __attribute__((aligned(4))) LOCKSTEP_H2 {
    LOCKSTEP_H x, y;

    LOCKSTEP_H2() = default;
    LOCKSTEP_HD LOCKSTEP_CONSTEXPR LOCKSTEP_H2(const LOCKSTEP_H& a, const LOCKSTEP_H& b) : x(a), y(b) {}
    /* As one word: a pair stays in one register, and never comes apart where it is copied. */
    LOCKSTEP_HD LOCKSTEP_H2(const LOCKSTEP_H2& other) { __builtin_memcpy(this, &other, sizeof *this); }
    LOCKSTEP_HD LOCKSTEP_H2& operator=(const LOCKSTEP_H2& other) {
        __builtin_memcpy(this, &other, sizeof *this);
        return *this;
    }
    LOCKSTEP_HD LOCKSTEP_H2(const LOCKSTEP_H2_RAW& raw) {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    LOCKSTEP_HD LOCKSTEP_H2& operator=(const LOCKSTEP_H2_RAW& raw) {
        x.__x = raw.x;
        y.__x = raw.y;
        return *this;
    }
    LOCKSTEP_HD operator LOCKSTEP_H2_RAW() const {
        LOCKSTEP_H2_RAW raw = {x.__x, y.__x};
        return raw;
    }
};

/* Bits, and floats, whatever the program has asked for */
#define LOCKSTEP_SHD static LOCKSTEP_HD
#define LOCKSTEP_OWN(suffix) LOCKSTEP_JOIN(__lockstep_, LOCKSTEP_HN, suffix)
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_OWN(_of_bits)(unsigned short bits) {
    LOCKSTEP_H h;
    h.__x = bits;
    return h;
}
LOCKSTEP_SHD LOCKSTEP_H2 LOCKSTEP_OWN(_pair)(unsigned int bits) {
    LOCKSTEP_H2 v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}
LOCKSTEP_SHD unsigned int LOCKSTEP_OWN(_pair_bits)(LOCKSTEP_H2 v) {
    unsigned int bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_OWN(_low)(LOCKSTEP_H2 v) {
    return LOCKSTEP_OWN(_of_bits)((unsigned short)LOCKSTEP_OWN(_pair_bits)(v));
}
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_OWN(_high)(LOCKSTEP_H2 v) {
    return LOCKSTEP_OWN(_of_bits)((unsigned short)(LOCKSTEP_OWN(_pair_bits)(v) >> 16));
}
LOCKSTEP_SHD LOCKSTEP_H2 LOCKSTEP_OWN(_both)(LOCKSTEP_H low, LOCKSTEP_H high) {
#ifdef __CUDA_ARCH__
    unsigned int bits;
    asm("mov.b32 %0, {%1, %2};" : "=r"(bits) : "h"(low.__x), "h"(high.__x));
    return LOCKSTEP_OWN(_pair)(bits);
#else
    return LOCKSTEP_H2(low, high);
#endif
}
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_OWN(_of_float)(float v) {
    return LOCKSTEP_OWN(_of_bits)(LOCKSTEP_BITS_OF(_rn, v));
}
LOCKSTEP_SHD float LOCKSTEP_OWN(_value)(LOCKSTEP_H h) { return LOCKSTEP_FLOAT_OF(h.__x); }

/* Conversions */
#define LOCKSTEP_FROM_FLOAT(mode)                                                 \
    LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__float2, LOCKSTEP_HN, mode)(float v) { \
        return LOCKSTEP_OWN(_of_bits)(LOCKSTEP_BITS_OF(mode, v));                 \
    }
LOCKSTEP_FROM_FLOAT(_rn)
LOCKSTEP_FROM_FLOAT(_rz)
LOCKSTEP_FROM_FLOAT(_rd)
LOCKSTEP_FROM_FLOAT(_ru)
#undef LOCKSTEP_FROM_FLOAT
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__float2, LOCKSTEP_HN, )(float v) { return LOCKSTEP_OWN(_of_float)(v); }
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__double2, LOCKSTEP_HN, )(double v) {
    return LOCKSTEP_OWN(_of_float)(lockstep_double_to_float_odd(v));
}
LOCKSTEP_SHD float LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2float)(LOCKSTEP_H h) { return LOCKSTEP_OWN(_value)(h); }
LOCKSTEP_SHD LOCKSTEP_H2 LOCKSTEP_JOIN(__floats2, LOCKSTEP_HN2, _rn)(float a, float b) {
    return LOCKSTEP_OWN(_both)(LOCKSTEP_OWN(_of_float)(a), LOCKSTEP_OWN(_of_float)(b));
}
LOCKSTEP_SHD LOCKSTEP_H2 LOCKSTEP_JOIN(__float2, LOCKSTEP_HN2, _rn)(float v) {
    return LOCKSTEP_OWN(_both)(LOCKSTEP_OWN(_of_float)(v), LOCKSTEP_OWN(_of_float)(v));
}
LOCKSTEP_SHD LOCKSTEP_H2 LOCKSTEP_JOIN(__float22, LOCKSTEP_HN2, _rn)(float2 v) {
    return LOCKSTEP_OWN(_both)(LOCKSTEP_OWN(_of_float)(v.x), LOCKSTEP_OWN(_of_float)(v.y));
}
LOCKSTEP_SHD float2 LOCKSTEP_JOIN(__, LOCKSTEP_HN2, 2float2)(LOCKSTEP_H2 v) {
    float2 r = {LOCKSTEP_OWN(_value)(LOCKSTEP_OWN(_low)(v)), LOCKSTEP_OWN(_value)(LOCKSTEP_OWN(_high)(v))};
    return r;
}
LOCKSTEP_SHD float __low2float(LOCKSTEP_H2 v) { return LOCKSTEP_OWN(_value)(LOCKSTEP_OWN(_low)(v)); }
LOCKSTEP_SHD float __high2float(LOCKSTEP_H2 v) { return LOCKSTEP_OWN(_value)(LOCKSTEP_OWN(_high)(v)); }

/* Pairs taken apart and put together */
#define LOCKSTEP_PAIR_OF(name, parameters, a, b) \
    LOCKSTEP_SHD LOCKSTEP_H2 name parameters { return LOCKSTEP_OWN(_both)(a, b); }
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__low2, LOCKSTEP_HN, )(LOCKSTEP_H2 v) { return LOCKSTEP_OWN(_low)(v); }
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__high2, LOCKSTEP_HN, )(LOCKSTEP_H2 v) {
    return LOCKSTEP_OWN(_high)(v);
}
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN4(__, LOCKSTEP_HN, 2, LOCKSTEP_HN2), (LOCKSTEP_H v), v, v)
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(__low2, LOCKSTEP_HN2, ), (LOCKSTEP_H2 v), LOCKSTEP_OWN(_low)(v),
                 LOCKSTEP_OWN(_low)(v))
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(__high2, LOCKSTEP_HN2, ), (LOCKSTEP_H2 v), LOCKSTEP_OWN(_high)(v),
                 LOCKSTEP_OWN(_high)(v))
LOCKSTEP_PAIR_OF(__lowhigh2highlow, (LOCKSTEP_H2 v), LOCKSTEP_OWN(_high)(v), LOCKSTEP_OWN(_low)(v))
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(__lows2, LOCKSTEP_HN2, ), (LOCKSTEP_H2 v, LOCKSTEP_H2 w),
                 LOCKSTEP_OWN(_low)(v), LOCKSTEP_OWN(_low)(w))
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(__highs2, LOCKSTEP_HN2, ), (LOCKSTEP_H2 v, LOCKSTEP_H2 w),
                 LOCKSTEP_OWN(_high)(v), LOCKSTEP_OWN(_high)(w))
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(__halves2, LOCKSTEP_HN2, ), (LOCKSTEP_H v, LOCKSTEP_H w), v, w)
LOCKSTEP_PAIR_OF(LOCKSTEP_JOIN(make_, LOCKSTEP_HN2, ), (LOCKSTEP_H v, LOCKSTEP_H w), v, w)
#undef LOCKSTEP_PAIR_OF

/* Bit patterns */
LOCKSTEP_SHD short LOCKSTEP_JOIN(__, LOCKSTEP_HN, _as_short)(LOCKSTEP_H h) { return (short)h.__x; }
LOCKSTEP_SHD unsigned short LOCKSTEP_JOIN(__, LOCKSTEP_HN, _as_ushort)(LOCKSTEP_H h) { return h.__x; }
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__short_as_, LOCKSTEP_HN, )(short v) {
    return LOCKSTEP_OWN(_of_bits)((unsigned short)v);
}
LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN(__ushort_as_, LOCKSTEP_HN, )(unsigned short v) {
    return LOCKSTEP_OWN(_of_bits)(v);
}

/* Integers. float holds every value of this type, so its conversions round the same. */
#if defined(__CUDA__) || defined(__HIP__)
#define LOCKSTEP_TO_INT(name, type)                                                                     \
    static __device__ __forceinline__ type LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2##name##_rn)(LOCKSTEP_H h) { \
        return lockstep_float_to_integer<type>(::rintf(LOCKSTEP_OWN(_value)(h)));                       \
    }                                                                                                   \
    static __device__ __forceinline__ type LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2##name##_rd)(LOCKSTEP_H h) { \
        return lockstep_float_to_integer<type>(::floorf(LOCKSTEP_OWN(_value)(h)));                      \
    }                                                                                                   \
    static __device__ __forceinline__ type LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2##name##_ru)(LOCKSTEP_H h) { \
        return lockstep_float_to_integer<type>(::ceilf(LOCKSTEP_OWN(_value)(h)));                       \
    }
#else
#define LOCKSTEP_TO_INT(name, type)
#endif
#define LOCKSTEP_OF_INT(name, type, mode)                                            \
    LOCKSTEP_SHD LOCKSTEP_H LOCKSTEP_JOIN4(__, name##2, LOCKSTEP_HN, mode)(type v) { \
        return LOCKSTEP_OWN(_of_bits)(LOCKSTEP_BITS_OF_INTEGER(mode, v));            \
    }
#define LOCKSTEP_INTS(name, type)                                                  \
    LOCKSTEP_TO_INT(name, type)                                                    \
    LOCKSTEP_SHD type LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2##name##_rz)(LOCKSTEP_H h) { \
        return lockstep_float_to_integer<type>(LOCKSTEP_OWN(_value)(h));           \
    }                                                                              \
    LOCKSTEP_OF_INT(name, type, _rn)                                               \
    LOCKSTEP_OF_INT(name, type, _rz)                                               \
    LOCKSTEP_OF_INT(name, type, _rd)                                               \
    LOCKSTEP_OF_INT(name, type, _ru)
LOCKSTEP_INTS(int, int)
LOCKSTEP_INTS(uint, unsigned int)
LOCKSTEP_INTS(short, short)
LOCKSTEP_INTS(ushort, unsigned short)
LOCKSTEP_INTS(ll, long long)
LOCKSTEP_INTS(ull, unsigned long long)
#undef LOCKSTEP_INTS
#undef LOCKSTEP_OF_INT
#undef LOCKSTEP_TO_INT
LOCKSTEP_SHD signed char LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2char_rz)(LOCKSTEP_H h) {
    return lockstep_float_to_integer<signed char>(LOCKSTEP_OWN(_value)(h));
}
LOCKSTEP_SHD unsigned char LOCKSTEP_JOIN(__, LOCKSTEP_HN, 2uchar_rz)(LOCKSTEP_H h) {
    return lockstep_float_to_integer<unsigned char>(LOCKSTEP_OWN(_value)(h));
}

#undef LOCKSTEP_OWN
#undef LOCKSTEP_SHD
#undef LOCKSTEP_CONSTEXPR
#undef LOCKSTEP_FLOAT_OF
#undef LOCKSTEP_BITS_OF_INTEGER
#undef LOCKSTEP_BITS_OF
#undef LOCKSTEP_JOIN4
#undef LOCKSTEP_JOIN
#undef LOCKSTEP_JOIN_
#undef LOCKSTEP_HD
