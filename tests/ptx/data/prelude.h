// Just enough of CUDA for clang to compile the programs beside this file without any SDK; nvcc has its own.
#pragma once
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#include <__clang_cuda_builtin_vars.h>
extern "C" __device__ int vprintf(const char*, const char*);
extern "C" __device__ void* malloc(unsigned long);
extern "C" __device__ void free(void*);
inline __device__ int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
inline __device__ float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
inline __device__ int atomicCAS(int* p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
inline __device__ unsigned atomicInc(unsigned* p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
inline __device__ int __shfl_down_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_down_i32(mask, v, d, 31); }
inline __device__ unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
inline __device__ int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
inline __device__ int __popc(unsigned v) { return __builtin_popcount(v); }
inline __device__ int __clz(int v) { return v == 0 ? 32 : __builtin_clz(v); }
inline __device__ float rsqrtf(float v) { return __nvvm_rsqrt_approx_f(v); }
inline __device__ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline __device__ float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
inline __device__ void __threadfence() { __nvvm_membar_gl(); }
#endif
