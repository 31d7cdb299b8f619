/* Atomics: relaxed, over the device, or over the system where the name says so. */
#ifndef LOCKSTEP_HIP_ATOMICS_H
#define LOCKSTEP_HIP_ATOMICS_H
#include "hip/hip_common.h"

#define LOCKSTEP_D static __device__ inline __attribute__((always_inline, nodebug))
#define LOCKSTEP_FETCH(name, operation, type, value)                                            \
    LOCKSTEP_D type name(type* p, type v) {                                                     \
        return __hip_atomic_##operation(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  \
    }                                                                                           \
    LOCKSTEP_D type name##_system(type* p, type v) {                                            \
        return __hip_atomic_##operation(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); \
    }
#define LOCKSTEP_CAS(type)                                                                        \
    LOCKSTEP_D type atomicCAS(type* p, type expected, type v) {                                   \
        __hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                             __HIP_MEMORY_SCOPE_AGENT);                           \
        return expected;                                                                          \
    }                                                                                             \
    LOCKSTEP_D type atomicCAS_system(type* p, type expected, type v) {                            \
        __hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                             __HIP_MEMORY_SCOPE_SYSTEM);                          \
        return expected;                                                                          \
    }

#define LOCKSTEP_NUMBERS(type)                             \
    LOCKSTEP_FETCH(atomicAdd, fetch_add, type, v)          \
    LOCKSTEP_FETCH(atomicSub, fetch_add, type, (type)(-v)) \
    LOCKSTEP_FETCH(atomicExch, exchange, type, v)          \
    LOCKSTEP_FETCH(atomicMin, fetch_min, type, v)          \
    LOCKSTEP_FETCH(atomicMax, fetch_max, type, v)          \
    LOCKSTEP_CAS(type)
#define LOCKSTEP_INTEGERS(type)                   \
    LOCKSTEP_NUMBERS(type)                        \
    LOCKSTEP_FETCH(atomicAnd, fetch_and, type, v) \
    LOCKSTEP_FETCH(atomicOr, fetch_or, type, v)   \
    LOCKSTEP_FETCH(atomicXor, fetch_xor, type, v)
LOCKSTEP_INTEGERS(int)
LOCKSTEP_INTEGERS(unsigned int)
LOCKSTEP_INTEGERS(long)
LOCKSTEP_INTEGERS(unsigned long)
LOCKSTEP_INTEGERS(long long)
LOCKSTEP_INTEGERS(unsigned long long)
LOCKSTEP_NUMBERS(float)
LOCKSTEP_NUMBERS(double)
#undef LOCKSTEP_INTEGERS
#undef LOCKSTEP_NUMBERS
#undef LOCKSTEP_CAS
#undef LOCKSTEP_FETCH

LOCKSTEP_D unsigned int atomicInc(unsigned int* p, unsigned int limit) {
    return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "agent");
}
LOCKSTEP_D unsigned int atomicDec(unsigned int* p, unsigned int limit) {
    return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "agent");
}
/* Which instruction does it is the compiler's choice: "unsafe" only allows it more of them. */
LOCKSTEP_D float unsafeAtomicAdd(float* p, float v) { return atomicAdd(p, v); }
LOCKSTEP_D double unsafeAtomicAdd(double* p, double v) { return atomicAdd(p, v); }
LOCKSTEP_D float safeAtomicAdd(float* p, float v) { return atomicAdd(p, v); }
LOCKSTEP_D double safeAtomicAdd(double* p, double v) { return atomicAdd(p, v); }
LOCKSTEP_D float unsafeAtomicMin(float* p, float v) { return atomicMin(p, v); }
LOCKSTEP_D float unsafeAtomicMax(float* p, float v) { return atomicMax(p, v); }
LOCKSTEP_D double unsafeAtomicMin(double* p, double v) { return atomicMin(p, v); }
LOCKSTEP_D double unsafeAtomicMax(double* p, double v) { return atomicMax(p, v); }
LOCKSTEP_D void atomicAddNoRet(float* p, float v) { atomicAdd(p, v); }

#undef LOCKSTEP_D
#endif
