/* HIP's API for host code. */
#ifndef LOCKSTEP_HIP_RUNTIME_API_H
#define LOCKSTEP_HIP_RUNTIME_API_H
/* Programs ask for HIP's own include guard, too. */
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hip_common.h"
#include "hip_version.h"
/* In this order: */
/* clang-format off */
#include "driver_types.h"
#include "lockstep/hip/dim3.h"
#include "lockstep/hip/device-prop.h"
/* clang-format on */

typedef enum hipDeviceAttribute_t {
#define LOCKSTEP_HIP_ATTRIBUTE(name, number, cuda) name = number,
#include "lockstep/hip/attributes.def"
#undef LOCKSTEP_HIP_ATTRIBUTE
    hipDeviceAttributeCudaCompatibleBegin = 0,
    hipDeviceAttributeCudaCompatibleEnd = 9999,
    hipDeviceAttributeAmdSpecificBegin = 10000,
    hipDeviceAttributeAmdSpecificEnd = 19999,
    hipDeviceAttributeVendorSpecificBegin = 20000
} hipDeviceAttribute_t;

typedef struct hipKernelNodeParams {
    dim3 blockDim;
    void** extra;
    void* func;
    dim3 gridDim;
    void** kernelParams;
    unsigned int sharedMemBytes;
} hipKernelNodeParams;
typedef struct hipLaunchParams_t {
    void* func;
    dim3 gridDim, blockDim;
    void** args;
    size_t sharedMem;
    hipStream_t stream;
} hipLaunchParams;

#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostAllocWriteCombined 0x4
#define hipExtHostAllocNumaUser 0x20000000
#define hipExtHostAllocCoherent 0x40000000
#define hipExtHostAllocNonCoherent 0x80000000
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x08
#define hipExtHostRegisterCoarseGrained 0x8
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x10
#define hipIpcMemLazyEnablePeerAccess 0x01
#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08
#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01
#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)
#define hipExtAnyOrderLaunch 0x01
#define hipGraphKernelNodePortDefault 0
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define HIP_LAUNCH_PARAM_END ((void*)0x03)

#ifdef __cplusplus
extern "C" {
#define LOCKSTEP_OR(value) = value
/* Any arguments will do: it only says that it is missing. */
#define LOCKSTEP_HIP_MISSING(function) hipError_t function(...);
#else
#define LOCKSTEP_OR(value)
#define LOCKSTEP_HIP_MISSING(function) hipError_t function();
#endif
#define LOCKSTEP_HIP_GROUP(title)
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments) hipError_t function parameters;
#define LOCKSTEP_HIP_OWN(function, parameters) hipError_t function parameters;
#include "lockstep/hip/functions.def"
#undef LOCKSTEP_HIP_OWN
#undef LOCKSTEP_HIP_SAME
#undef LOCKSTEP_HIP_GROUP
#undef LOCKSTEP_HIP_MISSING
const char* hipGetErrorName(hipError_t error);
const char* hipGetErrorString(hipError_t error);

/* -1: there is no such stream. */
static inline int hipGetStreamDeviceId(hipStream_t stream) {
    hipDevice_t device = -1;
    return hipStreamGetDevice(stream, &device) == hipSuccess ? device : -1;
}

/* What compilers call. */
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared LOCKSTEP_OR(0),
                                      hipStream_t stream LOCKSTEP_OR(0));
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream);
#undef LOCKSTEP_OR
#ifdef __cplusplus
}
#if !defined(__HIP_DISABLE_CPP_FUNCTIONS__) && !defined(LOCKSTEP_VECTOR_TYPES_H)
#include "lockstep/hip/templates.h"
#endif
#endif

#endif
