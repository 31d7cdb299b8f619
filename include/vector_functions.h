/* make_float4 and its family. */
#ifndef LOCKSTEP_VECTOR_FUNCTIONS_H
#define LOCKSTEP_VECTOR_FUNCTIONS_H
#include "host_defines.h"
#include "vector_types.h"

#define LOCKSTEP_MAKE(name, type)                                                                  \
    static __inline__ __host__ __device__ name##1 make_##name##1(type x) {                         \
        name##1 v;                                                                                 \
        v.x = x;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                 \
        name##2 v;                                                                                 \
        v.x = x, v.y = y;                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {         \
        name##3 v;                                                                                 \
        v.x = x, v.y = y, v.z = z;                                                                 \
        return v;                                                                                  \
    }                                                                                              \
    static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { \
        name##4 v;                                                                                 \
        v.x = x, v.y = y, v.z = z, v.w = w;                                                        \
        return v;                                                                                  \
    }

LOCKSTEP_MAKE(char, signed char)
LOCKSTEP_MAKE(uchar, unsigned char)
LOCKSTEP_MAKE(short, short)
LOCKSTEP_MAKE(ushort, unsigned short)
LOCKSTEP_MAKE(int, int)
LOCKSTEP_MAKE(uint, unsigned int)
LOCKSTEP_MAKE(long, long int)
LOCKSTEP_MAKE(ulong, unsigned long int)
LOCKSTEP_MAKE(longlong, long long int)
LOCKSTEP_MAKE(ulonglong, unsigned long long int)
LOCKSTEP_MAKE(float, float)
LOCKSTEP_MAKE(double, double)

#undef LOCKSTEP_MAKE

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
