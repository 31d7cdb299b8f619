/* libdevice functions that are one or a few instructions, defined so that the PTX holds those instructions,
 * as nvcc's does. The rest (sinf, pow …) stay calls to __nv_*, which the engine implements. Device pass only.
 */
#ifndef LOCKSTEP_LIBDEVICE_INLINE_H
#define LOCKSTEP_LIBDEVICE_INLINE_H
#ifdef __CUDA_ARCH__

/* -ftz=true: the compile driver defines __LOCKSTEP_FTZ__, because clang has no macro for it. */
#ifdef __LOCKSTEP_FTZ__
#define LOCKSTEP_FTZ(plain, flushing) flushing
#else
#define LOCKSTEP_FTZ(plain, flushing) plain
#endif
#define LOCKSTEP_NV(result) extern "C" __device__ __forceinline__ result

/* Integers */
LOCKSTEP_NV(int) __nv_abs(int a) { return __builtin_abs(a); }
LOCKSTEP_NV(long long) __nv_llabs(long long a) { return __builtin_llabs(a); }
LOCKSTEP_NV(int) __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
LOCKSTEP_NV(long long) __nv_brevll(long long a) {
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}
LOCKSTEP_NV(int) __nv_byte_perm(int a, int b, int c) {
    return (int)__nvvm_prmt((unsigned)a, (unsigned)b, (unsigned)c);
}
LOCKSTEP_NV(int) __nv_clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
LOCKSTEP_NV(int) __nv_clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
/* bfind has -1 where there is no bit. */
LOCKSTEP_NV(int) __nv_ffs(int a) {
    int leading;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(leading) : "r"(__nv_brev(a)));
    return leading + 1;
}
LOCKSTEP_NV(int) __nv_ffsll(long long a) { return 64 - __nv_clzll(a & -a); }
LOCKSTEP_NV(int) __nv_popc(unsigned a) { return __builtin_popcount(a); }
LOCKSTEP_NV(int) __nv_popcll(unsigned long long a) { return __builtin_popcountll(a); }
LOCKSTEP_NV(int) __nv_max(int a, int b) { return a > b ? a : b; }
LOCKSTEP_NV(int) __nv_min(int a, int b) { return a < b ? a : b; }
LOCKSTEP_NV(unsigned) __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
LOCKSTEP_NV(unsigned) __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
LOCKSTEP_NV(long long) __nv_llmax(long long a, long long b) { return a > b ? a : b; }
LOCKSTEP_NV(long long) __nv_llmin(long long a, long long b) { return a < b ? a : b; }
LOCKSTEP_NV(unsigned long long) __nv_ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}
LOCKSTEP_NV(unsigned long long) __nv_ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
LOCKSTEP_NV(int) __nv_mul24(int a, int b) {
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}
LOCKSTEP_NV(unsigned) __nv_umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
LOCKSTEP_NV(int) __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
LOCKSTEP_NV(unsigned) __nv_umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
LOCKSTEP_NV(long long) __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
LOCKSTEP_NV(unsigned long long) __nv_umul64hi(unsigned long long a, unsigned long long b) {
    return __nvvm_mulhi_ull(a, b);
}
LOCKSTEP_NV(int) __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
LOCKSTEP_NV(int) __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
LOCKSTEP_NV(int) __nv_uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
LOCKSTEP_NV(unsigned) __nv_urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
LOCKSTEP_NV(int) __nv_sad(int a, int b, int c) {
    int d;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
LOCKSTEP_NV(unsigned) __nv_usad(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

/* Bits of floating point numbers */
LOCKSTEP_NV(int) __nv_float_as_int(float a) { return __nvvm_bitcast_f2i(a); }
LOCKSTEP_NV(unsigned) __nv_float_as_uint(float a) { return (unsigned)__nvvm_bitcast_f2i(a); }
LOCKSTEP_NV(float) __nv_int_as_float(int a) { return __nvvm_bitcast_i2f(a); }
LOCKSTEP_NV(float) __nv_uint_as_float(unsigned a) { return __nvvm_bitcast_i2f((int)a); }
LOCKSTEP_NV(unsigned long long) __nv_double_as_longlong(double a) { return __nvvm_bitcast_d2ll(a); }
LOCKSTEP_NV(double) __nv_longlong_as_double(long long a) { return __nvvm_bitcast_ll2d(a); }
LOCKSTEP_NV(int) __nv_double2hiint(double a) { return __nvvm_d2i_hi(a); }
LOCKSTEP_NV(int) __nv_double2loint(double a) { return __nvvm_d2i_lo(a); }
LOCKSTEP_NV(double) __nv_hiloint2double(int hi, int lo) { return __nvvm_lohi_i2d(lo, hi); }
LOCKSTEP_NV(int) __nv_signbitf(float a) { return (int)((unsigned)__nvvm_bitcast_f2i(a) >> 31); }
LOCKSTEP_NV(int) __nv_signbitd(double a) { return (int)((unsigned)__nvvm_d2i_hi(a) >> 31); }
LOCKSTEP_NV(int) __nv_isnanf(float a) { return __builtin_isnan(a); }
LOCKSTEP_NV(int) __nv_isnand(double a) { return __builtin_isnan(a); }
LOCKSTEP_NV(int) __nv_isinff(float a) { return __builtin_isinf(a); }
LOCKSTEP_NV(int) __nv_isinfd(double a) { return __builtin_isinf(a); }
LOCKSTEP_NV(int) __nv_finitef(float a) { return __builtin_isfinite(a); }
LOCKSTEP_NV(int) __nv_isfinited(double a) { return __builtin_isfinite(a); }
LOCKSTEP_NV(float) __nv_copysignf(float a, float b) {
    float r;
    asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(b), "f"(a));
    return r;
}
LOCKSTEP_NV(double) __nv_copysign(double a, double b) {
    double r;
    asm("copysign.f64 %0, %1, %2;" : "=d"(r) : "d"(b), "d"(a));
    return r;
}

/* Exact functions */
LOCKSTEP_NV(float) __nv_fabsf(float a) { return __builtin_fabsf(a); }
LOCKSTEP_NV(double) __nv_fabs(double a) { return __builtin_fabs(a); }
LOCKSTEP_NV(float) __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
LOCKSTEP_NV(double) __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
LOCKSTEP_NV(float) __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
LOCKSTEP_NV(double) __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
LOCKSTEP_NV(float) __nv_ceilf(float a) { return __builtin_ceilf(a); }
LOCKSTEP_NV(double) __nv_ceil(double a) { return __builtin_ceil(a); }
LOCKSTEP_NV(float) __nv_floorf(float a) { return __builtin_floorf(a); }
LOCKSTEP_NV(double) __nv_floor(double a) { return __builtin_floor(a); }
LOCKSTEP_NV(float) __nv_truncf(float a) { return __builtin_truncf(a); }
LOCKSTEP_NV(double) __nv_trunc(double a) { return __builtin_trunc(a); }
LOCKSTEP_NV(float) __nv_rintf(float a) { return __builtin_rintf(a); }
LOCKSTEP_NV(double) __nv_rint(double a) { return __builtin_rint(a); }
/* Towards zero, the sum does not pass a half. */
LOCKSTEP_NV(float) __nv_roundf(float a) {
    return __builtin_truncf(LOCKSTEP_FTZ(__nvvm_add_rz_f, __nvvm_add_rz_ftz_f)(a, __nv_copysignf(0.5f, a)));
}
LOCKSTEP_NV(double) __nv_round(double a) {
    return __builtin_trunc(__nvvm_add_rz_d(a, __nv_copysign(0.5, a)));
}
LOCKSTEP_NV(float) __nv_fdimf(float a, float b) { return a <= b ? 0.0f : __nvvm_add_rn_f(a, -b); }
LOCKSTEP_NV(double) __nv_fdim(double a, double b) { return a <= b ? 0.0 : __nvvm_add_rn_d(a, -b); }
LOCKSTEP_NV(float) __nv_modff(float a, float* whole) {
    const float t = *whole = __builtin_truncf(a);
    return t == a ? __nvvm_bitcast_i2f(__nvvm_bitcast_f2i(a) & 0x80000000) : a - t;
}
LOCKSTEP_NV(double) __nv_modf(double a, double* whole) {
    const double t = *whole = __builtin_trunc(a);
    return t == a ? __nvvm_lohi_i2d(0, __nvvm_d2i_hi(a) & 0x80000000) : a - t;
}
/* Zero, infinities and NaNs have the exponent 0; subnormal numbers are scaled first. */
LOCKSTEP_NV(float) __nv_frexpf(float a, int* exponent) {
    const float size = __builtin_fabsf(a);
    const bool subnormal = size < 0x1p-126f;
    const float scaled = subnormal ? a * 0x1p24f : a;
    const int bits = __nvvm_bitcast_f2i(scaled), field = (unsigned)bits >> 23 & 255;
    if (size == 0 || field == 255) {
        *exponent = 0;
        return scaled + scaled;
    }
    *exponent = (subnormal ? -150 : -126) + field;
    return __nvvm_bitcast_i2f((bits & 0x807fffff) | 0x3f000000);
}
LOCKSTEP_NV(double) __nv_frexp(double a, int* exponent) {
    int high = __nvvm_d2i_hi(a) & 0x7ff00000;
    if (high == 0) {
        a *= 0x1p54;
        high = (__nvvm_d2i_hi(a) & 0x7ff00000) - (54 << 20);
    }
    if (high >= 0x7ff00000 || a == 0) {
        *exponent = 0;
        return a + a;
    }
    *exponent = (high - (1022 << 20)) >> 20;
    return __nvvm_bitcast_ll2d((__nvvm_bitcast_d2ll(a) & 0x800fffffffffffff) | 0x3fe0000000000000);
}
/* Both results of one call, without an address for them. */
#define LOCKSTEP_SINCOS(name, type)                           \
    extern "C" __device__ type __nv_##name##_sin(type);       \
    extern "C" __device__ type __nv_##name##_cos(type);       \
    LOCKSTEP_NV(void) __nv_##name(type a, type* s, type* c) { \
        *s = __nv_##name##_sin(a);                            \
        *c = __nv_##name##_cos(a);                            \
    }
LOCKSTEP_SINCOS(sincosf, float)
LOCKSTEP_SINCOS(sincospif, float)
LOCKSTEP_SINCOS(sincos, double)
LOCKSTEP_SINCOS(sincospi, double)
#undef LOCKSTEP_SINCOS
LOCKSTEP_NV(float) __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LOCKSTEP_NV(double) __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
#ifdef __LOCKSTEP_APPROX_SQRT__ /* -prec-sqrt=false */
LOCKSTEP_NV(float) __nv_sqrtf(float a) {
    return LOCKSTEP_FTZ(__nvvm_sqrt_approx_f, __nvvm_sqrt_approx_ftz_f)(a);
}
#else
LOCKSTEP_NV(float) __nv_sqrtf(float a) { return __builtin_sqrtf(a); }
#endif
LOCKSTEP_NV(double) __nv_sqrt(double a) { return __builtin_sqrt(a); }
LOCKSTEP_NV(long long) __nv_llrintf(float a) { return __nvvm_f2ll_rn(a); }
LOCKSTEP_NV(long long) __nv_llrint(double a) { return __nvvm_d2ll_rn(a); }
LOCKSTEP_NV(float) __nv_saturatef(float a) {
    return LOCKSTEP_FTZ(__nvvm_saturate_f, __nvvm_saturate_ftz_f)(a);
}

/* Arithmetic with a rounding mode */
#define LOCKSTEP_ROUNDED(r, m)                                                                               \
    LOCKSTEP_NV(float) __nv_fadd_##r(float a, float b) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_add_##m##_f, __nvvm_add_##m##_ftz_f)(a, b);                               \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_fsub_##r(float a, float b) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_add_##m##_f, __nvvm_add_##m##_ftz_f)(a, -b);                              \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_fmul_##r(float a, float b) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_mul_##m##_f, __nvvm_mul_##m##_ftz_f)(a, b);                               \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_fdiv_##r(float a, float b) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_div_##m##_f, __nvvm_div_##m##_ftz_f)(a, b);                               \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_frcp_##r(float a) {                                                              \
        return LOCKSTEP_FTZ(__nvvm_rcp_##m##_f, __nvvm_rcp_##m##_ftz_f)(a);                                  \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_fsqrt_##r(float a) {                                                             \
        return LOCKSTEP_FTZ(__nvvm_sqrt_##m##_f, __nvvm_sqrt_##m##_ftz_f)(a);                                \
    }                                                                                                        \
    LOCKSTEP_NV(float) __nv_fmaf_##r(float a, float b, float c) {                                            \
        return LOCKSTEP_FTZ(__nvvm_fma_##m##_f, __nvvm_fma_##m##_ftz_f)(a, b, c);                            \
    }                                                                                                        \
    LOCKSTEP_NV(double) __nv_dadd_##r(double a, double b) { return __nvvm_add_##m##_d(a, b); }               \
    LOCKSTEP_NV(double) __nv_dsub_##r(double a, double b) { return __nvvm_add_##m##_d(a, -b); }              \
    LOCKSTEP_NV(double) __nv_dmul_##r(double a, double b) { return __nvvm_mul_##m##_d(a, b); }               \
    LOCKSTEP_NV(double) __nv_ddiv_##r(double a, double b) { return __nvvm_div_##m##_d(a, b); }               \
    LOCKSTEP_NV(double) __nv_drcp_##r(double a) { return __nvvm_rcp_##m##_d(a); }                            \
    LOCKSTEP_NV(double) __nv_dsqrt_##r(double a) { return __nvvm_sqrt_##m##_d(a); }                          \
    LOCKSTEP_NV(double) __nv_fma_##r(double a, double b, double c) { return __nvvm_fma_##m##_d(a, b, c); }   \
    LOCKSTEP_NV(float) __nv_fmaf_ieee_##r(float a, float b, float c) { return __nvvm_fma_##m##_f(a, b, c); } \
    LOCKSTEP_NV(int) __nv_float2int_##r(float a) {                                                           \
        return LOCKSTEP_FTZ(__nvvm_f2i_##m, __nvvm_f2i_##m##_ftz)(a);                                        \
    }                                                                                                        \
    LOCKSTEP_NV(int) __nv_double2int_##r(double a) { return __nvvm_d2i_##m(a); }                             \
    LOCKSTEP_NV(unsigned) __nv_float2uint_##r(float a) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_f2ui_##m, __nvvm_f2ui_##m##_ftz)(a);                                      \
    }                                                                                                        \
    LOCKSTEP_NV(unsigned) __nv_double2uint_##r(double a) { return __nvvm_d2ui_##m(a); }                      \
    LOCKSTEP_NV(long long) __nv_float2ll_##r(float a) {                                                      \
        return LOCKSTEP_FTZ(__nvvm_f2ll_##m, __nvvm_f2ll_##m##_ftz)(a);                                      \
    }                                                                                                        \
    LOCKSTEP_NV(long long) __nv_double2ll_##r(double a) { return __nvvm_d2ll_##m(a); }                       \
    LOCKSTEP_NV(unsigned long long) __nv_float2ull_##r(float a) {                                            \
        return LOCKSTEP_FTZ(__nvvm_f2ull_##m, __nvvm_f2ull_##m##_ftz)(a);                                    \
    }                                                                                                        \
    LOCKSTEP_NV(unsigned long long) __nv_double2ull_##r(double a) { return __nvvm_d2ull_##m(a); }            \
    LOCKSTEP_NV(float) __nv_double2float_##r(double a) {                                                     \
        return LOCKSTEP_FTZ(__nvvm_d2f_##m, __nvvm_d2f_##m##_ftz)(a);                                        \
    }
LOCKSTEP_ROUNDED(rn, rn)
LOCKSTEP_ROUNDED(rz, rz)
LOCKSTEP_ROUNDED(rd, rm)
LOCKSTEP_ROUNDED(ru, rp)
#undef LOCKSTEP_ROUNDED

LOCKSTEP_NV(float) __nv_int2float_rn(int a) { return (float)a; }
LOCKSTEP_NV(float) __nv_uint2float_rn(unsigned a) { return (float)a; }
LOCKSTEP_NV(float) __nv_ll2float_rn(long long a) { return (float)a; }
LOCKSTEP_NV(float) __nv_ull2float_rn(unsigned long long a) { return (float)a; }
LOCKSTEP_NV(double) __nv_ll2double_rn(long long a) { return (double)a; }
LOCKSTEP_NV(double) __nv_ull2double_rn(unsigned long long a) { return (double)a; }
/* As assembly: LLVM takes its own intrinsics for these with .rz to be plain conversions, which round to
 * nearest. */
#define LOCKSTEP_FROM_INT(name, to, to_ptx, to_c, from, from_ptx, from_c, r, m)     \
    LOCKSTEP_NV(to) __nv_##name##_##r(from a) {                                     \
        to v;                                                                       \
        asm("cvt." m "." to_ptx "." from_ptx " %0, %1;" : "=" to_c(v) : from_c(a)); \
        return v;                                                                   \
    }
#define LOCKSTEP_FROM_INTS(r, m)                                                          \
    LOCKSTEP_FROM_INT(int2float, float, "f32", "f", int, "s32", "r", r, m)                \
    LOCKSTEP_FROM_INT(uint2float, float, "f32", "f", unsigned, "u32", "r", r, m)          \
    LOCKSTEP_FROM_INT(ll2float, float, "f32", "f", long long, "s64", "l", r, m)           \
    LOCKSTEP_FROM_INT(ull2float, float, "f32", "f", unsigned long long, "u64", "l", r, m) \
    LOCKSTEP_FROM_INT(ll2double, double, "f64", "d", long long, "s64", "l", r, m)         \
    LOCKSTEP_FROM_INT(ull2double, double, "f64", "d", unsigned long long, "u64", "l", r, m)
LOCKSTEP_FROM_INTS(rz, "rz")
LOCKSTEP_FROM_INTS(rd, "rm")
LOCKSTEP_FROM_INTS(ru, "rp")
#undef LOCKSTEP_FROM_INTS
#undef LOCKSTEP_FROM_INT
LOCKSTEP_NV(double) __nv_int2double_rn(int a) { return a; }
LOCKSTEP_NV(double) __nv_uint2double_rn(unsigned a) { return a; }

/* Approximations: what nvcc emits for __sinf, __expf and the others */
LOCKSTEP_NV(float) __nv_fast_sinf(float a) {
    return LOCKSTEP_FTZ(__nvvm_sin_approx_f, __nvvm_sin_approx_ftz_f)(a);
}
LOCKSTEP_NV(float) __nv_fast_cosf(float a) {
    return LOCKSTEP_FTZ(__nvvm_cos_approx_f, __nvvm_cos_approx_ftz_f)(a);
}
LOCKSTEP_NV(void) __nv_fast_sincosf(float a, float* s, float* c) {
    *s = __nv_fast_sinf(a);
    *c = __nv_fast_cosf(a);
}
LOCKSTEP_NV(float) __nv_fast_fdividef(float a, float b) {
    return LOCKSTEP_FTZ(__nvvm_div_approx_f, __nvvm_div_approx_ftz_f)(a, b);
}
LOCKSTEP_NV(float) __nv_fast_tanf(float a) {
    return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a));
}
LOCKSTEP_NV(float) __nv_fast_log2f(float a) {
    return LOCKSTEP_FTZ(__nvvm_lg2_approx_f, __nvvm_lg2_approx_ftz_f)(a);
}
LOCKSTEP_NV(float) __nv_fast_logf(float a) { return __nv_fast_log2f(a) * 0x1.62e43p-1f; }
LOCKSTEP_NV(float) __nv_fast_log10f(float a) { return __nv_fast_log2f(a) * 0x1.344136p-2f; }
LOCKSTEP_NV(float) __nv_fast_ex2f(float a) {
    return LOCKSTEP_FTZ(__nvvm_ex2_approx_f, __nvvm_ex2_approx_ftz_f)(a);
}
LOCKSTEP_NV(float) __nv_fast_expf(float a) { return __nv_fast_ex2f(a * 0x1.715476p+0f); }
LOCKSTEP_NV(float) __nv_fast_exp10f(float a) { return __nv_fast_ex2f(a * 0x1.a934f0p+1f); }
LOCKSTEP_NV(float) __nv_fast_powf(float a, float b) { return __nv_fast_ex2f(b * __nv_fast_log2f(a)); }
LOCKSTEP_NV(float) __nv_rsqrtf(float a) {
    return LOCKSTEP_FTZ(__nvvm_rsqrt_approx_f, __nvvm_rsqrt_approx_ftz_f)(a);
}

/* -use_fast_math: the functions that CUDA's guide lists become their approximations. clang's headers do it
 * for sinf, cosf, sincosf, logf and log2f. */
#ifdef __USE_FAST_MATH__
LOCKSTEP_NV(float) __nv_tanf(float a) { return __nv_fast_tanf(a); }
LOCKSTEP_NV(float) __nv_expf(float a) { return __nv_fast_expf(a); }
LOCKSTEP_NV(float) __nv_exp10f(float a) { return __nv_fast_exp10f(a); }
LOCKSTEP_NV(float) __nv_log10f(float a) { return __nv_fast_log10f(a); }
LOCKSTEP_NV(float) __nv_powf(float a, float b) { return __nv_fast_powf(a, b); }
LOCKSTEP_NV(float) __nv_exp2f(float a) { return __nv_fast_ex2f(a); }
#if __CUDA_ARCH__ >= 750
LOCKSTEP_NV(float) __nv_tanhf(float a) {
    float r;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
#endif
#endif

#undef LOCKSTEP_NV
#endif
#endif
