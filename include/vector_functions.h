/* make_float4 and its family. */
#ifndef LOCKSTEP_VECTOR_FUNCTIONS_H
#define LOCKSTEP_VECTOR_FUNCTIONS_H
#include "host_defines.h"
#include "vector_types.h"
/* Behind the types: */
#include "lockstep/make-vectors.h"

#define LOCKSTEP_MAKE_ALIGNED(name, type)                                                    \
    static __inline__ __host__ __device__ name make_##name(type x, type y, type z, type w) { \
        name v;                                                                              \
        v.x = x, v.y = y, v.z = z, v.w = w;                                                  \
        return v;                                                                            \
    }
LOCKSTEP_MAKE_ALIGNED(long4_16a, long int)
LOCKSTEP_MAKE_ALIGNED(long4_32a, long int)
LOCKSTEP_MAKE_ALIGNED(ulong4_16a, unsigned long int)
LOCKSTEP_MAKE_ALIGNED(ulong4_32a, unsigned long int)
LOCKSTEP_MAKE_ALIGNED(longlong4_16a, long long int)
LOCKSTEP_MAKE_ALIGNED(longlong4_32a, long long int)
LOCKSTEP_MAKE_ALIGNED(ulonglong4_16a, unsigned long long int)
LOCKSTEP_MAKE_ALIGNED(ulonglong4_32a, unsigned long long int)
LOCKSTEP_MAKE_ALIGNED(double4_16a, double)
LOCKSTEP_MAKE_ALIGNED(double4_32a, double)
#undef LOCKSTEP_MAKE_ALIGNED
#endif
