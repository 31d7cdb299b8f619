/* Operations that __half and __nv_bfloat16 share: arithmetic, comparisons, mathematics, shuffles. Included
 * once for each type, whose names and conversions the including file defines:
 *
 * LOCKSTEP_H, LOCKSTEP_H2: the scalar and the pair type.
 *
 * LOCKSTEP_HPTX: its PTX name, "f16" or "bf16".
 * LOCKSTEP_HATOMIC, LOCKSTEP_H2ATOMIC: from which __CUDA_ARCH__ on there are atomics.
 *
 * LOCKSTEP_H_OF, LOCKSTEP_F_OF: conversions from and to float, rounding to nearest even.
 *
 * LOCKSTEP_BITS, LOCKSTEP_BITS2, LOCKSTEP_PAIR: the bits of a scalar, of a pair, and a pair of its bits.
 *
 * LOCKSTEP_H_SATURATES: defined where the .sat forms exist. LOCKSTEP_H_INFINITY: infinity's bits.
 *
 * LOCKSTEP_H_OPERATORS, LOCKSTEP_H2_OPERATORS: defined unless the program does without.
 *
 * LOCKSTEP_H_FUSED(a, b, c): a * b + c as a float, rounded as the type is; where a compiler has an
 * instruction for it.
 *
 * On the device each function is the instruction that nvcc emits; on the host it is computed in float, which
 * has more than twice the bits, so rounding once more is harmless (in double for the fused ones, and from
 * there to odd). */

#define LOCKSTEP_HD static __host__ __device__ __forceinline__
#define LOCKSTEP_D static __device__ __forceinline__

#ifdef __CUDA_ARCH__
#define LOCKSTEP_PICK(device, host) device
#else
#define LOCKSTEP_PICK(device, host) host
#endif

/* Arithmetic */
#define LOCKSTEP_HOP2(name, ptx, host_value)                                                                 \
    LOCKSTEP_HD LOCKSTEP_H name(LOCKSTEP_H a, LOCKSTEP_H b) {                                                \
        LOCKSTEP_PICK(LOCKSTEP_H r;                                                                          \
                      asm(ptx LOCKSTEP_HPTX " %0, %1, %2;" : "=h"(LOCKSTEP_BITS(r)) : "h"(LOCKSTEP_BITS(a)), \
                          "h"(LOCKSTEP_BITS(b)));                                                            \
                      return r;, float x = LOCKSTEP_F_OF(a); float y = LOCKSTEP_F_OF(b); (void)y;            \
                      return LOCKSTEP_H_OF(host_value);)                                                     \
    }
#define LOCKSTEP_H2OP2(name, scalar, ptx)                                                                    \
    LOCKSTEP_HD LOCKSTEP_H2 name(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {                                             \
        LOCKSTEP_PICK(unsigned r; asm(ptx LOCKSTEP_HPTX "x2 %0, %1, %2;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)), \
                                      "r"(LOCKSTEP_BITS2(b)));                                               \
                      return LOCKSTEP_PAIR(r);, return LOCKSTEP_H2(scalar(a.x, b.x), scalar(a.y, b.y));)     \
    }
#define LOCKSTEP_BOTH(name, name2, ptx, host_value) \
    LOCKSTEP_HOP2(name, ptx, host_value)            \
    LOCKSTEP_H2OP2(name2, name, ptx)

LOCKSTEP_BOTH(__hadd, __hadd2, "add.", x + y)
LOCKSTEP_BOTH(__hsub, __hsub2, "sub.", x - y)
LOCKSTEP_BOTH(__hmul, __hmul2, "mul.", x* y)
LOCKSTEP_BOTH(__hadd_rn, __hadd2_rn, "add.rn.", x + y)
LOCKSTEP_BOTH(__hsub_rn, __hsub2_rn, "sub.rn.", x - y)
LOCKSTEP_BOTH(__hmul_rn, __hmul2_rn, "mul.rn.", x* y)
LOCKSTEP_BOTH(__hmax, __hmax2, "max.", (x != x ? y : y != y ? x : x > y ? x : y))
LOCKSTEP_BOTH(__hmin, __hmin2, "min.", (x != x ? y : y != y ? x : x < y ? x : y))
LOCKSTEP_BOTH(__hmax_nan, __hmax2_nan, "max.NaN.", (x != x ? x : y != y ? y : x > y ? x : y))
LOCKSTEP_BOTH(__hmin_nan, __hmin2_nan, "min.NaN.", (x != x ? x : y != y ? y : x < y ? x : y))
#ifdef LOCKSTEP_H_SATURATES
LOCKSTEP_BOTH(__hadd_sat, __hadd2_sat, "add.sat.", __lockstep_saturate(x + y))
LOCKSTEP_BOTH(__hsub_sat, __hsub2_sat, "sub.sat.", __lockstep_saturate(x - y))
LOCKSTEP_BOTH(__hmul_sat, __hmul2_sat, "mul.sat.", __lockstep_saturate(x* y))
#else
/* To [0, 1] afterwards: of a NaN and a number the latter is the larger, as of the instructions that have
 * .sat. */
#define LOCKSTEP_SATURATE(name, name2, parameters, parameters2, value, value2)             \
    LOCKSTEP_HD LOCKSTEP_H name parameters {                                               \
        return __hmin(__hmax(value, LOCKSTEP_H_OF(0.0f)), LOCKSTEP_H_OF(1.0f));            \
    }                                                                                      \
    LOCKSTEP_HD LOCKSTEP_H2 name2 parameters2 {                                            \
        LOCKSTEP_H2 v = value2;                                                            \
        return LOCKSTEP_H2(__hmin(__hmax(v.x, LOCKSTEP_H_OF(0.0f)), LOCKSTEP_H_OF(1.0f)),  \
                           __hmin(__hmax(v.y, LOCKSTEP_H_OF(0.0f)), LOCKSTEP_H_OF(1.0f))); \
    }
LOCKSTEP_SATURATE(__hadd_sat, __hadd2_sat, (LOCKSTEP_H a, LOCKSTEP_H b), (LOCKSTEP_H2 a, LOCKSTEP_H2 b),
                  __hadd(a, b), __hadd2(a, b))
LOCKSTEP_SATURATE(__hsub_sat, __hsub2_sat, (LOCKSTEP_H a, LOCKSTEP_H b), (LOCKSTEP_H2 a, LOCKSTEP_H2 b),
                  __hsub(a, b), __hsub2(a, b))
LOCKSTEP_SATURATE(__hmul_sat, __hmul2_sat, (LOCKSTEP_H a, LOCKSTEP_H b), (LOCKSTEP_H2 a, LOCKSTEP_H2 b),
                  __hmul(a, b), __hmul2(a, b))
#endif

#ifdef LOCKSTEP_H_FUSED
#define LOCKSTEP_FUSED LOCKSTEP_H_FUSED
#else
#define LOCKSTEP_FUSED(a, b, c) \
    lockstep_double_to_float_odd((double)LOCKSTEP_F_OF(a) * LOCKSTEP_F_OF(b) + LOCKSTEP_F_OF(c))
#endif
#define LOCKSTEP_FMA(name, name2, ptx, host_value)                                                           \
    LOCKSTEP_HD LOCKSTEP_H name(LOCKSTEP_H a, LOCKSTEP_H b, LOCKSTEP_H c) {                                  \
        LOCKSTEP_PICK(LOCKSTEP_H r; asm(ptx LOCKSTEP_HPTX                                                    \
                                        " %0, %1, %2, %3;" : "=h"(LOCKSTEP_BITS(r)) : "h"(LOCKSTEP_BITS(a)), \
                                        "h"(LOCKSTEP_BITS(b)), "h"(LOCKSTEP_BITS(c)));                       \
                      return r;, float v = LOCKSTEP_FUSED(a, b, c); return LOCKSTEP_H_OF(host_value);)       \
    }                                                                                                        \
    LOCKSTEP_HD LOCKSTEP_H2 name2(LOCKSTEP_H2 a, LOCKSTEP_H2 b, LOCKSTEP_H2 c) {                             \
        LOCKSTEP_PICK(                                                                                       \
            unsigned r; asm(ptx LOCKSTEP_HPTX "x2 %0, %1, %2, %3;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)),       \
                            "r"(LOCKSTEP_BITS2(b)), "r"(LOCKSTEP_BITS2(c)));                                 \
            return LOCKSTEP_PAIR(r);, return LOCKSTEP_H2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));)         \
    }
LOCKSTEP_FMA(__hfma, __hfma2, "fma.rn.", v)
LOCKSTEP_FMA(__hfma_relu, __hfma2_relu, "fma.rn.relu.", (v > 0 || v != v ? v : 0.0f))
#ifdef LOCKSTEP_H_SATURATES
LOCKSTEP_FMA(__hfma_sat, __hfma2_sat, "fma.rn.sat.", __lockstep_saturate(v))
#else
LOCKSTEP_SATURATE(__hfma_sat, __hfma2_sat, (LOCKSTEP_H a, LOCKSTEP_H b, LOCKSTEP_H c),
                  (LOCKSTEP_H2 a, LOCKSTEP_H2 b, LOCKSTEP_H2 c), __hfma(a, b, c), __hfma2(a, b, c))
#undef LOCKSTEP_SATURATE
#endif
/* Complex numbers: a·b + c, the real part first */
LOCKSTEP_HD LOCKSTEP_H2 __hcmadd(LOCKSTEP_H2 a, LOCKSTEP_H2 b, LOCKSTEP_H2 c) {
    LOCKSTEP_H minus_ay;
    LOCKSTEP_BITS(minus_ay) = (unsigned short)(LOCKSTEP_BITS(a.y) ^ 0x8000);
    return LOCKSTEP_H2(__hfma(minus_ay, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

#define LOCKSTEP_HOP1(name, name2, ptx, host_value)                                                        \
    LOCKSTEP_HD LOCKSTEP_H name(LOCKSTEP_H a) {                                                            \
        LOCKSTEP_PICK(LOCKSTEP_H r;                                                                        \
                      asm(ptx LOCKSTEP_HPTX " %0, %1;" : "=h"(LOCKSTEP_BITS(r)) : "h"(LOCKSTEP_BITS(a)));  \
                      return r;, LOCKSTEP_H r; LOCKSTEP_BITS(r) = (unsigned short)(host_value); return r;) \
    }                                                                                                      \
    LOCKSTEP_HD LOCKSTEP_H2 name2(LOCKSTEP_H2 a) {                                                         \
        LOCKSTEP_PICK(unsigned r; asm(ptx LOCKSTEP_HPTX "x2 %0, %1;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)));  \
                      return LOCKSTEP_PAIR(r);, return LOCKSTEP_H2(name(a.x), name(a.y));)                 \
    }
LOCKSTEP_HOP1(__hneg, __hneg2, "neg.", LOCKSTEP_BITS(a) ^ 0x8000)
LOCKSTEP_HOP1(__habs, __habs2, "abs.", LOCKSTEP_BITS(a) & 0x7fff)

/* There is no division instruction: float's, rounded once more. */
LOCKSTEP_HD LOCKSTEP_H __hdiv(LOCKSTEP_H a, LOCKSTEP_H b) {
    return LOCKSTEP_H_OF(LOCKSTEP_F_OF(a) / LOCKSTEP_F_OF(b));
}
LOCKSTEP_HD LOCKSTEP_H2 __h2div(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {
    return LOCKSTEP_H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* Comparisons. The u forms are true for unordered operands. */
#define LOCKSTEP_COMPARE(op, ptx, ordered, unordered)                                                       \
    LOCKSTEP_HD bool __h##op(LOCKSTEP_H a, LOCKSTEP_H b) {                                                  \
        LOCKSTEP_PICK(int r; asm("{ .reg .pred p;\n setp." ptx "." LOCKSTEP_HPTX                            \
                                 " p, %1, %2;\n selp.s32 %0, 1, 0, p; }" : "=r"(r) : "h"(LOCKSTEP_BITS(a)), \
                                 "h"(LOCKSTEP_BITS(b)));                                                    \
                      return r;, float x = LOCKSTEP_F_OF(a); float y = LOCKSTEP_F_OF(b); return ordered;)   \
    }                                                                                                       \
    LOCKSTEP_HD bool __h##op##u(LOCKSTEP_H a, LOCKSTEP_H b) {                                               \
        LOCKSTEP_PICK(int r; asm("{ .reg .pred p;\n setp." ptx "u." LOCKSTEP_HPTX                           \
                                 " p, %1, %2;\n selp.s32 %0, 1, 0, p; }" : "=r"(r) : "h"(LOCKSTEP_BITS(a)), \
                                 "h"(LOCKSTEP_BITS(b)));                                                    \
                      return r;, float x = LOCKSTEP_F_OF(a); float y = LOCKSTEP_F_OF(b); return unordered;) \
    }                                                                                                       \
    LOCKSTEP_COMPARE2(__h##op, ptx)                                                                         \
    LOCKSTEP_COMPARE2U(__h##op, ptx)                                                                        \
    LOCKSTEP_HD bool __hb##op##2(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {                                            \
        return __h##op(a.x, b.x) && __h##op(a.y, b.y);                                                      \
    }                                                                                                       \
    LOCKSTEP_HD bool __hb##op##u2(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {                                           \
        return __h##op##u(a.x, b.x) && __h##op##u(a.y, b.y);                                                \
    }
#define LOCKSTEP_COMPARE_PAIR(name, scalar, ptx)                                                          \
    LOCKSTEP_HD LOCKSTEP_H2 name(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {                                          \
        LOCKSTEP_PICK(unsigned r; asm("set." ptx "." LOCKSTEP_HPTX "x2." LOCKSTEP_HPTX                    \
                                      "x2 %0, %1, %2;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)),                \
                                      "r"(LOCKSTEP_BITS2(b)));                                            \
                      return LOCKSTEP_PAIR(r);                                                            \
                      , return LOCKSTEP_H2(LOCKSTEP_H_OF(scalar(a.x, b.x) ? 1.0f : 0.0f),                 \
                                           LOCKSTEP_H_OF(scalar(a.y, b.y) ? 1.0f : 0.0f));)               \
    }                                                                                                     \
    LOCKSTEP_HD unsigned name##_mask(LOCKSTEP_H2 a, LOCKSTEP_H2 b) {                                      \
        LOCKSTEP_PICK(                                                                                    \
            unsigned r;                                                                                   \
            asm("set." ptx ".u32." LOCKSTEP_HPTX "x2 %0, %1, %2;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)),     \
                "r"(LOCKSTEP_BITS2(b)));                                                                  \
            return r;, return (scalar(a.x, b.x) ? 0xffffu : 0u) | (scalar(a.y, b.y) ? 0xffff0000u : 0u);) \
    }
#undef LOCKSTEP_COMPARE2
#undef LOCKSTEP_COMPARE2U
#define LOCKSTEP_COMPARE2(name, ptx) LOCKSTEP_COMPARE_PAIR(name##2, name, ptx)
#define LOCKSTEP_COMPARE2U(name, ptx) LOCKSTEP_COMPARE_PAIR(name##u2, name##u, ptx "u")
LOCKSTEP_COMPARE(eq, "eq", x == y, !(x < y) && !(x > y))
LOCKSTEP_COMPARE(ne, "ne", x<y || x> y, x != y)
LOCKSTEP_COMPARE(lt, "lt", x < y, !(x >= y))
LOCKSTEP_COMPARE(le, "le", x <= y, !(x > y))
LOCKSTEP_COMPARE(gt, "gt", x > y, !(x <= y))
LOCKSTEP_COMPARE(ge, "ge", x >= y, !(x < y))

LOCKSTEP_HD bool __hisnan(LOCKSTEP_H a) {
    float x = LOCKSTEP_F_OF(a);
    return x != x;
}
LOCKSTEP_HD int __hisinf(LOCKSTEP_H a) {
    return (LOCKSTEP_BITS(a) & 0x7fff) != LOCKSTEP_H_INFINITY ? 0 : LOCKSTEP_BITS(a) >> 15 ? -1 : 1;
}
LOCKSTEP_HD LOCKSTEP_H2 __hisnan2(LOCKSTEP_H2 a) {
    return LOCKSTEP_H2(LOCKSTEP_H_OF(__hisnan(a.x) ? 1.0f : 0.0f),
                       LOCKSTEP_H_OF(__hisnan(a.y) ? 1.0f : 0.0f));
}

/* Operators */
#ifdef LOCKSTEP_H_OPERATORS
LOCKSTEP_HD LOCKSTEP_H operator+(LOCKSTEP_H a, LOCKSTEP_H b) { return __hadd(a, b); }
LOCKSTEP_HD LOCKSTEP_H operator-(LOCKSTEP_H a, LOCKSTEP_H b) { return __hsub(a, b); }
LOCKSTEP_HD LOCKSTEP_H operator*(LOCKSTEP_H a, LOCKSTEP_H b) { return __hmul(a, b); }
LOCKSTEP_HD LOCKSTEP_H operator/(LOCKSTEP_H a, LOCKSTEP_H b) { return __hdiv(a, b); }
LOCKSTEP_HD LOCKSTEP_H operator+(LOCKSTEP_H a) { return a; }
LOCKSTEP_HD LOCKSTEP_H operator-(LOCKSTEP_H a) { return __hneg(a); }
LOCKSTEP_HD LOCKSTEP_H& operator+=(LOCKSTEP_H& a, LOCKSTEP_H b) { return a = __hadd(a, b); }
LOCKSTEP_HD LOCKSTEP_H& operator-=(LOCKSTEP_H& a, LOCKSTEP_H b) { return a = __hsub(a, b); }
LOCKSTEP_HD LOCKSTEP_H& operator*=(LOCKSTEP_H& a, LOCKSTEP_H b) { return a = __hmul(a, b); }
LOCKSTEP_HD LOCKSTEP_H& operator/=(LOCKSTEP_H& a, LOCKSTEP_H b) { return a = __hdiv(a, b); }
LOCKSTEP_HD LOCKSTEP_H& operator++(LOCKSTEP_H& a) { return a = __hadd(a, LOCKSTEP_H_OF(1.0f)); }
LOCKSTEP_HD LOCKSTEP_H& operator--(LOCKSTEP_H& a) { return a = __hsub(a, LOCKSTEP_H_OF(1.0f)); }
LOCKSTEP_HD LOCKSTEP_H operator++(LOCKSTEP_H& a, int) {
    LOCKSTEP_H old = a;
    ++a;
    return old;
}
LOCKSTEP_HD LOCKSTEP_H operator--(LOCKSTEP_H& a, int) {
    LOCKSTEP_H old = a;
    --a;
    return old;
}
LOCKSTEP_HD bool operator==(LOCKSTEP_H a, LOCKSTEP_H b) { return __heq(a, b); }
LOCKSTEP_HD bool operator!=(LOCKSTEP_H a, LOCKSTEP_H b) { return __hneu(a, b); }
LOCKSTEP_HD bool operator<(LOCKSTEP_H a, LOCKSTEP_H b) { return __hlt(a, b); }
LOCKSTEP_HD bool operator<=(LOCKSTEP_H a, LOCKSTEP_H b) { return __hle(a, b); }
LOCKSTEP_HD bool operator>(LOCKSTEP_H a, LOCKSTEP_H b) { return __hgt(a, b); }
LOCKSTEP_HD bool operator>=(LOCKSTEP_H a, LOCKSTEP_H b) { return __hge(a, b); }
#endif
#ifdef LOCKSTEP_H2_OPERATORS
LOCKSTEP_HD LOCKSTEP_H2 operator+(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hadd2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2 operator-(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hsub2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2 operator*(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hmul2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2 operator/(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __h2div(a, b); }
LOCKSTEP_HD LOCKSTEP_H2 operator+(LOCKSTEP_H2 a) { return a; }
LOCKSTEP_HD LOCKSTEP_H2 operator-(LOCKSTEP_H2 a) { return __hneg2(a); }
LOCKSTEP_HD LOCKSTEP_H2& operator+=(LOCKSTEP_H2& a, LOCKSTEP_H2 b) { return a = __hadd2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2& operator-=(LOCKSTEP_H2& a, LOCKSTEP_H2 b) { return a = __hsub2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2& operator*=(LOCKSTEP_H2& a, LOCKSTEP_H2 b) { return a = __hmul2(a, b); }
LOCKSTEP_HD LOCKSTEP_H2& operator/=(LOCKSTEP_H2& a, LOCKSTEP_H2 b) { return a = __h2div(a, b); }
LOCKSTEP_HD LOCKSTEP_H2& operator++(LOCKSTEP_H2& a) {
    return a = __hadd2(a, LOCKSTEP_H2(LOCKSTEP_H_OF(1.0f), LOCKSTEP_H_OF(1.0f)));
}
LOCKSTEP_HD LOCKSTEP_H2& operator--(LOCKSTEP_H2& a) {
    return a = __hsub2(a, LOCKSTEP_H2(LOCKSTEP_H_OF(1.0f), LOCKSTEP_H_OF(1.0f)));
}
LOCKSTEP_HD LOCKSTEP_H2 operator++(LOCKSTEP_H2& a, int) {
    LOCKSTEP_H2 old = a;
    ++a;
    return old;
}
LOCKSTEP_HD LOCKSTEP_H2 operator--(LOCKSTEP_H2& a, int) {
    LOCKSTEP_H2 old = a;
    --a;
    return old;
}
LOCKSTEP_HD bool operator==(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hbeq2(a, b); }
LOCKSTEP_HD bool operator!=(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hbneu2(a, b); }
LOCKSTEP_HD bool operator<(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hblt2(a, b); }
LOCKSTEP_HD bool operator<=(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hble2(a, b); }
LOCKSTEP_HD bool operator>(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hbgt2(a, b); }
LOCKSTEP_HD bool operator>=(LOCKSTEP_H2 a, LOCKSTEP_H2 b) { return __hbge2(a, b); }
#endif

#if defined(__CUDA__) || defined(__HIP__)
/* Mathematics: float's, rounded once more. */
#define LOCKSTEP_MATH(name, name2, value)      \
    LOCKSTEP_D LOCKSTEP_H name(LOCKSTEP_H a) { \
        float x = LOCKSTEP_F_OF(a);            \
        return LOCKSTEP_H_OF(value);           \
    }                                          \
    LOCKSTEP_D LOCKSTEP_H2 name2(LOCKSTEP_H2 a) { return LOCKSTEP_H2(name(a.x), name(a.y)); }
LOCKSTEP_MATH(hsqrt, h2sqrt, ::sqrtf(x))
LOCKSTEP_MATH(hrsqrt, h2rsqrt, ::rsqrtf(x))
LOCKSTEP_MATH(hrcp, h2rcp, 1.0f / x)
LOCKSTEP_MATH(hsin, h2sin, ::sinf(x))
LOCKSTEP_MATH(hcos, h2cos, ::cosf(x))
LOCKSTEP_MATH(htanh, h2tanh, ::tanhf(x))
LOCKSTEP_MATH(hexp, h2exp, ::expf(x))
LOCKSTEP_MATH(hexp2, h2exp2, ::exp2f(x))
LOCKSTEP_MATH(hexp10, h2exp10, ::exp10f(x))
LOCKSTEP_MATH(hlog, h2log, ::logf(x))
LOCKSTEP_MATH(hlog2, h2log2, ::log2f(x))
LOCKSTEP_MATH(hlog10, h2log10, ::log10f(x))
LOCKSTEP_MATH(hfloor, h2floor, ::floorf(x))
LOCKSTEP_MATH(hceil, h2ceil, ::ceilf(x))
LOCKSTEP_MATH(htrunc, h2trunc, ::truncf(x))
LOCKSTEP_MATH(hrint, h2rint, ::rintf(x))
#undef LOCKSTEP_MATH
#endif

#ifdef __CUDA__
LOCKSTEP_D LOCKSTEP_H htanh_approx(LOCKSTEP_H a) {
    LOCKSTEP_H r;
    asm("tanh.approx." LOCKSTEP_HPTX " %0, %1;" : "=h"(LOCKSTEP_BITS(r)) : "h"(LOCKSTEP_BITS(a)));
    return r;
}
LOCKSTEP_D LOCKSTEP_H2 h2tanh_approx(LOCKSTEP_H2 a) {
    unsigned r;
    asm("tanh.approx." LOCKSTEP_HPTX "x2 %0, %1;" : "=r"(r) : "r"(LOCKSTEP_BITS2(a)));
    return LOCKSTEP_PAIR(r);
}

/* Shuffles, read-only loads, atomics */
#define LOCKSTEP_SHUFFLE(name, offset_type)                                                         \
    LOCKSTEP_D LOCKSTEP_H name(unsigned mask, LOCKSTEP_H v, offset_type offset, int width = 32) {   \
        LOCKSTEP_H r;                                                                               \
        LOCKSTEP_BITS(r) = (unsigned short)name(mask, (unsigned)LOCKSTEP_BITS(v), offset, width);   \
        return r;                                                                                   \
    }                                                                                               \
    LOCKSTEP_D LOCKSTEP_H2 name(unsigned mask, LOCKSTEP_H2 v, offset_type offset, int width = 32) { \
        return LOCKSTEP_PAIR(name(mask, LOCKSTEP_BITS2(v), offset, width));                         \
    }
#if LOCKSTEP_ARCH >= 300
LOCKSTEP_SHUFFLE(__shfl_sync, int)
LOCKSTEP_SHUFFLE(__shfl_up_sync, unsigned int)
LOCKSTEP_SHUFFLE(__shfl_down_sync, unsigned int)
LOCKSTEP_SHUFFLE(__shfl_xor_sync, int)
#endif
#undef LOCKSTEP_SHUFFLE

#define LOCKSTEP_HALF_LOAD(name)                           \
    LOCKSTEP_D LOCKSTEP_H name(const LOCKSTEP_H* p) {      \
        LOCKSTEP_H r;                                      \
        LOCKSTEP_BITS(r) = name((const unsigned short*)p); \
        return r;                                          \
    }                                                      \
    LOCKSTEP_D LOCKSTEP_H2 name(const LOCKSTEP_H2* p) { return LOCKSTEP_PAIR(name((const unsigned int*)p)); }
#if LOCKSTEP_ARCH >= 320
LOCKSTEP_HALF_LOAD(__ldg)
#endif
LOCKSTEP_HALF_LOAD(__ldca)
LOCKSTEP_HALF_LOAD(__ldcg)
LOCKSTEP_HALF_LOAD(__ldcs)
LOCKSTEP_HALF_LOAD(__ldlu)
LOCKSTEP_HALF_LOAD(__ldcv)
#undef LOCKSTEP_HALF_LOAD
#define LOCKSTEP_HALF_STORE(name)                                                                     \
    LOCKSTEP_D void name(LOCKSTEP_H* p, LOCKSTEP_H v) { name((unsigned short*)p, LOCKSTEP_BITS(v)); } \
    LOCKSTEP_D void name(LOCKSTEP_H2* p, LOCKSTEP_H2 v) { name((unsigned int*)p, LOCKSTEP_BITS2(v)); }
LOCKSTEP_HALF_STORE(__stwb)
LOCKSTEP_HALF_STORE(__stcg)
LOCKSTEP_HALF_STORE(__stcs)
LOCKSTEP_HALF_STORE(__stwt)
#undef LOCKSTEP_HALF_STORE

#if LOCKSTEP_ARCH >= LOCKSTEP_HATOMIC
LOCKSTEP_D LOCKSTEP_H atomicAdd(LOCKSTEP_H* address, LOCKSTEP_H value) {
    LOCKSTEP_H old;
    asm volatile("atom.add.noftz." LOCKSTEP_HPTX " %0, [%1], %2;"
                 : "=h"(LOCKSTEP_BITS(old))
                 : "l"(address), "h"(LOCKSTEP_BITS(value))
                 : "memory");
    return old;
}
#endif
#if LOCKSTEP_ARCH >= LOCKSTEP_H2ATOMIC
LOCKSTEP_D LOCKSTEP_H2 atomicAdd(LOCKSTEP_H2* address, LOCKSTEP_H2 value) {
    unsigned old;
    asm volatile("atom.add.noftz." LOCKSTEP_HPTX "x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(LOCKSTEP_BITS2(value))
                 : "memory");
    return LOCKSTEP_PAIR(old);
}
#endif
#endif

#undef LOCKSTEP_COMPARE
#undef LOCKSTEP_COMPARE_PAIR
#undef LOCKSTEP_COMPARE2
#undef LOCKSTEP_COMPARE2U
#undef LOCKSTEP_HOP1
#undef LOCKSTEP_HOP2
#undef LOCKSTEP_H2OP2
#undef LOCKSTEP_BOTH
#undef LOCKSTEP_FMA
#undef LOCKSTEP_FUSED
#undef LOCKSTEP_PICK
#undef LOCKSTEP_HD
#undef LOCKSTEP_D
