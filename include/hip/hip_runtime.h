/* What a HIP program includes: the API, and for clang the language. */
#ifndef LOCKSTEP_HIP_RUNTIME_H
#define LOCKSTEP_HIP_RUNTIME_H
/* Programs ask for HIP's own include guard, too. */
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#ifdef __cplusplus
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <tuple>
#else
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#endif
#include <stdio.h>

#include "hip_common.h"
#include "hip_runtime_api.h"
#include "hip_vector_types.h"
#include "hip_version.h"
#include "library_types.h"

#if defined(__HIP__) && defined(__clang__)
#include "lockstep/hip/atomics.h"
#include "lockstep/hip/bits.h"
#include "lockstep/hip/coordinates.h"
#include "lockstep/hip/sync.h"
#include "lockstep/hip/textures.h"
#include "lockstep/hip/warp.h"
#include "math_functions.h"

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)  \
    do {                                                              \
        kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__); \
    } while (0)

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#endif
#ifdef __cplusplus
#include "channel_descriptor.h"
#endif
#if defined(__HIP__) && defined(__clang__)
#include "lockstep/hip/texture-references.h"
#endif

#endif
