/* Functions of a lane's own values: bits, integers, conversions, and the clocks. */
#ifndef LOCKSTEP_HIP_BITS_H
#define LOCKSTEP_HIP_BITS_H
#include "hip/hip_vector_types.h"

#define LOCKSTEP_D static __device__ inline __attribute__((always_inline, nodebug))

/* Bits */
LOCKSTEP_D unsigned int __popc(unsigned int v) { return (unsigned int)__builtin_popcount(v); }
LOCKSTEP_D unsigned int __popcll(unsigned long long v) { return (unsigned int)__builtin_popcountll(v); }
LOCKSTEP_D int __clz(int v) { return v ? __builtin_clz((unsigned int)v) : 32; }
LOCKSTEP_D int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
LOCKSTEP_D int __ffs(unsigned int v) { return v ? __builtin_ctz(v) + 1 : 0; }
LOCKSTEP_D int __ffs(int v) { return __ffs((unsigned int)v); }
LOCKSTEP_D int __ffsll(unsigned long long v) { return v ? __builtin_ctzll(v) + 1 : 0; }
LOCKSTEP_D int __ffsll(long long v) { return __ffsll((unsigned long long)v); }
LOCKSTEP_D int __ffsll(unsigned long v) { return __ffsll((unsigned long long)v); }
LOCKSTEP_D int __ffsll(long v) { return __ffsll((unsigned long long)v); }
LOCKSTEP_D unsigned int __brev(unsigned int v) { return __builtin_bitreverse32(v); }
LOCKSTEP_D unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
/* `count` bits from bit `first` on */
LOCKSTEP_D unsigned int __bitextract_u32(unsigned int v, unsigned int first, unsigned int count) {
    first &= 31, count &= 31;
    return count ? v << (32 - first - count) >> (32 - count) : 0;
}
LOCKSTEP_D unsigned long long __bitextract_u64(unsigned long long v, unsigned int first, unsigned int count) {
    first &= 63, count &= 63;
    return count ? v << (64 - first - count) >> (64 - count) : 0;
}
LOCKSTEP_D unsigned int __bitinsert_u32(unsigned int v, unsigned int bits, unsigned int first,
                                        unsigned int count) {
    first &= 31, count &= 31;
    unsigned int mask = ((1u << count) - 1) << first;
    return (v & ~mask) | (bits << first & mask);
}
LOCKSTEP_D unsigned long long __bitinsert_u64(unsigned long long v, unsigned long long bits,
                                              unsigned int first, unsigned int count) {
    first &= 63, count &= 63;
    unsigned long long mask = ((1ull << count) - 1) << first;
    return (v & ~mask) | (bits << first & mask);
}
LOCKSTEP_D unsigned int __lastbit_u32_u64(unsigned long long v) { return v ? __builtin_ctzll(v) : ~0u; }
LOCKSTEP_D unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
LOCKSTEP_D unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
LOCKSTEP_D unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return __builtin_amdgcn_alignbit(high, low, shift);
}
LOCKSTEP_D unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
LOCKSTEP_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    return __builtin_amdgcn_perm(
        y, x, selector & 0x07 | (selector & 0x70) << 4 | (selector & 0x700) << 8 | (selector & 0x7000) << 12);
}
/* The n-th set bit of a mask from bit `base` on, or before it. */
LOCKSTEP_D int __fns64(unsigned long long mask, unsigned int base, int n) {
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    if (n == 0) return base < 64 && (mask >> base & 1) ? (int)base : -1;
    for (int i = (int)base; i >= 0 && i < 64; i += step)
        if ((mask >> i & 1) && --left == 0) return i;
    return -1;
}
LOCKSTEP_D int __fns32(unsigned int mask, unsigned int base, int n) {
    return base < 32 ? __fns64(mask, base, n) : -1;
}
LOCKSTEP_D int __fns(unsigned int mask, unsigned int base, int n) { return __fns32(mask, base, n); }

/* Integers */
LOCKSTEP_D int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
LOCKSTEP_D int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
LOCKSTEP_D unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
LOCKSTEP_D unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
LOCKSTEP_D unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
LOCKSTEP_D unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
LOCKSTEP_D int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
LOCKSTEP_D int __umul24(unsigned int x, unsigned int y) { return (int)((x & 0xffffff) * (y & 0xffffff)); }
LOCKSTEP_D int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
LOCKSTEP_D unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)((unsigned long long)x * y >> 32);
}
LOCKSTEP_D long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
LOCKSTEP_D unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

/* The same bits as another type */
#define LOCKSTEP_AS(name, to, from)         \
    LOCKSTEP_D to name(from v) {            \
        to r;                               \
        __builtin_memcpy(&r, &v, sizeof r); \
        return r;                           \
    }
LOCKSTEP_AS(__float_as_int, int, float)
LOCKSTEP_AS(__float_as_uint, unsigned int, float)
LOCKSTEP_AS(__int_as_float, float, int)
LOCKSTEP_AS(__uint_as_float, float, unsigned int)
LOCKSTEP_AS(__double_as_longlong, long long, double)
LOCKSTEP_AS(__longlong_as_double, double, long long)
#undef LOCKSTEP_AS
LOCKSTEP_D int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
LOCKSTEP_D int __double2loint(double v) { return (int)__double_as_longlong(v); }
LOCKSTEP_D double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)high << 32 | (unsigned int)low);
}

/* Conversions to integers */
#define LOCKSTEP_TO(name, to, from, f)                                    \
    LOCKSTEP_D to name##_rz(from v) { return (to)v; }                     \
    LOCKSTEP_D to name##_rn(from v) { return (to)__builtin_rint##f(v); }  \
    LOCKSTEP_D to name##_rd(from v) { return (to)__builtin_floor##f(v); } \
    LOCKSTEP_D to name##_ru(from v) { return (to)__builtin_ceil##f(v); }
LOCKSTEP_TO(__float2int, int, float, f)
LOCKSTEP_TO(__float2uint, unsigned int, float, f)
LOCKSTEP_TO(__float2ll, long long, float, f)
LOCKSTEP_TO(__float2ull, unsigned long long, float, f)
LOCKSTEP_TO(__double2int, int, double, )
LOCKSTEP_TO(__double2uint, unsigned int, double, )
LOCKSTEP_TO(__double2ll, long long, double, )
LOCKSTEP_TO(__double2ull, unsigned long long, double, )
#undef LOCKSTEP_TO

/* … to floating point: other directions than to the nearest are the math library's. */
#define LOCKSTEP_FROM(name, to, from) \
    LOCKSTEP_D to name##_rn(from v) { return (to)v; }
LOCKSTEP_FROM(__int2float, float, int)
LOCKSTEP_FROM(__uint2float, float, unsigned int)
LOCKSTEP_FROM(__ll2float, float, long long)
LOCKSTEP_FROM(__ull2float, float, unsigned long long)
LOCKSTEP_FROM(__int2double, double, int)
LOCKSTEP_FROM(__uint2double, double, unsigned int)
LOCKSTEP_FROM(__ll2double, double, long long)
LOCKSTEP_FROM(__ull2double, double, unsigned long long)
LOCKSTEP_FROM(__double2float, float, double)
#undef LOCKSTEP_FROM
#define LOCKSTEP_FROM(name, ocml, to, from)                     \
    extern "C" __device__ __attribute__((const)) to ocml(from); \
    LOCKSTEP_D to name(from v) { return ocml(v); }
#define LOCKSTEP_FROM_ALL(name, to, from, suffix)              \
    LOCKSTEP_FROM(name##_rz, __ocml_cvtrtz_##suffix, to, from) \
    LOCKSTEP_FROM(name##_rd, __ocml_cvtrtn_##suffix, to, from) \
    LOCKSTEP_FROM(name##_ru, __ocml_cvtrtp_##suffix, to, from)
LOCKSTEP_FROM_ALL(__int2float, float, int, f32_s32)
LOCKSTEP_FROM_ALL(__uint2float, float, unsigned int, f32_u32)
LOCKSTEP_FROM_ALL(__ll2float, float, long long, f32_s64)
LOCKSTEP_FROM_ALL(__ull2float, float, unsigned long long, f32_u64)
LOCKSTEP_FROM_ALL(__ll2double, double, long long, f64_s64)
LOCKSTEP_FROM_ALL(__ull2double, double, unsigned long long, f64_u64)
LOCKSTEP_FROM_ALL(__double2float, float, double, f32_f64)
#undef LOCKSTEP_FROM_ALL
#undef LOCKSTEP_FROM

/* Loads that need not see what this kernel writes: the compiler finds such loads itself. */
template <class T>
LOCKSTEP_D T __ldg(const T* p) {
    return *p;
}

/* Clocks: the compute unit's, and one of 25 or 100 MHz that all have in common. */
LOCKSTEP_D long long clock64() { return (long long)__builtin_readcyclecounter(); }
LOCKSTEP_D long long __clock64() { return clock64(); }
LOCKSTEP_D long long __clock() { return clock64(); }
/* <time.h> has one for the host. */
LOCKSTEP_D long long wall_clock64() { return (long long)__builtin_amdgcn_s_memrealtime(); }
LOCKSTEP_D long long clock() { return clock64(); }

/* What <string.h> has for the host: loops, where the size is not known. */
extern "C" {
LOCKSTEP_D void* memcpy(void* to, const void* from, size_t size) { return __builtin_memcpy(to, from, size); }
LOCKSTEP_D void* memset(void* to, int value, size_t size) { return __builtin_memset(to, value, size); }
}

#undef LOCKSTEP_D
#endif
