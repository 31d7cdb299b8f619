/* What the headers of namespace cuda have in common. Types that need no code on the device are the host
 * library's own; everything that is called is written here, because a function of the host library can be
 * called in kernels only where it is constexpr in the chosen -std. */
#ifndef LOCKSTEP_STD_CONFIG_H
#define LOCKSTEP_STD_CONFIG_H
#ifndef __cplusplus
#error "cuda/… headers are C++"
#endif
#include "host_defines.h"
#include "lockstep/cccl-version.h"

#define LOCKSTEP_STD __host__ __device__
#define LOCKSTEP_STD_CX __host__ __device__ constexpr
/* constexpr where bodies may have statements. */
#if __cplusplus >= 201402L
#define LOCKSTEP_STD_CX14 __host__ __device__ constexpr
#define LOCKSTEP_STD_CX14_MEMBER __host__ __device__ constexpr
#else
#define LOCKSTEP_STD_CX14 __host__ __device__ inline
#define LOCKSTEP_STD_CX14_MEMBER __host__ __device__
#endif
#if __cplusplus >= 201703L
#define LOCKSTEP_STD_INLINE inline
#else
#define LOCKSTEP_STD_INLINE
#endif
#if __cplusplus >= 202002L
#define LOCKSTEP_STD_CX20 __host__ __device__ constexpr
#else
#define LOCKSTEP_STD_CX20 __host__ __device__
#endif

/* An exception on the host, the end of the kernel on the device. */
#if defined(__CUDA_ARCH__) || !(defined(__cpp_exceptions) || defined(__EXCEPTIONS))
#define LOCKSTEP_STD_THROW(exception) __builtin_trap()
#else
#define LOCKSTEP_STD_THROW(exception) throw exception
#endif

#endif
