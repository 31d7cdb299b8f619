/* C++ forms of HIP's functions: pointers and symbols of any type. */
#ifndef LOCKSTEP_HIP_TEMPLATES_H
#define LOCKSTEP_HIP_TEMPLATES_H
#include "hip/hip_runtime_api.h"

/* Memory */
template <class T>
static inline hipError_t hipMalloc(T** p, size_t size) {
    return ::hipMalloc((void**)(void*)p, size);
}
template <class T>
static inline hipError_t hipExtMallocWithFlags(T** p, size_t size, unsigned int flags) {
    return ::hipExtMallocWithFlags((void**)(void*)p, size, flags);
}
template <class T>
static inline hipError_t hipHostMalloc(T** p, size_t size, unsigned int flags = hipHostMallocDefault) {
    return ::hipHostMalloc((void**)(void*)p, size, flags);
}
static inline hipError_t hipHostMalloc(void** p, size_t size) { return ::hipHostMalloc(p, size, 0); }
template <class T>
static inline hipError_t hipHostAlloc(T** p, size_t size, unsigned int flags) {
    return ::hipHostAlloc((void**)(void*)p, size, flags);
}
template <class T>
static inline hipError_t hipMallocHost(T** p, size_t size) {
    return ::hipMallocHost((void**)(void*)p, size);
}
template <class T>
static inline hipError_t hipMallocManaged(T** p, size_t size, unsigned int flags = hipMemAttachGlobal) {
    return ::hipMallocManaged((void**)(void*)p, size, flags);
}
template <class T>
static inline hipError_t hipMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
    return ::hipMallocPitch((void**)(void*)p, pitch, width, height);
}
template <class T>
static inline hipError_t hipMallocAsync(T** p, size_t size, hipStream_t stream) {
    return ::hipMallocAsync((void**)(void*)p, size, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T** p, size_t size, hipMemPool_t pool, hipStream_t stream) {
    return ::hipMallocFromPoolAsync((void**)(void*)p, size, pool, stream);
}
template <class T>
static inline hipError_t hipMallocFromPoolAsync(T** p, size_t size, hipMemPool_t pool, hipStream_t stream) {
    return ::hipMallocFromPoolAsync((void**)(void*)p, size, pool, stream);
}
template <class T>
static inline hipError_t hipHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::hipHostGetDevicePointer((void**)(void*)device, host, flags);
}

/* Symbols: a variable may be named itself, rather than its address. */
#define HIP_SYMBOL(x) x
template <class T>
static inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return ::hipMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset,
                                                hipMemcpyKind kind, hipStream_t stream = 0) {
    return ::hipMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    return ::hipMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset,
                                                  hipMemcpyKind kind, hipStream_t stream = 0) {
    return ::hipMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
static inline hipError_t hipGetSymbolAddress(void** p, const T& symbol) {
    return ::hipGetSymbolAddress(p, (const void*)&symbol);
}
template <class T>
static inline hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
    return ::hipGetSymbolSize(size, (const void*)&symbol);
}

/* Launches and functions */
template <class T>
static inline hipError_t hipLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                         size_t shared = 0, hipStream_t stream = 0) {
    return ::hipLaunchKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline hipError_t hipLaunchCooperativeKernel(T function, dim3 grid, dim3 block, void** arguments,
                                                    unsigned int shared = 0, hipStream_t stream = 0) {
    return ::hipLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, T* function) {
    return ::hipFuncGetAttributes(attributes, (const void*)function);
}
template <class T>
static inline hipError_t hipFuncSetAttribute(T* function, hipFuncAttribute attribute, int value) {
    return ::hipFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
static inline hipError_t hipFuncSetCacheConfig(T* function, hipFuncCache_t config) {
    return ::hipFuncSetCacheConfig((const void*)function, config);
}
template <class T>
static inline hipError_t hipFuncSetSharedMemConfig(T* function, hipSharedMemConfig config) {
    return ::hipFuncSetSharedMemConfig((const void*)function, config);
}

/* Occupancy */
template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block,
                                                                      size_t shared) {
    return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, block, shared);
}
template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function,
                                                                               int block, size_t shared,
                                                                               unsigned int flags) {
    return ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function, block,
                                                                   shared, flags);
}
template <class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* min_grid, int* block, T function,
                                                           size_t shared = 0, int limit = 0) {
    return ::hipOccupancyMaxPotentialBlockSize(min_grid, block, (const void*)function, shared, limit);
}
template <class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, T function,
                                                                    size_t shared = 0, int limit = 0,
                                                                    unsigned int = 0) {
    return ::hipOccupancyMaxPotentialBlockSize(min_grid, block, (const void*)function, shared, limit);
}

/* Streams and managed memory */
template <class T>
static inline hipError_t hipStreamAttachMemAsync(hipStream_t stream, T* p, size_t length = 0,
                                                 unsigned int flags = hipMemAttachSingle) {
    return ::hipStreamAttachMemAsync(stream, (void*)p, length, flags);
}

/* Formats of arrays */
static inline hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                        hipChannelFormatKind kind) {
    hipChannelFormatDesc format = {x, y, z, w, kind};
    return format;
}

#endif
