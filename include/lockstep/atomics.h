/* The atomic functions, each with its _block and _system scope, over clang's own __iAtomicAdd and family. */
#ifndef LOCKSTEP_ATOMICS_H
#define LOCKSTEP_ATOMICS_H

#define LOCKSTEP_ATOMIC_SCOPE(name, type, impl, scope)                              \
    static __device__ __forceinline__ type name##scope(type* address, type value) { \
        return impl##scope(address, value);                                         \
    }
#if LOCKSTEP_ARCH >= 600
#define LOCKSTEP_ATOMIC(name, type, impl)           \
    LOCKSTEP_ATOMIC_SCOPE(name, type, impl, )       \
    LOCKSTEP_ATOMIC_SCOPE(name, type, impl, _block) \
    LOCKSTEP_ATOMIC_SCOPE(name, type, impl, _system)
#else
#define LOCKSTEP_ATOMIC(name, type, impl) LOCKSTEP_ATOMIC_SCOPE(name, type, impl, )
#endif

LOCKSTEP_ATOMIC(atomicAdd, int, __iAtomicAdd)
LOCKSTEP_ATOMIC(atomicAdd, unsigned int, __uAtomicAdd)
LOCKSTEP_ATOMIC(atomicAdd, unsigned long long, __ullAtomicAdd)
LOCKSTEP_ATOMIC(atomicAdd, float, __fAtomicAdd)
#if LOCKSTEP_ARCH >= 600
LOCKSTEP_ATOMIC(atomicAdd, double, __dAtomicAdd)
#endif
LOCKSTEP_ATOMIC(atomicExch, int, __iAtomicExch)
LOCKSTEP_ATOMIC(atomicExch, unsigned int, __uAtomicExch)
LOCKSTEP_ATOMIC(atomicExch, unsigned long long, __ullAtomicExch)
LOCKSTEP_ATOMIC(atomicExch, float, __fAtomicExch)
LOCKSTEP_ATOMIC(atomicMin, int, __iAtomicMin)
LOCKSTEP_ATOMIC(atomicMin, unsigned int, __uAtomicMin)
LOCKSTEP_ATOMIC(atomicMax, int, __iAtomicMax)
LOCKSTEP_ATOMIC(atomicMax, unsigned int, __uAtomicMax)
LOCKSTEP_ATOMIC(atomicInc, unsigned int, __uAtomicInc)
LOCKSTEP_ATOMIC(atomicDec, unsigned int, __uAtomicDec)
LOCKSTEP_ATOMIC(atomicAnd, int, __iAtomicAnd)
LOCKSTEP_ATOMIC(atomicAnd, unsigned int, __uAtomicAnd)
LOCKSTEP_ATOMIC(atomicOr, int, __iAtomicOr)
LOCKSTEP_ATOMIC(atomicOr, unsigned int, __uAtomicOr)
LOCKSTEP_ATOMIC(atomicXor, int, __iAtomicXor)
LOCKSTEP_ATOMIC(atomicXor, unsigned int, __uAtomicXor)

#if LOCKSTEP_ARCH >= 320
LOCKSTEP_ATOMIC(atomicMin, long long, __illAtomicMin)
LOCKSTEP_ATOMIC(atomicMin, unsigned long long, __ullAtomicMin)
LOCKSTEP_ATOMIC(atomicMax, long long, __illAtomicMax)
LOCKSTEP_ATOMIC(atomicMax, unsigned long long, __ullAtomicMax)
LOCKSTEP_ATOMIC(atomicAnd, unsigned long long, __ullAtomicAnd)
LOCKSTEP_ATOMIC(atomicAnd, long long, __llAtomicAnd)
LOCKSTEP_ATOMIC(atomicOr, unsigned long long, __ullAtomicOr)
LOCKSTEP_ATOMIC(atomicOr, long long, __llAtomicOr)
LOCKSTEP_ATOMIC(atomicXor, unsigned long long, __ullAtomicXor)
LOCKSTEP_ATOMIC(atomicXor, long long, __llAtomicXor)
#endif

#define LOCKSTEP_ATOMIC_REST(scope)                                                                \
    static __device__ __forceinline__ int atomicSub##scope(int* address, int value) {              \
        return __iAtomicAdd##scope(address, (int)(0u - (unsigned)value));                          \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int atomicSub##scope(unsigned int* address,         \
                                                                    unsigned int value) {          \
        return __uAtomicAdd##scope(address, 0u - value);                                           \
    }                                                                                              \
    static __device__ __forceinline__ int atomicCAS##scope(int* address, int compare, int value) { \
        return __iAtomicCAS##scope(address, compare, value);                                       \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int atomicCAS##scope(                               \
        unsigned int* address, unsigned int compare, unsigned int value) {                         \
        return __uAtomicCAS##scope(address, compare, value);                                       \
    }                                                                                              \
    static __device__ __forceinline__ unsigned long long atomicCAS##scope(                         \
        unsigned long long* address, unsigned long long compare, unsigned long long value) {       \
        return __ullAtomicCAS##scope(address, compare, value);                                     \
    }
LOCKSTEP_ATOMIC_REST()
#if LOCKSTEP_ARCH >= 600
LOCKSTEP_ATOMIC_REST(_block)
LOCKSTEP_ATOMIC_REST(_system)
#endif

#if LOCKSTEP_ARCH >= 700
#define LOCKSTEP_ATOMIC_CAS16(scope, ptx)                                        \
    static __device__ __forceinline__ unsigned short atomicCAS##scope(           \
        unsigned short* address, unsigned short compare, unsigned short value) { \
        unsigned short old;                                                      \
        asm volatile("atom" ptx ".cas.b16 %0, [%1], %2, %3;"                     \
                     : "=h"(old)                                                 \
                     : "l"(address), "h"(compare), "h"(value)                    \
                     : "memory");                                                \
        return old;                                                              \
    }
LOCKSTEP_ATOMIC_CAS16(, "")
LOCKSTEP_ATOMIC_CAS16(_block, ".cta")
LOCKSTEP_ATOMIC_CAS16(_system, ".sys")

#undef LOCKSTEP_ATOMIC_CAS16
#endif
#undef LOCKSTEP_ATOMIC_REST
#undef LOCKSTEP_ATOMIC
#undef LOCKSTEP_ATOMIC_SCOPE
#endif
