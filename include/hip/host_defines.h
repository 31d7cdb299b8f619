/* The keywords of HIP as attributes that clang understands; for a host compiler they vanish. */
#ifndef LOCKSTEP_HIP_HOST_DEFINES_H
#define LOCKSTEP_HIP_HOST_DEFINES_H
/* rocThrust asks for AMD's own include guard, and would undefine __host__ without it. */
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H

#if defined(__HIP__) && defined(__clang__)
/* clang's own header, which stands before every program, has defined the others. */
#define __launch_bounds__(...) \
    LOCKSTEP_LAUNCH_BOUNDS(__VA_ARGS__, LOCKSTEP_LAUNCH_BOUNDS2, LOCKSTEP_LAUNCH_BOUNDS1, )(__VA_ARGS__)
#define LOCKSTEP_LAUNCH_BOUNDS(_1, _2, chosen, ...) chosen
#define LOCKSTEP_LAUNCH_BOUNDS1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
/* HIP's second number is that of wavefronts a SIMD unit. */
#define LOCKSTEP_LAUNCH_BOUNDS2(threads, waves) \
    __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define __grid_constant__
#elif !defined(LOCKSTEP_HOST_DEFINES_H) /* CUDA's, in the runtime library */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#endif

#endif
