/* make_float4 and its family, for CUDA's vector types and HIP's: whoever includes it has defined these. */
#ifndef LOCKSTEP_MAKE_VECTORS_H
#define LOCKSTEP_MAKE_VECTORS_H

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

#endif
