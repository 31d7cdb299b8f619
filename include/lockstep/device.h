/* CUDA C++ for clang without CUDA's SDK: clang's own device headers, with what they expect of CUDA's supplied from here. The order matters:
 * device declarations of math functions come before <cmath>, definitions after the vector types. */
/* clang-format off */
#ifndef LOCKSTEP_DEVICE_H
#define LOCKSTEP_DEVICE_H

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 82
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
/* What nvcc asks of a closure, whose type is another on the host there. Here it is one, as any other. */
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#ifndef CUDA_VERSION
#define CUDA_VERSION 12050
#endif

#include <stddef.h>
#ifndef __CUDACC_RTC__
#include <stdint.h>
#endif

/* Functions that only newer GPUs have are declared for those alone, as CUDA's headers do it: programs bring their own for older ones. Host
 * code sees them all. */
#ifdef __CUDA_ARCH__
#define LOCKSTEP_ARCH __CUDA_ARCH__
#else
#define LOCKSTEP_ARCH 9999
#endif

typedef unsigned int cuuint32_t;
typedef unsigned long cuuint64_t;

/* Calls that the device runtime answers. First, so that <new>'s device operators find them. */
extern "C" {
__device__ void* malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t char_size);
}

#include "lockstep/math-declarations.h"

#ifdef __CUDACC_RTC__
/* Code that is compiled at run time brings its own C and C++ library, or does without. */
#include "lockstep/rtc.h"
#else
/* nvcc includes these for every program, and programs have come to rely on it. */
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

/* Without debug information of their own, these functions take the line of whoever calls them: the user's. */
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#ifdef __CUDA_ARCH__
/* clang's is a constant. nvcc's is read from the machine, and no constant expression; so is this, by the device compiler. */
#define warpSize __lockstep_constant_warp_size
#include <__clang_cuda_builtin_vars.h>
#undef warpSize
extern __device__ const int warpSize;
#else
#include <__clang_cuda_builtin_vars.h>
#endif
#include <__clang_cuda_libdevice_declares.h>
#include "lockstep/libdevice-inline.h"
/* The backend knows votes from 3.0 on. */
#if LOCKSTEP_ARCH < 300
#define __all __lockstep_later_all
#define __any __lockstep_later_any
#define __ballot __lockstep_later_ballot
#endif
#include <__clang_cuda_device_functions.h>
#if LOCKSTEP_ARCH < 300
#undef __all
#undef __any
#undef __ballot
#include "lockstep/fermi.h"
#endif
#include <__clang_cuda_math.h>
#ifdef LOCKSTEP_RTC_MACROS
#undef LOCKSTEP_RTC_MACROS
#undef INT_MAX
#undef INT_MIN
#undef HUGE_VAL
#undef HUGE_VALF
#endif

#define LOCKSTEP_TO_VECTOR(name)                                                                                   \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); }                   \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
LOCKSTEP_TO_VECTOR(threadIdx)
LOCKSTEP_TO_VECTOR(blockIdx)
LOCKSTEP_TO_VECTOR(blockDim)
LOCKSTEP_TO_VECTOR(gridDim)
#undef LOCKSTEP_TO_VECTOR

/* What <assert.h>'s macro calls. */
#ifndef __CUDACC_RTC__
extern "C" __device__ inline void __assert_fail(const char* message, const char* file, unsigned line,
                                                const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
#endif

#include "lockstep/host-math.h"
#include "lockstep/min-max.h"
#include "lockstep/math-overloads.h"
#include "lockstep/address-spaces.h"
// clang 19's own header passes redux.sync's operands the wrong way round: set its functions aside and define ours.
#define __reduce_add_sync __lockstep_swapped_reduce_add_sync
#define __reduce_min_sync __lockstep_swapped_reduce_min_sync
#define __reduce_max_sync __lockstep_swapped_reduce_max_sync
#define __reduce_and_sync __lockstep_swapped_reduce_and_sync
#define __reduce_or_sync __lockstep_swapped_reduce_or_sync
#define __reduce_xor_sync __lockstep_swapped_reduce_xor_sync
/* 7.0 has no shuffles without a mask, and the backend does not know them there. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define __shfl __lockstep_earlier_shfl
#define __shfl_up __lockstep_earlier_shfl_up
#define __shfl_down __lockstep_earlier_shfl_down
#define __shfl_xor __lockstep_earlier_shfl_xor
#endif
/* Ours are in shuffles.h. */
#define __shfl_sync __lockstep_clang__shfl_sync
#define __shfl_up_sync __lockstep_clang__shfl_up_sync
#define __shfl_down_sync __lockstep_clang__shfl_down_sync
#define __shfl_xor_sync __lockstep_clang__shfl_xor_sync
/* A shuffle's width is 32 unless told. */
#define warpSize 32
#include <__clang_cuda_intrinsics.h>
#undef warpSize
#undef __shfl_sync
#undef __shfl_up_sync
#undef __shfl_down_sync
#undef __shfl_xor_sync
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 300
#include "lockstep/shuffles.h"
#endif
#if LOCKSTEP_ARCH >= 800
#include "lockstep/warp-reduce.h"
#endif
#include <__clang_cuda_complex_builtins.h>
#include "lockstep/atomics.h"
#include "lockstep/cache-hints.h"
#include "lockstep/intrinsics.h"
#include "lockstep/dpx.h"
#pragma clang attribute pop
#include <new>
#ifndef __CUDACC_RTC__
#include <utility>
#endif

#endif
