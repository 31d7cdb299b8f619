/* Barriers and fences of a workgroup. */
#ifndef LOCKSTEP_HIP_SYNC_H
#define LOCKSTEP_HIP_SYNC_H
#include "hip/hip_common.h"

#define LOCKSTEP_D static __device__ inline __attribute__((always_inline, nodebug, convergent))

LOCKSTEP_D void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
/* With a reduction over the workgroup, which the device library has. */
extern "C" {
__device__ __attribute__((convergent)) int __ockl_wgred_add_i32(int);
__device__ __attribute__((convergent)) int __ockl_wgred_and_i32(int);
__device__ __attribute__((convergent)) int __ockl_wgred_or_i32(int);
}
LOCKSTEP_D int __syncthreads_count(int predicate) { return __ockl_wgred_add_i32(predicate != 0); }
LOCKSTEP_D int __syncthreads_and(int predicate) { return __ockl_wgred_and_i32(predicate != 0); }
LOCKSTEP_D int __syncthreads_or(int predicate) { return __ockl_wgred_or_i32(predicate != 0); }

/* The lanes of a wavefront go in step: what they exchange through memory has to be ordered, no more. */
LOCKSTEP_D void __syncwarp() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

LOCKSTEP_D void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
LOCKSTEP_D void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
LOCKSTEP_D void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

#undef LOCKSTEP_D
#endif
