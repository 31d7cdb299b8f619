/* min and max without a namespace, for host and device, over the operand types that CUDA lists. Each is a
 * function of the host and another of the device: among arguments that fit two of them alike, clang would
 * take one of the device's before one of both, and truncate. */
#ifndef LOCKSTEP_MIN_MAX_H
#define LOCKSTEP_MIN_MAX_H

#define LOCKSTEP_MIN_MAX_ON(where, result, a_type, b_type)        \
    static where __forceinline__ result min(a_type a, b_type b) { \
        return (result)a < (result)b ? (result)a : (result)b;     \
    }                                                             \
    static where __forceinline__ result max(a_type a, b_type b) { \
        return (result)a > (result)b ? (result)a : (result)b;     \
    }
/* Code that is compiled at run time has no host side. */
#ifdef __CUDACC_RTC__
#define LOCKSTEP_MIN_MAX_HOST(...)
#else
#define LOCKSTEP_MIN_MAX_HOST(...) __VA_ARGS__
#endif
#define LOCKSTEP_MIN_MAX(result, a_type, b_type)                                 \
    LOCKSTEP_MIN_MAX_HOST(LOCKSTEP_MIN_MAX_ON(__host__, result, a_type, b_type)) \
    LOCKSTEP_MIN_MAX_ON(__device__, result, a_type, b_type)
/* Floating point: as fmin and fmax, a NaN loses. */
#define LOCKSTEP_MIN_MAX_FLOAT_ON(where, result, a_type, b_type, suffix) \
    static where __forceinline__ result min(a_type a, b_type b) {        \
        return ::fmin##suffix((result)a, (result)b);                     \
    }                                                                    \
    static where __forceinline__ result max(a_type a, b_type b) {        \
        return ::fmax##suffix((result)a, (result)b);                     \
    }
#define LOCKSTEP_MIN_MAX_FLOAT(result, a_type, b_type, suffix)                                 \
    LOCKSTEP_MIN_MAX_HOST(LOCKSTEP_MIN_MAX_FLOAT_ON(__host__, result, a_type, b_type, suffix)) \
    LOCKSTEP_MIN_MAX_FLOAT_ON(__device__, result, a_type, b_type, suffix)

/* clang's header has the device one, and those of umin and its kin */
LOCKSTEP_MIN_MAX_HOST(LOCKSTEP_MIN_MAX_ON(__host__, int, int, int))
LOCKSTEP_MIN_MAX(unsigned int, unsigned int, unsigned int)
LOCKSTEP_MIN_MAX(unsigned int, int, unsigned int)
LOCKSTEP_MIN_MAX(unsigned int, unsigned int, int)
LOCKSTEP_MIN_MAX(long, long, long)
LOCKSTEP_MIN_MAX(unsigned long, unsigned long, unsigned long)
LOCKSTEP_MIN_MAX(unsigned long, long, unsigned long)
LOCKSTEP_MIN_MAX(unsigned long, unsigned long, long)
LOCKSTEP_MIN_MAX(long long, long long, long long)
LOCKSTEP_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
LOCKSTEP_MIN_MAX(unsigned long long, long long, unsigned long long)
LOCKSTEP_MIN_MAX(unsigned long long, unsigned long long, long long)
LOCKSTEP_MIN_MAX_FLOAT(float, float, float, f)
LOCKSTEP_MIN_MAX_FLOAT(double, double, double, )
LOCKSTEP_MIN_MAX_FLOAT(double, float, double, )
LOCKSTEP_MIN_MAX_FLOAT(double, double, float, )

#ifndef __CUDACC_RTC__
static __host__ __forceinline__ unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
static __host__ __forceinline__ unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
static __host__ __forceinline__ long long llmin(long long a, long long b) { return min(a, b); }
static __host__ __forceinline__ long long llmax(long long a, long long b) { return max(a, b); }
static __host__ __forceinline__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
static __host__ __forceinline__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}
#endif

#undef LOCKSTEP_MIN_MAX_HOST
#undef LOCKSTEP_MIN_MAX_FLOAT
#undef LOCKSTEP_MIN_MAX_FLOAT_ON
#undef LOCKSTEP_MIN_MAX
#undef LOCKSTEP_MIN_MAX_ON
#endif
