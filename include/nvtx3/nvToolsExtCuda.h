/* Names for what the driver API has; lockstep's timeline shows none of them. */
#ifndef LOCKSTEP_NVTX3_NVTOOLSEXTCUDA_H
#define LOCKSTEP_NVTX3_NVTOOLSEXTCUDA_H
#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif
#define LOCKSTEP_NVTX NVTX_INLINE_STATIC NVTX_DECLSPEC
LOCKSTEP_NVTX void nvtxNameCuDeviceA(CUdevice resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuDeviceW(CUdevice resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuContextA(CUcontext resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuContextW(CUcontext resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuStreamA(CUstream resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuStreamW(CUstream resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuEventA(CUevent resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCuEventW(CUevent resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
#undef LOCKSTEP_NVTX
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif
