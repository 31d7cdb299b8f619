/* Complex numbers as float2 and double2. */
#ifndef LOCKSTEP_HIP_COMPLEX_H
#define LOCKSTEP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H
#include "hip_vector_types.h"

#define LOCKSTEP_COMPLEX_NAME(name) hip##name
#define LOCKSTEP_MAKE_COMPLEX(name) make_hip##name
#include "lockstep/complex-functions.h"
#undef LOCKSTEP_COMPLEX_NAME
#undef LOCKSTEP_MAKE_COMPLEX

#ifdef __cplusplus
static inline __host__ __device__ float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
static inline __host__ __device__ double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }
#endif

#endif
