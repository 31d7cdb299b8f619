// What all parts of cuRAND's device API share.
#pragma once

#ifdef __HIP__
#include <hip/hip_runtime.h>
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#else
#include <cuda_runtime.h>
#include <curand.h>
#endif
#include <math.h>

// A program may define it, to have the functions on the host as well.
#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

// Which kind of normal deviate a state keeps, since they are made in pairs.
#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002
