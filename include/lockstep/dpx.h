/* DPX: minima and maxima of two or three integers, of a sum, with the result not below zero (relu), or with a
 * note of which it was; on 32-bit words and on pairs of 16-bit halves. Compute capability 9.0 has
 * instructions for the halves. */
#ifndef LOCKSTEP_DPX_H
#define LOCKSTEP_DPX_H

#define LOCKSTEP_HD static __host__ __device__ __forceinline__

/* Words */
#define LOCKSTEP_DPX_WORD(name, type, suffix, op)                          \
    LOCKSTEP_HD type __vi##name##3_##suffix(type a, type b, type c) {      \
        type m = a op b ? a : b;                                           \
        return m op c ? m : c;                                             \
    }                                                                      \
    LOCKSTEP_HD type __viadd##name##_##suffix(type a, type b, type c) {    \
        type sum = (type)((unsigned)a + (unsigned)b);                      \
        return sum op c ? sum : c;                                         \
    }                                                                      \
    /* On a tie it is the first. */                                        \
    LOCKSTEP_HD type __vib##name##_##suffix(type a, type b, bool* first) { \
        return (*first = a op## = b) ? a : b;                              \
    }
LOCKSTEP_DPX_WORD(max, int, s32, >)
LOCKSTEP_DPX_WORD(min, int, s32, <)
LOCKSTEP_DPX_WORD(max, unsigned, u32, >)
LOCKSTEP_DPX_WORD(min, unsigned, u32, <)
#undef LOCKSTEP_DPX_WORD

#define LOCKSTEP_DPX_RELU(name, op)                                        \
    LOCKSTEP_HD int __vi##name##_s32_relu(int a, int b) {                  \
        int m = a op b ? a : b;                                            \
        return m > 0 ? m : 0;                                              \
    }                                                                      \
    LOCKSTEP_HD int __vi##name##3_s32_relu(int a, int b, int c) {          \
        return __vi##name##_s32_relu(a op b ? a : b, c);                   \
    }                                                                      \
    LOCKSTEP_HD int __viadd##name##_s32_relu(int a, int b, int c) {        \
        return __vi##name##_s32_relu((int)((unsigned)a + (unsigned)b), c); \
    }
LOCKSTEP_DPX_RELU(max, >)
LOCKSTEP_DPX_RELU(min, <)
#undef LOCKSTEP_DPX_RELU

/* Halves: the instruction where there is one, else one half after the other */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define LOCKSTEP_DPX_BOTH(function, type, ptx, value)       \
    LOCKSTEP_HD unsigned function(unsigned a, unsigned b) { \
        unsigned r;                                         \
        asm(ptx " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); \
        return r;                                           \
    }
#else
#define LOCKSTEP_DPX_BOTH(function, type, ptx, value)                                                       \
    LOCKSTEP_HD unsigned function##_part(type a, type b) { return (unsigned short)(value); }                \
    LOCKSTEP_HD unsigned function(unsigned a, unsigned b) {                                                 \
        return function##_part((type)a, (type)b) | function##_part((type)(a >> 16), (type)(b >> 16)) << 16; \
    }
#endif
LOCKSTEP_DPX_BOTH(__lockstep_add_x2, unsigned short, "add.u16x2", a + b)
LOCKSTEP_DPX_BOTH(__lockstep_max_s16x2, short, "max.s16x2", a > b ? a : b)
LOCKSTEP_DPX_BOTH(__lockstep_min_s16x2, short, "min.s16x2", a < b ? a : b)
LOCKSTEP_DPX_BOTH(__lockstep_max_u16x2, unsigned short, "max.u16x2", a > b ? a : b)
LOCKSTEP_DPX_BOTH(__lockstep_min_u16x2, unsigned short, "min.u16x2", a < b ? a : b)
LOCKSTEP_DPX_BOTH(__vimax_s16x2_relu, short, "max.s16x2.relu", a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0))
LOCKSTEP_DPX_BOTH(__vimin_s16x2_relu, short, "min.s16x2.relu", a < b ? (a > 0 ? a : 0) : (b > 0 ? b : 0))
#undef LOCKSTEP_DPX_BOTH

#define LOCKSTEP_DPX_HALVES(name, type, suffix)                                                              \
    LOCKSTEP_HD unsigned __vi##name##3_##suffix(unsigned a, unsigned b, unsigned c) {                        \
        return __lockstep_##name##_##suffix(__lockstep_##name##_##suffix(a, b), c);                          \
    }                                                                                                        \
    LOCKSTEP_HD unsigned __viadd##name##_##suffix(unsigned a, unsigned b, unsigned c) {                      \
        return __lockstep_##name##_##suffix(__lockstep_add_x2(a, b), c);                                     \
    }                                                                                                        \
    LOCKSTEP_HD unsigned __vib##name##_##suffix(unsigned a, unsigned b, bool* first_high, bool* first_low) { \
        unsigned r = __lockstep_##name##_##suffix(a, b), other = r ^ a;                                      \
        *first_high = !(other >> 16);                                                                        \
        *first_low = !(other & 0xffff);                                                                      \
        return r;                                                                                            \
    }
LOCKSTEP_DPX_HALVES(max, short, s16x2)
LOCKSTEP_DPX_HALVES(min, short, s16x2)
LOCKSTEP_DPX_HALVES(max, unsigned short, u16x2)
LOCKSTEP_DPX_HALVES(min, unsigned short, u16x2)
#undef LOCKSTEP_DPX_HALVES

#define LOCKSTEP_DPX_RELU(name)                                                           \
    LOCKSTEP_HD unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
        return __vi##name##_s16x2_relu(__lockstep_##name##_s16x2(a, b), c);               \
    }                                                                                     \
    LOCKSTEP_HD unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
        return __vi##name##_s16x2_relu(__lockstep_add_x2(a, b), c);                       \
    }
LOCKSTEP_DPX_RELU(max)
LOCKSTEP_DPX_RELU(min)
#undef LOCKSTEP_DPX_RELU

#undef LOCKSTEP_HD
#endif
