/* min and max without a namespace, for host and device, over the operand types that CUDA lists. */
#ifndef LOCKSTEP_MIN_MAX_H
#define LOCKSTEP_MIN_MAX_H

#define LOCKSTEP_MIN_MAX(where, result, a_type, b_type)           \
    static where __forceinline__ result min(a_type a, b_type b) { \
        return (result)a < (result)b ? (result)a : (result)b;     \
    }                                                             \
    static where __forceinline__ result max(a_type a, b_type b) { \
        return (result)a > (result)b ? (result)a : (result)b;     \
    }
/* Floating point: as fmin and fmax, a NaN loses. */
#define LOCKSTEP_MIN_MAX_FLOAT(result, a_type, b_type, suffix)                  \
    static __host__ __device__ __forceinline__ result min(a_type a, b_type b) { \
        return ::fmin##suffix(a, b);                                            \
    }                                                                           \
    static __host__ __device__ __forceinline__ result max(a_type a, b_type b) { return ::fmax##suffix(a, b); }

LOCKSTEP_MIN_MAX(__host__, int, int, int) /* clang's header has the device one */
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned int, unsigned int, unsigned int)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned int, int, unsigned int)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned int, unsigned int, int)
LOCKSTEP_MIN_MAX(__host__ __device__, long, long, long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long, unsigned long, unsigned long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long, long, unsigned long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long, unsigned long, long)
LOCKSTEP_MIN_MAX(__host__ __device__, long long, long long, long long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, unsigned long long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long long, long long, unsigned long long)
LOCKSTEP_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, long long)
LOCKSTEP_MIN_MAX_FLOAT(float, float, float, f)
LOCKSTEP_MIN_MAX_FLOAT(double, double, double, )
LOCKSTEP_MIN_MAX_FLOAT(double, float, double, )
LOCKSTEP_MIN_MAX_FLOAT(double, double, float, )

#undef LOCKSTEP_MIN_MAX_FLOAT
#undef LOCKSTEP_MIN_MAX
#endif
