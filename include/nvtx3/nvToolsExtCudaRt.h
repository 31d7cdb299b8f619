/* Names for what the runtime API has; lockstep's timeline shows none of them. */
#ifndef LOCKSTEP_NVTX3_NVTOOLSEXTCUDART_H
#define LOCKSTEP_NVTX3_NVTOOLSEXTCUDART_H
#include "driver_types.h"
#include "nvtx3/nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif
#define LOCKSTEP_NVTX NVTX_INLINE_STATIC NVTX_DECLSPEC
LOCKSTEP_NVTX void nvtxNameCudaDeviceA(int resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCudaDeviceW(int resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCudaStreamA(cudaStream_t resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCudaStreamW(cudaStream_t resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCudaEventA(cudaEvent_t resource, const char* name) {
    (void)resource;
    (void)name;
}
LOCKSTEP_NVTX void nvtxNameCudaEventW(cudaEvent_t resource, const wchar_t* name) {
    (void)resource;
    (void)name;
}
#undef LOCKSTEP_NVTX
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
