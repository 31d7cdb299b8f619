/* AMD's extensions of launches: events around one, grids in threads. */
#ifndef LOCKSTEP_HIP_EXT_H
#define LOCKSTEP_HIP_EXT_H
#include "hip_runtime.h"

#ifdef __cplusplus
extern "C" hipError_t hipExtModuleLaunchKernel(hipFunction_t function, unsigned int gx, unsigned int gy,
                                               unsigned int gz, unsigned int bx, unsigned int by,
                                               unsigned int bz, size_t shared, hipStream_t stream,
                                               void** arguments, void** extra, hipEvent_t start = nullptr,
                                               hipEvent_t stop = nullptr, unsigned int flags = 0);

/* Arguments converted to what the kernel takes, as a launch by <<<>>> does it. */
template <class... Expected, class... Actual>
static inline void hipExtLaunchKernelGGL(void (*kernel)(Expected...), const dim3& grid, const dim3& block,
                                         unsigned int shared, hipStream_t stream, hipEvent_t start,
                                         hipEvent_t stop, unsigned int flags, Actual... actual) {
    [&](Expected... converted) {
        void* arguments[sizeof...(Expected) + 1] = {(void*)&converted...};
        (void)::hipExtLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream, start, stop,
                                   (int)flags);
    }(actual...);
}
#endif

#endif
