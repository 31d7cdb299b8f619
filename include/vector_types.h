/* The vector types of CUDA, with the sizes and alignments that its guide lists, and dim3. */
#ifndef LOCKSTEP_VECTOR_TYPES_H
#define LOCKSTEP_VECTOR_TYPES_H
/* Programs ask for CUDA's own include guard, too. */
#define __VECTOR_TYPES_H__
#include "host_defines.h"

#define LOCKSTEP_VECTOR1(name, type) \
    struct name##1 { type x; };      \
    typedef struct name##1 name##1;
#define LOCKSTEP_VECTOR2(name, type, alignment)                        \
    struct __attribute__((aligned(alignment))) name##2 { type x, y; }; \
    typedef struct name##2 name##2;
#define LOCKSTEP_VECTOR3(name, type)  \
    struct name##3 { type x, y, z; }; \
    typedef struct name##3 name##3;
#define LOCKSTEP_VECTOR4(name, type, alignment)                              \
    struct __attribute__((aligned(alignment))) name##4 { type x, y, z, w; }; \
    typedef struct name##4 name##4;
#define LOCKSTEP_VECTORS(name, type, align2, align4) \
    LOCKSTEP_VECTOR1(name, type)                     \
    LOCKSTEP_VECTOR2(name, type, align2)             \
    LOCKSTEP_VECTOR3(name, type)                     \
    LOCKSTEP_VECTOR4(name, type, align4)

LOCKSTEP_VECTORS(char, signed char, 2, 4)
LOCKSTEP_VECTORS(uchar, unsigned char, 2, 4)
LOCKSTEP_VECTORS(short, short, 4, 8)
LOCKSTEP_VECTORS(ushort, unsigned short, 4, 8)
LOCKSTEP_VECTORS(int, int, 8, 16)
LOCKSTEP_VECTORS(uint, unsigned int, 8, 16)
LOCKSTEP_VECTORS(long, long int, 2 * sizeof(long int), 16)
LOCKSTEP_VECTORS(ulong, unsigned long int, 2 * sizeof(long int), 16)
LOCKSTEP_VECTORS(longlong, long long int, 16, 16)
LOCKSTEP_VECTORS(ulonglong, unsigned long long int, 16, 16)
LOCKSTEP_VECTORS(float, float, 8, 16)
LOCKSTEP_VECTORS(double, double, 16, 16)

/* Four 8-byte numbers whose alignment the name tells */
#define LOCKSTEP_VECTORS_ALIGNED(name, type) \
    LOCKSTEP_VECTOR4A(name, type, 16)        \
    LOCKSTEP_VECTOR4A(name, type, 32)
#define LOCKSTEP_VECTOR4A(name, type, alignment)                                            \
    struct __attribute__((aligned(alignment))) name##4_##alignment##a { type x, y, z, w; }; \
    typedef struct name##4_##alignment##a name##4_##alignment##a;
LOCKSTEP_VECTORS_ALIGNED(long, long int)
LOCKSTEP_VECTORS_ALIGNED(ulong, unsigned long int)
LOCKSTEP_VECTORS_ALIGNED(longlong, long long int)
LOCKSTEP_VECTORS_ALIGNED(ulonglong, unsigned long long int)
LOCKSTEP_VECTORS_ALIGNED(double, double)
#undef LOCKSTEP_VECTORS_ALIGNED
#undef LOCKSTEP_VECTOR4A

#undef LOCKSTEP_VECTORS
#undef LOCKSTEP_VECTOR1
#undef LOCKSTEP_VECTOR2
#undef LOCKSTEP_VECTOR3
#undef LOCKSTEP_VECTOR4

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const {
        uint3 t = {x, y, z};
        return t;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
