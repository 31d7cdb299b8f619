/* HIP's vector types: one template, with operators on its components. */
#ifndef LOCKSTEP_HIP_VECTOR_TYPES_H
#define LOCKSTEP_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#include "hip_common.h"

#ifdef __cplusplus
#include "lockstep/hip/vectors.h"
#else
/* C programs have the components. */
#define LOCKSTEP_HIP_VECTORS(name, type)                        \
    typedef struct {                                            \
        type x;                                                 \
    } name##1;                                                  \
    typedef struct __attribute__((aligned(2 * sizeof(type)))) { \
        type x, y;                                              \
    } name##2;                                                  \
    typedef struct {                                            \
        type x, y, z;                                           \
    } name##3;                                                  \
    typedef struct __attribute__((aligned(4 * sizeof(type)))) { \
        type x, y, z, w;                                        \
    } name##4;
LOCKSTEP_HIP_VECTORS(char, signed char)
LOCKSTEP_HIP_VECTORS(uchar, unsigned char)
LOCKSTEP_HIP_VECTORS(short, short)
LOCKSTEP_HIP_VECTORS(ushort, unsigned short)
LOCKSTEP_HIP_VECTORS(int, int)
LOCKSTEP_HIP_VECTORS(uint, unsigned int)
LOCKSTEP_HIP_VECTORS(long, long)
LOCKSTEP_HIP_VECTORS(ulong, unsigned long)
LOCKSTEP_HIP_VECTORS(longlong, long long)
LOCKSTEP_HIP_VECTORS(ulonglong, unsigned long long)
LOCKSTEP_HIP_VECTORS(float, float)
LOCKSTEP_HIP_VECTORS(double, double)
#undef LOCKSTEP_HIP_VECTORS
#endif

#endif
