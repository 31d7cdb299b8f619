/* What kernels call to launch kernels. It is not there: these are names without a definition, for code that
 * mentions them and does not run them, as the host's half of Thrust does. A kernel that does is refused when
 * it is loaded, by their name. */
#ifndef LOCKSTEP_CUDA_DEVICE_RUNTIME_API_H
#define LOCKSTEP_CUDA_DEVICE_RUNTIME_API_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "driver_types.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
#ifdef __CUDA_ARCH__
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#else
/* CUB's host functions name it in a branch for kernels, which clang compiles, too. */
static inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void) { return cudaErrorNotSupported; }
#endif
}
#endif

#endif
