/* What kernels call of the runtime API: the device runtime. The host's functions of these names are others. */
#ifndef LOCKSTEP_CUDA_DEVICE_RUNTIME_API_H
#define LOCKSTEP_CUDA_DEVICE_RUNTIME_API_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "driver_types.h"

/* Streams that every kernel has. */
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
/* … and for graphs that it launches. */
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char* cudaGetErrorString(cudaError_t error);
__device__ const char* cudaGetErrorName(cudaError_t error);
__device__ cudaError_t cudaGetDeviceCount(int* count);
__device__ cudaError_t cudaGetDevice(int* device);
__device__ cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device);
__device__ cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
__device__ cudaError_t cudaRuntimeGetVersion(int* version);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaMalloc(void** p, size_t size);
__device__ cudaError_t cudaFree(void* p);
__device__ cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind,
                                       cudaStream_t stream);
__device__ cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                         size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void* p, int value, size_t count, cudaStream_t stream);
__device__ cudaError_t cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream);
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset, const void* value,
                                                   size_t size);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, dim3 gridDim);
__device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate* updates,
                                                       size_t updateCount);
/* GPUs from 9.0 on cannot wait for what a block has launched. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
__device__ cudaError_t cudaDeviceSynchronize(void);
#endif

/* Names without a definition, for code that mentions them and does not run them, as the host's half of Thrust does. */
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
template <class T>
static inline __device__ cudaError_t cudaMalloc(T** p, size_t size) {
    return ::cudaMalloc((void**)(void*)p, size);
}
static inline __device__ cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind) {
    return ::cudaMemcpyAsync(dst, src, count, kind, 0);
}
static inline __device__ cudaError_t cudaMemsetAsync(void* p, int value, size_t count) {
    return ::cudaMemsetAsync(p, value, count, 0);
}
static inline __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
    return ::cudaStreamWaitEvent(stream, event, 0);
}
template <class T>
static inline __device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                                 const T& value) {
    return ::cudaGraphKernelNodeSetParam(node, offset, &value, sizeof value);
}
/* Null: the kernel is in no graph that kernels can launch. */
static inline __device__ cudaGraphExec_t cudaGetCurrentGraphExec(void) {
    cudaGraphExec_t graph;
    asm("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
    return graph;
}
static inline __device__ cudaError_t cudaEventRecord(cudaEvent_t event) { return ::cudaEventRecord(event, 0); }
/* A kernel that was launched with cudaLaunchAttributeProgrammaticStreamSerialization, and the one before it. */
static inline __device__ void cudaTriggerProgrammaticLaunchCompletion(void) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
static inline __device__ void cudaGridDependencySynchronize(void) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
#endif

#endif
