/* The keywords of CUDA C++ as attributes that clang understands; for a host compiler they vanish. */
#ifndef LOCKSTEP_HOST_DEFINES_H
#define LOCKSTEP_HOST_DEFINES_H
/* Thrust asks for CUDA's own include guard, and would undefine __host__ without it. */
#define __HOST_DEFINES_H__

#if defined(__HIP__) /* what both have in common includes this */
#include "hip/host_defines.h"
#else
#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* A kernel is of one executable or shared library, as with nvcc since CUDA 13: others may have the same names. */
#ifdef __CUDA_ARCH__
#define __global__ __attribute__((global))
#else
#define __global__ __attribute__((global)) __attribute__((visibility("hidden")))
#endif
/* clang knows managed variables for HIP only. Device memory is host memory here, so the host's shadow of a
 * device variable can be the storage itself; the section tells the runtime which ones (lockstep/managed.h).
 */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device)) __attribute__((section("lockstep_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((annotate("grid_constant")))
/* The device compiler reads it. */
#define __cluster_dims__(...) __attribute__((annotate("lockstep.cluster_dims", __VA_ARGS__)))
#define __nv_pure__ __attribute__((pure))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __nv_pure__
#endif
/* Wishes about code that clang has no words for. */
#define __maxnreg__(n)
#define __inline_hint__

/* __noinline__ is clang's own keyword in CUDA code; a macro would break libstdc++'s
 * __attribute__((__noinline__)). */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __thread__ __thread
#define __no_return__ __attribute__((noreturn))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#endif

#endif
