/* dim3, as HIP has it. */
#ifndef LOCKSTEP_HIP_DIM3_H
#define LOCKSTEP_HIP_DIM3_H
#include "hip/hip_common.h"

/* The runtime library has CUDA's, which is laid out the same. */
#ifndef LOCKSTEP_VECTOR_TYPES_H
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
#endif
} dim3;
#endif

#endif
